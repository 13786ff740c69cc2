//! find and fd: expressions that run, delete and write.

use doorward_core::intent::{Form, WriteMode};
use doorward_knowledge::row::Nature;

use crate::deed::{Run, Word};

use super::call::Call;
use super::wrappers::unknown_at;

const FLAGS: &[&str] = &[
    "-H",
    "-L",
    "-P",
    "-depth",
    "-d",
    "-follow",
    "-mount",
    "-xdev",
    "-x",
    "-noleaf",
    "-daystart",
    "-ignore_readdir_race",
    "-noignore_readdir_race",
    "-warn",
    "-nowarn",
    "-help",
    "--help",
    "-version",
    "--version",
    "-empty",
    "-executable",
    "-readable",
    "-writable",
    "-nouser",
    "-nogroup",
    "-true",
    "-false",
    "-print",
    "-print0",
    "-ls",
    "-prune",
    "-quit",
    "-not",
    "-and",
    "-or",
    "-a",
    "-o",
    "-E",
    "-X",
    "-s",
    "-acl",
    "-xattr",
    "-sparse",
    "-hidden",
    "-nohidden",
    "-status",
    "-unique",
    "-O0",
    "-O1",
    "-O2",
    "-O3",
    "-j",
];
const TAKES_ONE: &[&str] = &[
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-iwholename",
    "-regex",
    "-iregex",
    "-lname",
    "-ilname",
    "-regextype",
    "-type",
    "-xtype",
    "-perm",
    "-user",
    "-group",
    "-uid",
    "-gid",
    "-size",
    "-links",
    "-inum",
    "-fstype",
    "-amin",
    "-atime",
    "-cmin",
    "-ctime",
    "-mmin",
    "-mtime",
    "-Bmin",
    "-Btime",
    "-Bnewer",
    "-maxdepth",
    "-mindepth",
    "-used",
    "-since",
    "-context",
    "-printf",
    "-D",
    "-flags",
    "-depth-n",
    "-exclude",
    "-capable",
    "-xattrname",
];
const READS_ONE: &[&str] = &["-newer", "-anewer", "-cnewer", "-samefile", "-files0-from", "-f", "-mnewer"];

/// What a name must be for an expression to be true: one of these patterns below a start (`**` is any folder), or
/// anything.
type Fit = Option<Vec<String>>;

/// Both hold: either is enough to know the names.
fn both(one: Fit, other: Fit) -> Fit {
    one.or(other)
}

/// One of them holds.
fn either(one: Fit, other: Fit) -> Fit {
    let (mut one, other) = (one?, other?);
    one.extend(other);
    (one.len() <= MOST_FITS).then_some(one)
}

/// The most patterns that names are described by.
const MOST_FITS: usize = 8;
/// How deep parentheses are followed; below, names may be anything.
const DEEPEST: usize = 32;

/// What an expression does to the names for which it is reached.
enum Action {
    Exec { via: String, words: Vec<Word>, plus: bool },
    Delete,
}

/// An expression being read.
struct Expression<'c, 'a> {
    call: &'c mut Call<'a>,
    words: Vec<Word>,
    at: usize,
    depth: usize,
    actions: Vec<(Action, Fit)>,
    /// What is printed: nothing said yet, or the names for which a print was reached.
    printed: Option<Fit>,
    /// Starts are among the names.
    with_starts: bool,
    late_starts: Vec<Word>,
}

pub(in crate::programs) fn find(call: &mut Call<'_>) {
    let words = call.operands.clone();
    let expression = words.iter().position(|word| {
        let text = word.text.as_str();
        (text.starts_with('-') || matches!(text, "(" | "!" | ")" | ","))
            && !matches!(text, "-H" | "-L" | "-P")
    });
    let (starts, expression) = words.split_at(expression.unwrap_or(words.len()));
    let mut starts: Vec<Word> = starts.iter().filter(|word| !word.text.starts_with('-')).cloned().collect();
    let mut reader = Expression {
        call,
        words: expression.to_vec(),
        at: 0,
        depth: 0,
        actions: Vec::new(),
        printed: None,
        with_starts: true,
        late_starts: Vec::new(),
    };
    let whole = reader.alternatives(&None);
    // A stray `)` ends nothing.
    while reader.at < reader.words.len() {
        reader.at += 1;
        reader.alternatives(&None);
    }
    let Expression { actions, printed, with_starts, late_starts, .. } = reader;
    starts.extend(late_starts);
    if starts.is_empty() {
        starts.push(Word::literal(".", call.span()));
    }
    for start in &starts {
        call.look(start);
    }
    let acts = !actions.is_empty();
    for (action, fit) in actions {
        let named: Vec<Word> = starts.iter().flat_map(|start| below(start, &fit, with_starts)).collect();
        match action {
            Action::Delete => {
                call.beyond_plain = true;
                call.nature = Nature::Works;
                match &fit {
                    None => starts.iter().for_each(|start| call.delete(start, true, true)),
                    Some(_) => named.iter().for_each(|name| {
                        call.delete(name, name.text.ends_with("/**"), true);
                    }),
                }
            }
            Action::Exec { via, words, plus } => execute(call, &via, words, &named, plus),
        }
    }
    let printed = match printed {
        Some(fit) => Some(fit),
        None => (!acts).then_some(whole),
    };
    if let Some(fit) = printed {
        let named = starts.iter().flat_map(|start| below(start, &fit, with_starts));
        call.deeds.lists = named.take(MOST_FITS).collect();
    }
}

