//! Programs that a user, an administrator or a project described: read while Doorward runs, by the parser and the
//! words of the shipped specs.
//!
//! A row of such a file is looked up beside the shipped ones. It is the whole judgement of a program that nothing is
//! shipped about; otherwise it can only add to what is shipped ([`tighten`]), unless its file says `replaces shipped`.
//! A project's row ([`ToolFile::stricter`]) always only adds, also to "unknown program". A file that doesn't load
//! describes nothing.
//!
//! Rows live as long as the process, like the shipped ones. Each distinct text is read once, and the bytes that are
//! read in one process are bounded.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use doorward_core::intent::{Direction, PrivilegeKind, RecoverableBy};
use doorward_knowledge::{
    Act as SpecAct, Condition as SpecCondition, OptionSpec, Program, Row, Rule as SpecRule, SpecFile,
    deciding, first_spellings, is_bare, is_detail, is_option, option_token, parse_own, picked_places, picks,
    split,
};

use crate::deed::{Deeds, StdinRole};

use super::copying::{Copies, Copying};
use super::effects::{AFTER_DASHES, Act, AnyOf, Arrives, Condition, FROM_COMMAND, Rule, Wrapping};
use super::picks::Pick;
use super::row::{self, ProgramRow, Role, Style};
use super::searching::{Names, Searching};

/// Bytes of all distinct texts that a process reads, for users' own files and for projects' files.
const MOST_BYTES: usize = 4 << 20;

/// A file that describes programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolFile<'a> {
    /// Its path, for errors.
    pub path: &'a str,
    /// Its text.
    pub text: &'a str,
    /// It may only add to what is known without it: a project's file.
    pub stricter: bool,
}

/// Programs of such files, by name.
#[derive(Clone, Default)]
pub struct Tools {
    by_name: Arc<BTreeMap<String, Vec<Tool>>>,
}

/// What one file says about one program.
#[derive(Clone)]
pub(super) struct Tool {
    pub(super) row: &'static ProgramRow,
    pub(super) file: String,
    /// Line of the program in the file.
    pub(super) line: usize,
    pub(super) stricter: bool,
    pub(super) replaces: bool,
}

impl Tools {
    /// Reads files; also what is wrong with those that don't count, one text a file.
    #[must_use]
    pub fn read<'a>(files: impl IntoIterator<Item = ToolFile<'a>>) -> (Self, Vec<String>) {
        let mut by_name: BTreeMap<String, Vec<Tool>> = BTreeMap::new();
        let mut faults = Vec::new();
        for file in files {
            match kept(file) {
                Err(fault) => faults.push(fault),
                Ok(programs) => {
                    for program in programs.iter() {
                        let tool = Tool {
                            row: program.row,
                            file: file.path.to_owned(),
                            line: program.line,
                            stricter: file.stricter,
                            replaces: program.replaces,
                        };
                        for name in program.row.names.split_ascii_whitespace() {
                            by_name.entry(name.to_owned()).or_default().push(tool.clone());
                        }
                    }
                }
            }
        }
        (Self { by_name: Arc::new(by_name) }, faults)
    }

    /// The rows about a program: by the name that was called, or by its name in the shipped tables.
    pub(super) fn of(&self, name: &str, shipped: Option<&str>) -> Found<'_> {
        if self.by_name.is_empty() {
            return Found::default();
        }
        let base = name.strip_suffix(".exe").unwrap_or(name);
        let names = [Some(name), Some(base), shipped];
        let found = names.into_iter().flatten().find_map(|name| self.by_name.get_key_value(name));
        found.map_or_else(Found::default, |(name, tools)| Found { name, tools })
    }

    /// Whether one of the files describes this program, so that it isn't unknown.
    #[must_use]
    pub fn describe(&self, name: &str) -> bool {
        self.by_name.get(name).is_some_and(|tools| tools.iter().any(|tool| !tool.stricter))
    }

    /// Names of the programs that the files describe.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }
}

impl PartialEq for Tools {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.by_name, &other.by_name) || self.by_name.is_empty() && other.by_name.is_empty()
    }
}

impl Eq for Tools {}

