//! Rule shorthands, one a line.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| doorward_fuzzing::check("rules", data));
