//! Texts designed to slow the search down take only linear time.

use std::time::Duration;

/// The shortest of three runs in CPU time of this thread, so that other processes don't matter.
fn cost(text: &str) -> Duration {
    let computed = || {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap())
    };
    let once = || {
        let begun = computed();
        assert!(!doorward_secrets::redact_text(text).is_empty());
        computed().checked_sub(begun).unwrap()
    };
    (0..3).map(|_| once()).min().unwrap()
}

#[test]
fn many_beginnings_of_a_token_in_one_word_cost_little() {
    for beginning in ["eyJ", "eyJ-", "ewog-", "eyJ_eyJ"] {
        let of = |bytes: usize| {
            let part = beginning.repeat(bytes / beginning.len());
            cost(&format!("{part}.{part}"))
        };
        let (few, many) = (of(4 << 10), of(64 << 10));
        // Sixteen times the length. With the fault, each position cost as much as the word before it was long.
        assert!(many < few * 64, "{beginning}: {few:?} and {many:?}");
    }
}

#[test]
fn a_token_is_found_behind_beginnings_of_others() {
    let token = [
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
        "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkEifQ",
        &"a1B2c3D4e5".repeat(4),
    ]
    .join(".");
    for text in [token.clone(), format!("eyJ-{token}"), format!("{} {token}", "eyJ-".repeat(5_000))] {
        assert!(!doorward_secrets::redact_text(&text).contains(&token), "{}", text.len());
    }
}
