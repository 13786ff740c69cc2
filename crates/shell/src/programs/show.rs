//! What is known about a program, in text for people: which file says so, the manual, options with their roles, and
//! effects.

use std::fmt::Write as _;

use doorward_knowledge::effect::{
    AFTER_DASHES, Act, Arrives, Condition, Copies, FROM_COMMAND, Pick, Rights, Rule, Transfer,
};
use doorward_knowledge::row::{Nature, ProgramRow, Role, Spec, Style};

use super::own::Tools;
use super::resolve;

/// What is known about a program: the shipped row, then what users' and projects' files say. `None` if nothing is.
#[must_use]
pub fn show(name: &str, tools: &Tools) -> Option<String> {
    let shipped = resolve(name);
    let found = tools.of(name, shipped.map(|(name, _)| name));
    if shipped.is_none() && found.tools.is_empty() {
        return None;
    }
    let replaced = found.tools.iter().any(|tool| tool.replaces);
    let mut out = String::new();
    if let Some((own, row)) = shipped {
        let by = if own == name { String::new() } else { format!(", as {own}") };
        let counts = if replaced { "; a file below stands instead of it" } else { "" };
        let _ = writeln!(out, "{name}: shipped with Doorward{by}{counts}");
        program(row, &mut out);
    }
    for tool in found.tools {
        let (file, line) = (&tool.file, tool.line);
        let means = match (tool.stricter, tool.replaces, shipped.is_some()) {
            (true, ..) => "may only make judgement stricter",
            (_, true, _) => "stands instead of what is shipped",
            (_, _, true) => "adds to what is shipped, which stays",
            _ => "is the judgement",
        };
        let _ = writeln!(out, "{name}: {file}:{line}, {means}");
        program(tool.row, &mut out);
    }
    Some(out)
}

fn program(row: &ProgramRow, out: &mut String) {
    let read = if row.compared { "" } else { " (not yet compared with it option by option)" };
    let _ = writeln!(out, "  source: {}{read}", row.source);
    body(row, 1, out);
}

fn body(row: &ProgramRow, depth: usize, out: &mut String) {
    let pad = "  ".repeat(depth);
    let nature = match row.nature {
        Nature::Reads => "only reads, unless an option, operand or rule below says otherwise",
        Nature::Works => "changes things",
        Nature::Named => "does to its operands what its name says",
        Nature::Wrapper => "runs another command",
    };
    let _ = writeln!(out, "{pad}{nature}");
    match row.style {
        Style::Raw => drop(writeln!(out, "{pad}its words are taken as they are")),
        Style::Lenient | Style::LenientPosix | Style::LenientWord | Style::LenientWordPosix => {
            let _ = writeln!(
                out,
                "{pad}options that aren't listed are taken for switches, and never pass as reading"
            );
        }
        Style::Windows => {
            let _ = writeln!(out, "{pad}options may begin with / and are known in any case");
        }
        Style::Gnu | Style::Posix | Style::Word | Style::WordPosix => {}
    }
    let specs: Vec<Spec> = row.specs().collect();
    if !specs.is_empty() {
        let _ = writeln!(out, "{pad}options:");
        specs.iter().for_each(|spec| option(spec, depth + 1, out));
    }
    if !row.operands.is_empty() {
        let roles: Vec<String> = row.operands.split_ascii_whitespace().map(operand).collect();
        let _ = writeln!(out, "{pad}operands: {}", roles.join(", "));
    }
    row.rules.iter().for_each(|each| rule("", each, depth, out));
    row.throughout.iter().for_each(|each| rule("also in its commands", each, depth, out));
    row.otherwise.iter().for_each(|each| rule("with another first word", each, depth, out));
    for command in row.commands() {
        let _ = writeln!(out, "{pad}{}:", command.names.replace(' ', ", "));
        body(command, depth + 1, out);
    }
}

fn option(spec: &Spec, depth: usize, out: &mut String) {
    let pad = "  ".repeat(depth);
    let spellings: Vec<&str> = spec.spellings().collect();
    let value = match (spec.role, spec.optional) {
        (None, _) => String::new(),
        (Some(role), true) => format!(" [= {}]", meaning(role)),
        (Some(role), false) => format!(" = {}", meaning(role)),
    };
    let _ = writeln!(out, "{pad}{}{value}", spellings.join(", "));
}

fn operand(token: &str) -> String {
    let (role, unless) = token.split_once('!').unwrap_or((token, ""));
    let word = role.trim_end_matches(['*', '?']);
    let role_text = ROLES
        .iter()
        .find(|(own, _)| *own == word)
        .map_or_else(|| word.to_owned(), |(_, text)| (*text).to_owned());
    let many = if role.ends_with('*') { " (any number)" } else { "" };
    let unless = if unless.is_empty() { String::new() } else { format!(" (not with {unless})") };
    format!("{role_text}{many}{unless}")
}

