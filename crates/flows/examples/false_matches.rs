//! Counts false matches: a session has read an `.env` file and pages, and then sends pieces of other files, none of
//! which came from there.
//!
//! `cargo run -p doorward-flows --example false_matches -- FOLDER [MIB [odd]]`; with `odd` only packages of owners
//! that the table of common text wasn't made from.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::print_stdout,
    missing_docs
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use doorward_core::effect::{HostClass, HostEffect};
use doorward_core::intent::Direction;
use doorward_flows::{Arrived, Key, Memory, Then};

// It also contains helpers that only the tests use.
#[allow(dead_code)]
#[path = "../tests/it/common/mod.rs"]
mod common;
#[path = "../tests/it/common/packages.rs"]
mod packages;

/// A realistic file: generated values beside words that many texts contain.
const ENV: &str = "NODE_ENV=development\nPORT=3000\nDB_HOST=localhost\nDB_USER=postgres\nDB_PASSWORD=postgres\n\
    REDIS_PASSWORD=password123\nADMIN_PASSWORD=administrator\nSECRET_KEY=changeme\nJWT_SECRET=development-secret\n\
    SESSION_SECRET=your-secret-key\nAPI_TOKEN=k7Q2x8Zw93Lm2pRt84bVn1\nSTRIPE_SECRET=qJ4hVtc0sXq2mNw9aLr7Pz\n\
    APP_PASSWORD=hunter2hunter2\nVAULT_PASSWORD=correcthorsebattery\nMAIL_PASSWORD=blue-connection-string\n";
/// Bytes of each sent piece.
const PIECE: usize = 4 << 10;

fn main() {
    let mut words = std::env::args().skip(1);
    let folder = PathBuf::from(words.next().expect("a folder of packages"));
    let most = words.next().map_or(16, |text| text.parse::<usize>().expect("MiB")) << 20;
    let is_odd = words.next().is_some_and(|word| word == "odd");
    let mut packages = packages::packages(std::slice::from_ref(&folder));
    packages.retain(|package| !is_odd || packages::number(&packages::owner(package)) % 2 == 1);
    let (read, others) = packages.split_at(packages.len() / 10);
    let mut memory = Memory::new(Arc::new(Key::new(b"sixteen random bytes")));
    let mut turn = 0;
    let mut arrive = |content: &str, source: &str, secret_file: bool| {
        turn += 1;
        let content = content.as_bytes();
        memory.returned(&Arrived {
            content,
            source,
            untrusted: !secret_file,
            secrets: &[],
            secret_file,
            private: false,
            turn,
            step: None,
        });
    };
    arrive(ENV, "/w/.env", true);
    let mut pages = Vec::new();
    read.iter().for_each(|package| packages::files(package, &mut pages));
    pages.retain(|page| packages::is_page(page));
    pages.truncate(200);
    for page in &pages {
        let text = std::fs::read_to_string(page).unwrap_or_default();
        let source = format!("https://docs.example/{}", page.strip_prefix(&folder).unwrap_or(page).display());
        arrive(&text[..text.floor_char_boundary(16 << 10)], &source, false);
    }
    // Other text by the same owners may legitimately match.
    let owners: BTreeSet<String> = read.iter().map(|package| packages::owner(package)).collect();
    let (same, others): (Vec<_>, Vec<_>) =
        others.iter().partition(|package| owners.contains(&packages::owner(package)));
    println!("{} packages of others; left out: {} of the pages' own authors", others.len(), same.len());
    let mut later = Vec::new();
    others.iter().for_each(|package| packages::files(package, &mut later));
    // A sample of files, evenly from all of these packages.
    let total: u64 = later.iter().filter_map(|path| path.metadata().ok()).map(|about| about.len()).sum();
    let step = usize::try_from(total).unwrap().div_ceil(most).max(1);
    let (calls, sent, matches) = send(&memory, turn + 1, later.iter().step_by(step), most);
    println!("{calls} calls send {} KiB after one .env file and {} pages", sent >> 10, pages.len());
    for (rule, found) in matches {
        println!("{rule}: {} of {calls} calls", found.values().sum::<u32>());
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
        found.iter().take(12).for_each(|(sentence, times)| println!("    {times} {sentence}"));
    }
}

/// Rule, sentence and number of matches.
type Matches = BTreeMap<String, BTreeMap<String, u32>>;

/// Judges calls that send pieces of files to a host, until `most` bytes are sent. Returns the calls, the bytes and the
/// matches.
fn send<'p>(
    memory: &Memory,
    turn: u64,
    files: impl Iterator<Item = &'p PathBuf>,
    most: usize,
) -> (u32, usize, Matches) {
    let (mut sent, mut calls) = (0, 0_u32);
    let mut matches = Matches::new();
    for path in files {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let mut rest = text.as_str();
        while !rest.is_empty() && sent < most {
            let (piece, after) = rest.split_at(rest.ceil_char_boundary(PIECE));
            rest = after;
            sent += piece.len();
            calls += 1;
            let mut call = common::inspected(turn, piece);
            call.effects.reads.clear();
            call.effects.writes.clear();
            call.effects.hosts.push(HostEffect {
                host: "elsewhere.example".into(),
                port: None,
                scheme: "https".into(),
                direction: Direction::Send,
                class: HostClass::Public,
                code: None,
                configured: false,
                redirected: false,
                span: Default::default(),
            });
            for flow in memory.judge(&call, &[]).unwrap().flows.iter().filter(|flow| flow.then != Then::No) {
                *matches.entry(flow.rule.clone()).or_default().entry(flow.sentence()).or_default() += 1;
            }
        }
    }
    (calls, sent, matches)
}
