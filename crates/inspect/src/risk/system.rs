//! Places outside the roots that decide more than their own content: what runs later, who may log in, which program a
//! name starts, and where others look up what happened.

use doorward_paths::lexical;

/// Places whose content runs later without anybody asking: cron(8), systemd.unit(5), sshd(8), ld.so(8), PAM, XDG
/// autostart, launchd(8). A `*` stands for one component.
const PERSISTENCE: &[&str] = &[
    "/etc/cron*",
    "/var/spool/cron",
    "/etc/anacrontab",
    "/etc/systemd",
    "/usr/lib/systemd",
    "/lib/systemd",
    "/run/systemd",
    "/etc/init.d",
    "/etc/rc*",
    "/etc/profile*",
    "/etc/bash.bashrc",
    "/etc/environment",
    "/etc/ld.so.preload",
    "/etc/ld.so.conf*",
    "/etc/pam.d",
    "/etc/xdg/autostart",
    "/etc/udev",
    "/etc/modules*",
    "/etc/apt/apt.conf.d",
    "/etc/update-motd.d",
    "/etc/logrotate.d",
    "/etc/NetworkManager/dispatcher.d",
];
/// The same below any home folder.
const PERSISTENCE_HOME: &[&str] = &[
    ".config/systemd",
    ".config/autostart",
    ".ssh/authorized_keys",
    ".ssh/authorized_keys2",
    ".ssh/rc",
    ".ssh/config",
    ".local/share/systemd",
    "Library/LaunchAgents",
    "Library/LaunchDaemons",
    ".pam_environment",
];

pub(super) fn is_persistence(path: &str) -> bool {
    let system = PERSISTENCE.iter().any(|place| {
        let wild = place.strip_suffix('*');
        match wild {
            Some(head) => path.starts_with(head),
            None => path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')),
        }
    });
    system || PERSISTENCE_HOME.iter().any(|place| names_below(path, place))
}

/// Folders in hidden folders of a home that hold no settings: what tools fetch, build, log and throw away.
const STORES_HOME: &[&str] = &[
    ".bun/install/cache",
    ".cache",
    ".cargo/git",
    ".cargo/registry",
    ".gradle/caches",
    ".ivy2/cache",
    ".local/share/Trash",
    ".local/share/pnpm/store",
    ".local/share/virtualenvs",
    ".m2/repository",
    ".npm/_cacache",
    ".npm/_logs",
    ".npm/_npx",
    ".nuget/packages",
    ".nvm/versions",
    ".pnpm-store",
    ".pub-cache",
    ".pyenv/versions",
    ".rustup/tmp",
    ".rustup/toolchains",
    ".terraform.d/plugin-cache",
    ".virtualenvs",
    ".yarn/berry/cache",
    ".yarn/cache",
];

/// Whether a path below the home folder is a hidden file of it, or lies in a hidden folder: the settings of programs.
pub(crate) fn is_setting_of_home(below_home: &str) -> bool {
    below_home.starts_with('.') && !STORES_HOME.iter().any(|store| lexical::is_within(below_home, store))
}

fn names_below(path: &str, place: &str) -> bool {
    path.match_indices(place).any(|(at, _)| {
        let before = at == 0 || path.get(..at).is_some_and(|head| head.ends_with('/'));
        let after = path.get(at + place.len()..).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        before && after
    })
}

/// Where others look up what happened.
const TRAILS: &[&str] =
    &[".bash_history", ".zsh_history", ".sh_history", ".python_history", ".psql_history", ".mysql_history"];

pub(super) fn is_trail(path: &str) -> bool {
    path.starts_with("/var/log/")
        || path.starts_with("/etc/audit/")
        || path.starts_with("/etc/rsyslog")
        || TRAILS.iter().any(|name| path.ends_with(name))
}

/// Who may log in or act as another user: passwd(5), shadow(5), group(5), sudoers(5), doas.conf(5), polkit(8).
const ACCOUNTS: &[&str] = &[
    "/etc/passwd",
    "/etc/passwd-",
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/group",
    "/etc/gshadow",
    "/etc/subuid",
    "/etc/subgid",
    "/etc/sudoers",
    "/etc/sudoers.d",
    "/etc/doas.conf",
    "/etc/polkit-1",
    "/etc/security",
    "/etc/login.defs",
    "/etc/nsswitch.conf",
];

pub(super) fn names_accounts(path: &str) -> bool {
    ACCOUNTS.iter().any(|place| lexical::is_within(path, place))
}

/// Folders of the system that packages and administrators fill (Filesystem Hierarchy Standard 3.0).
const OF_SYSTEM: &[&str] =
    &["/bin", "/boot", "/etc", "/lib", "/lib32", "/lib64", "/sbin", "/usr", "/var/lib", "/var/spool"];

pub(super) fn is_of_system(path: &str) -> bool {
    // A pattern below the root of the machine fits them.
    path.starts_with("/*") || OF_SYSTEM.iter().any(|place| lexical::is_within(path, place))
}

/// Files of the kernel, but for those of the own process (proc(5), sysfs(5)).
pub(super) fn is_of_kernel(path: &str) -> bool {
    let own = ["/proc/self", "/proc/thread-self"].iter().any(|own| lexical::is_within(path, own));
    !own && ["/proc", "/sys"].iter().any(|place| lexical::is_within(path, place))
}

/// Whether a path lies directly in a folder of programs, or is one: such a folder is on the path of some shell.
pub(super) fn is_program(path: &str) -> bool {
    let is_folder = |name: &str| matches!(name, "bin" | "sbin" | "shims");
    let mut names = path.rsplit('/');
    let last = names.next().unwrap_or_default();
    is_folder(last) || names.next().is_some_and(is_folder)
}
