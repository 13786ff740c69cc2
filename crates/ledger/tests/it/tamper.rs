//! Damage: the operations of `tamper.jsonl`, deletion of each file, changed bytes at any position.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{ORIGIN, fill, fill_kept, key, open, quiet, rows};
use doorward_ledger::tile::{self, Entries, push_entry};
use doorward_ledger::tree::{Hash, leaf, root_of};
use doorward_ledger::{Anchor, Key, Log, Options, Reader, VerifyOptions, verify};
use serde_json::{Value, json};

/// Builds the stopped log of a row; returns the anchor that the store would have.
fn build(dir: &Path, row: &Value) -> Option<Anchor> {
    let build = &row["build"];
    let (records, every) = (build["records"].as_u64().unwrap(), build["checkpoint_every"].as_u64().unwrap());
    let journal = build["layout"] == "journal";
    let work = tempfile::tempdir().unwrap();
    let log = open(work.path(), Options::default());
    for first in (0..records).step_by(every as usize) {
        let end = records.min(first + every);
        fill(&log, first..end);
        if end - first == every {
            log.checkpoint().unwrap();
        }
    }
    if !journal {
        log.close();
    }
    copy(work.path(), dir);
    log.close();
    build["anchor"].as_bool().unwrap().then(|| {
        let reader = Reader::open(dir).unwrap();
        let checkpoint = reader.checkpoint();
        let vkey = key().verifier().to_string();
        Anchor { origin: ORIGIN.into(), vkey, size: checkpoint.size, root: checkpoint.root }
    })
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for item in fs::read_dir(from).unwrap() {
        let item = item.unwrap();
        let target = to.join(item.file_name());
        if item.file_type().unwrap().is_dir() {
            copy(&item.path(), &target);
        } else {
            fs::copy(item.path(), target).unwrap();
        }
    }
}

fn bundle_file(dir: &Path, number: u64, size: u64) -> PathBuf {
    dir.join(tile::bundle_path(number, (size - number * 256).min(256)))
}

fn entries_of(path: &Path) -> Vec<Vec<u8>> {
    Entries::new(&fs::read(path).unwrap()).map(<[u8]>::to_vec).collect()
}

fn put_entries(path: &Path, entries: &[Vec<u8>]) {
    let mut bundle = Vec::new();
    entries.iter().for_each(|entry| push_entry(&mut bundle, entry));
    fs::write(path, bundle).unwrap();
}

fn edit(path: &Path, change: impl FnOnce(&mut Vec<Vec<u8>>)) {
    let mut entries = entries_of(path);
    change(&mut entries);
    put_entries(path, &entries);
}

fn apply(dir: &Path, op: &Value, size: u64) {
    let number = |name: &str| op[name].as_u64().unwrap();
    match op["op"].as_str().unwrap() {
        "flip" if op["where"] == "entry" => {
            let record = number("record");
            edit(&bundle_file(dir, record / 256, size), |entries| {
                let entry = &mut entries[(record % 256) as usize];
                let at = if op["byte"] == "first" { 0 } else { entry.len() - 1 };
                entry[at] ^= number("xor") as u8;
            });
        }
        "flip" => {
            let record = number("record");
            let path = dir.join(tile::tile_path(0, record / 256, (size - record / 256 * 256).min(256)));
            let mut bytes = fs::read(&path).unwrap();
            bytes[(record % 256 * 32) as usize] ^= number("xor") as u8;
            fs::write(path, bytes).unwrap();
        }
        "drop" => edit(&bundle_file(dir, number("record") / 256, size), |entries| {
            entries.remove((number("record") % 256) as usize);
        }),
        "duplicate" => edit(&bundle_file(dir, number("record") / 256, size), |entries| {
            let at = (number("record") % 256) as usize;
            entries.insert(at, entries[at].clone());
        }),
        "swap" => {
            let [one, other] = [0, 1].map(|n| op["records"][n].as_u64().unwrap());
            edit(&bundle_file(dir, one / 256, size), |entries| {
                entries.swap((one % 256) as usize, (other % 256) as usize)
            });
        }
        "truncate" => truncate(dir, number("keep_records"), size),
        "replace_file" => {
            let wanted: u64 = op["with"].as_str().unwrap().rsplit(' ').next().unwrap().parse().unwrap();
            let list = fs::read_to_string(dir.join("checkpoints.log")).unwrap();
            let end = list.find(&format!("{ORIGIN}\n{wanted}\n")).unwrap();
            let length = list[end..].match_indices("\n\n").nth(1).unwrap().0 + 2;
            fs::write(dir.join("checkpoint"), &list[end..end + length - 1]).unwrap();
            if op["checkpoints_log"] != "kept" {
                fs::write(dir.join("checkpoints.log"), &list[..end + length]).unwrap();
            }
        }
        "replace_key" => {
            let other = Key::from_seed(ORIGIN, &[77; 32]);
            fs::write(dir.join("key"), [77; 32]).unwrap();
            fs::write(dir.join("vkey"), format!("{}\n", other.verifier())).unwrap();
        }
        "delete" => fs::remove_file(dir.join(op["file"].as_str().unwrap())).unwrap(),
        "tail_garbage" => {
            let last =
                fs::read_dir(dir.join("journal")).unwrap().map(|item| item.unwrap().path()).max().unwrap();
            let mut bytes = fs::read(&last).unwrap();
            bytes.extend((0..number("bytes")).map(|n| (n * 37 + 11) as u8));
            fs::write(last, bytes).unwrap();
        }
        "edit_and_rehash" => {
            let record = number("record");
            edit(&bundle_file(dir, record / 256, size), |entries| entries[(record % 256) as usize][5] ^= 1);
            rehash(dir, size);
        }
        // The files were copied while the log was running.
        "crash" => {}
        other => panic!("unknown operation {other}"),
    }
}

