//! Variables whose words a program reads as options: what those load, run or open.

use crate::deed::Word;

use super::super::call::Call;
use super::super::word;

/// A variable whose words another program reads as its own options: judged as such a call of it.
fn options_of(call: &mut Call<'_>, program: &str, value: &Word) {
    let mut argv = vec![Word::literal(program, value.span)];
    argv.extend(word::fields(value));
    if program == "less" {
        // `+` takes the rest: what is typed at the first page.
        if let Some((_, typed)) = value.text.split_once("+!") {
            return call.run_shell(word::instead(value, typed.to_owned()));
        }
    }
    call.run_argv(argv);
}

/// Options of Java that load an agent, run a command on an error, or open a port for a debugger.
pub(in crate::programs) fn java_options(call: &mut Call<'_>, carrier: &str, parts: &[Word]) {
    for part in parts {
        let agent = ["-agentpath:", "-agentlib:", "-javaagent:"]
            .iter()
            .find_map(|front| word::after(part, front).map(|file| (*front, file)));
        match agent {
            Some((_, settings)) if settings.text.starts_with("jdwp") => {
                if settings.text.contains("server=y") && !settings.text.contains("address=localhost") {
                    call.listen("0.0.0.0", None, "jdwp");
                    call.finding("shell.obfuscated", "lets whoever connects run code in this Java program");
                }
            }
            Some((_, file)) => {
                let file = word::split(&file, '=').into_iter().next().unwrap_or(file);
                call.run_native(&file);
            }
            None => {
                // The value may be quoted, and its words then stand apart.
                if part.text.contains("-XX:OnError=") || part.text.contains("-XX:OnOutOfMemoryError=") {
                    if let Some((_, text)) = word::halves(part, '=') {
                        call.run_shell(text);
                    }
                    call.finding("shell.obfuscated", format!("{carrier} makes Java run something else"));
                }
            }
        }
    }
}

pub(super) fn carried(call: &mut Call<'_>, name: &str, value: &Word) {
    call.acts = true;
    match name {
        "NODE_OPTIONS" | "npm_config_node_options" | "NPM_CONFIG_NODE_OPTIONS" | "RUBYOPT" | "PERL5OPT" => {
            let language = match name {
                "RUBYOPT" => "ruby",
                "PERL5OPT" => "perl",
                _ => "javascript",
            };
            // `-Mmodule;code`: the rest is code.
            if let Some((_, code)) = value.text.split_once("-M").filter(|(_, code)| code.contains([';', '(']))
            {
                call.run_language(language, word::instead(value, code.to_owned()));
                return;
            }
            let parts = word::fields(value);
            let mut parts = parts.iter();
            while let Some(part) = parts.next() {
                let (option, attached) = match word::halves(part, '=') {
                    Some((option, value)) => (option.text, Some(value)),
                    None => (part.text.clone(), None),
                };
                let loads = matches!(
                    option.as_str(),
                    "-r" | "--require" | "--import" | "--loader" | "--experimental-loader" | "-M" | "-I"
                );
                if loads {
                    let given = attached.or_else(|| parts.next().cloned());
                    // `--import=data:text/javascript,code`: the module is the code.
                    if let Some(code) = given.as_ref().and_then(|file| word::after(file, "data:")) {
                        let code = code.text.split_once(',').map_or("", |(_, code)| code);
                        let code = word::instead(part, super::super::url::percent_decoded(code));
                        call.run_language(language, code);
                    } else if let Some(file) = given {
                        call.run_file(&file, language, Vec::new());
                    }
                } else if let Some(file) = word::after(part, "-r").or_else(|| word::after(part, "-M")) {
                    if file.text.contains([';', '(']) {
                        call.run_language(language, file);
                    } else {
                        call.run_file(&file, language, Vec::new());
                    }
                }
            }
        }
        "ERL_FLAGS" | "ERL_AFLAGS" | "ERL_ZFLAGS" | "ELIXIR_ERL_OPTIONS" => {
            if let Some((_, code)) = value.text.split_once("-eval") {
                let code = code.trim().trim_matches(['\'', '"']).replace("\\\"", "\"");
                call.run_language("erlang", word::instead(value, code));
            }
        }
        "JAVA_TOOL_OPTIONS" | "_JAVA_OPTIONS" | "JDK_JAVA_OPTIONS" | "MAVEN_OPTS" | "GRADLE_OPTS"
        | "SBT_OPTS" => java_options(call, name, &word::fields(value)),
        // Git writes the whole file anew.
        "GIT_INDEX_FILE" if !value.text.contains(".git/") => {
            call.write(value, doorward_core::intent::WriteMode::Create);
        }
        "PYTHONWARNINGS" => super::super::modules::warning_category(call, value),
        "MANOPT" => options_of(call, "man", value),
        "SYSTEMD_LESS" | "LESS" => options_of(call, "less", value),
        "ANT_ARGS" => options_of(call, "ant", value),
        "RIPGREP_CONFIG_PATH" => call.run_file(value, "rgrc", Vec::new()),
        // Read as if they stood on the program's command line.
        "MAKEFLAGS" | "GNUMAKEFLAGS" | "MFLAGS" | "TAR_OPTIONS" | "GREP_OPTIONS" | "PYTEST_ADDOPTS"
        | "GOFLAGS" => {
            let program = match name {
                "TAR_OPTIONS" => "tar",
                "GREP_OPTIONS" => "grep",
                "PYTEST_ADDOPTS" => "pytest",
                "GOFLAGS" => "go",
                _ => "make",
            };
            if program == "make" {
                call.run_language("make", value.clone());
            }
            let mut words = vec![Word::literal(program, value.span)];
            words.extend(quoted_fields(value));
            let place = call.argv.place.clone();
            call.run(crate::deed::Run::Argv {
                words,
                assignments: Vec::new(),
                more_operands: false,
                via: name.to_owned(),
                place,
                chdir: None,
                passes_stdin: false,
            });
        }
        _ if name.ends_with("RUSTFLAGS") || name.ends_with("RUSTDOCFLAGS") => {
            call.remark("shell.shadowed", format!("{name} changes what the program does"));
            linker(call, value);
        }
        // Start-up files of the shell in front of which it stands.
        "HOME" | "ZDOTDIR" if matches!(call.program.as_str(), "bash" | "sh" | "zsh" | "ksh" | "dash") => {
            let files: &[&str] = match name {
                "ZDOTDIR" => &[".zshenv", ".zshrc"],
                _ => &[".bash_profile", ".bashrc", ".profile"],
            };
            for file in files {
                let path = word::instead(value, format!("{}/{file}", value.text.trim_end_matches('/')));
                call.run_file(&path, "shell", Vec::new());
            }
        }
        _ => {
            let runs = value.text.contains("exec")
                || value.text.contains("command")
                || value.text.contains('!')
                || name.starts_with("GIT_CONFIG");
            if runs {
                call.finding("shell.obfuscated", format!("{name} can make the program run something else"));
            } else {
                call.remark("shell.shadowed", format!("{name} changes what the program does"));
                settings_file(call, name, value);
            }
        }
    }
}

