//! Shell text of any kind: the analysis answers, and its answer can be drawn.
#![no_main]

use doorward_shell::{Options, analyze, explain, labels};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let intent = analyze(&text, &Options::default());
    let _ = explain(&text, &labels(&intent), false);
});
