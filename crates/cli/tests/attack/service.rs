//! Ways to keep the service from answering.

use std::net::TcpListener;

use crate::world::World;
use crate::{Attack, Tried, judged};

pub const ATTACKS: &[Attack] = &[
    Attack {
        class: "service",
        tries: "doorward run runs a command without a record, or answers its own question",
        run: run_without_record,
    },
    Attack {
        class: "service",
        tries: "another user holds the port, so that no hook finds a service",
        run: port_taken,
    },
    Attack { class: "service", tries: "guard fails for every user but root", run: guard_as_user },
    Attack {
        class: "service",
        tries: "thousands of silent and slow connections keep the hook from being answered",
        run: flooded,
    },
    Attack { class: "service", tries: "the socket is removed below a running service", run: socket_removed },
    Attack { class: "service", tries: "an event under a new name passes unjudged", run: unknown_events },
    Attack {
        class: "service",
        tries: "while no service can run, reads of secrets, searches and links out pass",
        run: no_service,
    },
];

const FLOOD: &str = r#"
import os, socket, sys, time
kind, place = sys.argv[1], sys.argv[2]
held = []
for number in range(3000):
    try:
        if kind == "unix":
            s = socket.socket(socket.AF_UNIX); s.settimeout(1); s.connect(place)
        else:
            s = socket.create_connection(("127.0.0.1", int(place)), 1)
        if number % 2:
            s.send(b"POST /v1/decide HTTP/1.1\r\nHost: x\r\n")
        held.append(s)
    except OSError:
        pass
print(len(held), flush=True)
time.sleep(8)
"#;

fn flooded(world: &World) -> Tried {
    use std::io::BufRead as _;
    let user = world.user();
    let _service = user.serve(&["--port", "0"]);
    let log = user.log();
    let port = log.rsplit("listening on http://127.0.0.1:").next().unwrap_or_default();
    let port: String = port.chars().take_while(char::is_ascii_digit).collect();
    let socket = user.state().join("doorward.sock").display().to_string();
    let mut floods = Vec::new();
    for (kind, place) in [("unix", socket.as_str()), ("unix", &socket), ("port", &port)] {
        let mut flood = user
            .command("python3")
            .args(["-c", FLOOD, kind, place])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        std::io::BufReader::new(flood.stdout.take().unwrap()).read_line(&mut line).unwrap();
        floods.push((flood, line.trim().to_owned()));
    }
    let mut slowest = std::time::Duration::ZERO;
    let mut said = Vec::new();
    for _ in 0..10 {
        let begun = std::time::Instant::now();
        said.push(user.shell("default", "ls").decision());
        slowest = slowest.max(begun.elapsed());
    }
    let held: Vec<String> = floods
        .into_iter()
        .map(|(mut flood, held)| {
            let _ = flood.kill();
            let _ = flood.wait();
            held
        })
        .collect();
    judged(
        said.iter().all(|word| word == "none") && slowest.as_secs() < 2,
        format!("held open: {held:?}; ten calls answered {said:?}, slowest {slowest:?}"),
    )
}

fn socket_removed(world: &World) -> Tried {
    let user = world.user();
    let _service = user.serve(&["--port", "0"]);
    let pid = std::fs::read_to_string(user.state().join("service.pid")).unwrap();
    std::fs::remove_file(user.state().join("doorward.sock")).unwrap();
    std::fs::remove_file(user.state().join("agents/hook.sock")).unwrap_or_default();
    std::thread::sleep(std::time::Duration::from_millis(1_600));
    let there = user.state().join("doorward.sock").exists();
    let said = user.shell("default", "ls").decision();
    let still = std::fs::read_to_string(user.state().join("service.pid")).unwrap();
    judged(there && said == "none" && pid == still, format!("bound again: {there}; then {said}"))
}

fn unknown_events(world: &World) -> Tried {
    let user = world.user();
    let mut said = Vec::new();
    for (client, member, names) in [
        ("claude-code", "hook_event_name", &["PreToolUseV2", "PreBash", "BeforeTool", "preToolUse"][..]),
        ("codex", "hook_event_name", &["PreExec", "pre_tool_use"]),
        ("gemini-cli", "hook_event_name", &["BeforeToolV2", "PreToolUse"]),
        ("cursor", "hook_event_name", &["beforeTerminal", "preToolUse2"]),
        ("copilot", "hook_event_name", &["PreTool"]),
        ("windsurf", "agent_action_name", &["pre_delete_code"]),
    ] {
        for name in names {
            let mut event = user.shell_event("default", "touch x");
            event[member] = (*name).into();
            event["trajectory_id"] = "t".into();
            let answer = user.hook(client, &event);
            said.push((
                client,
                *name,
                answer.exit,
                answer.out.contains("deny"),
                answer.err.trim().to_owned(),
            ));
        }
    }
    let held = said.iter().all(|(_, _, exit, denied, err)| (*exit == 2 && !err.is_empty()) || *denied);
    let quiet =
        user.hook("claude-code", &serde_json::json!({"hook_event_name": "PreCompact", "session_id": "s"}));
    judged(held && quiet.exit == 0 && quiet.out.is_empty(), format!("{said:?}; PreCompact: {quiet:?}"))
}