fn truncate(dir: &Path, keep: u64, size: u64) {
    for number in 0..size.div_ceil(256) {
        let (first, width) = (number * 256, (size - number * 256).min(256));
        let left = keep.saturating_sub(first).min(width);
        let (bundle, tile) = (bundle_file(dir, number, size), dir.join(tile::tile_path(0, number, width)));
        if left == width {
            continue;
        }
        let (entries, hashes) = (entries_of(&bundle), fs::read(&tile).unwrap());
        fs::remove_file(&bundle).unwrap();
        fs::remove_file(&tile).unwrap();
        if left > 0 {
            let (bundle, tile) =
                (dir.join(tile::bundle_path(number, left)), dir.join(tile::tile_path(0, number, left)));
            fs::create_dir_all(bundle.parent().unwrap()).unwrap();
            fs::create_dir_all(tile.parent().unwrap()).unwrap();
            put_entries(&bundle, &entries[..left as usize]);
            fs::write(tile, &hashes[..left as usize * 32]).unwrap();
        }
    }
}

fn rehash(dir: &Path, size: u64) {
    let entries = (0..size.div_ceil(256)).flat_map(|number| entries_of(&bundle_file(dir, number, size)));
    let mut hashes: Vec<Hash> = entries.map(|entry| leaf(&entry)).collect();
    for level in 0.. {
        if hashes.is_empty() {
            break;
        }
        for (number, part) in (0..).zip(hashes.chunks(256)) {
            fs::write(dir.join(tile::tile_path(level, number, part.len() as u64)), part.as_flattened())
                .unwrap();
        }
        hashes = hashes.chunks_exact(256).map(root_of).collect();
    }
}

#[test]
fn every_row_of_damage_is_found_where_it_begins() {
    let all = rows("tamper.jsonl");
    assert_eq!(all.len(), 14);
    for row in &all {
        let (id, expect) = (row["id"].as_str().unwrap(), &row["expect"]);
        let dir = tempfile::tempdir().unwrap();
        let anchor = build(dir.path(), row);
        let size = row["build"]["records"].as_u64().unwrap();
        for op in row["ops"].as_array().unwrap() {
            apply(dir.path(), op, size);
        }
        let options = VerifyOptions { anchors: anchor.iter().cloned().collect(), ..VerifyOptions::default() };
        let report = verify(dir.path(), &options).unwrap();
        let codes: Vec<&str> = report.faults.iter().map(|fault| fault.code).collect();
        let wanted: Vec<&str> =
            expect["codes"].as_array().unwrap().iter().map(|code| code.as_str().unwrap()).collect();
        assert_eq!(codes, wanted, "{id}: {:?}", report.faults);
        assert_eq!(expect["detected"].as_bool().unwrap(), !codes.is_empty(), "{id}");
        if let Some(first_bad) = expect["first_bad"].as_u64() {
            assert_eq!(report.first().unwrap().at, Some(first_bad), "{id}: {:?}", report.faults);
        }
        let started = Log::open(
            dir.path(),
            quiet(Options { anchors: anchor.into_iter().collect(), ..Options::default() }),
        );
        assert_eq!(started.is_ok(), expect["starts"].as_bool().unwrap(), "{id}: {started:?}");
        if let Ok(log) = started {
            log.close();
            let after = verify(dir.path(), &VerifyOptions::default()).unwrap();
            assert!(after.faults.is_empty(), "{id} after the restart: {:?}", after.faults);
        }
    }
}

