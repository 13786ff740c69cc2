// Generated from knowledge/programs/apt.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const MANAGER: &str = "\
    -o|--option=data -c|--config-file=data -t|--target-release=data -s|--simulate \
    --just-print|--recon|--no-act --dry-run -n -D -p|--pretend --assumeno";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            apt apt-get aptitude zypper apk pkg pkg_add emerge snap microdnf tdnf swupd opkg xbps-install \
            eopkg choco winget apt-mark apt-clone",
        "apt(8) 2.7",
        "",
        "data*",
    )
    .also(MANAGER)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &[">-o", ">--option"], fits: &["~*invoke*=*",
                    "~*proxy-auto*=*", "~*::bin::*=*", "~*pre-install-pkgs*=*", "~*methods*=*"],
                    except: &[], after: &["="] }, Role::Shell),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-c"]),
                Condition::Program(&["apt", "apt-get", "aptitude", "apt-mark"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "reads settings that may name a command"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-c"]),
                Condition::Program(&["microdnf", "tdnf"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "reads settings that may name plug-ins"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--config"]),
                Condition::Program(&["microdnf", "tdnf"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "reads settings that may name plug-ins"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-s", "--just-print", "--dry-run"]),
                Condition::Program(&["apt", "apt-get", "aptitude"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-s"]),
                Condition::Program(&["apk"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--dry-run", "-D"]),
                Condition::Program(&["zypper"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-p"]),
                Condition::Program(&["emerge"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-n", "--dry-run"]),
                Condition::Program(&["pkg"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Options(1, usize::MAX),
                Condition::Program(&["pkg_add", "microdnf", "tdnf", "swupd", "opkg", "xbps-install",
                        "eopkg", "choco", "winget", "apt-clone"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["update", "refresh", "makecache", "check-update", "download", "source",
                        "tap"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "refreshes the package lists"),
                Act::Contacts("packages", "https", Direction::Fetch),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["install", "upgrade", "dist-upgrade", "full-upgrade", "reinstall",
                        "build-dep", "localinstall", "groupinstall", "add", "in", "up", "dup"]),
            ],
            acts: &[
                Act::Installs(Pick { at: &["1.."], fits: &[], except: &[], after: &[] }, "packages",
                    &[], &["always"], false),
                Act::Privilege(PrivilegeKind::Root, "changes installed packages"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["distro-sync", "bundle", "reinstall-all"]),
            ],
            acts: &[
                Act::Installs(Pick { at: &["1.."], fits: &[], except: &[], after: &[] }, "packages",
                    &[], &["always"], false),
                Act::Privilege(PrivilegeKind::Root, "changes installed packages"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["history"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["services"]),
            ],
            acts: &[
                Act::Finding("shell.persistence", "starts or stops a service"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["remove", "purge", "autoremove", "erase", "uninstall", "del", "rm",
                        "autopurge", "deselect", "unlink", "cleanup", "clean", "autoclean",
                        "hold"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "changes installed packages"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["unhold"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "changes installed packages"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["auto", "manual", "link", "pin", "config", "edit-sources", "switch",
                        "revert", "disable", "enable", "set", "connect", "swap", "module",
                        "mark"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "changes installed packages"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["configure"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "changes installed packages"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["changelog"]),
                Condition::Program(&["apt", "apt-get", "aptitude"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Fetch),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["list", "search", "show", "info", "policy", "madison", "depends",
                        "rdepends", "changelog", "repolist", "provides", "whatprovides",
                        "deps"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["uses", "leaves"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["outdated", "doctor", "shellenv", "showmanual", "showauto", "showhold",
                        "se", "if", "lr", "lu", "which", "find", "version", "home", "desc",
                        "log"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["cat", "check", "audit"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["stats", "contents", "help", "interfaces", "connections", "remotes",
                        "ps", "check-installed", "query", "moo", "commands", "options"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["formulae", "casks"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::UnknownCommand,
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "yum dnf",
        "dnf(8) 4",
        "-C|--cacheonly",
        "data*",
    )
    .also(MANAGER)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &[">-o", ">--option"], fits: &["~*invoke*=*",
                    "~*proxy-auto*=*", "~*::bin::*=*", "~*pre-install-pkgs*=*", "~*methods*=*"],
                    except: &[], after: &["="] }, Role::Shell),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-c"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "reads settings that may name plug-ins"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--config"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "reads settings that may name plug-ins"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--assumeno"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["install", "upgrade", "dist-upgrade", "full-upgrade", "reinstall",
                        "build-dep", "localinstall", "groupinstall", "add", "in", "up", "dup"]),
            ],
            acts: &[
                Act::Installs(Pick { at: &["1.."], fits: &[], except: &[], after: &[] }, "packages",
                    &[], &["always"], false),
                Act::Privilege(PrivilegeKind::Root, "changes installed packages"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["distro-sync", "bundle", "reinstall-all"]),
            ],
            acts: &[
                Act::Installs(Pick { at: &["1.."], fits: &[], except: &[], after: &[] }, "packages",
                    &[], &["always"], false),
                Act::Privilege(PrivilegeKind::Root, "changes installed packages"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["update", "refresh", "makecache", "check-update", "download", "source",
                        "tap"]),
            ],
            acts: &[
                Act::Installs(Pick { at: &["1.."], fits: &[], except: &[], after: &[] }, "packages",
                    &[], &["always"], false),
                Act::Privilege(PrivilegeKind::Root, "changes installed packages"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["history"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["services"]),
            ],
            acts: &[
                Act::Finding("shell.persistence", "starts or stops a service"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["remove", "purge", "autoremove", "erase", "uninstall", "del", "rm",
                        "autopurge", "deselect", "unlink", "cleanup", "clean", "autoclean",
                        "hold"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "changes installed packages"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["unhold"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "changes installed packages"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["auto", "manual", "link", "pin", "config", "edit-sources", "switch",
                        "revert", "disable", "enable", "set", "connect", "swap", "module",
                        "mark"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "changes installed packages"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["configure"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "changes installed packages"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["list", "search", "show", "info", "policy", "madison", "depends",
                        "rdepends", "changelog", "repolist", "provides", "whatprovides",
                        "deps"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["uses", "leaves"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["outdated", "doctor", "shellenv", "showmanual", "showauto", "showhold",
                        "se", "if", "lr", "lu", "which", "find", "version", "home", "desc",
                        "log"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["cat", "check", "audit"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["stats", "contents", "help", "interfaces", "connections", "remotes",
                        "ps", "check-installed", "query", "moo", "commands", "options"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["formulae", "casks"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::UnknownCommand,
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "brew port scoop nix-env guix flatpak mas",
        "brew(1) 4",
        "",
        "data*",
    )
    .also(MANAGER)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &[">-o", ">--option"], fits: &["~*invoke*=*",
                    "~*proxy-auto*=*", "~*::bin::*=*", "~*pre-install-pkgs*=*", "~*methods*=*"],
                    except: &[], after: &["="] }, Role::Shell),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-n", "--dry-run"]),
                Condition::Program(&["brew"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Options(1, usize::MAX),
                Condition::Program(&["scoop", "guix", "mas"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["update", "refresh", "makecache", "check-update", "download", "source",
                        "tap"]),
            ],
            acts: &[
                Act::Contacts("packages", "https", Direction::Fetch),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["install", "upgrade", "dist-upgrade", "full-upgrade", "reinstall",
                        "build-dep", "localinstall", "groupinstall", "add", "in", "up", "dup"]),
            ],
            acts: &[
                Act::Installs(Pick { at: &["1.."], fits: &[], except: &[], after: &[] },
                    "formulae.brew.sh", &[], &[], false),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["distro-sync", "bundle", "reinstall-all"]),
            ],
            acts: &[
                Act::Installs(Pick { at: &["1.."], fits: &[], except: &[], after: &[] },
                    "formulae.brew.sh", &[], &[], false),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["history"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["services"]),
            ],
            acts: &[
                Act::Finding("shell.persistence", "starts or stops a service"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["remove", "purge", "autoremove", "erase", "uninstall", "del", "rm",
                        "autopurge", "deselect", "unlink", "cleanup", "clean", "autoclean",
                        "hold"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["unhold"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["auto", "manual", "link", "pin", "config", "edit-sources", "switch",
                        "revert", "disable", "enable", "set", "connect", "swap", "module",
                        "mark"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["configure"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["list", "search", "show", "info", "policy", "madison", "depends",
                        "rdepends", "changelog", "repolist", "provides", "whatprovides",
                        "deps"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["uses", "leaves"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["outdated", "doctor", "shellenv", "showmanual", "showauto", "showhold",
                        "se", "if", "lr", "lu", "which", "find", "version", "home", "desc",
                        "log"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["cat", "check", "audit"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["stats", "contents", "help", "interfaces", "connections", "remotes",
                        "ps", "check-installed", "query", "moo", "commands", "options"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["formulae", "casks"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::UnknownCommand,
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "pacman yay paru",
        "pacman(8) 6",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &[">-o", ">--option"], fits: &["~*invoke*=*",
                    "~*proxy-auto*=*", "~*::bin::*=*", "~*pre-install-pkgs*=*", "~*methods*=*"],
                    except: &[], after: &["="] }, Role::Shell),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["-Q*", "-F*", "-T*", "-V*"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["-S*y*", "-S*u*"]),
            ],
            acts: &[
                Act::Installs(Pick { at: &["0.."], fits: &[], except: &["-*"], after: &[] },
                    "archlinux.org", &[], &["always"], false),
                Act::Privilege(PrivilegeKind::Root, "changes installed packages"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["-S*s*", "-S*i*", "-S*l*", "-S*g*"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["-S*", "-U*"]),
            ],
            acts: &[
                Act::Installs(Pick { at: &["0.."], fits: &[], except: &["-*"], after: &[] },
                    "archlinux.org", &[], &["always"], false),
                Act::Privilege(PrivilegeKind::Root, "changes installed packages"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "changes installed packages"),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "rpm dpkg",
        "rpm(8), dpkg(1) 4.19, 1.22",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &[">-o", ">--option"], fits: &["~*invoke*=*",
                    "~*proxy-auto*=*", "~*::bin::*=*", "~*pre-install-pkgs*=*", "~*methods*=*"],
                    except: &[], after: &["="] }, Role::Shell),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["-l", "-L", "-s", "-S", "-c", "-I", "--list", "--listfiles",
                        "--status", "--search", "--print-architecture", "--get-selections",
                        "-p"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["--contents", "--info"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["--audit", "-C", "-V", "--verify", "--checksig", "-K", "--eval",
                        "--version", "--compare-versions", "-q*", "--query*"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &[">--pre-invoke", ">--post-invoke"], fits: &[], except: &[],
                    after: &[] }, Role::Shell),
                Act::Installs(Pick { at: &["0.."], fits: &[], except: &["-*"], after: &[] }, "", &[],
                    &["always"], false),
                Act::Privilege(PrivilegeKind::Root, "changes installed packages"),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "apt-key add-apt-repository apt-add-repository",
        "add-apt-repository(1) 0.99",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &[">-o", ">--option"], fits: &["~*invoke*=*",
                    "~*proxy-auto*=*", "~*::bin::*=*", "~*pre-install-pkgs*=*", "~*methods*=*"],
                    except: &[], after: &["="] }, Role::Shell),
                Act::Privilege(PrivilegeKind::Root, "changes whom the package manager trusts"),
            ],
        },
    ])
    .taken_over()
    ,
];
