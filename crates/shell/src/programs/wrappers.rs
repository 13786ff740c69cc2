//! Programs that run another command line: how far their own words go, and where the other's start.
//!
//! A wrapper is transparent: what it runs is judged. An option that isn't in its row hides which command runs and is
//! reported by the engine as `shell.obfuscated`.

use doorward_core::intent::PrivilegeKind;
use doorward_knowledge::row::Nature;

use crate::deed::{Run, StdinRole, Word};

use super::call::Call;
use super::word;

/// The command starts at this operand.
pub(super) fn tail(call: &mut Call<'_>, from: usize) {
    let words = call.operands_from(from);
    call.transparent();
    call.run_argv(words);
}

/// Operands from here on, joined, are shell text.
pub(super) fn shell_text(call: &mut Call<'_>, from: usize) {
    call.transparent();
    if let Some(text) = word::join(&call.operands_from(from)) {
        call.run_shell(text);
    }
}

/// Assignments in front of a command, as env and sudo take them.
fn assignments(words: &[Word]) -> (Vec<(String, Word)>, Vec<Word>) {
    let mut assigned = Vec::new();
    let mut rest = words;
    while let Some((first, others)) = rest.split_first() {
        let Some((name, value)) = word::halves(first, '=') else { break };
        if name.text.is_empty() || name.text.contains('/') {
            break;
        }
        assigned.push((name.text, value));
        rest = others;
    }
    (assigned, rest.to_vec())
}

pub(super) fn run_assigned(call: &mut Call<'_>, words: &[Word], chdir: Option<Word>) -> bool {
    let (assignments, words) = assignments(words);
    if words.is_empty() {
        return false;
    }
    let via = call.program.clone();
    let place = call.argv.place.clone();
    call.transparent();
    call.run(Run::Argv { words, assignments, more_operands: false, via, place, chdir, passes_stdin: true });
    true
}

pub(in crate::programs) fn env(call: &mut Call<'_>) {
    let mut words = call.operands.clone();
    if call.first() == Some("-") {
        words.remove(0);
    }
    let mut split = Vec::new();
    for text in call.values("-S") {
        if text.text.contains(['$', '\\']) || text.known().is_none() {
            call.finding("shell.obfuscated", "env -S assembles the command from escapes or variables");
        }
        split.extend(split_string(&text));
    }
    // What -S yields may begin with options of env itself.
    if split.first().is_some_and(|first| first.text.starts_with('-')) {
        let mut again = vec![Word::literal("env", call.span())];
        again.extend(split);
        again.extend(words);
        call.transparent();
        return call.run_argv(again);
    }
    split.extend(words);
    let chdir = call.value("-C");
    if !run_assigned(call, &split, chdir) {
        call.nature = Nature::Reads;
        if !call.has("-i") {
            call.acts = true;
            call.env_read("*");
        }
    }
}

/// The words of `env -S`: its quotes are those of a shell, without expansion.
pub(super) fn split_string(text: &Word) -> Vec<Word> {
    let mut words = Vec::new();
    let mut current: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut letters = text.text.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), close) if open == close => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                current.get_or_insert_default();
            }
            (None, '\\') => match letters.next() {
                Some('_') => words.extend(current.take()),
                Some('c') | None => break,
                Some('t' | 'n' | 'f' | 'v' | 'r') => words.extend(current.take()),
                Some(other) => current.get_or_insert_default().push(other),
            },
            (None, letter) if letter.is_whitespace() => words.extend(current.take()),
            (_, letter) => current.get_or_insert_default().push(letter),
        }
    }
    words.extend(current);
    words.into_iter().map(|part| Word { assembled: true, ..word::instead(text, part) }).collect()
}

pub(in crate::programs) fn su(call: &mut Call<'_>) {
    call.privilege(PrivilegeKind::Root, "becomes another user");
    let mut operands = call.operands.clone();
    if call.program == "runuser" && call.has("-u") {
        return tail(call, 0);
    }
    if operands.first().is_some_and(|first| first.text == "-") {
        operands.remove(0);
    }
    if !operands.is_empty() {
        operands.remove(0);
    }
    call.transparent();
    let text = call.value("-c").or_else(|| call.value("--session-command"));
    let place = call.argv.place.clone();
    match (text, call.value("-s").filter(|_| !operands.is_empty())) {
        (Some(text), _) => call.run_shell_in(text, operands, place),
        (None, Some(shell)) => {
            let mut words = vec![shell];
            words.extend(operands);
            call.run_argv(words);
        }
        (None, None) => match operands.split_first() {
            // Words after the user go to the shell: `su user -c text` was taken apart above.
            Some((first, rest)) => call.run_file(&first.clone(), "shell", rest.to_vec()),
            None => call.run_stdin("shell", Vec::new()),
        },
    }
}