/// Words of operands that have a text of their own; a language follows `file:` and `lang:`.
const ROLES: &[(&str, &str)] = &[
    ("read", "a file that is read"),
    ("list", "a file that names files to read"),
    ("look", "a file of which names and sizes are read"),
    ("write", "a file that is written"),
    ("append", "a file that is appended to"),
    ("inplace", "a file that is changed"),
    ("delete", "a file that is deleted"),
    ("meta", "a file whose rights or times are changed"),
    ("dir", "a folder that files are put into"),
    ("tree", "a file or folder that is read with all below it"),
    ("mode", "a mode, as of chmod"),
    ("ssh-setting", "a setting of ssh, which may run a command"),
    ("saved", "an address that is fetched into a file"),
    ("remote", "a repository that is fetched from"),
    ("remote-sent", "a repository that is sent to"),
    ("sh", "shell text that is run"),
    ("expand", "words in which the shell's expansions are run"),
    ("prog", "a command that is run"),
    ("file", "a file that is run"),
    ("config", "settings that can run code"),
    ("choose", "what is used instead of the usual server or folder"),
    ("host", "a host"),
    ("url", "a URL that is fetched"),
    ("secret", "a secret"),
    ("env", "a variable of the environment"),
    ("source", "a file that is read, or an address that is fetched"),
    ("image", "an image that is fetched and run or kept"),
    ("image-sent", "an image that is published"),
    ("mount", "a folder of this machine that a container gets"),
    ("port", "a port that is opened"),
    ("data", "data"),
    ("pat", "a pattern"),
    ("num", "a number"),
];

fn meaning(role: Role) -> String {
    match role {
        Role::Lang(language) => format!("{language} code that is run"),
        Role::File("") => text_of("file"),
        Role::File(language) => format!("a {language} file that is run"),
        Role::Module(language) => format!("a {language} module that is loaded"),
        other => text_of(word_of(other)),
    }
}

fn text_of(word: &str) -> String {
    ROLES.iter().find(|(own, _)| *own == word).map_or_else(String::new, |(_, text)| (*text).to_owned())
}

const fn word_of(role: Role) -> &'static str {
    match role {
        Role::Read => "read",
        Role::List => "list",
        Role::Look => "look",
        Role::Write => "write",
        Role::Download => "download",
        Role::Append => "append",
        Role::InPlace => "inplace",
        Role::Delete => "delete",
        Role::Meta => "meta",
        Role::Dir => "dir",
        Role::Tree => "tree",
        Role::Mode => "mode",
        Role::SshSetting => "ssh-setting",
        Role::Saved => "saved",
        Role::Remote(false) => "remote",
        Role::Remote(true) => "remote-sent",
        Role::Shell => "sh",
        Role::Expand => "expand",
        Role::Program => "prog",
        Role::Lang(_) | Role::File(_) | Role::Module(_) => "file",
        Role::Config => "config",
        Role::Choose => "choose",
        Role::Host => "host",
        Role::Url => "url",
        Role::Secret => "secret",
        Role::Env => "env",
        Role::Source => "source",
        Role::Image => "image",
        Role::ImageSent => "image-sent",
        Role::Mount => "mount",
        Role::Port => "port",
        Role::Data => "data",
    }
}

fn rule(front: &str, rule: &Rule, depth: usize, out: &mut String) {
    let pad = "  ".repeat(depth);
    let mut when: Vec<String> = rule.when.iter().map(condition).collect();
    if !front.is_empty() {
        when.insert(0, front.to_owned());
    }
    let acts: Vec<String> = rule.acts.iter().map(act).collect();
    let when = if when.is_empty() { "always".to_owned() } else { when.join(" and ") };
    let _ = writeln!(out, "{pad}{when}: {}", acts.join("; "));
}

fn any(words: &[&str]) -> String {
    words.join(" or ")
}

