//! The settings file on disk. Its original content is saved beside it and restored by the uninstallation.
//!
//! The copy (`NAME.CLIENT.before-doorward`) is written while the file has no entry of Doorward, so it never contains
//! the hook. Files are replaced atomically, so that a crash leaves the old or the new one; permissions are kept, and
//! a link stays a link.

use std::borrow::Cow;
use std::fs;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::jsonc;

use super::{Change, HookCommand, InstallError, Target, add, remove, text};

/// A settings file as read.
pub(super) struct Read {
    /// Its content; `None` if it doesn't exist.
    pub(super) text: Option<String>,
    /// Its parsed content; empty if it doesn't exist.
    pub(super) settings: Map<String, Value>,
}

pub(super) fn read(target: &Target, file: &Path) -> Result<Read, InstallError> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(Read { text: None, settings: Map::new() });
        }
        Err(source) => return Err(InstallError::Io { file: file.to_owned(), source }),
    };
    let settings = if text.trim().is_empty() { Ok(Map::new()) } else { parsed(target, &text) };
    match settings {
        Ok(settings) => Ok(Read { text: Some(text), settings }),
        Err(reason) => Err(InstallError::Unreadable { file: file.to_owned(), reason }),
    }
}

fn parsed(target: &Target, text: &str) -> Result<Map<String, Value>, String> {
    let plain = if target.comments { Cow::Owned(jsonc::blanked(text)) } else { Cow::Borrowed(text) };
    match serde_json::from_str(&plain) {
        Ok(Value::Object(settings)) => Ok(settings),
        Ok(_) => Err("not an object".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

pub(super) fn put_in(target: &Target, file: &Path, command: &str) -> Result<Change, InstallError> {
    let Read { text: old, settings: before } = read(target, file)?;
    let mut after = before.clone();
    add(target, file, &mut after, command)?;
    if before == after {
        return Ok(Change { file: file.to_owned(), changed: false, backup: None });
    }
    let io = |source| InstallError::Io { file: file.to_owned(), source };
    if let Some(parent) = file.parent() {
        fs::create_dir_all(parent).map_err(io)?;
    }
    let backup = backup_of(target, file);
    let is_foreign = without_ours(target, &before) == before;
    match (&old, is_foreign) {
        (Some(_), true) => fs::copy(file, &backup).map(drop).map_err(io)?,
        (None, _) => forget(&backup).map_err(io)?,
        // An older installation already saved the original.
        (Some(_), false) => {}
    }
    write(file, &text::changed(old.as_deref().unwrap_or_default(), &before, &after)).map_err(io)?;
    Ok(Change { file: file.to_owned(), changed: true, backup: Some(backup).filter(|backup| backup.exists()) })
}

pub(super) fn take_out(target: &Target, file: &Path) -> Result<Change, InstallError> {
    let Read { text: old, settings: before } = read(target, file)?;
    let after = without_ours(target, &before);
    if before == after {
        return Ok(Change { file: file.to_owned(), changed: false, backup: None });
    }
    let io = |source| InstallError::Io { file: file.to_owned(), source };
    let backup = backup_of(target, file);
    match original(target, file, &backup) {
        Some((original, left)) if written(&left) == written(&after) => {
            write(file, &original).map_err(io)?;
        }
        None if is_our_creation(&after) => {
            fs::remove_file(file).map_err(io)?;
            if let Some(parent) = file.parent() {
                // This fails unless the folder is empty.
                let _ = fs::remove_dir(parent);
            }
        }
        _ => write(file, &text::changed(old.as_deref().unwrap_or_default(), &before, &after)).map_err(io)?,
    }
    forget(&backup).map_err(io)?;
    Ok(Change { file: file.to_owned(), changed: true, backup: None })
}

fn without_ours(target: &Target, settings: &Map<String, Value>) -> Map<String, Value> {
    let mut left = settings.clone();
    remove(target, &mut left);
    left
}

/// The original text, and the settings that installing and removing leave of it. `None` if there was no file; in that
/// case earlier releases saved a copy with the hook in it.
fn original(target: &Target, file: &Path, backup: &Path) -> Option<(String, Map<String, Value>)> {
    let kept = read(target, backup).ok()?;
    let text = kept.text?;
    if without_ours(target, &kept.settings) != kept.settings {
        return None;
    }
    let (program, client) = (Path::new("/doorward"), target.client);
    let command = HookCommand { program, client, state: None, enclosed: false };
    let mut left = kept.settings;
    add(target, file, &mut left, &command.to_string()).ok()?;
    remove(target, &mut left);
    Some((text, left))
}

/// Whether only members that [`add`] itself creates are left.
fn is_our_creation(left: &Map<String, Value>) -> bool {
    left.iter().all(|(name, value)| name == "version" && value == 1)
}

/// Settings as text, so that a comparison includes their order.
fn written(settings: &Map<String, Value>) -> String {
    Value::Object(settings.clone()).to_string()
}

fn write(file: &Path, text: &str) -> std::io::Result<()> {
    let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let fresh = sibling(&file, "doorward-new");
    forget(&fresh)?;
    if let Ok(old) = fs::metadata(&file) {
        // Settings may contain secrets: the new file is never readable by more users than the old one.
        fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&fresh)?;
        fs::set_permissions(&fresh, old.permissions())?;
    }
    fs::write(&fresh, text)?;
    fs::rename(&fresh, &file)
}

fn backup_of(target: &Target, file: &Path) -> PathBuf {
    sibling(file, &format!("{}.before-doorward", target.client.as_str()))
}

fn forget(backup: &Path) -> std::io::Result<()> {
    match fs::remove_file(backup) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn sibling(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(suffix);
    file.with_file_name(name)
}
