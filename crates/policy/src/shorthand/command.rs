//! Matches a rule's words with a parsed command: exactly for an allow, through alternative spellings for a deny.

use std::collections::BTreeSet;

use doorward_core::intent::SimpleCommand;

use super::typed;

/// Whether a deny or ask rule matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RuleMatch {
    /// It doesn't match.
    No,
    /// It could match.
    Maybe,
    /// It matches.
    Sure,
}

/// A command pattern such as `git diff *`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WordRule {
    words: Vec<String>,
    /// Whether further words may follow.
    open: bool,
}

/// Folders in which a program is trusted to be what its name says.
const SYSTEM: &[&str] =
    &["/bin/", "/usr/bin/", "/usr/local/bin/", "/sbin/", "/usr/sbin/", "/opt/homebrew/bin/"];

/// Long and short forms of the same flag: program (`*` for all), long, short. Source: the programs' manuals.
const SYNONYMS: &[(&str, &str, char)] = &[
    ("rm", "recursive", 'r'),
    ("rm", "force", 'f'),
    ("cp", "recursive", 'r'),
    ("cp", "force", 'f'),
    ("mv", "force", 'f'),
    ("ln", "force", 'f'),
    ("chmod", "recursive", 'R'),
    ("chown", "recursive", 'R'),
    ("chgrp", "recursive", 'R'),
    ("git", "force", 'f'),
    ("git", "delete", 'd'),
    ("git", "all", 'a'),
    ("git", "message", 'm'),
    ("git", "quiet", 'q'),
    ("git", "set-upstream", 'u'),
    ("docker", "force", 'f'),
    ("docker", "interactive", 'i'),
    ("docker", "tty", 't'),
    ("kubectl", "filename", 'f'),
    ("curl", "output", 'o'),
    ("curl", "data", 'd'),
    ("curl", "upload-file", 'T'),
    ("curl", "request", 'X'),
    ("curl", "form", 'F'),
    ("wget", "output-document", 'O'),
    ("grep", "recursive", 'r'),
    ("sed", "in-place", 'i'),
    ("tar", "extract", 'x'),
    ("tar", "create", 'c'),
    ("tar", "file", 'f'),
    ("npm", "global", 'g'),
    ("pip", "upgrade", 'U'),
    ("cargo", "release", 'r'),
    ("make", "directory", 'C'),
    ("rsync", "archive", 'a'),
    ("kill", "signal", 's'),
    ("terraform", "auto-approve", '\0'),
];

/// Programs for which `-R` means `-r`.
const EITHER_CASE: &[&str] = &["rm", "cp", "ls", "grep"];

/// Options before a sub-command that take the next word as value. A program without a row has no sub-commands here.
/// An unlisted option may take a value or not, so a deny tries both.
const GLOBAL_VALUES: &[(&str, &str)] = &[
    ("git", "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env --attr-source"),
    ("docker", "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey"),
    ("podman", "--connection -c --root --runroot --log-level --url"),
    ("kubectl", "-n --namespace --context --cluster --kubeconfig -s --server --user --token --as"),
    ("helm", "-n --namespace --kube-context --kubeconfig"),
    ("aws", "--profile --region --output --endpoint-url --query --color"),
    ("gcloud", "--project --account --configuration --format"),
    ("az", "--subscription -o --output --query"),
    ("gh", "-R --repo"),
    ("cargo", "--manifest-path --config -Z --color -C"),
    ("npm", "--prefix -C -w --workspace --userconfig --registry"),
    ("pnpm", "--dir -C --filter -F"),
    ("yarn", "--cwd"),
    ("pip", "--proxy --log --timeout --cache-dir --python"),
    ("systemctl", "-H --host -M --machine -t --type -p --property"),
    ("terraform", ""),
    ("tmux", "-S -L -f -c -T"),
    ("screen", "-S -c -d -r -e -p -s -t -T -h"),
    ("zellij", "-s --session --config --config-dir --layout -l -c"),
    ("make", "-C -f -j -I -o -W"),
    ("apt", "-o -c -t"),
    ("apt-get", "-o -c -t"),
];

impl WordRule {
    pub(crate) fn new(words: Vec<String>, open: bool) -> Self {
        Self { words, open }
    }

