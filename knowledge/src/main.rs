//! `cargo run -p doorward-knowledge`: writes the generated tables anew. `-- check FILE` only checks a spec; `-- coverage`
//! says which specs were compared with their manual, and how many functions of Rust they name.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool speaks to its terminal")]

use std::path::Path;
use std::process::ExitCode;

use doorward_knowledge::{SpecError, SpecFile, coverage, emit, emit_list, generated, load, parse, shipped};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        [] => generate(),
        ["check", file] => check(Path::new(file)),
        ["coverage"] => load(&shipped()).map(|specs| coverage(&specs)),
        _ => {
            eprintln!("usage: doorward-knowledge [check FILE | coverage]");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn generate() -> Result<String, SpecError> {
    let specs = load(&shipped())?;
    for spec in &specs {
        let path = generated(&spec.name);
        std::fs::write(&path, emit(spec)).map_err(|error| failed(&path, &error))?;
    }
    let path = generated("tables");
    std::fs::write(&path, emit_list(&specs)).map_err(|error| failed(&path, &error))?;
    Ok(format!("{} specs written; run `cargo test -p doorward-shell known` for their examples", specs.len()))
}

fn check(path: &Path) -> Result<String, SpecError> {
    let text = std::fs::read_to_string(path).map_err(|error| failed(path, &error))?;
    let SpecFile { programs, .. } = parse(&path.with_extension("").display().to_string(), &text)?;
    let examples: usize = programs.iter().map(|program| program.examples.len()).sum();
    Ok(format!("{} programs, {examples} examples", programs.len()))
}

fn failed(path: &Path, error: &std::io::Error) -> SpecError {
    SpecError { file: path.display().to_string(), line: 1, message: error.to_string() }
}
