//! Package managers: what is installed, from where, and whether scripts of the packages run.

use doorward_core::intent::{Code, Direction, InstallSource, PrivilegeKind, WriteMode};

use crate::deed::Word;

use super::call::Call;
use super::row::{Nature, Row, Style, reads, works};
use super::word;

pub(super) static ROWS: &[Row] = &[
    works("npm pnpm yarn cnpm lerna nx-npm rush", "npm(1) 10, pnpm 8, yarn 1.22", "", "").style(Style::Raw).act(npm),
    works("npx bunx pnpx yarnpkg-dlx uvx pipx-run", "npx(1) npm 10", "", "").style(Style::Raw).act(npx),
    works("pip pip2 uv pipx poetry pipenv pdm hatch conda mamba micromamba easy_install rye", "pip(1) 24, uv 0.4", "", "").style(Style::Raw).act(pip),
    works("gem bundle bundler composer", "gem(1) 3.4, composer(1) 2.7", "", "").style(Style::Raw).act(gem),
    works("cargo", "cargo(1) 1.80", "", "").style(Style::Raw).act(cargo),
    works("rustup", "rustup(1) 1.27", "", "").style(Style::Raw).act(|call| tool_versions(call, &["show", "which", "doc", "--version", "check", "target list", "toolchain list", "component list", "help", "-V"])),
    works("go", "go(1) 1.22", "", "").style(Style::Raw).act(go),
    works("apt apt-get aptitude yum dnf zypper pacman yay paru apk brew port pkg pkg_add emerge snap flatpak nix-env rpm dpkg microdnf tdnf swupd opkg xbps-install eopkg guix choco scoop winget apt-key apt-mark apt-clone add-apt-repository apt-add-repository mas", "apt(8) 2.7, dnf(8), pacman(8), brew(1)", "", "").style(Style::Raw).act(system),
    reads("apt-cache apt-file apt-config dpkg-query dpkg-deb-info rpmquery pkg-config pkgconf pacman-q repoquery debsums deborphan equery brew-info apt-listchanges needrestart-list", "apt-cache(8) 2.7", "", "data*").style(Style::Raw),
    works("nvm fnm volta pyenv rbenv nodenv asdf mise sdk jenv goenv tfenv corepack n rvm direnv", "their manual pages", "", "").style(Style::Raw).act(|call| {
        // `direnv exec FOLDER COMMAND`.
        if call.program == "direnv" && call.first() == Some("exec") { return super::wrappers::tail(call, 2); }
        if matches!(call.first(), Some("exec" | "run")) { return super::wrappers::tail(call, 1); }
        if call.program == "direnv" && matches!(call.first(), Some("allow" | "permit" | "grant")) {
            let file = call.operand(1).map_or_else(|| ".envrc".to_owned(), |file| file.text);
            return call.run_own(&file, Code::Shell);
        }
        tool_versions(call, &["ls", "list", "current", "version", "versions", "which", "whence", "--version", "root", "prefix", "init", "init -", "hook", "status", "export", "where", "alias", "help", "plugin list"]);
    }),
    works("nix nix-shell nix-build nix-channel nix-store nix-instantiate nix-collect-garbage home-manager nixos-rebuild", "nix(1) 2.18", "", "").style(Style::Raw).act(nix),
    works("gpg gpg2 gpgv apt-secure age sops pass keybase minisign signify cosign", "gpg(1) 2.4", "", "").style(Style::Raw).act(super::system::keys),
];

/// Words that aren't options.
fn plain(call: &Call<'_>) -> Vec<Word> {
    call.operands.iter().filter(|word| !word.text.starts_with('-')).cloned().collect()
}

fn flag(call: &Call<'_>, names: &[&str]) -> bool {
    call.operands.iter().any(|word| {
        names.contains(&word.text.as_str())
            || word.text.split_once('=').is_some_and(|(name, _)| names.contains(&name))
    })
}

/// The word after an option, or attached with `=`.
fn option(call: &Call<'_>, names: &[&str]) -> Option<Word> {
    call.operands.iter().enumerate().find_map(|(at, word)| {
        if names.contains(&word.text.as_str()) {
            return call.operand(at + 1);
        }
        word::halves(word, '=')
            .filter(|(name, _)| names.contains(&name.text.as_str()))
            .map(|(_, value)| value)
    })
}

/// Where a package's name says it comes from.
fn source_of(name: &str) -> InstallSource {
    if name.contains("://")
        || name.starts_with("git+")
        || name.starts_with("github:")
        || name.starts_with("git@")
    {
        InstallSource::Url
    } else if name.starts_with(['.', '/', '~'])
        || [".tgz", ".whl", ".deb", ".rpm", ".gem", ".tar.gz", ".pkg", ".apk"]
            .iter()
            .any(|end| name.ends_with(end))
    {
        InstallSource::Path
    } else {
        InstallSource::Registry
    }
}

