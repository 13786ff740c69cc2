//! Build tools and compilers.

use doorward_core::intent::{Code, Direction, WriteMode};
use doorward_knowledge::row::Nature;

use crate::deed::Word;

use super::call::Call;
use super::word;

pub(in crate::programs) fn make(call: &mut Call<'_>) {
    for text in call.values("-E") {
        for line in text.text.split("$(shell ").skip(1) {
            let command = word::instead(&text, line.split(')').next().unwrap_or_default().to_owned());
            call.run_shell(command);
        }
        call.run_language("make", text);
    }
    for operand in call.operands.clone() {
        if let Some((name, value)) = word::halves(&operand, '=') {
            if matches!(name.text.as_str(), "MAKEFLAGS" | "GNUMAKEFLAGS" | "MFLAGS") {
                // Options that it is given as if they stood there.
                if let Some((_, code)) = value.text.split_once("--eval=") {
                    let code = word::instead(&value, code.replace("\\ ", " "));
                    call.run_language("make", code);
                }
            } else if let Some((_, text)) = value.text.split_once("$(shell ") {
                let text = word::instead(&value, text.trim_end_matches(')').to_owned());
                call.run_shell(text);
            } else if matches!(name.text.trim_end_matches([':', '?', '+']), "SHELL" | "MAKE") {
                call.run_argv(word::fields(&value));
            } else if name.text.trim_end_matches([':', '?', '+']) == ".SHELLFLAGS" {
                let code = value.text.trim_start_matches("-c").trim().trim_matches(['"', '\'']).to_owned();
                call.run_shell(word::instead(&value, code));
            } else if value.text.contains([';', '|', '&', '`'])
                || super::environment::is_command(&name.text)
                    && !super::environment::is_usual(&name.text, &value.text)
            {
                // Recipes put it where a command stands.
                call.run_shell(value);
            }
        }
    }
    let folder =
        call.value("-C").map(|folder| format!("{}/", folder.text.trim_end_matches('/'))).unwrap_or_default();
    let files = call.values("-f");
    // -n still runs `+` recipes and $(shell …): the file is judged all the same.
    for file in &files {
        if file.text == "-" {
            call.run_stdin("make", Vec::new());
        } else {
            let path = word::instead(file, format!("{folder}{}", file.text));
            call.run_file(&path, "make", Vec::new());
        }
    }
    if files.is_empty() && !call.has("-v") && !call.has("-E") {
        call.run_own(&format!("{folder}Makefile"), Code::None);
    }
    if call.has("-v") {
        call.nature = Nature::Reads;
    }
}