/// The names below a start for which an expression holds.
fn below(start: &Word, fit: &Fit, with_start: bool) -> Vec<Word> {
    let folder = start.text.trim_end_matches('/');
    let pattern = |text: String| {
        let mut word = Word { text, form: Form::Glob, assembled: true, ..start.clone() };
        if start.form == Form::Unknown {
            word.form = Form::Unknown;
        }
        word
    };
    let last = folder.rsplit('/').next().unwrap_or_default();
    let is_folder = matches!(last, "" | "." | "..");
    match fit {
        None => {
            let everything = pattern(format!("{folder}/**"));
            if with_start && !is_folder { vec![start.clone(), everything] } else { vec![everything] }
        }
        Some(names) => {
            let mut found: Vec<Word> = Vec::new();
            for name in names {
                // `find .env -name '.e*'`: the start itself.
                let itself = !is_folder
                    && crate::expand::pattern::matches_str(name.trim_start_matches("**/"), last)
                        != Some(false);
                if with_start && itself {
                    found.push(start.clone());
                }
                let whole = name.strip_prefix("./").or_else(|| name.strip_prefix(&format!("{folder}/")));
                found.push(match whole {
                    Some(rest) if folder == "." || name.starts_with(folder) => {
                        pattern(format!("{folder}/{rest}"))
                    }
                    _ if name.starts_with('/') => pattern(name.clone()),
                    _ => pattern(format!("{folder}/{name}")),
                });
            }
            found
        }
    }
}

/// The command of an `-exec`, with names where `{}` stands.
fn execute(call: &mut Call<'_>, via: &str, words: Vec<Word>, named: &[Word], plus: bool) {
    if words.is_empty() {
        return;
    }
    let mut words = words;
    if plus && words.last().is_some_and(|word| word.text == "{}") {
        words.pop();
        words.extend(named.iter().cloned());
        return run_found(call, via, words);
    }
    let inside = words.iter().any(|word| word.text.contains("{}") && word.text != "{}");
    if !inside {
        let words = words
            .into_iter()
            .flat_map(|word| if word.text == "{}" { named.to_vec() } else { vec![word] })
            .collect();
        return run_found(call, via, words);
    }
    for name in named {
        let filled = words.iter().map(|word| match word.text.as_str() {
            "{}" => name.clone(),
            text if text.contains("{}") => Word {
                text: text.replace("{}", &name.text),
                form: if name.form == Form::Unknown { Form::Unknown } else { word.form },
                assembled: true,
                ..word.clone()
            },
            _ => word.clone(),
        });
        let filled = filled.collect();
        run_found(call, via, filled);
    }
}

fn run_found(call: &mut Call<'_>, via: &str, words: Vec<Word>) {
    let place = call.argv.place.clone();
    call.run_apart(Run::Argv {
        words,
        assignments: Vec::new(),
        more_operands: false,
        via: via.to_owned(),
        place,
        chdir: None,
        passes_stdin: false,
    });
}

impl Expression<'_, '_> {
    /// Whether the next word is this one.
    fn peek(&self) -> Option<&str> {
        self.words.get(self.at).map(|word| word.text.as_str())
    }

    fn next(&mut self) -> Option<Word> {
        let word = self.words.get(self.at).cloned();
        self.at += usize::from(word.is_some());
        word
    }