fn install(call: &mut Call<'_>, packages: &[Word], scripts: bool, system: bool, registry: &str) {
    let worst =
        packages.iter().map(|word| source_of(&word.text)).fold(None, |worst, source| match (worst, source) {
            (Some(InstallSource::Url), _) | (_, InstallSource::Url) => Some(InstallSource::Url),
            (Some(InstallSource::Registry), _) | (_, InstallSource::Registry) => {
                Some(InstallSource::Registry)
            }
            (_, source) => Some(source),
        });
    for package in packages {
        match source_of(&package.text) {
            InstallSource::Url => {
                let url = word::after(package, "git+").unwrap_or_else(|| package.clone());
                call.contact(&url, "https", Direction::Fetch, Vec::new());
            }
            InstallSource::Path => call.read(package),
            _ => {}
        }
    }
    let names = packages.iter().map(|word| word.text.clone()).collect();
    call.install(names, worst.unwrap_or(InstallSource::Lockfile), scripts, system);
    if worst != Some(InstallSource::Path) && !registry.is_empty() {
        call.contact_named(registry, "https", Direction::Fetch);
    }
    for url in
        ["--registry", "--index-url", "-i", "--extra-index-url", "--source", "--index", "-f", "--find-links"]
    {
        if let Some(url) = option(call, &[url]).filter(|url| url.text.contains("://")) {
            call.contact(&url, "https", Direction::Fetch, Vec::new());
            call.beyond_plain = true;
            if let Some(install) = call.deeds.installs.last_mut() {
                install.source = InstallSource::Url;
            }
        }
    }
}

fn npm(call: &mut Call<'_>) {
    let words = plain(call);
    let verb = words.first().map(|verb| verb.text.clone()).unwrap_or_default();
    let yarn = call.program == "yarn";
    let scripts = !flag(call, &["--ignore-scripts"]);
    let global = flag(call, &["-g", "--global"]) || yarn && verb == "global";
    let rest: Vec<Word> = words
        .iter()
        .skip(1)
        .filter(|word| {
            option(
                call,
                &[
                    "--prefix",
                    "--registry",
                    "-C",
                    "--dir",
                    "--filter",
                    "-F",
                    "-w",
                    "--workspace",
                    "--loglevel",
                    "--tag",
                    "--access",
                ],
            )
            .is_none_or(|value| value.text != word.text)
        })
        .cloned()
        .collect();
    match verb.as_str() {
        "install" | "i" | "add" | "in" | "ins" | "isntall" | "install-test" | "it" | "global" => {
            let rest: Vec<Word> = rest
                .into_iter()
                .filter(|word| !(verb == "global" && matches!(word.text.as_str(), "add" | "install")))
                .collect();
            install(call, &rest, scripts, global, "registry.npmjs.org");
        }
        "ci" | "clean-install" | "rebuild" | "rb" | "dedupe" | "import" => {
            install(call, &[], scripts, false, "registry.npmjs.org")
        }
        "" if yarn => install(call, &[], scripts, false, "registry.npmjs.org"),
        "update" | "up" | "upgrade" | "outdated-fix" | "upgrade-interactive" => {
            install(call, &rest, scripts, global, "registry.npmjs.org");
            if let Some(install) = call.deeds.installs.last_mut() {
                install.source = InstallSource::Registry;
            }
        }
        "set-script" => {
            if let Some(text) = rest.get(1) {
                call.run_shell(text.clone());
            }
        }
        "uninstall" | "remove" | "rm" | "r" | "un" | "unlink" | "prune" | "link" | "ln" | "init"
        | "create" | "pack" | "version" | "shrinkwrap" | "fund" | "patch" | "store" => {
            if matches!(verb.as_str(), "init" | "create") && !rest.is_empty() {
                run_remote_tool(call, 1);
            }
            if verb == "version" && rest.is_empty() {
                call.nature = Nature::Reads;
            }
        }
        "exec" | "x" | "dlx" => match option(call, &["-c", "--call"]).filter(|text| text.text != verb) {
            Some(text) => {
                call.transparent();
                call.run_shell(text);
            }
            None => {
                let from = call.operands.iter().position(|word| word.text == verb).unwrap_or_default() + 1;
                run_remote_tool(call, from);
            }
        },
        "run" | "run-script" | "test" | "t" | "tst" | "start" | "stop" | "restart" | "build" | "lint"
        | "format" | "dev" | "typecheck" | "check" | "watch" | "serve" | "compile" | "e2e" | "coverage"
        | "clean" | "prepare" | "generate" | "workspaces" | "recursive" | "workspace" => {
            let dashes = call.operands.iter().position(|word| word.text == "--");
            let tool = rest.first().filter(|_| yarn || call.program == "pnpm").map(|word| word.text.clone());
            if matches!(verb.as_str(), "run" | "run-script") && rest.is_empty() {
                call.nature = Nature::Reads;
            } else if verb == "run"
                && rest.first().is_some_and(|script| script.text == "env")
                && let Some(at) = dashes
            {
                // The script that every project has runs env(1).
                let argv = call.operands_from(at + 1);
                call.run_argv(argv);
            } else if verb == "run"
                && matches!(tool.as_deref(), Some("rm" | "rimraf" | "node" | "sh" | "bash"))
            {
                // A program that is installed answers where no script does.
                let argv = rest.clone();
                call.run_argv(argv);
            } else {
                call.run_own("package.json", Code::None);
            }
        }
        "publish" | "unpublish" | "deprecate" | "dist-tag" | "owner" | "access" | "team" | "hook"
        | "token" | "login" | "logout" | "adduser" | "profile" | "org" => {
            registry(call, "registry.npmjs.org", &verb);
        }
        "config" | "c" | "set" | "get" | "pkg" => npm_config(call, &verb, &rest),
        "cache" => {
            if rest.first().is_some_and(|word| matches!(word.text.as_str(), "clean" | "clear" | "rm")) { /* regenerable */
            } else {
                call.nature = Nature::Reads
            }
        }
        "audit" if flag(call, &["fix", "--fix"]) || rest.iter().any(|word| word.text == "fix") => {
            install(call, &[], scripts, false, "registry.npmjs.org")
        }
        "audit" | "outdated" | "view" | "v" | "info" | "show" | "search" | "s" | "ping" | "whoami"
        | "doctor" | "docs" | "repo" | "bugs" | "home" => {
            call.contact_named("registry.npmjs.org", "https", Direction::Fetch)
        }
        "ls" | "list" | "la" | "ll" | "why" | "explain" | "root" | "prefix" | "bin" | "help" | "query"
        | "licenses" | "env" | "completion" | "explore" | "edit" | "" | "-v" | "node" => {
            if verb == "node" {
                let mut argv = vec![Word::literal("node", call.span())];
                argv.extend(rest.iter().cloned());
                call.run_argv(argv);
            } else if let Some(at) = call
                .operands
                .iter()
                .position(|word| word.text == "--")
                .filter(|_| matches!(verb.as_str(), "explore" | "env"))
            {
                let argv = call.operands_from(at + 1);
                call.run_argv(argv);
            } else if verb == "explore" {
                call.run_own("package.json", Code::None)
            } else if call.operands.is_empty() && !yarn || verb != "edit" {
                call.nature = Nature::Reads
            }
        }
        _ if yarn || call.program == "pnpm" => call.run_own("package.json", Code::None),
        _ => {
            let word = words.first().cloned().unwrap_or_default();
            call.unknown_sub(&word);
        }
    }
    if let Some(shell) = option(call, &["--script-shell"]) {
        call.run_program(&shell);
    }
}