pub(in crate::programs) fn xargs(call: &mut Call<'_>) {
    // With -a the operands come from a file, and the command gets standard input.
    let from_file = call.has("-a");
    call.deeds.stdin = if from_file { StdinRole::Ignored } else { StdinRole::Data };
    if let Some(file) = call.value("-a") {
        call.read(&file);
    }
    let mut words = call.operands.clone();
    if words.is_empty() {
        words.push(Word::literal("echo", call.span()));
    }
    call.transparent();
    let replaces = call.any(&["-I", "-i", "--replace", "-J"]);
    if replaces {
        let token = call
            .value("-I")
            .or_else(|| call.value("-J"))
            .or_else(|| call.value("-i"))
            .or_else(|| call.value("--replace"))
            .map_or_else(|| "{}".to_owned(), |token| token.text);
        words.iter_mut().for_each(|word| unknown_at(word, &token));
    }
    let via = call.program.clone();
    let place = call.argv.place.clone();
    // `-0`, `-d X`: words as they are separated, blanks and all.
    let separator = match call.value("-d").map(|separator| separator.text) {
        Some(separator) if separator == "\\n" => Some('\n'),
        Some(separator) if separator == "\\0" => Some('\0'),
        Some(separator) => separator.chars().next(),
        None => call.has("-0").then_some('\0'),
    };
    if let (Some(separator), false, false, crate::deed::Stdin::Known { text, span }) =
        (separator, replaces, from_file, call.argv.stdin.clone())
    {
        let items: Vec<Word> = text
            .split(separator)
            .filter(|item| !item.is_empty())
            .take(256)
            .map(|item| Word::literal(item, span))
            .collect();
        let most = call
            .value("-n")
            .or_else(|| call.value("-L"))
            .and_then(|most| most.text.parse::<usize>().ok())
            .filter(|most| *most > 0)
            .unwrap_or(items.len().max(1));
        for chunk in items.chunks(most).take(64) {
            let mut argv = words.clone();
            argv.extend(chunk.iter().cloned());
            call.run_argv(argv);
        }
        return;
    }
    call.run(Run::Argv {
        words,
        assignments: Vec::new(),
        more_operands: !replaces,
        via,
        place,
        chdir: None,
        passes_stdin: from_file,
    });
}

/// Marks a word unknown where a token stands for something unknown.
pub(super) fn unknown_at(word: &mut Word, token: &str) {
    if !token.is_empty() && word.text.contains(token) {
        word.text = word.text.replace(token, "…");
        word.form = doorward_core::intent::Form::Unknown;
    }
}

