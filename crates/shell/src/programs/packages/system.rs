//! Packages of the operating system, and nix.

use doorward_core::intent::{Direction, PrivilegeKind};

use crate::deed::Word;
use crate::programs::call::Call;

use super::*;

/// apt, dnf, pacman, brew and kin.
pub(in crate::programs) fn system(call: &mut Call<'_>) {
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
    if simulates(call) {
        call.nature = Nature::Reads;
        return;
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

pub(in crate::programs) fn managed(call: &mut Call<'_>, packages: &[Word], registry: &str) {
    install(call, packages, true, true, registry);
    call.privilege(PrivilegeKind::Root, "changes installed packages");
}

/// Whether the package manager only says what it would do. A word that is the value of an option doesn't count.
fn simulates(call: &Call<'_>) -> bool {
    let long: &[&str] = match call.program.as_str() {
        "apt" | "apt-get" | "aptitude" => {
            &["-s", "--simulate", "--just-print", "--dry-run", "--recon", "--no-act"]
        }
        "apk" => &["-s", "--simulate"],
        "zypper" => &["--dry-run", "-D"],
        "brew" => &["-n", "--dry-run"],
        "dnf" | "yum" => &["--assumeno"],
        "emerge" => &["-p", "--pretend"],
        "pkg" => &["-n", "--dry-run"],
        _ => &[],
    };
    let takes_value = |word: Option<&Word>| {
        word.is_some_and(|word| {
            matches!(
                word.text.as_str(),
                "-o" | "--option" | "-c" | "--config-file" | "-t" | "--target-release"
            )
        })
    };
    call.operands.iter().enumerate().any(|(at, own)| {
        let before = at.checked_sub(1).and_then(|at| call.operands.get(at));
        long.contains(&own.text.as_str()) && !takes_value(before)
    }) && !call.operands.iter().any(|word| word.text == "--")
}