fn npm_config(call: &mut Call<'_>, verb: &str, rest: &[Word]) {
    let sets = verb == "set"
        || rest
            .first()
            .is_some_and(|word| matches!(word.text.as_str(), "set" | "delete" | "edit" | "rm" | "fix"));
    if !sets {
        let token = |word: &Word| {
            let name = word.text.to_ascii_lowercase();
            ["_auth", "_password", "token"].iter().any(|part| name.contains(part))
        };
        if rest.iter().any(token) {
            return call.secret("prints a stored login");
        }
        call.nature = Nature::Reads;
        return;
    }
    for word in rest.iter().skip(usize::from(verb != "set")) {
        let Some((name, value)) = word::halves(word, '=') else { continue };
        if name.text.starts_with("scripts.") {
            call.run_shell(value);
        } else if name.text == "strict-ssl" && value.text == "false" {
            call.finding("shell.tamper", "switches certificate checks off");
        } else if matches!(name.text.as_str(), "script-shell" | "git" | "editor" | "shell") {
            call.run_file(&value, "", Vec::new());
        }
    }
    // `config set NAME VALUE`.
    for pair in rest.windows(2) {
        let [name, value] = pair else { continue };
        if matches!(
            name.text.as_str(),
            "script-shell" | "git" | "editor" | "shell" | "init-module" | "viewer"
        ) {
            call.run_program(value);
            call.finding(
                "shell.persistence",
                format!("`{}` runs what {} names from now on", call.program, name.text),
            );
        }
    }
    let text: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    if text.windows(2).any(|pair| pair == ["strict-ssl", "false"]) {
        call.finding("shell.tamper", "switches certificate checks off");
    }
}

/// A tool fetched by name and run: `npx NAME args`.
pub(super) fn run_remote_tool(call: &mut Call<'_>, from: usize) {
    let mut at = from;
    while let Some(word) = call.operands.get(at) {
        match word.text.as_str() {
            "-p" | "--package" | "--from" | "--with" | "--python" | "--registry" => at += 2,
            "--" => {
                at += 1;
                break;
            }
            text if text.starts_with('-') => at += 1,
            _ => break,
        }
    }
    let words = call.operands_from(at);
    let package = option(call, &["-p", "--package", "--from", "--spec"]).or_else(|| words.first().cloned());
    let Some(package) = package else { return };
    // `pnpm -c exec 'text'`.
    if package.text.trim().contains(char::is_whitespace) {
        call.transparent();
        return call.run_shell(package);
    }
    if source_of(&package.text) == InstallSource::Url {
        call.contact(&package, "https", Direction::Fetch, Vec::new());
        call.finding("shell.remote_code", "runs a package from a URL");
        return;
    }
    // What a linter's or a test runner's name means is known; the words are judged under it.
    let bare = words
        .first()
        .map(|first| first.text.trim_start_matches('@').split('@').next().unwrap_or_default().to_owned())
        .unwrap_or_default();
    if super::lookup(&bare).is_some() && !words.is_empty() {
        let mut words = words;
        if let Some(first) = words.first_mut() {
            first.text = bare;
        }
        call.transparent();
        call.run_argv(words);
        call.beyond_plain = false;
        return;
    }
    super::unknown::command_line_of(call, words.get(1..).unwrap_or_default());
    install(call, &[package], true, false, "");
}

