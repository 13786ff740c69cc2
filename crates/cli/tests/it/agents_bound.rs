//! Real agents whose shell calls are bound: ordinary work goes through, and what isn't allowed fails from inside.

use std::path::Path;
use std::process::Command;

use crate::support::agents::{codex_config, finish, quiet};
use crate::support::model::{Model, Wire};
use crate::support::{Bench, DOORWARD, lacking, npm_program, run};
use serde_json::{Value, json};

/// Everything may be tried; the bounds are what is tested.
const CONFIG: &str = "[sandbox]\nmemory_mb = 1024\nwall_s = 120\n";

/// The attempts that must fail from inside, and what would show that one didn't.
struct Attempts {
    outside: std::path::PathBuf,
    listener: std::net::TcpListener,
    service: String,
}

impl Attempts {
    fn new(bench: &Bench) -> Self {
        let outside = bench.file("outside");
        std::fs::write(&outside, "precious\n").unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let service = std::fs::read_to_string(bench.state().join("service.pid")).unwrap().trim().to_owned();
        let port = listener.local_addr().unwrap().port();
        let script = format!(
            "for what in 'echo x > {0}' 'cat {0}' 'exec 3<>/dev/tcp/127.0.0.1/{port}' 'kill -9 {service}' \
             'cat {1}/token' 'touch .git/hooks/pre-commit'; do\n\
             if bash -c \"$what\" >/dev/null 2>&1; then echo \"open: $what\"; else echo closed; fi\ndone\n\
             python3 -c 'x = bytearray(3 << 30)'\n",
            outside.display(),
            bench.state().display()
        );
        std::fs::write(bench.project().join("try.sh"), script).unwrap();
        Self { outside, listener, service }
    }

    fn all_failed(&self, bench: &Bench) {
        assert_eq!(std::fs::read_to_string(&self.outside).unwrap(), "precious\n");
        self.listener.set_nonblocking(true).unwrap();
        assert!(self.listener.accept().is_err(), "somebody came through");
        assert!(Path::new("/proc").join(&self.service).exists(), "the service was killed\n{}", bench.log());
        assert!(!bench.project().join(".git/hooks/pre-commit").exists());
    }
}

/// Small enough to build anywhere, and real: edit, build, test, commit.
fn work(bench: &Bench) -> Vec<&'static str> {
    let project = bench.project();
    std::fs::write(project.join("add.py"), "def add(a, b):\n    return a - b\n").unwrap();
    std::fs::write(
        project.join("test_add.py"),
        "import unittest\nfrom add import add\nclass T(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(add(1, 2), 3)\n",
    )
    .unwrap();
    let git = |words: &[&str]| run(Command::new("git").arg("-C").arg(&project).args(words));
    git(&["config", "user.email", "a@example.com"]);
    git(&["config", "user.name", "A"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "before"]);
    vec![
        "sed -i 's/a - b/a + b/' add.py",
        "python3 -m unittest -q test_add",
        "git add add.py && git commit -q -m fixed && git log --oneline",
        "pwd",
        "bash try.sh",
    ]
}

fn served(config: &str) -> Bench {
    let mut bench = Bench::new(config);
    bench.serve();
    bench
}

