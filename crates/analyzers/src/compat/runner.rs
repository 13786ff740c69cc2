//! Shell text that a command itself runs: `sh -c`, `eval`, a here-document or a pipe into a shell.
//!
//! Options are parsed by the shells' own rules. With an unlisted option, the position of the script is undecided.

use super::command::{Argument, ParsedCommand, Resolved};
use super::redirect::{self, Redirect, Source};
use super::tree::{Id, Tree};

/// Programs whose scripts are shell text.
const SHELLS: &[&str] = &["ash", "bash", "dash", "ksh", "sh", "zsh"];
/// Short options of a shell.
const SHORT: &str = "BCDHOPabcefhiklmnoprstuvx";
/// Short options that take the next word.
const SHORT_WITH_VALUE: [char; 2] = ['o', 'O'];
/// bash's long options that take the next word.
const LONG_WITH_VALUE: &[&str] = &["--init-file", "--rcfile"];
/// bash's long options that take no word.
const LONG: &[&str] = words! {
    "--debugger" "--login" "--noediting" "--noprofile" "--norc" "--posix" "--restricted" "--verbose"
};
/// Kinds of nodes that can't expand to an option.
const NO_OPTION: &[&str] = &["arithmetic_expansion", "process_substitution"];
/// Most levels of `command builtin command …`, and of nested texts.
pub(super) const DEEPEST: usize = 8;

/// Whether the command is a shell.
pub(super) fn is_shell(command: &Resolved) -> bool {
    command.basename.as_deref().is_some_and(|name| SHELLS.contains(&name))
}

/// The shell text that a command itself runs.
pub(super) fn source(tree: &Tree, syntax: &ParsedCommand, command: &Resolved) -> Source {
    let command = &without_descriptors(tree, syntax, command);
    let script = script(tree, command);
    if script.there || script.unsure {
        return script;
    }
    match eval(command) {
        Err(()) => return Source::UNSURE,
        Ok(Some(arguments)) => return eval_text(&arguments),
        Ok(None) => {}
    }
    if !is_shell(command) {
        return Source::NONE;
    }
    let input = redirect::standard_input(tree, syntax, &Source::NONE, None);
    if !input.there {
        return Source::NONE;
    }
    match reads_input(command) {
        None => Source::UNSURE,
        Some(false) => Source::NONE,
        Some(true) => input,
    }
}

/// The text that a shell runs because it is piped in.
pub(super) fn piped(
    tree: &Tree,
    syntax: &ParsedCommand,
    command: &Resolved,
    pipe: &Source,
    enclosing: Id,
) -> Source {
    if !pipe.there {
        return Source::NONE;
    }
    let command = &without_descriptors(tree, syntax, command);
    let script = script(tree, command);
    if script.there {
        return Source::NONE;
    }
    if script.unsure {
        return Source::UNSURE;
    }
    if !is_shell(command) {
        return Source::NONE;
    }
    let reads = reads_input(command);
    if reads == Some(false) {
        return Source::NONE;
    }
    let input = redirect::standard_input(tree, syntax, pipe, Some(enclosing));
    match (input.there, reads) {
        (false, _) => Source::NONE,
        (true, None) => Source::UNSURE,
        (true, _) if input.unsure => Source::UNSURE,
        (true, _) => input,
    }
}

/// `sh 2>x`: the parser took the 2 for an argument.
fn without_descriptors(tree: &Tree, syntax: &ParsedCommand, command: &Resolved) -> Resolved {
    let redirects: Vec<Redirect> = redirect::of(tree, syntax, None);
    let is_descriptor = |argument: &Argument| {
        argument.literal.as_deref().is_some_and(|literal| {
            super::command::is_decimal(literal)
                && super::command::is_decimal(tree.text(argument.word))
                && redirect::is_descriptor(tree, literal, argument.word, &redirects)
        })
    };
    let kept = command.arguments.iter().filter(|argument| !is_descriptor(argument)).cloned();
    command.with(kept.collect())
}

