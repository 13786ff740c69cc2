//! `cargo xtask bench gate`: what the gate costs, measured on this machine in one run.
//!
//! Everything real: the release binary, its service, its ledger on this disk. Times are wall times with minima and
//! quantiles beside them; the machine's own noise is shown by the bare spawn measured in the same loop. Parts by name:
//! `decide record appends hooks prompts`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use doorward::{Door, Options, contract};
use doorward_ledger::{Entry, Log};
use serde_json::json;

const COMMANDS: &[&str] = &[
    "git status && git diff --stat",
    "ls -la src",
    "cargo test --workspace",
    "grep -rn 'fn main' src | head -20",
    "rm -rf target/debug",
    "sed -i 's/a/b/' src/main.rs",
    "for f in src/*.rs; do wc -l \"$f\"; done",
    "git commit -m 'Fix the parser' && git push",
    "npm install && npm test",
    "curl -s https://example.com/api | jq .items",
    "cat <<'EOF' > notes.md\nhello\nEOF",
    "python3 -c 'print(sum(range(10)))'",
    "find . -name '*.rs' -newer Cargo.toml -exec wc -l {} +",
    "docker compose up -d db",
    "echo cm0gLXJmIC8= | base64 -d | sh",
];

fn main() {
    let binary = std::env::var_os("DOORWARD_BINARY").map_or_else(release_binary, PathBuf::from);
    assert!(binary.exists(), "build it first: cargo build --release -p doorward-cli ({})", binary.display());
    println!("binary: {} bytes", std::fs::metadata(&binary).unwrap().len());
    let parts: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |part: &str| parts.is_empty() || parts.iter().any(|named| named == part);
    if wanted("decide") {
        in_process();
    }
    if wanted("record") {
        recorded();
    }
    if wanted("appends") {
        appends();
    }
    if wanted("hooks") {
        hooks(&binary);
    }
    if wanted("prompts") {
        prompts();
    }
}

fn release_binary() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().parent().unwrap().join("doorward")
}

/// A project and what a service is asked about it, in a folder of its own.
fn requests(dir: &Path) -> Vec<String> {
    let project = dir.join("project");
    std::fs::create_dir_all(project.join("src")).unwrap();
    std::fs::write(project.join("src/main.rs"), "fn main() {}\n").unwrap();
    std::fs::write(project.join("Cargo.toml"), "[package]\nname = \"x\"\n").unwrap();
    let body = |command: &&str| {
        json!({"principal": {"id": "bench"}, "action": "tool:execute",
            "resource": {"type": "tool", "name": "shell:execute", "attributes": {"args": {"command": command}}},
            "context": {"cwd": project, "roots": [project], "session_id": "bench"}})
        .to_string()
    };
    COMMANDS.iter().map(body).collect()
}

/// Decisions in this process, warm, without a record: what a call costs before anything is written.
fn in_process() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let dir = tempdir("decide");
    let bodies = requests(&dir);
    let door = Door::open(Options::simulation(doorward::layers::Places::default())).unwrap();
    let mut all = Vec::new();
    let mut by_command = vec![Vec::new(); bodies.len()];
    for round in 0..220 {
        for (body, times) in bodies.iter().zip(&mut by_command) {
            let started = Instant::now();
            runtime.block_on(contract::simulate(&door, body.as_bytes())).unwrap();
            if round >= 20 {
                times.push(started.elapsed());
                all.push(started.elapsed());
            }
        }
    }
    show("decision, warm, in process, no record", &mut all);
    for (command, times) in COMMANDS.iter().zip(&mut by_command) {
        show(&format!("  {command:?}"), times);
    }
    std::fs::remove_dir_all(dir).unwrap();
}

