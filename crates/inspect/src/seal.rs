//! The last look before execution: what is sealed is what was judged.

use doorward_core::effect::Inspected;
use doorward_core::finding::Finding;
use doorward_core::id::Digest;

use doorward_core::intent::SimpleCommand;
use doorward_core::json::Value;
use doorward_shell::Folders;

use crate::Inspector;

/// A file larger than this was never judged.
const FILE_LIMIT: u64 = 256 << 10;

/// Whether a command parses to the very simple commands that were judged, in their order.
///
/// The sealed text is analysed with what the session knew then; commands of files that it runs are told by their
/// depth and compared by digest instead.
#[must_use]
pub fn same_commands(inspector: &Inspector, sealed: &str, inspected: &Inspected) -> bool {
    let mut call = inspected.call.clone();
    call.args.insert("command".to_owned(), Value::String(sealed.to_owned()));
    let (standing, work_tree) =
        (|path: &str| inspector.standing(path), |folder: &str| inspector.work_tree(folder));
    let folders = Folders::known_by(&standing).in_repositories(&work_tree);
    let options = inspector.options(&call, &inspected.session, folders);
    let said = crate::tools::say(&call, &options);
    let judged = &inspected.effects.executes;
    said.intent.unknown.len() <= inspected.effects.unknown.len()
        && said.intent.commands.len() <= judged.len()
        && said
            .intent
            .commands
            .iter()
            .zip(judged)
            .all(|(now, then)| now.words == then.words && now.via == then.via && in_same(now, then))
        && said.intent.connectors.is_subset(&inspected.effects.connectors)
}

/// Whether a command runs in a folder that it was judged in: what a `cd` before it leads to may have come or gone.
fn in_same(now: &SimpleCommand, then: &SimpleCommand) -> bool {
    now.folder == then.folder || then.folder.contains('…')
}

/// The arguments, folder and roots are those that were judged by ownership: the permit holds the one `Inspected`. What
/// may have changed is what they mean.
pub(crate) fn check(inspector: &Inspector, inspected: &Inspected) -> Result<(), Finding> {
    let call = &inspected.call;
    if let Some(command) = call.arg("command").filter(|_| call.tool.as_str() == "shell:execute")
        && !same_commands(inspector, command, inspected)
    {
        return Err(refuse(
            "shell.parser_difference",
            "the command doesn't read as it did when it was judged",
        ));
    }
    for file in &inspected.effects.judged_files {
        let now = inspector.world().read_text(&file.path, FILE_LIMIT);
        let same = match &now {
            Ok(text) => Digest::of(text.as_bytes()) == file.digest,
            // Judged by what the session wrote, where no world is at hand to look again.
            Err(doorward_core::world::Unseen::NotLooked) => true,
            Err(_) => false,
        };
        if !same {
            return Err(refuse(
                "shell.file_unseen",
                "a file that the command runs changed after it was judged",
            ));
        }
    }
    Ok(())
}

fn refuse(code: &'static str, message: &str) -> Finding {
    let mut finding = Finding::new(code, message);
    finding.floor = true;
    finding.blocking = true;
    finding
}
