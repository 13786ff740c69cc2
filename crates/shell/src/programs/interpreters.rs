//! Interpreters of programming languages: code by option, by file, by module or from standard input.

use doorward_core::intent::{Direction, WriteMode};
use doorward_knowledge::row::Nature;

use crate::deed::Word;

use super::call::Call;
use super::{modules, word};

/// A script and its arguments, else standard input.
pub(super) fn file_or_stdin(call: &mut Call<'_>, language: &str, instead: &[&str]) {
    if call.any(instead) {
        return;
    }
    let own = call.program.clone();
    let language = if language == "*" { &own } else { language };
    match call.operands.first().cloned() {
        Some(file) if matches!(file.text.as_str(), "-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") => {
            call.run_stdin(language, call.operands_from(1));
        }
        Some(file) => {
            let args = call.operands_from(1);
            call.run_file(&file, language, args);
        }
        None => call.run_stdin(language, Vec::new()),
    }
}

pub(in crate::programs) fn python(call: &mut Call<'_>) {
    if call.any(&["-V", "-VV", "-h", "-?", "--version"]) && call.operands.is_empty() {
        call.nature = Nature::Reads;
        return;
    }
    modules::loaded_for_warnings(call);
    // -c and -m end the options: what the parser took after them belongs to the code.
    let words: Vec<Word> = call.argv.words.iter().skip(1).cloned().collect();
    let ending = words.iter().position(|word| {
        word.text.starts_with('-')
            && !word.text.starts_with("--")
            && word
                .text
                .chars()
                .skip(1)
                .take_while(|letter| !matches!(letter, 'W' | 'X'))
                .any(|letter| matches!(letter, 'c' | 'm'))
    });
    // Whichever comes first takes the rest: `-m zipfile -c x.zip` is the module's own `-c`.
    let first = call.given.iter().find(|given| matches!(given.name, "-c" | "-m")).map(|given| given.name);
    if let Some(text) = call.value("-c").filter(|_| first == Some("-c")) {
        call.strangers.clear();
        // What stands behind the code is what it is given.
        let at = ending.unwrap_or_default();
        let attached = words.get(at).is_some_and(|word| !word.text.ends_with('c'));
        for word in words.get(at + if attached { 1 } else { 2 }..).unwrap_or_default() {
            super::unknown::mention(call, word);
        }
        return call.run_language("python", text);
    }
    if let Some(name) = call.value("-m") {
        let at = ending.unwrap_or_default();
        let attached = words.get(at).is_some_and(|word| !word.text.ends_with('m'));
        let args: Vec<Word> = words.get(at + if attached { 1 } else { 2 }..).unwrap_or_default().to_vec();
        return module(call, &name, args);
    }
    file_or_stdin(call, "python", &[]);
    if let Some(crate::deed::Run::File { path, .. }) = call.deeds.runs.last()
        && path.text.ends_with("manage.py")
    {
        call.beyond_plain = false;
        if matches!(call.operand(1).map(|verb| verb.text).as_deref(), Some("shell" | "shell_plus")) {
            let words = call.operands_from(2);
            super::build::project_shell(call, &words);
        }
        if matches!(call.operand(1).map(|verb| verb.text).as_deref(), Some("flush" | "sqlflush" | "reset_db"))
        {
            call.finding("shell.data_loss", "empties the project's database");
        }
    }
}