/// The same with a durable record, beside the bare append and `fdatasync` that this disk takes.
fn recorded() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let dir = tempdir("record");
    let bodies = requests(&dir);
    let state = Some(dir.join("state"));
    let door =
        Door::open(Options { state, ..Options::simulation(doorward::layers::Places::default()) }).unwrap();
    let mut bare = std::fs::File::create(dir.join("bare")).unwrap();
    let (mut synced, mut recorded) = (Vec::new(), Vec::new());
    for round in 0..120 {
        for body in &bodies {
            let started = Instant::now();
            bare.write_all(body.as_bytes()).unwrap();
            bare.sync_data().unwrap();
            let bare = started.elapsed();
            let started = Instant::now();
            runtime.block_on(contract::decide(&door, contract::Trust::Local, body.as_bytes())).unwrap();
            if round >= 20 {
                recorded.push(started.elapsed());
                synced.push(bare);
            }
        }
    }
    show("bare append and fdatasync", &mut synced);
    show("decision with its durable record", &mut recorded);
    runtime.block_on(door.close());
    std::fs::remove_dir_all(dir).unwrap();
}

/// Durable records a second, by callers that each wait for their own, as the service's tasks do.
fn appends() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let dir = tempdir("appends");
    let mut bare = std::fs::File::create(dir.join("bare")).unwrap();
    let started = Instant::now();
    let mut synced = 0_u32;
    while started.elapsed() < Duration::from_secs(2) {
        bare.write_all(&[b'x'; 1_024]).unwrap();
        bare.sync_data().unwrap();
        synced += 1;
    }
    println!(
        "bare append of 1 KiB and fdatasync: {:.0}/s",
        f64::from(synced) / started.elapsed().as_secs_f64()
    );
    let log = Arc::new(Log::open(dir.join("ledger"), doorward_ledger::Options::default()).unwrap());
    for callers in [1, 64, 512] {
        let (started, stop) = (Instant::now(), Instant::now() + Duration::from_secs(4));
        let each = runtime.block_on(async {
            let mut tasks = tokio::task::JoinSet::new();
            for caller in 0..callers {
                let (log, entry) = (Arc::clone(&log), entry(caller));
                tasks.spawn(async move {
                    let mut done = 0_u32;
                    while Instant::now() < stop {
                        log.append_entry(entry.clone()).unwrap().await.unwrap();
                        done += 1;
                    }
                    done
                });
            }
            tasks.join_all().await
        });
        let all: u32 = each.into_iter().sum();
        let rate = f64::from(all) / started.elapsed().as_secs_f64();
        println!("{callers:>4} callers, each waits for its record to be durable: {rate:.0}/s");
    }
    log.close();
    std::fs::remove_dir_all(dir).unwrap();
}

/// A decision as long as the published figures have it: 445 bytes.
fn entry(number: u32) -> Entry {
    let text = format!(
        r#"{{"action":"tool:execute","agent":"coder","args_digest":"sha256:{number:064x}","custody":"bound","id":"01{number:024}","kind":"decision","principal":{{"groups":["dev"],"id":"user:ana"}},"reason":"{}","session":"s1","time":"2026-11-21T12:00:00.{:06}Z","v":1,"verdict":"DENY"}}"#,
        "x".repeat(120),
        number % 1_000_000
    );
    Entry::from_canonical(text.into_bytes()).unwrap()
}

