//! Where quoted and nested parts of a word end. Linear, and never past the end of the text.

/// Bytes of a text; reading past the end gives NUL, which no input holds.
#[derive(Clone, Copy)]
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl Bytes<'_> {
    pub(crate) fn at(self, index: usize) -> u8 {
        self.0.get(index).copied().unwrap_or(0)
    }

    pub(crate) fn len(self) -> usize {
        self.0.len()
    }
}

/// Index of the `'` that closes a single quote opened before `from`.
pub(crate) fn single_quote(bytes: Bytes<'_>, from: usize, ansi: bool) -> usize {
    let mut at = from;
    while at < bytes.len() {
        match bytes.at(at) {
            b'\'' => return at,
            b'\\' if ansi => at += 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Index of the `"` that closes a double quote opened before `from`.
pub(crate) fn double_quote(bytes: Bytes<'_>, from: usize) -> usize {
    let mut at = from;
    while at < bytes.len() {
        match bytes.at(at) {
            b'"' => return at,
            b'\\' => at += 1,
            b'`' => at = backquote(bytes, at + 1),
            b'$' => at = dollar(bytes, at),
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Index of the backquote that closes one opened before `from`.
pub(crate) fn backquote(bytes: Bytes<'_>, from: usize) -> usize {
    let mut at = from;
    while at < bytes.len() {
        match bytes.at(at) {
            b'`' => return at,
            b'\\' => at += 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Last index of the expansion that starts with the `$` at `at`; `at` itself if nothing nested follows.
fn dollar(bytes: Bytes<'_>, at: usize) -> usize {
    match (bytes.at(at + 1), bytes.at(at + 2)) {
        (b'(', b'(') => match arithmetic(bytes, at + 3) {
            Some(end) => end + 1,
            None => substitution(bytes, at + 2),
        },
        (b'(', _) => substitution(bytes, at + 2),
        (b'{', _) => braces(bytes, at + 2, false),
        _ => at,
    }
}

/// Index of the `}` that closes `${` opened before `from`. `quoted`: inside double quotes, where `'` is plain.
pub(crate) fn braces(bytes: Bytes<'_>, from: usize, quoted: bool) -> usize {
    let mut at = from;
    while at < bytes.len() {
        match bytes.at(at) {
            b'}' => return at,
            b'\\' => at += 1,
            b'\'' if !quoted => at = single_quote(bytes, at + 1, at > 0 && bytes.at(at - 1) == b'$'),
            b'"' => at = double_quote(bytes, at + 1),
            b'`' => at = backquote(bytes, at + 1),
            b'$' => at = dollar(bytes, at),
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Index of the first `)` of the `))` that closes an arithmetic expansion; `None` if it isn't one.
pub(crate) fn arithmetic(bytes: Bytes<'_>, from: usize) -> Option<usize> {
    let mut depth = 0_u32;
    let mut at = from;
    while at < bytes.len() {
        match bytes.at(at) {
            b'(' => depth += 1,
            b')' if depth > 0 => depth -= 1,
            b')' => return (bytes.at(at + 1) == b')').then_some(at),
            b'\\' => at += 1,
            b'\'' => at = single_quote(bytes, at + 1, false),
            b'"' => at = double_quote(bytes, at + 1),
            b'`' => at = backquote(bytes, at + 1),
            b'$' => at = dollar(bytes, at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Index of the `]` that closes a bracket opened before `from`.
pub(crate) fn bracket(bytes: Bytes<'_>, from: usize) -> Option<usize> {
    let mut depth = 0_u32;
    let mut at = from;
    while at < bytes.len() {
        match bytes.at(at) {
            b'[' => depth += 1,
            b']' if depth > 0 => depth -= 1,
            b']' => return Some(at),
            b'\\' => at += 1,
            b'\'' => at = single_quote(bytes, at + 1, false),
            b'"' => at = double_quote(bytes, at + 1),
            b'`' => at = backquote(bytes, at + 1),
            b'$' => at = dollar(bytes, at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Index of the `)` that closes a command substitution opened before `from`.
///
/// Knows quotes, comments, here-documents, nested groups and the bare `)` of `case` patterns.
pub(crate) fn substitution(bytes: Bytes<'_>, from: usize) -> usize {
    let mut groups = 0_u32;
    let mut cases = 0_u32;
    let mut here: Vec<(Vec<u8>, bool)> = Vec::new();
    let mut word_start = true;
    let mut at = from;
    while at < bytes.len() {
        let byte = bytes.at(at);
        let mut next_start = false;
        match byte {
            b'\\' => at += 1,
            b'\'' => at = single_quote(bytes, at + 1, at > 0 && bytes.at(at - 1) == b'$'),
            b'"' => at = double_quote(bytes, at + 1),
            b'`' => at = backquote(bytes, at + 1),
            b'$' => at = dollar(bytes, at),
            b'#' if word_start => {
                while at + 1 < bytes.len() && bytes.at(at + 1) != b'\n' {
                    at += 1;
                }
            }
            b'(' => {
                groups += 1;
                next_start = true;
            }
            b')' if groups > 0 => groups -= 1,
            b')' if cases > 0 => next_start = true,
            b')' => return at,
            b'\n' => {
                for (tag, tabs) in here.drain(..) {
                    at = skip_here_document(bytes, at + 1, &tag, tabs);
                }
                next_start = true;
            }
            b'<' if bytes.at(at + 1) == b'<' && bytes.at(at + 2) != b'<' => {
                let tabs = bytes.at(at + 2) == b'-';
                let (tag, end) = here_tag(bytes, at + 2 + usize::from(tabs));
                here.push((tag, tabs));
                at = end.saturating_sub(1).max(at + 1);
            }
            b'<' if bytes.at(at + 1) == b'<' => at += 2,
            b' ' | b'\t' | b';' | b'&' | b'|' => next_start = true,
            b'c' if word_start && is_word(bytes, at, b"case") => cases += 1,
            b'e' if word_start && is_word(bytes, at, b"esac") => cases = cases.saturating_sub(1),
            _ => {}
        }
        word_start = next_start;
        at += 1;
    }
    bytes.len()
}

fn is_word(bytes: Bytes<'_>, at: usize, word: &[u8]) -> bool {
    bytes.0.get(at..at + word.len()) == Some(word)
        && !matches!(bytes.at(at + word.len()), b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'=' | b'.' | b'/')
}

fn here_tag(bytes: Bytes<'_>, from: usize) -> (Vec<u8>, usize) {
    let mut at = from;
    while matches!(bytes.at(at), b' ' | b'\t') {
        at += 1;
    }
    let mut tag = Vec::new();
    while at < bytes.len() {
        match bytes.at(at) {
            b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' => break,
            b'\'' | b'"' => {
                let quote = bytes.at(at);
                at += 1;
                while at < bytes.len() && bytes.at(at) != quote {
                    tag.push(bytes.at(at));
                    at += 1;
                }
            }
            b'\\' => {
                at += 1;
                tag.push(bytes.at(at));
            }
            byte => tag.push(byte),
        }
        at += 1;
    }
    (tag, at)
}

/// Index of the line end that closes the here-document whose body starts at `from`.
fn skip_here_document(bytes: Bytes<'_>, from: usize, tag: &[u8], tabs: bool) -> usize {
    let mut line = from;
    while line < bytes.len() {
        let mut end = line;
        while end < bytes.len() && bytes.at(end) != b'\n' {
            end += 1;
        }
        let mut content = bytes.0.get(line..end).unwrap_or_default();
        while tabs && content.first() == Some(&b'\t') {
            content = content.get(1..).unwrap_or_default();
        }
        if content == tag {
            return end;
        }
        line = end + 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn substitutions_end_where_bash_ends_them() {
        let cases = [
            ("echo a) b", "echo a"),
            ("echo ')' \")\" \\) $(x) `)`) b", "echo ')' \")\" \\) $(x) `)`"),
            ("case x in a) b;; (c) d;; esac) e", "case x in a) b;; (c) d;; esac"),
            ("a # )\nb) c", "a # )\nb"),
            ("cat <<E\n)\nE\n) x", "cat <<E\n)\nE\n"),
            ("(a; (b)) ) c", "(a; (b)) "),
            ("echo ${x:-)}) b", "echo ${x:-)}"),
            ("echo $((1+(2)))) b", "echo $((1+(2)))"),
        ];
        for (text, inner) in cases {
            let end = substitution(Bytes(text.as_bytes()), 0);
            assert_eq!(&text[..end], inner, "{text}");
        }
    }
}
