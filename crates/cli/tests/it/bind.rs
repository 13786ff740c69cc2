//! Bound shell calls, without a real agent: what a ticket lets run, what it doesn't, and what holds what runs.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::support;
use crate::support::{Bench, DOORWARD, THIN};
use serde_json::{Value, json};

/// `hooks.shell = "bind"`, with yeses to the programs these tests run.
const BIND: &str = "[hooks]\nshell = \"bind\"\n[rules]\nallow = [\"shell(bash *)\", \"shell(python3 *)\", \"shell(sleep *)\", \"shell(touch *)\"]\n";

/// A running service and a client: a copy of the shell, under another name, in the project's folder. What it is told
/// runs below it, as an agent's hooks and commands do.
struct Setup {
    bench: Bench,
    client: Child,
    lines: ChildStdin,
    scripts: AtomicUsize,
}

/// `None`, said loudly, where the full tier can't be had.
fn bound(test: &str, config: &str) -> Option<Setup> {
    let offer = Command::new(DOORWARD).args(["sandbox", "offer"]).output().unwrap();
    let offer = String::from_utf8_lossy(&offer.stdout).into_owned();
    if !offer.contains("best tier: full") {
        support::lacking(test, &format!("the full tier of the sandbox ({offer})"));
        return None;
    }
    let mut bench = Bench::new(config);
    bench.serve();
    let program = bench.file("client");
    std::fs::copy("/bin/bash", &program).unwrap();
    let mut command = Command::new(&program);
    command
        .args(["-c", "while read -r script; do /bin/bash \"$script\" & done; wait"])
        .current_dir(bench.project())
        .stdin(Stdio::piped());
    // A test beside this one that forks while the copy is written holds it open for writing until it executes.
    let mut client = loop {
        match command.spawn() {
            Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            spawned => break spawned.unwrap(),
        }
    };
    let lines = client.stdin.take().unwrap();
    Some(Setup { bench, client, lines, scripts: AtomicUsize::new(0) })
}

impl Drop for Setup {
    fn drop(&mut self) {
        self.client.kill().unwrap();
        self.client.wait().unwrap();
    }
}

impl Setup {
    fn project(&self) -> PathBuf {
        self.bench.project()
    }

    /// Starts a script below the client; the stem of the files that its output goes to.
    fn start(&self, script: &str, cwd: &Path) -> PathBuf {
        let file = self.bench.file(&format!("script-{}", self.scripts.fetch_add(1, Ordering::Relaxed)));
        let name = file.display();
        let text = format!(
            "cd {}\n( {script}\n) > {name}.out 2> {name}.err < /dev/null &\necho $! > {name}.pid\nwait $!\n\
             echo $? > {name}.tmp && mv {name}.tmp {name}.code\n",
            cwd.display()
        );
        std::fs::write(&file, text).unwrap();
        writeln!(&self.lines, "{name}").unwrap();
        file
    }

    fn end(&self, script: &Path) -> (i32, String, String) {
        let read = |what: &str| std::fs::read_to_string(script.with_extension(what)).ok();
        let code = self.until("a script never ended", || read("code"));
        (code.trim().parse().unwrap(), read("out").unwrap(), read("err").unwrap())
    }

    fn shell(&self, text: &str, cwd: &Path) -> (i32, String, String) {
        self.end(&self.start(text, cwd))
    }

    fn hook(&self, name: &str, command: &str, mode: &str) -> String {
        let file = self.bench.file(&format!("event-{}", self.scripts.fetch_add(1, Ordering::Relaxed)));
        std::fs::write(&file, event(name, command, &self.project(), mode)).unwrap();
        let state = self.bench.state();
        let script = format!("{THIN} hook claude-code --state {} < {}", state.display(), file.display());
        let (code, out, err) = self.shell(&script, &self.project());
        assert_eq!(code, 0, "{out}{err}{}", self.bench.log());
        out
    }

    /// What the hook answers to a shell call.
    fn answer(&self, command: &str, mode: &str) -> Value {
        let out = self.hook("PreToolUse", command, mode);
        let answer = serde_json::from_str::<Value>(&out);
        answer.unwrap_or_else(|_| panic!("{command}: {out:?}\n{}", self.bench.log()))["hookSpecificOutput"]
            .clone()
    }

