//! Posture `separate`: the service runs as the second user, and the first one, whose agents it guards, attacks it.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::world::{User, World};
use crate::{Attack, Tried, judged};

pub const ATTACKS: &[Attack] = &[Attack {
    class: "separate",
    tries: "the agent's user stops, reads, edits, replaces or answers a service that has a user of its own",
    run: another_user,
}];

/// Folders of a system's service, owned by the service's user.
struct Installed {
    state: tempfile::TempDir,
    run: PathBuf,
}

impl Installed {
    fn new(agent: &User, service: &User) -> Self {
        let run = PathBuf::from(format!("/run/doorward/{}", agent.uid));
        std::fs::create_dir_all(&run).unwrap();
        let state = tempfile::tempdir_in("/var/tmp").unwrap();
        for (folder, mode) in [(run.as_path(), 0o755), (state.path(), 0o700)] {
            std::os::unix::fs::chown(folder, Some(service.uid), Some(service.gid)).unwrap();
            std::fs::set_permissions(folder, std::fs::Permissions::from_mode(mode)).unwrap();
        }
        Self { state, run }
    }
}

impl Drop for Installed {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.run);
        // Only if it is empty: another service's folders may lie there.
        let _ = std::fs::remove_dir("/run/doorward");
    }
}

fn another_user(world: &World) -> Tried {
    if Path::new("/run/doorward").exists() {
        return Tried::Lacking(
            "a machine without a system's Doorward of its own (/run/doorward is there)".to_owned(),
        );
    }
    let agent = world.user();
    let service = world.other();
    let installed = Installed::new(&agent, &service);
    let state = installed.state.path();
    service.write(
        &state.join("doorward.toml"),
        "[rules]\ndeny = [\"shell(touch *)\"]\n[hooks]\nask = \"queue\"\n",
    );
    // As the unit file has it: it may look at files that only their owner may read.
    let mut running = Command::new("setpriv")
        .args([
            "--ambient-caps",
            "+dac_read_search,+sys_ptrace",
            "--inh-caps",
            "+dac_read_search,+sys_ptrace",
        ])
        .arg(format!("--reuid={}", service.uid))
        .arg(format!("--regid={}", service.gid))
        .arg("--init-groups")
        .arg(service.program("doorward"))
        .env_clear()
        .args(["serve", "--port", "0", "--for", agent.name, "--state"])
        .arg(state)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let until = Instant::now() + Duration::from_secs(20);
    while !installed.run.join("doorward.sock").exists() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(100));
    let shell =
        |mode: &str, command: &str| agent.hook_of_an_agent("claude-code", &agent.shell_event(mode, command));
    let mut failed = Vec::new();
    let mut check = |what: &str, held: bool, happened: String| {
        if !held {
            failed.push(format!("{what}: {happened}"));
        }
    };

    let said = shell("bypassPermissions", "touch x");
    check(
        "a deny rule of the service",
        said.decision() == "deny" && said.reason().contains("rule.deny"),
        format!("{said:?}"),
    );
    let said = shell("default", "ls");
    check("a read", said.decision() == "none", format!("{said:?}"));
    let pid = running.id();
    for attack in [
        format!("kill -9 {pid}"),
        format!("cat {}/token", state.display()),
        format!("echo x >> {}/doorward.toml", state.display()),
        format!("rm -rf {}", state.display()),
        format!("rm {}/doorward.sock", installed.run.display()),
        format!("mv {} /tmp/x", installed.run.display()),
        format!("cat /proc/{pid}/environ"),
    ] {
        let tried = agent.sh(&attack);
        check(&attack, !tried.status.success(), format!("{tried:?}"));
    }
    // Its own service in the way of the system's: the hook doesn't ask it.
    let own = agent
        .command(agent.program("doorward"))
        .args(["serve", "--port", "0"])
        .stderr(Stdio::piped())
        .output();
    let text = String::from_utf8_lossy(&own.unwrap().stderr).into_owned();
    check("a service of the agent's own", text.contains("error"), text);
    let said = shell("bypassPermissions", "touch x");
    check(
        "a deny rule afterwards",
        said.decision() == "deny" && said.reason().contains("rule.deny"),
        format!("{said:?}"),
    );

    // Questions: asked, and not answered by the agent's user, with or without a terminal.
    let asked = shell("default", "sudo true");
    check("a question", asked.decision() == "deny", format!("{asked:?}"));
    let (code, open) = agent.doorward(&["approvals", "list"]);
    check("the agent's user looks at the queue", code != 0, open);
    for words in [
        ["approvals", "passphrase", "--passphrase-stdin"].as_slice(),
        &["console"],
        &["approvals", "approve", "x"],
    ] {
        let line = format!("script -qefc 'doorward {}' /dev/null", words.join(" "));
        let tried = agent.sh(&format!("echo 'chosen by an agent' | {line}"));
        check(&line, !tried.status.success(), format!("{tried:?}"));
    }
    let (_, status) = agent.doorward(&["status"]);
    let only_hooks = status.contains("managed settings") && !status.contains("may write");
    check("the posture is measured, with what is missing", only_hooks, status);

    // Down: the hook starts none of its own and denies.
    let _ = Command::new("kill").arg(pid.to_string()).status();
    let _ = running.wait();
    let said = shell("bypassPermissions", "touch x");
    check(
        "while it is down",
        said.decision() == "deny" && said.reason().contains("service.unavailable"),
        format!("{said:?}"),
    );
    check(
        "none was started",
        !agent.home.join(".local/state/doorward").exists(),
        "a state folder was made".to_owned(),
    );
    judged(failed.is_empty(), format!("18 tried, failed: {failed:#?}"))
}