fn no_service(world: &World) -> Tried {
    let user = world.user();
    // The state folder can't be made, so no service can run.
    user.sh("mkdir -p .local/state && echo x > .local/state/doorward");
    user.sh("cd project && echo A=1 > .env && ln -s /etc/passwd out && mkdir sub && echo x > sub/id_token.json && ln -s .env plain.txt");
    let project = user.project();
    let read = |file: &str| {
        let input = serde_json::json!({"file_path": project.join(file)});
        user.hook("claude-code", &user.tool_event("default", "Read", input)).decision()
    };
    let search = |tool: &str, input: serde_json::Value| {
        user.hook("claude-code", &user.tool_event("default", tool, input)).decision()
    };
    let passes = [read("tracked.txt")];
    let stopped = [
        read(".env"),
        read("out"),
        read("plain.txt"),
        read("../.bashrc"),
        read("sub/id_token.json"),
        search("Grep", serde_json::json!({"pattern": ".", "path": project})),
        search("Glob", serde_json::json!({"pattern": "/etc/**"})),
        search("Glob", serde_json::json!({"pattern": "../**", "path": project})),
        user.shell("bypassPermissions", "ls").decision(),
    ];
    let held = passes.iter().all(|word| word == "none") && stopped.iter().all(|word| word == "deny");
    judged(held, format!("a tracked file: {passes:?}; the others: {stopped:?}"))
}

fn port_taken(world: &World) -> Tried {
    let held = TcpListener::bind("127.0.0.1:7717");
    let user = world.user();
    let other = world.other();
    user.settings("[rules]\ndeny = [\"shell(touch *)\"]\n");
    other.settings("[rules]\ndeny = [\"shell(mkdir *)\"]\n");
    let said = [
        user.shell("default", "touch x"),
        other.shell("default", "mkdir x"),
        user.shell("default", "ls"),
        other.shell("default", "ls"),
    ]
    .map(|said| format!("{} {}", said.decision(), said.reason()));
    let denied = |text: &str| text.starts_with("deny") && text.contains("rule.deny");
    let held_port = held.is_ok();
    let (_, status) = user.doorward(&["status"]);
    let (_, doctor) = user.doorward(&["doctor"]);
    let (_, others) = other.doorward(&["status"]);
    drop(held);
    // Whose port was taken is told why, and where the console is; of two services one at most has the port.
    let told = |text: &str| text.contains("127.0.0.1:7717") && text.contains("instead");
    let named = told(&status) && told(&doctor) || told(&others);
    judged(
        named
            && denied(&said[0])
            && denied(&said[1])
            && said[2].starts_with("none")
            && said[3].starts_with("none"),
        format!("port held by the test: {held_port}; {said:?}; {status}; {doctor}"),
    )
}

fn guard_as_user(world: &World) -> Tried {
    let user = world.user();
    // An agent of our own that sends one hook event and shows what came back.
    let script = user.home.join("bin/claude");
    user.write(
        &script,
        "#!/bin/bash\nhook=$(python3 -c 'import json,os,sys; print(json.load(open(os.environ[\"CLAUDE_CONFIG_DIR\"]+\"/settings.json\"))[\"hooks\"][\"PreToolUse\"][0][\"hooks\"][0][\"command\"])')\n\
         echo '{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s\",\"cwd\":\"'$PWD'\",\"permission_mode\":\"default\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"},\"tool_use_id\":\"t\"}' | bash -c \"$hook\"\necho \"exit $?\"\n",
    );
    user.sh("chmod +x bin/claude");
    let output = user
        .command(user.program("doorward"))
        .args(["guard", "--"])
        .arg(&script)
        .current_dir(user.project())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    judged(text.contains("updatedInput") && text.contains("exit 0"), text.trim().replace('\n', " | "))
}

fn run_without_record(world: &World) -> Tried {
    let user = world.user();
    let program = user.program("doorward").display().to_string();
    let sh = |line: &str| {
        let output = user.sh(&format!("cd project; D={program}; {line}"));
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    };
    let asked = sh("$D run -- 'touch made' < /dev/null; echo exit $?; ls made");
    let alone = sh("$D run -- true < /dev/null; echo exit $?");
    let kept = sh("for r in ~/.local/state/doorward/runs/*; do $D audit tail --state $r; done");
    let service = user.serve(&[]);
    let through = sh("echo hello | $D run -- cat; echo exit $?; $D audit tail");
    let told = sh(
        "(timeout 20 $D run --yes-from queue -- 'touch queued' < /dev/null > q 2>&1) & sleep 2; ls queued; cat q",
    );
    drop(service);
    let held = asked.contains("exit 125")
        && asked.contains("cannot access 'made'")
        && alone.contains("exit 0")
        && kept.matches("Ran, exit 0: outcome").count() == 1
        && kept.contains("touch made")
        && through.contains("hello\nexit 0")
        && through.contains("Ran, exit 0: outcome")
        && told.contains("cannot access 'queued'")
        && told.contains("doorward approve");
    judged(held, format!("{asked} | {alone} | {kept} | {through} | {told}"))
}