/// Options read so far.
#[derive(Default)]
struct Options {
    script: bool,
    input: bool,
    reads_only: bool,
    dumps: bool,
    ended: bool,
}

/// The result of reading an option.
enum Taken {
    /// It takes this many further words.
    Words(usize),
    /// The shell refuses to start.
    Refused,
    /// Not listed.
    Unknown,
}

impl Options {
    const fn runs_nothing(&self) -> bool {
        self.reads_only || self.dumps
    }

    fn take(&mut self, literal: &str, shell: &str) -> Taken {
        if ["++", "-+", "+-"].iter().any(|start| literal.starts_with(start)) {
            return Taken::Refused;
        }
        let Some(values) = values_behind(literal, shell) else { return Taken::Unknown };
        let letters = literal.get(1..).unwrap_or_default();
        if !letters.starts_with(['-', '+']) {
            let on = literal.starts_with('-');
            self.script |= letters.contains('c');
            self.input |= on && letters.contains('s');
            if letters.contains('n') {
                self.reads_only = on;
            }
            self.dumps |= shell == "bash" && letters.contains('D');
        }
        Taken::Words(1 + values)
    }
}

fn is_option(literal: &str) -> bool {
    literal.starts_with(['-', '+']) && literal.chars().nth(1).is_some()
}

/// Number of words that an option takes; `None` if it isn't listed.
fn values_behind(literal: &str, shell: &str) -> Option<usize> {
    if literal.starts_with("--") {
        if shell != "bash" {
            return None;
        }
        return if LONG_WITH_VALUE.contains(&literal) {
            Some(1)
        } else {
            LONG.contains(&literal).then_some(0)
        };
    }
    let letters = literal.get(1..)?;
    if (shell != "bash" && letters.contains('D')) || !letters.chars().all(|letter| SHORT.contains(letter)) {
        return None;
    }
    let (last, before) =
        letters.chars().rev().collect::<Vec<_>>().split_first().map(|(l, b)| (*l, b.to_vec()))?;
    if before.iter().any(|letter| SHORT_WITH_VALUE.contains(letter)) {
        return None;
    }
    Some(usize::from(SHORT_WITH_VALUE.contains(&last)))
}

/// The script of `-c`. `there` without a text means that there is a script, but not a literal one.
fn script(tree: &Tree, command: &Resolved) -> Source {
    let Some(shell) = command.basename.as_deref().filter(|_| is_shell(command)) else { return Source::NONE };
    let unsure = |there| Source { there, text: None, unsure: true };
    let mut options = Options::default();
    let mut at = 0;
    while let Some(argument) = command.arguments.get(at) {
        if argument.open {
            return if options.ended && (options.runs_nothing() || !options.script) {
                Source::NONE
            } else {
                unsure(options.script)
            };
        }
        let Some(literal) = argument.literal.as_deref() else {
            if options.script {
                return if options.runs_nothing() {
                    Source::NONE
                } else {
                    Source { there: true, ..Source::NONE }
                };
            }
            if options.ended || NO_OPTION.contains(&tree.kind(argument.word)) {
                return Source::NONE;
            }
            // It may be an option that moves the script behind it.
            return Source { unsure: at + 1 < command.arguments.len(), ..Source::NONE };
        };
        if !options.ended && matches!(literal, "--" | "-") {
            options.ended = true;
            at += 1;
            continue;
        }
        if options.ended || !is_option(literal) {
            return if options.script && !options.runs_nothing() {
                Source::known(literal.to_owned())
            } else {
                Source::NONE
            };
        }
        match options.take(literal, shell) {
            Taken::Refused => return Source::NONE,
            Taken::Unknown => return unsure(options.script),
            Taken::Words(words) => {
                if words > 1 {
                    let Some(value) = command.arguments.get(at + 1) else { return Source::NONE };
                    if value.open || NO_OPTION.contains(&tree.kind(value.word)) {
                        return unsure(options.script);
                    }
                }
                at += words;
            }
        }
    }
    if options.runs_nothing() { Source::NONE } else { Source { there: options.script, ..Source::NONE } }
}