fn condition(condition: &Condition) -> String {
    match condition {
        Condition::Has(options) => format!("with {}", any(options)),
        Condition::Lacks(options) => format!("without {}", any(options)),
        Condition::First(words) => format!("first operand {}", any(words)),
        Condition::At(pick) => format!("with {}", picked(pick)),
        Condition::FirstNot(words) => format!("first operand not {}", any(words)),
        Condition::Kind(words) => format!("about {}", any(words)),
        Condition::Called(words) => format!("called {}", any(words)),
        Condition::Program(words) => format!("as {}", any(words)),
        Condition::Operands(least, most) if least == most => format!("with {least} operands"),
        Condition::Operands(least, u16::MAX) => format!("with {least} or more operands"),
        Condition::Operands(least, most) => format!("with {least} to {most} operands"),
        Condition::HiddenOperand => "with an operand that can't be seen".to_owned(),
        Condition::Value(options, values) => format!("with {} of {}", any(options), any(values)),
        Condition::Operand(words) => format!("with an operand {}", any(words)),
        Condition::Path(paths) => format!("where the operands begin with {}", any(paths).replace('/', " ")),
        Condition::Verb(verbs) => format!("with the verb {}", any(verbs)),
        Condition::NoOperand(words) => format!("without an operand {}", any(words)),
        Condition::Options(least, most) if least == most => format!("with {least} options"),
        Condition::Options(least, u16::MAX) => format!("with {least} or more options"),
        Condition::Options(least, most) => format!("with {least} to {most} options"),
        Condition::Words(least, most) if least == most => format!("with {least} words"),
        Condition::Words(least, most) => format!("with {least} to {most} words"),
        Condition::Stdin(Arrives::Piped) => "with unseen text on standard input".to_owned(),
        Condition::Stdin(Arrives::Empty) => "with nothing on standard input".to_owned(),
        Condition::Stdin(Arrives::Given) => "with a standard input of its own".to_owned(),
        Condition::Word(words) => format!("with the word {}", any(words)),
        Condition::Contains(words) => format!("with a word that contains {}", any(words)),
    }
}

/// The words that a rule picks.
fn picked(pick: &Pick) -> String {
    let place = |place: &&str| match (place.strip_prefix('>'), place.strip_suffix("..")) {
        (Some(word), _) => format!("what follows {word}"),
        (_, Some(from)) => format!("operands from place {from} on"),
        _ => (*place).to_owned(),
    };
    let mut text = pick.at.iter().map(place).collect::<Vec<_>>().join(" or ");
    for (front, words) in [("if", &pick.fits), ("but not", &pick.except), ("behind", &pick.after)] {
        if !words.is_empty() {
            let _ = write!(text, " {front} {}", any(words));
        }
    }
    text
}

