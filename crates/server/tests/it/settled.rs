//! What a yes of the queue settles: a flow of the session, and nothing else; and how long it counts where something
//! that would run can't be followed.

use crate::support::Bench;
use doorward::rooms::store::Role;
use serde_json::{Value, json};

/// A queue with a person, and an agent's shell in a project of its own.
struct Shell {
    bench: Bench,
    ana: String,
    /// Not beside the service's own files.
    project: tempfile::TempDir,
}

impl Shell {
    fn new(settings: &str) -> Self {
        let bench = Bench::new("");
        bench.settings(settings);
        let ana = bench.account("ana", Role::Approver, &[]);
        Self { bench, ana, project: tempfile::tempdir().unwrap() }
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.project.path().join(name), text).unwrap();
    }

    fn decide(&self, command: &str) -> Value {
        let project = self.project.path();
        let request = json!({"principal": {"id": "agent-a"}, "action": "tool:execute",
            "resource": {"type": "tool", "name": "shell:execute", "attributes": {"args": {"command": command}}},
            "context": {"cwd": project, "roots": [project], "session_id": "s", "mode": "bypassPermissions"}});
        let reply = self.bench.local("POST", "/v1/decide", Some(&request.to_string()));
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.json()
    }

    /// A call that passes and runs.
    fn runs(&self, command: &str) {
        let decided = self.decide(command);
        assert_eq!(decided["decision"], "ALLOW", "{command}: {decided}");
        let path = format!("/v1/decisions/{}/outcome", decided["record_id"].as_str().unwrap());
        let reply = self.bench.local("POST", &path, Some(r#"{"outcome": "ran", "exit": 0}"#));
        assert!(reply.status < 300, "{reply:?}");
    }

    /// A question, answered with a yes that reaches so far.
    fn agreed(&self, command: &str, reach: &str) {
        let asked = self.decide(command);
        let id =
            asked["confirmation"]["confirmationId"].as_str().unwrap_or_else(|| panic!("{command}: {asked}"));
        let answered = self.bench.answer(&self.ana, id, json!({"reach": reach}));
        assert_eq!(answered.status, 200, "{answered:?}");
    }
}

#[test]
fn a_yes_of_the_queue_settles_the_flow_and_no_other() {
    let shell = Shell::new("");
    for name in ["tool", "other"] {
        shell.runs(&format!("wget https://files.stranger.example/{name} -O {name}"));
        shell.write(name, "echo built\n");
    }
    shell.agreed("bash tool --run", "once");
    shell.runs("bash tool --run");
    // The yes is used up, and what it agreed to is no longer a question.
    shell.runs("bash tool --run");
    let other = shell.decide("bash other --run");
    assert_eq!(other["policies"], json!(["agent.flow.confirm"]), "{other}");
}

#[test]
fn a_yes_to_what_cant_be_followed_is_good_for_one_attempt() {
    let shell = Shell::new("[policy]\npacks = []\n[rules]\nask = [\"shell(python3 *)\"]\n");
    shell.write("helper.py", "x = 1\n");
    shell.write("plain.py", "import helper\nprint(helper.x)\n");
    shell.write("computed.py", "import importlib, os\nm = importlib.import_module(os.environ['M'])\n");
    for (command, again) in
        [("python3 plain.py", "ALLOW"), ("python3 computed.py", "REQUIRE_USER_CONFIRMATION")]
    {
        shell.agreed(command, "session");
        shell.runs(command);
        let second = shell.decide(command);
        assert_eq!(second["decision"], again, "{command}: {second}");
    }
}
