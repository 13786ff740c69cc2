//! The login of an enclosed agent: members of a JSON file that it may change for good. Everything else that it wrote
//! into its copy of the configuration is thrown away, since some of it could make it run or allow something later.

use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use serde_json::{Map, Value};

/// Longest file that is read.
const LONGEST: u64 = 4 << 20;

/// Takes these members over from the copy into the person's own file, where they changed.
///
/// # Errors
/// A file that can't be read or written, or that is no JSON object; nothing was changed then.
pub(super) fn keep(copy: &Path, own: &Path, members: &[&str]) -> io::Result<()> {
    // A link there is the agent's, and could name any file.
    let Some(inside) = read(copy, false)? else { return Ok(()) };
    let before = read(own, true)?.unwrap_or_default();
    let mut after = before.clone();
    for name in members {
        if let Some(value) = inside.get(*name) {
            after.insert((*name).to_owned(), value.clone());
        }
    }
    if after == before {
        return Ok(());
    }
    let folder = own.parent().ok_or(io::ErrorKind::NotFound)?;
    std::fs::create_dir_all(folder)?;
    let mut text = serde_json::to_vec_pretty(&Value::Object(after))?;
    text.push(b'\n');
    let mut fresh = own.as_os_str().to_owned();
    fresh.push(".doorward-new");
    let fresh = Path::new(&fresh);
    let _ = std::fs::remove_file(fresh);
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(fresh)?;
    file.write_all(&text)?;
    file.sync_all()?;
    // The person may keep it as a link into another folder.
    let place = std::fs::canonicalize(own).unwrap_or_else(|_| own.to_owned());
    std::fs::rename(fresh, place)
}

/// The object in a file; `None` where there is no such file.
fn read(path: &Path, through_links: bool) -> io::Result<Option<Map<String, Value>>> {
    let found = match std::fs::symlink_metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let found = if through_links { std::fs::metadata(path)? } else { found };
    if !found.is_file() || found.len() > LONGEST {
        return Err(io::Error::other("not a plain file of up to 4 MiB"));
    }
    let mut text = String::new();
    std::fs::File::open(path)?.take(LONGEST).read_to_string(&mut text)?;
    match serde_json::from_str(&text) {
        Ok(Value::Object(members)) => Ok(Some(members)),
        Ok(_) => Err(io::Error::other("not a JSON object")),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMBERS: &[&str] = &["token", "theme"];

    #[test]
    fn only_the_login_is_taken_over() {
        let dir = tempfile::tempdir().unwrap();
        let (copy, own) = (dir.path().join("copy"), dir.path().join("own"));
        std::fs::write(&own, r#"{"first": 1, "token": "old"}"#).unwrap();
        std::fs::write(
            &copy,
            r#"{"token": "new", "theme": "dark", "mcpServers": {"x": {"command": "evil"}}}"#,
        )
        .unwrap();
        keep(&copy, &own, MEMBERS).unwrap();
        let now: Value = serde_json::from_str(&std::fs::read_to_string(&own).unwrap()).unwrap();
        assert_eq!(now, serde_json::json!({"first": 1, "token": "new", "theme": "dark"}));
        use std::os::unix::fs::MetadataExt as _;
        assert_eq!(std::fs::metadata(&own).unwrap().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_first_login_is_kept_and_what_didnt_change_isnt_written() {
        let dir = tempfile::tempdir().unwrap();
        let (copy, own) = (dir.path().join("copy"), dir.path().join("below/own"));
        keep(&copy, &own, MEMBERS).unwrap();
        assert!(!own.exists(), "nothing was there");
        std::fs::write(&copy, r#"{"token": "new"}"#).unwrap();
        keep(&copy, &own, MEMBERS).unwrap();
        assert!(own.exists());
        let before = std::fs::metadata(&own).unwrap().modified().unwrap();
        keep(&copy, &own, MEMBERS).unwrap();
        assert_eq!(std::fs::metadata(&own).unwrap().modified().unwrap(), before);
    }

    #[test]
    fn what_the_agent_put_there_instead_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let (copy, own, other) = (dir.path().join("copy"), dir.path().join("own"), dir.path().join("other"));
        std::fs::write(&other, r#"{"token": "somebody else's"}"#).unwrap();
        std::os::unix::fs::symlink(&other, &copy).unwrap();
        assert!(keep(&copy, &own, MEMBERS).is_err(), "a link");
        std::fs::remove_file(&copy).unwrap();
        std::fs::create_dir(&copy).unwrap();
        assert!(keep(&copy, &own, MEMBERS).is_err(), "a folder");
        std::fs::remove_dir(&copy).unwrap();
        std::fs::write(&copy, "[1]").unwrap();
        assert!(keep(&copy, &own, MEMBERS).is_err(), "no object");
        assert!(!own.exists());
    }
}
