//! A path, an operation on it and a pattern: names are compared and the path is scoped, whatever stands in it.
#![no_main]

use doorward_core::call::Root;
use doorward_paths::{could_be_secret, glob, is_secret, key, protection, scope_row, text};
use libfuzzer_sys::fuzz_target;

const OPERATIONS: [&str; 8] =
    ["read", "list", "lstat", "write", "delete_tree", "rename_to:x", "symlink_to:../x", "extract:../x"];

fuzz_target!(|data: &[u8]| {
    let Some((operation, rest)) = data.split_first() else { return };
    let both = String::from_utf8_lossy(rest);
    let (path, pattern) = both.split_once('\n').unwrap_or((&both, "*"));
    let _ = (key::key(path), is_secret(path), could_be_secret(path), protection(path), text::read(path));
    let _ = (glob::matches_component(pattern, path), glob::overlaps(pattern, path));
    let operation = OPERATIONS[usize::from(*operation) % OPERATIONS.len()];
    let _ = scope_row(path, operation, &[Root::parse("/usr/share")], "/usr/share");
});
