//! Code that is written in one call and run by another, by every path that runs it: the run is judged as the code that
//! was written. Each row has a twin whose code is harmless and whose run stays free.
//!
//! `cargo test -p doorward --test it written_then_run -- --nocapture` prints what is said of each; `ATTACK=id` plays one.

use crate::flow_bench::{PlayedCall, bench, play, rows};
use serde_json::{Value, json};

/// The calls of a row: files are written, `$name` by the shell (a file tool may not write protected ones), `+name`
/// appended to, `>` runs a command in between; then the run.
fn calls(files: &Value, run: &str) -> Vec<Value> {
    let mut steps: Vec<Value> = Vec::new();
    for (name, content) in files.as_object().unwrap() {
        let redirected = |name: &str, how: &str| {
            let command = format!("cat {how} {name} <<'END'\n{}END\n", content.as_str().unwrap());
            json!({"run": command, "really": true})
        };
        steps.push(match name.split_at(1.min(name.len())) {
            (">", _) => json!({"run": content, "really": true}),
            ("+", name) => redirected(name, ">>"),
            ("$", name) => redirected(name, ">"),
            _ => json!({"tool": "Write", "args": {"file_path": format!("{{p}}/{name}"), "content": content},
                "out": "ok", "really": true}),
        });
    }
    steps.push(json!({"run": run, "out": ""}));
    steps
}

/// What is said of the run: the last call.
async fn last(id: &str, steps: &[Value]) -> PlayedCall {
    play(&bench(), id, steps).await.pop().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_written_is_judged_as_code_when_it_runs() {
    let rows = rows("written.jsonl");
    assert!(rows.len() >= 40, "{}", rows.len());
    let only = std::env::var("ATTACK").ok();
    let mut wrong = Vec::new();
    for row in rows.iter().filter(|row| only.as_ref().is_none_or(|id| row["id"] == id.as_str())) {
        let (id, run) = (row["id"].as_str().unwrap(), row["run"].as_str().unwrap());
        println!("{id}");
        let call = last(&format!("{id}-harm"), &calls(&row["files"], run)).await;
        if !call.stopped {
            wrong.push(format!("{id}: the run of harmful code is free"));
        }
        println!("  twin");
        let run = row["run_twin"].as_str().unwrap_or(run);
        let call = last(&format!("{id}-twin"), &calls(&row["twin"], run)).await;
        if call.stopped {
            wrong.push(format!("{id}: the run of harmless code is stopped: {}", call.reply));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}
