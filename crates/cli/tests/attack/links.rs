//! The links between an agent and its answer, broken one after the other: `doorward doctor` names each, with what mends
//! it, and no call runs unguarded meanwhile.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::clients;
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
    Attack {
        class: "links",
        tries: "the disk of the record is full: calls pass unrecorded, or doctor calls it healthy",
        run: disk_full,
    },
    Attack {
        class: "links",
        tries: "Codex skips the hook because it doesn't trust it, and doctor calls it healthy",
        run: codex_untrusted,
    },
    Attack {
        class: "links",
        tries: "of two users on one machine one gets the other's answers, or doctor calls either broken",
        run: two_users,
    },
    Attack {
        class: "links",
        tries: "a workspace's own hooks.json, or a moved folder, hides the hook that the user installed for OpenHands",
        run: openhands_hidden,
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
        mend: "doorward resume all",
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

/// A small file system of its own in place of a folder, for as long as this lives.
struct Small(PathBuf);

impl Small {
    fn mount(user: &User, place: PathBuf) -> Result<Self, String> {
        let options = format!("size=12m,mode=0700,uid={},gid={}", user.uid, user.gid);
        let mut mount = Command::new("mount");
        let done = mount.args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(&place).output();
        match done {
            Ok(done) if done.status.success() => Ok(Self(place)),
            Ok(done) => Err(String::from_utf8_lossy(&done.stderr).trim().to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

fn disk_full(world: &World) -> Tried {
    let user = world.user();
    let state = user.state();
    user.sh("mkdir -p .local/state/doorward");
    let small = match Small::mount(&user, state.clone()) {
        Ok(small) => small,
        Err(error) => return Tried::Lacking(format!("a small file system: mount: {error}")),
    };
    let (code, text) = user.doorward(&["install", "claude-code"]);
    assert_eq!(code, 0, "{text}");
    let before = user.shell("bypassPermissions", "touch a").decision();
    user.sh("cat /dev/zero > .local/state/doorward/filler");
    // Several, since what is already reserved in the database takes a few.
    let full: Vec<String> =
        (0..6).map(|at| user.shell("bypassPermissions", &format!("touch b{at}")).decision()).collect();
    let (code, said) = user.doorward(&["doctor", "claude-code"]);
    user.sh("rm .local/state/doorward/filler");
    let after = user.shell("bypassPermissions", "touch c").decision();
    user.end_service();
    drop(small);
    judged(
        before == "none"
            && full.iter().all(|said| said == "deny")
            && code == 1
            && said.contains("✗ record")
            && said.contains("is full")
            && after == "none",
        format!("before {before}, full {full:?}, afterwards {after}; doctor exit {code}: {said}"),
    )
}

fn codex_untrusted(world: &World) -> Tried {
    let codex = match clients::program("codex") {
        Ok(codex) => codex,
        Err(lacking) => return lacking,
    };
    let user = world.user();
    user.sh(&format!("mkdir -p bin && ln -s {} bin/codex", codex.display()));
    let (code, text) = user.doorward(&["install", "codex"]);
    assert!(code == 1 && text.contains("Nothing is guarded yet"), "{code}: {text}");
    let doctor = || {
        let said = user
            .sh(&with_path(&user, "PATH=$HOME/bin:$PATH; cd project; doorward doctor codex; echo exit $?"));
        String::from_utf8_lossy(&said.stdout).into_owned()
    };
    let untrusted = doctor();
    user.doorward(&["install", "codex", "--trust", codex.to_str().unwrap()]);
    let trusted = doctor();
    let named = ["✗ trust", "its calls run unguarded", "mend it: doorward install codex --trust", "exit 1"];
    judged(
        named.iter().all(|words| untrusted.contains(words))
            && trusted.contains("✓ trust")
            && trusted.contains("exit 0"),
        format!("{untrusted}\nonce trusted: {trusted}"),
    )
}

fn two_users(world: &World) -> Tried {
    let user = installed(world);
    let other = world.other();
    let (code, text) = other.doorward(&["install", "claude-code"]);
    assert_eq!(code, 0, "{text}");
    other.shell("default", "ls");
    let both = [&user, &other].map(|user| user.doorward(&["doctor", "claude-code"]));
    // The service of the one, asked by the other.
    let socket = user.state().display().to_string();
    let event = other.shell_event("default", "ls").to_string();
    let across = other.hook_with("claude-code", &event, &["--deadline-ms", "3000", "--state", &socket]);
    let (_, own) = other.doorward(&["status"]);
    judged(
        both.iter().all(|(code, said)| *code == 0 && said.contains("everything holds"))
            && across.decision() == "deny"
            && own.contains(&other.state().display().to_string()),
        format!("{both:?}; across: {across:?}; {own}"),
    )
}

fn openhands_hidden(world: &World) -> Tried {
    let user = world.user();
    let (code, text) = user.doorward(&["install", "openhands"]);
    assert_eq!(code, 0, "{text}");
    let doctor = |before: &str| {
        let said = user
            .sh(&with_path(&user, &format!("cd project; {before} doorward doctor openhands; echo exit $?")));
        String::from_utf8_lossy(&said.stdout).into_owned()
    };
    let alone = doctor("");
    user.sh("mkdir -p project/.openhands; echo '{\"hooks\": {}}' > project/.openhands/hooks.json");
    let hidden = doctor("");
    user.sh(&with_path(
        &user,
        "cd project; doorward install openhands --file .openhands/hooks.json --no-questions",
    ));
    let mended = doctor("");
    let moved = doctor("OH_PERSISTENCE_DIR=$HOME/elsewhere");
    let named = ["✗ workspace", "hides this file", "mend it: doorward install openhands --file", "exit 1"];
    judged(
        alone.contains("exit 0")
            && !alone.contains("workspace")
            && named.iter().all(|words| hidden.contains(words))
            && mended.contains("✓ workspace")
            && mended.contains("exit 0")
            && moved.contains("✗ read")
            && moved.contains("exit 1"),
        format!("alone {alone}\nhidden {hidden}\nmended {mended}\nmoved {moved}"),
    )
}

/// A script that finds the programs under test.
fn with_path(user: &User, script: &str) -> String {
    format!("PATH={}:$PATH; {script}", user.program("doorward").parent().unwrap().display())
}
