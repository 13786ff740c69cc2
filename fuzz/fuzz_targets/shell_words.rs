//! A word in every place that expands it.
#![no_main]

use doorward_shell::{Options, analyze};
use libfuzzer_sys::fuzz_target;

const PLACES: [&str; 12] = [
    "echo ", "x=", "x=(", "echo \"", "echo ${x:-", "echo ${x/", "[[ ", "((", "cat <<E\n", "cat <<< ", "a[", "echo {",
];

fuzz_target!(|data: &[u8]| {
    let Some((place, rest)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    let before = PLACES[usize::from(*place) % PLACES.len()];
    let _ = analyze(&format!("{before}{text}"), &Options::default());
});