/// A command of a package manager that changes what others get from the registry, unless it only asks or rehearses.
fn registry(call: &mut Call<'_>, host: &str, verb: &str) {
    let asks = flag(call, &["--dry-run", "-n", "--help", "-h", "--list", "-l"])
        || call.operands.iter().any(|word| {
            matches!(
                word.text.as_str(),
                "ls" | "list" | "get" | "ls-packages" | "ls-collaborators" | "info" | "status"
            )
        });
    // Publishing packs the project: only a rehearsal reads nothing out.
    if asks && (verb != "publish" || flag(call, &["--dry-run", "-n", "--help", "-h"])) {
        return call.contact_named(host, "https", Direction::Fetch);
    }
    call.contact_named(host, "https", Direction::Send);
    let message = format!("`{} {verb}` changes what others get from the registry", call.program);
    call.finding("shell.upload", message);
}

fn npx(call: &mut Call<'_>) {
    if let Some(text) = option(call, &["-c", "--call"]) {
        call.transparent();
        return call.run_shell(text);
    }
    if flag(call, &["--version", "-v", "--help", "-h"]) && call.operands.len() == 1 {
        call.nature = Nature::Reads;
        return;
    }
    run_remote_tool(call, 0);
}

fn pip(call: &mut Call<'_>) {
    let mut words = plain(call);
    if call.program == "uv"
        && words
            .first()
            .is_some_and(|first| matches!(first.text.as_str(), "pip" | "tool" | "python" | "self"))
    {
        words.remove(0);
    }
    if matches!(call.program.as_str(), "conda" | "mamba" | "micromamba" | "poetry" | "pdm" | "hatch")
        && words.first().is_some_and(|first| matches!(first.text.as_str(), "env" | "self" | "plugin"))
    {
        words.remove(0);
    }
    let verb = words.first().map(|verb| verb.text.clone()).unwrap_or_default();
    let required = option(call, &["-r", "--requirement"]);
    let editable = option(call, &["-e", "--editable"]);
    let values: Vec<String> = [
        "-r",
        "--requirement",
        "-e",
        "--editable",
        "-c",
        "--constraint",
        "-t",
        "--target",
        "-i",
        "--index-url",
        "--extra-index-url",
        "-f",
        "--find-links",
        "--prefix",
        "-p",
        "--python",
        "-n",
        "--name",
        "-G",
        "--group",
        "--extra",
        "--with",
        "--without",
        "--root",
        "--src",
        "-d",
        "--dest",
        "--log",
        "--proxy",
        "--cert",
        "--trusted-host",
    ]
    .iter()
    .filter_map(|name| option(call, &[name]))
    .map(|word| word.text)
    .collect();
    let packages: Vec<Word> =
        words.iter().skip(1).filter(|word| !values.contains(&word.text)).cloned().collect();
    match verb.as_str() {
        "install" | "add" | "sync" | "update" | "upgrade" | "lock" | "download" | "wheel" | "create"
        | "inject" | "upgrade-all" | "reinstall" => {
            let mut packages = packages;
            if verb == "create" {
                packages.clear();
            }
            packages.extend(editable);
            if let Some(file) = &required {
                if file.text.contains("://") {
                    call.contact(file, "https", Direction::Fetch, Vec::new())
                } else {
                    call.read(file)
                }
            }
            let system = flag(call, &["--break-system-packages", "--system"]);
            install(call, &packages, true, system, "pypi.org");
            if let Some(target) = option(call, &["-t", "--target", "--prefix", "--root"]) {
                call.beyond_plain = true;
                call.write(&target, WriteMode::Create);
            }
            if flag(call, &["--trusted-host"]) {
                call.finding("shell.tamper", "switches certificate checks off for an index");
            }
        }
        "run" | "exec" | "runpip" | "shell" => {
            let at = call.operands.iter().position(|word| word.text == verb).unwrap_or_default();
            if call.program == "pipx" {
                return run_remote_tool(call, at + 1);
            }
            let mut from = at + 1;
            while call.operands.get(from).is_some_and(|word| word.text.starts_with('-')) {
                from += if call.operands.get(from).is_some_and(|word| {
                    matches!(
                        word.text.as_str(),
                        "-n" | "--name" | "--with" | "-p" | "--python" | "--extra" | "--group" | "--env-file"
                    )
                }) {
                    2
                } else {
                    1
                };
            }
            if call.operands.get(from).is_some() {
                if call.operand(from).is_some_and(|word| word.text.ends_with(".py")) {
                    let file = call.operand(from).unwrap_or_default();
                    let args = call.operands_from(from + 1);
                    call.run_file(&file, "python", args);
                } else {
                    super::wrappers::tail(call, from);
                }
            }
        }
        "uninstall" | "remove" | "rm" | "init" | "new" | "build" | "version" | "venv" | "clean"
        | "config" | "cache" | "activate" | "deactivate" | "purge" | "use" | "format" | "compile"
        | "export" | "pin" | "ensurepath" | "test" | "lint" => {
            let shows = matches!(verb.as_str(), "config" | "cache")
                && packages.first().is_none_or(|word| {
                    matches!(word.text.as_str(), "list" | "get" | "dir" | "info" | "debug" | "--list")
                });
            if shows || verb == "version" && packages.is_empty() {
                call.nature = Nature::Reads;
            }
        }
        "publish" => {
            call.contact_named("upload.pypi.org", "https", Direction::Send);
            call.finding("shell.upload", "publishes a package");
        }
        "search" | "index" => call.contact_named("pypi.org", "https", Direction::Fetch),
        "list" | "freeze" | "show" | "check" | "debug" | "hash" | "inspect" | "info" | "tree" | "help"
        | "" | "completion" | "env" | "find" | "dir" | "which" | "environment" => call.nature = Nature::Reads,
        _ => {
            let word = words.first().cloned().unwrap_or_default();
            call.unknown_sub(&word);
        }
    }
}

