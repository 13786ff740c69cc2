//! Programs that run another one: removed until the command itself comes first.

use super::command::{Resolved, basename};
use super::tree::Tree;
use super::word;

/// A program that runs the command after its options.
struct Wrapper {
    name: &'static str,
    /// Options with the number of words that they take.
    options: &'static [(&'static str, usize)],
    /// Number of operands before the command.
    operands: usize,
    /// Whether `NAME=value` may come before the command.
    assigns: bool,
}

const fn wrapper(name: &'static str, options: &'static [(&'static str, usize)]) -> Wrapper {
    Wrapper { name, options, operands: 0, assigns: false }
}

const WRAPPERS: &[Wrapper] = &[
    Wrapper {
        assigns: true,
        ..wrapper(
            "env",
            &[("-i", 0), ("--ignore-environment", 0), ("-u", 1), ("--unset", 1), ("-C", 1), ("--chdir", 1)],
        )
    },
    Wrapper {
        assigns: true,
        ..wrapper(
            "sudo",
            &[
                ("-E", 0),
                ("-H", 0),
                ("-i", 0),
                ("-n", 0),
                ("-S", 0),
                ("-u", 1),
                ("--user", 1),
                ("-g", 1),
                ("--group", 1),
                ("-D", 1),
                ("--chdir", 1),
            ],
        )
    },
    wrapper("builtin", &[]),
    wrapper("command", &[("-p", 0), ("-v", 0), ("-V", 0)]),
    wrapper("time", &[("-p", 0)]),
    Wrapper {
        operands: 1,
        ..wrapper(
            "timeout",
            &[
                ("--foreground", 0),
                ("--preserve-status", 0),
                ("--verbose", 0),
                ("-k", 1),
                ("--kill-after", 1),
                ("-s", 1),
                ("--signal", 1),
            ],
        )
    },
    wrapper("exec", &[("-a", 1), ("-c", 0), ("-l", 0)]),
    wrapper("nice", &[("-n", 1), ("--adjustment", 1)]),
    wrapper("nohup", &[]),
    Wrapper { operands: 1, ..wrapper("chroot", &[("--userspec", 1), ("--groups", 1), ("--skip-chdir", 0)]) },
    wrapper("busybox", &[]),
    wrapper("toybox", &[]),
    wrapper("setsid", &[("-f", 0), ("--fork", 0), ("-c", 0), ("--ctty", 0), ("-w", 0), ("--wait", 0)]),
    wrapper("stdbuf", &[("-i", 1), ("--input", 1), ("-o", 1), ("--output", 1), ("-e", 1), ("--error", 1)]),
    wrapper("strace", &[("-f", 0), ("-o", 1), ("-e", 1), ("-p", 1), ("-s", 1)]),
];

fn named(name: &str) -> Option<&'static Wrapper> {
    WRAPPERS.iter().find(|wrapper| wrapper.name == name)
}

/// Whether a program is listed.
pub(super) fn is_one(name: &str) -> bool {
    named(name).is_some()
}

/// The command inside. The wrapper itself if it runs none; unsure if its options leave that undecided.
pub(super) fn peeled(tree: &Tree, mut command: Resolved) -> Resolved {
    while let Some(wrapper) = command.basename.as_deref().and_then(named) {
        if matches!(wrapper.name, "builtin" | "command") && !command.may_be_builtin {
            break;
        }
        match wrapper.inside(tree, &command) {
            Inside::Nothing => break,
            Inside::Unsure => {
                command.unsure = true;
                break;
            }
            Inside::At(at) => match within(tree, wrapper, &command, at) {
                Some(inner) => command = inner,
                None => break,
            },
        }
    }
    command
}

/// The position of the command among a wrapper's arguments.
enum Inside {
    At(usize),
    Nothing,
    Unsure,
}

/// The inner command, if a wrapper may run it.
fn within(tree: &Tree, wrapper: &Wrapper, command: &Resolved, at: usize) -> Option<Resolved> {
    let argument = command.arguments.get(at)?;
    let target = argument.literal.as_deref()?;
    if wrapper.name == "builtin" && !matches!(target, "builtin" | "command" | "exec") {
        return None;
    }
    let no_slash = !target.contains('/');
    let keeps_builtins =
        matches!(wrapper.name, "builtin" | "command") || (wrapper.name == "time" && command.may_be_keyword);
    Some(Resolved {
        basename: Some(basename(target).to_owned()),
        arguments: command.arguments.get(at + 1..).unwrap_or_default().to_vec(),
        unsure: command.unsure,
        may_be_builtin: command.may_be_builtin && keeps_builtins && no_slash,
        may_be_keyword: command.may_be_keyword
            && wrapper.name == "time"
            && no_slash
            && tree.text(argument.word) == target,
    })
}

impl Wrapper {
    fn inside(&self, tree: &Tree, command: &Resolved) -> Inside {
        let arguments = command.arguments.as_slice();
        let mut at = 0;
        while let Some(argument) = arguments.get(at) {
            if argument.open {
                return Inside::Unsure;
            }
            let Some(literal) = argument.literal.as_deref() else {
                let prefix = word::prefix(tree, argument.word);
                if self.assigns && !prefix.starts_with('-') && prefix.contains('=') {
                    break;
                }
                if prefix.starts_with("--") && prefix.contains('=') && self.values(&prefix) == Some(0) {
                    at += 1;
                    continue;
                }
                return Inside::Unsure;
            };
            if literal == "--" {
                at += 1;
                break;
            }
            if !literal.starts_with('-') || literal == "-" {
                break;
            }
            let Some(values) = self.values(literal).filter(|values| at + values < arguments.len()) else {
                return Inside::Unsure;
            };
            if self.name == "command" && literal.contains(['v', 'V']) {
                return Inside::Nothing;
            }
            if arguments.iter().skip(at + 1).take(values).any(|value| value.open) {
                return Inside::Unsure;
            }
            at += values + 1;
        }
        if self.name == "env" && arguments.get(at).is_some_and(|argument| argument.is("-")) {
            at += 1;
        }
        while let Some(argument) = arguments.get(at).filter(|_| self.assigns) {
            if argument.open {
                return Inside::Unsure;
            }
            let assigns = match argument.literal.as_deref() {
                Some(literal) => literal.contains('='),
                None if word::prefix(tree, argument.word).contains('=') => true,
                None => return Inside::Unsure,
            };
            if !assigns {
                break;
            }
            at += 1;
        }
        if arguments.iter().skip(at).take(self.operands).any(|operand| operand.open) {
            return Inside::Unsure;
        }
        at += self.operands;
        match arguments.get(at) {
            None => Inside::Nothing,
            Some(target) if target.fixed().is_none() => Inside::Unsure,
            Some(_) => Inside::At(at),
        }
    }

    /// Number of words that an option takes; `None` if it isn't listed.
    fn values(&self, option: &str) -> Option<usize> {
        let row =
            |name: &str| self.options.iter().find(|(known, _)| *known == name).map(|(_, values)| *values);
        if let Some(values) = row(option) {
            return Some(values);
        }
        if option.starts_with("--") {
            let (name, _) = option.split_once('=')?;
            return row(name).map(|_| 0);
        }
        let letters = option.strip_prefix('-').filter(|letters| letters.chars().nth(1).is_some())?;
        for (at, letter) in letters.char_indices() {
            let values = row(&format!("-{letter}"))?;
            if values > 0 {
                // The rest of the letter group is the value.
                let last = at + letter.len_utf8() == letters.len();
                return Some(if last { values } else { 0 });
            }
        }
        Some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compat::command::{commands, resolve};

    #[test]
    fn the_command_inside_is_found_behind_options_assignments_and_operands() {
        for (source, name, unsure) in [
            ("env -i A=b rm x", Some("rm"), false),
            ("env A=$x rm y", Some("rm"), true),
            ("env A=\"$x\" rm y", Some("rm"), false),
            ("env - rm x", Some("rm"), false),
            ("sudo -nu root rm x", Some("rm"), false),
            ("sudo --user=root rm x", Some("rm"), false),
            ("sudo -Z rm x", Some("sudo"), true),
            ("timeout -k 5 10 nice -n 3 rm x", Some("rm"), false),
            ("busybox rm x", Some("rm"), false),
            ("builtin rm x", Some("builtin"), false),
            ("builtin command rm x", Some("rm"), false),
            ("command -v rm", Some("command"), false),
            ("/usr/bin/command rm x", Some("command"), false),
            ("env $x rm", Some("env"), true),
            ("nohup", Some("nohup"), false),
        ] {
            let tree = Tree::parse(source).unwrap();
            let command = commands(&tree).remove(0);
            let inner = peeled(&tree, resolve(&tree, &command));
            if source == "env A=$x rm y" {
                assert!(inner.unsure, "{source}");
                continue;
            }
            assert_eq!((inner.basename.as_deref(), inner.unsure), (name, unsure), "{source}");
        }
    }
}