/// Attacks beyond the rows, by someone with the files but without the key.
/// Something done to the files of a stopped log of 1,000 records.
type Change = Box<dyn Fn(&Path)>;

fn applied(operation: Value) -> Change {
    Box::new(move |dir| apply(dir, &operation, 1000))
}

fn removed(file: &'static str) -> Change {
    Box::new(move |dir| fs::remove_file(dir.join(file)).unwrap())
}

/// Changes the bytes of the newest segment of the journal.
fn in_journal(change: impl Fn(&mut Vec<u8>) + 'static) -> Change {
    Box::new(move |dir| {
        let segments = fs::read_dir(dir.join("journal")).unwrap().map(|item| item.unwrap().path());
        let newest = segments.max().unwrap();
        let mut bytes = fs::read(&newest).unwrap();
        change(&mut bytes);
        fs::write(newest, bytes).unwrap();
    })
}

fn fork(dir: &Path) {
    let forged = key().sign(1000, &[9; 32]);
    let list = fs::read_to_string(dir.join("checkpoints.log")).unwrap();
    fs::write(dir.join("checkpoints.log"), format!("{list}{forged}\n")).unwrap();
    fs::write(dir.join("checkpoint"), forged).unwrap();
}

/// Layout, code of the fault, index of the first bad record, and the damage.
fn damages() -> Vec<(&'static str, &'static str, Option<u64>, Change)> {
    let older = json!({
        "op": "replace_file", "file": "checkpoint", "with": "checkpoint of size 512", "checkpoints_log": "kept"
    });
    let flip = json!({"op": "flip", "where": "tile", "record": 990, "xor": 4});
    let other_origin = |dir: &Path| fs::write(dir.join("origin"), "other.example/log\n").unwrap();
    let flipped = in_journal(|bytes| {
        let at = bytes.windows(9).position(|part| part == b"\"n\":768,\"").unwrap();
        bytes[at + 4] ^= 1;
    });
    let cut = in_journal(|bytes| {
        let begins = |part: &[u8], n: u64| part[12..] == n.to_be_bytes() && part[..2] == [0, 0];
        let at = |n: u64| bytes.windows(20).position(|part| begins(part, n)).unwrap();
        let record = at(800)..at(801);
        bytes.drain(record);
    });
    let entry = "ledger.entry_mismatch";
    vec![
        ("tiles", entry, Some(999), applied(json!({"op": "drop", "record": 999}))),
        ("tiles", entry, Some(255), applied(json!({"op": "drop", "record": 255}))),
        ("tiles", entry, Some(256), applied(json!({"op": "duplicate", "record": 255}))),
        (
            "tiles",
            "ledger.root_mismatch",
            Some(1000),
            applied(json!({"op": "edit_and_rehash", "record": 900})),
        ),
        ("tiles", "ledger.tile_mismatch", Some(990), applied(flip)),
        ("tiles", "ledger.truncated", Some(768), Box::new(|dir| truncate(dir, 768, 1000))),
        ("tiles", "ledger.truncated", Some(0), Box::new(|dir| truncate(dir, 0, 1000))),
        ("tiles", "ledger.missing_file", Some(256), removed("tile/entries/001")),
        ("tiles", "ledger.missing_file", Some(512), removed("tile/0/002")),
        ("tiles", "ledger.missing_file", Some(0), removed("tile/1/000.p/3")),
        ("tiles", "ledger.checkpoint_regressed", Some(512), applied(older)),
        ("tiles", "ledger.missing_file", None, removed("checkpoints.log")),
        ("tiles", "ledger.fork", Some(1000), Box::new(fork)),
        ("tiles", "ledger.origin", None, Box::new(other_origin)),
        ("journal", "ledger.bad_frame", Some(768), flipped),
        ("journal", "ledger.gap", None, cut),
    ]
}