    /// The command that stands for `command`.
    fn ticket(&self, command: &str) -> String {
        let answer = self.answer(command, "bypassPermissions");
        assert_eq!(answer["permissionDecision"], "allow", "{answer}");
        assert_eq!(answer["updatedInput"]["description"], "x", "everything else stays as it was");
        answer["updatedInput"]["command"].as_str().unwrap().to_owned()
    }

    fn run(&self, command: &str) -> (i32, String, String) {
        self.shell(&self.ticket(command), &self.project())
    }

    fn outcomes(&self) -> Vec<Value> {
        self.bench.ledger().into_iter().filter(|entry| entry["kind"] == "outcome").collect()
    }

    /// Waits until something holds.
    fn until<T>(&self, what: &str, mut holds: impl FnMut() -> Option<T>) -> T {
        let end = Instant::now() + Duration::from_secs(120);
        loop {
            if let Some(found) = holds() {
                return found;
            }
            assert!(Instant::now() < end, "{what}\n{}", self.bench.log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn event(name: &str, command: &str, cwd: &Path, mode: &str) -> String {
    json!({"session_id": "s1", "transcript_path": "/t", "cwd": cwd, "hook_event_name": name, "permission_mode": mode,
        "tool_name": "Bash", "tool_input": {"command": command, "description": "x"}, "tool_use_id": "toolu_1"})
    .to_string()
}

#[test]
fn a_bound_call_runs_once_as_it_was_judged() {
    let Some(mut setup) = bound("a_bound_call_runs_once_as_it_was_judged", BIND) else { return };
    let text = setup.ticket("bash -c 'echo out; echo err >&2; touch made; exit 3'");
    assert!(text.starts_with(&format!("{THIN} exec ")), "{text}");
    let first = setup.shell(&text, &setup.project());
    assert_eq!(first, (3, "out\n".to_owned(), "err\n".to_owned()), "{}", setup.bench.log());
    assert!(setup.project().join("made").exists());
    let (code, out, err) = setup.shell(&text, &setup.project());
    assert_eq!((code, out.as_str()), (125, ""));
    assert!(err.contains("ticket.used"), "{err}");
    setup.bench.stop_service();
    let entries = setup.bench.ledger();
    let decision = entries.iter().find(|entry| entry["kind"] == "decision").unwrap();
    assert_eq!(
        (&decision["custody"], &decision["verdict"]),
        (&json!("bound"), &json!("ALLOW")),
        "{decision}"
    );
    let outcomes: Vec<&Value> = entries.iter().filter(|entry| entry["kind"] == "outcome").collect();
    assert_eq!(outcomes.len(), 1, "{outcomes:?}");
    assert_eq!(
        (&outcomes[0]["outcome"], &outcomes[0]["exit"]),
        (&json!("failed"), &json!(3)),
        "{}",
        outcomes[0]
    );
    assert_eq!(outcomes[0]["detail"]["tier"], "full", "{}", outcomes[0]);
}

#[test]
fn forged_altered_moved_and_foreign_tickets_run_nothing() {
    let Some(setup) = bound("forged_altered_moved_and_foreign_tickets_run_nothing", BIND) else { return };
    let state = setup.bench.state().display().to_string();
    let refused = |text: &str, cwd: &Path, code: &str| {
        let (exit, out, err) = setup.shell(text, cwd);
        assert_eq!((exit, out.as_str()), (125, ""), "{text}: {err}");
        assert!(err.contains(code), "{text}: {err}");
        assert!(!setup.project().join("made").exists(), "{text}: ran");
    };
    let project = setup.project();
    for program in [DOORWARD, THIN] {
        let exec = format!("{program} exec --state {state}");
        refused(&format!("{exec} {}", "0".repeat(32)), &project, "ticket.unknown");
    }
    refused(&format!("{DOORWARD} exec --state {state} not-a-ticket"), &project, "exec.usage");

    // Another command beside the ticket uses it up.
    let text = setup.ticket("touch made");
    let altered = text.replace("'touch made'", "'touch other'");
    assert_ne!(altered, text);
    refused(&altered, &project, "ticket.altered");
    refused(&text, &project, "ticket.used");

    // Judged for this folder, run in another.
    let text = setup.ticket("touch made");
    refused(&text, &setup.bench.home(), "ticket.folder");

    // Given to one client, presented by a process that isn't below it.
    let text = setup.ticket("touch made");
    let output = Command::new("bash").args(["-c", &text]).current_dir(&project).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(125) && err.contains("ticket.foreign"), "{err}");
    assert!(!project.join("made").exists());
    assert_eq!(setup.shell(&text, &project).0, 0, "a stranger doesn't use it up");
    std::fs::remove_file(project.join("made")).unwrap();

    // A service that isn't there runs nothing either.
    let text =
        format!("{DOORWARD} exec --state {} {} 'touch made'", setup.bench.home().display(), "0".repeat(32));
    refused(&text, &project, "service.unavailable");
}

#[test]
fn of_many_presentations_at_once_one_runs() {
    let Some(setup) = bound("of_many_presentations_at_once_one_runs", BIND) else { return };
    let text = setup.ticket("bash -c 'echo ran >> count; sleep 0.2'");
    let runs: Vec<PathBuf> = (0..8).map(|_| setup.start(&text, &setup.project())).collect();
    let codes: Vec<i32> = runs.iter().map(|run| setup.end(run).0).collect();
    assert_eq!(codes.iter().filter(|code| **code == 0).count(), 1, "{codes:?}");
    assert_eq!(codes.iter().filter(|code| **code == 125).count(), 7, "{codes:?}");
    assert_eq!(std::fs::read_to_string(setup.project().join("count")).unwrap(), "ran\n");
}

#[test]
fn the_end_of_the_client_is_the_end_of_the_run() {
    let Some(mut setup) = bound("the_end_of_the_client_is_the_end_of_the_run", BIND) else { return };
    let text = setup.ticket("bash -c 'touch began; trap \"\" TERM; sleep 600; touch late'");
    let run = setup.start(&format!("exec {text}"), &setup.project());
    setup.until("the run never began", || setup.project().join("began").exists().then_some(()));
    let pid = std::fs::read_to_string(run.with_extension("pid")).unwrap();
    support::run(Command::new("kill").args(["-9", pid.trim()]));
    let outcome = setup.until("no outcome", || setup.outcomes().into_iter().next());
    assert_eq!(outcome["outcome"], "killed", "{outcome}");
    assert!(!setup.project().join("late").exists());
    setup.bench.stop_service();
}

#[test]
fn the_shell_follows_the_folder_and_input_arrives() {
    let Some(setup) = bound("the_shell_follows_the_folder_and_input_arrives", BIND) else { return };
    std::fs::create_dir(setup.project().join("below")).unwrap();
    // As Claude Code runs it: what its shell ends in is where the next call starts.
    let text = setup.ticket("cd below");
    let as_claude = format!("eval '{}' < /dev/null && pwd -P", text.replace('\'', r"'\''"));
    let (code, out, err) = setup.shell(&as_claude, &setup.project());
    assert_eq!((code, out.trim()), (0, setup.project().join("below").to_str().unwrap()), "{err}");
    // A failed command moves nobody, and its code arrives.
    let text = setup.ticket("cd below && bash -c 'exit 7'");
    assert_eq!(setup.shell(&text, &setup.project()).0, 7);

    let text = setup.ticket("bash -c 'read line; echo \"got $line\"'");
    let (_, out, _) = setup.shell(&format!("echo hello | {text}"), &setup.project());
    assert_eq!(out, "got hello\n");
}

#[test]
fn what_runs_stays_inside() {
    let config = format!("{BIND}[sandbox]\nmemory_mb = 256\nwall_s = 20\n");
    let Some(mut setup) = bound("what_runs_stays_inside", &config) else { return };
    let outside = setup.bench.file("outside");
    std::fs::write(&outside, "precious\n").unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let service = std::fs::read_to_string(setup.bench.state().join("service.pid")).unwrap();
    let tries = format!(
        "echo x > {0}\ncat {0}\nexec 3<>/dev/tcp/127.0.0.1/{port}\nkill -9 {1}\ncat {2}/token\n\
         touch .git/hooks/pre-commit\n",
        outside.display(),
        service.trim(),
        setup.bench.state().display()
    );
    std::fs::write(setup.project().join("tries.txt"), tries).unwrap();
    let script = "import subprocess\n\
                  for line in open('tries.txt'):\n    \
                  ran = subprocess.run(['bash', '-c', line], capture_output=True)\n    \
                  print('closed' if ran.returncode else 'open: ' + line)\n";
    std::fs::write(setup.project().join("try.py"), script).unwrap();
    // The analysis can't tell what it runs, and this mode lets it: it is held inside all the same.
    let (code, out, err) = setup.run("python3 try.py");
    assert_eq!((code, out.as_str()), (0, "closed\n".repeat(6).as_str()), "{err}");
    assert_eq!(std::fs::read_to_string(&outside).unwrap(), "precious\n");
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_ok(), "the listener was there");

    // A limit ends it, and says which.
    let (code, _, err) = setup.run("python3 -c 'x = bytearray(600 * 1024 * 1024); print(len(x))'");
    assert!(code != 0 && err.contains("memory"), "{code}: {err}");
    let (code, out, _) = setup.run("cat try.py | wc -l");
    assert_eq!((code, out.trim()), (0, "4"), "the service lives and goes on");
    setup.bench.stop_service();
    let limit = setup.outcomes().into_iter().find(|entry| entry["outcome"] == "killed");
    assert_eq!(limit.expect("a killed run")["limits_hit"][0], "memory");
}

#[test]
fn a_call_proved_to_read_only_can_only_read_and_secrets_are_masked() {
    let Some(setup) = bound("a_call_proved_to_read_only_can_only_read_and_secrets_are_masked", BIND) else {
        return;
    };
    let token = format!("ghp_{}", "16C7e42F292c6912E7710c838347Ae178B4a");
    std::fs::write(setup.project().join("notes.txt"), format!("forty-two\ntoken {token}\n")).unwrap();
    let (code, out, err) = setup.run("cat notes.txt");
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("forty-two") && !out.contains(&token), "{out}");
}

#[test]
fn calls_of_one_session_share_a_tmp_of_their_own() {
    let Some(setup) = bound("calls_of_one_session_share_a_tmp_of_their_own", BIND) else { return };
    let note = format!("/tmp/note-{}", std::process::id());
    let (code, out, err) = setup.run(&format!("echo kept > {note}"));
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""), "{}", setup.bench.log());
    assert_eq!(setup.run(&format!("cat {note}")).1, "kept\n", "{}", setup.bench.log());
    assert!(!Path::new(&note).exists(), "it isn't the machine's");
}

