//! Assignments in front of a command: which are harmless, and which make a program run or load something.

mod options;

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::deed::Word;

use super::call::Call;
use super::word;

pub(super) use options::{as_options, java_options};

/// What a variable holds for the programs that read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// Shell text or a command line, run later.
    Command,
    /// A file or folder whose content is run or loaded.
    Code(&'static str),
    /// Options that are read as if they were given, and may run code.
    Options,
    /// Code of a language, as it stands.
    Text(&'static str),
    /// The name of something that is called.
    Called,
    /// A file that is created or added to.
    Written,
    /// Where programs are found.
    SearchPath,
    /// Switches a check of transport or identity off, or sends traffic elsewhere.
    Trust,
}

/// Variables that make a program run or load something, from environ(7), bash(1), git(1), ld.so(8) and the manual
/// pages of the programs that read them.
const CARRIERS: &[(&str, Meaning)] = &[
    (
        "PAGER MANPAGER GIT_PAGER SYSTEMD_PAGER PSQL_PAGER DELTA_PAGER BAT_PAGER AWS_PAGER GH_PAGER \
            GLAB_PAGER",
        Meaning::Command,
    ),
    (
        "EDITOR VISUAL GH_EDITOR GLAB_EDITOR JJ_EDITOR GIT_EDITOR GIT_SEQUENCE_EDITOR FCEDIT \
            SUDO_EDITOR SYSTEMD_EDITOR KUBE_EDITOR PSQL_EDITOR SVN_EDITOR HGEDITOR CVSEDITOR TEXEDIT \
            VISUDO_EDITOR CRONTAB_EDITOR CSCOPE_EDITOR P4EDITOR",
        Meaning::Command,
    ),
    (
        "GIT_SSH_COMMAND GIT_SSH GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS GIT_PROXY_COMMAND \
            GIT_EXTERNAL_DIFF GIT_TRACE2_EVENT_COMMAND CVS_RSH RSYNC_RSH SVN_SSH HGRSH \
            GIT_MERGE_AUTOEDIT_COMMAND",
        Meaning::Command,
    ),
    (
        "LESSOPEN LESSCLOSE LESSEDIT MANROFFOPT BROWSER GH_BROWSER SHELL MAKESHELL TERMINAL \
            PROMPT_COMMAND PS0 PS1 PS4 RSYNC_CONNECT_PROG TAR_RSH TZDIR_COMMAND M4 DISTCC_SSH \
            NNN_OPENER P4DIFF P4MERGE P4MERGEUNICODE P4PAGER HGMERGE AUTOSSH_PATH FZF_DEFAULT_COMMAND \
            npm_config_editor NPM_CONFIG_EDITOR FETCHCOMMAND",
        Meaning::Command,
    ),
    (
        "RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTDOC CC CXX CPP LD AR AS \
            CARGO_BUILD_RUSTC_WRAPPER CARGO_BUILD_RUSTC CARGO_BUILD_RUSTDOC \
            CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER NODE_GYP_FORCE_PYTHON npm_config_git NPM_CONFIG_GIT \
            npm_config_shell NPM_CONFIG_SHELL npm_config_browser NPM_CONFIG_BROWSER \
            NPM_CONFIG_SCRIPT_SHELL npm_config_script_shell CMAKE_C_COMPILER_LAUNCHER \
            CMAKE_CXX_COMPILER_LAUNCHER CCACHE_PREFIX GOFLAGS_TOOLEXEC",
        Meaning::Command,
    ),
    (
        "LD_PRELOAD LD_AUDIT LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH \
            DYLD_FRAMEWORK_PATH LESSKEYIN LESSKEYIN_SYSTEM RUSTUP_TOOLCHAIN GCONV_PATH OPENSSL_CONF \
            OPENSSL_MODULES OPENSSL_ENGINES GTK_MODULES GIO_EXTRA_MODULES",
        Meaning::Code(""),
    ),
    ("BASH_ENV ENV INPUTRC", Meaning::Code("shell")),
    ("WGETRC SYSTEM_WGETRC", Meaning::Code("wget")),
    ("PYTHONPATH PYTHONSTARTUP PYTHONHOME PYTHONUSERBASE", Meaning::Code("python")),
    ("NODE_PATH NODE_REPL_EXTERNAL_MODULE", Meaning::Code("javascript")),
    ("PERL5LIB PERLLIB", Meaning::Code("perl")),
    // gcc(1), mercurial hg(1), kubectl diff, gcloud topic startup, dotnet's host, aws configuration, erl(1).
    ("KUBECTL_EXTERNAL_DIFF CLOUDSDK_PYTHON SVN_MERGE JJ_PAGER", Meaning::Command),
    ("COMPILER_PATH GCC_EXEC_PREFIX", Meaning::Code("compiler")),
    ("HGRCPATH DOTNET_STARTUP_HOOKS AWS_CONFIG_FILE", Meaning::Code("")),
    ("PERL5DB", Meaning::Text("perl")),
    ("LUA_INIT LUA_INIT_5_3 LUA_INIT_5_4", Meaning::Text("lua")),
    ("VIMINIT GVIMINIT EXINIT", Meaning::Text("vim")),
    ("PYTHONBREAKPOINT", Meaning::Called),
    // git(1), mtrace(3), ld.so(8), gcov(1), node(1), and the shells and clients that keep a history.
    (
        "GIT_TRACE GIT_TRACE_CURL GIT_TRACE_FSMONITOR GIT_TRACE_PACK_ACCESS GIT_TRACE_PACKET GIT_TRACE_PACKFILE \
            GIT_TRACE_PERFORMANCE GIT_TRACE_REFS GIT_TRACE_SETUP GIT_TRACE_SHALLOW GIT_TRACE2 GIT_TRACE2_EVENT \
            GIT_TRACE2_PERF MALLOC_TRACE LD_DEBUG_OUTPUT LD_PROFILE_OUTPUT GCOV_PREFIX LLVM_PROFILE_FILE \
            NODE_V8_COVERAGE NODE_REPL_HISTORY ERL_CRASH_DUMP KRB5_TRACE CCACHE_LOGFILE DISTCC_LOG \
            CARGO_TARGET_DIR LESSHISTFILE MYSQL_HISTFILE PSQL_HISTORY SQLITE_HISTORY PYTHON_HISTORY REDISCLI_HISTFILE \
            GDBHISTFILE SSLKEYLOGFILE FFREPORT ASAN_OPTIONS LSAN_OPTIONS TSAN_OPTIONS UBSAN_OPTIONS GMON_OUT_PREFIX \
            COVERAGE_FILE GOCOVERDIR",
        Meaning::Written,
    ),
    ("RUBYLIB GEM_HOME GEM_PATH BUNDLE_GEMFILE", Meaning::Code("ruby")),
    (
        "CLASSPATH LUA_PATH LUA_CPATH JULIA_LOAD_PATH R_PROFILE R_PROFILE_USER R_ENVIRON \
            EMACSLOADPATH MAKEFILES MYVIMRC VIM TCLLIBPATH AWKPATH AWKLIBPATH GUILE_LOAD_PATH ERL_LIBS PHPRC \
            PHP_INI_SCAN_DIR",
        Meaning::Code(""),
    ),
    (
        "GIT_DIR GIT_WORK_TREE GIT_EXEC_PATH GIT_TEMPLATE_DIR GIT_CONFIG GIT_CONFIG_GLOBAL \
            GIT_CONFIG_SYSTEM GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS GIT_OBJECT_DIRECTORY \
            GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_INDEX_FILE GIT_NAMESPACE \
            GIT_ALLOW_PROTOCOL GIT_PROTOCOL_FROM_USER",
        Meaning::Options,
    ),
    (
        "PYTHONWARNINGS LESSKEY_CONTENT XDG_DATA_DIRS TERMINFO MANPATH PKG_CONFIG_PATH NODE_OPTIONS \
            PERL5OPT RUBYOPT JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS MAVEN_OPTS GRADLE_OPTS \
            SBT_OPTS MAKEFLAGS GNUMAKEFLAGS MFLAGS GOFLAGS RUSTFLAGS RUSTDOCFLAGS ZIPOPT UNZIPOPT \
            UNZIP ZIP BZIP2 GZIP XZ_OPT XZ_DEFAULTS ZSTD_OPTS TAR_OPTIONS GREP_OPTIONS LESS MORE \
            RIPGREP_CONFIG_PATH ANT_ARGS SYSTEMD_LESS FZF_DEFAULT_OPTS PYTEST_ADDOPTS PYTEST_PLUGINS \
            PIP_CONFIG_FILE ANSIBLE_CONFIG CURL_HOME SCREENRC MANOPT SHELLOPTS BASHOPTS BASH_FUNC \
            BASH_LOADABLES_PATH ERL_FLAGS ERL_AFLAGS ERL_ZFLAGS ELIXIR_ERL_OPTIONS PERL_MM_OPT \
            CFLAGS CXXFLAGS LDFLAGS DOCKER_CONFIG KUBECONFIG HELM_PLUGINS TF_CLI_ARGS \
            TF_CLI_CONFIG_FILE MAVEN_ARGS VALGRIND_OPTS IFS ZDOTDIR HOME XDG_CONFIG_HOME HISTFILE CDPATH \
            GLOBIGNORE NNN_PLUG",
        Meaning::Options,
    ),
    ("PATH", Meaning::SearchPath),
    (
        "NODE_TLS_REJECT_UNAUTHORIZED GIT_SSL_NO_VERIFY PYTHONHTTPSVERIFY CURL_CA_BUNDLE \
            REQUESTS_CA_BUNDLE SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS GIT_SSL_CAINFO \
            NPM_CONFIG_STRICT_SSL GONOSUMDB GONOSUMCHECK GOINSECURE GOPROXY GONOPROXY PIP_INDEX_URL \
            PIP_EXTRA_INDEX_URL PIP_TRUSTED_HOST UV_INDEX_URL UV_DEFAULT_INDEX NPM_CONFIG_REGISTRY \
            npm_config_registry http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY all_proxy \
            DOCKER_HOST DOCKER_TLS_VERIFY AWS_ENDPOINT_URL VAULT_ADDR CARGO_HTTP_CHECK_REVOKE \
            KUBERNETES_MASTER ANTHROPIC_BASE_URL OPENAI_BASE_URL HOSTALIASES RES_OPTIONS LOCALDOMAIN",
        Meaning::Trust,
    ),
];

/// Ends of names that say that the variable names a file which is written.
const WRITTEN_BY_NAME: &[&str] = &["HISTFILE", "LOGFILE", "LOG_FILE", "LOG_PATH", "TRACE_FILE"];

/// Prefixes of names that carry like the names above.
const FAMILIES: &[(&str, Meaning)] = &[
    ("GIT_CONFIG_", Meaning::Options),
    ("BASH_FUNC_", Meaning::Command),
    ("LD_", Meaning::Code("")),
    ("DYLD_", Meaning::Code("")),
    ("CARGO_TARGET_", Meaning::Command),
    ("CARGO_BUILD_", Meaning::Options),
    ("CARGO_ALIAS_", Meaning::Options),
    ("CARGO_REGISTRIES_", Meaning::Trust),
    ("CARGO_SOURCE_", Meaning::Trust),
    ("npm_config_", Meaning::Options),
    ("NPM_CONFIG_", Meaning::Options),
    ("PIP_", Meaning::Options),
    ("TF_CLI_ARGS_", Meaning::Options),
    ("ANSIBLE_", Meaning::Options),
    ("GIT_", Meaning::Options),
    ("YARN_", Meaning::Options),
    ("UV_", Meaning::Options),
];

/// Variables that only change how output looks or how much of it there is.
const HARMLESS: &[&str] = &[
    "LC_ALL LANG LANGUAGE TZ NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM TERM COLUMNS \
        LINES RUST_BACKTRACE",
    "RUST_LOG RUST_LIB_BACKTRACE CARGO_TERM_COLOR CARGO_TERM_PROGRESS_WHEN CARGO_INCREMENTAL \
        CARGO_NET_OFFLINE CARGO_TERM_QUIET CI DEBUG",
    "VERBOSE NODE_ENV RAILS_ENV RACK_ENV APP_ENV ENVIRONMENT DEBIAN_FRONTEND PYTHONUNBUFFERED \
        PYTHONDONTWRITEBYTECODE",
    "PYTHONIOENCODING PYTHONUTF8 PYTHONHASHSEED NODE_NO_WARNINGS GREP_COLORS GREP_COLOR LS_COLORS \
        POSIXLY_CORRECT",
    "GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE \
        GIT_COMMITTER_NAME",
    "GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE GIT_PAGER_IN_USE GIT_DISCOVERY_ACROSS_FILESYSTEM \
        GIT_LITERAL_PATHSPECS",
    "PIP_DISABLE_PIP_VERSION_CHECK PIP_NO_INPUT PIP_NO_COLOR PIP_QUIET PIP_PROGRESS_BAR GOOS GOARCH \
        CGO_ENABLED",
    "GOMAXPROCS OMP_NUM_THREADS MAKELEVEL TIMEFORMAT BLOCKSIZE BLOCK_SIZE TIME_STYLE PORT HOST \
        npm_config_loglevel",
    "NPM_CONFIG_LOGLEVEL npm_config_yes JEST_WORKERS TEST_ENV RUST_TEST_THREADS RUST_MIN_STACK \
        PROPTEST_CASES UV_NO_PROGRESS",
    "TF_IN_AUTOMATION TF_LOG TF_INPUT ANSIBLE_NOCOLOR ANSIBLE_FORCE_COLOR PS2 PS3 REPLY OPTIND \
        MANWIDTH GROFF_NO_SGR LESSCHARSET YARN_SILENT",
    "PWD OLDPWD DISPLAY USER LOGNAME HOSTNAME PAGER_OFF SYSTEMD_COLORS",
];

/// Whether this assignment can't change what runs.
#[must_use]
pub fn is_harmless(name: &str) -> bool {
    let name = name.split(['[', '+']).next().unwrap_or(name);
    name.starts_with("LC_") || is_listed_harmless(name) || meaning(name).is_none()
}

/// Whether programs read a variable of this name from the environment, so that setting one that is there already
/// reaches them. What only the shell itself reads isn't among them.
pub(crate) fn is_exported(name: &str) -> bool {
    const SHELL_ONLY: &[&str] =
        &["IFS", "PS0", "PS1", "PS2", "PS4", "PROMPT_COMMAND", "HISTFILE", "GLOBIGNORE", "TIMEFORMAT"];
    meaning(name).is_some() && !SHELL_ONLY.contains(&name)
}

fn meaning(name: &str) -> Option<Meaning> {
    match VARIABLES.get(name) {
        Some(known) => *known,
        None if name.starts_with("CARGO_") && name.ends_with("FLAGS") => Some(Meaning::Options),
        None if WRITTEN_BY_NAME.iter().any(|end| name.ends_with(end)) => Some(Meaning::Written),
        None => FAMILIES.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|(_, meaning)| *meaning),
    }
}