fn check(bench: &mut Bench, attempts: &Attempts, results: &[String], output: &std::process::Output) {
    let shown = format!(
        "{results:#?}\n{}\n{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
        bench.log()
    );
    assert!(results.len() >= 5, "{shown}");
    assert!(std::fs::read_to_string(bench.project().join("add.py")).unwrap().contains("a + b"), "{shown}");
    assert!(results[2].contains("fixed"), "{shown}");
    assert!(results[3].contains(bench.project().to_str().unwrap()), "{shown}");
    assert_eq!(results[4].matches("closed").count(), 6, "{shown}");
    assert!(results[4].contains("sandbox.memory") && !results[4].contains("open:"), "{shown}");
    attempts.all_failed(bench);
    bench.stop_service();
    let entries = bench.ledger();
    let bound: Vec<&Value> =
        entries.iter().filter(|entry| entry["kind"] == "decision" && entry["tool"] != "").collect();
    let shell = bound.iter().filter(|entry| entry["resource"]["name"] == "shell:execute");
    assert!(shell.clone().all(|entry| entry["custody"] == "bound"), "{bound:#?}");
    assert!(shell.count() >= 5, "{bound:#?}");
    let ran = entries
        .iter()
        .filter(|entry| entry["kind"] == "outcome" && entry["detail"]["tier"] == "full")
        .count();
    assert_eq!(ran, 5, "{entries:#?}");
    let (code, text) = bench.doorward(&["audit", "verify", "--state", bench.state().to_str().unwrap()]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn a_bound_claude_code_works_and_stays_inside() {
    let Some(claude) = npm_program("claude") else {
        return lacking(
            "a_bound_claude_code_works_and_stays_inside",
            "npm package @anthropic-ai/claude-code",
        );
    };
    let mut bench = served(&format!("[hooks]\nshell = \"bind\"\n{CONFIG}"));
    let settings = bench.file("settings.json");
    let state = bench.state().display().to_string();
    let (code, text) = bench.doorward(&[
        "install",
        "claude-code",
        "--in-place",
        "--file",
        settings.to_str().unwrap(),
        "--state",
        &state,
    ]);
    assert_eq!(code, 0, "{text}");
    let attempts = Attempts::new(&bench);
    let calls = work(&bench)
        .into_iter()
        .map(|command| ("Bash".to_owned(), json!({"command": command, "description": "x"})))
        .collect();
    let model = Model::asking(Wire::Anthropic, calls);
    let mut command = quiet(&claude, &bench, &model);
    command
        .args(["-p", "please run it", "--output-format", "json", "--permission-mode", "bypassPermissions"])
        .arg("--settings")
        .arg(&settings);
    let output = finish(command, "claude");
    check(&mut bench, &attempts, &model.results(), &output);
}

#[test]
fn a_bound_codex_works_and_stays_inside() {
    let Some(codex) = npm_program("codex") else {
        return lacking("a_bound_codex_works_and_stays_inside", "npm package @openai/codex");
    };
    let mut bench = served(&format!("[hooks]\nshell = \"bind\"\n{CONFIG}"));
    let config = bench.home().join(".codex");
    std::fs::create_dir_all(&config).unwrap();
    let attempts = Attempts::new(&bench);
    let calls = work(&bench)
        .into_iter()
        .map(|command| ("exec_command".to_owned(), json!({"cmd": command, "yield_time_ms": 30_000})))
        .collect();
    let model = Model::asking(Wire::Responses, calls);
    std::fs::write(config.join("config.toml"), codex_config(&model)).unwrap();
    let mut install = quiet(Path::new(DOORWARD), &bench, &model);
    install.args(["install", "codex", "--in-place", "--file"]).arg(config.join("hooks.json"));
    install.arg("--state").arg(bench.state()).arg("--trust").arg(&codex);
    let installed = finish(install, "install");
    assert!(installed.status.success(), "{}", String::from_utf8_lossy(&installed.stderr));
    let mut command = quiet(&codex, &bench, &model);
    command.args([
        "exec",
        "--json",
        "--skip-git-repo-check",
        "--dangerously-bypass-approvals-and-sandbox",
        "go",
    ]);
    let output = finish(command, "codex");
    check(&mut bench, &attempts, &model.results(), &output);
}

/// A guarded agent: nothing in the settings binds it, the guard does.
fn guarded(bench: &Bench, model: &Model, agent: &Path, words: &[&str]) -> std::process::Output {
    let mut command = quiet(Path::new(DOORWARD), bench, model);
    command.args(["guard", "--state"]).arg(bench.state()).arg("--").arg(agent).args(words);
    finish(command, "guard")
}

fn was_enclosed(bench: &Bench) {
    let entries = bench.ledger();
    let start = entries.iter().filter(|entry| entry["kind"] == "start" && entry["posture"] == "enclosed");
    assert_eq!(start.count(), 1, "{entries:#?}");
}

#[test]
fn a_guarded_claude_code_works_and_stays_inside() {
    let Some(claude) = npm_program("claude") else {
        return lacking(
            "a_guarded_claude_code_works_and_stays_inside",
            "npm package @anthropic-ai/claude-code",
        );
    };
    let mut bench = served(CONFIG);
    let attempts = Attempts::new(&bench);
    let mut calls: Vec<(String, Value)> = work(&bench)
        .into_iter()
        .map(|command| ("Bash".to_owned(), json!({"command": command, "description": "x"})))
        .collect();
    // Its own tools run in its own process, which is inside too.
    let read = |path: &Path| ("Read".to_owned(), json!({"file_path": path}));
    calls.extend([read(&attempts.outside), read(&bench.state().join("token"))]);
    calls.push(("Read".to_owned(), json!({"file_path": bench.project().join("add.py")})));
    let model = Model::asking(Wire::Anthropic, calls);
    let words = ["-p", "go", "--output-format", "json", "--permission-mode", "bypassPermissions"];
    let output = guarded(&bench, &model, &claude, &words);
    let results = model.results();
    check(&mut bench, &attempts, &results, &output);
    was_enclosed(&bench);
    assert_eq!(results.len(), 8, "{results:#?}");
    let token = std::fs::read_to_string(bench.state().join("token")).unwrap();
    assert!(!results[5].contains("precious") && !results[6].contains(token.trim()), "{results:#?}");
    assert!(results[7].contains("a + b"), "{results:#?}");
    // Of what it wrote into its copy, nothing is kept that isn't its login or that it was set up.
    let kept: Vec<String> = std::fs::read_dir(bench.home().join(".claude"))
        .map(|found| found.flatten().map(|one| one.file_name().to_string_lossy().into_owned()).collect())
        .unwrap_or_default();
    assert!(kept.iter().all(|name| name == ".claude.json"), "{kept:?}");
    let text = std::fs::read_to_string(bench.home().join(".claude/.claude.json")).unwrap_or_default();
    let members: Value = serde_json::from_str(if text.is_empty() { "{}" } else { &text }).unwrap();
    let login = ["hasCompletedOnboarding", "lastOnboardingVersion", "oauthAccount", "theme", "userID"];
    assert!(members.as_object().unwrap().keys().all(|name| login.contains(&name.as_str())), "{text}");
}

#[test]
fn a_guarded_codex_works_and_stays_inside() {
    let Some(codex) = npm_program("codex") else {
        return lacking("a_guarded_codex_works_and_stays_inside", "npm package @openai/codex");
    };
    let mut bench = served(CONFIG);
    let attempts = Attempts::new(&bench);
    let calls = work(&bench)
        .into_iter()
        .map(|command| ("exec_command".to_owned(), json!({"cmd": command, "yield_time_ms": 30_000})))
        .collect();
    let model = Model::asking(Wire::Responses, calls);
    let config = bench.home().join(".codex");
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(config.join("config.toml"), codex_config(&model)).unwrap();
    let words =
        ["exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "go"];
    let output = guarded(&bench, &model, &codex, &words);
    check(&mut bench, &attempts, &model.results(), &output);
    was_enclosed(&bench);
    let left = std::fs::read_dir(&config).unwrap().count();
    assert_eq!(left, 1, "its own configuration is left alone");
}
