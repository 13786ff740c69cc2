//! The ledger's files after tampering: journal frames, notes, tiles, receipts, entries.

use doorward_ledger::journal::{HEADER, JournalFrame, SegmentEnd, header, push_frame, scan};
use doorward_ledger::note::Notes;
use doorward_ledger::{Checkpoint, Entry, Key, Receipt, VerifierKey, tile};

use super::listed;
use crate::mutate::Mutator;

const ORIGIN: &str = "doorward.example/ledger/fuzz";
const ENTRIES: &[&str] = &[
    r#"{"id":"01","kind":"start","v":1}"#,
    r#"{"id":"02","kind":"decision","v":1,"verdict":"ALLOW"}"#,
    r#"{"id":"03","kind":"outcome","of":"02","v":1}"#,
];

fn key() -> Key {
    Key::from_seed(ORIGIN, &[7; 32])
}

pub(super) fn check(bytes: &[u8]) {
    for last in [false, true] {
        let mut seen = Vec::new();
        let scan = scan(bytes, ORIGIN, 5, last, |frame| seen.push((frame.index, frame.entry.len())));
        assert!(scan.good <= bytes.len() && scan.next == 5 + seen.len() as u64, "{scan:?}");
        assert!(last || scan.end != SegmentEnd::Torn, "only the last segment can be torn: {scan:?}");
        if scan.end == SegmentEnd::Clean {
            assert_eq!(scan.good, bytes.len());
        }
    }
    // Only checkpoints signed by this key open with it.
    if let Ok(checkpoint) = Checkpoint::open(bytes, &[key().verifier()]) {
        assert_eq!((checkpoint.size, checkpoint.root), (3, [9; 32]), "a signature that was never made");
    }
    let _ = Checkpoint::read_unverified(bytes);
    let mut notes = Notes::new(bytes);
    let read: usize = notes.by_ref().map(<[u8]>::len).sum();
    assert!(read + notes.rest().len() <= bytes.len());
    let text = String::from_utf8_lossy(bytes);
    if let Some(key) = VerifierKey::parse(&text) {
        assert_eq!(VerifierKey::parse(&key.to_string()), Some(key));
    }
    if let Ok(receipt) = Receipt::parse(&text) {
        assert!(receipt.verify(b"{}", &[key().verifier()]).is_err(), "a proof that was never made");
    }
    let _ = tile::hashes(bytes).count();
    assert!(tile::Entries::new(bytes).map(<[u8]>::len).sum::<usize>() <= bytes.len());
    if let Ok(entry) = Entry::from_canonical(bytes.to_vec()) {
        assert_eq!(entry.bytes(), bytes);
    }
}

pub(super) fn inputs() -> Mutator {
    let mut segment = header(ORIGIN, 5, 1_700_000_000_000).to_vec();
    for (index, entry) in (5..).zip(ENTRIES) {
        push_frame(&mut segment, JournalFrame { index, entry: entry.as_bytes(), contents: b"\0\0\0\x01x" });
    }
    debug_assert!(segment.len() > HEADER);
    let mut bundle = Vec::new();
    ENTRIES.iter().for_each(|entry| tile::push_entry(&mut bundle, entry.as_bytes()));
    let note = key().sign(3, &[9; 32]);
    let receipt = format!(
        "c2sp.org/tlog-proof@v1\nindex 0\n{}\n\n{note}",
        "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk="
    );
    let mut seeds = vec![
        segment,
        bundle,
        format!("{note}\n{note}\n").into_bytes(),
        note.into_bytes(),
        receipt.into_bytes(),
    ];
    seeds.push(key().verifier().to_string().into_bytes());
    seeds.extend(ENTRIES.iter().map(|entry| entry.as_bytes().to_vec()));
    listed("ledger").with_seeds(seeds)
}
