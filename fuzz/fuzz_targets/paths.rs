//! A path and a pattern: names are compared, and the path is scoped and opened in a tree of links.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| doorward_fuzzing::check("paths", data));
