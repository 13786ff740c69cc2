//! The client's own account of a conversation: what it tells about a call whose dialog was shown and of which nothing
//! was heard afterwards.
//!
//! The file is a claim like everything that a client says. It can only turn "it isn't clear" into a person's No, never
//! into a Yes.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::OpenOptionsExt as _;

use doorward_gate::Silence;
use doorward_hooks::clients::Contract;

/// How much of the end of the file is read.
const END: u64 = 256 << 10;

/// The file of one conversation.
pub(super) struct Account {
    pub(super) contract: &'static Contract,
    pub(super) file: Option<String>,
}

impl Account {
    /// What the silence about the call of this id means.
    pub(super) fn meaning(&self, call: &str) -> Silence {
        let refused = self.contract.refused_in.zip(self.file.as_deref().and_then(end_of));
        match refused {
            Some((refused_in, end)) if refused_in(&end, call) => Silence::Refused,
            _ => Silence::Unclear,
        }
    }
}

/// The end of a regular file.
fn end_of(file: &str) -> Option<String> {
    let flags = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).ok()?;
    let mut file = std::fs::OpenOptions::new().read(true).custom_flags(flags).open(file).ok()?;
    let about = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
    file.seek(SeekFrom::Start(about.len().saturating_sub(END))).ok()?;
    let mut end = Vec::new();
    file.take(END).read_to_end(&mut end).ok()?;
    Some(String::from_utf8_lossy(&end).into_owned())
}
