//! Files of the ledger: frames, notes, tiles, receipts, entries.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| doorward_fuzzing::check("ledger", data));