fn gem(call: &mut Call<'_>) {
    let words = plain(call);
    let verb = words.first().map(|verb| verb.text.clone()).unwrap_or_default();
    let registry = if call.program == "composer" { "repo.packagist.org" } else { "rubygems.org" };
    let rest: Vec<Word> = words.iter().skip(1).cloned().collect();
    match verb.as_str() {
        "install" | "i" | "update" | "require" | "add" | "create-project" | "upgrade" | "global" | "u" => {
            let packages: Vec<Word> = if call.program == "bundle"
                || call.program == "composer" && matches!(verb.as_str(), "install" | "i")
            {
                Vec::new()
            } else {
                rest
            };
            install(call, &packages, !flag(call, &["--no-scripts"]), false, registry);
        }
        "" if call.program.starts_with("bundle") => install(call, &[], true, false, registry),
        "exec" | "e" => {
            let at = call.operands.iter().position(|word| word.text == verb).unwrap_or_default();
            super::wrappers::tail(call, at + 1);
        }
        "run" | "run-script" | "test" | "dump-autoload" | "dumpautoload" | "build" | "init" | "remove"
        | "uninstall" | "clean" | "cleanup" | "config" | "lock" | "pristine" | "cache" | "package"
        | "binstubs" | "clear-cache" | "self-update" | "rm" => {
            if matches!(verb.as_str(), "run" | "run-script" | "test") {
                call.run_own("composer.json", Code::None);
            }
        }
        "push" | "publish" | "yank" | "owner" | "signin" => {
            self::registry(call, registry, &verb);
        }
        "search" | "outdated" | "audit" | "fetch" => call.contact_named(registry, "https", Direction::Fetch),
        "list"
        | "show"
        | "info"
        | "env"
        | "environment"
        | "which"
        | "check"
        | "validate"
        | "diagnose"
        | "status"
        | "why"
        | "licenses"
        | "platform"
        | "help"
        | "contents"
        | "dependency"
        | "specification"
        | "check-platform-reqs"
        | "depends"
        | ""
        | "doctor"
        | "viz" => call.nature = Nature::Reads,
        _ if call.program == "composer" => call.run_own("composer.json", Code::None),
        _ => {
            let word = words.first().cloned().unwrap_or_default();
            call.unknown_sub(&word);
        }
    }
}

