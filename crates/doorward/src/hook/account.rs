//! The client's own account of a conversation: what it tells about a call whose dialog was shown and of which nothing
//! was heard afterwards.
//!
//! The file is a claim: whoever runs as the user can write it, the agent's own commands too. So it decides nothing. It
//! is named in the record beside "it isn't clear", and the call counts as one that may have run, whatever the file says.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use doorward_gate::Silence;
use doorward_hooks::clients::Contract;

use crate::client_rules::config_folder;
use crate::process::ClientProcess;

/// How much of the end of the file is read.
const END: u64 = 256 << 10;

/// The file of one conversation.
pub(super) struct Account<'a> {
    pub(super) contract: &'static Contract,
    pub(super) file: Option<String>,
    pub(super) process: Option<&'a ClientProcess>,
    /// The user whose client names the file.
    pub(super) user: u32,
}

impl Account<'_> {
    /// What the silence about the call of this id means.
    pub(super) fn meaning(&self, call: &str) -> Silence {
        let said = || {
            let refused_in = self.contract.refused_in?;
            let folder = config_folder(self.contract, self.process)?;
            Some(refused_in(&end_of(Path::new(self.file.as_deref()?), &folder, self.user)?, call))
        };
        if said() == Some(true) { Silence::SaidRefused } else { Silence::Unclear }
    }
}

/// The end of a regular file of this user's, below this folder once links are resolved.
fn end_of(file: &Path, folder: &Path, user: u32) -> Option<String> {
    let file = file.canonicalize().ok()?;
    if !file.starts_with(folder.canonicalize().ok()?) {
        return None;
    }
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOFOLLOW;
    let flags = i32::try_from(flags.bits()).ok()?;
    let mut file = std::fs::OpenOptions::new().read(true).custom_flags(flags).open(file).ok()?;
    let about = file.metadata().ok().filter(|about| about.is_file() && about.uid() == user)?;
    file.seek(SeekFrom::Start(about.len().saturating_sub(END))).ok()?;
    let mut end = Vec::new();
    file.take(END).read_to_end(&mut end).ok()?;
    Some(String::from_utf8_lossy(&end).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_users_own_file_below_the_clients_folder_is_read() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join(".claude");
        let inside = folder.join("projects/t.jsonl");
        let outside = home.path().join("t.jsonl");
        std::fs::create_dir_all(inside.parent().unwrap()).unwrap();
        for file in [&inside, &outside] {
            std::fs::write(file, "said").unwrap();
        }
        let link = folder.join("link.jsonl");
        std::os::unix::fs::symlink(&outside, &link).unwrap();
        let own = inside.metadata().unwrap().uid();
        assert_eq!(end_of(&inside, &folder, own).as_deref(), Some("said"));
        for (file, user) in [
            (&inside, own + 1),
            (&outside, own),
            (&link, own),
            (&folder, own),
            (&folder.join("../t.jsonl"), own),
        ] {
            assert_eq!(end_of(file, &folder, user), None, "{}", file.display());
        }
    }
}
