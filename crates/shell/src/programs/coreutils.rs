//! Modes and access lists: what they hand out, and how `chmod` takes them.

use doorward_core::intent::{PrivilegeKind, WriteMode};

use crate::deed::Word;

use super::call::Call;
use super::word;

pub(in crate::programs) fn chmod(call: &mut Call<'_>) {
    let mut mode: Option<Word> = None;
    let mut files = Vec::new();
    let mut reference = false;
    let mut ended = false;
    for operand in call.operands.clone() {
        let text = operand.text.clone();
        let is_minus_mode = text.len() > 1
            && text.get(1..).is_some_and(|rest| rest.chars().all(|letter| "rwxXstugo,+=-".contains(letter)));
        if !ended && text == "--" {
            ended = true;
        } else if !ended && text.starts_with("--") {
            match text.split_once('=') {
                Some((option, _)) if option.len() > 4 && "--reference".starts_with(option) => {
                    reference = true;
                    if let Some((_, value)) = word::halves(&operand, '=') {
                        call.look(&value);
                        if value.text.starts_with(['/', '~', '…']) {
                            call.finding("shell.privilege", "copies a mode that can't be seen here");
                        }
                    }
                }
                _ if [
                    "--changes",
                    "--silent",
                    "--quiet",
                    "--verbose",
                    "--recursive",
                    "--preserve-root",
                    "--no-preserve-root",
                    "--dereference",
                    "--no-dereference",
                ]
                .iter()
                .any(|known| text.len() > 3 && known.starts_with(text.as_str())) => {}
                _ => call.deeds.known = false,
            }
        } else if !ended && text.starts_with('-') && text.len() > 1 && !is_minus_mode {
            if !text.chars().skip(1).all(|letter| "cfvRhHLPNEC".contains(letter)) {
                call.deeds.known = false;
            }
        } else if mode.is_none() && !reference {
            mode = Some(operand);
        } else {
            files.push(operand);
        }
    }
    let before = call.deeds.writes.len();
    for path in &files {
        call.write(path, WriteMode::Metadata);
    }
    let Some(mode) = mode else { return };
    let text = mode.known().map(str::to_owned);
    call.deeds.writes.iter_mut().skip(before).for_each(|write| write.chmod.clone_from(&text));
    judge_mode(call, &mode);
}

/// Says what a mode hands out: set-id bits, or write access for everybody.
pub(super) fn judge_mode(call: &mut Call<'_>, mode: &Word) {
    if mode.text.contains(':') {
        if mode.text.split(',').any(lets_others_write) {
            call.finding("shell.privilege", "lets other users write");
        }
        return;
    }
    let Some(text) = mode.known() else {
        return call.privilege(PrivilegeKind::Setuid, "a mode that can't be seen");
    };
    let (setid, world) = mode_grants(text);
    if setid {
        call.privilege(PrivilegeKind::Setuid, format!("mode {text} sets set-user-id or set-group-id"));
    }
    if world {
        call.privilege(PrivilegeKind::Setuid, format!("mode {text} lets everybody write"));
    }
}

/// Whether an entry of an access list (`u:ada:rw`, `o::rw`) lets others than the owner and the group write.
fn lets_others_write(entry: &str) -> bool {
    let parts: Vec<&str> = entry.trim_start_matches("d:").split(':').collect();
    let others = matches!(parts.first(), Some(&("o" | "other")))
        || parts.len() == 3 && !parts.get(1).is_some_and(|name| name.is_empty());
    others && parts.last().is_some_and(|bits| bits.contains(['w', '7', '6', '2', '3']))
}

/// Whether a mode sets set-id bits, and whether it lets others write.
fn mode_grants(text: &str) -> (bool, bool) {
    let octal = text.trim_start_matches(['+', '=', '-']);
    if !octal.is_empty() && octal.bytes().all(|byte| (b'0'..=b'7').contains(&byte)) {
        if text.starts_with('-') {
            return (false, false);
        }
        let bits = u32::from_str_radix(octal, 8).unwrap_or(0o7777);
        return (bits & 0o6000 != 0, bits & 0o002 != 0);
    }
    let (mut setid, mut world) = (false, false);
    for clause in text.split(',') {
        let who: String = clause.chars().take_while(|letter| "ugoa".contains(*letter)).collect();
        let actions = clause.get(who.len()..).unwrap_or_default();
        let others = who.contains(['o', 'a']);
        let mut operation = '-';
        for letter in actions.chars() {
            match letter {
                '+' | '=' | '-' => operation = letter,
                's' if operation != '-' && (who.is_empty() || who.contains(['u', 'g', 'a'])) => setid = true,
                'w' | 'u' | 'g' if operation != '-' && others => world = true,
                _ => {}
            }
        }
    }
    (setid, world)
}

#[cfg(test)]
mod tests {
    use super::mode_grants;

    #[test]
    fn modes_are_read_as_chmod_reads_them() {
        for (mode, setid, world) in [
            ("777", false, true),
            ("0666", false, true),
            ("4755", true, false),
            ("u+s", true, false),
            ("o+w", false, true),
            ("a=rwx", false, true),
            ("+x", false, false),
            ("go-w", false, false),
            ("o=u", false, true),
            ("ug+rw,o+w", false, true),
            ("644", false, false),
        ] {
            assert_eq!(mode_grants(mode), (setid, world), "{mode}");
        }
    }
}
