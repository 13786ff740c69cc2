//! Checks every row of the vectors: keys, leaves, roots, proofs, tiles, a receipt, and notes that must be refused.

use crate::common;
use crate::common::{entry, hex, open, rows, sha256};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use doorward_ledger::tree::{self, Hash, leaf, root_of};
use doorward_ledger::{Checkpoint, Key, Options, Reader, Receipt, VerifierKey, VerifyOptions, verify};
use serde_json::Value;

fn leaves(size: u64) -> Vec<Hash> {
    (0..size).map(|n| leaf(entry(n).as_bytes())).collect()
}

fn path(row: &Value) -> Vec<Hash> {
    let hashes = row["hashes"].as_array().unwrap().iter();
    hashes.map(|hash| BASE64_STANDARD.decode(hash.as_str().unwrap()).unwrap().try_into().unwrap()).collect()
}

#[test]
fn every_row_holds() {
    let all = rows("vectors.jsonl");
    let key_row = all.iter().find(|row| row["kind"] == "key").unwrap();
    let vkey = VerifierKey::parse(key_row["vkey"].as_str().unwrap()).unwrap();
    let key = common::key();
    let all_leaves = leaves(600);
    let mut seen = std::collections::BTreeMap::new();
    for row in &all {
        let (id, kind) = (row["id"].as_str().unwrap(), row["kind"].as_str().unwrap());
        *seen.entry(kind).or_insert(0) += 1;
        let number = |name: &str| row[name].as_u64().unwrap();
        let text = |name: &str| row[name].as_str().unwrap();
        let root = |size: u64| root_of(&all_leaves[..size as usize]);
        match kind {
            "key" => assert_eq!(key.verifier().to_string(), text("vkey"), "{id}"),
            "leaf" => {
                assert_eq!(entry(number("index")), text("entry_utf8"), "{id}");
                assert_eq!(hex(&leaf(text("entry_utf8").as_bytes())), text("leaf_hash"), "{id}");
            }
            "root" => {
                let size = number("size");
                assert_eq!(hex(&root(size)), text("root"), "{id}");
                assert_eq!(key.sign(size, &root(size)), text("checkpoint"), "{id}");
                let read =
                    Checkpoint::open(text("checkpoint").as_bytes(), std::slice::from_ref(&vkey)).unwrap();
                assert_eq!((read.size, read.root), (size, root(size)), "{id}");
            }
            "inclusion" => {
                let (index, size) = (number("index"), number("size"));
                let own = &all_leaves[index as usize];
                assert!(tree::verify_inclusion(own, index, size, &path(row), &root(size)), "{id}");
            }
            "consistency" => {
                let (old, new) = (number("old"), number("new"));
                assert!(tree::verify_consistency(old, new, &path(row), &root(old), &root(new)), "{id}");
            }
            "tiles" => tiles(id, row),
            "receipt" => {
                let receipt = Receipt::parse(text("proof")).unwrap();
                assert_eq!(receipt.to_string(), text("proof"), "{id}");
                receipt.verify(text("entry_utf8").as_bytes(), std::slice::from_ref(&vkey)).unwrap();
                assert!(receipt.verify(b"another", std::slice::from_ref(&vkey)).is_err(), "{id}");
            }
            "bad_checkpoint" => {
                let read = Checkpoint::open(text("checkpoint").as_bytes(), std::slice::from_ref(&vkey));
                assert!(read.is_err(), "{id}: {}", text("title"));
            }
            other => panic!("{id}: unknown kind {other}"),
        }
    }
    assert_eq!(seen.values().sum::<i32>(), 47);
}

/// The writer must create exactly these files, and the reader exactly these proofs.
fn tiles(id: &str, row: &Value) {
    let dir = tempfile::tempdir().unwrap();
    let size = row["size"].as_u64().unwrap();
    let log = open(dir.path(), Options::default());
    common::fill(&log, 0..size);
    log.close();
    for file in row["tiles"].as_array().unwrap().iter().chain(row["bundles"].as_array().unwrap()) {
        let name = file["path"].as_str().unwrap();
        let bytes =
            std::fs::read(dir.path().join(name)).unwrap_or_else(|error| panic!("{id}: {name}: {error}"));
        assert_eq!(sha256(&bytes), file["sha256"].as_str().unwrap(), "{id}: {name}");
    }
    assert!(verify(dir.path(), &VerifyOptions::default()).unwrap().intact(), "{id}");
}

#[test]
fn our_proofs_are_the_vectors_proofs() {
    let dir = tempfile::tempdir().unwrap();
    let log = open(dir.path(), Options::default());
    common::fill(&log, 0..600);
    log.close();
    let reader = Reader::open(dir.path()).unwrap();
    for row in rows("vectors.jsonl") {
        let number = |name: &str| row[name].as_u64().unwrap();
        if row["kind"] == "inclusion" && number("size") == 600 {
            assert_eq!(reader.receipt(number("index")).unwrap().unwrap().path, path(&row), "{}", row["id"]);
        }
        if row["kind"] == "consistency" {
            let own = reader.prove_consistency(number("old"), number("new")).unwrap();
            assert_eq!(own, path(&row), "{}", row["id"]);
        }
        if row["kind"] == "receipt" {
            assert_eq!(
                reader.receipt(number("index")).unwrap().unwrap().to_string(),
                row["proof"].as_str().unwrap()
            );
        }
    }
    let stranger = Key::from_seed("doorward.example/ledger/test", &[9; 32]).verifier();
    let receipt = reader.receipt(73).unwrap().unwrap();
    assert!(receipt.verify(entry(73).as_bytes(), &[stranger]).is_err());
}