/// The hook as a client spawns it, beside a bare spawn of the same program.
fn hooks(binary: &Path) {
    // What `doorward install` writes into a client's configuration, where it stands beside the other.
    let thin = Some(binary.with_file_name("doorward-thin")).filter(|thin| thin.exists());
    let thin = thin.as_deref().unwrap_or(binary);
    println!("the hook is {}", thin.file_name().unwrap().display());
    let dir = tempdir("hook");
    let state = dir.join("state");
    std::fs::create_dir_all(&state).unwrap();

    let mut first = Vec::new();
    for round in 0..10 {
        let state = dir.join(format!("first-{round}"));
        let started = Instant::now();
        let exit = hook(thin, &state, "ls");
        first.push(started.elapsed());
        assert_eq!(exit, 0, "the first call is answered");
        stop_started(&state, binary);
    }
    show("first call, which starts the service", &mut first);

    let mut service = serve(binary, &state);
    for busy in [false, true] {
        let stop = Arc::new(AtomicBool::new(false));
        let load: Vec<_> = (0..if busy { 2 } else { 0 })
            .map(|_| {
                let stop = Arc::clone(&stop);
                std::thread::spawn(move || {
                    let mut value = 0_u64;
                    while !stop.load(Ordering::Relaxed) {
                        value = std::hint::black_box(value.wrapping_mul(31).wrapping_add(7));
                    }
                })
            })
            .collect();
        let (mut bare, mut asked) = (Vec::new(), Vec::new());
        for _ in 0..400 {
            let started = Instant::now();
            // Ends before it reads anything: what any spawn of this program costs.
            Command::new(thin)
                .args(["hook", "nobody"])
                .stdin(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .unwrap();
            bare.push(started.elapsed());
            let started = Instant::now();
            hook(thin, &state, "git status && ls -la");
            asked.push(started.elapsed());
        }
        stop.store(true, Ordering::Relaxed);
        load.into_iter().for_each(|thread| thread.join().unwrap());
        let beside = if busy { "beside two busy threads" } else { "idle" };
        show(&format!("bare spawn, {beside}"), &mut bare);
        show(&format!("hook, service running, {beside}"), &mut asked);
        let added = quantile(&asked, 0.5).saturating_sub(quantile(&bare, 0.5));
        println!("  added p50: {:.2} ms", added.as_secs_f64() * 1e3);
    }
    service.kill().unwrap();
    service.wait().unwrap();
    let mut starts = Vec::new();
    for round in 0..10 {
        let started = Instant::now();
        let mut service = serve(binary, &dir.join(format!("start-{round}")));
        starts.push(started.elapsed());
        service.kill().unwrap();
        service.wait().unwrap();
    }
    show("service start-up until it answers", &mut starts);
    std::fs::remove_dir_all(dir).unwrap();
}

/// A session of 200 calls with a user's allow rules: who is asked how often.
///
/// What the client asks by itself is modelled, as its documentation says: file reads in the project pass, a command
/// passes if every part between operators starts with an allow rule or with one of its own read-only programs.
fn prompts() {
    const ALLOW: &[&str] = &["cargo test", "cargo build", "git add", "git commit"];
    const OWN: &[&str] =
        &["ls", "cat", "echo", "pwd", "head", "tail", "wc", "which", "git status", "git diff", "git log"];
    const SESSION: &[&str] = &[
        "git status",
        "git diff",
        "git log --oneline -5",
        "ls -la src",
        "cat src/main.rs",
        "cargo test",
        "cargo build",
        "grep -rn 'fn main' src",
        "rg -n TODO src | head -20",
        "find . -name '*.rs'",
        "sed -n '1,40p' src/main.rs",
        "wc -l src/*.rs && git status",
        "git show HEAD --stat",
        "cargo --version && rustc --version",
        "git diff HEAD~1 -- src | head -100",
        "tree -L 2",
        "du -sh src",
        "stat Cargo.toml",
        "diff src/a.rs src/b.rs",
        "awk '{print $1}' notes.txt",
        "sort notes.txt | uniq -c",
        "jq .name package.json",
        "file target/debug/x",
        "git branch -a",
        "git blame src/main.rs | head",
        "git commit -m 'Fix'",
        "git add -A",
        "mkdir -p out",
        "touch out/x",
        "mv out/x out/y",
        "npm install",
        "rm -rf target",
        "git push",
        "sed -i 's/a/b/' src/main.rs",
        "curl -s https://example.com",
        "python3 scripts/gen.py",
        "git stash",
        "cargo fmt",
        "cargo clippy",
        "ps aux | grep cargo",
    ];
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let dir = tempdir("prompts");
    let project = dir.join("project");
    for file in [
        "src/main.rs",
        "src/a.rs",
        "src/b.rs",
        "notes.txt",
        "package.json",
        "Cargo.toml",
        "scripts/gen.py",
        "target/debug/x",
    ] {
        let file = project.join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, "x = 1\n").unwrap();
    }
    let user = dir.join("doorward.toml");
    let rules: Vec<String> = ALLOW.iter().map(|rule| format!("\"shell({rule} *)\"")).collect();
    std::fs::write(&user, format!("[rules]\nallow = [{}]\n", rules.join(", "))).unwrap();
    let places = doorward::layers::Places { user: Some(user), admin: None };
    let door = Door::open(Options::simulation(places)).unwrap();
    let (mut alone, mut relieved, mut added) = (0, 0, 0);
    for number in 0..200 {
        let command = SESSION[number % SESSION.len()];
        let parts = command.split(['&', '|', ';']).map(str::trim).filter(|part| !part.is_empty());
        let asks = !parts.clone().all(|part| {
            ALLOW.iter().chain(OWN).any(|rule| part == *rule || part.starts_with(&format!("{rule} ")))
        });
        let body = json!({"principal": {"id": "bench"}, "action": "tool:execute",
            "resource": {"type": "tool", "name": "shell:execute", "attributes": {"args": {"command": command}}},
            "context": {"cwd": project, "roots": [project], "session_id": format!("p{number}")}})
        .to_string();
        let judged = runtime.block_on(contract::simulate(&door, body.as_bytes())).unwrap();
        let judged = judged.judged();
        let proven = judged.inspected().effects.read_only
            && judged.inspected().risk == doorward::rooms::core::SecurityRisk::Low;
        let by_rule = judged.decision().verdict == doorward::rooms::core::Verdict::Allow
            && judged.decision().basis == doorward::rooms::core::Basis::Rule;
        let ours = judged.decision().verdict != doorward::rooms::core::Verdict::Allow
            && judged.decision().basis != doorward::rooms::core::Basis::Mode;
        alone += usize::from(asks);
        relieved += usize::from(ours || (asks && !proven && !by_rule));
        added += usize::from(ours && !asks);
    }
    println!(
        "200-call session with four allow rules: the client alone asks {alone} times (modelled), \
         with Doorward and relieve = \"proven\" {relieved}; {added} of these are new"
    );
    std::fs::remove_dir_all(dir).unwrap();
}