/// `python -m NAME`.
fn module(call: &mut Call<'_>, name: &Word, args: Vec<Word>) {
    let first = args.first().map(|word| word.text.clone()).unwrap_or_default();
    let as_program = |program: &str| {
        let mut words = vec![word::instead(name, program.to_owned())];
        words.extend(args.iter().cloned());
        words
    };
    call.strangers.clear();
    modules::loaded_by_module(call, name, &args);
    match name.text.as_str() {
        "pip" | "pip3" | "pytest" | "py.test" | "unittest" | "tox" | "nox" | "black" | "ruff" | "mypy"
        | "flake8" | "isort" | "pylint" | "poetry" | "pipx" | "uv" | "twine" | "coverage" | "pre_commit"
        | "ansible" | "gunicorn" | "uvicorn" | "flask" | "django" | "jupyter" | "build" | "virtualenv"
        | "venv" | "pyright" | "bandit" | "mkdocs" | "sphinx" | "hatch" | "pdm" | "celery" | "pipenv"
        | "ipython" | "IPython" => {
            let program = name.text.replace('_', "-").to_ascii_lowercase();
            let words = as_program(&program);
            call.run_argv(words);
            call.transparent();
            call.beyond_plain = false;
        }
        "timeit" => {
            let mut iter = args.iter();
            while let Some(arg) = iter.next() {
                match arg.text.as_str() {
                    "-n" | "-r" | "-u" | "--number" | "--repeat" | "--unit" => {
                        iter.next();
                    }
                    text if text.starts_with('-') && text != "-s" => {}
                    "-s" => {}
                    _ => call.run_language("python", arg.clone()),
                }
            }
        }
        "pdb" | "trace" | "cProfile" | "profile" | "runpy" | "doctest" | "memory_profiler" | "debugpy"
        | "line_profiler" => {
            run_below(call, &name.text, &args);
        }
        "http.server" | "SimpleHTTPServer" | "pyftpdlib" | "smtpd" | "pydoc"
            if name.text != "pydoc" || first.starts_with("-p") || first.starts_with("-b") =>
        {
            let port = args.iter().find_map(|arg| arg.text.parse().ok()).or(Some(8000));
            let here = args.iter().any(|arg| matches!(arg.text.as_str(), "127.0.0.1" | "localhost" | "::1"));
            call.listen(if here { "127.0.0.1" } else { "*" }, port, "http");
            if !here {
                call.finding("shell.upload", "serves the files of this folder to others");
            }
        }
        "fileinput" | "uu" | "pprint" | "pickletools" | "symtable" | "mimetypes" | "netrc" | "plistlib"
        | "html" | "csv" => {
            args.iter().filter(|word| !word.text.starts_with('-')).for_each(|file| call.read(file));
        }
        "json.tool" | "this" | "calendar" | "platform" | "site" | "sysconfig" | "tokenize" | "ast"
        | "dis" | "tabnanny" | "compileall" | "py_compile" | "pydoc" | "ensurepip" | "zipapp" | "base64"
        | "gzip" | "quopri" => {
            call.beyond_plain = true;
            let files: Vec<Word> = args.iter().filter(|word| !word.text.starts_with('-')).cloned().collect();
            if let Some(file) = files.first() {
                call.read(file);
            }
            if matches!(name.text.as_str(), "base64" | "gzip" | "quopri")
                && args.iter().any(|arg| matches!(arg.text.as_str(), "-d" | "-u"))
            {
                call.deeds.output = crate::deed::Output::Decoded;
            }
            if let (Some(file), "json.tool") = (files.get(1), name.text.as_str()) {
                call.write(file, WriteMode::Create);
            }
            if matches!(
                name.text.as_str(),
                "json.tool"
                    | "this"
                    | "calendar"
                    | "platform"
                    | "site"
                    | "sysconfig"
                    | "tokenize"
                    | "ast"
                    | "dis"
                    | "tabnanny"
                    | "base64"
                    | "pydoc"
            ) {
                call.nature = Nature::Reads;
            }
        }
        "zipfile" | "tarfile" => {
            let files: Vec<Word> = args.iter().filter(|word| !word.text.starts_with('-')).cloned().collect();
            if first == "-c" || first == "--create" {
                call.beyond_plain = true;
                if let Some(archive) = files.first() {
                    call.write(archive, WriteMode::Create);
                }
                files.iter().skip(1).for_each(|file| call.read(file));
            } else {
                if let Some(archive) = files.first() {
                    call.read(archive);
                }
                if let Some(folder) = files.get(1) {
                    call.write(folder, WriteMode::Create);
                }
            }
        }
        "code" | "asyncio" => call.run_stdin("python", Vec::new()),
        "telnetlib" | "ftplib" | "webbrowser" | "urllib" => call.contact_unknown("tcp", Direction::Both),
        _ => {
            // A module of the project or of what is installed.
            let code = args.iter().position(|arg| arg.text == "-c").and_then(|at| args.get(at + 1));
            if let Some(code) = code.filter(|code| code.text.contains(['(', ';', ' '])) {
                call.run_language("python", code.clone());
            }
            if name.text == "pyperf" && first == "timeit" {
                args.iter().skip(1).filter(|arg| !arg.text.starts_with('-')).for_each(|arg| {
                    call.run_language("python", arg.clone());
                });
            }
            let path = word::instead(name, format!("{}.py", name.text.replace('.', "/")));
            call.run_file(&path, "python", args);
        }
    }
}