    /// Number of fixed words.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether no further words may follow.
    pub(crate) fn is_exact(&self) -> bool {
        !self.open
    }

    /// The program it names.
    pub(crate) fn program(&self) -> Option<&str> {
        self.words.first().map(|program| last(program))
    }

    /// Whether this rule matches every command that `narrow` matches.
    pub(crate) fn covers(&self, narrow: &Self) -> bool {
        let begins = narrow.words.starts_with(&self.words);
        if self.open { begins } else { !narrow.open && self.words == narrow.words }
    }

    /// Whether it names more than the program: its first arguments, or all of them.
    pub(crate) fn names_a_form(&self) -> bool {
        self.words.len() > 1 || (!self.open && !self.words.is_empty())
    }

    /// Whether its second word is a sub-command, as in `cargo publish *`, so that the rule names a purpose.
    pub(crate) fn names_a_sub_command(&self) -> bool {
        let second = self.words.get(1);
        second.is_some_and(|word| {
            word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == ':') && !word.starts_with('-')
        })
    }

    /// Whether its text names this option.
    pub(crate) fn names(&self, option: &str) -> bool {
        self.words.iter().any(|word| word == option || word.split('=').next() == Some(option))
    }

    /// Whether an allow covers the command: exactly these words, and the program itself, not another file of that
    /// name.
    pub(crate) fn allows(&self, command: &SimpleCommand) -> bool {
        let Some((program, rest)) = self.words.split_first() else {
            return self.open && !is_unknown(command, 0);
        };
        let Some(first) = command.words.first() else { return false };
        let own = first == program
            || SYSTEM.iter().any(|folder| first.strip_prefix(folder).is_some_and(|name| name == program));
        let fixed = self.words.len();
        let exact = (0..fixed).all(|at| !is_unknown(command, at));
        let given = command.words.iter().take(fixed).skip(1);
        let same = command.words.len() >= fixed
            && rest.iter().zip(given).all(|(wanted, given)| typed::fits(wanted, given));
        let length = self.open || command.words.len() == fixed;
        own && exact && same && length
    }

    /// Whether a deny or ask rule matches the command in any spelling.
    pub(crate) fn denies(&self, command: &SimpleCommand) -> RuleMatch {
        let Some((program, rest)) = self.words.split_first() else { return RuleMatch::Sure };
        if is_unknown(command, 0) || command.words.is_empty() {
            return RuleMatch::Maybe;
        }
        let name = last(program);
        let through = command.via.iter().any(|wrapper| wrapper == name || last(wrapper) == name);
        if through {
            // A rule that names only the wrapper matches. The wrapper's own words aren't known here; but since this
            // call carries a command, it isn't one of the sub-commands that carry none.
            return match rest.first() {
                None => RuleMatch::Sure,
                Some(word) if never_carries(name, word) => RuleMatch::No,
                Some(_) => RuleMatch::Maybe,
            };
        }
        let first = command.words.first().map(String::as_str).unwrap_or_default();
        let named = if program.contains('/') {
            first == program || last(first) == name
        } else {
            command.program == name || last(first) == name
        };
        if named { self.rest(rest, command) } else { RuleMatch::No }
    }

    fn rest(&self, rest: &[String], command: &SimpleCommand) -> RuleMatch {
        let program = command.program.as_str();
        let own = Spelled::of(program, command.words.iter().skip(1).map(String::as_str));
        let wanted = Spelled::of(program, rest.iter().map(String::as_str));
        let hidden = command.unknown_words.iter().any(|at| *at > 0);
        let flags = wanted.words.iter().filter(|flag| !own.has(program, flag)).count() == 0;
        let begins_at = |start: &usize| {
            let from = own.operands.get(*start..).unwrap_or_default();
            let begins = from.len() >= wanted.operands.len()
                && wanted.operands.iter().zip(from).all(|(one, other)| one == other);
            begins && (self.open || from.len() == wanted.operands.len())
        };
        let operands = wanted.operands.is_empty() || own.starts.iter().any(begins_at);
        let length =
            self.open || (own.operands.len() == wanted.operands.len() && own.flags() == wanted.flags());
        if flags && operands && length {
            return RuleMatch::Sure;
        }
        if flags && own.guessed.iter().any(begins_at) {
            return RuleMatch::Maybe;
        }
        if hidden && self.could(&wanted, &own, command, flags) { RuleMatch::Maybe } else { RuleMatch::No }
    }

    /// Whether unknown words could make the rule match.
    fn could(&self, wanted: &Spelled, own: &Spelled, command: &SimpleCommand, flags: bool) -> bool {
        let unknown_first_operand = own.operands.first().is_some_and(|first| first.contains('…'))
            || command.unknown_words.first() == Some(&1);
        let compatible = wanted
            .operands
            .iter()
            .zip(&own.operands)
            .take_while(|(_, other)| !other.contains('…'))
            .all(|(one, other)| one == other);
        (flags || unknown_first_operand || own.operands.iter().any(|word| word.contains('…'))) && compatible
    }
}

