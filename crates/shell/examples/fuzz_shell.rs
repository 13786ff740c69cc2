//! A fuzzer without tools: random bytes, random shell, and pieces of the development data mixed together.
//!
//! `cargo run --release -p doorward-shell --example fuzz_shell -- SECONDS [SEED [ENTRY]]`, where ENTRY is `shell` (a
//! whole command line, and its drawing), `words` (a text in every place that expands words) or `code` (the languages
//! that commands carry). A panic inside the analysis is caught and turned into UNKNOWN by design, so the hook counts
//! it here; a slow input is printed, and one that takes longer than half a minute of processor time ends the run with
//! exit code 3. The same entries are in `fuzz/` for cargo-fuzz.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use doorward_shell::{Options, analyze, analyze_code, explain, labels};

const WORDS: &[&str] = &[
    "rm",
    "-rf",
    "ls",
    "cat",
    "echo",
    "x",
    "$x",
    "${x}",
    "\"$x\"",
    "'a b'",
    "$(",
    ")",
    "`",
    "${x:-",
    "}",
    "{a,b}",
    "{1..9}",
    "(",
    "{ ",
    "; }",
    "if ",
    "; then ",
    "; fi",
    "while ",
    "; do ",
    "; done",
    "for x in ",
    "case ",
    " in ",
    "a) ",
    ";;",
    " esac",
    "&&",
    "||",
    "|",
    ";",
    "\n",
    "&",
    ">",
    ">>",
    "<",
    "<<E\n",
    "\nE\n",
    "<<<",
    "2>&1",
    "<(",
    ">(",
    "x=",
    "x+=",
    "a=(",
    "a[",
    "]",
    "((",
    "))",
    "[[ ",
    " ]]",
    "-eq",
    "=~",
    "!",
    "time ",
    "coproc ",
    "function f ",
    "f() ",
    "$'\\x72\\n'",
    "\\",
    "\"",
    "'",
    "$",
    "#",
    "~",
    "*",
    "?",
    "[a-z]",
    "$@",
    "$#",
    "$((",
    "${!x}",
    "${x@P}",
    "${x/a/b}",
    "${x:1:2}",
    "${#x}",
    "bash -c ",
    "eval ",
    "sh",
    "xargs ",
    "find . -exec ",
    "\\;",
    "sudo ",
    "env A=b ",
    "python3 -c ",
    "awk ",
    "sed ",
    "tee ",
    "base64 -d",
    "read x",
    "export ",
    "declare -A ",
    "local -n ",
    "printf -v x ",
    "mapfile a",
    "trap ",
    "alias a=",
    "set -- ",
    "shift",
    "cd ",
    "é",
    "\u{202e}",
    "\u{0}",
    "\r",
    "\t",
    "=",
    "~/",
    "/dev/tcp/a/1",
];

/// What stands in front of a text so that it is expanded as a word somewhere.
const PLACES: &[&str] = &[
    "echo ",
    "x=",
    "x=(",
    "echo \"",
    "echo ${x:-",
    "echo ${x#",
    "echo ${x/",
    "echo $((",
    "[[ ",
    "((",
    "cat <<E\n",
    "cat <<< ",
    "for x in ",
    "case ",
    "a[",
    "echo {",
    "echo $'",
    "eval ",
    "${",
    "read x <<< ",
    "printf -v x ",
    "cat < ",
];

const LANGUAGES: &[&str] = &[
    "python",
    "javascript",
    "ruby",
    "perl",
    "php",
    "lua",
    "sql",
    "psql",
    "mysql",
    "sqlite",
    "redis",
    "awk",
    "sed",
    "powershell",
    "cmd",
    "vim",
    "ed",
    "elisp",
    "tcl",
    "make",
    "crontab",
    "shell",
    "c",
    "cmake",
    "curl",
    "ftp",
    "m4",
    "recipe",
    "typescript",
    "go",
    "r",
];