fn cargo(call: &mut Call<'_>) {
    // Options in front of the sub-command.
    let mut at = 0;
    while let Some(word) = call.operands.get(at) {
        match word.text.as_str() {
            "--config" | "-Z" | "--color" | "-C" => at += 2,
            text if text.starts_with('-') || text.starts_with('+') => at += 1,
            _ => break,
        }
    }
    for config in call
        .operands
        .clone()
        .windows(2)
        .filter_map(|pair| match pair {
            [option, value] if option.text == "--config" => Some(value.clone()),
            _ => None,
        })
        .chain(call.operands.iter().filter_map(|word| word::after(word, "--config=")))
        .collect::<Vec<_>>()
    {
        match word::halves(&config, '=') {
            Some((name, value)) => {
                let name = name.text.trim().to_owned();
                let value = word::instead(&value, value.text.trim().trim_matches(['"', '\'']).to_owned());
                if ["rustc", "wrapper", "runner", "linker", "rustdoc", "credential-provider"]
                    .iter()
                    .any(|part| name.contains(part))
                {
                    call.run_program(&value);
                } else if name.starts_with("alias")
                    || name.contains("rustflags")
                    || name.contains("source")
                    || name.contains("registr")
                {
                    call.beyond_plain = true;
                }
            }
            None => call.run_file(&config, "", Vec::new()),
        }
    }
    let verb = call.operands.get(at).map(|word| word.text.clone()).unwrap_or_default();
    let rest: Vec<Word> = call.operands_from(at + 1);
    let packages: Vec<Word> = rest.iter().filter(|word| !word.text.starts_with('-')).cloned().collect();
    if flag(call, &["--help", "-h"]) && !call.operands.iter().any(|word| word.text == "--") {
        call.nature = Nature::Reads;
        return;
    }
    if verb == "watch" {
        if let Some(text) = option(call, &["-s", "--shell"]) {
            call.run_shell(text);
        }
        if let Some(dashes) = rest.iter().position(|word| word.text == "--") {
            call.run_argv(rest.get(dashes + 1..).unwrap_or_default().to_vec());
        }
    }
    match verb.as_str() {
        "build" | "b" | "check" | "c" | "test" | "t" | "run" | "r" | "bench" | "doc" | "d" | "clippy"
        | "rustc" | "rustdoc" | "fix" | "nextest" | "llvm-cov" | "miri" | "expand" | "bloat" | "asm"
        | "flamegraph" | "watch" | "make" | "xtask" | "hack" | "insta" | "udeps" | "machete"
        | "tarpaulin" | "criterion" | "leptos" | "tauri" | "zigbuild" | "cross" | "ndk" | "wasi"
        | "careful" | "fuzz" | "mutants" => {
            if verb == "watch" {
                for pair in rest.windows(2) {
                    if let [option, text] = pair
                        && matches!(option.text.as_str(), "-s" | "--shell")
                    {
                        call.run_shell(text.clone());
                    }
                }
            }
            call.run_own("Cargo.toml", Code::None);
        }
        "fmt" | "new" | "init" | "add" | "remove" | "rm" | "update" | "generate-lockfile" | "vendor"
        | "package" | "fetch" | "upgrade" | "sort" | "config" | "generate" => {
            if matches!(verb.as_str(), "update" | "fetch" | "vendor" | "add" | "upgrade")
                && !flag(call, &["--offline"])
            {
                call.contact_named("index.crates.io", "https", Direction::Fetch);
            }
        }
        "clean" => call.write_own_delete("target"),
        "install" | "binstall" | "uninstall" => {
            if verb != "uninstall" {
                let mut sources = packages;
                if let Some(url) = option(call, &["--git", "--registry", "--index"]) {
                    sources = vec![url];
                } else if let Some(path) = option(call, &["--path"]) {
                    sources = vec![path];
                }
                install(call, &sources, true, false, "index.crates.io");
            }
        }
        "publish" | "yank" | "owner" | "login" | "logout" => {
            registry(call, "crates.io", &verb);
        }
        "search" | "info" | "audit" | "deny" | "outdated" | "vet" => {
            call.contact_named("index.crates.io", "https", Direction::Fetch)
        }
        "tree" | "metadata" | "locate-project" | "pkgid" | "version" | "help" | "read-manifest"
        | "verify-project" | "report" | "" | "geiger" | "license" | "tokei" | "modules" => {
            call.nature = Nature::Reads
        }
        _ => {
            let word = call.operand(at).unwrap_or_default();
            call.unknown_sub(&word);
        }
    }
}

impl Call<'_> {
    /// A build folder that the tool itself made.
    pub(super) fn write_own_delete(&mut self, folder: &str) {
        let word = Word::literal(folder, self.span());
        self.delete(&word, true, true);
        self.nature = Nature::Named;
    }
}

fn go(call: &mut Call<'_>) {
    let words = plain(call);
    let verb = words.first().map(|verb| verb.text.clone()).unwrap_or_default();
    for name in ["-exec", "-toolexec", "-vettool", "-overlay"] {
        if let Some(text) = option(call, &[name]) {
            if name == "-overlay" { call.run_file(&text, "", Vec::new()) } else { call.run_program(&text) }
        }
    }
    match verb.as_str() {
        "build" | "test" | "vet" | "generate" | "tool" | "bug" | "fix" => {
            call.run_own("go.mod", Code::None);
            if let Some(output) = option(call, &["-o", "-coverprofile", "-cpuprofile", "-memprofile"]) {
                call.beyond_plain = true;
                call.write(&output, WriteMode::Create);
            }
        }
        "run" => match words.get(1).filter(|target| target.text.contains('@') || target.text.contains("://"))
        {
            Some(target) => {
                let target = target.clone();
                call.contact_named("proxy.golang.org", "https", Direction::Fetch);
                call.finding("shell.remote_code", format!("runs {} from the network", target.text));
            }
            None => match words.get(1).filter(|target| target.text.ends_with(".go")) {
                Some(file) => {
                    let file = file.clone();
                    call.run_file(&file, "go", Vec::new());
                    call.beyond_plain = false;
                }
                None => call.run_own("go.mod", Code::None),
            },
        },
        "get" | "install" => install(
            call,
            &words.iter().skip(1).filter(|word| !word.text.starts_with('.')).cloned().collect::<Vec<_>>(),
            false,
            false,
            "proxy.golang.org",
        ),
        "mod" | "work" => {
            if words.get(1).is_some_and(|word| matches!(word.text.as_str(), "graph" | "why" | "verify")) {
                call.nature = Nature::Reads;
            } else if words
                .get(1)
                .is_some_and(|word| matches!(word.text.as_str(), "download" | "tidy" | "vendor"))
            {
                call.contact_named("proxy.golang.org", "https", Direction::Fetch);
            }
        }
        "fmt" | "clean" => {}
        "env" => {
            if call.operands.iter().any(|word| matches!(word.text.as_str(), "-w" | "-u")) {
                call.beyond_plain = true;
            } else {
                call.nature = Nature::Reads;
            }
        }
        "version" | "list" | "doc" | "help" | "" => call.nature = Nature::Reads,
        _ => {
            let word = words.first().cloned().unwrap_or_default();
            call.unknown_sub(&word);
        }
    }
}

