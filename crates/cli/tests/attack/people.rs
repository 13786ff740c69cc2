//! Programs that pretend to be a person.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::json;

use crate::world::{User, World};
use crate::{Attack, Tried, judged};

pub const ATTACKS: &[Attack] = &[
    Attack {
        class: "people",
        tries: "a program of the same user sets the first passphrase and approves HIGH with it",
        run: first_passphrase,
    },
    Attack {
        class: "people",
        tries: "a program of the same user answers HIGH and lifts a stop through the socket",
        run: peer_answers,
    },
    Attack {
        class: "people",
        tries: "a program that detached itself from its agent answers HIGH at a terminal of its own, also after a kill -9 of the service",
        run: detached,
    },
];

/// Runs a script with a terminal of its own, below a process of this name.
pub fn at_terminal(user: &User, below: &str, script: &str, input: &str) -> String {
    let file = user.home.join("bin").join(below);
    user.write(&file, &format!("#!/bin/bash\n{script}\n"));
    user.sh(&format!("chmod +x bin/{below}"));
    let mut child = user
        .command("/usr/bin/script")
        .args(["-qefc", &format!("stty -echo; {}", file.display()), "/dev/null"])
        .current_dir(user.project())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    String::from_utf8_lossy(&child.wait_with_output().unwrap().stdout).into_owned()
}

pub fn socket(user: &User, method: &str, path: &str, body: &str) -> String {
    let socket = user.state().join("doorward.sock").display().to_string();
    let output = user
        .command("/usr/bin/curl")
        .args([
            "-sS",
            "-X",
            method,
            "--unix-socket",
            &socket,
            "-H",
            "content-type: application/json",
            "-d",
            body,
        ])
        .arg(format!("http://doorward{path}"))
        .output()
        .unwrap();
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

const SET: &str = "doorward approvals passphrase --passphrase-stdin";

fn first_passphrase(world: &World) -> Tried {
    let user = world.user();
    user.hook_of_an_agent("claude-code", &user.shell_event("default", "true"));
    let by_socket = socket(&user, "POST", "/v1/passphrase", r#"{"passphrase": "chosen by an agent"}"#);
    let by_command = user.sh(&format!("echo 'chosen by an agent' | {SET}"));
    let by_command = String::from_utf8_lossy(&by_command.stderr).into_owned();
    let below_agent = at_terminal(&user, "claude", SET, "chosen by an agent\n");
    let link = user.doorward(&["console"]).1;
    let twin = at_terminal(&user, "work", SET, "chosen by a person\n");
    let after =
        socket(&user, "POST", "/v1/passphrase", r#"{"passphrase": "an agent again", "old": "a guess"}"#);
    let refused = |text: &str| text.contains("passphrase.terminal");
    judged(
        refused(&by_socket)
            && refused(&by_command)
            && refused(&below_agent)
            && link.contains("#login=")
            && twin.contains("the passphrase is set")
            && after.contains("passphrase.wrong"),
        format!("{by_socket} | {by_command} | {below_agent} | at a terminal: {twin} | afterwards: {after}"),
    )
}

fn peer_answers(world: &World) -> Tried {
    let user = world.user();
    let mut event = user.shell_event("default", "sudo true");
    event["model"] = json!("m");
    user.hook_of_an_agent("codex", &event);
    let open = socket(&user, "GET", "/v1/approvals", "");
    let id =
        open.split("\"id\":\"").nth(1).unwrap_or_default().split('"').next().unwrap_or_default().to_owned();
    let yes = socket(&user, "POST", &format!("/v1/approvals/{id}/answer"), r#"{"answer": "yes"}"#);
    let below = format!("doorward approvals approve {id}");
    let below_agent = at_terminal(&user, "codex", &below, "");
    let twin = at_terminal(&user, "work", &below, "");
    socket(&user, "POST", "/v1/stops/new", r#"{"scope": "all"}"#);
    let lifted = socket(&user, "POST", "/v1/stops/lift", r#"{"scope": "all", "typed": "I confirm"}"#);
    judged(
        yes.contains("grant.presence")
            && below_agent.contains("grant.presence")
            && lifted.contains("grant.presence")
            && twin.contains("allowed"),
        format!("{yes} | below an agent: {below_agent} | lift: {lifted} | at a terminal: {twin}"),
    )
}

/// The agent's child makes itself a session and a terminal after the agent began; the agent is no ancestor any more.
fn detached(world: &World) -> Tried {
    let user = world.user();
    let mut event = user.shell_event("default", "sudo true");
    event["model"] = json!("m");
    user.hook_of_an_agent("codex", &event);
    let open = socket(&user, "GET", "/v1/approvals", "");
    let id =
        open.split("\"id\":\"").nth(1).unwrap_or_default().split('"').next().unwrap_or_default().to_owned();
    let told = user.home.join("told.txt");
    let line = |command: &str| {
        format!(
            "rm -f told.txt; setsid --fork /bin/sh -c '/usr/bin/script -qefc \"{command}\" /dev/null > told.tmp 2>&1; mv told.tmp told.txt'"
        )
    };
    let said = |command: &str| {
        user.sh(&line(command));
        let end = std::time::Instant::now() + std::time::Duration::from_secs(30);
        while !told.exists() && std::time::Instant::now() < end {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        std::fs::read_to_string(&told).unwrap_or_default()
    };
    let approved = said(&format!("doorward approvals approve {id}"));
    let set = said(&format!("echo chosen by an agent | {SET}"));
    // A service that was started anew knows the agent from its records.
    user.sh("p=$(cat .local/state/doorward/service.pid); kill -9 $p; while kill -0 $p 2>/dev/null; do sleep 0.02; done");
    let _service = user.serve(&[]);
    let later = said(&format!("echo chosen by an agent | {SET}"));
    judged(
        !id.is_empty()
            && approved.contains("grant.presence")
            && set.contains("passphrase.terminal")
            && later.contains("passphrase.terminal"),
        format!("approves: {approved} | sets the passphrase: {set} | after a restart: {later}"),
    )
}
