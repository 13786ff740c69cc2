//! Names the interpreter itself must know.

use doorward_core::intent::Code;

use crate::programs;

/// Builtins whose operands may be assignments.
pub(crate) const DECLARATIONS: &[&str] = &["declare", "typeset", "local", "export", "readonly"];

/// What a language's loader adds to the name of a file.
pub(crate) fn extension(code: &Code) -> Option<&'static str> {
    let Code::Language(language) = code else { return None };
    Some(match language.as_str() {
        "ruby" => ".rb",
        "javascript" => ".js",
        "python" => ".py",
        "perl" => ".pm",
        "lua" => ".lua",
        _ => return None,
    })
}

/// Whether an assignment in front of a command can't change what it does.
pub(crate) fn is_harmless(name: &str) -> bool {
    programs::is_harmless(name)
}

/// Whether a path is a descriptor of this process and nothing else: `/dev/fd/../x` leads on.
pub(crate) fn is_descriptor(path: &str) -> bool {
    path.strip_prefix("/dev/fd/")
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The number of the open descriptor that a path names: opening it again is duplicating it.
pub(crate) fn own_descriptor(path: &str) -> Option<i32> {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let whole = format!("/{}", parts.join("/"));
    match whole.as_str() {
        _ if !path.starts_with('/') => None,
        "/dev/stdin" => Some(0),
        "/dev/stdout" => Some(1),
        "/dev/stderr" => Some(2),
        other => {
            let folders = ["/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"];
            folders.iter().find_map(|folder| other.strip_prefix(folder))?.parse().ok()
        }
    }
}

/// Commands that the shell carries out itself, whatever `PATH` holds.
pub(crate) fn is_builtin(name: &str) -> bool {
    const NAMES: &str = ": true false echo printf test [ cd pushd popd dirs read mapfile readarray \
        export declare typeset local readonly unset set shift shopt umask let getopts return exit \
        break continue wait jobs times type hash alias unalias pwd";
    NAMES.split_ascii_whitespace().any(|own| own == name)
}

/// Whether a variable may be one that programs or later shells read.
pub(crate) fn may_carry(name: &str) -> bool {
    !is_harmless(name)
}

/// A path without empty and `.` parts, and with `x/..` taken out.
pub(crate) fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if path.starts_with('/') => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (path.starts_with('/'), joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        // Without a slash a name would be searched for in PATH.
        (false, false) if path.starts_with("./") && !joined.contains('/') => format!("./{joined}"),
        (false, false) => joined,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_normal() {
        for (path, expected) in [
            ("/usr//bin/./rm", "/usr/bin/rm"),
            ("/bin/../bin/rm", "/bin/rm"),
            ("./x", "./x"),
            ("a/../b", "b"),
            ("../a", "../a"),
            (".", "."),
        ] {
            assert_eq!(normal(path), expected);
        }
    }
}
