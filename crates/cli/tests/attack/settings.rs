//! Settings that look like protection.

use crate::world::World;
use crate::{Attack, Tried, judged};

pub const ATTACKS: &[Attack] = &[
    Attack {
        class: "settings",
        tries: "a remote policy engine is configured, accepted and never asked",
        run: remote_engine,
    },
    Attack {
        class: "planted",
        tries: "files of a repository that never end, block, or lead out hang or fill the service",
        run: planted_files,
    },
    Attack {
        class: "planted",
        tries: "files of a repository that never end or block hang or fill the commands that a person types there",
        run: planted_for_commands,
    },
    Attack { class: "planted", tries: "scan --history runs what the repository names", run: scanned_history },
    Attack {
        class: "planted",
        tries: "client settings that can't be read hide the rules that forbid a call",
        run: hidden_client_rules,
    },
];

/// Everything that Doorward reads of a project by its own decision or because a command names it. A group is planted at
/// once; what denies every call when it can't be read stands alone, or it would hide the others.
const READ: &[&[&str]] = &[
    &["doorward.toml"],
    &[".doorward/doorward.toml"],
    &[".claude/settings.json"],
    &[".claude/settings.local.json"],
    &[
        ".git/index",
        ".git/config",
        ".git/HEAD",
        ".git/commondir",
        ".git/info/exclude",
        ".gitignore",
        "sub/.gitignore",
    ],
    &["sub/.git", "package.json", "Makefile", "justfile", "conftest.py", "build.rs", "run.sh", "run.py"],
];

fn planted_files(world: &World) -> Tried {
    let mut slow = Vec::new();
    for (what, plant) in [
        ("a link to an endless device", "ln -sfn /dev/zero \"$1\""),
        ("a FIFO", "rm -rf \"$1\"; mkfifo \"$1\""),
        ("a link to 2 GB", "ln -sfn \"$HOME/sparse\" \"$1\""),
        ("a link out", "ln -sfn /etc/shadow \"$1\""),
    ] {
        let user = world.user();
        user.settings("[hooks]\nshell = \"bind\"\n");
        user.sh("truncate -s 2G sparse; mkdir -p project/sub project/.claude project/.doorward");
        let _service = user.serve(&["--port", "0"]);
        let pid = std::fs::read_to_string(user.state().join("service.pid")).unwrap();
        for names in READ {
            let names = names.join(" ");
            user.sh(&format!("cd project; for name in {names}; do set -- $name; {plant}; done"));
            let begun = std::time::Instant::now();
            for command in [
                "git status",
                "npm test",
                "make; just",
                "pytest",
                "bash run.sh; python3 run.py",
                "rm -rf sub",
            ] {
                user.shell("default", command);
            }
            user.hook(
                "claude-code",
                &user.tool_event(
                    "default",
                    "Write",
                    serde_json::json!({
                "file_path": user.project().join("sub/x"), "content": "x"}),
                ),
            );
            if begun.elapsed().as_secs() > 10 {
                slow.push(format!("{what} at {names}: {:?} for 7 calls", begun.elapsed()));
            }
            user.sh(&format!(
                "cd project; rm -f {names}; git checkout -q . 2>/dev/null; [ -e .git/index ] || git reset -q"
            ));
        }
        let status = std::fs::read_to_string(format!("/proc/{}/status", pid.trim())).unwrap_or_default();
        let peak =
            status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("gone").trim().to_owned();
        let kib: u64 = peak.trim_end_matches(" kB").parse().unwrap_or(u64::MAX);
        if kib > 600_000 {
            slow.push(format!("{what}: the service took {peak}"));
        }
    }
    judged(slow.is_empty(), format!("{} groups of files x 4 plants; slow or large: {slow:?}", READ.len()))
}

/// What a person types in a project that they don't know yet.
const TYPED: &[&str] = &[
    "scan .",
    "scan --staged",
    "scan --history",
    "scan sub",
    "scan --baseline planted .",
    "config check",
    "config explain",
    "check --command 'bash planted; make; cat .env'",
    "policy test planted",
    "audit verify --receipt planted",
    "experiences import planted",
    "run -- true",
    "run --wall 3 -- true",
    "status",
];

