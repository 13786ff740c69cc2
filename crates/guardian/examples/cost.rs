//! Token costs of reviews: a scripted session of 50 calls against the local model server, which counts like providers
//! do (four bytes per token; prefixes of 1,024 tokens and more are cached in blocks of 128).
//!
//! `cargo run -p doorward-guardian --features testing --example cost [prices.json]`
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    missing_docs
)]

use std::sync::Arc;
use std::time::Duration;

use doorward_core::evaluation::{Guardian as _, GuardianContext, Spent};
use doorward_core::session::PastCall;
use doorward_guardian::experiences::{Library, Order};
use doorward_guardian::testing::{Does, ModelServer, inspected, verdict};
use doorward_guardian::wire::{Price, Prices};
use doorward_guardian::{Model, ModelConfig, ModelGuardian, Prefix, ReviewConfig};
use serde_json::json;

const CALLS: usize = 50;
const FORMATS: [&str; 5] = ["openai", "openai-responses", "anthropic", "gemini", "ollama"];

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let prices: Prices = match std::env::args().nth(1) {
        Some(file) => serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap(),
        None => units(),
    };
    let seeds =
        Library::seeded().render(&["terminal-mcp".to_owned(), "filesystem-mcp".to_owned()], Order::Natural);
    println!("{CALLS} reviews, prices of {}", prices.date);
    println!(
        "{:<18} {:<12} {:>7} {:>10} {:>10} {:>8} {:>8} {:>8} {:>10} {:>8}",
        "provider",
        "experiences",
        "prefix",
        "in",
        "cached",
        "written",
        "later %",
        "out",
        "micro-USD",
        "repairs"
    );
    for provider in FORMATS {
        for (name, experiences) in [("none", ""), ("seeds", seeds.as_str())] {
            let prefix = Prefix::new("Ask before anything leaves this machine.", experiences);
            let length = prefix.text().len();
            let (all, first, repairs, common) = session(provider, prefix, prices.clone()).await;
            let later = all.input_total - first.input_total;
            let share = 100.0 * (all.cached_read - first.cached_read) as f64 / later as f64;
            let cost = all.cost_micro_usd.map_or_else(|| "unknown".to_owned(), |cost| cost.to_string());
            println!(
                "{provider:<18} {name:<12} {length:>7} {:>10} {:>10} {:>8} {share:>8.1} {:>8} {cost:>10} {repairs:>8}",
                all.input_total, all.cached_read, all.cache_write_5m, all.output_total
            );
            assert!(common >= length, "only {common} bytes in common, the prefix has {length}");
        }
    }
}

/// Prices for comparison only: one dollar per million input tokens, a tenth of it if cached, five dollars for output.
fn units() -> Prices {
    let price = Price {
        input: 1_000_000,
        cached_read: 100_000,
        cache_write_5m: 1_250_000,
        cache_write_1h: 2_000_000,
        output: 5_000_000,
    };
    Prices {
        date: "2026-11-22 (units)".into(),
        models: FORMATS.map(|provider| (format!("{provider}/m"), price)).into(),
    }
}

/// The calls of a session in sequence, each with the history of those before. One in ten answers needs a repair.
async fn session(provider: &str, prefix: Prefix, prices: Prices) -> (Spent, Spent, usize, usize) {
    let mut script = Vec::new();
    for at in 0..CALLS {
        if at % 10 == 7 {
            script.push(Does::Answers("I would say this is fine.".into()));
        }
        script.push(Does::Answers(verdict(20)));
    }
    let server = ModelServer::start(script);
    let model = Model::new(ModelConfig {
        model: format!("{provider}/m"),
        base_url: Some(server.base.clone()),
        prices,
        ..ModelConfig::default()
    });
    let config = ReviewConfig { remember: Duration::ZERO, ..ReviewConfig::default() };
    let guardian = ModelGuardian::new(Arc::new(model.unwrap()), prefix, config);
    let (mut all, mut first, mut repairs) = (Spent::default(), Spent::default(), 0);
    let mut past = Vec::new();
    for at in 0..CALLS {
        let args =
            json!({ "command": format!("cargo test -p crate-{at} -- --nocapture 2>&1 | tail -n {at}") });
        let mut call = inspected("shell:execute", &args.to_string());
        call.session_mut().calls = u64::try_from(past.len()).unwrap();
        // As many as a session keeps.
        call.session_mut().recent = past[past.len().saturating_sub(20)..].to_vec();
        let context = GuardianContext {
            tool_name: "shell:execute".into(),
            content: args.to_string(),
            cwd: "/w".into(),
            can_prompt_user: true,
            trusted_messages: vec!["Make the tests of every crate pass, one after the other.".into()],
            ..GuardianContext::default()
        };
        let evaluation = guardian.evaluate(&context, &call).await;
        repairs += usize::from(evaluation.flags.iter().any(|flag| flag == "repaired"));
        let spent = evaluation.spent;
        all.input_total += spent.input_total;
        all.cached_read += spent.cached_read;
        all.cache_write_5m += spent.cache_write_5m;
        all.output_total += spent.output_total;
        all.cost_micro_usd = match (all.cost_micro_usd, spent.cost_micro_usd) {
            (Some(sum), Some(cost)) => Some(sum + cost),
            (None, Some(cost)) if at == 0 => Some(cost),
            _ => None,
        };
        if at == 0 {
            first = spent;
        }
        past.push(PastCall {
            tool: "shell:execute".into(),
            args: args.to_string(),
            verdict: "ALLOW".into(),
            ..PastCall::default()
        });
    }
    let texts: Vec<String> = server.seen().iter().map(|seen| seen.texts().concat()).collect();
    let common = texts
        .iter()
        .map(|text| text.bytes().zip(texts[0].bytes()).take_while(|(a, b)| a == b).count())
        .min()
        .unwrap_or(0);
    (all, first, repairs, common)
}