/// apt, dnf, pacman, brew and kin.
fn system(call: &mut Call<'_>) {
    // `-o Name=Value`: hooks of apt are commands.
    for value in call
        .operands
        .clone()
        .windows(2)
        .filter_map(|pair| match pair {
            [option, value] if option.text == "-o" => Some(value.clone()),
            _ => None,
        })
        .chain(
            call.operands
                .iter()
                .filter_map(|word| word::after(word, "-o").or_else(|| word::after(word, "--option=")))
                .filter(|word| word.text.contains("::")),
        )
        .collect::<Vec<_>>()
    {
        let lower = value.text.to_ascii_lowercase();
        if let Some((_, text)) = word::halves(&value, '=').filter(|_| {
            lower.contains("invoke")
                || lower.contains("proxy-auto")
                || lower.contains("::bin::")
                || lower.contains("pre-install-pkgs")
                || lower.contains("methods")
        }) {
            call.run_shell(text);
        }
    }
    let mut words = plain(call);
    for name in ["-o", "--option", "-c", "--config-file", "-t", "--target-release", "-q=2"] {
        if let Some(value) = option(call, &[name]) {
            words.retain(|word| word.text != value.text);
        }
    }
    let program = call.program.clone();
    let verb = words.first().map(|verb| verb.text.clone()).unwrap_or_default();
    let rest: Vec<Word> = words.iter().skip(1).cloned().collect();
    let letters = call.operands.first().map(|word| word.text.clone()).unwrap_or_default();
    let brew = matches!(program.as_str(), "brew" | "port" | "scoop" | "nix-env" | "guix" | "flatpak" | "mas");
    match program.as_str() {
        "pacman" | "yay" | "paru" => {
            return match letters.get(..2).unwrap_or_default() {
                "-Q" | "-F" | "-T" | "-V" => call.nature = Nature::Reads,
                "-S" if letters.contains(['s', 'i', 'l', 'g']) && !letters.contains(['y', 'u']) => {
                    call.nature = Nature::Reads
                }
                "-S" | "-U" => managed(call, &words, "archlinux.org"),
                _ => call.privilege(PrivilegeKind::Root, "changes installed packages"),
            };
        }
        "rpm" | "dpkg" => {
            let query = letters.starts_with("-q")
                || letters.starts_with("--query")
                || matches!(
                    letters.as_str(),
                    "-l" | "-L"
                        | "-s"
                        | "-S"
                        | "-c"
                        | "-I"
                        | "--list"
                        | "--listfiles"
                        | "--status"
                        | "--search"
                        | "--print-architecture"
                        | "--get-selections"
                        | "-p"
                        | "--contents"
                        | "--info"
                        | "--audit"
                        | "-C"
                        | "-V"
                        | "--verify"
                        | "--checksig"
                        | "-K"
                        | "--eval"
                        | "--version"
                        | "--compare-versions"
                );
            if query {
                call.nature = Nature::Reads;
                return;
            }
            if let Some(hook) = call.operands.iter().find_map(|word| {
                word::after(word, "--pre-invoke=").or_else(|| word::after(word, "--post-invoke="))
            }) {
                call.run_shell(hook);
            }
            return managed(call, &words, "");
        }
        "apt-key" | "add-apt-repository" | "apt-add-repository" => {
            call.privilege(PrivilegeKind::Root, "changes whom the package manager trusts");
            return;
        }
        "snap" | "flatpak" if matches!(verb.as_str(), "run") => {}
        _ => {}
    }
    match verb.as_str() {
        "install" | "upgrade" | "dist-upgrade" | "full-upgrade" | "update" | "reinstall" | "build-dep"
        | "localinstall" | "groupinstall" | "add" | "in" | "up" | "dup" | "refresh" | "source"
        | "download" | "makecache" | "distro-sync" | "bundle" | "tap" | "reinstall-all" | "check-update"
        | "-i" | "-U" => {
            let fetch_only = matches!(
                verb.as_str(),
                "update" | "refresh" | "makecache" | "check-update" | "download" | "source" | "tap"
            ) && !matches!(program.as_str(), "yum" | "dnf");
            if fetch_only {
                if !brew {
                    call.privilege(PrivilegeKind::Root, "refreshes the package lists");
                }
                return call.contact_named("packages", "https", Direction::Fetch);
            }
            if brew {
                return install(call, &rest, true, false, "formulae.brew.sh");
            }
            managed(call, &rest, "packages");
        }
        "remove" | "purge" | "autoremove" | "erase" | "uninstall" | "del" | "rm" | "-r" | "autopurge"
        | "deselect" | "unlink" | "cleanup" | "clean" | "autoclean" | "hold" | "unhold" | "auto"
        | "manual" | "services" | "link" | "pin" | "config" | "edit-sources" | "-C" | "switch" | "revert"
        | "disable" | "enable" | "set" | "connect" | "swap" | "module" | "mark" | "history" | "configure" => {
            if brew && !matches!(verb.as_str(), "services") || verb == "history" || verb == "config" && brew {
                return;
            }
            if verb == "services" {
                return call.finding("shell.persistence", "starts or stops a service");
            }
            call.privilege(PrivilegeKind::Root, "changes installed packages");
        }
        "list" | "search" | "show" | "info" | "policy" | "madison" | "depends" | "rdepends" | "changelog"
        | "repolist" | "provides" | "whatprovides" | "deps" | "uses" | "leaves" | "outdated" | "doctor"
        | "--prefix" | "--version" | "shellenv" | "showmanual" | "showauto" | "showhold" | "se" | "if"
        | "lr" | "lu" | "which" | "find" | "version" | "home" | "desc" | "log" | "cat" | "check"
        | "audit" | "stats" | "contents" | "help" | "" | "interfaces" | "connections" | "remotes" | "ps"
        | "check-installed" | "query" | "moo" | "commands" | "options" | "formulae" | "casks" => {
            call.nature = Nature::Reads
        }
        _ => {
            let word = words.first().cloned().unwrap_or_default();
            call.unknown_sub(&word);
        }
    }
}

