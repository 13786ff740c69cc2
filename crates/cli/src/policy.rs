//! `doorward policy test`: cases against policies, in-process. Never an authority.

use std::io::{BufRead as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use doorward::rooms::policy::testing::{self, Row, RowResult};
use serde_json::{Value, json};

use crate::output::{Failure, document, said, say};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Run test cases; each row has a policy set, a request and the expected verdict
    Test {
        /// Files of JSON Lines
        #[arg(value_name = "CASES", required_unless_present = "batch")]
        files: Vec<PathBuf>,
        /// Rows on standard input; one answer a line, in order, also for rows that expect nothing
        #[arg(long)]
        batch: bool,
    },
    /// Print a policy pack
    Pack {
        /// Its name; all names if left out
        name: Option<String>,
    },
}

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    match args.command {
        What::Test { batch: true, .. } => batch(),
        What::Test { files, batch: false } => list(&files),
        What::Pack { name } => pack(name.as_deref()),
    }
}

/// One row, by the policy engine alone or the whole way.
pub(crate) fn judged(row: &Row) -> RowResult {
    testing::run_row(row, &mut |row, _, request| match testing::compile(row) {
        Ok(compiled) => doorward::testing::whole(row, compiled, request),
        Err(error) => doorward::rooms::core::PolicyDecision::deny("policy.load", error.to_string()),
    })
}

fn batch() -> Result<ExitCode, Failure> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let answer = match read(&line) {
            Ok((row, expects)) => {
                let result = judged(&row);
                let pass = if expects { json!(result.passed()) } else { Value::Null };
                json!({"id": result.id, "decision": result.decision.decision, "code": result.decision.code, "pass": pass})
            }
            Err((id, reason)) => {
                json!({"id": id, "decision": "DENY", "code": "request.invalid", "pass": false, "reason": reason})
            }
        };
        writeln!(out, "{answer}")?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn list(files: &[PathBuf]) -> Result<ExitCode, Failure> {
    let (mut passed, mut failed) = (0_usize, 0_usize);
    for file in files {
        let text = doorward_paths::bounded::read_text_to(file, crate::output::MOST_READ)
            .map_err(|error| Failure::new("policy.cases", format!("{}: {error}", file.display())))?;
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let at = format!("{}:{}", file.display(), number + 1);
            match read(line) {
                Err((_, reason)) => {
                    failed += 1;
                    said(
                        &json!({"at": at, "pass": false, "failures": [reason]}),
                        &format!("\u{1b}[31mFAIL\u{1b}[0m {at}  {reason}"),
                    );
                }
                Ok((row, _)) => {
                    let result = judged(&row);
                    if result.passed() {
                        passed += 1;
                        continue;
                    }
                    failed += 1;
                    said(&failed_row(&at, &result), &drawn(&at, &result));
                }
            }
        }
    }
    said(&json!({"passed": passed, "failed": failed}), &format!("{passed} passed, {failed} failed"));
    Ok(ExitCode::from(u8::from(failed > 0)))
}

fn failed_row(at: &str, result: &RowResult) -> Value {
    let decision = &result.decision;
    json!({
        "id": result.id, "at": at, "pass": false, "failures": result.failures,
        "decision": decision.decision, "code": decision.code, "reason": decision.reason,
    })
}

fn drawn(at: &str, result: &RowResult) -> String {
    let failures: String = result.failures.iter().map(|failure| format!("     {failure}\n")).collect();
    let decision = &result.decision;
    format!(
        "\u{1b}[31mFAIL\u{1b}[0m {} ({at})\n{failures}     \u{1b}[2m{} {}: {}\u{1b}[0m",
        result.id,
        decision.decision.as_str(),
        decision.code,
        decision.reason
    )
}

/// A row, and whether it expects anything.
fn read(line: &str) -> Result<(Row, bool), (Value, String)> {
    let mut value: Value = serde_json::from_str(line).map_err(|error| (Value::Null, error.to_string()))?;
    let id = value.get("id").cloned().unwrap_or_default();
    let expects = value.get("expect").is_some();
    if let (false, Some(members)) = (expects, value.as_object_mut()) {
        members.insert("expect".to_owned(), json!("ALLOW"));
    }
    serde_json::from_value(value).map(|row| (row, expects)).map_err(|error| (id, error.to_string()))
}

fn pack(name: Option<&str>) -> Result<ExitCode, Failure> {
    let Some(name) = name else {
        for pack in doorward::rooms::policy::packs::PACKS {
            say!("{}", pack.name);
        }
        return Ok(ExitCode::SUCCESS);
    };
    let pack = doorward::rooms::policy::packs::Pack::named(name).ok_or_else(|| {
        Failure::new(
            "policy.no_such_pack",
            format!("there is no pack {name:?}; `doorward policy pack` lists them"),
        )
    })?;
    document(pack.text)?;
    Ok(ExitCode::SUCCESS)
}
