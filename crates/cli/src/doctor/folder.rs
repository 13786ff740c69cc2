//! Why no service can keep its state in a folder: it isn't one, it is somebody else's, nothing can be written there, or
//! the disk is full. Looked at only where no service answers.

use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use doorward::problem::mend_of;
use doorward_hooks::thin::LOG;

use super::links::Link;

/// A file that is written to see whether one can be.
const PROBE: &str = ".doctor-probe";

/// What is wrong with a state folder, if anything.
pub(crate) fn broken(state: &Path) -> Option<Link> {
    let shown = state.display();
    let meta = match std::fs::metadata(state) {
        Ok(meta) => meta,
        // The first call makes it.
        Err(error) if error.kind() == ErrorKind::NotFound => return None,
        Err(error) => {
            return Some(Link::bad("state", format!("{shown}: {error}"), format!("ls -ld {shown}")));
        }
    };
    if !meta.is_dir() {
        let says = format!("{shown} is a file, and Doorward keeps its record in a folder there");
        return Some(Link::bad("state", says, format!("mv {shown} {shown}.old")));
    }
    let own = rustix::process::getuid().as_raw();
    if meta.uid() != own && own != 0 {
        let (owner, me) = (doorward::hook::user_name(meta.uid()), doorward::hook::user_name(own));
        let says = format!("{shown} belongs to {owner}, so a service of {me} can't keep its record there");
        return Some(Link::bad("state", says, format!("sudo chown -R {me} {shown}")));
    }
    if let Err(error) = probe(state) {
        let full = matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded);
        let mend =
            if full { format!("free some space: df -h {shown}") } else { format!("chmod u+rwx {shown}") };
        return Some(Link::bad("state", format!("nothing can be written in {shown}: {error}"), mend));
    }
    last_start(state)
}

fn probe(state: &Path) -> std::io::Result<()> {
    let file = state.join(PROBE);
    let written = std::fs::File::create(&file).and_then(|mut file| file.write_all(&[0; 4096]));
    let removed = std::fs::remove_file(&file);
    written.and(removed)
}

/// Why the last start of a service failed, by its log.
fn last_start(state: &Path) -> Option<Link> {
    let line = doorward_hooks::thin::last_line(&state.join(LOG))?;
    let (code, why) = line.strip_prefix("error [")?.split_once("] ")?;
    let says = format!("the last start failed: {why} ({code})");
    let own = mend_of(code).filter(|mend| *mend != "doorward doctor");
    let mend = match own {
        Some(mend) => mend.to_owned(),
        None => format!("look at what is in {}: ls -l {}", state.display(), state.display()),
    };
    Some(Link::bad("state", says, mend))
}