/// A command's words after the program, split into flags and operands.
#[derive(Debug, Default)]
struct Spelled {
    /// Flags as written, without values after `=`.
    words: Vec<String>,
    letters: BTreeSet<char>,
    operands: Vec<String>,
    /// Operand indices at which a sub-command may begin.
    starts: Vec<usize>,
    /// The same, if an unlisted option of an unlisted program took the preceding word as its value.
    guessed: Vec<usize>,
}

impl Spelled {
    fn of<'w>(program: &str, words: impl Iterator<Item = &'w str>) -> Self {
        let takes_value =
            GLOBAL_VALUES.iter().find(|(name, _)| *name == program).map(|(_, options)| *options);
        let mut spelled = Self { starts: vec![0], ..Self::default() };
        let mut only_operands = false;
        let mut skip = false;
        let mut doubtful = false;
        let mut begun = false;
        for word in words {
            if std::mem::take(&mut skip) {
                continue;
            }
            if only_operands || !word.starts_with('-') || word == "-" {
                // `cargo +nightly test`
                if !begun && program == "cargo" && word.starts_with('+') {
                    continue;
                }
                spelled.operands.push(word.to_owned());
                // tmux takes several commands, separated by semicolons.
                if word == ";" {
                    spelled.starts.push(spelled.operands.len());
                }
                // After an unknown option, this word may be its value, and the sub-command the next.
                match (std::mem::take(&mut doubtful), takes_value) {
                    (true, Some(_)) => spelled.starts.push(spelled.operands.len()),
                    (true, None) => spelled.guessed.push(spelled.operands.len()),
                    (false, _) => begun = true,
                }
                continue;
            }
            if word == "--" {
                only_operands = true;
                continue;
            }
            let flag = word.split_once('=').map_or(word, |(flag, _)| flag);
            if !begun {
                skip = takes_value.is_some_and(|options| options.split(' ').any(|option| option == word));
                doubtful = !skip && !word.contains('=');
            }
            spelled.note(program, flag);
        }
        spelled
    }

    fn note(&mut self, program: &str, flag: &str) {
        self.words.push(flag.to_owned());
        match flag.strip_prefix("--") {
            Some(long) => {
                let short = SYNONYMS.iter().filter(|(owner, full, _)| {
                    // GNU programs accept any unambiguous prefix.
                    *owner == program && (*full == long || (long.len() >= 3 && full.starts_with(long)))
                });
                self.letters.extend(short.map(|(_, _, letter)| *letter));
            }
            None if flag.len() <= 5 => {
                let either = EITHER_CASE.contains(&program);
                let letters = flag.chars().skip(1);
                self.letters.extend(letters.map(|ch| if either && ch == 'R' { 'r' } else { ch }));
            }
            None => {}
        }
    }

    /// Whether these words include a flag of a rule.
    fn has(&self, program: &str, flag: &str) -> bool {
        let abbreviated = |own: &String| {
            flag.starts_with("--")
                && own.len() >= 5
                && own.starts_with("--")
                && flag.starts_with(own.as_str())
        };
        if self.words.iter().any(|own| own == flag || abbreviated(own)) {
            return true;
        }
        let mut wanted = Self::default();
        wanted.note(program, flag);
        !wanted.letters.is_empty() && wanted.letters.is_subset(&self.letters)
    }

    /// The flags as sets: short and long ones.
    fn flags(&self) -> (BTreeSet<char>, BTreeSet<&str>) {
        let long = self
            .words
            .iter()
            .map(String::as_str)
            .filter(|flag| flag.starts_with("--") && self.letters.is_empty());
        (self.letters.clone(), long.collect())
    }
}