/// Build systems that run the project's own files.
pub(in crate::programs) fn project(call: &mut Call<'_>) {
    let words: Vec<Word> = call.operands.clone();
    let first = words.first().map(|first| first.text.clone()).unwrap_or_default();
    if matches!(
        first.as_str(),
        "--version"
            | "-version"
            | "-v"
            | "version"
            | "--help"
            | "help"
            | "-V"
            | "-h"
            | "--list"
            | "-l"
            | "-T"
            | "--tasks"
            | "tasks"
            | "dependencies"
            | "--summary"
            | "info"
            | "--list-sdks"
            | "--info"
    ) && words.len() == 1
    {
        call.nature = Nature::Reads;
        return;
    }
    if matches!(call.program.as_str(), "pre-commit" | "husky" | "lefthook") && first == "uninstall" {
        return call.finding("shell.tamper", "removes the hooks that check commits");
    }
    // Which files the others obey, whoever looks at files knows.
    let file = match call.program.as_str() {
        "just" => "justfile",
        "task" => "Taskfile.yml",
        "rake" | "rails" => "Rakefile",
        "mvn" | "mvnw" => "pom.xml",
        "gradle" | "gradlew" => "build.gradle",
        "ninja" | "samu" => "build.ninja",
        "cmake" | "ctest" | "cpack" => "CMakeLists.txt",
        "tox" => "tox.ini",
        "pre-commit" => ".pre-commit-config.yaml",
        "gulp" => "gulpfile.js",
        "grunt" => "Gruntfile.js",
        _ => "",
    };
    if call.program.contains("tex") {
        for text in words.iter().filter(|word| word.text.starts_with('\\')) {
            call.run_language("tex", text.clone());
        }
    }
    if runner(call, &words) {
        return;
    }
    let mut iter = words.iter().peekable();
    let mut named = false;
    while let Some(word) = iter.next() {
        let text = word.text.as_str();
        match text {
            "--taskfile" | "-t" if call.program == "task" => {
                if let Some(file) = iter.next() {
                    named = true;
                    call.run_file(file, "recipe", Vec::new());
                }
            }
            "-f" | "--file" if call.program == "doit" => {
                if let Some(file) = iter.next() {
                    named = true;
                    call.run_file(file, "python", Vec::new());
                }
            }
            "-P" if call.program == "cmake" => {
                if let Some(script) = iter.next() {
                    named = true;
                    call.run_file(script, "cmake", Vec::new());
                }
            }
            "-E" if call.program == "cmake" => return cmake_tool(call, &words),
            "-c" | "--command" if call.program == "just" => {
                let words: Vec<Word> = iter.cloned().collect();
                return call.run_argv(words);
            }
            "-f" | "--file" | "--justfile" | "-file" | "-buildfile" | "-b" | "--build-file" | "-C" | "-c"
            | "--init-script" | "-I"
                if matches!(
                    call.program.as_str(),
                    "just"
                        | "task"
                        | "rake"
                        | "mvn"
                        | "gradle"
                        | "ant"
                        | "ninja"
                        | "make"
                        | "tox"
                        | "pre-commit"
                        | "gradlew"
                        | "invoke"
                        | "scons"
                ) =>
            {
                if let Some(file) = iter.next()
                    && text != "-C"
                {
                    named = true;
                    call.run_file(file, "", Vec::new());
                }
            }
            "-e" | "-E" | "--execute" | "--execute-continue" | "-p" | "--execute-print"
                if call.program == "rake" =>
            {
                if let Some(code) = iter.next() {
                    call.run_language("ruby", code.clone());
                }
            }
            "exec" if call.program == "tox" => {
                let words: Vec<Word> = iter
                    .cloned()
                    .skip_while(|word| word.text.starts_with('-') && word.text != "--")
                    .collect();
                let words = words.strip_prefix(&[][..]).unwrap_or(&words).to_vec();
                let at = usize::from(words.first().is_some_and(|word| word.text == "--"));
                return call.run_argv(words.get(at..).unwrap_or_default().to_vec());
            }
            _ if text.starts_with("--run_under=") => {
                if let Some(program) = word::after(word, "--run_under=") {
                    call.run_program(&program);
                }
            }
            "--shell" | "--shell-arg" if call.program == "just" => {
                if let Some(shell) = iter.next() {
                    call.run_file(shell, "", Vec::new());
                }
            }
            _ => {}
        }
    }
    if call.program == "cmake" && first == "--build" || !named {
        match file {
            "" => call.acts = true,
            file => call.run_own(file, Code::None),
        }
        call.beyond_plain |= named;
    }
    if let Some(at) = words.iter().position(|word| {
        matches!(
            word.text.as_str(),
            "db:drop"
                | "db:reset"
                | "db:schema:load"
                | "ecto.drop"
                | "ecto.reset"
                | "migrate:fresh"
                | "migrate:reset"
                | "db:wipe"
                | "sql_flush"
                | "flush"
        )
    }) && let Some(word) = words.get(at)
    {
        call.finding("shell.data_loss", format!("{} destroys the project's database", word.text));
    }
    if matches!(first.as_str(), "publish" | "deploy" | "release" | "hex.publish" | "push")
        && !matches!(call.program.as_str(), "just" | "task" | "rake")
    {
        call.contact_unknown("https", Direction::Send);
        call.finding("shell.upload", format!("`{} {first}` publishes", call.program));
    }
}

