//! `doorward:allow <type> <reason>` in a comment on the line or the line above. Repository scans only: in an
//! agent's output, the model or an attacker behind it could write such a comment.

const MARK: &[u8] = b"doorward:allow ";

/// The reason in a comment for a finding of this type that starts at `pos`. A comment without a reason is ignored.
pub(crate) fn reason(text: &[u8], pos: usize, slug: &str) -> Option<String> {
    let start = text.get(..pos)?.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let end = memchr::memchr(b'\n', text.get(pos..)?).map_or(text.len(), |newline| pos + newline);
    let above = start.checked_sub(1).map_or(0, |end| {
        text.get(..end)
            .unwrap_or_default()
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |newline| newline + 1)
    });
    let lines = text.get(above..end.min(pos + 4096))?;
    memchr::memmem::find_iter(lines, MARK).find_map(|mark| {
        let rest = lines.get(mark + MARK.len()..)?.split(|byte| *byte == b'\n').next()?;
        let (word, reason) = std::str::from_utf8(rest).ok()?.trim().split_once(' ')?;
        let reason = reason.trim().trim_end_matches("*/").trim_end_matches("-->").trim();
        ((word == slug || word == "any") && !reason.is_empty()).then(|| crate::redact_text(reason))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_and_the_right_type_are_needed() {
        let text = b"a\n// doorward:allow password shown in the manual\nx = 1\ny = 2 # doorward:allow jwt\n";
        let at = |needle: &str| memchr::memmem::find(text, needle.as_bytes()).unwrap();
        assert_eq!(reason(text, at("x ="), "password").as_deref(), Some("shown in the manual"));
        assert_eq!(reason(text, at("x ="), "jwt"), None);
        assert_eq!(reason(text, at("y ="), "jwt"), None);
    }
}