/// What each listed variable means; nothing for the harmless ones.
static VARIABLES: LazyLock<HashMap<&'static str, Option<Meaning>>> = LazyLock::new(|| {
    let mut known = HashMap::new();
    for name in HARMLESS.iter().flat_map(|line| line.split_ascii_whitespace()) {
        known.insert(name, None);
    }
    for (names, meaning) in CARRIERS {
        for name in names.split_ascii_whitespace() {
            known.entry(name).or_insert(Some(*meaning));
        }
    }
    known
});

/// Whether a variable is listed as one that can't change what a program does.
fn is_listed_harmless(name: &str) -> bool {
    VARIABLES.get(name).is_some_and(Option::is_none)
}

/// Says what the assignments in front of a command make it do.
pub(crate) fn apply(call: &mut Call<'_>, assignments: &[(String, Word)]) {
    for (name, value) in assignments {
        let plain_name = name.split(['[', '+']).next().unwrap_or(name).to_owned();
        let Some(meaning) = meaning(&plain_name) else {
            if selects(&plain_name, &value.text, &call.program) {
                // `TOOL_EDITOR='sh -c …'` is judged as the option `--tool-editor` would be.
                let option = format!("--{}", plain_name.to_ascii_lowercase().replace('_', "-"));
                super::unknown::option_of(call, &word::instead(value, option), Some(value));
                options::settings_file(call, &plain_name, value);
                call.choose(plain_name);
            } else if super::lookup(&call.program).is_none() {
                // A program that nobody described may run what reads like a command line and like nothing else.
                super::unknown::option_of(call, &word::instead(value, "--variable"), Some(value));
            }
            continue;
        };
        if value.text.is_empty() && plain_name != "PATH" || is_usual(&plain_name, &value.text) {
            continue;
        }
        // `GIT_TRACE=1`, `LESSHISTFILE=-`: no file.
        if meaning == Meaning::Written && !value.text.contains(['/', '…']) {
            continue;
        }
        call.beyond_plain = true;
        match meaning {
            Meaning::Written => {
                call.acts = true;
                // `FFREPORT=file=x.log:level=32`, `ASAN_OPTIONS=log_path=x`.
                let parts = word::split(value, ':');
                let named =
                    |part: &Word| ["file=", "log_path="].iter().find_map(|key| word::after(part, key));
                let file = parts.iter().find_map(named).unwrap_or_else(|| value.clone());
                call.write(&file, doorward_core::intent::WriteMode::Append);
            }
            // `AR=$TOOLCHAIN/bin/llvm-ar`: the folder isn't known, the program is.
            Meaning::Command if is_path_below_unknown(&value.text) => {
                call.acts = true;
                call.run_file(value, "", Vec::new());
            }
            Meaning::Command => {
                let text = word::instead(value, value.text.trim_start_matches("() ").to_owned());
                call.run_shell(text);
            }
            Meaning::Code(language) => {
                call.acts = true;
                if matches!(plain_name.as_str(), "LD_PRELOAD" | "LD_AUDIT" | "DYLD_INSERT_LIBRARIES")
                    && !value.text.split([':', ' ']).all(|file| {
                        ["/usr/lib/", "/lib/", "/lib64/", "/usr/lib64/", "lib"]
                            .iter()
                            .any(|front| file.starts_with(front))
                    })
                {
                    call.finding(
                        "shell.obfuscated",
                        format!("{plain_name} puts native code into the program"),
                    );
                }
                let parts: Vec<Word> =
                    word::split(value, ':').into_iter().filter(|part| !part.text.is_empty()).collect();
                // `X=own:$X` adds to what it held.
                let adds = parts.len() > 1 && parts.iter().any(|part| part.known().is_some());
                // A shell expands the name of its start-up file, and runs what stands in it.
                if language == "shell" && value.text.contains(['`', '$']) {
                    call.run_shell(word::instead(value, format!(": \"{}\"", value.text)));
                }
                for part in parts.into_iter().filter(|part| !adds || part.text != "…") {
                    call.run_file(&part, language, Vec::new());
                }
            }
            // `LUA_INIT=@file`.
            Meaning::Text(language) if value.text.starts_with('@') => {
                if let Some(file) = word::after(value, "@") {
                    call.run_file(&file, language, Vec::new());
                }
            }
            Meaning::Text(language) => call.run_language(language, value.clone()),
            Meaning::Called
                if matches!(
                    value.text.as_str(),
                    "0" | "pdb.set_trace" | "ipdb.set_trace" | "pudb.set_trace" | "breakpoint"
                ) => {}
            Meaning::Called => call.finding("shell.obfuscated", format!("{plain_name} names what is called")),
            Meaning::Options => options::carried(call, &plain_name, value),
            Meaning::SearchPath => {
                call.acts = true;
                let front = value.text.split(':').next().unwrap_or_default();
                if !is_trusted_bin(front) && !front.starts_with('…') {
                    call.remark(
                        "shell.shadowed",
                        "changes PATH, so that another program may answer to a known name",
                    );
                }
            }
            Meaning::Trust => {
                call.acts = true;
                let off = matches!(plain_name.as_str(), "NODE_TLS_REJECT_UNAUTHORIZED" | "PYTHONHTTPSVERIFY")
                    && value.text == "0"
                    || plain_name == "GIT_SSL_NO_VERIFY";
                if off {
                    call.finding("shell.tamper", format!("{plain_name} switches certificate checks off"));
                } else if value.text.contains("://") && is_index(&plain_name) && !is_usual_index(&value.text)
                {
                    call.finding(
                        "shell.remote_code",
                        format!("{plain_name} takes packages from another server"),
                    );
                } else if value.text.contains("://") && !value.text.starts_with("unix:") {
                    call.contact(value, "https", doorward_core::intent::Direction::Both, Vec::new());
                }
            }
        }
    }
}

