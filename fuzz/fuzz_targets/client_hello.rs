//! The first bytes of a TLS tunnel.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| doorward_fuzzing::check("client_hello", data));