#[test]
fn the_clients_own_rules_hold_for_what_was_written() {
    let Some(setup) = bound("the_clients_own_rules_hold_for_what_was_written", BIND) else { return };
    let folder = setup.project().join(".claude");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(
        folder.join("settings.local.json"),
        r#"{"permissions": {"deny": ["Bash(touch made:*)"]}}"#,
    )
    .unwrap();
    let denied = setup.answer("touch made", "bypassPermissions");
    assert_eq!(denied["permissionDecision"], "deny", "{denied}");
    let (_, out, _) = setup.run("touch other && echo yes");
    assert_eq!(out, "yes\n");
}

#[test]
fn what_the_client_asks_itself_runs_on_its_yes_and_never_past_the_gate() {
    let Some(mut setup) = bound(
        "what_the_client_asks_itself_runs_on_its_yes_and_never_past_the_gate",
        "[hooks]\nshell = \"bind\"\n",
    ) else {
        return;
    };
    // Asked about by the mode: the client's dialog, which names the command, with the ticket in its hands.
    let asked = setup.answer("touch made", "default");
    assert_eq!(asked["permissionDecision"], "ask", "{asked}");
    assert!(asked["permissionDecisionReason"].as_str().unwrap().ends_with(": touch made"), "{asked}");
    let text = asked["updatedInput"]["command"].as_str().unwrap().to_owned();
    let permission = |command: &str| setup.hook("PermissionRequest", command, "default");
    assert_eq!(permission(&text), "", "its own dialog decides");
    assert!(permission("touch made").contains("ticket.missing"), "a call that came past the gate");
    let (code, _, err) = setup.shell(&text, &setup.project());
    assert_eq!(code, 0, "{err}{}", setup.bench.log());
    assert!(setup.project().join("made").exists());
    setup.bench.stop_service();
    let entries = setup.bench.ledger();
    let yes =
        entries.iter().find(|entry| entry["kind"] == "decision" && entry["verdict"] == "ALLOW").unwrap();
    assert_eq!(yes["user"]["presence"], "client_dialog", "{yes}");
    let ran = entries.iter().filter(|entry| entry["kind"] == "outcome" && entry["outcome"] == "ran").count();
    assert_eq!(ran, 1);
}

