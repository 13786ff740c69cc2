//! Checks the specs of `knowledge` and packs them for `programs::shipped` and `languages::rules`.

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use doorward_knowledge::calls::pack_languages;
use doorward_knowledge::{load, load_languages, pack, shipped, shipped_languages};

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    for folder in [shipped(), shipped_languages()] {
        println!("cargo::rerun-if-changed={}", folder.display());
    }
    match packed() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("cargo::error=knowledge: {error}");
            ExitCode::FAILURE
        }
    }
}

fn packed() -> Result<(), Box<dyn Error>> {
    let out = std::env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?;
    let out = Path::new(&out);
    std::fs::write(out.join("programs.bin"), pack(&load(&shipped())?)?)?;
    std::fs::write(out.join("languages.bin"), pack_languages(&load_languages(&shipped_languages())?)?)?;
    Ok(())
}
