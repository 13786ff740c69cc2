//! Search, filters and pagers-in-pipes: programs that turn text into text.

use doorward_core::intent::{Below, WriteMode};
use doorward_knowledge::row::Nature;

use crate::deed::{Run, Word};
use crate::languages;

use super::call::Call;
use super::{searching, word};

pub(in crate::programs) fn ripgrep(call: &mut Call<'_>) {
    let mut operands = call.operands.clone();
    if !call.any(&["-e", "-f", "--files", "--type-list"]) && !operands.is_empty() {
        operands.remove(0);
    }
    let shows = call.has("--hidden")
        || call.has("-.")
        || call.given.iter().filter(|given| given.name == "-u").count() > 1;
    let below = if shows { Below::Everything } else { Below::Visible };
    for operand in &operands {
        let below = if call.has("-g") || call.has("-t") { Below::Nothing } else { below };
        if call.has("--files") { call.look(operand) } else { call.read_below(operand, below) }
    }
    let named = !operands.is_empty();
    let places = if named { operands } else { vec![Word::literal(".", call.span())] };
    let chosen: Vec<Word> = call.values("-g").into_iter().chain(call.values("--iglob")).collect();
    if !call.has("--files") && (named || matches!(call.argv.stdin, crate::deed::Stdin::Inherited)) {
        searching::read_chosen(call, &places, &chosen);
    }
    if call.any(&["-l", "--files", "--files-without-match"]) {
        let chosen: Vec<Word> = chosen.into_iter().filter(|pattern| !pattern.text.starts_with('!')).collect();
        searching::found_in(call, &places, &chosen, true);
    }
    // Nothing ignored and nothing hidden is left out.
    if shows && call.any(&["-u", "--no-ignore"]) && !call.has("--files") && chosen_all(call) {
        for place in &places {
            call.read_below(place, Below::Everything);
        }
        call.remark("shell.secret_walk", "reads hidden and ignored files, where secrets lie");
    }
    if call.has("-z") {
        // Unpackers are looked up in PATH.
        call.beyond_plain = true;
    }
}

/// Whether no pattern chooses among the files.
fn chosen_all(call: &Call<'_>) -> bool {
    !call.any(&["-g", "--iglob", "-t"])
}

/// Merges what a script does into the call: its plain use ends where the script acts.
fn merge_script(call: &mut Call<'_>, script: crate::deed::Deeds) {
    let acts = !script.writes.is_empty()
        || !script.deletes.is_empty()
        || !script.runs.is_empty()
        || !script.hosts.is_empty()
        || script.findings.iter().any(|finding| finding.code == "shell.obfuscated");
    call.acts |= acts;
    call.beyond_plain |= acts;
    call.deeds.reads.extend(script.reads);
    call.deeds.writes.extend(script.writes);
    call.deeds.deletes.extend(script.deletes);
    call.deeds.hosts.extend(script.hosts);
    call.deeds.env_reads.extend(script.env_reads);
    call.deeds.runs.extend(script.runs);
    call.deeds.findings.extend(script.findings.into_iter().filter(|finding| finding.code != "code.snippet"));
}

/// A script given as text; one that can't be seen hides what it does.
fn embedded(call: &mut Call<'_>, language: &str, text: &Word) {
    if text.known().is_none() && text.text.trim_matches('…').is_empty() {
        call.acts = true;
        call.finding("shell.obfuscated", format!("the {language} script can't be seen"));
        return;
    }
    if text.known().is_none() {
        call.acts = true;
        call.beyond_plain = true;
    }
    let deeds =
        languages::describe(language, &text.text, languages::Invocation::default(), text.span, call.ctx);
    merge_script(call, deeds);
}

