//! `cargo xtask size`: how large the shipped program is, what is large in it, and whether it keeps its budget.

use std::path::Path;
use std::process::{Command, Stdio};

use super::{SHIPPED, cargo, run, tools_dir};

/// Bytes of the stripped program at most.
const MOST: u64 = 45 << 20;
/// Bytes of it compressed (gzip -9) at most: what a person downloads.
const MOST_COMPRESSED: u64 = 18 << 20;
/// Sections that are shown, the largest first.
const SHOWN: usize = 8;

/// Builds the program as it is shipped, prints its size, compressed size and largest sections.
///
/// # Errors
/// A size over its budget; what couldn't be built or read.
pub(crate) fn size() -> Result<(), String> {
    let mut build = cargo();
    build.args(["build", "--profile", SHIPPED, "--package", "doorward-cli", "--features", "full"]);
    run(build)?;
    let program = tools_dir().with_file_name(SHIPPED).join("doorward");
    let whole = std::fs::metadata(&program).map_err(|error| format!("{}: {error}", program.display()))?.len();
    let compressed = compressed(&program)?;
    println!("{}: {} MiB, compressed {} MiB", program.display(), tenths(whole), tenths(compressed));
    for (section, bytes) in sections(&program)?.into_iter().take(SHOWN) {
        println!("  {section:<20} {:>6} MiB", tenths(bytes));
    }
    let over = |what: &str, bytes: u64, most: u64| {
        (bytes > most).then(|| format!("{what} is {} MiB, {} are allowed", tenths(bytes), tenths(most)))
    };
    let faults: Vec<String> =
        [over("the program", whole, MOST), over("the compressed program", compressed, MOST_COMPRESSED)]
            .into_iter()
            .flatten()
            .collect();
    if faults.is_empty() { Ok(()) } else { Err(faults.join("; ")) }
}

fn tenths(bytes: u64) -> String {
    let tenths = bytes * 10 / (1 << 20);
    format!("{}.{}", tenths / 10, tenths % 10)
}

fn compressed(program: &Path) -> Result<u64, String> {
    let mut gzip = Command::new("gzip");
    let output = gzip.args(["-9", "-c"]).arg(program).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("gzip: {error}"))?;
    u64::try_from(output.stdout.len()).map_err(|error| error.to_string())
}

/// Sections with their sizes, the largest first.
fn sections(program: &Path) -> Result<Vec<(String, u64)>, String> {
    let output = Command::new("size").arg("-A").arg(program).output();
    let output = output.map_err(|error| format!("size (binutils): {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut sections: Vec<(String, u64)> = text
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let name = words.next().filter(|name| name.starts_with('.'))?;
            Some((name.to_owned(), words.next()?.parse().ok()?))
        })
        .collect();
    sections.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    Ok(sections)
}
