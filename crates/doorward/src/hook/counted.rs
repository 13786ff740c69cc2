//! How many calls were told what since the service began, for metrics.

use std::sync::atomic::{AtomicU64, Ordering};

use doorward_gate::Admission;
use doorward_hooks::emission::Emission;

use crate::Door;

/// How many calls were told what, since the service began.
#[derive(Debug, Default)]
pub(super) struct Counted([AtomicU64; 4]);

impl Counted {
    /// What each number counts: what passed, what was left to the client's own prompt, asked about, denied.
    const WORDS: [&str; 4] = ["passed", "left", "asked", "denied"];

    pub(super) fn add(&self, admission: &Admission, said: Emission) {
        let place = match (admission, said) {
            (Admission::Admitted(_), _) => 0,
            (Admission::Pending(_), Emission::Nothing) => 1,
            (Admission::Pending(_), _) => 2,
            (Admission::Denied(_), _) => 3,
        };
        if let Some(count) = self.0.get(place) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// How many calls of hooks were told what since the service began, by a word for each.
pub fn counted(door: &Door) -> impl Iterator<Item = (&'static str, u64)> {
    let counts = &door.projects().pinned().counted.0;
    Counted::WORDS.into_iter().zip(counts.iter().map(|count| count.load(Ordering::Relaxed)))
}
