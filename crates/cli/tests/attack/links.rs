//! The links between an agent and its answer, broken one after the other: `doorward doctor` names each, with what mends
//! it, and no call runs unguarded meanwhile.

use serde_json::Value;

use crate::world::{User, World};
use crate::{Attack, Tried, judged};

pub const ATTACKS: &[Attack] = &[
    Attack {
        class: "links",
        tries: "every link that doctor looks at is broken: program gone, settings broken, hooks disabled, everything stopped",
        run: broken,
    },
    Attack {
        class: "links",
        tries: "doctor leaves a record, or calls a healthy installation broken",
        run: healthy,
    },
];

/// What breaks a link, how doctor calls it, what mends it, and what puts it right again.
struct Broken {
    script: &'static str,
    link: &'static str,
    says: &'static str,
    mend: &'static str,
    after: &'static str,
}

const LINKS: &[Broken] = &[
    Broken {
        script: "rm -rf ~/.local/lib/doorward",
        link: "✗ program",
        says: "hook.missing",
        mend: "doorward install claude-code",
        after: "doorward install claude-code",
    },
    Broken {
        script: "mkdir -p ~/.config/doorward; echo 'x = ' > ~/.config/doorward/doorward.toml; sleep 1.2",
        link: "✗ settings",
        says: "settings.syntax",
        mend: "doorward config check",
        after: "rm ~/.config/doorward/doorward.toml; sleep 1.2",
    },
    Broken {
        script: "echo '{\"disableAllHooks\": true}' > ~/.claude/settings.local.json",
        link: "✗ enabled",
        says: "settings.local.json: no hook runs at all",
        mend: "take `disableAllHooks` out of",
        after: "rm ~/.claude/settings.local.json",
    },
    Broken {
        script: "sed -i 's/\"PreToolUse\"/\"SomethingElse\"/' ~/.claude/settings.json",
        link: "✗ hook",
        says: "is not installed for PreToolUse",
        mend: "doorward install claude-code",
        after: "sed -i 's/\"SomethingElse\"/\"PreToolUse\"/' ~/.claude/settings.json",
    },
    Broken {
        script: "sed -i '0,/\"matcher\": \"\\*\"/s//\"matcher\": \"Bash\"/' ~/.claude/settings.json",
        link: "✗ hook",
        says: "matcher is \"Bash\"",
        mend: "doorward install claude-code",
        after: "doorward install claude-code",
    },
    Broken {
        script: "doorward approvals stop all",
        link: "✗ canary",
        says: "kill_switch",
        mend: "doorward approvals lift all",
        after: "true",
    },
];

fn installed(world: &World) -> User {
    let user = world.user();
    let (code, text) = user.doorward(&["install", "claude-code"]);
    assert_eq!(code, 0, "{text}");
    user.shell("default", "ls");
    user
}

/// What the configured command line answers to a call that must never pass.
fn through_the_hook(user: &User) -> (i32, String) {
    let text = std::fs::read_to_string(user.home.join(".claude/settings.json")).unwrap();
    let settings: Value = serde_json::from_str(&text).unwrap();
    let entries = settings["hooks"].as_object().unwrap().values().flat_map(|event| event.as_array().unwrap());
    let command = entries.map(|entry| entry["hooks"][0]["command"].as_str().unwrap()).next().unwrap();
    let event = user.shell_event("bypassPermissions", "rm -rf ~").to_string();
    user.write(&user.home.join("event.json"), &event);
    let output = user.sh(&format!("{command} < ~/event.json"));
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    (output.status.code().unwrap_or(-1), said)
}

fn broken(world: &World) -> Tried {
    let user = installed(world);
    let mut wrong = Vec::new();
    for link in LINKS {
        let broke = user.sh(&with_path(&user, link.script));
        assert!(broke.status.success(), "{}: {}", link.script, String::from_utf8_lossy(&broke.stderr));
        let (code, said) = user.doorward(&["doctor", "claude-code"]);
        let named = [link.link, link.says, link.mend].iter().all(|words| said.contains(words));
        if code != 1 || !named {
            wrong.push(format!("{}: exit {code}: {said}", link.script));
        }
        let (code, answer) = through_the_hook(&user);
        if code != 2 && !(code == 0 && answer.contains("\"deny\"")) {
            wrong.push(format!("{}: a call passed: exit {code}: {answer}", link.script));
        }
        user.sh(&with_path(&user, link.after));
    }
    judged(wrong.is_empty(), format!("{} links broken; wrong: {wrong:#?}", LINKS.len()))
}

fn healthy(world: &World) -> Tried {
    let user = installed(world);
    let before = user.ledger().len();
    let (code, said) = user.doorward(&["doctor"]);
    let after = user.ledger().len();
    let held = code == 0 && said.contains("everything holds") && before == after;
    judged(held, format!("exit {code}, {before} records before and {after} after: {said}"))
}

/// A script that finds the programs under test.
fn with_path(user: &User, script: &str) -> String {
    format!("PATH={}:$PATH; {script}", user.program("doorward").parent().unwrap().display())
}