/// Whether a text is the path of a program in a folder that isn't known.
fn is_path_below_unknown(text: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "._+-/".contains(letter);
    text.strip_prefix("…/").is_some_and(|rest| {
        rest.chars().all(plain) && !rest.split('/').any(|part| matches!(part, "" | "." | ".."))
    })
}

/// Variables that choose where packages come from, and the servers that they come from anyway.
fn is_index(name: &str) -> bool {
    ["INDEX", "INDEX_URL", "PROXY", "REGISTRY", "registry"].iter().any(|end| name.ends_with(end))
        && !name.to_ascii_lowercase().ends_with("_proxy")
        || name == "GOPROXY"
}

pub(super) fn is_usual_index(url: &str) -> bool {
    const USUAL: &[&str] = &[
        "pypi.org",
        "files.pythonhosted.org",
        "registry.npmjs.org",
        "registry.yarnpkg.com",
        "proxy.golang.org",
        "localhost",
        "127.0.0.1",
        "download.pytorch.org",
        "test.pypi.org",
    ];
    let host = url.split("://").nth(1).unwrap_or_default().split(['/', ':', ',']).next().unwrap_or_default();
    USUAL.contains(&host)
}

/// Words in a variable's name that say it chooses a program, what a program loads, or whom it asks.
const SELECTING: &[&str] = &[
    "ARGS",
    "ASKPASS",
    "BROWSER",
    "CC",
    "CMD",
    "COMMAND",
    "CONF",
    "CONFIG",
    "CXX",
    "EDITOR",
    "ENDPOINT",
    "EXEC",
    "HOOK",
    "HOOKS",
    "INIT",
    "KEYIN",
    "LAUNCHER",
    "LIB",
    "LIBRARY",
    "LINKER",
    "LOADER",
    "MODULE",
    "MODULES",
    "OPTIONS",
    "OPTS",
    "PAGER",
    "PATH",
    "PLUGIN",
    "PLUGINS",
    "PRELOAD",
    "RC",
    "RUNNER",
    "SHELL",
    "TERMINFO",
    "TOOLCHAIN",
    "UNICODE",
    "WRAPPER",
];

