//! `cargo run -p doorward-knowledge -- check FILE` checks a spec; `-- coverage`
//! says which specs were compared with their manual, and how many functions of Rust they name. `-- compare PROGRAM`
//! says how a spec differs from the installed manual, or from the text of `--manual FILE`; `-- compare --all` does so
//! for each program whose manual is installed. No described program is run: only `man` is.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool speaks to its terminal")]

use std::path::Path;
use std::process::{Command, ExitCode};

use doorward_knowledge::{Difference, SpecError, SpecFile, compare, coverage, load, parse, shipped};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["check", file] => check(Path::new(file)),
        ["coverage"] => load(&shipped()).map(|specs| coverage(&specs)),
        ["compare", "--all"] => compare_all(false),
        ["compare", "--all", "--json"] => compare_all(true),
        ["compare", program] => compare_one(program, None),
        ["compare", program, "--manual", file] => compare_one(program, Some(Path::new(file))),
        _ => {
            eprintln!(
                "usage: doorward-knowledge check FILE | coverage | \
                 compare PROGRAM [--manual FILE] | compare --all [--json]"
            );
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

fn check(path: &Path) -> Result<String, SpecError> {
    let text = std::fs::read_to_string(path).map_err(|error| failed(path, &error))?;
    let SpecFile { programs, .. } = parse(&path.with_extension("").display().to_string(), &text)?;
    let examples: usize = programs.iter().map(|program| program.examples.len()).sum();
    Ok(format!("{} programs, {examples} examples", programs.len()))
}

/// How one program (`tar`) or command (`"git commit"`) differs from its manual, in sentences.
fn compare_one(name: &str, manual: Option<&Path>) -> Result<String, SpecError> {
    let text = match manual {
        Some(path) => std::fs::read_to_string(path).map_err(|error| failed(path, &error))?,
        None => {
            installed_manual(name).ok_or_else(|| problem(name, "no manual page of this name is installed"))?
        }
    };
    let specs = load(&shipped())?;
    let found = specs.iter().find_map(|spec| compare(spec, name, &text));
    let sentences = found.ok_or_else(|| problem(name, "no file describes it"))?.sentences();
    Ok(if sentences.is_empty() {
        "The file and the manual list the same options.".into()
    } else {
        sentences.join("\n")
    })
}

/// The same for each program and command that has a manual page here; those without one are named at the end.
fn compare_all(json: bool) -> Result<String, SpecError> {
    let (mut compared, mut without) = (Vec::new(), Vec::new());
    for spec in load(&shipped())? {
        for program in &spec.programs {
            let Some(name) = program.row.names.first() else { continue };
            let commands = program.row.commands.iter().filter_map(|row| row.names.first());
            let commands = commands.map(|command| format!("{name} {command}"));
            for (at, name) in std::iter::once(name.clone()).chain(commands).enumerate() {
                let difference = installed_manual(&name).and_then(|text| compare(&spec, &name, &text));
                match difference {
                    Some(difference) => compared.push((name, difference)),
                    None if at == 0 => without.push(name),
                    None => {}
                }
            }
        }
    }
    if json {
        let rows: Vec<String> = compared.iter().map(|(name, difference)| as_json(name, difference)).collect();
        return Ok(format!("{{\"compared\": [\n{}\n],\n\"without_manual\": {without:?}}}", rows.join(",\n")));
    }
    let said = compared.iter().map(|(name, difference)| {
        let sentences = difference.sentences();
        format!("{name}: {} differences\n  {}", sentences.len(), sentences.join("\n  "))
    });
    let said: Vec<String> = said.collect();
    Ok(format!(
        "{}\n\n{} programs have no manual here: {}",
        said.join("\n"),
        without.len(),
        without.join(" ")
    ))
}

/// One line of JSON. Names of programs and options are plain ASCII, which Rust and JSON quote alike.
fn as_json(name: &str, difference: &Difference) -> String {
    let Difference { file_lacks, manual_lacks, values, spellings } = difference;
    let values: Vec<&String> = values.iter().map(|(option, ..)| option).collect();
    let spellings: Vec<&String> = spellings.iter().map(|(_, other)| other).collect();
    format!(
        "{{\"program\": {name:?}, \"values_differ\": {values:?}, \"spellings_lacking\": {spellings:?}, \
         \"file_lacks\": {file_lacks:?}, \"manual_lacks\": {manual_lacks:?}}}"
    )
}

/// The installed manual page as plain text; the page of `git commit` is `git-commit`.
fn installed_manual(name: &str) -> Option<String> {
    let page = name.replace(' ', "-");
    if page.starts_with('-') {
        return None;
    }
    let sections = ["1", "8"];
    sections.iter().find_map(|section| {
        let shown = Command::new("man")
            .args(["--no-hyphenation", "--no-justification", "--pager=cat", section, &page])
            .envs([("MANWIDTH", "110"), ("LC_ALL", "C.UTF-8"), ("MAN_KEEP_FORMATTING", "")])
            .output()
            .ok()?;
        let text = String::from_utf8_lossy(&shown.stdout).into_owned();
        (shown.status.success() && !text.is_empty()).then_some(text)
    })
}

fn problem(name: &str, message: &str) -> SpecError {
    SpecError { file: name.to_owned(), line: 1, message: message.to_owned() }
}

fn failed(path: &Path, error: &std::io::Error) -> SpecError {
    SpecError { file: path.display().to_string(), line: 1, message: error.to_string() }
}
