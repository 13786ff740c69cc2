//! Code tools: the decision contract's rules for them hold on a real run, through the service and without it; a sandbox
//! that somebody else declares is recorded as declared, and never counts as verified.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support;
use crate::support::{Bench, DOORWARD};
use serde_json::{Value, json};

/// The name that the kernel's user has, as the service calls principals.
fn user() -> String {
    let output = Command::new("id").arg("-un").output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// The contract's pack, with the user of this test as an editor.
fn contract(more: &str) -> Bench {
    let user = user();
    Bench::new(&format!(
        "[policy]\npacks = [\"seed-contract\"]\n[policy.groups]\neditor = [\"{user}\"]\n{more}"
    ))
}

/// How a run ended.
#[derive(Debug)]
struct Ran {
    exit: i32,
    text: String,
    took: Duration,
}

/// Runs code with these options and this standard input.
fn run(bench: &Bench, options: &[&str], code: &str, input: &str) -> Ran {
    let started = Instant::now();
    let mut child = Command::new(DOORWARD)
        .args(["run", "--tool", "python:execute", "--state"])
        .arg(bench.state())
        .args(options)
        .args(["--", code])
        .current_dir(bench.project())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A run that is refused reads nothing.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    Ran {
        exit: output.status.code().unwrap_or(-1),
        text: String::from_utf8_lossy(&text).into_owned(),
        took: started.elapsed(),
    }
}

/// The outcomes in the ledger, in order.
fn outcomes(bench: &Bench) -> Vec<Value> {
    bench.ledger().into_iter().filter(|entry| entry.to_string().contains("limits_hit")).collect()
}

/// With the service, and without it: the option keeps the run in its own process.
const WAYS: [(&str, bool); 2] = [("through the service", true), ("without it", false)];

fn served(bench: &mut Bench, service: bool) {
    if service {
        bench.serve();
    }
}

#[test]
fn seed_004_code_that_keeps_to_the_rules_runs_and_what_breaks_them_is_denied() {
    let url = |host: &str| format!("import urllib.request as r\nprint(r.urlopen('http://{host}/').status)");
    for (way, service) in WAYS {
        // A budget of none, so that what the rules let out isn't looked up either.
        let mut bench = contract(
            "[egress]\nallow = [\"api.example.com\", \"other.example.org\"]\n[egress.budgets]\nrequests = 0\n",
        );
        served(&mut bench, service);
        std::fs::write(bench.file("outside.txt"), "kept from it").unwrap();
        std::fs::write(bench.project().join("inside.txt"), "for it").unwrap();
        let outside = bench.file("outside.txt").display().to_string();

        let ran = run(&bench, &[], "print(1 + 1)", "");
        assert_eq!((ran.exit, ran.text.trim()), (0, "2"), "{way}");
        let ran = run(&bench, &[], "print(open('inside.txt').read())", "");
        assert_eq!((ran.exit, ran.text.trim()), (0, "for it"), "{way}");
        for (code, policy) in [
            (format!("print(open({outside:?}).read())"), "python.files.deny"),
            ("print(open('/etc/hostname').read())".to_owned(), "python.files.deny"),
            (format!("open({outside:?}, 'w').write('x')"), "python.files.deny"),
            (url("other.example.org"), "python.network.deny"),
        ] {
            let ran = run(&bench, &[], &code, "");
            assert_eq!(ran.exit, 125, "{way}, {code}: {}", ran.text);
            assert!(ran.text.contains(policy), "{way}, {code}: {}", ran.text);
        }
        // What the code doesn't show: the sandbox holds it.
        let ran = run(&bench, &[], "print(open(input()).read())", &outside);
        assert!(ran.exit == 1 && ran.text.contains("FileNotFoundError"), "{way}: {}", ran.text);
        assert!(!ran.text.contains("kept from it"), "{way}: {}", ran.text);
        // The one host is let out by the rules, and only then held up by the budget.
        let ran = run(&bench, &[], &url("api.example.com"), "");
        assert!(ran.exit == 1 && ran.text.contains("HTTPError"), "{way}: {}", ran.text);
        if service {
            let accesses = bench.ledger().iter().map(Value::to_string).collect::<String>();
            assert!(accesses.contains("budget_exceeded"), "{accesses}");
            assert!(!accesses.contains("not_allowlisted"), "{accesses}");
        }
    }
}

#[test]
fn seed_004_only_editors_run_code_and_only_within_the_limits() {
    for (way, service) in WAYS {
        let mut bench = Bench::new("[policy]\npacks = [\"seed-contract\"]\n");
        served(&mut bench, service);
        let ran = run(&bench, &[], "print(1)", "");
        assert!(ran.exit == 125 && ran.text.contains("policy.no_permit"), "{way}: {}", ran.text);
        for limits in ["wall_s = 31", "memory_mb = 513"] {
            let mut bench = contract(&format!("[sandbox]\n{limits}\n"));
            served(&mut bench, service);
            let ran = run(&bench, &[], "print(1)", "");
            assert!(ran.exit == 125 && ran.text.contains("python.limits.deny"), "{way}: {}", ran.text);
        }
    }
    let bench = contract("");
    let ran = run(&bench, &["--wall", "31"], "print(1)", "");
    assert!(ran.exit == 125 && ran.text.contains("python.limits.deny"), "an option counts too: {}", ran.text);
    let ran = run(&bench, &["--wall", "29"], "print(1)", "");
    assert_eq!((ran.exit, ran.text.trim()), (0, "1"));
}

#[test]
fn seed_004_time_and_memory_are_held_and_the_record_says_which() {
    for (way, service) in WAYS {
        let mut bench = contract("[sandbox]\nwall_s = 2\n");
        served(&mut bench, service);
        let ran = run(&bench, &[], "import time\ntime.sleep(31)\nprint('on')", "");
        assert_ne!(ran.exit, 0, "{way}: {}", ran.text);
        assert!(!ran.text.contains("on\n") && ran.took < Duration::from_secs(20), "{way}: {ran:?}");
        let limits_hit = |bench: &Bench| -> Vec<Value> {
            outcomes(bench).iter().map(|outcome| outcome["limits_hit"].clone()).collect()
        };
        if service {
            assert_eq!(limits_hit(&bench), [json!(["wall"])]);
        }
        // With the contract's own thirty seconds, so that a busy machine doesn't end the run by its time.
        let mut bench = contract("");
        served(&mut bench, service);
        let ran = run(&bench, &[], "x = bytearray(700 << 20)\nprint(len(x))", "");
        assert_ne!(ran.exit, 0, "{way}: {}", ran.text);
        assert!(!ran.text.contains(&(700 << 20).to_string()), "{way}: {}", ran.text);
        let ran = run(&bench, &[], "x = bytearray(200 << 20)\nprint(len(x))", "");
        assert_eq!((ran.exit, ran.text.trim()), (0, (200 << 20).to_string().as_str()), "{way}");
        if service {
            assert_eq!(limits_hit(&bench), [json!(["memory"]), json!([])]);
        }
    }
}

/// The contract's own figure, without a setting that shortens it.
#[test]
fn seed_004_thirty_seconds_are_thirty_seconds() {
    let bench = contract("");
    let ran = run(&bench, &[], "import time\ntime.sleep(31)\nprint('on')", "");
    assert_ne!(ran.exit, 0, "{ran:?}");
    assert!(!ran.text.contains("on\n"), "{ran:?}");
    let seconds = ran.took.as_secs_f64();
    assert!((29.9..31.0 + 10.0).contains(&seconds), "{seconds}");
}

/// With policies of its own in `own.cedar` of the state's folder, and none beside them.
fn with_rule(more: &str) -> Bench {
    let bench = Bench::new("");
    let file = bench.state().join("own.cedar").display().to_string();
    let config = format!("[policy]\nfiles = [{file:?}]\non_no_match = \"deny\"\n{more}");
    std::fs::write(bench.state().join("doorward.toml"), config).unwrap();
    bench
}

/// A server that counts who came.
fn server() -> (u16, std::sync::Arc<std::sync::atomic::AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let came = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counted = std::sync::Arc::clone(&came);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            counted.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            let _ = stream.read(&mut [0; 4096]);
            let _ =
                stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nhere");
        }
    });
    (port, came)
}