/// Sub-commands that run code or a command line out of their words; whether it was one.
fn runner(call: &mut Call<'_>, words: &[Word]) -> bool {
    let first = words.first().map(|first| first.text.as_str()).unwrap_or_default();
    let code_after = |names: &[&str]| {
        words.iter().enumerate().find_map(|(at, word)| {
            if names.contains(&word.text.as_str()) {
                return words.get(at + 1).cloned();
            }
            word::halves(word, '=')
                .filter(|(name, _)| names.contains(&name.text.as_str()))
                .map(|(_, value)| value)
        })
    };
    // The command line behind a sub-command and its options.
    let tail = |from: usize| {
        let rest = words.get(from..).unwrap_or_default();
        let at = rest.iter().position(|word| word.text == "--").map_or_else(
            || rest.iter().position(|word| !word.text.starts_with('-')).unwrap_or(rest.len()),
            |at| at + 1,
        );
        rest.get(at..).unwrap_or_default().to_vec()
    };
    match (call.program.as_str(), first) {
        ("rails", "runner" | "r") => match words.iter().skip(1).rfind(|word| !word.text.starts_with('-')) {
            Some(file) if file.text.ends_with(".rb") => call.run_file(file, "ruby", Vec::new()),
            Some(code) => call.run_language("ruby", code.clone()),
            None => return false,
        },
        ("rails", "console" | "c") => call.run_stdin("ruby", Vec::new()),
        ("mix", "run" | "eval") => {
            let code =
                code_after(&["-e", "--eval"]).or_else(|| words.get(1).filter(|_| first == "eval").cloned());
            match code {
                Some(code) => call.run_language("elixir", code),
                None => return false,
            }
        }
        ("mix", "cmd") | ("meson", "devenv") | ("stack" | "cabal", "exec") => call.run_argv(tail(1)),
        ("sbt", _) => {
            let code =
                words.iter().find(|word| word.text.trim_start_matches([';', ' ']).starts_with("eval "));
            match code {
                Some(code) => call.run_language("scala", code.clone()),
                None => return false,
            }
        }
        ("mvn" | "mvnw", _) => {
            let setting = |name: &str| words.iter().find_map(|word| word::after(word, name));
            let Some(program) = setting("-Dexec.executable=") else { return false };
            let mut argv = vec![program];
            argv.extend(setting("-Dexec.args=").iter().flat_map(word::fields));
            call.run_argv(argv);
        }
        ("ctest", _) => {
            let Some(at) = words.iter().position(|word| word.text == "--test-command") else { return false };
            call.run_argv(words.get(at + 1..).unwrap_or_default().to_vec());
        }
        ("dotnet", "fsi") => match words.iter().skip(1).find(|word| !word.text.starts_with('-')) {
            Some(file) => call.run_file(file, "fsharp", Vec::new()),
            None => call.run_stdin("fsharp", Vec::new()),
        },
        ("v", "run") => match words.get(1) {
            Some(file) if file.text != "-" => call.run_file(file, "v", Vec::new()),
            _ => call.run_stdin("v", Vec::new()),
        },
        ("v", "-e") => match words.get(1) {
            Some(code) => call.run_language("v", code.clone()),
            None => return false,
        },
        ("flask" | "django-admin", "shell" | "shell_plus") => project_shell(call, words),
        ("dotnet", "script") => match code_after(&["eval", "-e"]) {
            Some(code) => call.run_language("csharp", code),
            None => return false,
        },
        ("cmake", "--build") => {
            // What stands behind `--` is the build tool's.
            let Some(at) = words.iter().position(|word| word.text == "--") else { return false };
            let mut argv = vec![Word::literal("make", call.span())];
            argv.extend(words.iter().skip(at + 1).cloned());
            call.run_argv(argv);
            call.beyond_plain = false;
        }
        _ => return false,
    }
    true
}

/// `cmake -E`: a tool box of its own.
fn cmake_tool(call: &mut Call<'_>, words: &[Word]) {
    let at = words.iter().position(|word| word.text == "-E").unwrap_or_default();
    let rest: Vec<Word> = words.get(at + 1..).unwrap_or_default().to_vec();
    let Some((verb, args)) = rest.split_first() else { return };
    let program = match verb.text.as_str() {
        "rm" | "remove" => "rm -f",
        "remove_directory" => "rm -rf",
        "copy" | "copy_if_different" | "copy_directory" => "cp",
        "rename" => "mv",
        "touch" => "touch",
        "make_directory" => "mkdir -p",
        "create_symlink" => "ln -s",
        "tar" => "tar",
        "env" | "time" => "env",
        "chdir" => "env -C",
        "cat" => "cat",
        "echo" => "echo",
        "sleep" => "sleep",
        "compare_files" | "md5sum" | "sha1sum" | "sha256sum" | "capabilities" | "environment" => "md5sum",
        _ => return call.unknown_sub(&verb.clone()),
    };
    let mut argv: Vec<Word> = program.split(' ').map(|part| Word::literal(part, verb.span)).collect();
    argv.extend(args.iter().cloned());
    call.run_argv(argv);
    call.transparent();
}

