//! Runs the analysis over the development data and prints, per source, how much of it would be stopped and how long
//! it takes, beside both parsers alone.
//!
//! `cargo run --release -p doorward-shell --example bench_shell [-- show SOURCE | timing]`. The data is looked for in
//! `$DOORWARD_DATA`. The risk here is an approximation at the level of the intent; the real one is derived by
//! `inspect`, with the world.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use doorward_core::intent::{Direction, Form, Intent, Operand, Place, WriteMode};
use doorward_core::risk::SecurityRisk;
use doorward_shell::{Options, analyze};

fn main() {
    let Some(file) = doorward_needs::data!("shell/commands_dev.jsonl") else { return };
    let text = std::fs::read_to_string(file).unwrap();
    let rows: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mode = std::env::args().nth(1).unwrap_or_default();
    let wanted = std::env::args().nth(2);
    let options = Options {
        home: Some("/home/user".to_owned()),
        cwd: Some("/workspace".to_owned()),
        ..Options::default()
    };
    let show = (mode == "show").then(|| wanted.unwrap_or_else(|| "no source".to_owned()));
    let (groups, mut times) = judge(&rows, &options, show.as_deref());
    if show.is_some() {
        return;
    }
    println!("{:<44} {:>6} {:>8} {:>8}", "source and label", "n", "stopped", "unknown");
    for (key, (count, stopped, unknown)) in &groups {
        println!("{key:<44} {count:>6} {:>7.1}% {unknown:>8}", 100.0 * *stopped as f64 / *count as f64);
    }
    report("analysis", &mut times);
    let commands: Vec<&str> = rows.iter().map(|row| row["command"].as_str().unwrap()).collect();
    compare(&commands, &options);
    by_length(&options);
}

/// How many rows there are, how many are stopped, and how many are unknown, by source and label.
type Groups = BTreeMap<String, (usize, usize, usize)>;

/// Judges every row, prints those of a source that is to be shown, and measures the analysis.
fn judge(rows: &[serde_json::Value], options: &Options, show: Option<&str>) -> (Groups, Vec<Duration>) {
    let (mut groups, mut times) = (Groups::new(), Vec::new());
    for row in rows {
        let command = row["command"].as_str().unwrap();
        let started = Instant::now();
        let intent = analyze(command, options);
        times.push(started.elapsed());
        let (risk, why) = risk(&intent);
        let stopped = !matches!(risk, SecurityRisk::Low | SecurityRisk::Medium);
        let key = group(row);
        let entry = groups.entry(key.clone()).or_default();
        entry.0 += 1;
        entry.1 += usize::from(stopped);
        entry.2 += usize::from(risk == SecurityRisk::Unknown);
        if show.is_some_and(|wanted| key.starts_with(wanted)) {
            let line = |text: &str| text.replace('\n', "\\n");
            println!("{}\t{}\t{}", if stopped { "STOP" } else { "pass" }, line(&why), line(command));
        }
    }
    (groups, times)
}

fn group(row: &serde_json::Value) -> String {
    let source = row["source"].as_str().unwrap();
    let label = match source {
        "atomic-linux" if row["system_state"] == true => "system",
        "atomic-linux" if row["discovery"] == true => "discovery",
        "atomic-linux" => "other",
        _ => row["label"].as_str().unwrap_or("-"),
    };
    format!("{source} {label}")
}

/// Measures the analysis again, its cost without what else runs on the machine, and both parsers alone.
fn compare(commands: &[&str], options: &Options) {
    let bytes: usize = commands.iter().map(|command| command.len()).sum();
    let speed = |name: &str, run: &mut dyn FnMut(&str)| {
        let mut times = Vec::new();
        for command in commands {
            let started = Instant::now();
            run(command);
            times.push(started.elapsed());
        }
        let total: Duration = times.iter().sum();
        report(name, &mut times);
        println!("    {:.2} MB/s", bytes as f64 / 1e6 / total.as_secs_f64());
    };
    speed("analysis again", &mut |command| {
        std::hint::black_box(analyze(command, options));
    });
    speed("brush-parser alone", &mut |command| {
        let mut parser =
            brush_parser::Parser::new(command.as_bytes(), &brush_parser::ParserOptions::default());
        std::hint::black_box(parser.parse_program().is_ok());
    });
    // What else runs on the machine only adds: the best of five is the command's own cost.
    let mut best: Vec<Duration> = commands
        .iter()
        .map(|command| {
            let once = |_| {
                let started = Instant::now();
                std::hint::black_box(analyze(command, options));
                started.elapsed()
            };
            (0..5).map(once).min().unwrap()
        })
        .collect();
    report("analysis, best of five", &mut best);
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).unwrap();
    speed("tree-sitter-bash alone", &mut |command| {
        std::hint::black_box(parser.parse(command, None));
    });
}