/// Rules for the programs of the tests below, and a host to be reached, so that there is a proxy.
const EVERYDAY: &str = "[hooks]\nshell = \"bind\"\n[egress]\nallow = [\"reachable.example\"]\n[rules]\nallow = [\"shell(own-tool *)\", \
                        \"shell(python3 *)\", \"shell(git *)\", \"shell(bash *)\"]\n";

/// `doorward run`, in its own process and through the service: exit code and everything it said.
fn both_ways(bench: &mut Bench, path: &str, command: &str) -> [(i32, String); 2] {
    let run = |bench: &Bench, options: &[&str]| {
        let output = Command::new(DOORWARD)
            .args(["run", "--state"])
            .arg(bench.state())
            .args(options)
            .args(["--", command])
            .current_dir(bench.project())
            .env("PATH", path)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&text).into_owned())
    };
    let here = run(bench, &["--wall", "1m"]);
    bench.serve();
    let served = run(bench, &[]);
    bench.stop_service();
    [here, served]
}

#[test]
fn one_command_has_one_view_at_a_terminal_and_through_the_service() {
    let Some(setup) = bound("one_command_has_one_view_at_a_terminal_and_through_the_service", "") else {
        return;
    };
    let path = std::env::var("PATH").unwrap();
    drop(setup);
    let mut bench = Bench::new(EVERYDAY);
    let place = bench.file("tools/own");
    for (name, text) in
        [("bin/own-tool", "#!/bin/sh\ncat \"${0%/bin/*}/lib/said\"\n"), ("lib/said", "from its lib\n")]
    {
        let file = place.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        support::run(Command::new("chmod").arg("755").arg(&file));
    }
    let path = format!("{}:{path}", place.join("bin").display());
    for (exit, text) in both_ways(&mut bench, &path, "own-tool") {
        assert_eq!((exit, text.as_str()), (0, "from its lib\n"), "{}", bench.log());
    }
    for (exit, text) in both_ways(&mut bench, &path, "git config x.y z") {
        assert!(exit != 0 && text.contains("nothing was written to .git/config"), "{exit}: {text}");
    }
}

#[test]
fn a_server_and_its_client_in_one_run_find_each_other() {
    let Some(setup) = bound("a_server_and_its_client_in_one_run_find_each_other", "") else { return };
    drop(setup);
    // Opening a port is asked about in the mode's name, and no rule for a program covers it.
    let mut bench = Bench::new(&format!("{EVERYDAY}[confirm]\npolicy = {{ kind = \"NeverConfirm\" }}\n"));
    let script = "import http.server, threading, urllib.request\n\
                  server = http.server.HTTPServer(('127.0.0.1', 0), http.server.SimpleHTTPRequestHandler)\n\
                  threading.Thread(target=server.serve_forever, daemon=True).start()\n\
                  for host in ['localhost', '127.0.0.1']:\n    \
                  print(urllib.request.urlopen(f'http://{host}:{server.server_port}/pong').read().decode())\n";
    std::fs::write(bench.project().join("talk.py"), script).unwrap();
    std::fs::write(bench.project().join("pong"), "pong").unwrap();
    let path = std::env::var("PATH").unwrap();
    for (exit, text) in both_ways(&mut bench, &path, "python3 talk.py 2>/dev/null") {
        assert_eq!((exit, text.as_str()), (0, "pong\npong\n"), "{}", bench.log());
    }
}
