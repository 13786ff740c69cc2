//! Says which build this is: version, commit, day of the commit, profile.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let profile = profile();
    // Builds for development would be made anew at every commit, for a text that helps nobody there.
    let commit = if profile == "debug" { None } else { commit() };
    let built = match commit {
        Some((hash, day)) => format!("{version} ({hash} {day}, {profile})"),
        None => format!("{version} ({profile})"),
    };
    println!("cargo:rustc-env=DOORWARD_BUILD={built}");
}

/// The profile's own name. `PROFILE` says `release` for every profile that inherits from it, so the name is taken from
/// the folder that is built into (`target/PROFILE/build/…`).
fn profile() -> String {
    let out = std::env::var("OUT_DIR").unwrap_or_default();
    let parts: Vec<&str> = out.split('/').collect();
    let at = parts.iter().rposition(|part| *part == "build").and_then(|at| at.checked_sub(1));
    at.and_then(|at| parts.get(at)).map_or_else(|| "release".to_owned(), |name| (*name).to_owned())
}

/// Hash and day of the commit that is checked out, where this is a checkout.
fn commit() -> Option<(String, String)> {
    println!(
        "cargo:rerun-if-changed={}",
        git(&["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"])?
    );
    let told = git(&["log", "-1", "--format=%h %cs", "HEAD"])?;
    let (hash, day) = told.split_once(' ')?;
    Some((hash.to_owned(), day.to_owned()))
}

fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").args(words).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned()).filter(|text| !text.is_empty())
}
