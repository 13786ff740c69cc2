//! Variables whose words a program reads as options: what those load, run or open.

use doorward_core::intent::WriteMode;

use crate::deed::{Argv, Run, Word};

use super::super::call::Call;
use super::super::names::lists;
use super::super::word;

/// Variables whose words a program reads as if they stood on its command line.
const READ_AS_OPTIONS: &[(&str, &str)] = &[
    ("ANT_ARGS", "ant"),
    ("FZF_DEFAULT_OPTS", "fzf"),
    ("GOFLAGS", "go"),
    ("GREP_OPTIONS", "grep"),
    ("LESS SYSTEMD_LESS", "less"),
    ("MAKEFLAGS GNUMAKEFLAGS MFLAGS", "make"),
    ("MANOPT", "man"),
    ("MAVEN_ARGS", "mvn"),
    ("PYTEST_ADDOPTS", "pytest"),
    ("TAR_OPTIONS", "tar"),
    ("UNZIP UNZIPOPT", "unzip"),
    ("VALGRIND_OPTS", "valgrind"),
    ("XZ_DEFAULTS XZ_OPT", "xz"),
    ("ZIP ZIPOPT", "zip"),
];

/// Variables that stand for an option of a program: names, programs, and the option in front of the value. The call is
/// judged as if the option were given.
const SAME_AS: &[(&str, &str, &str)] = &[
    ("BUILDKIT_HOST", "buildctl", "--addr="),
    ("CONTAINER_HOST", "podman", "--url="),
    ("DOCKER_HOST", "docker", "--host="),
    ("FLASK_APP", "flask", "--app="),
    ("KUBECONFIG", "kubectl helm oc kustomize flux velero istioctl", "--kubeconfig="),
    ("LESSKEYIN", "less", "--lesskey-file="),
    ("LESSKEY_CONTENT", "less", "--lesskey-content="),
    ("NODE_REDIRECT_WARNINGS", "node nodejs", "--redirect-warnings="),
    ("PYTEST_PLUGINS", "pytest py.test", "-p "),
    ("PYTHONINSPECT", "python python3", "-i"),
    ("PYTHONPYCACHEPREFIX", "python python3", "-X pycache_prefix="),
];

/// The call with options in the place of the variables that stand for them; `None` if there are none.
pub(in crate::programs) fn as_options(program: &str, argv: &Argv) -> Option<Argv> {
    let option_of = |name: &str| {
        let same =
            |(names, programs, _): &&(&str, &str, &str)| lists(names, name) && lists(programs, program);
        SAME_AS.iter().find(same).map(|(.., option)| *option)
    };
    let mut given = Vec::new();
    let mut assignments = argv.assignments.clone();
    // Nothing is chosen by naming the file that is used anyway.
    let usual = |value: &Word| value.text.is_empty() || value.text.ends_with("/.kube/config");
    assignments.retain(|(name, value)| match option_of(name).filter(|_| !usual(value)) {
        Some(option) => {
            let (words, front) = option.rsplit_once(' ').unwrap_or(("", option));
            given.extend(words.split_ascii_whitespace().map(|word| Word::literal(word, value.span)));
            given.push(match front.starts_with('-') && !front.ends_with('=') {
                true => Word::literal(front, value.span),
                false => word::instead(value, format!("{front}{}", value.text)),
            });
            false
        }
        None => true,
    });
    let (first, rest) = argv.words.split_first().filter(|_| !given.is_empty())?;
    let words = std::iter::once(first.clone()).chain(given).chain(rest.iter().cloned()).collect();
    Some(Argv { words, assignments, ..argv.clone() })
}

/// Words of a variable that a program reads as its own options: judged as such a call of it.
fn options_of(call: &mut Call<'_>, program: &str, name: &str, value: &Word) {
    // `+` takes the rest: what is typed at the first page.
    if let Some((_, typed)) = value.text.split_once("+!").filter(|_| program == "less") {
        return call.run_shell(word::instead(value, typed.to_owned()));
    }
    if program == "make" {
        call.run_language("make", value.clone());
    }
    let mut words = vec![Word::literal(program, value.span)];
    words.extend(super::super::wrappers::split_string(value));
    let place = call.argv.place.clone();
    call.run(Run::Argv {
        words,
        assignments: Vec::new(),
        more_operands: false,
        via: name.to_owned(),
        place,
        chdir: None,
        passes_stdin: false,
    });
}

/// Names of Java's `-XX:NAME=FILE` with which it loads a file. What else ends like a file is written.
const LOADED: &[&str] = &[
    "AOTCache",
    "AOTConfiguration",
    "CompilerDirectivesFile",
    "ExtraSharedClassListFile",
    "SharedArchiveFile",
    "SharedClassListFile",
    "VMOptionsFile",
];

/// The file that an option of Java writes (java(1), "The `java` Command"): `-Xlog:WHAT:file=FILE:…`, `-Xloggc:FILE`,
/// `-XX:ErrorFile=FILE`, `-XX:StartFlightRecording=filename=FILE,…`.
fn written_by_java(part: &Word) -> Option<Word> {
    part.text.strip_prefix("-X")?;
    let fields: Vec<Word> = word::split(part, ':').iter().flat_map(|field| word::split(field, ',')).collect();
    let named = fields.iter().find_map(|field| {
        ["filename=", "file=", "output=", "repository="].iter().find_map(|key| {
            let at = field.text.find(key)?;
            let begins = field.text.get(..at).is_some_and(|front| front.is_empty() || front.ends_with('='));
            begins.then(|| word::slice(field, at + key.len(), field.text.len()))
        })
    });
    let by_place = || match fields.first()?.text.as_str() {
        "-Xloggc" | "-Xverbosegclog" => fields.get(1).cloned(),
        // What is logged comes first, also several things with commas between them.
        "-Xlog" => word::split(part, ':').get(2).cloned().filter(|file| {
            !file.text.is_empty() && !matches!(file.text.as_str(), "stdout" | "stderr" | "disable")
        }),
        "-XX" => {
            let (name, file) = word::halves(fields.get(1)?, '=')?;
            let ends =
                ["File", "Path", "AtExit", "List", "Output"].iter().any(|end| name.text.ends_with(end));
            Some(file).filter(|_| ends && !LOADED.contains(&name.text.as_str()))
        }
        _ => None,
    };
    named.or_else(by_place)
}

/// Options of Java that load an agent, write a file, run a command on an error, or open a port for a debugger.
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
                if let Some(file) = written_by_java(part) {
                    call.write(&file, WriteMode::Create);
                }
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
    if let Some((_, program)) = READ_AS_OPTIONS.iter().find(|(names, _)| lists(names, name)) {
        return options_of(call, program, name, value);
    }
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
        "RIPGREP_CONFIG_PATH" => call.run_file(value, "rgrc", Vec::new()),
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
    let is_written = name == "HISTFILE";
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