impl fmt::Debug for Tools {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.by_name.keys()).finish()
    }
}

/// A program's name in a row, and the row.
type NamedRow = (&'static str, &'static ProgramRow);

/// What the files say about one program.
#[derive(Clone, Copy, Default)]
pub(super) struct Found<'t> {
    name: &'t str,
    pub(super) tools: &'t [Tool],
}

impl Found<'_> {
    /// The row that is the judgement, and those that can only add to it. `shipped` is the shipped row.
    pub(super) fn with(self, shipped: Option<NamedRow>) -> (Option<NamedRow>, Vec<NamedRow>) {
        let replaced = self.tools.iter().any(|tool| tool.replaces);
        let own = self.tools.iter().filter(|tool| !tool.stricter).filter_map(|tool| self.named(tool));
        let stricter = self.tools.iter().filter(|tool| tool.stricter).filter_map(|tool| self.named(tool));
        let mut rows = shipped.filter(|_| !replaced).into_iter().chain(own);
        let base = rows.next();
        (base, rows.chain(stricter).collect())
    }

    fn named(&self, tool: &Tool) -> Option<NamedRow> {
        let name = tool.row.names.split_ascii_whitespace().find(|name| *name == self.name)?;
        Some((name, tool.row))
    }
}

/// Adds what another row says of the same call. Whatever it says, nothing gets milder: effects and findings are
/// joined, and a proof of harmlessness must stand in both. What the call prints and how it uses standard input stay,
/// since they narrow what is judged elsewhere.
pub(super) fn tighten(deeds: &mut Deeds, more: Deeds) {
    fn join<T: PartialEq>(all: &mut Vec<T>, more: Vec<T>) {
        for one in more {
            if !all.contains(&one) {
                all.push(one);
            }
        }
    }
    let passes = |deeds: &Deeds| deeds.plain || deeds.plain_upload;
    let both_plain = deeds.plain && more.plain;
    deeds.plain_upload = passes(deeds) && passes(&more) && !both_plain;
    deeds.plain = both_plain;
    deeds.known &= more.known;
    deeds.read_only &= more.read_only;
    deeds.transparent &= more.transparent;
    deeds.plain_with_code &= more.plain_with_code;
    deeds.read_only_with_code &= more.read_only_with_code;
    join(&mut deeds.reads, more.reads);
    join(&mut deeds.writes, more.writes);
    join(&mut deeds.deletes, more.deletes);
    join(&mut deeds.hosts, more.hosts);
    join(&mut deeds.env_reads, more.env_reads);
    join(&mut deeds.privilege, more.privilege);
    join(&mut deeds.history_loss, more.history_loss);
    join(&mut deeds.installs, more.installs);
    join(&mut deeds.unknown, more.unknown);
    join(&mut deeds.findings, more.findings);
    join(&mut deeds.runs, more.runs);
    join(&mut deeds.chooses, more.chooses);
}

/// A program of a file, for the rest of the process.
#[derive(Clone, Copy)]
struct Kept {
    row: &'static ProgramRow,
    line: usize,
    replaces: bool,
}

/// Everything that was read in this process.
#[derive(Default)]
struct Keeping {
    /// By the text, and whether it is a project's.
    files: HashMap<(String, bool), Arc<[Kept]>>,
    /// Bytes of users' own texts, and of projects'.
    bytes: [usize; 2],
}

static KEEPING: LazyLock<Mutex<Keeping>> = LazyLock::new(Mutex::default);

/// The programs of a file, made once for each text.
fn kept(file: ToolFile<'_>) -> Result<Arc<[Kept]>, String> {
    // Entries are inserted whole, so a poisoned lock still guards a sound map.
    let mut keeping = KEEPING.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (file.text.to_owned(), file.stricter);
    if let Some(programs) = keeping.files.get(&key) {
        return Ok(Arc::clone(programs));
    }
    let spec = parse_own(file.path, file.text).map_err(|error| error.to_string())?;
    if let Some(program) = spec.programs.iter().find(|program| program.replaces && file.stricter) {
        let (path, line) = (file.path, program.line);
        return Err(format!(
            "{path}:{line}: `replaces` can't be said here: this file may only make stricter"
        ));
    }
    let [own, project] = &mut keeping.bytes;
    let bytes = if file.stricter { project } else { own };
    if *bytes + file.text.len() > MOST_BYTES {
        let path = file.path;
        return Err(format!("{path}: too many changed files were read; restart Doorward to read it"));
    }
    *bytes += file.text.len();
    let programs: Arc<[Kept]> = Maker::all(&spec).into();
    keeping.files.insert(key, Arc::clone(&programs));
    Ok(programs)
}

