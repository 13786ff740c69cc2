//! Names these sources by a number, so that two programs can tell whether they were built from the same ones.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let mut files: Vec<_> = std::fs::read_dir("src")?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    let mut number = FNV_START;
    for file in &files {
        take(&mut number, file)?;
    }
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rustc-env=DOORWARD_HOOKS_SOURCES={number:016x}");
    Ok(())
}

/// 64-bit FNV-1a: a change by accident is told, and nobody is kept out by it.
const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0100_0000_01b3;

fn take(number: &mut u64, file: &Path) -> std::io::Result<()> {
    for byte in std::fs::read(file)? {
        *number = (*number ^ u64::from(byte)).wrapping_mul(FNV_PRIME);
    }
    Ok(())
}