/// Whether a shell runs its standard input; `None` if its options leave that undecided.
fn reads_input(command: &Resolved) -> Option<bool> {
    let shell = command.basename.as_deref().unwrap_or_default();
    let mut options = Options::default();
    let mut at = 0;
    while let Some(argument) = command.arguments.get(at) {
        let Some(literal) = argument.fixed() else {
            return match (options.ended, options.runs_nothing(), options.input) {
                (false, ..) | (true, false, false) => None,
                (true, true, _) => Some(false),
                (true, false, true) => Some(true),
            };
        };
        if !options.ended && matches!(literal, "--" | "-") {
            options.ended = true;
            at += 1;
            continue;
        }
        if options.ended || !is_option(literal) {
            return Some(options.input && !options.runs_nothing());
        }
        match options.take(literal, shell) {
            Taken::Refused => return Some(false),
            Taken::Unknown => return None,
            Taken::Words(words) => {
                if words > 1 && at + 1 >= command.arguments.len() {
                    return Some(false);
                }
                at += words;
            }
        }
    }
    Some(!options.runs_nothing())
}

/// The arguments of `eval`, through `command` and `builtin`; `Err` if it is undecided what runs.
fn eval(command: &Resolved) -> Result<Option<Vec<Argument>>, ()> {
    if !command.may_be_builtin {
        return Ok(None);
    }
    let mut name = command.basename.clone().unwrap_or_default();
    let mut arguments = command.arguments.as_slice();
    for followed in 0.. {
        match name.as_str() {
            "eval" => return Ok(Some(arguments.to_vec())),
            "builtin" | "command" if followed >= DEEPEST => return Err(()),
            "command" => {
                while let Some((_, rest)) = arguments.split_first().filter(|(first, _)| first.is("-p")) {
                    arguments = rest;
                }
            }
            "builtin" => {}
            _ => return Ok(None),
        }
        if let Some((_, rest)) = arguments.split_first().filter(|(first, _)| first.is("--")) {
            arguments = rest;
        }
        let Some((target, rest)) = arguments.split_first() else { return Ok(None) };
        let target = target.fixed().ok_or(())?;
        if target.starts_with('-') || target.contains('/') {
            return Ok(None);
        }
        target.clone_into(&mut name);
        arguments = rest;
    }
    Ok(None)
}

fn eval_text(arguments: &[Argument]) -> Source {
    let arguments = match arguments.split_first() {
        Some((first, rest)) if first.is("--") => rest,
        Some((first, _)) if first.literal.as_deref().is_some_and(|text| text.starts_with('-')) => {
            return Source::NONE;
        }
        _ => arguments,
    };
    if arguments.is_empty() {
        return Source::NONE;
    }
    match arguments.iter().map(Argument::fixed).collect::<Option<Vec<_>>>() {
        Some(texts) => Source::known(texts.join(" ")),
        None => Source::UNSURE,
    }
}

/// The text that a command writes to its pipe, if its own text determines that.
pub(super) fn output(tree: &Tree, syntax: &ParsedCommand, command: &Resolved, enclosing: Id) -> Source {
    match redirect::reaches_pipe(tree, syntax, Some(enclosing)) {
        Some(false) => return Source::NONE,
        Some(true) if !command.unsure => {}
        _ => return Source::UNSURE,
    }
    match command.basename.as_deref() {
        Some("echo") => echo(&command.arguments),
        Some("printf") => printf(&command.arguments),
        Some("cat") if command.arguments.is_empty() => {
            let input = redirect::standard_input(tree, syntax, &Source::NONE, Some(enclosing));
            if input.there { input } else { Source::UNSURE }
        }
        _ => Source::UNSURE,
    }
}

