//! The real Codex skips hooks that it doesn't trust. So an installation says so and fails, or has Codex trust
//! Doorward's hook and no other; `doctor` names the command; `guard` starts no Codex that doesn't trust the hook; and an
//! uninstallation leaves Codex's files as they were.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::support::agents::{codex_config, finish, quiet};
use crate::support::model::{Model, Wire};
use crate::support::{Bench, DOORWARD, lacking, npm_program};
use serde_json::json;

const CONFIG: &str = "[rules]\ndeny = [\"shell(touch PWNED)\"]\n";
/// A hook of the user's own that Codex doesn't trust.
const FOREIGN: &str = "{\"hooks\": {\"PreToolUse\": [\n  {\"matcher\": \"^Nothing$\", \"hooks\": [{\"type\": \
                       \"command\", \"command\": \"true\"}]}]}}\n";

struct Setting {
    bench: Bench,
    model: Model,
    codex: PathBuf,
    hooks: PathBuf,
    config: PathBuf,
}

impl Setting {
    fn new(codex: PathBuf) -> Self {
        let mut bench = Bench::new(CONFIG);
        bench.serve();
        let calls = vec![("exec_command".to_owned(), json!({"cmd": "touch PWNED"}))];
        let model = Model::asking(Wire::Responses, calls);
        let folder = bench.home().join(".codex");
        fs::create_dir_all(&folder).unwrap();
        let (hooks, config) = (folder.join("hooks.json"), folder.join("config.toml"));
        fs::write(&hooks, FOREIGN).unwrap();
        fs::write(&config, format!("# mine\n{}", codex_config(&model))).unwrap();
        Self { bench, model, codex, hooks, config }
    }

    fn doorward(&self, words: &[&str]) -> Output {
        let mut command = quiet(Path::new(DOORWARD), &self.bench, &self.model);
        command.args(words).arg("--file").arg(&self.hooks);
        if words[0] != "uninstall" {
            command.arg("--state").arg(self.bench.state());
        }
        // `codex` is found on the user's PATH.
        let path = std::env::var_os("PATH").unwrap();
        let folders = self.codex.parent().map(Path::to_owned).into_iter().chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(folders).unwrap());
        finish(command, "doorward")
    }

    /// Whether a run of Codex makes the file that a rule of the user's denies.
    fn is_unguarded(&self) -> bool {
        let canary = self.bench.project().join("PWNED");
        let _ = fs::remove_file(&canary);
        let mut command = quiet(&self.codex, &self.bench, &self.model);
        let all = "--dangerously-bypass-approvals-and-sandbox";
        command.args(["exec", "--json", "--skip-git-repo-check", all, "go"]);
        finish(command, "codex");
        canary.exists()
    }
}

fn both(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn an_untrusted_hook_is_a_failed_installation_and_trust_is_taken_back_with_the_hook() {
    let Some(codex) = npm_program("codex") else {
        return lacking("an_untrusted_hook_is_a_failed_installation", "npm package @openai/codex");
    };
    let setting = Setting::new(codex);
    let before = [&setting.hooks, &setting.config].map(|file| fs::read(file).unwrap());

    let installed = setting.doorward(&["install", "codex", "--in-place"]);
    let told = both(&installed);
    assert_eq!(installed.status.code(), Some(1), "{told}");
    assert!(
        told.contains("Nothing is guarded yet") && told.contains("doorward install codex --trust"),
        "{told}"
    );
    let examined = setting.doorward(&["doctor", "codex"]);
    let told = both(&examined);
    assert!(!examined.status.success(), "{told}");
    assert!(told.contains("run unguarded") && told.contains("doorward install codex --trust"), "{told}");
    assert!(setting.is_unguarded(), "what the notice says is true of this Codex");

    let trusted = setting.doorward(&["install", "codex", "--in-place", "--trust"]);
    assert!(trusted.status.success(), "{}", both(&trusted));
    assert!(!setting.is_unguarded(), "the rule holds now");
    let examined = both(&setting.doorward(&["doctor", "codex"]));
    assert!(examined.contains("Codex trusts it"), "{examined}");
    let trust = fs::read_to_string(&setting.config).unwrap();
    assert!(!trust.contains("pre_tool_use:0:0"), "the user's own hook isn't trusted in passing: {trust}");
    assert!(trust.contains("pre_tool_use:1:0"), "{trust}");
    let again = setting.doorward(&["install", "codex", "--in-place"]);
    assert!(again.status.success(), "it stays trusted: {}", both(&again));

    let removed = setting.doorward(&["uninstall", "codex"]);
    assert!(removed.status.success(), "{}", both(&removed));
    let after = [&setting.hooks, &setting.config].map(|file| fs::read(file).unwrap());
    assert_eq!(after.map(String::from_utf8), before.map(String::from_utf8), "byte for byte");
    let names =
        fs::read_dir(setting.hooks.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name());
    let ours: Vec<_> = names.filter(|name| name.to_string_lossy().contains("doorward")).collect();
    assert!(ours.is_empty(), "{ours:?}");
}

#[test]
fn guard_starts_no_codex_that_does_not_come_to_trust_the_hook() {
    let bench = {
        let mut bench = Bench::new(CONFIG);
        bench.serve();
        bench
    };
    let model = Model::asking(Wire::Responses, Vec::new());
    let folder = bench.home().join("bin");
    fs::create_dir_all(&folder).unwrap();
    let ran = bench.file("ran");
    // One that lists no hooks, one without an app server, one that says it trusts nothing.
    let answers = |hooks: &str| {
        format!(
            "while read -r line; do case $line in *hooks/list*) echo '{{\"id\":2,\"result\":{{\"data\":[{{\"hooks\":{hooks}}}]}}}}'\n\
             echo '{{\"id\":4,\"result\":{{\"data\":[{{\"hooks\":{hooks}}}]}}}}';; *initialized*) ;; *initialize*) \
             echo '{{\"id\":1,\"result\":{{}}}}';; *) echo '{{\"id\":3,\"result\":{{}}}}';; esac; done"
        )
    };
    let untrusted =
        "[{\"key\":\"k\",\"currentHash\":\"sha256:0\",\"trustStatus\":\"untrusted\",\"enabled\":true}]";
    for (name, server) in [
        ("no hooks", answers("[]")),
        ("no app server", "exit 1".to_owned()),
        ("untrusted", answers(untrusted)),
    ] {
        let codex = folder.join("codex");
        let script = format!(
            "#!/bin/sh\nif [ \"$1\" = app-server ]; then\n{server}\nexit\nfi\ntouch {}\n",
            ran.display()
        );
        fs::write(&codex, script).unwrap();
        fs::set_permissions(&codex, fs::Permissions::from_mode(0o755)).unwrap();
        let mut command = quiet(Path::new(DOORWARD), &bench, &model);
        command.args(["guard", "--state"]).arg(bench.state()).arg("--").arg(&codex).args(["exec", "go"]);
        let output = finish(command, "guard");
        let told = both(&output);
        assert!(!output.status.success() && told.contains("codex."), "{name}: {told}");
        assert!(!ran.exists(), "{name}: it was started all the same");
    }
}