fn act(act: &Act) -> String {
    let flow = |direction: &Transfer| match direction {
        Transfer::Fetch => "fetches from",
        Transfer::Send => "sends to",
        Transfer::Both => "exchanges data with",
    };
    let place = |from: u16, to_end: bool| match (from, to_end) {
        (FROM_COMMAND, _) => "the command among the operands".to_owned(),
        (AFTER_DASHES, _) => "what follows --".to_owned(),
        (from, true) => format!("operands from {} on", from.saturating_add(1)),
        (from, false) => format!("operand {}", from.saturating_add(1)),
    };
    match act {
        Act::OnlyReads => "it only reads".to_owned(),
        Act::Acts => "it doesn't only read".to_owned(),
        Act::Works => "it changes things itself".to_owned(),
        Act::Unknown => "what it does isn't known".to_owned(),
        Act::Named => "it does what its name says".to_owned(),
        Act::BeyondPlain => "an allow rule for the program doesn't cover it".to_owned(),
        Act::Finding(code, sentence) => format!("{code} ({sentence})"),
        Act::Loses(what, back) => format!("loses {what} (way back: {})", format!("{back:?}").to_lowercase()),
        Act::Contacts(host, _, direction) => format!("{} {host}", flow(direction)),
        Act::ContactsRemote(remote, _, direction) => format!("{} the remote {remote}", flow(direction)),
        Act::ContactsUrls(_, direction) => format!("{} the addresses among the operands", flow(direction)),
        Act::ContactsUnknown(_, direction) => format!("{} a host that the words don't name", flow(direction)),
        Act::Listens(address, _, _) => format!("listens on {address}"),
        Act::DeletesBuild(folder) => format!("deletes the build folder {folder}"),
        Act::DeletesValue(option) => format!("deletes what {option} names"),
        Act::WritesFile(path) => format!("writes {path}"),
        Act::Operand(from, to_end, role) => format!("{}: {}", place(*from, *to_end), meaning(*role)),
        Act::DeletesOperand(from, to_end, _, _) => format!("{}: deleted", place(*from, *to_end)),
        Act::Value(option, role) => format!("the value of {option}: {}", meaning(*role)),
        Act::Copies(copying) if copying.kind == Copies::Move => {
            "moves the operands to the last of them".to_owned()
        }
        Act::Copies(_) => "copies the operands to the last of them".to_owned(),
        Act::Searches(_) => "searches the operands for a pattern".to_owned(),
        Act::Lists(_) => "prints the names of files".to_owned(),
        Act::RunsWith(_, program) => format!("runs what {program} names with the operands"),
        Act::RunsInsideOf(..) => "runs a command inside a container".to_owned(),
        Act::WrapsWith(from, _) => {
            format!("{} are a command that is judged in its place", place(*from, true))
        }
        Act::Privilege(Rights::Container, why) => {
            format!("reaches out of its container ({why})")
        }
        Act::Privilege(_, why) => format!("takes or gives rights ({why})"),
        Act::RunsProject(file, _) => format!("runs what {file} of the project says"),
        Act::Runs(from) => format!("{} are a command that is run", place(*from, true)),
        Act::RunsAs(program, from) => {
            format!("{} are words for {program}, which is run", place(*from, true))
        }
        Act::RunsShell(from) => format!("{}, joined, are shell text that is run", place(*from, true)),
        Act::Wraps(from) => {
            format!("{} are a command that is judged in its place", place(*from, true))
        }
        Act::WrapsShell(from) => {
            format!("{}, joined, are shell text that is judged in its place", place(*from, true))
        }
        Act::RunsRemote(from, on) => {
            format!("{}, joined, are shell text that runs on {on}", place(*from, true))
        }
        Act::RunsRemoteValue(option, on) => format!("{option} is shell text that runs on {on}"),
        Act::Installs(pick, registry, ..) => format!("installs {} from {registry}", picked(pick)),
        Act::Picked(pick, role) | Act::PickedBare(pick, role, _) => {
            format!("{}: {}", picked(pick), meaning(*role))
        }
        Act::DeletesPicked(pick, ..) => format!("{}: deleted", picked(pick)),
        Act::RunsCode(pick, language) => {
            let language = if language.is_empty() { "shell" } else { language };
            format!("{}, joined, are {language} code that is run", picked(pick))
        }
        Act::Part(option, keys, role, _) => {
            format!("{} in the value of {option}: {}", any(keys), meaning(*role))
        }
        Act::SendsPicked(pick) => format!("{} are sent to the server", picked(pick)),
        Act::RunsBehind(marks) => format!("the words behind {} are a command that is run", any(marks)),
        Act::ShellText(option) => format!("{option} is shell text that is run with the operands"),
        Act::ContactsAt(pick, _, direction, _, usual, _) => {
            let usual = if usual.is_empty() { String::new() } else { format!(", else {usual}") };
            format!("{} what {} names{usual}", flow(direction), picked(pick))
        }
        Act::SendsValue(option) => format!("{option} is sent to the server"),
        Act::Sends(from, to_end) => format!("{} are sent to the server", place(*from, *to_end)),
        Act::RunsAfter(mark) => format!("runs what stands behind {mark} in a word as shell text"),
        Act::ReadsAfter(marks) => format!("reads files that words name behind {}", any(marks)),
        Act::Interprets(language, unless) if unless.is_empty() => {
            format!("runs the first operand as a file of {language}, else standard input")
        }
        Act::Interprets(language, unless) => {
            format!(
                "runs the first operand as a file of {language}, else standard input, unless {} is given",
                any(unless)
            )
        }
        Act::RunsStdin(language) => format!("runs standard input ({language})"),
        Act::Transparent => "what it does is what its command does".to_owned(),
        Act::Environment(true) => "prints all variables of the environment".to_owned(),
        Act::Environment(false) => "fills variables of the environment in".to_owned(),
        Act::Mode(option) => format!("{option} is a mode: one that gives rights away is a finding"),
        Act::Prints(output) => format!("prints {}", format!("{output:?}").to_lowercase()),
        Act::Empties => "files that it changes in place lose what was in them".to_owned(),
        Act::RunsPath(option) => format!("runs what {option} names, if that is a path"),
        Act::RunsInside(..) | Act::RunsInsideAfterDashes(_) => "runs a command inside a container".to_owned(),
        Act::Mentions => "may read hidden files and secrets that it is given".to_owned(),
        Act::UnknownCommand => "a command that isn't described".to_owned(),
        Act::Rust(_) => "a function in Rust decides".to_owned(),
        Act::Stop => "nothing more".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Tools, show};

    #[test]
    fn what_nobody_compared_with_its_manual_says_so() {
        let said = |name| show(name, &Tools::default()).unwrap_or_default();
        let remark = "not yet compared with it option by option";
        assert!(said("docker").contains(remark) && said("gcloud").contains(remark));
        assert!(said("comm").contains("source: comm(1)") && !said("comm").contains(remark));
        assert!(said("nice").contains("operands from 1 on are a command that is judged in its place"));
    }
}