/// The script that a profiler or debugger of Python runs, and the files that its own options write.
fn run_below(call: &mut Call<'_>, module: &str, args: &[Word]) {
    let (written, values): (&[&str], &[&str]) = match module {
        "cProfile" | "profile" => (&["-o", "--outfile"], &["-s", "--sort"]),
        "memory_profiler" => (&["-o"], &["--precision"]),
        "trace" => (&["-f", "--file", "-C", "--coverdir"], &["--ignore-module", "--ignore-dir"]),
        "pdb" => (&[], &["-c"]),
        "debugpy" => (&["--log-to"], &["--listen", "--connect"]),
        _ => (&[], &[]),
    };
    let mut rest = args.iter().enumerate();
    while let Some((at, arg)) = rest.next() {
        let (option, attached) = match word::halves(arg, '=') {
            Some((option, value)) => (option.text, Some(value)),
            None => (arg.text.clone(), None),
        };
        let is_written = written.contains(&option.as_str());
        if is_written || values.contains(&option.as_str()) {
            let value = attached.or_else(|| rest.next().map(|(_, next)| next.clone()));
            match value {
                Some(file) if is_written => call.write(&file, WriteMode::Create),
                Some(text) if option == "-c" => call.run_language("python", text),
                _ => {}
            }
        } else if !arg.text.starts_with('-') {
            return call.run_file(arg, "python", args.get(at + 1..).unwrap_or_default().to_vec());
        }
    }
}

/// perl's switches cluster, and some take the rest of the word.
pub(in crate::programs) fn perl(call: &mut Call<'_>) {
    let words = call.operands.clone();
    let mut at = 0;
    let mut code: Vec<Word> = Vec::new();
    let mut in_place = false;
    let mut checks = false;
    'words: while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        if text == "--" {
            at += 1;
            break;
        }
        if text == "-" || !text.starts_with('-') {
            break;
        }
        at += 1;
        if matches!(text, "--version" | "--help") {
            call.nature = Nature::Reads;
            return;
        }
        for (index, letter) in text.char_indices().skip(1) {
            let rest = super::word::slice(word, index + letter.len_utf8(), text.len());
            match letter {
                'e' | 'E' => {
                    if rest.text.is_empty() {
                        code.extend(words.get(at).cloned());
                        at += 1;
                    } else {
                        code.push(rest);
                    }
                    continue 'words;
                }
                'i' => {
                    in_place = true;
                    continue 'words;
                }
                'M' | 'm' => {
                    code.extend(modules::of_perl(call, &rest));
                    continue 'words;
                }
                'I' | 'x' | 'D' => {
                    let next = words.get(at).filter(|_| rest.text.is_empty());
                    if letter == 'I' {
                        at += usize::from(rest.text.is_empty());
                        let folder = next.unwrap_or(&rest).operand();
                        call.deeds.module_folders.push(folder);
                    }
                    continue 'words;
                }
                'F' | 'C' | '0' | 'l' | 'T' | 't' | 'd' => {
                    if letter == 'd' && rest.text.starts_with([':', 't']) {
                        modules::debugging_perl(call, &rest);
                        continue 'words;
                    }
                    if matches!(letter, 'F' | 'C') {
                        continue 'words;
                    }
                }
                'c' => checks = true,
                'v' | 'V' | 'h' => {
                    call.nature = Nature::Reads;
                    return;
                }
                'a' | 'n' | 'p' | 's' | 'S' | 'u' | 'U' | 'w' | 'W' | 'X' | 'f' | 'g' => {}
                letter if letter.is_ascii_digit() || letter == 'x' => {}
                _ => call.deeds.known = false,
            }
        }
    }
    let rest = words.get(at..).unwrap_or_default().to_vec();
    let _ = checks;
    finish_script(call, "perl", &code, in_place, rest);
}

