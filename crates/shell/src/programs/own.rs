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

use doorward_knowledge::{NamedRow, ProgramRow, parse_own, rows};

use crate::deed::Deeds;

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
    let rows = rows(&spec).into_iter().zip(&spec.programs);
    let programs: Arc<[Kept]> = rows
        .map(|(row, program)| Kept {
            row: Box::leak(Box::new(row)),
            line: program.line,
            replaces: program.replaces,
        })
        .collect();
    keeping.files.insert(key, Arc::clone(&programs));
    Ok(programs)
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
