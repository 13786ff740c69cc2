//! Checks whether the content that records name is intact, changed, missing, or dropped by retention.
//!
//! Before retention drops content, it announces that in the log (a note `ledger.contents_dropped`). Missing content
//! below the index in such a note is fine; other missing content is damage.

use doorward_core::id::RecordId;
use doorward_core::json::{Object, Value};
use doorward_core::record::{NoteRecord, Record};
use memchr::memmem;

use crate::content::{Bundle, fits, named};
use crate::tile::WIDTH;
use crate::verify::VerifyReport;

/// Code of the note that announces dropped content.
pub(crate) const DROPPED: &str = "ledger.contents_dropped";

/// The note that announces that the contents of all records below `before` are dropped.
pub(crate) fn dropping(before: u64, why: &str) -> Record {
    let before_text = i64::try_from(before).unwrap_or(i64::MAX);
    Record::Note(NoteRecord {
        v: 1,
        id: RecordId::fresh(),
        time: jiff::Timestamp::now(),
        code: DROPPED.to_owned(),
        message: format!("the contents of the records below {before} are dropped: {why}"),
        detail: Some(Value::Object(Object::from([("before".to_owned(), Value::from(before_text))]))),
    })
}

/// The index below which an entry announces dropped contents. Never above the entry's own index.
fn dropped_by(index: u64, entry: &[u8]) -> Option<u64> {
    memmem::find(entry, DROPPED.as_bytes())?;
    match serde_json::from_slice(entry) {
        Ok(Record::Note(note)) if note.code == DROPPED => {
            let before = note.detail?.get("before")?.canonical().parse::<u64>().ok()?;
            (before <= index).then_some(before)
        }
        _ => None,
    }
}

/// Findings about the contents of consecutive records.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    good: u64,
    missing: Vec<u64>,
    changed: Vec<u64>,
    /// The highest index below which retention announced a drop, and the index of that note.
    dropped: Option<(u64, u64)>,
}

impl Kept {
    /// Compares an entry with its packed content.
    pub(crate) fn check(&mut self, index: u64, entry: &[u8], packed: Option<&[u8]>) {
        let names = named(entry);
        match packed {
            None if names.is_empty() => {}
            None => self.missing.push(index),
            Some(packed) if !names.is_empty() && fits(&names, packed) => self.good += 1,
            Some(_) => self.changed.push(index),
        }
        if let Some(before) = dropped_by(index, entry) {
            self.dropped = self.dropped.max(Some((before, index)));
        }
    }

    /// Appends the findings of the next records.
    pub(crate) fn join(&mut self, mut next: Self) {
        self.good += next.good;
        self.missing.append(&mut next.missing);
        self.changed.append(&mut next.changed);
        self.dropped = self.dropped.max(next.dropped);
    }

    pub(crate) fn judge(self, report: &mut VerifyReport) {
        let (before, said_at) = self.dropped.unwrap_or_default();
        let (dropped, lost): (Vec<u64>, Vec<u64>) = self.missing.iter().partition(|index| **index < before);
        report.contents = self.good;
        report.dropped = dropped.len() as u64;
        if let Some(first) = self.changed.first() {
            let message = format!("kept content isn't what its record names, {} in all", self.changed.len());
            report.add("ledger.content_mismatch", *first, message);
        }
        if let Some(first) = lost.first() {
            let message = format!("content that its record names is gone, {} in all", lost.len());
            report.add("ledger.content_missing", *first, message);
        }
        if let Some(first) = dropped.first() {
            let message = format!(
                "retention dropped the contents of {} records below {before}, as record {said_at} says",
                dropped.len()
            );
            report.note("ledger.content_dropped", *first, message);
        }
    }
}

/// Compares one entry bundle with its content bundle, entry by entry.
pub(crate) struct BundleCheck<'a> {
    records: std::iter::Peekable<Bundle<'a>>,
    /// Whether the bundle contains invalid bytes.
    broken: bool,
    last: u64,
}

impl<'a> BundleCheck<'a> {
    pub(crate) fn new(number: u64, bytes: Option<&'a [u8]>) -> Self {
        let bytes = bytes.unwrap_or_default();
        let mut all = Bundle::new(number, bytes);
        all.by_ref().for_each(drop);
        Self { records: Bundle::new(number, bytes).peekable(), broken: !all.rest().is_empty(), last: 0 }
    }

    /// The next entry.
    pub(crate) fn take(&mut self, index: u64, entry: &[u8], kept: &mut Kept) {
        let found = self.records.next_if(|(found, _)| *found <= index);
        let packed = found.filter(|(found, _)| *found == index).map(|(_, packed)| packed);
        let missing = kept.missing.len();
        kept.check(index, entry, packed);
        // In a damaged bundle, the first record that can't be read counts as changed, not missing.
        if self.broken && self.records.peek().is_none() && kept.missing.len() > missing {
            kept.missing.pop();
            kept.changed.push(index);
        }
        self.last = index;
    }

    /// Called after the bundle's last entry. Records at or above the signed size don't count: the service may be
    /// appending them, or did so before a crash. A full bundle must end with its records.
    pub(crate) fn end(&mut self, size: u64, kept: &mut Kept) {
        let full = (self.last + 1).is_multiple_of(WIDTH);
        let more = self.records.next().is_some_and(|(index, _)| index < size);
        if more || (full && self.broken && kept.changed.is_empty()) {
            kept.changed.push(self.last);
        }
    }
}