/// Compilers read sources, write an output, and can load plugins or run other programs.
pub(in crate::programs) fn compiler(call: &mut Call<'_>) {
    let words = call.operands.clone();
    let wrapper = matches!(call.program.as_str(), "ccache" | "sccache" | "distcc");
    if wrapper && words.first().is_some_and(|first| !first.text.starts_with('-')) {
        return super::wrappers::tail(call, 0);
    }
    let mut iter = words.iter();
    let mut output = None;
    let mut sources = 0;
    while let Some(word) = iter.next() {
        let text = word.text.as_str();
        match text {
            // What it depends on, as a makefile's rules.
            "-MF" => {
                if let Some(file) = iter.next() {
                    call.write(file, WriteMode::Create);
                }
            }
            "-o" | "--output" | "-d" | "--out-dir" | "--emit" | "-outfile" => {
                if let Some(file) = iter.next() {
                    output = Some(file.clone());
                }
            }
            "--version" | "-v" | "-dumpversion" | "-dumpmachine" | "--help" | "-version" | "-V" | "-vV"
            | "--print" | "-print-search-dirs"
                if words.len() <= 2 =>
            {
                call.nature = Nature::Reads;
                return;
            }
            "-wrapper" => {
                if let Some(program) = iter.next() {
                    call.run_argv(word::split(program, ','));
                }
            }
            "-run" if call.program == "tcc" => {
                match iter.next() {
                    Some(file) if file.text != "-" => call.run_file(file, "c", iter.cloned().collect()),
                    _ => call.run_stdin("c", Vec::new()),
                }
                return;
            }
            // Nobody keeps source that arrives like this: it is compiled to be run.
            "-" => call.run_stdin("c", Vec::new()),
            "-B" => {
                if let Some(folder) = iter.next() {
                    call.module(folder, "compiler");
                }
            }
            "-specs" | "-load" | "-plugin" | "-fplugin" | "--compiler-bindir" => {
                if let Some(program) = iter.next() {
                    call.run_file(program, "", Vec::new());
                }
            }
            "-I" | "-L" | "-l" | "-D" | "-U" | "-include" | "-isystem" | "-x" | "-std" | "-target"
            | "-arch" | "-T" | "-C" | "--edition" | "--crate-name" | "--crate-type" | "--target"
            | "--extern" | "-cp" | "-classpath" | "-sourcepath" | "-Xlinker" | "-framework" | "-MT"
            | "-MQ" | "--cfg" | "--cap-lints" => {
                if let Some(value) = iter.next()
                    && matches!(text, "-include" | "-T")
                {
                    call.read(value);
                }
            }
            _ if text.starts_with("-fplugin=")
                || text.starts_with("-specs=")
                || text.starts_with("-Clinker=")
                || text.starts_with("--plugin=") =>
            {
                if let Some((_, file)) = word::halves(word, '=') {
                    call.run_file(&file, "", Vec::new());
                }
            }
            _ if text.starts_with("-B") => {
                if let Some(folder) = word::after(word, "-B") {
                    call.module(&folder, "compiler");
                }
            }
            _ if text.starts_with("-o") && text.len() > 2 => output = word::after(word, "-o"),
            _ if text.starts_with('@') => {
                if let Some(file) = word::after(word, "@") {
                    call.read(&file);
                }
            }
            _ if text.starts_with('-') => {}
            _ => {
                sources += 1;
                call.read(word);
            }
        }
    }
    match output {
        Some(file) => {
            call.nature = Nature::Named;
            call.write(&file, WriteMode::Create);
        }
        None if sources > 0
            && matches!(call.program.as_str(), "gcc" | "g++" | "cc" | "c++" | "clang" | "clang++")
            && !words.iter().any(|word| {
                matches!(word.text.as_str(), "-c" | "-S" | "-E" | "-fsyntax-only" | "-M" | "-MM")
            }) =>
        {
            call.nature = Nature::Named;
            call.write_named("a.out", WriteMode::Create);
        }
        None => {}
    }
}

/// The `shell` of a Python web framework.
pub(super) fn project_shell(call: &mut Call<'_>, words: &[Word]) {
    let at = words.iter().position(|word| matches!(word.text.as_str(), "-c" | "--command"));
    let attached = words.iter().find_map(|word| word::after(word, "--command="));
    match at.and_then(|at| words.get(at + 1).cloned()).or(attached) {
        Some(code) => call.run_language("python", code),
        None => call.run_stdin("python", Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn projects_run_their_own_files() {
        check(&[
            ("make -j2 build", "file Makefile; plain"),
            ("make -n clean", "file Makefile; plain"),
            ("make -f x.mk", "file x.mk"),
            ("make --eval='x:;rm y' x", "make x:;rm y"),
            ("just build", "file justfile; plain"),
            ("cmake -P x.cmake", "file x.cmake"),
            ("cmake -E rm x", "argv rm -f x; transparent"),
            ("gcc -o a a.c", "read a.c; create a; plain"),
            ("pytest -q tests", "module tests; plain"),
            ("eslint src", "plain"),
            ("rustc --version", "read-only"),
            ("rustc -C linker=./e a.rs", "read a.rs; argv ./e"),
            ("rake db:drop", "data_loss; file Rakefile"),
        ]);
    }
}