/// Prints how the cost grows with the length of a text.
fn by_length(options: &Options) {
    println!("cost by length:");
    for (name, piece) in [
        ("plain", "ls -la src; "),
        ("pipes", "echo a | grep b | sort | uniq -c; "),
        ("quotes", "echo \"a $(echo b) 'c'\" ; "),
        ("vars", "x=$x$x; echo ${x:-a} {a,b,c}; "),
        ("heredoc", "cat <<EOF > f\nsome text $HOME\nEOF\n"),
        ("one word", "a"),
    ] {
        print!("    {name:<10}");
        for length in [1_000, 10_000, 100_000, 1_000_000] {
            let text = piece.repeat(length / piece.len());
            let started = Instant::now();
            std::hint::black_box(analyze(&text, options));
            print!(" {length:>8}: {:>9.2?}", started.elapsed());
        }
        println!();
    }
}

fn report(name: &str, times: &mut [Duration]) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{name}: n {} p50 {:.1?} p99 {:.1?} p99.9 {:.1?} max {:.1?}",
        times.len(),
        at(0.5),
        at(0.99),
        at(0.999),
        times[times.len() - 1]
    );
}

const SECRETS: &[&str] =
    &[".env", "id_rsa", "id_ed25519", "shadow", ".netrc", "credentials", ".pgpass", "sudoers", "environ"];
const REGENERABLE: &[&str] = &[
    "target",
    "node_modules",
    "dist",
    "build",
    "coverage",
    ".next",
    "__pycache__",
    ".pytest_cache",
    "venv",
    ".venv",
];

fn inside(path: &Operand) -> bool {
    path.place != Place::Local
        || !(path.text.starts_with('/') || path.text.starts_with('~') || path.text.contains(".."))
        || path.text.starts_with("/workspace")
        || path.text.starts_with("/tmp/")
}

fn secret(path: &Operand) -> bool {
    let name = path.text.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let fits = |secret: &str| match path.form {
        Form::Literal => name == secret || name.starts_with(".env."),
        _ => {
            name.len() > 1
                && name.contains(['.'])
                && name.starts_with('.')
                && secret.starts_with(name.split(['*', '?', '[', '…']).next().unwrap())
        }
    };
    SECRETS.iter().copied().any(fits) || path.text.contains("/.ssh") || path.text.contains("/.aws")
}

/// The risk of an intent without a world.
fn risk(intent: &Intent) -> (SecurityRisk, String) {
    let mut high: Vec<String> = Vec::new();
    for finding in &intent.findings {
        if finding.risk == Some(SecurityRisk::High) {
            high.push(finding.code.to_string());
        }
    }
    for delete in &intent.deletes {
        let name = delete
            .path
            .text
            .trim_end_matches("/*")
            .trim_end_matches('/')
            .rsplit('/')
            .next()
            .unwrap_or_default();
        let regenerable = REGENERABLE.contains(&name)
            || [".o", ".pyc", ".log", ".tmp"].iter().any(|end| name.ends_with(end))
            || delete.path.text.starts_with("/tmp/")
            || delete.own;
        if !(regenerable && inside(&delete.path)) {
            high.push(format!("delete {}", delete.path.text));
        }
    }
    for write in &intent.writes {
        let tail = write.path.text.trim_start_matches("/workspace/");
        let log = tail.ends_with(".log") || write.path.text.starts_with("/tmp/");
        if !inside(&write.path)
            || tail.starts_with(".git/")
            || (write.path.form == Form::Unknown && write.path.text.starts_with('…'))
        {
            high.push(format!("write {}", write.path.text));
        } else if write.mode == WriteMode::Truncate && !log {
            high.push(format!("truncate {}", write.path.text));
        }
    }
    for read in &intent.reads {
        if !read.metadata && secret(&read.path) {
            high.push(format!("secret {}", read.path.text));
        }
    }
    for host in &intent.hosts {
        if host.direction == Direction::Send && !host.body_from.is_empty() {
            high.push(format!("upload {}", host.host));
        }
        if host.host.starts_with("169.254.")
            || host.host.starts_with("10.")
            || host.host.starts_with("192.168.")
        {
            high.push(format!("host {}", host.host));
        }
    }
    high.extend(intent.privilege.iter().map(|privilege| format!("privilege {}", privilege.detail)));
    high.extend(intent.history_loss.iter().map(|loss| format!("loss {}", loss.what)));
    if !high.is_empty() {
        return (SecurityRisk::High, high.join(", "));
    }
    if let Some(unknown) = intent.unknown.first() {
        return (SecurityRisk::Unknown, format!("{} {}", unknown.code, unknown.reason));
    }
    let words: Vec<String> = intent.commands.iter().map(|command| command.words.join(" ")).collect();
    let medium = !intent.is_read_only();
    (if medium { SecurityRisk::Medium } else { SecurityRisk::Low }, words.join(" ;; "))
}