/// Makes rows of a spec. `doorward_knowledge::emit` writes the same rows as Rust.
struct Maker<'a> {
    spec: &'a SpecFile,
    /// Sets of commands that programs share.
    sets: BTreeMap<&'a str, &'static [ProgramRow]>,
    source: &'static str,
}

impl<'a> Maker<'a> {
    fn all(spec: &'a SpecFile) -> Vec<Kept> {
        let source =
            |program: &Program| text(format!("{} {}", program.source.manual, program.source.version));
        let style = spec.programs.first().map_or("", |program| program.row.style.as_str());
        let source_of_sets = spec.programs.first().map(source).unwrap_or_default();
        let mut maker = Self { spec, sets: BTreeMap::new(), source: source_of_sets };
        for (name, rows) in &spec.commands {
            let rows = rows.iter().map(|row| maker.row(row, &[], style)).collect();
            maker.sets.insert(name, list(rows));
        }
        let programs = spec.programs.iter().map(|program| {
            maker.source = source(program);
            let mut row = maker.row(&program.row, &[], "");
            row.compared = program.source.is_compared();
            let row = Box::leak(Box::new(row));
            Kept { row, line: program.line, replaces: program.replaces }
        });
        programs.collect()
    }

    /// One row. `above` are the options of the programs and commands that it stands in. A lenient parent has lenient
    /// commands.
    fn row(&self, spec: &Row, above: &[&OptionSpec], parent: &str) -> ProgramRow {
        let style = if spec.style.is_empty() { parent } else { spec.style.as_str() };
        let inherited = if matches!(style, "lenient" | "word" | "lenient-word") { style } else { "" };
        let options =
            |options: &[OptionSpec]| text(options.iter().map(option_token).collect::<Vec<_>>().join(" "));
        let leaf = spec.commands.is_empty() && spec.shared.is_empty();
        let operands = match spec.operands.join(" ") {
            operands if operands.is_empty() && leaf && style.starts_with("lenient") => "data*",
            operands => text(operands),
        };
        let make = match spec.nature.as_str() {
            "reads" => row::reads,
            "named" => row::named,
            "wraps" => row::wraps,
            _ => row::works,
        };
        let mut made = make(text(spec.names.join(" ")), self.source, options(&spec.options), operands);
        let mut groups = spec.uses.iter().filter_map(|name| self.spec.groups.get(name));
        made.common = groups.next().map_or("", |group| options(group));
        made.more = groups.next().map_or("", |group| options(group));
        made.style = match style {
            "gnu" => Style::Gnu,
            "posix" => Style::Posix,
            "word" => Style::Word,
            "word-posix" => Style::WordPosix,
            "raw" | "raw-all" => Style::Raw,
            "lenient" => Style::Lenient,
            "lenient-posix" => Style::LenientPosix,
            "lenient-word" => Style::LenientWord,
            "lenient-word-posix" => Style::LenientWordPosix,
            "windows" => Style::Windows,
            _ => made.style,
        };
        if style == "raw-all" {
            made = made.answers();
        }
        if !spec.prints.is_empty() {
            made.output = row::output(&spec.prints);
        }
        made.stdin = match spec.stdin.as_str() {
            "ignored" => StdinRole::Ignored,
            "sent" => StdinRole::Sent,
            _ => made.stdin,
        };
        let groups = spec.uses.iter().filter_map(|name| self.spec.groups.get(name)).flatten();
        let visible: Vec<&OptionSpec> =
            spec.options.iter().chain(groups).chain(above.iter().copied()).collect();
        made.rules = list(spec.rules.iter().map(|spec| rule(spec, &visible)).collect());
        made.otherwise = list(spec.otherwise.iter().map(|spec| rule(spec, &visible)).collect());
        made.throughout = list(spec.throughout.iter().map(|spec| rule(spec, &visible)).collect());
        if !spec.commands.is_empty() {
            made =
                made.subs(list(spec.commands.iter().map(|row| self.row(row, &visible, inherited)).collect()));
        }
        if !spec.shared.is_empty() {
            let sets = spec.shared.iter().filter_map(|name| self.sets.get(name.as_str()).copied());
            made = made.shares(list(sets.collect()));
        }
        made
    }
}