#[test]
fn a_run_reaches_the_hosts_that_its_rule_names_and_no_others() {
    use std::sync::atomic::Ordering::SeqCst;
    const CODE: &str = "import sys, urllib.request as r\nfor url in sys.stdin.read().split():\n  try: print(r.urlopen(url).read())\n  except Exception as e: print(e)";
    for (way, service) in WAYS {
        let ((named, came_named), (other, came_other)) = (server(), server());
        let mut bench =
            with_rule(&format!("[egress]\nallow = [\"127.0.0.1:{named}\", \"127.0.0.1:{other}\"]\n"));
        let rule = |hosts: &str| {
            format!(
                "@id(\"own.code\") @obligations(\"sandbox(min_tier=full{hosts})\")\n\
                 permit(principal, action == Action::\"python:execute\", resource)\n\
                 when {{ context.sandbox.verified && context.sandbox has hosts &&\n\
                 context.sandbox.hosts.contains(\"127.0.0.1:{named}\") }};\n\
                 @id(\"own.rest\") permit(principal, action == Action::\"python:execute\", resource)\n\
                 when {{ context.sandbox.verified }};\n"
            )
        };
        std::fs::write(bench.state().join("own.cedar"), rule(&format!(", hosts=127.0.0.1:{named}"))).unwrap();
        served(&mut bench, service);
        let urls = format!("http://127.0.0.1:{named}/ http://127.0.0.1:{other}/");
        let ran = run(&bench, &[], CODE, &urls);
        assert!(ran.text.contains("here") && ran.exit == 0, "{way}: {ran:?}");
        assert_eq!((came_named.load(SeqCst), came_other.load(SeqCst)), (1, 0), "{way}: {ran:?}");
        // The same without the rule's word: what keeps it from the other host is the rule.
        std::fs::write(bench.state().join("own.cedar"), rule("")).unwrap();
        std::thread::sleep(Duration::from_secs(1));
        let ran = run(&bench, &[], CODE, &urls);
        assert_eq!((came_named.load(SeqCst), came_other.load(SeqCst)), (2, 1), "{way}: {ran:?}");
    }
}