    /// `a -o b , c`; `outer` is what holds where it starts.
    fn alternatives(&mut self, outer: &Fit) -> Fit {
        self.depth += 1;
        let mut fit = self.conjunction(outer);
        loop {
            match self.peek() {
                Some("-o" | "-or") => {
                    self.at += 1;
                    let other = self.conjunction(outer);
                    fit = either(fit, other);
                }
                Some(",") => {
                    self.at += 1;
                    fit = self.conjunction(outer);
                }
                _ => break,
            }
        }
        self.depth -= 1;
        fit
    }

    fn conjunction(&mut self, outer: &Fit) -> Fit {
        let mut fit = outer.clone();
        while let Some(text) = self.peek() {
            match text {
                "-o" | "-or" | "," | ")" => break,
                "-a" | "-and" => self.at += 1,
                "!" | "-not" => {
                    self.at += 1;
                    // What isn't may be anything; an action behind it runs all the same.
                    self.primary(&fit.clone());
                }
                _ => {
                    let next = self.primary(&fit.clone());
                    fit = both(fit, next);
                }
            }
        }
        fit
    }

    fn primary(&mut self, context: &Fit) -> Fit {
        let word = self.next()?;
        let text = word.text.as_str();
        let context = if self.depth > DEEPEST { &None } else { context };
        match text {
            "(" => {
                let fit = if self.depth > DEEPEST {
                    // Too deep to tell names: its words are still read, one after the other.
                    None
                } else {
                    self.alternatives(context)
                };
                if self.peek() == Some(")") {
                    self.at += 1;
                }
                return fit;
            }
            "!" | "-not" => {
                if self.depth <= DEEPEST {
                    self.depth += 1;
                    self.primary(context);
                    self.depth -= 1;
                }
            }
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                let end = end_of_command(&self.words, self.at);
                let plus = self.words.get(end).is_some_and(|word| word.text == "+");
                let words = self.words.get(self.at..end).unwrap_or_default().to_vec();
                self.at = end + 1;
                let via = format!("find {text}");
                self.actions.push((Action::Exec { via, words, plus }, context.clone()));
            }
            "-delete" | "-rm" => self.actions.push((Action::Delete, context.clone())),
            "-print" | "-print0" => {
                self.printed = Some(match self.printed.take() {
                    Some(fit) => either(fit, context.clone()),
                    None => context.clone(),
                });
            }
            "-fprint" | "-fprint0" | "-fls" | "-fprintf" => {
                if let Some(file) = self.next() {
                    self.call.write(&file, WriteMode::Create);
                    self.call.beyond_plain = true;
                }
                if text == "-fprintf" {
                    self.at += 1;
                }
            }
            "-name" | "-iname" => return self.next().map(|name| vec![named(&name)]),
            "-path" | "-ipath" | "-wholename" | "-iwholename" => {
                return self.next().map(|path| vec![pathed(&path)]);
            }
            "-regex" | "-iregex" => {
                let regex = self.next()?;
                return fixed_by(&regex.text).map(|path| vec![path]);
            }
            "-samefile" => {
                let file = self.next()?;
                self.call.look(&file);
                return file.known().map(|path| vec![format!("./{}", path.trim_start_matches("./"))]);
            }
            "-mindepth" => self.with_starts &= self.next().is_none_or(|depth| depth.text == "0"),
            "-printf" => {
                self.at += 1;
                self.printed = Some(match self.printed.take() {
                    Some(fit) => either(fit, context.clone()),
                    None => context.clone(),
                });
            }
            _ if READS_ONE.contains(&text) || text.starts_with("-newer") => {
                match self.next() {
                    // Names that aren't there are printed.
                    Some(file) if text == "-files0-from" => self.call.read(&file),
                    Some(file) if !text.ends_with('t') => self.call.look(&file),
                    _ => {}
                }
            }
            _ if TAKES_ONE.contains(&text) => self.at += 1,
            _ if FLAGS.contains(&text) => {}
            _ if text.starts_with('-') && text.bytes().skip(1).all(|byte| byte.is_ascii_digit()) => {}
            _ if word.known().is_none() => self.call.acts = true,
            _ if !text.starts_with('-') => self.late_starts.push(word.clone()),
            _ => {
                self.call.deeds.known = false;
                self.call.acts = true;
                let message = format!("uses the test {text} of find, which Doorward does not know");
                self.call.finding("shell.unknown_program", message);
            }
        }
        None
    }
}

/// A name in any folder below.
fn named(name: &Word) -> String {
    match name.form {
        Form::Unknown if name.text.trim_matches('…').is_empty() => "**".to_owned(),
        _ => format!("**/{}", name.text.trim_start_matches("./")),
    }
}

