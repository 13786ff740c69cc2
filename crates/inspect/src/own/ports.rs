//! Ports that a word leaves open: a range or a list that curl(1) expands itself, or a text with unknown parts. One that
//! our own port fits is refused where it is written out, and asked about where it is only known when the command runs.

use doorward_core::finding::Finding;
use doorward_core::intent::SimpleCommand;

use super::{Looks, NAMING, TEXTUAL, socket};

/// Names and addresses of this machine in front of a port.
const HERE: &[&str] = &["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "[::]", "127.1", "0"];

impl Looks<'_> {
    /// A range or a list of ports with ours in it.
    pub(super) fn fits_port(&self, command: &SimpleCommand) -> Option<Finding> {
        let (_, port) = self.open_port(command).filter(|(pattern, _)| !pattern.contains('…'))?;
        Some(socket(&format!("port {port} is one of `{}`", self.open_port(command)?.0)))
    }

    /// A port of this machine of which only a part is written out. One that is known to nobody before the command runs
    /// is what every test of a server has, and no question.
    pub(super) fn may_name_port(&self, command: &SimpleCommand) -> Option<Finding> {
        self.open_port(command)
            .filter(|(pattern, _)| pattern.contains('…') && pattern.chars().count() > 1)?;
        let message =
            "May talk to Doorward's own service: a part of the port is only known when the command runs.";
        Some(Finding::new("shell.tamper", message).suggest("write the port as a number").at(command.span))
    }

    fn open_port<'w>(&self, command: &'w SimpleCommand) -> Option<(&'w str, u16)> {
        let program = command.program.as_str();
        if NAMING.contains(&program) || TEXTUAL.contains(&program) {
            return None;
        }
        let here = |front: &str| {
            let host = front.rsplit(['/', '@', '=']).next().unwrap_or(front);
            HERE.contains(&host.to_ascii_lowercase().as_str())
        };
        command.words.iter().skip(1).find_map(|word| {
            let (at, _) = word.match_indices(':').find(|(at, _)| word.get(..*at).is_some_and(here))?;
            let rest = word.get(at + 1..)?;
            let pattern = rest.split(['/', '?', '#', '"', '\'', ' ']).next().unwrap_or(rest);
            let is_open = pattern.contains(['[', '{', '…', '*']);
            let fits = |port: &&u16| is_open && self::fits(pattern, &port.to_string());
            self.own.ports.iter().find(fits).map(|port| (pattern, *port))
        })
    }
}

/// Whether a port with ranges (`[7700-7730]`), lists (`{80,443}`), wildcards and unknown parts can be this one.
fn fits(pattern: &str, port: &str) -> bool {
    let mut letters = pattern.chars();
    let Some(first) = letters.next() else { return port.is_empty() };
    let rest = letters.as_str();
    let after_any = |from: usize, rest: &str, wanted: &dyn Fn(&str) -> bool| {
        (from..=port.len())
            .any(|at| port.split_at_checked(at).is_some_and(|(own, left)| wanted(own) && fits(rest, left)))
    };
    match first {
        '…' | '*' => after_any(0, rest, &|_| true),
        '?' => port.get(1..).is_some_and(|left| fits(rest, left)),
        '{' => {
            let Some((list, rest)) = rest.split_once('}') else { return true };
            list.split(',').any(|one| fits(&format!("{one}{rest}"), port))
        }
        '[' => {
            let Some((range, rest)) = rest.split_once(']') else { return true };
            let ends = range.split(':').next().and_then(|range| range.split_once('-'));
            let number = |text: &str| text.parse::<u32>().ok();
            let within = |own: &str| match ends.map(|(low, high)| (number(low), number(high), number(own))) {
                Some((Some(low), Some(high), Some(own))) => (low..=high).contains(&own),
                _ => true,
            };
            after_any(1, rest, &within)
        }
        digit => port.strip_prefix(digit).is_some_and(|left| fits(rest, left)),
    }
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_port_fits_what_leaves_it_open() {
        for (pattern, expected) in [
            ("771[7-7]", true),
            ("[7700-7730]", true),
            ("[7700-7730:3]", true),
            ("{7717,7718}", true),
            ("77{17,18}", true),
            ("…", true),
            ("77…", true),
            ("[3000-3010]", false),
            ("{3000,3001}", false),
            ("3…", false),
            ("7717", true),
            ("771[0-6]", false),
        ] {
            assert_eq!(fits(pattern, "7717"), expected, "{pattern}");
        }
    }
}
