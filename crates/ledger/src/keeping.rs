//! Whether the content that records name is there: kept, changed, missing, or dropped by retention.
//!
//! Retention says in the log what it drops, before it does (a note `ledger.contents_dropped`). So content that is
//! missing below the index of such a note is fine, and content that is missing anywhere else is damage.

use doorward_core::id::RecordId;
use doorward_core::json::{Object, Value};
use doorward_core::record::{NoteRecord, Record};
use memchr::memmem;

use crate::content::{Bundle, fits, named};
use crate::tile::WIDTH;
use crate::verify::Report;

/// Code of the note that says what retention drops.
pub(crate) const DROPPED: &str = "ledger.contents_dropped";

/// The note that the contents of all records below `before` are dropped.
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

/// Below which index an entry says that contents are dropped. Never its own, or a later one's.
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

/// What was found of the contents of a stretch of records.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    good: u64,
    missing: Vec<u64>,
    changed: Vec<u64>,
    /// The furthest that retention said it drops, and where it said so.
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

    /// Takes up what was found in the stretch behind this one.
    pub(crate) fn join(&mut self, mut next: Self) {
        self.good += next.good;
        self.missing.append(&mut next.missing);
        self.changed.append(&mut next.changed);
        self.dropped = self.dropped.max(next.dropped);
    }

    pub(crate) fn judge(self, report: &mut Report) {
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

/// The comparison of one entry bundle with its content bundle, entry by entry.
pub(crate) struct BundleCheck<'a> {
    records: std::iter::Peekable<Bundle<'a>>,
    /// Where the bytes stop being records, if they do.
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
        // Where the bundle is broken, the first record that isn't read any more is changed, not missing.
        if self.broken && self.records.peek().is_none() && kept.missing.len() > missing {
            kept.missing.pop();
            kept.changed.push(index);
        }
        self.last = index;
    }

    /// Behind the last entry of the bundle. What a service is appending meanwhile, or appended just before a crash,
    /// lies behind the signed size; a full bundle ends with its records.
    pub(crate) fn end(&mut self, size: u64, kept: &mut Kept) {
        let full = (self.last + 1).is_multiple_of(WIDTH);
        let more = self.records.next().is_some_and(|(index, _)| index < size);
        if more || (full && self.broken && kept.changed.is_empty()) {
            kept.changed.push(self.last);
        }
    }
}
