//! What long commands cost: processor time and memory of each shape, in a process of its own.
//!
//! `cargo run --profile dist -p doorward-shell --example budgets [-- SHAPE]`
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use doorward_shell::{Options, analyze};

type Shape = fn() -> String;

const SHAPES: &[(&str, Shape)] = &[
    ("env", || format!("{}rm x", "env ".repeat(20_000))),
    ("sudo", || format!("{}rm x", "sudo ".repeat(20_000))),
    ("xargs", || format!("{}rm x", "xargs ".repeat(20_000))),
    ("command", || format!("{}rm x", "command ".repeat(20_000))),
    ("function", || format!("f() {{ shift; \"$@\"; }}; {}", "f x ".repeat(20_000))),
    ("rm", || format!("rm {}", names())),
    ("wrapped-rm", || format!("sudo env A=b nice timeout 5 xargs rm {}", names())),
    ("touch", || format!("touch {}", names())),
    ("sed", || format!("sed -i s/a/$X/ {}", names())),
    ("cp", || format!("cp {} folder", names())),
    ("script", || format!("./script {}", names())),
    ("unknown", || format!("frob {}", names())),
    ("find", || format!("find . -exec rm {} {{}} ;", names())),
    ("perl-commands", || "perl -e 'print 1'; ".repeat(13_000)),
    ("perl-statements", || format!("perl -e '{}'", "print 1; ".repeat(28_000))),
    ("perl-deletes", || format!("perl -e '{}'", "unlink \"x\"; ".repeat(22_000))),
    ("perl-options", || format!("perl {}", "-e 'print 1;' ".repeat(18_000))),
    ("perl-word", || format!("perl -e '{}'", "x".repeat(250_000))),
];

fn names() -> String {
    (0..30_000).map(|at| format!("f{at} ")).collect()
}

fn main() {
    if let Some(name) = std::env::args().nth(1) {
        let (_, shape) = SHAPES.iter().find(|(own, _)| *own == name).expect("the name of a shape");
        let text = shape();
        let intent = analyze(&text, &Options::default());
        let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
        let ticks: u64 = stat
            .rsplit(')')
            .next()
            .unwrap()
            .split_whitespace()
            .skip(11)
            .take(2)
            .map(|n| n.parse::<u64>().unwrap())
            .sum();
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap().trim();
        let told: Vec<&str> = intent.unknown.iter().map(|unknown| unknown.code.as_str()).take(2).collect();
        return println!(
            "{name:<16} {:>8} bytes {:>6} ms {peak:>12} {}",
            text.len(),
            ticks * 10,
            told.join(" ")
        );
    }
    for (name, _) in SHAPES {
        let own = std::env::current_exe().unwrap();
        std::process::Command::new(own).arg(name).status().unwrap();
    }
}