/// Pieces of the languages.
const CODE: &[&str] = &[
    "import os",
    "os.system(",
    "'rm -rf x'",
    ")",
    "(",
    "getattr(",
    "exec(",
    "eval(",
    "f\"{x}\"",
    "\"\"\"",
    "'''",
    "\\x72",
    "require('fs')",
    ".rmSync(",
    "`rm ${x}`",
    "=>",
    "{",
    "}",
    "[",
    "]",
    "\"a\"+\"b\"",
    "'a'.'b'",
    "chr(114)",
    "%w[a b]",
    "%x(",
    "qw(a b)",
    "system ",
    "open(F,\"<x\")",
    "<<E\n",
    "\nE\n",
    "DROP TABLE x;",
    "DELETE FROM x",
    " WHERE a=1",
    "--",
    "/*",
    "*/",
    "\\! ls",
    "BEGIN{",
    "print | \"sh\"",
    "getline",
    "s/a/b/e",
    "1e ls",
    "w f",
    "y/a/b/",
    "Remove-Item -Recurse ",
    "iex ",
    "$x",
    "@(",
    "|",
    ";",
    "\n",
    "#",
    "//",
    "=",
    "==",
    ",",
    ".",
    ":",
    "lambda: ",
    "for x in y:",
    "if x:",
    "def f():",
    "__import__",
    "0x1f",
    "1e9",
    "é",
    "\u{202e}",
    "\0",
    "'",
    "\"",
    "\\",
    "join(",
    "[::-1]",
    "*64",
    "%s",
    "% x",
    ".format(",
    "b'\\x00'",
    "import ",
    "from a import *",
    "class A(B):",
    "    ",
    "\t",
    "return ",
    "async ",
    "await ",
    "with open('x', 'w') as f:",
    "f.write(",
    "@x",
    "**k",
    "*a",
    "yield ",
    "const {a, ...b} = ",
    "new A(",
    "class A extends B {",
    "?.",
    "`${",
    "/a[/]b/g",
    "<T>",
    ": string",
    "as any",
    "package main\n",
    "func main() {",
    ":= ",
    "exec.Command(",
    "if err != nil {",
    "defer ",
    "go func() {",
    "<?php ",
    "?>",
    "$a['b']",
    "->x(",
    "::y",
    "fn($a) => ",
    "<<<'E'\n",
    "\nE;\n",
    "do |x|",
    "end\n",
    "#{",
    "<<~E\n",
    "&:x",
    "%i[a b]",
    "@a ||= ",
    "def x(a, *b, c: 1, &d)\n",
    "unless ",
    "rescue => e\n",
    "my ($a, %h) = ",
    "@{[",
    "]}",
    "tr/a/b/",
    "q{",
    "sub f {",
    "local $_ = ",
    "while (<$fh>) {",
    "__END__\n",
    "__DATA__\n",
    "=pod\n",
    "\n=cut\n",
    "function f(...)\n",
    "local t = {",
    "[[",
    "]]",
    "[==[",
    "]==]",
    " .. ",
    "\nend\n",
];

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }
}

static RUNS: AtomicU64 = AtomicU64::new(0);
static PANICS: AtomicU64 = AtomicU64::new(0);
static CURRENT: Mutex<String> = Mutex::new(String::new());

fn main() {
    let seconds: u64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(10);
    let seed: u64 =
        std::env::args().nth(2).and_then(|text| text.parse().ok()).unwrap_or(0x9e37_79b9_7f4a_7c15);
    count_panics();
    let entry = std::env::args().nth(3).unwrap_or_else(|| "shell".to_owned());
    let seeds = commands();
    let programs = programs();
    let options = Options::default();
    let last = std::env::var_os("DOORWARD_FUZZ_LAST");
    // A run that ended before is taken up again near its end: inputs in front of this one are only made.
    let from: u64 =
        std::env::var("DOORWARD_FUZZ_FROM").ok().and_then(|count| count.parse().ok()).unwrap_or(0);
    let mut random = Random(seed);
    std::thread::spawn(watch);
    let started = Instant::now();
    let (mut runs, mut bytes, mut slowest) = (0_u64, 0_u64, Duration::ZERO);
    let mut told = Instant::now();
    while started.elapsed() < Duration::from_secs(seconds) {
        let (language, text) = match entry.as_str() {
            "words" => {
                let place = PLACES[random.below(PLACES.len())];
                (String::new(), format!("{place}{}", input(&mut random, &seeds)))
            }
            "code" => code(&mut random, &seeds, &programs),
            _ => (String::new(), input(&mut random, &seeds)),
        };
        if runs < from {
            runs += 1;
            continue;
        }
        *CURRENT.lock().unwrap() = format!("{language} {text}").trim_start().to_owned();
        RUNS.fetch_add(1, Ordering::Relaxed);
        // What can't be caught (a stack that overflows) is found in this file.
        if let Some(last) = &last {
            std::fs::write(last, &text).unwrap();
        }
        let before = Instant::now();
        if entry == "code" {
            std::hint::black_box(analyze_code(&language, &text, &options));
        } else {
            let intent = analyze(&text, &options);
            if runs % 16 == 0 {
                std::hint::black_box(explain(&text, &labels(&intent), true));
            }
        }
        let took = before.elapsed();
        if took > slowest && took > Duration::from_millis(20) {
            println!("SLOW {took:?} {} bytes {:?}", text.len(), text.chars().take(600).collect::<String>());
        }
        slowest = slowest.max(took);
        runs += 1;
        bytes += text.len() as u64;
        if told.elapsed() > Duration::from_secs(60) {
            told = Instant::now();
            println!(
                "{runs} runs, {bytes} bytes, {} panics, slowest {slowest:?}",
                PANICS.load(Ordering::Relaxed)
            );
        }
    }
    println!(
        "done: {entry}, {runs} runs, {bytes} bytes in {:?}, {} panics, slowest {slowest:?}, seed {seed}",
        started.elapsed(),
        PANICS.load(Ordering::Relaxed)
    );
}

/// Counts what panics, and prints the first inputs that did.
fn count_panics() {
    std::panic::set_hook(Box::new(|info| {
        let count = PANICS.fetch_add(1, Ordering::Relaxed);
        if count < 50 {
            let input = CURRENT.lock().map(|text| text.clone()).unwrap_or_default();
            println!("PANIC {info}\n  input {:?}", input.chars().take(2000).collect::<String>());
        }
    }));
}