fn echo(arguments: &[Argument]) -> Source {
    let texts: Option<Vec<&str>> =
        arguments.iter().map(|argument| argument.fixed().filter(|text| !text.contains('\\'))).collect();
    match texts {
        Some(texts) if !texts.first().is_some_and(|first| first.starts_with('-')) => {
            Source::known(format!("{}\n", texts.join(" ")))
        }
        _ => Source::UNSURE,
    }
}

fn printf(arguments: &[Argument]) -> Source {
    let (ended, arguments) = match arguments.split_first() {
        Some((first, rest)) if first.is("--") => (true, rest),
        _ => (false, arguments),
    };
    let Some((format, values)) = arguments.split_first() else { return Source::known(String::new()) };
    let format = format.fixed().filter(|text| !text.contains('\\') && (ended || !text.starts_with('-')));
    let values: Vec<Option<&str>> = values.iter().map(Argument::fixed).collect();
    match format.and_then(|format| rendered(format, &values)) {
        Some(text) => Source::known(text),
        None => Source::UNSURE,
    }
}

/// The result of a format with plain text, `%%` and `%s`, with each value used once.
fn rendered(format: &str, values: &[Option<&str>]) -> Option<String> {
    let mut out = String::new();
    let mut left = values.iter();
    let mut consumed = false;
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        match c {
            '%' => match chars.next()? {
                '%' => out.push('%'),
                's' => {
                    out.push_str((*left.next()?)?);
                    consumed = true;
                }
                _ => return None,
            },
            c => out.push(c),
        }
    }
    (!consumed || left.next().is_none()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compat::command::{commands, resolve};

    fn run_by(source_text: &str) -> Source {
        let tree = Tree::parse(source_text).unwrap();
        let command = commands(&tree).remove(0);
        source(&tree, &command, &resolve(&tree, &command))
    }

    #[test]
    fn the_script_of_a_shell_is_found_by_the_shells_own_rules() {
        let unsure = |there| Source { there, text: None, unsure: true };
        for (text, expected) in [
            ("bash -c 'a'", Source::known("a".into())),
            ("bash -xc 'a'", Source::known("a".into())),
            ("bash -o pipefail -c a", Source::known("a".into())),
            ("bash \\-c a", Source::known("a".into())),
            ("bash -- -c a", Source::NONE),
            ("bash script.sh -c a", Source::NONE),
            ("bash -nc a", Source::NONE),
            ("bash -Dc a", Source::NONE),
            ("sh -Dc a", unsure(false)),
            ("bash --norc -c a", Source::known("a".into())),
            ("dash --norc -c a", unsure(false)),
            ("bash --made-up -c a", unsure(false)),
            ("bash $x -c a", unsure(false)),
            ("bash -c \"$x\"", Source { there: true, text: None, unsure: false }),
            ("bash -c $x", unsure(true)),
            ("eval 'a' b", Source::known("a b".into())),
            ("command eval a", Source::known("a".into())),
            ("builtin -- eval a", Source::known("a".into())),
            ("command -v eval a", Source::NONE),
            ("/bin/eval a", Source::NONE),
            ("eval $x", Source::UNSURE),
            ("bash <<< a", Source::known("a".into())),
            ("bash -s <<< a", Source::known("a".into())),
            ("bash x <<< a", Source::NONE),
            ("cat <<< a", Source::NONE),
            ("ls", Source::NONE),
        ] {
            assert_eq!(run_by(text), expected, "{text}");
        }
    }

    #[test]
    fn printf_is_rendered_only_where_it_is_plain() {
        for (format, values, expected) in [
            ("a", vec![], Some("a")),
            ("%s %%", vec![Some("x")], Some("x %")),
            ("%s", vec![Some("x"), Some("y")], None),
            ("%s", vec![None], None),
            ("%s", vec![], None),
            ("a", vec![Some("x")], Some("a")),
            ("%d", vec![Some("1")], None),
            ("%", vec![], None),
        ] {
            assert_eq!(rendered(format, &values).as_deref(), expected, "{format}");
        }
    }
}