fn request(sandbox: Value) -> Value {
    json!({"principal": {"id": "user-123", "groups": ["editor"]}, "action": "tool:execute",
        "resource": {"type": "tool", "name": "python:execute",
            "attributes": {"args": {"code": "print(1)"}, "sandbox": sandbox}},
        "context": {"session_id": "s"}})
}

/// What the last decision's record says of the sandbox.
fn facts(bench: &Bench) -> Value {
    let last = bench.ledger().into_iter().rfind(|entry| entry["kind"] == "decision").unwrap();
    last["sandbox"].clone()
}

#[test]
fn a_declared_sandbox_is_recorded_as_declared_and_never_as_verified() {
    let bounds = json!({"tier": "full", "wall_s": 30, "memory_mb": 512, "hosts": ["api.example.com"],
        "reads": ["/workspace"], "writes": ["/workspace"]});
    let mut bench = contract("");
    bench.serve();
    let answer = bench.ask("POST", "/v1/decide", &request(bounds.clone()));
    assert_eq!(answer["decision"], "DENY", "{answer}");
    assert!(answer["policies"].to_string().contains("code.sandbox.deny"), "{answer}");
    assert!(answer["policies"].to_string().contains("python.limits.deny"), "{answer}");
    let recorded = facts(&bench);
    assert_eq!((&recorded["declared"], &recorded["verified"]), (&json!(true), &json!(false)), "{recorded}");
    assert_eq!((&recorded["tier"], &recorded["declares"]), (&json!("none"), &bounds), "{recorded}");
    // Nothing in a declaration makes it more than one.
    for claimed in [json!({"verified": true}), json!({"tier": "best"}), json!("yes"), json!({"wall_s": -1})] {
        let answer = bench.ask("POST", "/v1/decide", &request(claimed.clone()));
        assert_eq!(answer["code"], "request.invalid", "{claimed}: {answer}");
    }
    assert_eq!(bench.ask("POST", "/v1/decide", &request(json!(false)))["decision"], "DENY");
    let last = bench.ledger().into_iter().rfind(|entry| entry["kind"] == "decision").unwrap();
    assert_eq!(last.get("sandbox"), None, "{last}");
    // Without the service's own sandbox nothing is verified; with it, it is, and the record has what held.
    let ran = run(&bench, &[], "print(1)", "");
    assert_eq!(ran.exit, 0, "{ran:?}");
    let recorded = facts(&bench);
    assert_eq!((&recorded["verified"], &recorded["tier"]), (&json!(true), &json!("full")), "{recorded}");
    assert_eq!((&recorded["wall_s"], &recorded["memory_mb"]), (&json!(30), &json!(512)), "{recorded}");
    assert_eq!(recorded["writes"], json!([bench.project()]), "{recorded}");
    assert_eq!(recorded["hosts"], json!([]), "{recorded}");
}

