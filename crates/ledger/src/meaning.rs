//! Checks what the records of a log mean together: ids are unique, an outcome belongs to an earlier decision, no
//! permit ends twice, and time doesn't run backwards.
//!
//! Rows of 16 bytes are collected bundle by bundle (in parallel), sorted once and compared. So memory use stays
//! small, and no table is accessed at random.

use std::hash::{DefaultHasher, Hasher as _};

use crate::skim::{nanoseconds, skim};

/// How much earlier than its predecessor a record may be.
const SLACK_NS: i128 = 5_000_000_000;

/// Rows of consecutive records.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    /// (fingerprint of the id; index and role)
    ids: Vec<(u64, u64)>,
    /// (fingerprint of the decision's id; index and whether it is final)
    outcomes: Vec<(u64, u64)>,
    first_time: Option<(u64, i128)>,
    last_time: Option<i128>,
    regressed: Vec<u64>,
    /// Whether the last record is a stop of the service.
    pub(crate) stopped: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Other = 0,
    Decision = 1,
    Admitted = 2,
}

/// The faults found.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    pub(crate) duplicate_ids: Vec<u64>,
    pub(crate) orphans: Vec<u64>,
    pub(crate) duplicate_outcomes: Vec<u64>,
    pub(crate) regressed: Vec<u64>,
    /// Admitted decisions without a final outcome.
    pub(crate) open: Vec<u64>,
}

impl Rows {
    pub(crate) fn add(&mut self, index: u64, entry: &[u8]) {
        let Some(found) = skim(entry) else { return };
        if let Some(time) = nanoseconds(found.time) {
            if self.last_time.is_some_and(|last| time < last - SLACK_NS) {
                self.regressed.push(index);
            }
            self.first_time.get_or_insert((index, time));
            self.last_time = Some(time);
        }
        self.stopped = found.kind == b"stop";
        if found.id.is_empty() {
            return;
        }
        let role = match (found.kind, found.verdict) {
            (b"decision", b"ALLOW") => Role::Admitted,
            (b"decision", _) => Role::Decision,
            _ => Role::Other,
        };
        self.ids.push((fingerprint(found.id), index << 2 | role as u64));
        if found.kind == b"outcome" {
            let last = u64::from(found.outcome != b"released");
            self.outcomes.push((fingerprint(found.of), index << 1 | last));
        }
    }

    /// Appends the rows of the next records.
    pub(crate) fn join(&mut self, mut next: Self) {
        if let (Some(last), Some((index, first))) = (self.last_time, next.first_time)
            && first < last - SLACK_NS
        {
            self.regressed.push(index);
        }
        self.ids.append(&mut next.ids);
        self.outcomes.append(&mut next.outcomes);
        self.regressed.append(&mut next.regressed);
        self.first_time = self.first_time.or(next.first_time);
        self.last_time = next.last_time.or(self.last_time);
        self.stopped = next.stopped;
    }

    /// Compares all rows. Fingerprints have 64 bits; `same` tells whether two records really share an id.
    pub(crate) fn judge(mut self, same: impl Fn(u64, u64) -> bool) -> Faults {
        use rayon::slice::ParallelSliceMut as _;
        self.ids.par_sort_unstable();
        self.outcomes.par_sort_unstable();
        let mut faults = Faults { regressed: self.regressed, ..Faults::default() };
        for pair in self.ids.windows(2) {
            if let [(left, one), (right, other)] = pair
                && left == right
                && same(one >> 2, other >> 2)
            {
                faults.duplicate_ids.push(other >> 2);
            }
        }
        let mut decisions = self.ids.iter().filter(|(_, row)| row & 3 != Role::Other as u64).peekable();
        for group in self.outcomes.chunk_by(|left, right| left.0 == right.0) {
            let Some((of, _)) = group.first() else { continue };
            while let Some((_, row)) = decisions.next_if(|(id, _)| id < of) {
                faults.open.extend((row & 3 == Role::Admitted as u64).then_some(row >> 2));
            }
            let decision = decisions.next_if(|(id, _)| id == of).map(|(_, row)| *row);
            let mut ended = false;
            for (_, row) in group {
                let index = row >> 1;
                if decision.is_none_or(|decision| decision >> 2 >= index) {
                    faults.orphans.push(index);
                } else if row & 1 == 1 {
                    faults.duplicate_outcomes.extend(ended.then_some(index));
                    ended = true;
                }
            }
            if let Some(row) = decision.filter(|row| !ended && row & 3 == Role::Admitted as u64) {
                faults.open.push(row >> 2);
            }
        }
        faults
            .open
            .extend(decisions.filter(|(_, row)| row & 3 == Role::Admitted as u64).map(|(_, row)| row >> 2));
        let Faults { duplicate_ids, orphans, duplicate_outcomes, regressed, open } = &mut faults;
        [duplicate_ids, orphans, duplicate_outcomes, regressed, open]
            .into_iter()
            .for_each(|list| list.sort_unstable());
        faults
    }
}

fn fingerprint(id: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(id);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(entries: &[&str], stretch: usize) -> Faults {
        let mut all = Rows::default();
        for (part, chunk) in entries.chunks(stretch).enumerate() {
            let mut rows = Rows::default();
            for (n, entry) in chunk.iter().enumerate() {
                rows.add((part * stretch + n) as u64, entry.as_bytes());
            }
            all.join(rows);
        }
        all.judge(|_, _| true)
    }

    #[test]
    fn each_fault_is_found_at_its_index_however_the_log_is_cut() {
        let entries = [
            r#"{"id":"A","kind":"decision","time":"2026-01-01T00:00:10Z","verdict":"ALLOW"}"#,
            r#"{"id":"B","kind":"outcome","of":"A","outcome":"released","time":"2026-01-01T00:00:11Z"}"#,
            r#"{"id":"C","kind":"outcome","of":"A","outcome":"ran","time":"2026-01-01T00:00:06Z"}"#,
            r#"{"id":"D","kind":"outcome","of":"A","outcome":"failed","time":"2026-01-01T00:00:12Z"}"#,
            r#"{"id":"E","kind":"outcome","of":"Z","outcome":"ran","time":"2026-01-01T00:00:06.9Z"}"#,
            r#"{"id":"F","kind":"outcome","of":"G","outcome":"ran"}"#,
            r#"{"id":"G","kind":"decision","verdict":"ALLOW"}"#,
            r#"{"id":"H","kind":"decision","verdict":"DENY"}"#,
            r#"{"id":"A","kind":"note"}"#,
        ];
        for stretch in 1..=entries.len() {
            let faults = judged(&entries, stretch);
            assert_eq!(faults.duplicate_ids, [8], "stretch {stretch}");
            assert_eq!(faults.orphans, [4, 5]);
            assert_eq!(faults.duplicate_outcomes, [3]);
            assert_eq!(faults.regressed, [4]);
            assert_eq!(faults.open, [6]);
        }
    }
}