fn rule(spec: &SpecRule, options: &[&OptionSpec]) -> Rule {
    let is = spec.conditions.iter().find(|condition| condition.key == "is");
    let is = is.map_or(&[][..], |condition| condition.words.as_slice());
    let asked = |key: &str| {
        let found = spec.conditions.iter().find(|condition| condition.key == key);
        words(found.map_or(&[][..], |condition| condition.words.as_slice()))
    };
    let at = Pick { at: &[], fits: asked("fits"), except: asked("except"), after: &[] };
    let when = spec.conditions.iter().filter(|condition| !is_detail(&condition.key));
    Rule {
        when: list(when.map(|spec| condition(spec, is, at, options)).collect()),
        acts: list(spec.acts.iter().map(|spec| act(spec, options)).collect()),
    }
}

fn condition(spec: &SpecCondition, is: &[String], at: Pick, options: &[&OptionSpec]) -> Condition {
    let (own, given) = (words(&spec.words), words(&first_spellings(&spec.words, options)));
    match spec.key.as_str() {
        "has" | "and-has" => Condition::Has(given),
        "lacks" => Condition::Lacks(given),
        "value" => Condition::Value(given, words(is)),
        "first" => Condition::First(own),
        "at" => Condition::At(Pick { at: given, ..at }),
        "first-not" => Condition::FirstNot(own),
        "called" => Condition::Called(own),
        "program" => Condition::Program(own),
        "kind" => Condition::Kind(own),
        "hidden" => Condition::HiddenOperand,
        "operand" => Condition::Operand(own),
        "no-operand" => Condition::NoOperand(own),
        "path" => Condition::Path(own),
        "verb" => Condition::Verb(own),
        "stdin" => Condition::Stdin(match own.first() {
            Some(&"piped") => Arrives::Piped,
            Some(&"empty") => Arrives::Empty,
            _ => Arrives::Given,
        }),
        "contains" => Condition::Contains(own),
        key @ ("operands" | "options" | "words") => {
            let range = spec.words.first().map(String::as_str).unwrap_or_default();
            let (least, most) = range.split_once("..").unwrap_or((range, range));
            let (least, most) = (least.parse().unwrap_or(0), most.parse().unwrap_or(usize::MAX));
            match key {
                "operands" => Condition::Operands(least, most),
                "options" => Condition::Options(least, most),
                _ => Condition::Words(least, most),
            }
        }
        _ => Condition::Word(own),
    }
}

