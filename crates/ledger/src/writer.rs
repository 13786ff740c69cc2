//! The thread that writes the journal: takes all waiting records, does one write and one sync, then notifies all
//! callers.
//!
//! INVARIANT: every record acknowledged with an index lies in the first `length` bytes of the current segment or in
//! an earlier one, and a sync that covers it has succeeded. After any error the segment is truncated to that length
//! before anything else is written.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use doorward_core::Custody;
use doorward_core::id::{DecisionId, RecordId};
use doorward_core::record::{LedgerError, Outcome, Record, StopRecord};

use crate::disk::SegmentFile;
use crate::entry::{Effect, Entry};
use crate::journal::{self, HEADER, JournalFrame, SegmentEnd};
use crate::log::Shared;
use crate::queue::{QueuedRecord, closing, lock};

/// Open permits: decision id → index and custody.
pub(crate) type OpenPermits = HashMap<DecisionId, (u64, Custody)>;

pub(crate) struct Writer {
    shared: Arc<Shared>,
    segment: Option<Segment>,
    /// Index of the next record.
    next: u64,
    batch: Vec<u8>,
    started: bool,
}

struct Segment {
    path: PathBuf,
    first: u64,
    sink: Box<dyn SegmentFile>,
    /// Length of the durable, acknowledged data, in bytes.
    length: u64,
    fault: Fault,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// A write failed: a partial batch may follow `length`.
    Write,
    /// A sync failed: neither the data after `length` nor the file can be relied on.
    Sync,
}

impl Writer {
    pub(crate) fn new(shared: Arc<Shared>, next: u64) -> Self {
        Self { shared, segment: None, next, batch: Vec::new(), started: false }
    }

    pub(crate) fn run(mut self) {
        while let Some(batch) = self.shared.queue.take() {
            self.commit(batch);
        }
        self.finish();
    }

    /// Writes one batch: durable and acknowledged as a whole, or refused as a whole.
    fn commit(&mut self, batch: Vec<QueuedRecord>) {
        match self.write(batch.iter().map(|pending| &pending.entry)) {
            Ok(first) => {
                self.shared.health(None);
                for (index, pending) in (first..).zip(batch) {
                    self.account(index, pending.entry.effect.clone());
                    if !pending.ticket.complete(Ok(index))
                        && let Some(entry) = pending.ticket.abandonment()
                    {
                        self.shared.queue.push_unattended(entry);
                    }
                }
            }
            Err(error) => {
                self.shared.health(Some(error.to_string()));
                for pending in batch {
                    pending.ticket.complete(Err(unwritable(&error)));
                }
            }
        }
    }

    fn write<'a>(&mut self, entries: impl ExactSizeIterator<Item = &'a Entry>) -> io::Result<u64> {
        let (first, count) = (self.next, entries.len() as u64);
        if count == 0 {
            return Ok(first);
        }
        self.batch.clear();
        // Release the memory used for long content.
        self.batch.shrink_to(journal::MAX_BATCH);
        for (index, Entry { bytes, contents, .. }) in (first..).zip(entries) {
            journal::push_frame(&mut self.batch, JournalFrame { index, entry: bytes, contents });
        }
        self.ready_segment()?;
        let Some(segment) = &mut self.segment else { return Err(io::ErrorKind::NotFound.into()) };
        segment.fault = Fault::Write;
        segment.sink.write_all(&self.batch)?;
        segment.fault = Fault::Sync;
        segment.sink.sync()?;
        segment.fault = Fault::None;
        segment.length += self.batch.len() as u64;
        self.next += count;
        self.shared.durable.store(self.next, Ordering::Release);
        self.shared.published.wake_if_due(self.next, self.shared.checkpoint_records);
        Ok(first)
    }

    /// Prepares a segment for appending: repairs it after an error, begins a new one if it is full.
    fn ready_segment(&mut self) -> io::Result<()> {
        self.shared.in_place()?;
        let disk = &self.shared.disk;
        if let Some(segment) = &self.segment
            && !segment.path.exists()
        {
            return Err(io::Error::other(
                "ledger.wiped: the journal was removed while the service has it open",
            ));
        }
        match &mut self.segment {
            Some(segment) if segment.fault != Fault::None => {
                if segment.fault == Fault::Sync {
                    let bytes = disk.read_back(&segment.path)?;
                    let kept = bytes.get(..usize::try_from(segment.length).unwrap_or(usize::MAX));
                    let kept = kept.ok_or(io::ErrorKind::UnexpectedEof)?;
                    let scan = journal::scan(kept, &self.shared.origin, segment.first, false, |_| {});
                    if scan.end != SegmentEnd::Clean || scan.next != self.next {
                        return Err(io::Error::other("acknowledged records are gone after a failed sync"));
                    }
                }
                disk.truncate(&segment.path, segment.length)?;
                if segment.fault == Fault::Write {
                    segment.sink = disk.append(&segment.path)?;
                    segment.fault = Fault::None;
                } else {
                    self.segment = None;
                }
            }
            Some(segment) if segment.length >= self.shared.segment_bytes => self.segment = None,
            _ => {}
        }
        if self.segment.is_none() {
            self.segment = Some(self.new_segment()?);
        }
        Ok(())
    }

    fn new_segment(&self) -> io::Result<Segment> {
        let path = self.shared.files.segment_path(self.next);
        let created = u64::try_from(jiff::Timestamp::now().as_millisecond()).unwrap_or(0);
        let mut sink = self.shared.disk.create(&path)?;
        sink.write_all(&journal::header(&self.shared.origin, self.next, created))?;
        sink.sync()?;
        if let Some(dir) = path.parent() {
            self.shared.disk.sync_dir(dir)?;
        }
        Ok(Segment { path, first: self.next, sink, length: HEADER as u64, fault: Fault::None })
    }

    fn account(&mut self, index: u64, effect: Effect) {
        match effect {
            Effect::Opens { id, custody } => {
                lock(&self.shared.open).insert(id, (index, custody));
            }
            Effect::Closes { of } => {
                lock(&self.shared.open).remove(&of);
            }
            Effect::Starts => self.started = true,
            Effect::None => {}
        }
    }

    /// Clean stop: closes open permits, and records the stop if the start was recorded.
    fn finish(&mut self) {
        let open = std::mem::take(&mut *lock(&self.shared.open));
        let mut entries = closings(open);
        if self.started {
            let stop = StopRecord { v: 1, id: RecordId::fresh(), time: jiff::Timestamp::now() };
            entries.extend(Entry::new(Record::Stop(stop), crate::ArgsKept::default()));
        }
        for chunk in entries.chunks(1024) {
            if let Err(error) = self.write(chunk.iter()) {
                self.shared.health(Some(error.to_string()));
                return;
            }
        }
    }
}

/// The outcomes that close permits without a holder, in the order of their decisions.
pub(crate) fn closings(open: OpenPermits) -> Vec<Entry> {
    let mut open: Vec<_> = open.into_iter().collect();
    open.sort_by_key(|(_, (index, _))| *index);
    open.into_iter()
        .filter_map(|(id, (index, custody))| {
            // A call in another process may have run; a call that Doorward ran ended with it.
            let outcome = if custody == Custody::Bound { Outcome::Abandoned } else { Outcome::Unobserved };
            closing(&id, Some(index), outcome)
        })
        .collect()
}

pub(crate) fn unwritable(error: &io::Error) -> LedgerError {
    LedgerError::Unwritable(error.to_string())
}