fn planted_for_commands(world: &World) -> Tried {
    const FILES: &str = "planted .gitignore .ignore sub/.gitignore sub/.ignore .git/info/exclude .git/info/attributes .env Makefile \
        .gitattributes .gitmodules doorward.toml";
    let user = world.user();
    let mut slow = Vec::new();
    for (what, plant) in [
        ("a link to an endless device", "ln -sfn /dev/zero \"$name\""),
        ("a FIFO", "mkfifo \"$name\""),
        ("a link to 2 GB", "ln -sfn \"$HOME/sparse\" \"$name\""),
        ("a link to itself", "ln -sfn \"$(basename $name)\" \"$name\""),
    ] {
        user.sh(&format!(
            "truncate -s 2G sparse; mkdir -p project/sub; cd project; echo x > sub/x; for name in {FILES}; do rm -rf $name; {plant}; done"
        ));
        for words in TYPED {
            // Address space holds what the kernel counts at once: enough for the program, not for an endless file.
            let line = format!("cd project; ulimit -v 6000000; timeout 10 doorward {words} < /dev/null");
            let begun = std::time::Instant::now();
            let output = user.sh(&line);
            let code = output.status.code().unwrap_or(-1);
            if begun.elapsed().as_secs() > 6 || code >= 124 && code != 125 || code < 0 {
                let told = String::from_utf8_lossy(&output.stderr).into_owned();
                slow.push(format!("{what}: doorward {words}: exit {code}, {:?}: {told}", begun.elapsed()));
            }
        }
    }
    judged(slow.is_empty(), format!("{} commands x 4 plants; hung or filled: {slow:#?}", TYPED.len()))
}

fn scanned_history(world: &World) -> Tried {
    let user = world.user();
    let script = user.home.join("evil.sh");
    user.write(&script, "#!/bin/sh\ntouch \"$HOME/PWNED\"\n");
    let set_up = user.sh(
        "chmod +x evil.sh; cd project
         for key in core.fsmonitor core.pager core.sshCommand core.alternateRefsCommand core.gitProxy diff.external \
             diff.x.command diff.x.textconv filter.x.clean filter.x.smudge filter.x.process gpg.program \
             gpg.ssh.program credential.helper pager.log sequence.editor core.editor; do
             git config $key \"$HOME/evil.sh\"; done
         git config log.showSignature true; git config commit.gpgsign false
         git config core.hooksPath \"$HOME/hooks\"; mkdir -p ~/hooks
         for hook in post-index-change reference-transaction post-checkout pre-commit; do ln -s ~/evil.sh ~/hooks/$hook; done
         git config remote.p.url \"ext::$HOME/evil.sh\"; git config remote.p.promisor true
         git config remote.p.uploadpack \"$HOME/evil.sh\"; git config extensions.partialClone p
         git config protocol.ext.allow always
         echo '* diff=x filter=x' > .git/info/attributes
         printf '* diff=x filter=x\\n' > .gitattributes
         rm -f ~/PWNED",
    );
    let (history, _) = user.doorward(&["scan", "--history"]);
    let after_history = user.home.join("PWNED").exists();
    let (staged, _) = user.doorward(&["scan", "--staged"]);
    let ran = user.home.join("PWNED").exists();
    // Attributes that call everything binary: a staged secret is found nevertheless, from any folder of the project.
    let digits: String = (0..40_usize).map(|at| char::from(b"0123456789abcdef"[at * 7 % 16])).collect();
    user.sh(&format!(
        "cd project; git config --unset-all diff.x.textconv; mkdir -p deep; echo '* -diff binary' > .gitattributes; \
         echo '* -diff' > .git/info/attributes; echo 'github_token = ghp_{}' > deep/key.txt; git -c core.fsmonitor=false -c filter.x.clean= -c filter.x.process= -c core.hooksPath=/dev/null add -f deep/key.txt",
        &digits[..36]
    ));
    let hidden = user.sh("cd project/deep && doorward scan --staged").status.code() != Some(1);
    judged(
        set_up.status.success() && !ran && !hidden,
        format!(
            "scan --history: exit {history}, ran: {after_history}; scan --staged: exit {staged}, ran: {ran}; hidden by attributes: {hidden}"
        ),
    )
}

fn hidden_client_rules(world: &World) -> Tried {
    let user = world.user();
    user.settings("[hooks]\nshell = \"bind\"\n");
    let plants = [
        "printf '{\"permissions\": {\"deny\": [\"Bash(touch:*)\"]},}' > .claude/settings.json",
        "printf '{\"permissions\": {\"deny\": [\"Bash(touch:*)\"]}}' > .claude/settings.json; chmod 0 .claude/settings.json",
        "ln -sfn /dev/zero .claude/settings.json",
        "rm -f .claude/settings.json; mkfifo .claude/settings.json",
    ];
    let mut said = Vec::new();
    for plant in plants {
        user.sh(&format!("mkdir -p project/.claude && cd project && rm -rf .claude/settings.json; {plant}"));
        let answer = user.shell("default", "touch x");
        said.push(format!("{} {}", answer.decision(), answer.reason()));
    }
    let held = said.iter().all(|text| text.starts_with("deny") && text.contains(".claude/settings.json"));
    judged(held, format!("{said:?}"))
}

fn remote_engine(world: &World) -> Tried {
    let user = world.user();
    user.settings("[policy]\nremote = { kind = \"seed\", url = \"http://127.0.0.1:1/decide\" }\n");
    let said = user.shell("bypassPermissions", "ls");
    let asked = said.reason().contains("remote.transport");
    judged(said.decision() == "deny" && asked, format!("hook: {} {}", said.decision(), said.reason()))
}
