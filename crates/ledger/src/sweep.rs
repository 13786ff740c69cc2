//! Removes, at start, incomplete files that an earlier service left when the disk was full or the machine stopped.
//!
//! Removes only files with the service's own temporary names, and partial tiles that no checkpoint needs. Errors are
//! ignored.

use std::path::Path;

use crate::disk::{Disk, TEMPORARY};
use crate::files::Files;
use crate::tile::{self, WIDTH};

/// Removes leftovers from the directory of a log whose latest checkpoint covers `signed` records.
pub(crate) fn sweep(files: &Files, disk: &dyn Disk, signed: u64) {
    remove(disk, &files.dir, |name| name.ends_with(TEMPORARY));
    for level in 0..tile::LEVELS {
        let width = tile::partial_width(signed, level);
        let path = tile::tile_path(level, tile::full_tiles(signed, level), width.max(1));
        partials(files, disk, &path, width);
    }
    partials(files, disk, &tile::bundle_path(signed / WIDTH, (signed % WIDTH).max(1)), signed % WIDTH);
}

/// Removes the partial tiles next to `path` that have another width.
fn partials(files: &Files, disk: &dyn Disk, path: &str, width: u64) {
    if let Some(dir) = files.path(path).parent() {
        remove(disk, dir, |name| name.parse::<u64>().is_ok_and(|found| found != width && found < WIDTH));
    }
}

fn remove(disk: &dyn Disk, dir: &Path, unneeded: impl Fn(&str) -> bool) {
    for item in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        if item.file_name().to_str().is_some_and(&unneeded)
            && item.file_type().is_ok_and(|kind| kind.is_file())
        {
            let _ = disk.remove(&item.path());
        }
    }
}
