//! The files in which users, administrators and projects describe programs of their own (`[knowledge]`).
//!
//! They are read whenever the settings are loaded, and looked at again like policy files. What doesn't load describes
//! nothing, so that its programs stay unknown, and is told as a fault.

use std::path::{Path, PathBuf};

use doorward_paths::bounded;
use doorward_settings::Knowledge;
use doorward_shell::programs::{ToolFile, Tools};

/// A file that the settings name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KnowledgeFile {
    pub(crate) path: PathBuf,
    /// The text, or why there is none.
    text: Result<String, String>,
    /// It may only add to what is known without it.
    stricter: bool,
}

/// Reads the files that these settings name; those of a project must lie in it.
pub(crate) fn read(knowledge: &Knowledge, root: Option<&Path>) -> Vec<KnowledgeFile> {
    let own = knowledge.files.iter().map(|named| own_file(named));
    let stricter = root
        .into_iter()
        .flat_map(|root| knowledge.stricter.iter().map(move |named| project_file(root, named)));
    own.chain(stricter).collect()
}

/// What the files describe, and what is wrong with those that don't count.
pub(crate) fn tools(files: &[KnowledgeFile]) -> (Tools, Vec<String>) {
    let mut faults = Vec::new();
    let mut texts = Vec::new();
    for file in files {
        match &file.text {
            Ok(text) => texts.push((file.path.display().to_string(), text, file.stricter)),
            Err(why) => faults.push(format!("{}: {why}", file.path.display())),
        }
    }
    let (tools, wrong) =
        Tools::read(texts.iter().map(|(path, text, stricter)| ToolFile { path, text, stricter: *stricter }));
    faults.extend(wrong);
    let told = |fault| format!("knowledge: {fault}; its programs stay as they are known without it");
    (tools, faults.into_iter().map(told).collect())
}

fn own_file(named: &str) -> KnowledgeFile {
    let below_home = named.strip_prefix("~/").zip(crate::home());
    let path = below_home.map_or_else(|| PathBuf::from(named), |(rest, home)| home.join(rest));
    let text = if path.is_absolute() {
        bounded::read_text(&path).map_err(|error| error.to_string())
    } else if named.starts_with("~/") {
        Err("this user has no home folder".to_owned())
    } else {
        Err("a path in knowledge.files is absolute or begins with ~/".to_owned())
    };
    KnowledgeFile { path, text, stricter: false }
}

fn project_file(root: &Path, named: &str) -> KnowledgeFile {
    let below = Path::new(named);
    let text = if below.is_relative() && !named.starts_with('~') {
        bounded::read_text_below(root, below).map_err(|error| error.to_string())
    } else {
        Err("a path in knowledge.stricter is relative to the project and lies in it".to_owned())
    };
    KnowledgeFile { path: root.join(below), text, stricter: true }
}
