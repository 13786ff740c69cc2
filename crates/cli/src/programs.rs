//! Where the programs stand that agents are told to start: a place that lasts and that only its owner changes.
//!
//! A build folder is cleaned, a download is moved; a hook that names a file there would be gone with it. So `install`
//! copies both programs to `~/.local/lib/doorward`, unless they stand where only root writes.

use std::fs::{self, File, Metadata};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use doorward_hooks::companion;
use doorward_hooks::thin::home_of;

use crate::output::Failure;

/// The folder of the copies, below the user's home.
pub(crate) const FOLDER: &str = ".local/lib/doorward";

/// The programs that agents start.
#[derive(Debug)]
pub(crate) struct Programs {
    /// The one that a hook names: the small one where it is there.
    pub(crate) hook: PathBuf,
    /// They were copied or renewed just now.
    pub(crate) copied: bool,
}

/// Puts the running programs where they last, and says where that is.
///
/// # Errors
/// The user has no home, or the files can't be written.
pub(crate) fn lasting(in_place: bool) -> Result<Programs, Failure> {
    let (hook, whole) = (companion::program()?, companion::whole()?);
    if in_place || is_of_the_system(&whole) {
        return Ok(Programs { hook, copied: false });
    }
    let uid = rustix::process::getuid().as_raw();
    let home = home_of(uid)
        .ok_or_else(|| Failure::new("install.no_home", format!("user {uid} has no home; give --in-place")))?;
    let folder = home.join(FOLDER);
    if whole.starts_with(&folder) {
        return Ok(Programs { hook, copied: false });
    }
    fs::create_dir_all(&folder).map_err(|error| told(&folder, &error))?;
    let mut copied = renew(&whole, &folder)?;
    if hook != whole {
        copied |= renew(&hook, &folder)?;
    }
    let name = hook.file_name().unwrap_or_default();
    Ok(Programs { hook: folder.join(name), copied })
}

/// Whether a program stands where only root writes: a package put it there.
fn is_of_the_system(program: &Path) -> bool {
    let Ok(real) = program.canonicalize() else { return false };
    let roots_alone = |meta: &Metadata| meta.uid() == 0 && meta.mode() & 0o022 == 0;
    let system = ["/usr", "/opt", "/bin", "/nix", "/snap"].iter().any(|folder| real.starts_with(folder));
    system && real.ancestors().all(|path| path.metadata().is_ok_and(|meta| roots_alone(&meta)))
}

/// Copies a program into a folder if it isn't there as it is. A reader sees the old one or the new one, never a part.
fn renew(program: &Path, folder: &Path) -> Result<bool, Failure> {
    let place = folder.join(program.file_name().unwrap_or_default());
    let source = program.metadata().map_err(|error| told(program, &error))?;
    let same = |kept: &Metadata| {
        kept.len() == source.len()
            && kept.mtime() == source.mtime()
            && kept.mtime_nsec() == source.mtime_nsec()
    };
    if place.metadata().is_ok_and(|kept| same(&kept)) {
        return Ok(false);
    }
    let fresh = folder.join(format!(".new-{}", std::process::id()));
    let copy = || -> std::io::Result<()> {
        fs::copy(program, &fresh)?;
        fs::set_permissions(&fresh, fs::Permissions::from_mode(0o755))?;
        // The time of the source tells the next run that nothing changed.
        File::open(&fresh)?.set_modified(source.modified()?)?;
        fs::rename(&fresh, &place)
    };
    let copied = copy();
    if copied.is_err() {
        let _ = fs::remove_file(&fresh);
    }
    copied.map_err(|error| told(&place, &error))?;
    Ok(true)
}

fn told(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(
        "install.copy",
        format!("{}: {error}; --in-place leaves the program where it is", path.display()),
    )
}