/// Programs whose listed sub-commands alone carry a command of the caller: docker(1) 25, kubectl 1.29, npm 10, pnpm
/// 8, Yarn 4, Cargo 1.80, gem 3.4.
const CARRIERS: &[(&[&str], &[&str])] = &[
    (
        &["docker", "podman", "nerdctl"],
        &[
            "run",
            "exec",
            "create",
            "container",
            "compose",
            "debug",
            "sandbox",
            "scout",
            "buildx",
            "builder",
            "build",
        ],
    ),
    (&["kubectl", "oc"], &["run", "exec", "debug", "create"]),
    (
        &["npm", "pnpm", "yarn"],
        &["exec", "x", "dlx", "run", "run-script", "start", "test", "create", "init", "explore", "node"],
    ),
    (&["cargo"], &["run", "r", "test", "t", "bench"]),
    (&["gem"], &["exec"]),
    (&["twine"], &[]),
];

/// Whether this sub-command of the program never carries a command.
fn never_carries(program: &str, subcommand: &str) -> bool {
    let is_word = subcommand.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    let carriers = CARRIERS.iter().find(|(programs, _)| programs.contains(&program));
    is_word && !subcommand.starts_with('-') && carriers.is_some_and(|(_, words)| !words.contains(&subcommand))
}

