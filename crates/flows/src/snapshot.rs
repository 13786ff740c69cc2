//! A memory as text for storage. It contains fingerprints, names and turns, but no text of a secret or of other
//! people.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::fingerprint::{BloomFilter, Key};
use crate::held::HeldForm;
use crate::memory::{CompletedFlow, Memory, TurnedFact};
use crate::pieces::Piece;
use crate::source::Source;
use crate::table::{Table, TableError};
use crate::values::Values;

/// The stored form of a memory.
#[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Snapshot {
    sources: Vec<Source>,
    secrets: Vec<HeldForm>,
    grams: String,
    shingles: String,
    atoms: String,
    endorsed: String,
    private: String,
    /// Flows that a person allowed.
    allowed: BTreeSet<String>,
    full: bool,
    /// By name of the kind, because its number changes with the table.
    events: BTreeMap<String, VecDeque<TurnedFact>>,
    marks: BTreeMap<String, Vec<u16>>,
    pieces: VecDeque<(u64, Piece)>,
    flows: VecDeque<CompletedFlow>,
}

/// Why a stored memory can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// Its text is damaged.
    #[error("flows.snapshot: the kept memory of this session can't be read: {0}")]
    Damaged(&'static str),
    /// The built-in table can't be read.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl Memory {
    /// A snapshot of this memory.
    ///
    /// # Errors
    /// [`SnapshotError::Table`].
    pub fn snapshot(&self) -> Result<Snapshot, SnapshotError> {
        let table = Table::shipped()?;
        let values = &self.values;
        Ok(Snapshot {
            sources: values.sources.clone(),
            secrets: values.secrets.clone(),
            grams: packed(
                values
                    .grams
                    .iter()
                    .map(|(print, (secret, place))| (*print, (u32::from(*secret) << 16) | u32::from(*place))),
            ),
            shingles: packed(values.shingles.iter().map(|(print, source)| (*print, u32::from(*source)))),
            atoms: packed(values.atoms.iter().map(|(print, source)| (*print, u32::from(*source)))),
            endorsed: packed(values.endorsed.iter().map(|print| (*print, 0))),
            private: packed(values.private.iter().map(|(print, (source, suffices))| {
                (*print, (u32::from(*suffices) << 16) | u32::from(*source))
            })),
            allowed: self.allowed.clone(),
            full: values.full,
            events: self
                .events
                .iter()
                .map(|(kind, events)| (table.name(*kind).to_owned(), events.clone()))
                .collect(),
            marks: self.marks.clone(),
            pieces: self.pieces.clone(),
            flows: self.flows.clone(),
        })
    }

    /// The memory of a snapshot. `key` must be the key that it was made with.
    ///
    /// # Errors
    /// [`SnapshotError`] for a damaged one: no part of it is used.
    pub fn restored(key: Arc<Key>, snapshot: Snapshot) -> Result<Self, SnapshotError> {
        let table = Table::shipped()?;
        let halves = |both: u32| {
            let [a, b, c, d] = both.to_be_bytes();
            (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]))
        };
        let low = |(print, both): (u64, u32)| (print, halves(both).1);
        let grams: HashMap<u64, (u16, u16)> =
            unpacked(&snapshot.grams)?.into_iter().map(|(print, both)| (print, halves(both))).collect();
        let shingles: HashMap<u64, u16> = unpacked(&snapshot.shingles)?.into_iter().map(low).collect();
        let atoms: HashMap<u64, u16> = unpacked(&snapshot.atoms)?.into_iter().map(low).collect();
        let endorsed: HashSet<u64> =
            unpacked(&snapshot.endorsed)?.into_iter().map(|(print, _)| print).collect();
        let private = unpacked(&snapshot.private)?.into_iter().map(|(print, both)| {
            let (suffices, source) = halves(both);
            (print, (source, suffices != 0))
        });
        let mut values = Values {
            private: private.collect(),
            gram_filter: BloomFilter::default(),
            shingle_filter: BloomFilter::default(),
            sources: snapshot.sources,
            secrets: snapshot.secrets,
            grams,
            shingles,
            atoms,
            endorsed,
            said: HashSet::new(),
            full: snapshot.full,
        };
        values.refill();
        let mut memory = Self::new(key);
        memory.values = values;
        // No rule uses a kind that the table no longer has.
        memory.events = snapshot
            .events
            .into_iter()
            .filter_map(|(word, events)| Some((table.kind(&word)?, events)))
            .collect();
        (memory.marks, memory.pieces, memory.flows) = (snapshot.marks, snapshot.pieces, snapshot.flows);
        memory.allowed = snapshot.allowed;
        memory.newest = memory.events.values().flatten().map(|event| event.turn).max().unwrap_or_default();
        Ok(memory)
    }
}

fn packed(entries: impl Iterator<Item = (u64, u32)>) -> String {
    let mut all: Vec<(u64, u32)> = entries.collect();
    all.sort_unstable();
    let mut bytes = Vec::with_capacity(all.len() * 12);
    for (print, value) in all {
        bytes.extend_from_slice(&print.to_be_bytes());
        bytes.extend_from_slice(&value.to_be_bytes());
    }
    STANDARD.encode(bytes)
}

fn unpacked(text: &str) -> Result<Vec<(u64, u32)>, SnapshotError> {
    let bytes =
        STANDARD.decode(text).map_err(|_| SnapshotError::Damaged("its fingerprints aren't base64"))?;
    let (entries, rest) = bytes.as_chunks::<12>();
    if !rest.is_empty() {
        return Err(SnapshotError::Damaged("its fingerprints are cut"));
    }
    let entry = |entry: &[u8; 12]| {
        let [a, b, c, d, e, f, g, h, i, j, k, l] = *entry;
        (u64::from_be_bytes([a, b, c, d, e, f, g, h]), u32::from_be_bytes([i, j, k, l]))
    };
    Ok(entries.iter().map(entry).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrived::Arrived;

    #[test]
    fn a_memory_comes_back_as_it_was_and_holds_no_secret() {
        let key = Arc::new(Key::new(b"0123456789abcdef"));
        let secret = ["tok", "0123456789abcdefXYZ"].join("_");
        let mut memory = Memory::new(Arc::clone(&key));
        memory.returned(&Arrived {
            content: format!("API_TOKEN={secret}\n").as_bytes(),
            source: "/w/.env",
            untrusted: true,
            secrets: &[],
            secret_file: true,
            private: false,
            turn: 3,
            step: None,
        });
        let text = serde_json::to_string(&memory.snapshot().unwrap()).unwrap();
        assert!(!text.contains(&secret) && !text.contains("0123456789"), "{text}");
        let back = Memory::restored(Arc::clone(&key), serde_json::from_str(&text).unwrap()).unwrap();
        assert_eq!(back.values.search(&key, &[&secret], &[]).hits.len(), 1);
        assert_eq!(serde_json::to_string(&back.snapshot().unwrap()).unwrap(), text);
        let mut other = Memory::new(Arc::clone(&key));
        other.said("Use https://api.work.example/v1 for it");
        other.absorb(back.clone());
        other.absorb(back);
        assert_eq!(other.sources().len(), 2, "the same twice is the same");
        assert_eq!(other.values.search(&key, &[&secret], &[]).hits.len(), 1);
        let damaged: Snapshot = serde_json::from_str(r#"{"grams":"AAAA"}"#).unwrap();
        assert!(Memory::restored(key, damaged).is_err());
    }
}