/// The commands of the development data.
fn commands() -> Vec<String> {
    let rows = doorward_needs::data!("shell/commands_dev.jsonl").unwrap_or_default();
    let text = std::fs::read_to_string(rows).unwrap_or_default();
    text.lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|row| row["command"].as_str().map(str::to_owned))
        .collect()
}

/// Ends everything when one text takes too long. By this process's time on a processor, not by the clock: the machine
/// may be busy with others.
fn watch() {
    let spent = || {
        let text = std::fs::read_to_string("/proc/self/stat").unwrap();
        // In the program and in the kernel, in hundredths of a second.
        let ticks = text.rsplit_once(')').unwrap().1.split_whitespace().skip(11).take(2);
        ticks.map(|count| count.parse::<u64>().unwrap()).sum::<u64>() / 100
    };
    let (mut runs, mut since) = (0, spent());
    loop {
        std::thread::sleep(Duration::from_secs(1));
        let (now, at) = (RUNS.load(Ordering::Relaxed), spent());
        if now != runs {
            (runs, since) = (now, at);
        } else if at - since >= 30 {
            println!("HANG after {runs} runs\n  input {:?}", CURRENT.lock().unwrap());
            std::process::exit(3);
        }
    }
}

/// Whole programs in the languages, of the project's own lists.
fn programs() -> Vec<(String, Vec<char>)> {
    let mut programs = Vec::new();
    for list in ["code_harmful.jsonl", "code_harmless.jsonl"] {
        let path = format!("{}/../cli/testdata/{list}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        for row in text.lines() {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            let text = |key: &str| row[key].as_str().unwrap().to_owned();
            programs.push((text("language"), text("code").chars().collect()));
        }
    }
    programs
}

/// A program with a few places changed: letters, pieces, halves of others.
fn changed(random: &mut Random, programs: &[(String, Vec<char>)]) -> (String, String) {
    let (language, mut text) = programs[random.below(programs.len())].clone();
    for _ in 0..random.below(8) {
        let at = random.below(text.len() + 1);
        match random.below(5) {
            0 => {
                let end = (at + random.below(40)).min(text.len());
                text.drain(at..end);
            }
            1 => {
                let piece: Vec<char> = CODE[random.below(CODE.len())].chars().collect();
                text.splice(at..at, piece);
            }
            2 => {
                let (_, other) = &programs[random.below(programs.len())];
                let from = random.below(other.len() + 1);
                text.splice(at..at, other[from..].to_vec());
            }
            3 => {
                let end = (at + random.below(30)).min(text.len());
                let again: Vec<char> = text[at..end].to_vec();
                for _ in 0..random.below(60) {
                    text.splice(at..at, again.iter().copied());
                }
            }
            _ if at < text.len() => text[at] = char::from(random.below(128) as u8),
            _ => {}
        }
    }
    (language, text.into_iter().collect())
}

/// A language and a text that may be in it.
fn code(random: &mut Random, seeds: &[String], programs: &[(String, Vec<char>)]) -> (String, String) {
    let language = LANGUAGES[random.below(LANGUAGES.len())].to_owned();
    match random.below(4) {
        0 => return (language, input(random, seeds)),
        1 => return changed(random, programs),
        2 => return (language, changed(random, programs).1),
        _ => {}
    }
    let mut text = String::new();
    for _ in 0..random.below(60) {
        text.push_str(CODE[random.below(CODE.len())]);
        if random.below(3) == 0 {
            text.push(' ');
        }
    }
    (language, text)
}

fn input(random: &mut Random, seeds: &[String]) -> String {
    match random.below(8) {
        0 => {
            let bytes: Vec<u8> = (0..random.below(200)).map(|_| random.next() as u8).collect();
            String::from_utf8_lossy(&bytes).into_owned()
        }
        1 => {
            let piece = WORDS[random.below(WORDS.len())];
            let other = WORDS[random.below(WORDS.len())];
            format!("{piece}{other}").repeat(random.below(300))
        }
        2..=4 => {
            let mut text = String::new();
            for _ in 0..random.below(40) {
                text.push_str(WORDS[random.below(WORDS.len())]);
                if random.below(2) == 0 {
                    text.push(' ');
                }
            }
            text
        }
        _ if seeds.is_empty() => "echo".to_owned(),
        _ => {
            let mut text: Vec<char> = seeds[random.below(seeds.len())].chars().collect();
            for _ in 0..random.below(6) {
                let at = random.below(text.len() + 1);
                match random.below(4) {
                    0 if at < text.len() => {
                        text.remove(at);
                    }
                    1 => {
                        let word: Vec<char> = WORDS[random.below(WORDS.len())].chars().collect();
                        text.splice(at..at, word);
                    }
                    2 => {
                        let other: Vec<char> = seeds[random.below(seeds.len())].chars().collect();
                        let end = random.below(other.len() + 1);
                        text.splice(at..at, other[..end].to_vec());
                    }
                    _ if at < text.len() => text[at] = char::from(random.below(128) as u8),
                    _ => {}
                }
            }
            text.into_iter().collect()
        }
    }
}