fn managed(call: &mut Call<'_>, packages: &[Word], registry: &str) {
    install(call, packages, true, true, registry);
    call.privilege(PrivilegeKind::Root, "changes installed packages");
}

fn tool_versions(call: &mut Call<'_>, reading: &[&str]) {
    let operands = call.operands.clone();
    let words: Vec<&str> = operands.iter().map(|word| word.text.as_str()).collect();
    let joined = words.join(" ");
    if words.is_empty()
        || reading.iter().any(|verb| joined == *verb || joined.starts_with(&format!("{verb} ")))
    {
        call.nature = Nature::Reads;
    } else if matches!(
        words.first(),
        Some(&("install" | "update" | "toolchain" | "component" | "target" | "add" | "i"))
    ) {
        let packages: Vec<String> = words
            .iter()
            .skip(1)
            .filter(|word| !word.starts_with('-'))
            .map(|word| (*word).to_owned())
            .collect();
        call.install(packages, InstallSource::Registry, false, false);
        call.contact_unknown("https", Direction::Fetch);
    }
    if let Some(at) = words.iter().position(|word| *word == "run").filter(|_| call.program == "rustup") {
        let argv = call.operands_from(at + 2);
        call.run_argv(argv);
    }
}

fn nix(call: &mut Call<'_>) {
    for name in ["--run", "--command", "-c"] {
        if let Some(at) = call.operands.iter().position(|word| word.text == name) {
            let words = call.operands_from(at + 1);
            if call.program == "nix-shell" {
                if let Some(text) = words.first() {
                    call.run_shell(text.clone());
                }
            } else {
                call.run_argv(words);
            }
            return;
        }
    }
    if call.program == "nix-collect-garbage" || call.operands.iter().any(|word| word.text == "--gc") {
        return;
    }
    if matches!(
        call.first(),
        Some("search" | "eval" | "show" | "log" | "why-depends" | "path-info" | "--version")
    ) {
        call.nature = Nature::Reads;
        return;
    }
    call.run_own("flake.nix", Code::None);
    call.contact_named("cache.nixos.org", "https", Direction::Fetch);
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn installs_name_their_source() {
        check(&[
            ("npm ci", "fetch registry.npmjs.org; install lockfile; plain"),
            ("npm install x", "fetch registry.npmjs.org; install registry x; plain"),
            (
                "npm install https://a.example/x.tgz",
                "fetch a.example; fetch registry.npmjs.org; install url https://a.example/x.tgz; remote_code",
            ),
            ("npm run lint", "file package.json; plain"),
            ("npm test", "file package.json; plain"),
            ("npm ls", "read-only"),
            ("npm exec -c 'rm x'", "sh rm x; transparent"),
            ("npm pkg set scripts.x='rm y'", "sh rm y"),
            ("npx -y https://a.example/run.tgz", "fetch a.example; remote_code"),
            ("npx prettier x", "argv prettier x; transparent"),
            (
                "pip install -r requirements.txt",
                "read requirements.txt; fetch pypi.org; install lockfile; plain",
            ),
            ("pip list", "read-only"),
            ("cargo test --workspace", "file Cargo.toml; plain"),
            ("cargo test parser:: -- --nocapture", "file Cargo.toml; plain"),
            ("cargo --config build.rustc-wrapper=./x build", "file ./x; file Cargo.toml"),
            ("cargo --version", "read-only"),
            ("cargo clean", "delete-rf target; plain"),
            ("go run x@latest", "fetch proxy.golang.org; remote_code"),
            ("go test ./...", "file go.mod; plain"),
            ("apt-get install -y x", "fetch servers of apt-get; privilege root; install registry x"),
            (
                "apt -o APT::Update::Pre-Invoke::='touch x' update",
                "fetch servers of apt; privilege root; sh touch x",
            ),
            ("brew install x", "fetch formulae.brew.sh; install registry x; plain"),
            ("dpkg -l", "read-only"),
        ]);
    }
}