/// Whether a variable that no table lists may choose what runs: it says so by its name and holds a path or a command,
/// or it is named after the program it stands in front of (`GH_HOST=x gh …`).
fn selects(name: &str, value: &str, program: &str) -> bool {
    if is_listed_harmless(name) || name.starts_with("LC_") {
        return false;
    }
    let own = program.to_ascii_uppercase().replace('-', "_");
    let own_name = own.len() > 1
        && name.strip_prefix(own.as_str()).is_some_and(|rest| rest.starts_with('_') || rest.ends_with("RC"));
    let says = name.split('_').any(|word| {
        SELECTING.contains(&word)
            || word.len() > 4 && ["PATH", "CONF", "RC"].iter().any(|end| word.ends_with(end))
    });
    let leads = value.contains(['/', ' ', '…']) || value.starts_with('.') || value.contains("://");
    own_name || says && leads
}

/// Whether a variable of this name is run as a command.
pub(super) fn is_command(name: &str) -> bool {
    meaning(name) == Some(Meaning::Command)
}

/// Pagers, editors, shells and compilers as everybody sets them.
pub(super) fn is_usual(name: &str, text: &str) -> bool {
    let text = text.trim();
    match name {
        "SHELL" => {
            matches!(text, "/bin/sh" | "/bin/bash" | "/usr/bin/bash" | "/bin/zsh" | "sh" | "bash" | "zsh")
        }
        "PS0" | "PS1" | "PS4" | "PROMPT_COMMAND" => !text.contains(['`', '$']) && name != "PROMPT_COMMAND",
        "CC" | "CXX" | "CPP" | "LD" | "AR" | "RUSTC_WRAPPER" => {
            let name = text.split(['-', ' ']).next().unwrap_or_default();
            matches!(
                name,
                "cc" | "gcc"
                    | "clang"
                    | "g++"
                    | "clang++"
                    | "cpp"
                    | "ld"
                    | "lld"
                    | "mold"
                    | "ar"
                    | "sccache"
                    | "ccache"
            ) && !text.contains(' ')
        }
        // Switches that only say how a page is shown.
        "LESS" => text.split_ascii_whitespace().all(|word| {
            word.trim_start_matches('-').bytes().all(|letter| b"RFXSKEQMINercimnqsw".contains(&letter))
        }),
        // A category with a dot is a module that is loaded.
        "PYTHONWARNINGS" => !text.contains('.'),
        "IFS" => text.chars().all(|letter| letter.is_whitespace() || ",:;|=".contains(letter)),
        name if name.contains("EDITOR") || name == "VISUAL" => {
            let mut words = text.split_ascii_whitespace();
            words.next().is_some_and(|editor| EDITORS.contains(&editor))
                && words.all(|word| matches!(word, "--wait" | "-w" | "-n" | "-nw" | "-f"))
        }
        _ => {
            let mut words = text.split_ascii_whitespace();
            match words.next() {
                Some("cat" | "true" | ":" | "/bin/true" | "/bin/cat" | "/usr/bin/cat") => {
                    words.next().is_none()
                }
                Some("less" | "more" | "most" | "/usr/bin/less") => {
                    words.all(|word| word.starts_with('-') && is_usual("LESS", word))
                }
                _ => false,
            }
        }
    }
}

/// Editors by the names that everybody knows them by, and programs that edit nothing.
const EDITORS: &[&str] = &[
    ":",
    "cat",
    "code",
    "ed",
    "emacs",
    "emacsclient",
    "hx",
    "joe",
    "kak",
    "micro",
    "nano",
    "nvim",
    "pico",
    "subl",
    "true",
    "vi",
    "vim",
    "zed",
];

/// Whether this assignment can't change what runs: by its name, or because it holds what everybody sets.
pub(crate) fn is_harmless_value(name: &str, value: &str) -> bool {
    is_harmless(name) || !value.is_empty() && is_usual(name, value) && meaning(name).is_some()
}

/// Folders of the system's own programs.
pub(crate) fn is_trusted_bin(folder: &str) -> bool {
    matches!(
        folder.trim_end_matches('/'),
        "/bin"
            | "/sbin"
            | "/usr/bin"
            | "/usr/sbin"
            | "/usr/local/bin"
            | "/usr/local/sbin"
            | "/opt/homebrew/bin"
            | "/opt/homebrew/sbin"
            | "/snap/bin"
            | "/usr/games"
            | "/usr/lib/git-core"
            | "/usr/libexec"
    )
}
