//! An event of every coding agent.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| doorward_fuzzing::check("hook_event", data));
