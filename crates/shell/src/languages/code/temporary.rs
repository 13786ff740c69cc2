//! Files and folders that code makes for itself: nothing was there before, so nothing is lost with them.

use std::rc::Rc;

use super::item::{Given, Item};
use super::run::Run;

/// Where temporary files are kept.
const FOLDER: &str = "/tmp";
/// A name that nothing else has; the real one holds no slash.
const MADE: &str = "/tmp/XXXXXXXX";

impl Run<'_> {
    /// What a call that makes a temporary place returns.
    pub(super) fn temporary(name: &str, given: &[Given]) -> Option<Item> {
        let made = || Item::text(MADE);
        let file = |name: &str| Item::Made(Rc::from(name), Rc::new(vec![made()]));
        Some(match name {
            "tempfile.gettempdir"
            | "os.tmpdir"
            | "node.os.tmpdir"
            | "Dir.tmpdir"
            | "sys_get_temp_dir"
            | "os.TempDir"
            | "File.Spec.tmpdir" => Item::text(FOLDER),
            // The name is made longer.
            "fs.mkdtempSync" | "fs.mkdtemp" | "fs.promises.mkdtemp" => match given.first()?.item.shown() {
                prefix if prefix.is_known() => Item::text(format!("{}XXXXXXXX", prefix.text)),
                _ => made(),
            },
            "tempfile.mkdtemp"
            | "tempfile.mktemp"
            | "os.MkdirTemp"
            | "ioutil.TempDir"
            | "os.tmpname"
            | "tempnam"
            | "tempdir"
            | "File.Temp.tempdir"
            | "tmpnam"
            | "POSIX.tmpnam"
            | "Deno.makeTempDirSync"
            | "Deno.makeTempDir"
            | "Deno.makeTempFileSync" => made(),
            "tempfile.mkstemp" => Item::list(vec![Item::Unknown, made()]),
            "File.Temp.tempfile" => Item::list(vec![file("open"), made()]),
            "tempfile.TemporaryDirectory" | "File.Temp.newdir" => file(PLACE),
            "tempfile.NamedTemporaryFile"
            | "tempfile.TemporaryFile"
            | "tempfile.SpooledTemporaryFile"
            | "Tempfile.new"
            | "Tempfile.create"
            | "Tempfile.open"
            | "os.CreateTemp"
            | "ioutil.TempFile" => file("open"),
            _ => return None,
        })
    }

    /// What a test framework gives a test that asks for a folder of its own.
    pub(super) fn of_fixture(parameter: &str) -> Option<Item> {
        matches!(parameter, "tmp_path" | "tmpdir").then(|| Item::text(MADE))
    }
}

/// Whether a path lies in, or is, what [`Run::temporary`] made. All of it is known: what isn't could lead out again.
pub(in crate::languages) fn is_made(path: &str) -> bool {
    !path.contains('…')
        && !path.split('/').any(|part| part == "..")
        && path.split('/').any(|part| part.ends_with("XXXXXXXX"))
}

/// A folder that is an object, and a path wherever one is wanted.
pub(super) const PLACE: &str = "tempfile.TemporaryDirectory";