/// What the operand of a loop over files opens, beside a file to be read.
enum Opened {
    Command(Word),
    Written(Word, WriteMode),
}

/// Perl's `<>` and Ruby's `ARGF` open an operand by what stands at its ends (perlop(1), "I/O Operators"): `CMD|` and
/// `|CMD` run a command, `>FILE` and `>>FILE` write.
fn opened_by_content(file: &Word) -> Option<Opened> {
    let text = file.text.trim();
    let from = file.text.find(text).unwrap_or_default();
    let part = |start: usize, end: usize| super::word::slice(file, from + start, from + end);
    if text.len() > 1 && text.starts_with('|') {
        return Some(Opened::Command(part(1, text.len())));
    }
    if text.len() > 1 && text.ends_with('|') {
        return Some(Opened::Command(part(0, text.len() - 1)));
    }
    let written = text.trim_start_matches(['>', '+', '<', '&', '=']);
    let mode =
        text.get(..text.len() - written.len()).filter(|mode| mode.contains('>') || mode.starts_with("+<"))?;
    let start = text.len() - written.trim_start().len();
    let how = if mode.contains(">>") { WriteMode::Append } else { WriteMode::Create };
    Some(Opened::Written(part(start, text.len()), how))
}

/// Code that leaves nothing of a line, without its blanks (perlop(1), perlfunc(1)).
const EMPTY_LINE: &[&str] = &[
    "$_=\"\"",
    "$_=''",
    "$_=q()",
    "$_=qq()",
    "$_=undef",
    "undef$_",
    "undef($_)",
    "s/.*\\n//",
    "s/.*//s",
    "s/.+//s",
];

fn finish_script(call: &mut Call<'_>, language: &str, code: &[Word], in_place: bool, rest: Vec<Word>) {
    if code.is_empty() {
        match rest.split_first() {
            Some((file, _)) if file.text == "-" => call.run_stdin(language, Vec::new()),
            Some((file, args)) => call.run_file(file, language, args.to_vec()),
            None => call.run_stdin(language, Vec::new()),
        }
        return;
    }
    let joined = super::word::join(code);
    if let Some(text) = joined {
        call.run_language(language, text);
    }
    for file in &rest {
        match opened_by_content(file) {
            Some(Opened::Command(line)) => call.run_shell(line),
            Some(Opened::Written(file, mode)) => call.write(&file, mode),
            None if in_place => call.write(file, WriteMode::InPlace),
            None => call.read(file),
        }
    }
    // `-n` without a print: nothing comes back.
    let loops = |letter: char| {
        call.operands.iter().any(|word| {
            word.text.starts_with('-')
                && !word.text.starts_with("--")
                && word.text.chars().take(4).any(|l| l == letter)
        })
    };
    let prints = code.iter().any(|code| {
        code.known().is_none()
            || ["print", "say", "puts", "write"].iter().any(|name| code.text.contains(name))
    });
    // `-p` prints `$_`, which the code has emptied.
    let nothing_left = code.iter().any(|code| {
        let plain: String = code.text.split_whitespace().collect();
        EMPTY_LINE.iter().any(|text| plain.contains(text))
    });
    if in_place && (loops('n') && !loops('p') && !prints || loops('p') && nothing_left) {
        call.empties();
    }
}