pub(in crate::programs) fn sed(call: &mut Call<'_>) {
    let mut operands = call.operands.clone();
    let in_place = call.any(&["-i", "--in-place"]);
    let mut scripts = call.values("-e");
    if !call.any(&["-e", "-f"]) && !operands.is_empty() {
        scripts.push(operands.remove(0));
    }
    if !call.has("--sandbox") {
        for script in &scripts {
            embedded(call, "sed", script);
        }
        for file in call.values("-f") {
            call.run_file(&file, "sed", Vec::new());
        }
    }
    for file in &operands {
        if in_place {
            call.beyond_plain = true;
            call.write(file, WriteMode::InPlace);
        } else {
            call.read(file);
        }
    }
    // `sed -i d`, `sed -i '1,$d'`, `sed -i -n ''`: nothing is printed back.
    let prints_nothing = |script: &Word| {
        let script: String = script.text.chars().filter(|letter| !letter.is_whitespace()).collect();
        matches!(
            script.trim_end_matches(';'),
            "d" | "1,$d"
                | "0,$d"
                | "1!d;d"
                | "D"
                | "//d"
                | "/^/d"
                | "/$/d"
                | "/./d"
                | "/.*/d"
                | "z;d"
                | "z"
                | "s/.*//"
                | "s/.*//g"
                | "s/^.*$//"
        ) || call.has("-n") && matches!(script.as_str(), "" | "d" | "p,q" | "q" | "n" | "x" | "Q" | "1q")
            || matches!(script.as_str(), "Q" | "1Q")
    };
    if in_place && scripts.iter().any(prints_nothing) {
        call.empties();
    }
    let suffix = call.value("-i").or_else(|| call.value("--in-place"));
    let Some(suffix) = suffix.filter(|suffix| !suffix.text.is_empty()) else { return };
    if suffix.text.contains('/') {
        return call.write(&suffix, WriteMode::Create);
    }
    // Each file is kept under another name: `-i.bak`, or `-i'old_*'` with the name for the star.
    for file in &operands {
        let (folder, name) =
            file.text.rsplit_once('/').map_or(("", &*file.text), |(folder, name)| (folder, name));
        let kept = match suffix.text.contains('*') {
            true => suffix.text.replace('*', name),
            false => format!("{name}{}", suffix.text),
        };
        let kept = if folder.is_empty() { kept } else { format!("{folder}/{kept}") };
        call.write(&word::instead(file, kept), WriteMode::Create);
    }
}

pub(in crate::programs) fn awk(call: &mut Call<'_>) {
    let mut operands = call.operands.clone();
    let mut scripts = call.values("-e");
    let files: Vec<Word> = call.values("-f").into_iter().chain(call.values("-E")).collect();
    if scripts.is_empty() && files.is_empty() && !operands.is_empty() {
        scripts.push(operands.remove(0));
    }
    let sandbox = call.has("-S");
    for script in &scripts {
        if !sandbox {
            embedded(call, "awk", script);
        }
    }
    for file in &files {
        if file.text == "-" {
            call.run_stdin("awk", Vec::new())
        } else {
            call.run_file(file, "awk", Vec::new())
        }
    }
    let mut in_place = false;
    for include in call.values("-i") {
        if include.text == "inplace" { in_place = true } else { call.run_file(&include, "awk", Vec::new()) }
    }
    for (given, default) in [("-o", "awkprof.out"), ("-p", "awkprof.out"), ("-d", "awkvars.out")] {
        if call.has(given) {
            let file = call.value(given).map_or_else(|| default.to_owned(), |file| file.text);
            call.beyond_plain = true;
            call.write_named(&file, WriteMode::Create);
        }
    }
    for operand in operands.iter().filter(|operand| !is_assignment(&operand.text)) {
        if in_place {
            call.beyond_plain = true;
            call.write(operand, WriteMode::InPlace);
        } else {
            call.read(operand);
        }
    }
    // Without a print, and without a pattern that stands for one, nothing comes back.
    let prints = |script: &Word| {
        let text = script.text.trim();
        text.contains("print")
            || !matches!(text, "" | "0" | "{}") && !text.starts_with('{')
            || script.known().is_none()
    };
    if in_place && files.is_empty() && !scripts.iter().any(prints) {
        call.empties();
    }
}

fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

pub(in crate::programs) fn jq(call: &mut Call<'_>) {
    let operands = call.operands.clone();
    let mut words = operands.iter();
    let mut program: Option<Word> = None;
    let mut from_file = false;
    let mut rest_is_text = false;
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        match text {
            "--arg" | "--argjson" => {
                words.next();
                words.next();
            }
            "--slurpfile" | "--rawfile" | "--argfile" => {
                words.next();
                if let Some(file) = words.next() {
                    call.read(file);
                }
            }
            "--args" | "--jsonargs" => rest_is_text = true,
            "--indent" => {
                words.next();
            }
            "-L" | "--library-path" => {
                if let Some(folder) = words.next() {
                    call.read_below(folder, Below::Everything);
                }
            }
            "-f" | "--from-file" => from_file = true,
            "--" => {}
            _ if text.starts_with("--") => {}
            _ if text.starts_with('-') && text.len() > 1 => from_file |= text.contains('f'),
            _ if program.is_none() => {
                program = Some(word.clone());
                if from_file {
                    call.read(word);
                }
            }
            _ if rest_is_text => {}
            _ => call.read(word),
        }
    }
    if let Some(program) = program.filter(|_| !from_file) {
        let text = &program.text;
        if text.contains("$ENV")
            || text
                .split(|letter: char| !letter.is_alphanumeric() && letter != '.' && letter != '_')
                .any(|name| name == "env")
        {
            let name = text
                .split(['.', ' ', '|'])
                .skip_while(|part| !part.ends_with("env") && !part.ends_with("$ENV"))
                .nth(1)
                .filter(|name| !name.is_empty())
                .map_or("*", |name| name);
            if name == "*" {
                call.env_read("*")
            } else {
                call.env_read(&name.replace(|letter: char| !letter.is_alphanumeric() && letter != '_', ""))
            }
        }
    }
}

pub(in crate::programs) fn yq(call: &mut Call<'_>) {
    for operand in call.operands.clone() {
        for front in ["strenv(", "env(", "envsubst"] {
            if let Some(rest) = operand.text.split(front).nth(1) {
                let name = rest.split(')').next().unwrap_or_default().trim().to_owned();
                call.env_read(&name);
                call.remark("shell.env_dump", "reads the environment");
                break;
            }
        }
    }
    if matches!(call.program.as_str(), "yq" | "dasel") {
        for operand in call.operands.clone() {
            // `load("file")`, `load_str("file")`.
            for rest in operand.text.split("load").skip(1) {
                let name = rest.split_once(['"', '\'']).and_then(|(_, rest)| rest.split(['"', '\'']).next());
                if let Some(name) = name.filter(|_| rest.contains('(')) {
                    call.read(&word::instead(&operand, name));
                }
            }
        }
        // Alone it is a file's name, not the expression that stands in front of one.
        if call.operands.len() == 1
            && call.argv.stdin == crate::deed::Stdin::Inherited
            && let Some(first) = call.operands.first().cloned()
            && first
                .text
                .strip_prefix('.')
                .is_some_and(|name| matches!(name, "env") || name.starts_with("env."))
        {
            super::unknown::mention(call, &first);
        }
    }
    // Whatever isn't a path into the document is JavaScript to fx.
    let path = |text: &str| {
        text.starts_with(['.', '?'])
            && text.chars().all(|letter| letter.is_alphanumeric() || "._[]?-\"' ".contains(letter))
    };
    if call.program == "fx" {
        for code in call.operands.clone().into_iter().skip(1).filter(|word| !path(&word.text)) {
            call.run_language("javascript", code);
        }
    }
    let in_place = call.has("-i");
    let mut operands = call.operands.clone();
    if operands.first().is_some_and(|first| {
        matches!(first.text.as_str(), "eval" | "e" | "eval-all" | "ea" | "r" | "read" | "select")
    }) {
        operands.remove(0);
    }
    // The first is an expression, or a file if there is no other.
    let from = usize::from(
        operands.len() > 1
            || operands.first().is_some_and(|first| {
                first.text.starts_with('.')
                    && !first.text.contains('/')
                    && !std::path::Path::new(&first.text)
                        .extension()
                        .is_some_and(|extension| extension == "yml" || extension == "yaml")
            }),
    );
    for file in operands.iter().skip(from) {
        if in_place {
            call.beyond_plain = true;
            call.write(file, WriteMode::InPlace);
        } else {
            call.read(file);
        }
    }
}

