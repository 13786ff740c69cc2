//! Heads of HTTP requests and responses, URLs and hosts.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| doorward_fuzzing::check("proxy_head", data));
