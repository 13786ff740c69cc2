//! Windows paths, drives of PowerShell and variables of the environment, as this machine names them: a drive stands
//! below `/mnt`, as under WSL, and what is relative stays so, with `/` between its folders.

use doorward_core::intent::Direction;

use super::{CodeEffects, Value};

/// What a path of PowerShell or cmd names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Named {
    File(String),
    /// A share of another host.
    Share {
        host: String,
        path: String,
    },
    /// A key, as written.
    Registry(String),
    /// A variable, or `*`.
    Environment(String),
    /// A drive of the session itself: functions, aliases, variables.
    Session,
    /// Certificates.
    Certificates,
    /// Swallows what is written.
    Nothing,
}

const REGISTRY: &[&str] = &[
    "hklm",
    "hkcu",
    "hkcr",
    "hku",
    "hkcc",
    "registry",
    "hkey_local_machine",
    "hkey_current_user",
    "hkey_users",
    "hkey_classes_root",
    "hkey_current_config",
];

/// Reads a path.
pub(crate) fn read(text: &str, home: Option<&str>) -> Named {
    let text = text.trim_matches(['"', ' ']);
    let lower = text.to_ascii_lowercase();
    let plain = ["microsoft.powershell.core\\filesystem::", "filesystem::", "\\\\?\\", "\\\\.\\"]
        .iter()
        .find(|prefix| lower.starts_with(**prefix))
        .map_or(text, |prefix| text.get(prefix.len()..).unwrap_or_default());
    if matches!(lower.trim_end_matches(':'), "nul" | "$null" | "con" | "prn" | "aux") {
        return Named::Nothing;
    }
    let front = lower.split([':', '\\', '/']).next().unwrap_or_default();
    let has_colon = lower.get(front.len()..).is_some_and(|rest| rest.starts_with(':'));
    if REGISTRY.contains(&front) && (has_colon || front.starts_with("hkey_"))
        || lower.starts_with("microsoft.powershell.core\\registry::")
    {
        return Named::Registry(text.to_owned());
    }
    match front {
        "env" if has_colon => {
            let name = text.get(4..).unwrap_or_default().trim_start_matches(['\\', '/']);
            return Named::Environment(if name.is_empty() { "*".to_owned() } else { name.to_owned() });
        }
        "function" | "alias" | "variable" | "wsman" if has_colon => return Named::Session,
        "cert" if has_colon => return Named::Certificates,
        _ => {}
    }
    let slashed = plain.replace('\\', "/");
    if let Some(share) = slashed.strip_prefix("//").filter(|_| plain.starts_with("\\\\") && plain == text) {
        let (host, path) = share.split_once('/').unwrap_or((share, ""));
        if matches!(host.to_ascii_lowercase().as_str(), "wsl$" | "wsl.localhost") {
            let path = path.split_once('/').map_or("", |(_, path)| path);
            return Named::File(format!("/{path}"));
        }
        return Named::Share { host: host.to_owned(), path: slashed.clone() };
    }
    Named::File(drive(&slashed).unwrap_or_else(|| match (slashed.strip_prefix('~'), home) {
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => format!("{home}{rest}"),
        _ => slashed.clone(),
    }))
}

/// `C:/x` as `/mnt/c/x`.
fn drive(text: &str) -> Option<String> {
    let mut letters = text.chars();
    let letter = letters.next().filter(char::is_ascii_alphabetic)?;
    let rest = letters.as_str().strip_prefix(':')?;
    let rest = rest.trim_start_matches('/');
    let separator = if rest.is_empty() { "" } else { "/" };
    Some(format!("/mnt/{}{separator}{rest}", letter.to_ascii_lowercase()))
}

/// A path of Windows in a word, as this machine names it; `None` if it is none.
pub(crate) fn slash(text: &str) -> Option<String> {
    let path_like = text.contains('\\')
        && !text.contains("\\\\")
        && text.chars().all(|letter| letter.is_alphanumeric() || "_.-\\:/~ ()*?…@".contains(letter));
    let drive = text.len() == 2 && text.ends_with(':') || text.get(1..3) == Some(":/");
    if !path_like && !drive {
        return None;
    }
    match read(text, None) {
        Named::File(path) => Some(path),
        _ => None,
    }
}

/// What a word that a program of Windows is given says by itself: another host, a secret, a place whose programs start
/// by themselves.
pub(crate) fn note(effects: &mut CodeEffects, word: &str) {
    match read(word, None) {
        Named::Share { host, .. } => {
            let url = Value::literal(format!("smb://{host}/"));
            effects.host(&url, "smb", Direction::Both);
        }
        Named::File(path) if is_secret(&path) => {
            effects.finding("shell.secret_read", "names a file of Windows that holds secrets");
        }
        Named::File(path) if is_startup(&path) => {
            effects.finding("shell.persistence", "names a place where Windows starts programs by itself");
        }
        _ => {}
    }
}

/// The program that a path ends in, without the endings of Windows, in lower case.
pub(crate) fn base_name(name: &str) -> String {
    let base = name.rsplit(['\\', '/']).next().unwrap_or_default().to_ascii_lowercase();
    [".exe", ".cmd", ".bat", ".com"]
        .iter()
        .find_map(|ending| base.strip_suffix(ending))
        .unwrap_or(&base)
        .to_owned()
}