fn act(spec: &SpecAct, options: &[&OptionSpec]) -> Act {
    let value = |at: usize| spec.values.get(at).cloned().unwrap_or_default();
    let named = |key: &str| spec.named.get(key).cloned().unwrap_or_default();
    let scheme = || text(spec.named.get("scheme").cloned().unwrap_or_else(|| "https".to_owned()));
    let option = |name: String| text(first_spellings(&[name], options).concat());
    let options_of = |key| words(&first_spellings(&split(&named(key)), options));
    let place = |text: &str| match text {
        "command" => FROM_COMMAND,
        text => text.trim_end_matches("..").parse().unwrap_or(AFTER_DASHES),
    };
    match spec.key.as_str() {
        "only-reads" => Act::OnlyReads,
        "acts" => Act::Acts,
        "works" => Act::Works,
        "named" => Act::Named,
        "beyond-plain" => Act::BeyondPlain,
        "unknown" => Act::Unknown,
        "finding" => Act::Finding(text(format!("shell.{}", value(0))), text(value(1))),
        "loses" => Act::Loses(text(value(0)), way_back(&named("back"))),
        "contacts" => Act::Contacts(text(value(0)), scheme(), direction(&value(1))),
        "contacts-remote" => Act::ContactsRemote(text(value(0)), scheme(), direction(&value(1))),
        "contacts-unknown" => Act::ContactsUnknown(scheme(), direction(&value(0))),
        "contacts-urls" => Act::ContactsUrls(scheme(), direction(&value(0))),
        "listens" => {
            let port = words(&first_spellings(&split(&named("port")), options));
            Act::Listens(text(value(0)), scheme(), port)
        }
        "deletes-build" => Act::DeletesBuild(text(value(0))),
        "deletes-value" => Act::DeletesValue(option(value(0))),
        "writes-file" => Act::WritesFile(text(value(0))),
        "operand" if value(1) == "delete" && picks(spec) => {
            Act::DeletesPicked(pick(spec, options), options_of("recursive"), options_of("force"))
        }
        "operand" | "value" | "behind" if is_bare(spec) => {
            let role = Role::named(text(value(1))).unwrap_or(Role::Config);
            let letters = [text(named("strip-front")), text(named("strip-back"))];
            Act::PickedBare(pick(spec, options), role, letters)
        }
        "operand" | "value" | "behind" if picks(spec) => {
            Act::Picked(pick(spec, options), Role::named(text(value(1))).unwrap_or(Role::Config))
        }
        "part" => {
            let role = Role::named(text(value(2))).unwrap_or(Role::Config);
            Act::Part(option(value(0)), words(&split(&value(1))), role, named("alone") == "yes")
        }
        "contacts-at" => {
            let port = words(&first_spellings(&split(&named("port")), options));
            let (pick, stdin) = (pick(spec, options), named("body") == "stdin");
            Act::ContactsAt(pick, scheme(), direction(&value(1)), port, text(named("else")), stdin)
        }
        "copies" | "moves" => {
            let kind = match (spec.key.as_str(), named("as").as_str()) {
                ("moves", _) => Copies::Move,
                (_, "hard") => Copies::Hard,
                (_, "soft") => Copies::Soft,
                (_, "made") => Copies::Made,
                _ => Copies::Content,
            };
            let (into, whole) = (options_of("into"), options_of("whole"));
            Act::Copies(leaked(Copying {
                kind,
                into,
                whole,
                pick: pick(&at(spec, "0..".to_owned()), options),
            }))
        }
        "searches" => Act::Searches(leaked(Searching {
            pattern: options_of("pattern"),
            below: options_of("below"),
            hidden: options_of("hidden"),
            chosen: options_of("chosen"),
            names: options_of("names"),
        })),
        "lists" => Act::Lists(match value(0).as_str() {
            "containing" => Names::Containing,
            "folders" => Names::Folders,
            _ => Names::Operands,
        }),
        "operand" => {
            let (from, to_end) = (place(&value(0)), value(0) == "--" || value(0).ends_with(".."));
            if value(1) == "delete" {
                let asked = |key| {
                    let asked: Vec<String> = named(key).split_ascii_whitespace().map(str::to_owned).collect();
                    words(&first_spellings(&asked, options))
                };
                return Act::DeletesOperand(from, to_end, asked("recursive"), asked("force"));
            }
            Act::Operand(from, to_end, Role::named(text(value(1))).unwrap_or(Role::Config))
        }
        "value" => Act::Value(option(value(0)), Role::named(text(value(1))).unwrap_or(Role::Config)),
        "privilege" => {
            let kind = match value(0).as_str() {
                "root" => PrivilegeKind::Root,
                "group" => PrivilegeKind::Group,
                "kernel" => PrivilegeKind::Kernel,
                "capability" => PrivilegeKind::Capability,
                _ => PrivilegeKind::ContainerEscape,
            };
            Act::Privilege(kind, text(value(1)))
        }
        "runs-project" => Act::RunsProject(text(value(0)), text(named("code"))),
        "runs-path" => Act::RunsPath(option(value(0))),
        "runs" if !spec.named.is_empty() => Act::RunsWith(place(&value(0)), option(named("program"))),
        "runs-shell" if !spec.named.is_empty() => {
            let place = format!("{}..", value(0).trim_end_matches(".."));
            Act::RunsCode(pick(&at(spec, place), options), text(named("code")))
        }
        "runs-shell" => Act::RunsShell(place(&value(0))),
        "runs" => Act::Runs(place(&value(0))),
        "runs-as" => Act::RunsAs(text(value(0)), place(&value(1))),
        "wraps" if !spec.named.is_empty() => Act::WrapsWith(
            place(&value(0)),
            leaked(Wrapping {
                assignments: named("assignments") == "yes",
                chdir: option(named("chdir")),
                program: option(named("program")),
            }),
        ),
        "wraps" => Act::Wraps(place(&value(0))),
        "wraps-shell" => Act::WrapsShell(place(&value(0))),
        "runs-remote" if is_option(&value(0)) => Act::RunsRemoteValue(option(value(0)), text(value(1))),
        "runs-remote" => Act::RunsRemote(place(&value(0)), text(value(1))),
        "installs" => {
            let asked = |key: &str| words(&first_spellings(&deciding(spec, key), options));
            let (scripts, system, newest) = (asked("scripts"), asked("system"), named("newest") == "yes");
            Act::Installs(pick(spec, options), text(value(1)), scripts, system, newest)
        }
        "sends" if picks(spec) => Act::SendsPicked(pick(spec, options)),
        "runs-behind" => Act::RunsBehind(words(&split(&value(0)))),
        "shell-text" => Act::ShellText(option(value(0))),
        "sends" if is_option(&value(0)) => Act::SendsValue(option(value(0))),
        "sends" => Act::Sends(place(&value(0)), value(0) == "--" || value(0).ends_with("..")),
        "runs-after" => Act::RunsAfter(text(value(0))),
        "reads-after" => {
            let marks: Vec<String> = value(0).split_ascii_whitespace().map(str::to_owned).collect();
            Act::ReadsAfter(words(&marks))
        }
        "interprets" => {
            let unless: Vec<String> = named("unless").split_ascii_whitespace().map(str::to_owned).collect();
            Act::Interprets(text(value(0)), words(&first_spellings(&unless, options)))
        }
        "runs-stdin" => Act::RunsStdin(text(value(0))),
        "transparent" => Act::Transparent,
        "environment" => Act::Environment(value(0) == "printed"),
        "mode" => Act::Mode(option(value(0))),
        "prints" => Act::Prints(row::output(&value(0))),
        "empties" => Act::Empties,
        "runs-inside" if value(0) == "--" => Act::RunsInsideAfterDashes(place(&named("else"))),
        "runs-inside" if spec.named.contains_key("where") => {
            Act::RunsInsideOf(place(&value(0)), options_of("where"))
        }
        "runs-inside" => Act::RunsInside(place(&value(0)), option(named("program"))),
        "mentions" => Act::Mentions,
        "unknown-command" => Act::UnknownCommand,
        "stop" => Act::Stop,
        // Not in the vocabulary, so the parser refused it.
        _ => Act::Acts,
    }
}

