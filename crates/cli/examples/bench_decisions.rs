//! Decisions over HTTP that nobody reports an outcome of: how fast, how many permits are left, how fast it stops.
//! `cargo xtask bench decisions [COUNT]`
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub
)]

#[path = "../tests/it/support/decisions.rs"]
mod decisions;
#[path = "../tests/it/support/http.rs"]
mod http;

use std::path::PathBuf;

fn main() {
    let count = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(40_000);
    let beside = || std::env::current_exe().unwrap().parent().unwrap().parent().unwrap().join("doorward");
    let binary = std::env::var_os("DOORWARD_BINARY").map_or_else(beside, PathBuf::from);
    let folder = std::env::temp_dir().join(format!("doorward-decisions-{}", std::process::id()));
    let measured = decisions::run(&binary, &folder, count);
    std::fs::remove_dir_all(&folder).unwrap();
    println!(
        "{count} decisions over HTTP in {:.1?}, {:.0}/s",
        measured.took,
        count as f64 / measured.took.as_secs_f64()
    );
    println!(
        "open permits: {} at the end, {} after their limit",
        measured.open_at_the_end, measured.open_after_the_limit
    );
    println!(
        "stopped in {:.0?}, {}",
        measured.stopped_in,
        if measured.stopped_well { "well" } else { "with an error" }
    );
}
