//! Code in the languages that commands carry.
#![no_main]

use doorward_shell::{Options, analyze_code};
use libfuzzer_sys::fuzz_target;

const LANGUAGES: [&str; 24] = [
    "python", "javascript", "ruby", "perl", "php", "lua", "sql", "psql", "sqlite", "awk", "sed", "powershell", "vim",
    "make", "crontab", "redis", "tcl", "cmake", "elisp", "c", "curl", "ftp", "recipe", "m4",
];

fuzz_target!(|data: &[u8]| {
    let Some((language, rest)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    let language = LANGUAGES[usize::from(*language) % LANGUAGES.len()];
    let _ = analyze_code(language, &text, &Options::default());
});