fn pick(spec: &SpecAct, options: &[&OptionSpec]) -> Pick {
    let named = |key: &str| words(&split(spec.named.get(key).map(String::as_str).unwrap_or_default()));
    let at = words(&picked_places(spec, options));
    Pick { at, fits: named("fits"), except: named("except"), after: named("after") }
}

/// The effect at another place.
fn at(spec: &SpecAct, place: String) -> SpecAct {
    SpecAct { values: vec![place], ..spec.clone() }
}

fn way_back(word: &str) -> RecoverableBy {
    match word {
        "reflog" => RecoverableBy::Reflog,
        "remote" => RecoverableBy::Remote,
        _ => RecoverableBy::None,
    }
}

fn direction(word: &str) -> Direction {
    match word {
        "fetch" => Direction::Fetch,
        "send" => Direction::Send,
        _ => Direction::Both,
    }
}

/// Rows last as long as the process, so their texts do.
fn text(text: String) -> &'static str {
    if text.is_empty() { "" } else { Box::leak(text.into_boxed_str()) }
}

fn words(words: &[String]) -> AnyOf {
    list(words.iter().map(|word| text(word.clone())).collect())
}

fn leaked<T>(item: T) -> &'static T {
    Box::leak(Box::new(item))
}

fn list<T>(items: Vec<T>) -> &'static [T] {
    Box::leak(items.into_boxed_slice())
}

