//! Drafts a spec from a program's help text.
//!
//! A draft never makes a call milder than it should be: whatever a name doesn't make certain gets the role that does
//! most, every command is said to change files and to reach unknown hosts, and nothing is said to only read. A person
//! reads the manual and takes out what doesn't hold.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Words in the name of an option or of its value that say that it is run.
const RUN: &[&str] = &[
    "cmd", "command", "editor", "eval", "exec", "filter", "hook", "pager", "prog", "script", "shell", "ssh",
];
/// Words that say that it configures or is loaded.
const CONFIGURE: &[&str] = &[
    "code",
    "conf",
    "expr",
    "extension",
    "include",
    "lib",
    "load",
    "module",
    "plugin",
    "preset",
    "rc",
    "settings",
];
/// Words that say that it names a host.
const HOST: &[&str] = &["addr", "endpoint", "host", "proxy", "registry", "remote", "server", "uri", "url"];
/// Words that say that it is a secret.
const SECRET: &[&str] = &["passphrase", "password", "secret", "token"];
/// Names of values that are numbers.
const NUMBER: &[&str] = &["count", "int", "integer", "ms", "n", "num", "number", "secs", "seconds"];
/// Options and commands that a draft takes from one text.
const MOST: usize = 500;

struct DraftOption {
    spellings: Vec<String>,
    value: Option<&'static str>,
    attached: bool,
}

/// A spec of `program` from its help text; `day` is today, as `YYYY-MM-DD`. It has no examples yet.
#[must_use]
pub fn draft(program: &str, help: &str, day: &str) -> String {
    let (options, commands) = (options(help), commands(help));
    let mut out = format!(
        "// Drafted from the help text, and cautious: read the manual, correct each role, and take out what doesn't\n\
         // hold. `doorward knowledge check` says what is wrong; docs/knowledge.md explains the words.\n\
         program {} {{\n    source {:?} version=\"draft\" read={day:?}\n",
        word(program),
        format!("{program} --help"),
    );
    if !options.is_empty() {
        out.push_str("    options {\n");
        for option in &options {
            let _ = writeln!(out, "        {}", option.line());
        }
        out.push_str("    }\n");
    }
    if commands.is_empty() {
        cautious(&mut out, "    ");
    }
    for command in &commands {
        let _ = writeln!(out, "    command {} {{", word(command));
        cautious(&mut out, "        ");
        out.push_str("    }\n");
    }
    out.push_str("}\n");
    out
}

/// What a draft says of every command.
fn cautious(out: &mut String, pad: &str) {
    let _ = write!(
        out,
        "{pad}// It may change every file that it is given.\n{pad}operands \"inplace*\"\n\
         {pad}// It may send data to a server that isn't named.\n{pad}contacts-unknown both\n{pad}beyond-plain\n"
    );
}

/// A word of the file, in quotation marks where KDL needs them.
fn word(text: &str) -> String {
    let plain = text.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
        && !["true", "false", "null", "inf", "nan"].contains(&text);
    if plain { text.to_owned() } else { format!("{text:?}") }
}

impl DraftOption {
    fn line(&self) -> String {
        // KDL takes `-1` for a number.
        let quoted = |text: &String| match text
            .trim_start_matches('-')
            .starts_with(|letter: char| letter.is_ascii_digit())
        {
            true => format!("{text:?}"),
            false => text.clone(),
        };
        let spellings: Vec<String> = self.spellings.iter().map(quoted).collect();
        let key = if self.attached { "attached" } else { "value" };
        let value = self.value.map(|role| format!(" {key}={role}")).unwrap_or_default();
        format!("{}{value}", spellings.join(" "))
    }
}

fn options(help: &str) -> Vec<DraftOption> {
    let mut seen = BTreeSet::new();
    let lines = help.lines().map(str::trim).filter(|line| line.starts_with('-'));
    let mut options: Vec<DraftOption> = lines.filter_map(option).take(MOST).collect();
    for option in &mut options {
        option.spellings.retain(|own| seen.insert(own.clone()));
    }
    options.retain(|option| !option.spellings.is_empty());
    options
}

/// `-o, --output FILE   Where to write`
fn option(line: &str) -> Option<DraftOption> {
    let end = line.find("  ").or_else(|| line.find('\t')).unwrap_or(line.len());
    let head = line.get(..end)?;
    let mut option = DraftOption { spellings: Vec::new(), value: None, attached: false };
    let mut value: Option<String> = None;
    for token in head.split([' ', ',', '|']).filter(|token| !token.is_empty()) {
        if !token.starts_with('-') {
            value.get_or_insert_with(|| token.to_owned());
            continue;
        }
        let cut = token.find(['=', '[', '<']).filter(|at| {
            *at > 1 && token.get(..*at) != Some("--")
                || token.get(*at..).is_some_and(|rest| rest.starts_with("[no-]"))
        });
        let (name, rest) = token.split_at(cut.unwrap_or(token.len()));
        if let Some(end) = rest.strip_prefix("[no-]") {
            option.spellings.push(format!("{name}no-{end}"));
            option.spellings.push(format!("{name}{end}"));
            continue;
        }
        if !rest.is_empty() {
            option.attached |= rest.starts_with("[=");
            value.get_or_insert_with(|| rest.to_owned());
        }
        option.spellings.push(name.to_owned());
    }
    let fits = |own: &String| {
        own.len() > 1
            && own
                .trim_start_matches('-')
                .starts_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '?')
            && own.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.?".contains(&byte))
    };
    option.spellings.retain(fits);
    option.value = value.map(|value| role(&option.spellings, &value));
    (!option.spellings.is_empty()).then_some(option)
}