pub(in crate::programs) fn ruby(call: &mut Call<'_>) {
    if call.program == "irb" {
        return call.run_stdin("ruby", Vec::new());
    }
    let words = call.operands.clone();
    let mut at = 0;
    let mut code: Vec<Word> = Vec::new();
    let mut in_place = false;
    let mut un = false;
    'words: while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        if text == "--" {
            at += 1;
            break;
        }
        if text == "-" || !text.starts_with('-') {
            break;
        }
        at += 1;
        if let Some(long) = text.strip_prefix("--") {
            match long {
                "version" | "copyright" | "help" => {
                    call.nature = Nature::Reads;
                    return;
                }
                "require" => {
                    at += 1;
                    if let Some(file) = words.get(at - 1) {
                        call.run_file(file, "ruby", Vec::new());
                    }
                }
                "encoding" | "external-encoding" | "internal-encoding" => at += 1,
                _ => {
                    if let Some(file) = super::word::after(word, "--require=") {
                        call.run_file(&file, "ruby", Vec::new());
                    }
                }
            }
            continue;
        }
        for (index, letter) in text.char_indices().skip(1) {
            let rest = super::word::slice(word, index + 1, text.len());
            match letter {
                'e' => {
                    if rest.text.is_empty() {
                        code.extend(words.get(at).cloned());
                        at += 1;
                    } else {
                        code.push(rest);
                    }
                    continue 'words;
                }
                'i' => {
                    in_place = true;
                    continue 'words;
                }
                'r' => {
                    let name = if rest.text.is_empty() {
                        at += 1;
                        words.get(at - 1).cloned().unwrap_or_default()
                    } else {
                        rest
                    };
                    un |= name.text == "un";
                    if name.text.contains(['/', '.']) {
                        call.run_file(&name, "ruby", Vec::new());
                    } else {
                        call.module(&name, "ruby");
                    }
                    continue 'words;
                }
                'I' | 'C' | 'E' => {
                    let value =
                        if rest.text.is_empty() { words.get(at).cloned() } else { Some(rest.clone()) };
                    at += usize::from(rest.text.is_empty());
                    if let Some(folder) = value.filter(|_| letter == 'I') {
                        call.deeds.module_folders.push(folder.operand());
                    }
                    continue 'words;
                }
                'F' | 'K' | 'T' | 'W' | 'x' | '0' => continue 'words,
                'v' if text == "-v" && words.len() == 1 => {
                    call.nature = Nature::Reads;
                    return;
                }
                _ => {}
            }
        }
    }
    let rest = words.get(at..).unwrap_or_default().to_vec();
    // un.rb: Unix commands as methods, `ruby -run -e rm -- -r x`.
    if un && let Some(name) = code.first() {
        if name.text == "httpd" {
            call.listen("*", Some(8080), "http");
            return call.finding("shell.upload", "serves the files of this folder to others");
        }
        let mut argv = vec![name.clone()];
        argv.extend(rest);
        return call.run_argv(argv);
    }
    finish_script(call, "ruby", &code, in_place, rest);
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn code_is_found_where_interpreters_take_it() {
        check(&[
            ("python3 -c 'import os'", "python import os"),
            ("python3 -Ic 'x' y", "python x"),
            ("python3 x.py -c y", "file x.py"),
            ("python3 -", "stdin language(\"python\")"),
            ("python3 -m pip install x", "module (library); argv pip install x; transparent"),
            ("python3 -m http.server 80", "listen *:80; module (library); upload"),
            ("python3 -m json.tool a", "read a; module (library); read-only"),
            ("python3 -m timeit -n 1 'x()'", "module timeit.__main__; python x()"),
            ("python --version", "read-only"),
            ("node -e 'x()'", "javascript x()"),
            ("node --eval=x", "javascript x"),
            ("node -p 1", "javascript 1"),
            ("node -r ./x.js y.js", "file ./x.js; file y.js"),
            ("node -v", "read-only"),
            ("perl -e 'unlink x'", "perl unlink x"),
            ("perl -pi -e s/a/b/ f", "inplace f; perl s/a/b/"),
            ("perl -lane 'print' f", "read f; perl print"),
            ("perl x.pl", "file x.pl"),
            ("ruby -e x", "ruby x"),
            ("ruby -ne 'print' f", "read f; ruby print"),
            ("php -r x", "php x"),
            ("lua -e x", "lua x"),
            ("deno eval x", "javascript x"),
            ("java -jar x.jar", "file x.jar; plain"),
            ("Rscript -e x", "r x"),
        ]);
    }
}