#[cfg(test)]
mod tests {
    use doorward_knowledge::{load, shipped};

    use super::super::compact::example;
    use super::super::show::show;
    use super::{ToolFile, Tools};

    const MYTOOL: &str = r#"
program mytool {
    source "mytool --help" version="2.1" read="2026-11-23"
    options {
        -q --quiet
        --server value=choose
    }
    command list {
        does reads
        options {
            --out value=write
        }
        operands look*
    }
    command purge {
        operand "0.." delete recursive=always
        finding data_loss "deletes what {first} holds"
    }
}
"#;

    fn own(text: &str) -> Tools {
        tools(&[("/etc/own.kdl", text, false)])
    }

    fn tools(files: &[(&str, &str, bool)]) -> Tools {
        let files = files.iter().map(|(path, text, stricter)| ToolFile { path, text, stricter: *stricter });
        let (tools, faults) = Tools::read(files);
        assert_eq!(faults, Vec::<String>::new());
        tools
    }

    #[test]
    fn a_described_tool_is_judged_by_its_row() {
        let described = own(MYTOOL);
        let unknown = Tools::default();
        for (line, before, after) in [
            ("mytool list src", "unknown_program; unknown", "look src; read-only"),
            ("mytool list --out x src", "unknown_program; unknown", "look src; create x"),
            ("mytool list --all-of-it", "unknown_program; unknown", "unknown_option; unknown"),
            ("mytool purge src", "unknown_program; unknown", "delete-r src; data_loss"),
            ("mytool polish", "unknown_program; unknown", "unknown_program; unknown"),
            ("/usr/bin/mytool list src", "unknown_program; unknown", "look src; read-only"),
            // A file of that name is whatever somebody put there.
            ("./mytool list src", "file ./mytool", "file ./mytool"),
        ] {
            let says = |tools: &Tools| example(line, tools);
            assert!(
                says(&unknown).ends_with(before) || says(&unknown).contains(before),
                "{line}: {}",
                says(&unknown)
            );
            let found = says(&described);
            assert!(found.contains(after), "{line}\n  expected {after}\n  found    {found}");
        }
    }

