//! Benchmarks of the policy engine: decisions per set size, with the index and without, and a differential test.
//!
//! `cargo run --release -p doorward-policy --example bench_policy [PAIRS]`: N rules over 40 tools (40 % allow, 40 %
//! deny, 20 % confirm), with the context built and the second evaluation included, in thread CPU time. Then compares
//! index and whole set on PAIRS random (set, request) pairs, including errors (default 1,000,000).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use doorward_core::decision::Verdict;
use doorward_core::json::{Number, Value};
use doorward_core::tool::ToolName;
use doorward_policy::cedar::{Compiled, Source};
use doorward_policy::facts::EngineRequest;
use doorward_policy::shorthand::RuleSources;
use doorward_settings::OnNoMatch;

#[path = "../tests/it/world/mod.rs"]
mod world;

use world::{Dice, random_request, random_set, request};

fn main() {
    let pairs: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1_000_000);
    println!(
        "{:<10} {:<8} {:>9} {:>9} {:>9} {:>9} {:>12}",
        "policies", "way", "mean µs", "p50 µs", "p99 µs", "load ms", "decisions/s"
    );
    for size in [10, 100, 1_000] {
        figures(size);
    }
    differential(pairs);
}

/// CPU time of this thread, so that other load on the machine doesn't count.
fn cpu() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap())
}

const TOOLS: usize = 40;

fn tool(nth: usize) -> ToolName {
    ToolName::new(&format!("mcp:server{}/tool{nth}", nth % 8)).unwrap()
}

/// N rules over 40 tools; their conditions on arguments, effects, groups and risk vary with the rule's number.
fn rules(size: usize) -> String {
    let mut text = String::new();
    for nth in 0..size {
        let name = tool(nth % TOOLS);
        let step = nth / TOOLS;
        let (kind, condition) = match nth % 5 {
            0 | 1 => (
                "permit",
                format!(
                    "when {{ context.args has env && context.args.env == \"e{step}\" \
                     && context.effects.unknown.isEmpty() }}"
                ),
            ),
            2 | 3 => (
                "forbid",
                format!(
                    "when {{ context.effects.executes.contains(\"p{step}\") \
                     || context.effects.executes.contains(\"q{step}\") }}"
                ),
            ),
            _ => (
                "forbid",
                format!(
                    "when {{ context.args has amount && context.args.amount > {} && context.args.env == \"e{step}\" }} \
                     unless {{ context has approval && context.approval.level >= 1 }}",
                    100 + step
                ),
            ),
        };
        let confirm = if nth % 5 == 4 { "@confirm(\"click\") " } else { "" };
        writeln!(
            text,
            "@id(\"r{nth}\") {confirm}{kind}(principal in Group::\"g{}\", action == Action::\"{name}\", resource) \
             {condition};",
            step % 4
        )
        .unwrap();
    }
    text
}

/// Requests of which about 40 % are allowed, 40 % denied and 20 % asked about, as far as this set has such rules.
fn stream(size: usize, count: usize, dice: &mut Dice, set: &Compiled) -> Vec<EngineRequest> {
    let mut wanted = [count * 2 / 5, count * 2 / 5, count / 5];
    let mut out = Vec::with_capacity(count);
    for _ in 0..count * 200 {
        if out.len() == count {
            break;
        }
        let nth = dice.below(size);
        let mut request = request(tool(nth % TOOLS), dice);
        let step = nth / TOOLS;
        request.principal.groups = vec![format!("g{}", step % 4), "everyone".to_owned()];
        request.args.insert("env".to_owned(), format!("e{step}").into());
        request.args.insert("path".to_owned(), "/w/src/main.rs".into());
        if dice.chance(50) {
            request.args.insert("amount".to_owned(), Value::Number(Number::from(5_000)));
        }
        if dice.chance(40) {
            request.facts.effects.executes.insert(format!("p{step}"));
        }
        request.facts.effects.reads.insert("/w/src/main.rs".to_owned());
        let place = match set.decide(&request).decision {
            Verdict::Allow => 0,
            Verdict::Deny => 1,
            Verdict::Confirm => 2,
        };
        if wanted[place] > 0 {
            wanted[place] -= 1;
            out.push(request);
        } else if out.len() + wanted.iter().sum::<usize>() < count {
            out.push(request);
        }
    }
    out
}

fn figures(size: usize) {
    let text = rules(size);
    let begun = Instant::now();
    let set =
        Compiled::load(&[Source::new("bench", text)], &RuleSources::default(), OnNoMatch::Deny).unwrap();
    let load = begun.elapsed();
    let mut dice = Dice(0x5eed_0001);
    let requests = stream(size, 2_000, &mut dice, &set);
    let rounds = if size == 1_000 { 5 } else { 20 };
    for (way, decide) in [
        (
            "sliced",
            (|set: &Compiled, request: &EngineRequest| set.decide(request))
                as fn(&Compiled, &EngineRequest) -> _,
        ),
        ("whole", |set, request| set.decide_unsliced(request)),
    ] {
        let mut times = Vec::with_capacity(requests.len() * rounds);
        for _ in 0..if way == "whole" { 1 } else { rounds } {
            for request in &requests {
                let begun = cpu();
                let decision = std::hint::black_box(decide(&set, request));
                times.push(cpu() - begun);
                assert!(!decision.code.is_empty());
            }
        }
        times.sort_unstable();
        let total: f64 = times.iter().map(|time| time.as_secs_f64()).sum();
        let mean = total / times.len() as f64;
        let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1e6;
        println!(
            "{size:<10} {way:<8} {:>9.1} {:>9.1} {:>9.1} {:>9.1} {:>12.0}",
            mean * 1e6,
            at(0.5),
            at(0.99),
            load.as_secs_f64() * 1e3,
            1.0 / mean
        );
    }
}

/// Random sets over a small world, so that all combinations occur; some conditions err deliberately.
fn differential(pairs: usize) {
    let mut dice = Dice(0xd1ff_5eed);
    let begun = Instant::now();
    let (mut done, mut differing, mut errors) = (0, 0, 0);
    let mut verdicts = [0_usize; 3];
    while done < pairs {
        let text = random_set(&mut dice);
        let on_no_match = if dice.chance(50) { OnNoMatch::Mode } else { OnNoMatch::Deny };
        let set = match Compiled::load(
            &[Source::new("random", text.clone())],
            &RuleSources::default(),
            on_no_match,
        ) {
            Ok(set) => set,
            Err(error) => panic!("{error}: {text}"),
        };
        for _ in 0..200 {
            let request = random_request(&mut dice);
            let (sliced, whole) = (set.decide(&request), set.decide_unsliced(&request));
            errors += usize::from(whole.code == "policy.error");
            verdicts[match whole.decision {
                Verdict::Allow => 0,
                Verdict::Deny => 1,
                Verdict::Confirm => 2,
            }] += 1;
            if sliced != whole {
                differing += 1;
                if differing <= 3 {
                    println!("DIFFERENT\n{sliced:?}\n{whole:?}\n{request:?}\n{text}");
                }
            }
            done += 1;
        }
    }
    println!(
        "differential: {done} pairs, {differing} differences, {errors} of them errors; \
         {} allow, {} deny, {} confirm; {:.0} s",
        verdicts[0],
        verdicts[1],
        verdicts[2],
        begun.elapsed().as_secs_f64()
    );
    assert_eq!(differing, 0);
}