/// A pattern over the whole path, in which `*` also stands for `/`.
fn pathed(path: &Word) -> String {
    let text = path.text.as_str();
    let (front, rest) = match text.strip_prefix("*/") {
        Some(rest) => ("**/", rest),
        None => ("", text),
    };
    match rest.strip_suffix("/*") {
        Some(folder) => format!("{front}{folder}/**"),
        None if front.is_empty() && !text.starts_with(['.', '/']) => format!("**/{rest}"),
        None => format!("{front}{rest}"),
    }
}

/// The path that a regular expression fixes the end of.
fn fixed_by(regex: &str) -> Option<String> {
    let plain = regex.trim_start_matches("\\./").trim_start_matches("./").replace("\\.", ".");
    let name = plain.trim_start_matches(".*").trim_start_matches('/').trim_end_matches('$');
    let fixed = !name.is_empty() && !name.contains(['*', '+', '?', '[', '(', '|', '{', '\\', '^']);
    fixed.then(|| format!("**/{name}"))
}

/// Where the command of `-exec` that starts at `from` ends: at `;`, or at a `+` right after `{}`.
fn end_of_command(words: &[Word], from: usize) -> usize {
    let mut before = "";
    for (at, word) in words.iter().enumerate().skip(from) {
        if word.text == ";" || word.text == "+" && before == "{}" {
            return at;
        }
        before = word.text.as_str();
    }
    words.iter().skip(from).position(|word| word.text == "+").map_or(words.len(), |offset| from + offset)
}

/// Options of fd whose value is the next word.
const FD_TAKES: &[&str] = &[
    "-e",
    "--extension",
    "-t",
    "--type",
    "-d",
    "--max-depth",
    "--min-depth",
    "--exact-depth",
    "-E",
    "--exclude",
    "-S",
    "--size",
    "-o",
    "--owner",
    "-c",
    "--color",
    "-j",
    "--threads",
    "--changed-within",
    "--changed-before",
    "--max-results",
    "--base-directory",
    "--search-path",
    "--and",
    "--format",
    "--ignore-file",
    "--batch-size",
];

pub(in crate::programs) fn fd(call: &mut Call<'_>) {
    let words = call.operands.clone();
    let at = words.iter().position(|word| {
        matches!(word.text.as_str(), "-x" | "-X" | "--exec" | "--exec-batch")
            || word.text.starts_with("--exec=")
            || word.text.starts_with("--exec-batch=")
    });
    let (own, command) = match at {
        Some(at) => {
            (words.get(..at).unwrap_or_default().to_vec(), words.get(at..).unwrap_or_default().to_vec())
        }
        None => (words, Vec::new()),
    };
    // A cluster that ends in x or X takes the rest as the command too.
    let cluster = own.iter().position(|word| {
        word.text.starts_with('-')
            && !word.text.starts_with("--")
            && word.text.len() > 2
            && word.text.ends_with(['x', 'X'])
    });
    let (own, command) = match cluster {
        Some(at) => (own.get(..at).unwrap_or_default().to_vec(), own.get(at..).unwrap_or_default().to_vec()),
        None => (own, command),
    };
    let takes = |word: &Word| {
        let text = word.text.as_str();
        FD_TAKES.contains(&text)
            || text.len() > 2 && !text.starts_with("--") && text.ends_with(['e', 't', 'd', 'E'])
    };
    let plain: Vec<Word> = own
        .iter()
        .enumerate()
        .filter(|(at, word)| {
            let value = at
                .checked_sub(1)
                .and_then(|at| own.get(at))
                .is_some_and(|before| before.text.starts_with('-') && takes(before));
            !word.text.starts_with('-') && !value
        })
        .map(|(_, word)| word.clone())
        .collect();
    for path in plain.iter().skip(1) {
        call.look(path);
    }
    let found = searched(&own, &plain);
    let mut argv: Vec<Word> = Vec::new();
    if let Some((first, rest)) = command.split_first() {
        argv.extend(super::word::halves(first, '=').map(|(_, value)| value));
        argv.extend(rest.iter().take_while(|word| word.text != ";").cloned());
    }
    if argv.is_empty() {
        call.deeds.lists = found;
        return;
    }
    let replaces = argv.iter().any(|word| word.text.contains('{'));
    for token in ["{/}", "{//}", "{.}", "{/.}"] {
        argv.iter_mut().for_each(|word| unknown_at(word, token));
    }
    if !replaces {
        argv.push(Word::literal("{}", call.span()));
    }
    execute(call, "fd -x", argv, &found, false);
}

