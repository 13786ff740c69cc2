//! A word in every place that expands it, and code in the languages that commands carry.
#![no_main]

use doorward_shell::{Options, analyze, analyze_code};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((kind, rest)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    let options = Options::default();
    let languages = ["python", "javascript", "ruby", "perl", "php", "sql", "awk", "sed", "powershell"];
    match usize::from(*kind) {
        kind if kind < languages.len() => {
            let _ = analyze_code(languages[kind], &text, &options);
        }
        kind => {
            let before = ["echo ", "x=", "x=(", "echo \"", "echo ${x:-", "[[ ", "((", "cat <<E\n"][kind % 8];
            let _ = analyze(&format!("{before}{text}"), &options);
        }
    }
});
