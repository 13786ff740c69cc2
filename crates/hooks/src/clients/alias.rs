//! Maps one client's tool and argument names to canonical ones.

use doorward_core::json::{Object, Value};

/// A row of a client's table of tool names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alias {
    /// The client's tool name.
    pub name: &'static str,
    /// The canonical tool.
    pub canonical: &'static str,
    /// (client's argument, canonical argument). Unlisted arguments keep their names.
    pub arguments: &'static [(&'static str, &'static str)],
    /// The shell that runs the command, if it isn't a POSIX shell; becomes the argument `shell`.
    pub shell: Option<&'static str>,
}

impl Alias {
    /// Renames arguments to their canonical names. If both spellings are present, the client's wins, because its tool
    /// reads that one. Several sources of one name (two path arguments) become a list, so that all of them are
    /// judged.
    #[must_use]
    pub fn rename(&self, mut args: Object) -> Object {
        for (_, canonical) in self.arguments {
            let found: Vec<Value> = self
                .arguments
                .iter()
                .filter(|(_, to)| to == canonical)
                .filter_map(|(from, _)| args.remove(*from))
                .collect();
            match <[Value; 1]>::try_from(found) {
                Ok([only]) => {
                    args.insert((*canonical).to_owned(), only);
                }
                Err(found) if found.is_empty() => {}
                Err(mut found) => {
                    found.extend(args.remove(*canonical));
                    args.insert(format!("{canonical}s"), Value::Array(found));
                }
            }
        }
        if self.canonical == "shell:execute" {
            // The tool determines the shell, never the model: an argument of that name could get a bash line judged
            // as another shell's. The model's value is kept under another name.
            if let Some(claimed) = args.remove("shell") {
                args.insert("claimed_shell".to_owned(), claimed);
            }
            if let Some(shell) = self.shell {
                args.insert("shell".to_owned(), Value::from(shell));
            }
        }
        args
    }
}

pub(super) const fn alias(
    name: &'static str,
    canonical: &'static str,
    arguments: &'static [(&'static str, &'static str)],
) -> Alias {
    Alias { name, canonical, arguments, shell: None }
}

/// A tool that runs its command in `shell`.
pub(super) const fn windows(name: &'static str, shell: &'static str) -> Alias {
    Alias { name, canonical: "shell:execute", arguments: CMD, shell: Some(shell) }
}

/// Names of the argument with a shell command.
pub(super) const CMD: &[(&str, &str)] = &[("cmd", "command"), ("command_line", "command")];
/// Names of the argument with a path.
pub(super) const PATH: &[(&str, &str)] = &[
    ("file_path", "path"),
    ("filePath", "path"),
    ("absolute_path", "path"),
    ("notebook_path", "path"),
    ("target_file", "path"),
    ("dir_path", "path"),
    ("directory", "path"),
];
/// Names of the argument with program text.
pub(super) const CODE: &[(&str, &str)] = &[("source", "code"), ("script", "code")];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tool_decides_which_shell_reads_the_command() {
        let given = || {
            Object::from([
                ("command".to_owned(), Value::from("ls")),
                ("shell".to_owned(), Value::from("cmd")),
            ])
        };
        let shell = |args: Object| args.get("shell").and_then(|shell| shell.as_str().map(str::to_owned));
        assert_eq!(shell(windows("PowerShell", "powershell").rename(given())).as_deref(), Some("powershell"));
        assert_eq!(shell(alias("Bash", "shell:execute", CMD).rename(given())), None);
    }
}