fn serve(binary: &Path, state: &Path) -> Child {
    let child = Command::new(binary)
        .args(["serve", "--port", "0", "--state"])
        .arg(state)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let until = Instant::now() + Duration::from_secs(10);
    while std::os::unix::net::UnixStream::connect(state.join("doorward.sock")).is_err() {
        assert!(Instant::now() < until, "no service");
        std::thread::sleep(Duration::from_micros(200));
    }
    child
}

fn hook(binary: &Path, state: &Path, command: &str) -> i32 {
    let event = json!({"session_id": "bench", "hook_event_name": "PreToolUse", "cwd": state.parent(), "permission_mode": "default",
        "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t"});
    let mut child = Command::new(binary)
        .args(["hook", "claude-code", "--state"])
        .arg(state)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(event.to_string().as_bytes()).unwrap();
    child.wait().unwrap().code().unwrap_or(-1)
}

/// Ends a service that a hook started here: the process whose number it wrote, if it is this binary.
fn stop_started(state: &Path, binary: &Path) {
    let Ok(pid) = std::fs::read_to_string(state.join("service.pid")) else { return };
    let pid = pid.trim();
    if std::fs::read_link(format!("/proc/{pid}/exe"))
        .is_ok_and(|exe| exe == std::fs::canonicalize(binary).unwrap())
    {
        Command::new("kill").arg(pid).status().unwrap();
    }
}

fn tempdir(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("doorward-bench-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

fn quantile(times: &[Duration], at: f64) -> Duration {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "an index"
    )]
    let index = ((times.len() - 1) as f64 * at).round() as usize;
    times[index]
}

fn show(what: &str, times: &mut [Duration]) {
    times.sort();
    let micros = |at| quantile(times, at).as_secs_f64() * 1e6;
    println!(
        "{what}: min {:.0} µs, p50 {:.0} µs, p99 {:.0} µs ({} runs)",
        micros(0.0),
        micros(0.5),
        micros(0.99),
        times.len()
    );
}
