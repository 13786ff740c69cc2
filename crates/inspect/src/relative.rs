//! `paths.relative_only`: no path of a call is absolute or climbs, whether a file tool, a command, code or a tool of a
//! server names it.

use doorward_core::finding::Finding;
use doorward_core::intent::{Intent, Operand, Origin, Place, SimpleCommand};

use crate::place::is_harmless;
use crate::risk;

/// The refusal of what was said, if a path in it isn't plainly relative. One that is only known when it runs isn't.
pub(crate) fn refused<'i>(mut said: impl Iterator<Item = &'i Intent>) -> Option<Finding> {
    let path = said.find_map(|intent| {
        let moved = intent.writes.iter().filter_map(|write| write.moved_from.as_ref());
        let files = intent.commands.iter().filter_map(|command| match &command.origin {
            Origin::File(path) => Some(path),
            _ => None,
        });
        let mut paths = intent
            .reads
            .iter()
            .map(|read| &read.path)
            .chain(intent.writes.iter().map(|write| &write.path))
            .chain(intent.deletes.iter().map(|delete| &delete.path))
            .chain(moved)
            .chain(files)
            .chain(&intent.module_folders);
        let mut folders = intent.commands.iter().map(|SimpleCommand { folder, .. }| folder);
        let path = paths.find(|path| path.place == Place::Local && !is_plain(&path.text));
        path.map(|Operand { text, .. }| text).or_else(|| folders.find(|folder| !is_plain(folder)))
    })?;
    let message = format!("only plain relative paths are taken here, and {path} is none");
    Some(risk::floor(Finding::new("path.not_relative", message)))
}

fn is_plain(path: &str) -> bool {
    is_harmless(path)
        || !path.starts_with(['/', '~', '…']) && !path.split(['/', '\n']).any(|name| name == "..")
}

#[cfg(test)]
mod tests {
    use super::*;
    use doorward_shell::{Options, analyze};

    #[test]
    fn paths_of_commands_are_plain_or_refused() {
        let is_refused = |command: &str| {
            let intent = analyze(command, &Options { cwd: Some("/w".to_owned()), ..Options::default() });
            refused(std::iter::once(&intent)).is_some()
        };
        for command in [
            "cat /etc/hostname",
            "cat src/../x",
            "cp a ~/b",
            "mv /tmp/a b",
            "cd .. && ls",
            "echo x > /tmp/a",
            "rm \"$x\"",
            "sh /tmp/x.sh",
            "python3 -c 'open(\"/etc/hostname\")'",
        ] {
            assert!(is_refused(command), "{command}");
        }
        for command in
            ["cat a", "cp a b/c > /dev/null", "cd src && ls", "make all", "rm -- *.o", "git status"]
        {
            assert!(!is_refused(command), "{command}");
        }
    }
}
