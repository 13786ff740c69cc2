//! Checks the specs of `knowledge` and packs them for `programs::shipped`, `languages::rules` and
//! `languages::powershell`.

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use doorward_knowledge::calls::pack_languages;
use doorward_knowledge::cmdlet::{load_cmdlets, shipped_cmdlets};
use doorward_knowledge::{load, load_languages, pack, shipped, shipped_languages};

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    for folder in [shipped(), shipped_languages(), shipped_cmdlets()] {
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
    std::fs::write(out.join("cmdlets.bin"), load_cmdlets(&shipped_cmdlets())?.pack()?)?;
    Ok(())
}
