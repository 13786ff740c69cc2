//! Broken things name themselves: each fault is put in place, and the hook, `status`, `doctor` and the console say what
//! is wrong, where, and what mends it. The agent, which did nothing wrong, isn't told to keep from anything.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixListener;

use serde_json::{Value, json};

use crate::answering::doorward;
use crate::support::Bench;

/// A fault, and what has to be read of it.
struct Fault {
    name: &'static str,
    inject: fn(&Bench),
    /// What is wrong and where, on every surface.
    says: &'static [&'static str],
    /// The command that mends it, in `status` and `doctor`.
    mend: &'static str,
}

fn settings(bench: &Bench, text: &str) {
    std::fs::write(bench.state().join("doorward.toml"), text).unwrap();
}

const CHECK: &str = "doorward config check";

/// With a service that starts, and denies every call until the settings are mended.
const OF_SETTINGS: &[Fault] = &[
    Fault {
        name: "a misspelled key",
        inject: |bench| settings(bench, "[modes]\ndefault = \"plan\"\n\n[guardian]\npromt_at = 70\n"),
        says: &["doorward.toml, line 5", "unknown key `guardian.promt_at`", "prompt_at`"],
        mend: CHECK,
    },
    Fault {
        name: "a value of another type",
        inject: |bench| settings(bench, "[hooks]\nwait_s = \"long\"\n"),
        says: &["doorward.toml, line 2", "hooks.wait_s"],
        mend: CHECK,
    },
    Fault {
        name: "text that is no TOML",
        inject: |bench| settings(bench, "[rules]\nallow = [\"shell(ls)\"\n"),
        says: &["doorward.toml, line 2", "unclosed array"],
        mend: CHECK,
    },
    Fault {
        name: "a rule that isn't one",
        inject: |bench| settings(bench, "[rules]\nallow = [\"shell(ls\"]\n"),
        says: &["rules.allow[0]", "the parenthesis isn't closed"],
        mend: CHECK,
    },
    Fault {
        name: "a policy file beside the settings, named without its folder",
        inject: |bench| {
            settings(bench, "[policy]\nfiles = [\"my.cedar\"]\n");
            std::fs::write(bench.state().join("my.cedar"), "permit(principal, action, resource);").unwrap();
        },
        says: &["policy.files: `my.cedar` is looked for in the project", "give the file's whole path"],
        mend: CHECK,
    },
];

/// Without a service: none can start.
const OF_STATE: &[Fault] = &[
    Fault {
        name: "a file in the record's place",
        inject: |bench| std::fs::write(bench.state().join("ledger"), "mine").unwrap(),
        says: &["ledger.unwritable"],
        mend: "look at what is in",
    },
    Fault {
        name: "a file in the state folder's place",
        inject: |bench| {
            std::fs::remove_dir_all(bench.state()).unwrap();
            std::fs::write(bench.state(), "mine").unwrap();
        },
        says: &["/state"],
        mend: "mv ",
    },
];

fn told(bench: &Bench) -> String {
    let event = json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": bench.project(), "tool_name": "Bash",
        "permission_mode": "default", "tool_input": {"command": "touch x"}, "tool_use_id": "1"});
    let (_, out, err) = bench.hook("claude-code", &event.to_string(), &[]);
    format!("{out}{err}").replace("\\\"", "\"")
}

fn holds(fault: &Fault, surface: &str, text: &str, mend: &str) {
    for said in fault.says.iter().chain([&mend]) {
        assert!(text.contains(said), "{} on {surface} lacks {said:?}: {text}", fault.name);
    }
    for wrong in
        ["policy.load: policy", "policy.load: the", "error [", "service.unavailable) (", "invalid type"]
    {
        assert!(!text.contains(wrong), "{} on {surface}: {text}", fault.name);
    }
}

#[test]
fn a_fault_of_the_settings_is_named_with_its_place_and_its_cure_on_every_surface() {
    for fault in OF_SETTINGS {
        let mut bench = Bench::new("");
        (fault.inject)(&bench);
        bench.serve();
        let hook = told(&bench);
        holds(fault, "the hook", &hook, fault.mend);
        assert!(hook.contains("\"deny\"") && hook.contains("Nothing is wrong with this call"), "{hook}");
        assert!(!hook.contains("another way"), "the agent did nothing wrong: {hook}");
        holds(fault, "status", &doorward(&bench, &["status"]).1, fault.mend);
        let (_, doctor) = doorward(&bench, &["doctor"]);
        holds(fault, "doctor", &doctor, fault.mend);
        assert_eq!(doctor.matches(fault.says[1]).count(), 1, "it is said once: {doctor}");
        let console = bench.ask("GET", "/v1/rules/in-force", &Value::Null);
        holds(fault, "the console", console["problem"].as_str().unwrap_or_default(), "");
    }
}

#[test]
fn a_state_that_no_service_can_start_in_is_named_with_its_cure() {
    for fault in OF_STATE {
        let bench = Bench::new("");
        (fault.inject)(&bench);
        let hook = told(&bench);
        holds(fault, "the hook", &hook, "`doorward doctor`");
        assert!(!hook.contains("another way") && hook.contains("Nothing is wrong with this call"), "{hook}");
        holds(fault, "status", &doorward(&bench, &["status"]).1, fault.mend);
        holds(fault, "doctor", &doorward(&bench, &["doctor"]).1, fault.mend);
    }
}

#[test]
fn an_older_program_that_still_runs_is_named() {
    let bench = Bench::new("");
    let socket = UnixListener::bind(bench.state().join("doorward.sock")).unwrap();
    std::thread::spawn(move || {
        for mut stream in socket.incoming().flatten() {
            let _ = stream.read(&mut [0; 4096]);
            let body = json!({"ok": true, "build": "0.0.1 (old)", "problems": [], "notes": []}).to_string();
            let head =
                format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            let _ = stream.write_all(format!("{head}{body}").as_bytes());
        }
    });
    for surface in ["status", "doctor"] {
        let (_, said) = doorward(&bench, &[surface]);
        assert!(said.contains("0.0.1 (old) runs, but this program is"), "{surface}: {said}");
        assert!(said.contains("mend it: doorward restart"), "{surface}: {said}");
    }
}
