//! An analyzer of your own: it takes part beside the effects and those that the settings name, and can't lower what
//! another found.
//!
//! `cargo run -p doorward --example analyzer -- 'echo payroll'` judges that command twice: without the analyzer, and with
//! one that holds every call that speaks of the payroll to be HIGH.

use std::sync::Arc;

use doorward::layers::Places;
use doorward::{Door, Options, OwnAnalyzers, contract};
use doorward_core::Boxed;
use doorward_core::assessment::{Analyzer, AnalyzerVerdict};
use doorward_core::effect::Inspected;
use doorward_core::risk::SecurityRisk;

/// Calls that speak of a word are HIGH.
struct Speaks(&'static str);

impl Analyzer for Speaks {
    fn name(&self) -> &'static str {
        "speaks-of"
    }

    fn analyze<'a>(&'a self, inspected: &'a Inspected) -> Boxed<'a, AnalyzerVerdict> {
        let speaks = inspected.call.arg("command").is_some_and(|command| command.contains(self.0));
        let verdict = AnalyzerVerdict {
            analyzer: self.name().to_owned(),
            risk: if speaks { SecurityRisk::High } else { SecurityRisk::Low },
            score: None,
            // UNKNOWN from this one would not make the whole UNKNOWN; and it never says UNKNOWN.
            mandatory: false,
            applies: inspected.call.tool.as_str() == "shell:execute",
            findings: Vec::new(),
            detail: format!("speaks of {:?}: {speaks}", self.0),
        };
        Box::pin(std::future::ready(verdict))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let command = std::env::args().nth(1).unwrap_or_else(|| "echo payroll".to_owned());
    let request = serde_json::json!({
        "principal": {"id": "me"}, "action": "tool:execute",
        "resource": {"type": "tool", "name": "shell:execute", "attributes": {"args": {"command": command}}},
    });
    let plain = Options::simulation(Places::default());
    let with = Options { analyzers: OwnAnalyzers(vec![Arc::new(Speaks("payroll"))]), ..plain.clone() };
    for (name, options) in [("without", plain), ("with", with)] {
        let door = Door::open(options)?;
        let judged = contract::simulate(&door, request.to_string().as_bytes()).await?;
        println!("{name}: {} at risk {}", judged.verdict().as_str(), judged.risk().as_str());
    }
    Ok(())
}
