//! Decisions over HTTP whose outcome nobody reports: none keeps its permit open beyond the limit of the settings, and the
//! service stops at once. `cargo xtask bench decisions` does the same with 40,000 in the release build.

#[path = "support/decisions.rs"]
mod many;

use std::path::Path;
use std::time::Duration;

/// How many, here: what the build for tests does in a few seconds.
const COUNT: usize = 1_500;

#[test]
fn decisions_that_nobody_speaks_about_are_closed_and_the_service_stops() {
    let folder = tempfile::tempdir().unwrap();
    let measured = many::run(Path::new(env!("CARGO_BIN_EXE_doorward")), folder.path(), COUNT);
    assert!(measured.open_at_the_end > 0, "the test would show nothing");
    assert_eq!(measured.open_after_the_limit, 0);
    assert!(measured.stopped_in <= Duration::from_secs(2), "{:?}", measured.stopped_in);
    assert!(measured.stopped_well);
    eprintln!("{COUNT} decisions in {:?}, stopped in {:?}", measured.took, measured.stopped_in);
}