/// The names that fd finds: what its pattern, its extensions and its folders fix of them.
fn searched(own: &[Word], plain: &[Word]) -> Vec<Word> {
    let mut fits: Vec<String> = Vec::new();
    for (at, word) in own.iter().enumerate() {
        let attached = word.text.strip_prefix("--extension=");
        let next = matches!(word.text.as_str(), "-e" | "--extension")
            .then(|| own.get(at + 1).map(|word| word.text.as_str()))
            .flatten();
        fits.extend(attached.or(next).map(|ending| format!("**/*.{}", ending.trim_start_matches('.'))));
    }
    let wanted = plain.first().and_then(|pattern| fixed_text(&pattern.text));
    let fit = match (wanted, fits.is_empty()) {
        (Some((text, starts, ends)), _) if !text.contains('/') => {
            let front = if starts { "" } else { "*" };
            let back = if ends { "" } else { "*" };
            let mut fits = vec![format!("**/{front}{text}{back}")];
            if !starts && text.starts_with('.') {
                fits.push(format!("**/{text}{back}"));
            }
            Some(fits)
        }
        (_, false) => Some(fits),
        _ => None,
    };
    let here = Word::literal(".", plain.first().map(|word| word.span).unwrap_or_default());
    let folders = plain.get(1..).filter(|rest| !rest.is_empty()).map_or_else(|| vec![here], <[Word]>::to_vec);
    folders.iter().flat_map(|folder| below(folder, &fit, false)).take(MOST_FITS).collect()
}

/// The plain text of a regular expression or glob, and whether it starts and ends a name.
fn fixed_text(pattern: &str) -> Option<(String, bool, bool)> {
    let starts = pattern.starts_with('^');
    let ends = pattern.ends_with('$');
    let text = pattern.trim_start_matches('^').trim_end_matches('$').replace("\\.", ".");
    let plain = !text.is_empty() && text != "." && !text.contains(['*', '+', '?', '[', '(', '|', '{', '\\']);
    plain.then_some((text, starts, ends))
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn expressions_run_delete_and_write() {
        check(&[
            ("find . -name '*.toml' -not -path './target/*'", "look .; read-only"),
            ("find src -type f -print0", "look src; read-only"),
            ("find . -maxdepth 1 -printf %f", "look .; read-only"),
            ("find . -newer a", "look a; look .; read-only"),
            ("find . -exec rm {} ;", "look .; argv rm ./**; read-only"),
            ("find . -exec rm {} + -execdir ls ;", "look .; argv rm ./**; argv ls; read-only"),
            ("find . -exec sh -c 'rm {}' ;", "look .; argv sh -c rm ./**; read-only"),
            ("find / -delete", "look /; delete-rf /"),
            ("find . -name '*.pyc' -delete", "look .; delete-f ./**/*.pyc"),
            ("find a b -delete", "look a; look b; delete-rf a; delete-rf b"),
            ("find . -fprint x", "look .; create x"),
            ("find . -fprintf x %p", "look .; create x"),
            ("find a -type f -exec rm {} +", "look a; argv rm a a/**; read-only"),
            ("find a -mindepth 1 -exec rm {} ;", "look a; argv rm a/**; read-only"),
            ("find . ! -name a -delete", "look .; delete-rf ."),
            ("find . -not -path './target/*' -delete", "look .; delete-rf ."),
            ("find . -name a -o -delete", "look .; delete-rf ."),
            ("find . ( -name a -o -name b ) -delete", "look .; delete-f ./**/a; delete-f ./**/b"),
            ("find . -path './target/*' -delete", "look .; delete-rf ./target/**"),
            ("find . -name .env -exec cat {} ;", "look .; argv cat ./**/.env; read-only"),
            ("find . -regex '.*\\.env' -exec cat {} ;", "look .; argv cat ./**/.env; read-only"),
            ("find .env -maxdepth 0 -exec cat {} ;", "look .env; argv cat .env .env/**; read-only"),
            ("find . -frobnicate", "look .; unknown_program; unknown"),
            ("fd x src", "look src; read-only"),
            ("fd -e py -x rm", "argv rm ./**/*.py; read-only"),
            ("fd x -X rm {}", "argv rm ./**/*x*; read-only"),
        ]);
    }
}