/// The program that options of rustc name as the linker: `-C linker=PROGRAM`, `-Clinker=PROGRAM`. Cargo's encoded form
/// has a separator of its own between them.
fn linker(call: &mut Call<'_>, value: &Word) {
    let mut words = value.text.split([' ', '\u{1f}']).filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        let setting = match word {
            "-C" | "--codegen" => words.next(),
            _ => word.strip_prefix("-C").or_else(|| word.strip_prefix("--codegen=")),
        };
        if let Some(program) = setting.and_then(|setting| setting.strip_prefix("linker=")) {
            call.run_program(&word::instead(value, program.to_owned()));
        }
    }
}

/// A variable that names a file of settings or code (`YARN_YARN_PATH=/tmp/x.js`, `ANSIBLE_CONFIG=x.cfg`): what stands in
/// it counts, where it can be read. Folders, files that are written, and files of credentials are no such files.
pub(super) fn settings_file(call: &mut Call<'_>, name: &str, value: &Word) {
    let text = value.text.as_str();
    let upper = name.to_ascii_uppercase();
    let last = text.rsplit('/').next().unwrap_or_default();
    let is_file = last.trim_start_matches('.').contains('.')
        || ["CONFIG", "RC", "FILE", "CONF"].iter().any(|end| upper.ends_with(end));
    let is_written = matches!(name, "HISTFILE" | "SSLKEYLOGFILE");
    // To log in by a file of one's own is its ordinary use.
    let is_login =
        ["KUBECONFIG", "USERCONFIG", "NETRC", "PASS", "CREDENTIAL", "KEY", "TOKEN", "CERT", "SECRET"]
            .iter()
            .any(|part| upper.contains(part))
            || ["npmrc", "netrc", "pypirc", "kubeconfig", "credentials", ".env", "config.json"]
                .iter()
                .any(|end| last.ends_with(end));
    let is_path = text.contains('/')
        && !text.contains("://")
        && !text.contains([' ', ':', ','])
        && !text.ends_with('/');
    if is_path && is_file && !is_written && !is_login {
        call.run_file(value, "", Vec::new());
    }
}

/// Words of a value, its quotes kept together.
fn quoted_fields(value: &Word) -> Vec<Word> {
    super::super::wrappers::split_string(value)
}