    #[test]
    fn rules_of_a_described_tool_pick_words() {
        let tools = own(r#"
program mytool {
    source "mytool --help" version="2.1" read="2026-11-25"
    parse lenient-word
    options {
        --server value=data
        --set value=data
    }
    throughout has=--set {
        part --set "file src" read
    }
    command push {
        options {
            --server value=data
            --set value=data
        }
        contacts-at "--server ://" send scheme=https else="push.example.net"
        sends "0.." fits="@*" after="@"
        when at=last fits="*.lock" {
            finding tamper "changes a lock"
        }
    }
    command exec {
        parse raw
        runs-behind "--"
        behind "--hook" sh
    }
}
"#);
        for (line, expected) in [
            ("mytool push @a b", "read a; send push.example.net <a"),
            ("mytool push --server=h.example:80 x.lock", "send h.example:80; tamper"),
            ("mytool --set 'mode=1,src=x' push", "read x; send push.example.net; plain"),
            ("mytool exec --hook='rm x' -- ls -l", "argv ls -l; sh rm x"),
        ] {
            assert_eq!(example(line, &tools), expected, "{line}");
        }
    }

    #[test]
    fn what_is_shipped_stays_unless_a_file_says_that_it_replaces_it() {
        let head = "source \"rm(1)\" version=\"9\" read=\"2026-11-23\"\ndoes reads\noperands data*\n";
        let mild = format!("program rm shred {{\n{head}}}");
        let shipped = example("rm -rf /", &Tools::default());
        let added = example("rm -rf /", &own(&mild));
        assert!(shipped.contains("delete-rf /") && added.contains("delete-rf /"), "{added}");
        assert!(!added.contains("read-only"), "{added}");
        let replacing = format!("program rm {{\n{head}replaces shipped\noptions {{\n-r\n-f\n}}\n}}");
        assert_eq!(example("rm -rf /", &own(&replacing)), "read-only");
        let (none, faults) = Tools::read([ToolFile { path: "/p/own.kdl", text: &replacing, stricter: true }]);
        assert!(faults[0].starts_with("/p/own.kdl:1: `replaces` can't be said here"), "{faults:?}");
        assert_eq!(example("rm -rf /", &none), shipped);
    }

    #[test]
    fn a_project_can_only_add() {
        let user = ("/etc/own.kdl", MYTOOL, false);
        let head = "source \"x\" version=\"1\" read=\"2026-11-23\"\n";
        let mild = format!("program mytool git rm othertool {{\n{head}does reads\noperands data*\n}}");
        let project = ("/p/own.kdl", mild.as_str(), true);
        for line in
            ["mytool list src", "mytool purge src", "git push", "rm -rf x", "othertool go", "othertool"]
        {
            for files in [&[user][..], &[][..]] {
                let without = example(line, &tools(files));
                let with = example(line, &tools(&[files, &[project]].concat()));
                let lost: Vec<&str> = without
                    .split("; ")
                    .filter(|said| !["read-only", "plain"].contains(said) && !with.contains(said))
                    .collect();
                assert!(lost.is_empty(), "{line}: {without} became {with}");
                for proof in ["read-only", "plain"] {
                    assert!(
                        without.contains(proof) || !with.contains(proof),
                        "{line}: {without} became {with}"
                    );
                }
            }
        }
        let strict = format!("program mytool {{\n{head}command list {{\ncontacts-unknown send\n}}\n}}");
        let with = example("mytool list src", &tools(&[user, ("/p/own.kdl", &strict, true)]));
        assert!(
            with.contains("look src") && with.contains("send …") && !with.contains("read-only"),
            "{with}"
        );
    }

    #[test]
    fn a_broken_file_describes_nothing_and_is_named() {
        let broken = MYTOOL.replace("operands look*", "operands loook*");
        let (tools, faults) =
            Tools::read([ToolFile { path: "/etc/own.kdl", text: &broken, stricter: false }]);
        assert_eq!(faults, ["/etc/own.kdl:13: `loook` is not a known role; did you mean `look`?"]);
        assert!(example("mytool list src", &tools).ends_with("unknown"));
        assert!(!tools.describe("mytool"));
    }

    /// The generator and this module make the same rows of a spec.
    #[test]
    fn shipped_specs_mean_the_same_when_they_are_read_at_run_time() {
        let mut compared = 0;
        for spec in load(&shipped()).unwrap_or_else(|error| panic!("{error}")) {
            let path = shipped().join(format!("{}.kdl", spec.name));
            let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{error}"));
            let any_case = spec.programs.iter().any(|program| program.any_case);
            if !spec.functions.is_empty() || text.contains("rust ") || any_case {
                continue;
            }
            let replacing = text.replace("    source \"", "    replaces shipped\n    source \"");
            let replacing = own(&replacing);
            for example_of in spec.programs.iter().flat_map(|program| &program.examples) {
                let found = example(&example_of.command, &replacing);
                assert_eq!(found, example_of.effects, "{}: {}", spec.name, example_of.command);
                compared += 1;
            }
        }
        assert!(compared >= 5, "only {compared} examples");
    }

    #[test]
    fn show_says_where_a_fact_is_from() {
        let text = show("mytool", &own(MYTOOL)).unwrap_or_default();
        for part in [
            "/etc/own.kdl:2, is the judgement",
            "mytool --help 2.1",
            "--out = a file that is written",
            "deleted",
        ] {
            assert!(text.contains(part), "{part}:\n{text}");
        }
        let git = show("git", &own(&MYTOOL.replace("program mytool", "program git"))).unwrap_or_default();
        assert!(git.contains("shipped with Doorward") && git.contains("adds to what is shipped"), "{git}");
        assert!(show("tar", &Tools::default()).unwrap_or_default().contains("a function in Rust"));
        assert_eq!(show("mytool", &Tools::default()), None);
    }
}