/// Joins a folder and a path.
pub(crate) fn join(folder: &str, path: &str) -> String {
    if folder.is_empty() || path.starts_with(['/', '~']) {
        return path.to_owned();
    }
    let path = path.strip_prefix("./").unwrap_or(path);
    if path.is_empty() || path == "." {
        folder.to_owned()
    } else {
        format!("{}/{path}", folder.trim_end_matches('/'))
    }
}

/// Variables of every Windows: their values as the documentation has them, `~` for the user's folder.
const VARIABLES: &[(&str, &str)] = &[
    ("allusersprofile", "C:\\ProgramData"),
    ("appdata", "~\\AppData\\Roaming"),
    ("comspec", "C:\\WINDOWS\\system32\\cmd.exe"),
    ("home", "~"),
    ("homedrive", "C:"),
    ("homepath", "~"),
    ("localappdata", "~\\AppData\\Local"),
    ("os", "Windows_NT"),
    ("programdata", "C:\\ProgramData"),
    ("programfiles", "C:\\Program Files"),
    ("programfiles(x86)", "C:\\Program Files (x86)"),
    ("programw6432", "C:\\Program Files"),
    ("public", "C:\\Users\\Public"),
    ("systemdrive", "C:"),
    ("systemroot", "C:\\WINDOWS"),
    ("temp", "/tmp"),
    ("tmp", "/tmp"),
    ("tmpdir", "/tmp"),
    ("userprofile", "~"),
    ("windir", "C:\\WINDOWS"),
];

/// The value of a variable that every Windows sets.
pub(crate) fn variable(name: &str, home: Option<&str>) -> Option<String> {
    let (_, value) = VARIABLES.iter().find(|(own, _)| own.eq_ignore_ascii_case(name))?;
    Some(match (value.strip_prefix('~'), home) {
        (Some(rest), Some(home)) => format!("{home}{rest}"),
        _ => (*value).to_owned(),
    })
}

/// Keys below which Windows starts programs by itself, or that decide what guards it. Sources: Windows 11 documentation
/// of Run keys, Winlogon, image file execution options, services, `AppInit_DLLs`, associations and policies.
const STARTING: &[&str] = &[
    "\\currentversion\\run",
    "\\currentversion\\policies\\explorer\\run",
    "\\winlogon",
    "\\image file execution options",
    "\\currentcontrolset\\services",
    "\\appinit_dlls",
    "\\shell\\open\\command",
    "\\ms-settings",
    "\\active setup",
    "\\control\\lsa",
    "\\windows defender",
    "\\policies\\system",
    "\\explorer\\user shell folders",
    "\\explorer\\shell folders",
    "\\inprocserver32",
    "\\command processor",
    "\\powershell\\1\\shellids",
    "\\policies\\microsoft\\windows\\powershell",
    "\\environment",
    "\\control\\safeboot",
    "\\terminal server",
    "\\silentprocessexit",
];
/// Hives that hold credentials.
const HIVES: &[&str] = &["\\sam", "\\security", "\\system"];

/// Whether a key decides what starts by itself.
pub(crate) fn starts_programs(key: &str) -> bool {
    let key = key.to_ascii_lowercase().replace('/', "\\");
    STARTING.iter().any(|mark| key.contains(mark))
}

/// Whether a key is the root of a hive of credentials.
pub(crate) fn holds_credentials(key: &str) -> bool {
    let key = key.to_ascii_lowercase().replace('/', "\\").replace(':', "");
    ["hklm", "hkey_local_machine"].iter().any(|hive| {
        key.strip_prefix(hive).is_some_and(|rest| {
            HIVES
                .iter()
                .any(|own| rest == *own || rest.starts_with(&format!("{own}\\")) && *own != "\\system")
        })
    })
}

/// Files of Windows that hold secrets, beside those that the list of secret names knows; in lower case, with `/`.
const SECRETS: &[&str] = &[
    "/windows/system32/config/sam",
    "/windows/system32/config/security",
    "/windows/system32/config/system",
    "/windows/ntds/ntds.dit",
    "/microsoft/credentials",
    "/microsoft/protect",
    "/microsoft/vault",
    "/user data/default/login data",
    "/user data/default/cookies",
    "/user data/default/network/cookies",
    "/user data/local state",
    "/firefox/profiles",
    "/psreadline/consolehost_history",
    "/unattend.xml",
    "/sysprep.xml",
    "lsass.dmp",
    "/user data/default/web data",
];

/// Whether a file of Windows holds secrets.
pub(crate) fn is_secret(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    SECRETS.iter().any(|own| path.contains(own))
}

/// Whether what lies there starts by itself.
pub(crate) fn is_startup(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    ["/start menu/programs/startup", "/windows/system32/tasks/", "/windows/tasks/", "/drivers/etc/hosts"]
        .iter()
        .any(|own| path.contains(own))
        || path.ends_with("profile.ps1") && (path.contains("powershell") || !path.contains('/'))
}