#[test]
fn a_rule_can_read_what_is_declared() {
    let rule = "@id(\"own.declared\") permit(principal, action == Action::\"python:execute\", resource)\n\
        when { context.sandbox has declares && context.sandbox.declares has wall_s &&\n\
        context.sandbox.declares.wall_s <= 30 && !context.sandbox.verified };\n";
    let mut bench = with_rule("");
    std::fs::write(bench.state().join("own.cedar"), rule).unwrap();
    bench.serve();
    // Code without a checked sandbox isn't allowed in any mode; which rule permits it is told all the same.
    for (said, permits) in [
        (json!({"wall_s": 30}), true),
        (json!({"wall_s": 31}), false),
        (json!(true), false),
        (Value::Null, false),
    ] {
        let answer = bench.ask("POST", "/v1/decide", &request(said.clone()));
        assert_eq!(answer["decision"], "DENY", "{said}: {answer}");
        assert_eq!(answer["policies"].to_string().contains("own.declared"), permits, "{said}: {answer}");
        assert_eq!(
            answer["code"],
            if permits { "mode.deny" } else { "policy.no_permit" },
            "{said}: {answer}"
        );
        let asked = json!({"subject": {"type": "user", "id": "user-123"}, "action": {"name": "tool:execute"},
            "resource": {"type": "tool", "id": "python:execute",
                "properties": {"args": {"code": "print(1)"}, "sandbox": said}}});
        let answer = bench.ask("POST", "/access/v1/evaluation", &asked).to_string();
        assert_eq!(answer.contains("mode.deny"), permits, "AuthZEN, {said}: {answer}");
    }
}

#[test]
fn other_languages_run_and_what_is_no_code_tool_is_refused() {
    let mut bench = Bench::new("[rules]\nallow = [\"node:execute\", \"perl:execute\"]\n");
    bench.serve();
    for (tool, program, code) in
        [("node:execute", "node", "console.log(6*7)"), ("perl:execute", "perl", "print 6*7")]
    {
        if !["/usr/bin", "/bin", "/usr/local/bin"]
            .iter()
            .any(|folder| Path::new(folder).join(program).exists())
        {
            support::lacking("other_languages_run", program);
            continue;
        }
        let words = ["run", "--state", &bench.state().display().to_string(), "--tool", tool, "--", code];
        let (exit, text) = bench.doorward(&words);
        assert_eq!((exit, text.trim()), (0, "42"), "{tool}");
    }
    let (exit, text) = bench.doorward(&["run", "--tool", "fs:read", "--", "x"]);
    assert!(exit == 2 && text.contains("python:execute"), "{text}");
    let (exit, text) = bench.doorward(&["run", "--tool", "python:execute", "--", "print(1)", "print(2)"]);
    assert!(exit != 0 && text.contains("one word"), "{text}");
    let wanted = json!({"tool": "fs:read", "command": "x", "cwd": bench.project()});
    assert_eq!(bench.ask("POST", "/v1/runs", &wanted)["code"], "run.tool");
}