#[test]
fn other_damage_is_found_too() {
    for (layout, code, first_bad, change) in damages() {
        let dir = tempfile::tempdir().unwrap();
        let stopped = json!({"records": 1000, "checkpoint_every": 256, "layout": layout, "anchor": false});
        build(dir.path(), &json!({"build": stopped}));
        change(dir.path());
        let report = verify(dir.path(), &VerifyOptions::default()).unwrap();
        assert!(
            !report.intact() && report.faults.iter().any(|fault| fault.code == code),
            "{code}: {:?}",
            report.faults
        );
        if let Some(first_bad) = first_bad {
            assert_eq!(report.first().unwrap().at, Some(first_bad), "{code}: {:?}", report.faults);
        }
        let started = Log::open(dir.path(), quiet(Options::default()));
        assert!(started.is_err(), "{code}: the service must not start");
    }
}

#[test]
fn a_receipt_kept_outside_shows_rollback_and_fork() {
    let row = serde_json::json!({"build": {
        "records": 1000, "checkpoint_every": 256, "layout": "tiles", "anchor": false
    }});
    let (kept, rolled) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    build(kept.path(), &row);
    build(rolled.path(), &row);
    let receipt = Reader::open(kept.path()).unwrap().receipt(990).unwrap().unwrap().to_string();
    let options = VerifyOptions { receipts: vec![receipt], ..VerifyOptions::default() };
    assert!(verify(kept.path(), &options).unwrap().intact());
    let replace =
        serde_json::json!({"op": "replace_file", "file": "checkpoint", "with": "checkpoint of size 512"});
    apply(rolled.path(), &replace, 1000);
    truncate(rolled.path(), 512, 1000);
    assert_eq!(verify(rolled.path(), &options).unwrap().first().unwrap().code, "ledger.rollback");
    let forked = tempfile::tempdir().unwrap();
    let log = open(forked.path(), Options::default());
    fill(&log, 0..990);
    let other = doorward_ledger::Entry::from_canonical(b"{}".to_vec()).unwrap();
    for n in 990..1000 {
        assert_eq!(log.append_entry(other.clone()).unwrap().wait(), Ok(n));
    }
    log.close();
    assert_eq!(verify(forked.path(), &options).unwrap().first().unwrap().code, "ledger.fork");
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for item in fs::read_dir(dir).unwrap().map(Result::unwrap) {
        if item.file_type().unwrap().is_dir() {
            found.extend(files(&item.path()));
        } else if item.file_name() != "lock" {
            found.push(item.path());
        }
    }
    found.sort();
    found
}

#[test]
fn no_byte_can_be_flipped_and_no_file_removed_unseen() {
    let dir = tempfile::tempdir().unwrap();
    let log = open(dir.path(), Options::default());
    fill(&log, 0..240);
    fill_kept(&log, 240..256);
    log.checkpoint().unwrap();
    fill_kept(&log, 256..300);
    log.close();
    let report = verify(dir.path(), &VerifyOptions::default()).unwrap();
    assert!(report.faults.is_empty() && report.contents == 60, "{report:?}");
    let mut tried = 0;
    for path in files(dir.path()) {
        let good = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let removed = verify(dir.path(), &VerifyOptions::default()).unwrap();
        assert!(path.ends_with("key") || !removed.intact(), "{} removed unseen", path.display());
        // All bytes of small files; in large ones, a stride that reaches every position of a hash.
        let stride = if good.len() < 1200 { 5 } else { (good.len() / 60) | 1 };
        for at in (0..good.len()).step_by(stride) {
            let mut bad = good.clone();
            bad[at] ^= 1 << (at % 8);
            fs::write(&path, &bad).unwrap();
            let report = verify(dir.path(), &VerifyOptions::default()).unwrap();
            assert!(!report.intact(), "byte {at} of {} flipped unseen", path.display());
            tried += 1;
        }
        fs::write(&path, &good).unwrap();
    }
    assert!(tried > 350, "{tried}");
}
