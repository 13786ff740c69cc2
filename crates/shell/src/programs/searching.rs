//! `searches` of the specs: programs that look for a pattern in files (`grep`, `ag`).

use doorward_core::intent::{Below, Form};
use doorward_knowledge::effect::{Names, Searching};

use crate::deed::Word;

use super::call::Call;
use super::picks::holds;
use super::word;

pub(crate) fn apply(call: &mut Call<'_>, searching: &Searching) {
    let mut operands = call.operands.clone();
    if !call.any(&searching.pattern) && !operands.is_empty() {
        operands.remove(0);
    }
    let recursive = holds(call, searching.below);
    if operands.is_empty() && recursive {
        operands.push(Word::literal(".", call.span()));
    }
    let chosen: Vec<Word> = match recursive {
        true => searching.chosen.iter().flat_map(|option| call.values(option)).collect(),
        false => Vec::new(),
    };
    let below = match (recursive && chosen.is_empty(), holds(call, searching.hidden)) {
        (false, _) => Below::Nothing,
        (true, true) => Below::Everything,
        (true, false) => Below::Visible,
    };
    operands.iter().for_each(|operand| call.read_below(operand, below));
    read_chosen(call, &operands, &chosen);
    if call.any(&searching.names) {
        found_in(call, &operands, &chosen, recursive);
    }
}

/// Files below folders that a pattern chooses are read by name.
pub(super) fn read_chosen(call: &mut Call<'_>, folders: &[Word], chosen: &[Word]) {
    for folder in folders {
        for pattern in
            chosen.iter().filter(|pattern| !pattern.text.starts_with('!') && !is_source(&pattern.text))
        {
            let folder = folder.text.trim_end_matches('/');
            let mut word =
                word::instead(pattern, format!("{folder}/**/{}", pattern.text.trim_start_matches("**/")));
            word.form = Form::Glob;
            call.read(&word);
        }
    }
}

/// A pattern that only fixes an ending, and one that no key or certificate has.
fn is_source(pattern: &str) -> bool {
    const KEPT: &[&str] =
        &["pem", "key", "p12", "pfx", "jks", "keystore", "kdbx", "tfstate", "tfvars", "env", "backup"];
    let ending = pattern.trim_start_matches("**/").strip_prefix("*.");
    ending.is_some_and(|ending| {
        !KEPT.contains(&ending)
            && ending.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"{,}".contains(&byte))
    })
}

/// The names that a search prints: those it was given, or what lies below them.
pub(super) fn found_in(call: &mut Call<'_>, places: &[Word], chosen: &[Word], recursive: bool) {
    for place in places {
        if !recursive {
            call.deeds.lists.push(place.clone());
        } else if chosen.is_empty() {
            call.lists_below(place);
        } else {
            let folder = place.text.trim_end_matches('/').to_owned();
            chosen.iter().for_each(|pattern| call.lists(format!("{folder}/**/{}", pattern.text)));
        }
    }
}

pub(super) fn lists(call: &mut Call<'_>, names: Names) {
    if names == Names::Containing {
        let given = ["-r", "-name"].iter().flat_map(|option| call.values(option));
        let patterns: Vec<Word> = call.operands.iter().cloned().chain(given).collect();
        for pattern in patterns {
            let text = pattern.text.trim_matches(['*', '^', '$']).replace('\\', "");
            let front = if text.starts_with(['.', '/']) { "" } else { "*" };
            call.lists(format!("**/{front}{}", text.trim_start_matches('/')));
        }
        return;
    }
    let hidden = call.any(&["-a", "-A", "--all", "--almost-all", "-f"]);
    let list_all = |call: &mut Call<'_>| {
        call.lists("*");
        if hidden {
            call.lists(".*");
        }
    };
    for name in call.operands.clone() {
        let opens = names == Names::Folders && name.form == Form::Literal;
        call.deeds.lists.push(name);
        if opens {
            list_all(call);
        }
    }
    if call.operands.is_empty() {
        list_all(call);
    }
}

#[cfg(test)]
mod tests {
    use super::super::compact::deeds;

    #[test]
    fn names_that_are_printed_are_told() {
        for (line, names) in [
            ("ls src", "src *"),
            ("ls -d src", "src"),
            ("ls -l src", ""),
            ("ls", "*"),
            ("ls -A", "* .*"),
            ("ls -a src", "src * .*"),
            ("locate .ssh", "**/.ssh"),
            ("locate passwd", "**/*passwd"),
            ("grep -l x a b", "a b"),
            ("grep -rl x src", "src src/**"),
            ("grep -rl --include=*.key x .", "./**/*.key"),
        ] {
            let found: Vec<String> = deeds(line).lists.into_iter().map(|name| name.text).collect();
            assert_eq!(found.join(" "), names, "{line}");
        }
    }
}