fn is_unknown(command: &SimpleCommand, at: usize) -> bool {
    u32::try_from(at).is_ok_and(|at| command.unknown_words.contains(&at))
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Splits one simple command with plain quotes into words; `None` for operators, expansions and open quotes.
pub(crate) fn split(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut inside = false;
    let mut quote: Option<char> = None;
    let mut chars = text.chars();
    while let Some(ch) = chars.next() {
        match (quote, ch) {
            (Some(open), _) if ch == open => quote = None,
            (Some('"') | None, '\\') => {
                word.push(chars.next()?);
                inside = true;
            }
            (Some(_), _) => word.push(ch),
            (None, '\'' | '"') => {
                quote = Some(ch);
                inside = true;
            }
            (None, ';' | '|' | '&' | '<' | '>' | '`' | '\n' | '\r') => return None,
            (None, _) if ch.is_whitespace() => {
                if std::mem::take(&mut inside) {
                    words.push(std::mem::take(&mut word));
                }
            }
            (None, _) => {
                word.push(ch);
                inside = true;
            }
        }
    }
    if inside {
        words.push(word);
    }
    quote.is_none().then_some(words)
}

/// The simple command that an example in a rule describes.
pub(crate) fn example(text: &str) -> SimpleCommand {
    let words = split(text).unwrap_or_default();
    let program = words.first().map(|first| last(first).to_owned()).unwrap_or_default();
    SimpleCommand { words, program, plain: true, ..SimpleCommand::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> WordRule {
        let mut words = split(text).unwrap();
        let open = words.last().is_some_and(|last| last == "*");
        if open {
            words.pop();
        }
        WordRule::new(words, open)
    }

    #[test]
    fn an_allow_is_word_for_word() {
        for (text, command, covered) in [
            ("git status", "git status", true),
            ("git status", "git  status", true),
            ("git status", "git status -s", false),
            ("git diff *", "git diff", true),
            ("git diff *", "git diff --stat HEAD~1", true),
            ("git diff *", "git diffx", false),
            ("git diff *", "git -C x diff", false),
            ("ls *", "/bin/ls -l", true),
            ("ls *", "./ls -l", false),
            ("ls *", "/tmp/ls", false),
            ("ls *", "lsof", false),
            ("./run.sh", "./run.sh", true),
            ("*", "anything at all", true),
        ] {
            assert_eq!(rule(text).allows(&example(command)), covered, "{text} / {command}");
        }
        let unknown = SimpleCommand {
            words: vec!["git".into(), "…".into()],
            unknown_words: vec![1],
            program: "git".into(),
            ..SimpleCommand::default()
        };
        assert!(!rule("git diff *").allows(&unknown));
        assert!(rule("git *").allows(&unknown), "further words may be anything");
    }

    #[test]
    fn a_deny_sees_through_spellings() {
        for (text, command, hit) in [
            ("rm -rf *", "rm -rf b", RuleMatch::Sure),
            ("rm -rf *", "rm -r -f b", RuleMatch::Sure),
            ("rm -rf *", "rm -fr b", RuleMatch::Sure),
            ("rm -rf *", "rm -Rf b", RuleMatch::Sure),
            ("rm -rf *", "rm --recursive --force b", RuleMatch::Sure),
            ("rm -rf *", "rm --recur --for b", RuleMatch::Sure),
            ("rm -rf *", "rm b -rf", RuleMatch::Sure),
            ("rm -rf *", "/bin/rm -rf b", RuleMatch::Sure),
            ("rm -rf *", "rm -r b", RuleMatch::No),
            ("rm -rf *", "rm -- -rf", RuleMatch::No),
            ("rm -rf *", "rmdir -rf", RuleMatch::No),
            ("git push *", "git push origin main", RuleMatch::Sure),
            ("git push *", "git -C /x push", RuleMatch::Sure),
            ("git push *", "git -c a=b --no-pager push", RuleMatch::Sure),
            ("git push *", "git --unknown x push", RuleMatch::Sure),
            ("git push *", "git log push", RuleMatch::No),
            ("git push --force *", "git push -f origin", RuleMatch::Sure),
            ("git push --force *", "git push origin main", RuleMatch::No),
            ("npm test", "npm test", RuleMatch::Sure),
            ("npm test", "npm test x", RuleMatch::No),
            ("kubectl delete *", "kubectl -n prod delete pod x", RuleMatch::Sure),
            ("cargo publish *", "cargo +nightly publish", RuleMatch::Sure),
            ("touch *", "touch", RuleMatch::Sure),
            ("touch *", "echo touch", RuleMatch::No),
            ("find -delete *", "find . -name x -delete", RuleMatch::Sure),
            ("terraform apply -auto-approve *", "terraform apply -auto-approve", RuleMatch::Sure),
        ] {
            assert_eq!(rule(text).denies(&example(command)), hit, "{text} / {command}");
        }
    }

    #[test]
    fn what_is_not_known_may_be_the_denied_thing() {
        let hidden = |words: &[&str], unknown: &[u32]| SimpleCommand {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            unknown_words: unknown.to_vec(),
            program: (*words.first().unwrap()).to_owned(),
            ..SimpleCommand::default()
        };
        for (text, words, unknown, hit) in [
            ("touch *", &["…", "x"][..], &[0][..], RuleMatch::Maybe),
            ("git push *", &["git", "…"], &[1], RuleMatch::Maybe),
            ("git push *", &["git", "log", "…"], &[2], RuleMatch::No),
            ("rm -rf *", &["rm", "…"], &[1], RuleMatch::Maybe),
            ("rm -rf *", &["rm", "-rf", "…"], &[2], RuleMatch::Sure),
            ("touch *", &["echo", "…"], &[1], RuleMatch::No),
        ] {
            assert_eq!(rule(text).denies(&hidden(words, unknown)), hit, "{text} / {words:?}");
        }
        let wrapped = SimpleCommand { via: vec!["sudo".into()], ..example("ls") };
        assert_eq!(rule("sudo *").denies(&wrapped), RuleMatch::Sure);
        assert_eq!(rule("sudo -u root *").denies(&wrapped), RuleMatch::Maybe);
    }

    #[test]
    fn words_of_a_rule_are_one_simple_command() {
        assert_eq!(split("git commit -m 'a b'").unwrap(), ["git", "commit", "-m", "a b"]);
        assert_eq!(split("a\\ b \"c'd\"").unwrap(), ["a b", "c'd"]);
        for text in ["a; b", "a | b", "a && b", "echo `x`", "a > b", "it's"] {
            assert_eq!(split(text), None, "{text}");
        }
    }
}