pub(in crate::programs) fn parallel(call: &mut Call<'_>) {
    if call.any(&["--citation"]) {
        return;
    }
    if let Some(file) = call.value("-a") {
        call.read(&file);
    }
    for login in call.values("-S") {
        for host in word::split(&login, ',').into_iter().filter(|host| host.text != ":") {
            call.contact(&host, "ssh", doorward_core::intent::Direction::Both, Vec::new());
        }
    }
    let words = call.operands.clone();
    let at = words.iter().position(|word| matches!(word.text.as_str(), ":::" | "::::" | ":::+" | "::::+"));
    let (template, values) = match at {
        Some(at) => {
            (words.get(..at).unwrap_or_default().to_vec(), words.get(at..).unwrap_or_default().to_vec())
        }
        None => (words, Vec::new()),
    };
    call.transparent();
    let files = values.first().is_some_and(|mark| mark.text.starts_with("::::"));
    let values: Vec<Word> = values.into_iter().filter(|word| !word.text.starts_with(":::")).collect();
    if files {
        values.iter().for_each(|file| call.read(file));
    }
    if template.is_empty() {
        // Every argument, or line of standard input, is a command.
        if files {
            return values.iter().for_each(|file| call.run_file(file, "shell", Vec::new()));
        }
        if let Some(file) = call.value("-a") {
            return call.run_file(&file, "shell", Vec::new());
        }
        if values.is_empty() {
            return call.run_stdin("shell", Vec::new());
        }
        return values.into_iter().for_each(|text| call.run_shell(text));
    }
    let Some(mut text) = word::join(&template) else { return };
    let token = call.value("-I").map_or_else(|| "{}".to_owned(), |token| token.text);
    let pipes = call.any(&["--pipe", "--pipepart"]);
    if values.is_empty() || files {
        if !pipes {
            if !text.text.contains(&token) && !text.text.contains("{.}") && !text.text.contains("{/") {
                text.text.push_str(" {}");
            }
            for token in [token.as_str(), "{.}", "{/}", "{//}", "{/.}", "{1}", "{2}"] {
                unknown_at(&mut text, token);
            }
        }
        return call.run_shell(text);
    }
    for value in values.iter().take(64) {
        let mut one = text.clone();
        // A value is one word of the command; alone it is the command.
        let quoted = match value.known() {
            Some(known)
                if text.text.trim() != token
                    && known.contains(|letter: char| {
                        !letter.is_alphanumeric() && !"._-/=:,+@%".contains(letter)
                    }) =>
            {
                format!("'{}'", known.replace('\'', "'\\''"))
            }
            _ => value.text.clone(),
        };
        if one.text.contains(&token) {
            one.text = one.text.replace(&token, &quoted);
        } else if one.text.contains('{') {
            for token in ["{.}", "{/}", "{//}", "{/.}", "{1}", "{2}", "{3}"] {
                unknown_at(&mut one, token);
            }
        } else {
            one.text.push(' ');
            one.text.push_str(&quoted);
        }
        if value.known().is_none() {
            one.form = doorward_core::intent::Form::Unknown;
        }
        call.run_shell(one);
    }
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn the_command_starts_where_the_wrapper_ends() {
        check(&[
            ("env touch x", "argv touch x; transparent"),
            ("env -i A=b touch x", "argv touch x; transparent"),
            ("env -S 'rm -rf x'", "argv rm -rf x; transparent"),
            ("env -vS 'rm -rf x'", "argv rm -rf x; transparent"),
            ("env --split='-i rm x'", "argv env -i rm x; transparent"),
            ("env", "env *; env_dump; plain"),
            ("sudo -u root -n rm x", "privilege root; argv rm x; transparent"),
            ("sudo A=b rm x", "privilege root; argv rm x; transparent"),
            ("sudo -s rm x", "privilege root; sh rm x; transparent"),
            ("sudo -l", "plain"),
            ("nice -n 5 rm x", "argv rm x; transparent"),
            ("nice -5 rm x", "argv rm x; transparent"),
            ("timeout -k 1 10 git status", "argv git status; transparent"),
            ("timeout --sig=KILL 5 rm x", "argv rm x; transparent"),
            ("timeout --nonsense 5 rm x", "obfuscated; argv rm x; transparent; unknown"),
            ("stdbuf -oL rm x", "argv rm x; transparent"),
            ("nohup rm x", "argv rm x; transparent"),
            ("setsid -w rm x", "argv rm x; transparent"),
            ("ionice -c2 -n0 rm x", "argv rm x; transparent"),
            ("chrt -b 0 rm x", "argv rm x; transparent"),
            ("taskset -c 0 rm x", "argv rm x; transparent"),
            ("choom -n 0 -- rm x", "argv rm x; transparent"),
            ("setarch x86_64 rm x", "argv rm x; transparent"),
            ("linux64 rm x", "argv rm x; transparent"),
            ("flock -n l -c 'rm x'", "append l; sh rm x; transparent"),
            ("flock l rm x", "append l; argv rm x; transparent"),
            ("script -qc 'rm x' /dev/null", "sh rm x; transparent"),
            ("strace -o '|rm x' true", "sh rm x; argv true; transparent"),
            ("watch -n 1 rm x", "sh rm x; transparent"),
            ("xargs -n1 rm -f", "argv rm -f +; transparent"),
            ("xargs -I{} sh -c 'rm {}'", "argv sh -c rm …; transparent"),
            ("xargs", "argv echo +; transparent"),
            ("parallel rm ::: a b", "sh rm a; sh rm b; transparent"),
            ("parallel rm {}", "sh rm …; transparent"),
            ("busybox rm -rf x", "argv rm -rf x; transparent"),
            ("su - u -c 'rm x'", "privilege root; sh rm x; transparent"),
            ("runuser -u u -- rm x", "privilege root; argv rm x; transparent"),
            ("systemd-run --user -p ExecStartPre=/bin/x rm y", "argv /bin/x; argv rm y; transparent"),
            ("/lib64/ld-linux-x86-64.so.2 /bin/rm x", "argv /bin/rm x; transparent"),
            ("time -o t rm x", "create t; argv rm x; transparent"),
        ]);
    }
}
