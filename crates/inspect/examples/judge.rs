//! Judges commands read from standard input, with no world at hand: one a line (`⏎` stands for a line end inside
//! one), answered by risk, command and findings. `--stopped` and `--passed` print only those.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use std::io::{BufRead as _, stdin};
use std::sync::Arc;

use doorward_core::risk::SecurityRisk;
use doorward_core::session::SessionView;
use doorward_inspect::{EmptyWorld, Inspector, example_call};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let only = |word: &str| arguments.iter().any(|argument| argument == word);
    let inspector = Inspector::new(Arc::new(EmptyWorld::at_home("/home/user")));
    let session = SessionView::default();
    for line in stdin().lock().lines().map_while(Result::ok).filter(|line| !line.is_empty()) {
        let command = line.replace('⏎', "\n");
        let call = example_call("shell:execute", "command", &command).unwrap();
        let inspected = inspector.inspect(&call, &session, &Default::default());
        let stopped = matches!(inspected.risk, SecurityRisk::High | SecurityRisk::Unknown);
        if only("--stopped") && !stopped || only("--passed") && stopped {
            continue;
        }
        let told: Vec<String> = inspected
            .findings
            .iter()
            .map(|finding| format!("{}: {}", finding.code, finding.message))
            .collect();
        println!("{:7} {line}\n          {}", inspected.risk.to_string(), told.join("\n          "));
    }
}