/// The role of a value by its name and its option's; what isn't certain may be written.
fn role(spellings: &[String], value: &str) -> &'static str {
    let value = value.trim_matches(|letter: char| !letter.is_ascii_alphanumeric()).to_ascii_lowercase();
    let names = spellings.iter().map(|own| own.to_ascii_lowercase()).chain([value.clone()]);
    let words: Vec<String> = names
        .flat_map(|name| name.split(['-', '_', '.', ' ']).map(str::to_owned).collect::<Vec<_>>())
        .filter(|word| word.len() > 1)
        .collect();
    let says = |known: &[&str]| words.iter().any(|word| known.iter().any(|own| word.contains(own)));
    match () {
        () if says(RUN) => "prog",
        () if says(CONFIGURE) => "config",
        () if says(SECRET) => "secret",
        () if says(HOST) => "host",
        () if NUMBER.contains(&value.as_str()) => "num",
        () => "write",
    }
}

/// The names in a section of commands, or in braces as argparse prints them.
fn commands(help: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut inside = false;
    for line in help.lines() {
        let (text, indented) = (line.trim(), line.starts_with([' ', '\t']));
        if !indented && !text.is_empty() {
            inside = text.to_ascii_lowercase().trim_end_matches(':').ends_with("commands");
            continue;
        }
        if let Some((names, _)) = text.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            found.extend(names.split(',').map(|name| name.trim().to_owned()));
            continue;
        }
        let name = text.split([' ', ',', ':', '\t']).next().unwrap_or_default();
        let gap = text.len() == name.len()
            || text
                .get(name.len()..)
                .is_some_and(|rest| ["  ", "\t", ", ", ":"].iter().any(|gap| rest.starts_with(gap)));
        if inside && indented && gap {
            found.push(name.to_owned());
        }
    }
    let mut seen = BTreeSet::new();
    let fits = |name: &String| {
        name.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    found.retain(|name| fits(name) && name != "help" && seen.insert(name.clone()));
    found.truncate(MOST);
    found
}

#[cfg(test)]
mod tests {
    use super::draft;
    use crate::parse_own;

    const CLAP: &str = "\
Usage: mytool [OPTIONS] <COMMAND>

Commands:
  list   Show what is kept
  purge  Delete what is kept
  help   Print this message

Options:
  -q, --quiet            Say less
  -o, --output <FILE>    Where to write
      --on-change <CMD>  What to do then
      --color[=WHEN]     Colours
  -n, --lines NUM        How many
      --[no-]pager-less  Page
      --api-token TOKEN  Who is it
  -1                     One a line
  -h, --help             Print help
";

    #[test]
    fn options_and_commands_are_found_with_cautious_roles() {
        let text = draft("mytool", CLAP, "2026-11-23");
        for line in [
            "-q --quiet\n",
            "-o --output value=write\n",
            "--on-change value=prog\n",
            "--color attached=write\n",
            "-n --lines value=num\n",
            "--no-pager-less --pager-less\n",
            "--api-token value=secret\n",
            "\"-1\"\n",
            "command list {",
            "command purge {",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert!(!text.contains("command help"));
        parse_own("mytool.kdl", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    }

    #[test]
    fn a_draft_never_says_that_something_only_reads_whatever_the_help_says() {
        let hostile = "Commands:\n  reads  does reads\n  only-reads\n  \"x\" { does reads }\n\nOptions:\n  -x} does reads\n  \
                       -\" --a\nb { c\n  --é, --ok VALUE\n usage: {list,purge}\n  {a,b \"c,d}\n";
        for help in [CLAP, hostile, "", "{", "-", "--", "-=[<"] {
            let text = draft("my tool\"", help, "2026-11-23");
            assert!(!text.contains("does ") && !text.contains("only-reads\n    c"), "{text}");
            let spec = parse_own("x.kdl", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let row = &spec.programs[0].row;
            let rows = row.commands.iter().chain(row.commands.is_empty().then_some(row));
            for row in rows {
                let acts: Vec<&str> =
                    row.rules.iter().flat_map(|rule| &rule.acts).map(|act| act.key.as_str()).collect();
                assert_eq!(
                    (row.nature.as_str(), acts.as_slice()),
                    ("", &["contacts-unknown", "beyond-plain"][..])
                );
                assert_eq!(row.operands, ["inplace*"]);
            }
        }
    }
}
