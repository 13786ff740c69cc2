//! Computes a number from these sources, so that two programs can tell whether they were built from the same ones.

use std::path::{Path, PathBuf};

fn main() -> std::io::Result<()> {
    let mut files = Vec::new();
    collect(Path::new("src"), &mut files)?;
    files.sort();
    let mut number = FNV_START;
    for file in &files {
        take(&mut number, file)?;
    }
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rustc-env=DOORWARD_HOOKS_SOURCES={number:016x}");
    Ok(())
}

/// Every file below a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// 64-bit FNV-1a. It detects accidental differences; it isn't a protection against forgery.
const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0100_0000_01b3;

fn take(number: &mut u64, file: &Path) -> std::io::Result<()> {
    for byte in std::fs::read(file)? {
        *number = (*number ^ u64::from(byte)).wrapping_mul(FNV_PRIME);
    }
    Ok(())
}
