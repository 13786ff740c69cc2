//! Ways to keep the service from answering.

use std::net::TcpListener;

use crate::world::World;
use crate::{Attack, Tried, judged};

pub const ATTACKS: &[Attack] = &[
    Attack {
        class: "service",
        tries: "another user holds the port, so that no hook finds a service",
        run: port_taken,
    },
    Attack { class: "service", tries: "guard fails for every user but root", run: guard_as_user },
];

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
    drop(held);
    judged(
        denied(&said[0]) && denied(&said[1]) && said[2].starts_with("none") && said[3].starts_with("none"),
        format!("port held by the test: {held_port}; {said:?}"),
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
