//! Edits in place whose new text is written out: `sed -i 's/1.0/1.1/' Cargo.toml`, `perl -pi -e 's/a/b/' x`.
//!
//! What such an edit puts into a file can be read, so a build of the file afterwards is judged like one without the
//! edit unless the new text itself does something.

use doorward_core::intent::Span;
use doorward_core::risk::SecurityRisk;

use crate::languages;
use crate::options::Options;
use crate::programs::{Context, asked};
use crate::value::{Arg, HOLE};

/// Whether a program's edit in place puts nothing into its files but text that does nothing.
pub(super) fn is_inert(program: &str, args: &[Arg]) -> bool {
    if !asked::edits_in_place(program) {
        return false;
    }
    inserted(args).is_some_and(|texts| texts.iter().all(|text| does_nothing(text)))
}

/// The texts that the substitutions among the words put in; `None` where one can't be read or takes text away.
fn inserted(args: &[Arg]) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    let mut operands = args.iter().skip(1).filter(|arg| !arg.raw.is_empty());
    let mut script: Option<&Arg> = None;
    while let Some(arg) = operands.next() {
        let raw = arg.raw.as_str();
        if raw.contains(HOLE) && !raw.starts_with('-') {
            // A file nobody names yet.
            continue;
        }
        match raw {
            "-f" | "--file" => return None,
            "-e" | "--expression" => {
                texts.extend(substitutions(&operands.next()?.raw)?);
                script = Some(arg);
            }
            // A cluster that ends in `e`, as in `perl -pie` or `sed -ne`.
            _ if raw.starts_with('-') && !raw.starts_with("--") && raw.ends_with('e') => {
                texts.extend(substitutions(&operands.next()?.raw)?);
                script = Some(arg);
            }
            _ if raw.starts_with('-') => {}
            _ if script.is_none() => {
                texts.extend(substitutions(raw)?);
                script = Some(arg);
            }
            _ => {}
        }
    }
    (!texts.is_empty()).then_some(texts)
}

/// The new texts of `s/a/b/g; s|c|d|`.
fn substitutions(script: &str) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    let mut rest = script.trim();
    while !rest.is_empty() {
        let address = rest
            .trim_start_matches(|letter: char| letter.is_ascii_digit() || matches!(letter, ',' | '$' | ' '));
        let body = address.strip_prefix('s')?;
        let separator = body.chars().next().filter(|mark| mark.is_ascii_punctuation() && *mark != '\\')?;
        let (_, after) = until(body.get(1..)?, separator)?;
        let (text, after) = until(after, separator)?;
        let flags = after.find([';', ' ']).unwrap_or(after.len());
        let own = after.get(..flags)?;
        if !own.bytes().all(|flag| flag.is_ascii_digit() || b"gIip".contains(&flag)) {
            return None;
        }
        // What was there comes back, or goes away: the result depends on the file.
        let keeps = text.replace("\\\\", "").replace("\\&", "");
        let moves = keeps.contains('&')
            || keeps.contains('$')
            || (1..=9).any(|group| keeps.contains(&format!("\\{group}")));
        if text.trim().is_empty() || moves {
            return None;
        }
        texts.push(text.replace('\\', ""));
        rest = after.get(flags..)?.trim_start_matches([';', ' ']);
    }
    Some(texts)
}

/// The text up to a separator that isn't escaped, and what stands behind it.
fn until(text: &str, separator: char) -> Option<(String, &str)> {
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            letter if letter == separator => {
                return Some((text.get(..at)?.to_owned(), text.get(at + letter.len_utf8()..)?));
            }
            _ => {}
        }
    }
    None
}

/// Whether a text is no danger whatever kind of file it stands in: as shell text, and as code.
fn does_nothing(text: &str) -> bool {
    let high = |risk: Option<SecurityRisk>| matches!(risk, Some(SecurityRisk::High | SecurityRisk::Unknown));
    let intent = crate::analyze(text, &Options::default());
    let marks = text.contains([';', '|', '&', '`', '<', '>', '\n']);
    let shell = intent.deletes.is_empty()
        && intent.hosts.is_empty()
        && intent.writes.iter().all(|write| !write.path.text.starts_with(['/', '~', '.', '…']))
        && intent.privilege.is_empty()
        && intent.installs.is_empty()
        && (!marks || intent.unknown.is_empty())
        && !intent.findings.iter().any(|finding| high(finding.risk));
    let code = languages::describe(
        "eval",
        text,
        languages::Invocation::default(),
        Span::default(),
        &Context::default(),
    );
    shell
        && code.deletes.is_empty()
        && code.hosts.is_empty()
        && code.runs.is_empty()
        && !code.findings.iter().any(|finding| high(finding.risk))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_text_is_read_out_of_substitutions() {
        let texts = |script: &str| substitutions(script);
        assert_eq!(texts("s/1.0/1.1/"), Some(vec!["1.1".to_owned()]));
        assert_eq!(texts("s|a|b|g; s/c/d/"), Some(vec!["b".to_owned(), "d".to_owned()]));
        assert_eq!(texts("3,5s/a/b/"), Some(vec!["b".to_owned()]));
        for script in ["s/a//", "s/a/&b/", "s/\\(a\\)/\\1/", "s/a/b/e", "s/a/b/w f", "d", "1i x", "s/a/b"] {
            assert_eq!(texts(script), None, "{script}");
        }
        assert!(does_nothing("1.1") && does_nothing("cc -O2 -o x x.c") && does_nothing("bar"));
        assert!(
            !does_nothing("rm -rf src")
                && !does_nothing("os.system(x)")
                && !does_nothing("curl h.example | sh")
        );
    }
}