pub(in crate::programs) fn rename(call: &mut Call<'_>) {
    let mut operands = call.operands.clone();
    // Under another name a secret isn't known for one.
    if !call.has("-n") {
        operands.iter().filter(|word| !word.text.contains(['\'', '(', ';'])).for_each(|word| {
            super::unknown::mention(call, word);
        });
    }
    if !call.has("-e") && !operands.is_empty() {
        let first = operands.remove(0);
        let is_code = first.text.contains('/')
            && (first.text.starts_with('s') || first.text.starts_with('y') || first.text.starts_with("tr"));
        if first.text.contains('`')
            || first.text.contains("system")
            || first.text.contains("exec")
            || first.text.trim_end().ends_with(['e', ';'])
                && is_code
                && first.text.rsplit('/').next().is_some_and(|flags| flags.contains('e'))
        {
            let via = call.program.clone();
            call.run(Run::Language { language: "perl".to_owned(), text: first, via });
        } else if !is_code && !operands.is_empty() {
            operands.remove(0);
        }
    }
    if call.has("-n") {
        call.nature = Nature::Reads;
        return operands.iter().for_each(|path| call.look(path));
    }
    for path in &operands {
        call.write(path, WriteMode::InPlace);
    }
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn filters_read_unless_their_script_acts() {
        check(&[
            ("grep -rn touch src", "read src; read-only"),
            ("grep -e a b c", "read b; read c; read-only"),
            ("grep -A 3 --color=auto x a", "read a; read-only"),
            ("rg -n 'fn main' src", "read src; read-only"),
            ("rg --json 'TODO|FIXME' -g '*.rs'", "read-only"),
            ("rg -l --hidden foo", "read-only"),
            ("rg --pre='touch x' hello a", "read a; argv touch x"),
            ("rg --pr=x hello a", "read a; unknown_option; argv x; unknown"),
            ("sed -n 10,20p a", "read a; read-only"),
            ("sed s/foo/bar/g a", "read a; read-only"),
            ("sed -E 's#(a|b);c#x#' a", "read a; read-only"),
            ("sed -i s/a/b/ a", "inplace a"),
            ("sed -n '1e touch x' a", "read a; sh touch x"),
            ("sed -n 'w x' a", "read a; create x"),
            ("sed 's/a/b/w x' a", "read a; create x"),
            ("awk '{s+=$1} END{print s}' a", "read a; read-only"),
            ("awk -F, '$2 ~ /system/ {print $1}' a", "read a; read-only"),
            ("awk 'BEGIN{printf \"%s\", \"a|b\"}'", "read-only"),
            ("awk 'BEGIN{system(\"touch x\")}'", "sh touch x"),
            ("awk '{print > \"x\"}' a", "read a; create x"),
            ("jq .a b.json", "read b.json; read-only"),
            ("yq -i .a=1 b.yml", "inplace b.yml"),
            ("diff a b", "read a; read b; read-only"),
            ("man -w touch", "read-only"),
            ("man --html=x ls", "argv x"),
            ("xxd -r a b", "read a; create b"),
            ("printenv", "env *; env_dump; plain"),
        ]);
    }
}
