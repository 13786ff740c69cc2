//! Each example does what it says. `cargo test` builds all examples beside this test, `cargo xtask test` those that it
//! names in `xtask/src/programs.rs`.

use std::process::Command;

/// What an example prints.
fn run(name: &str, arguments: &[&str]) -> String {
    let own = std::env::current_exe().unwrap();
    let program = own.parent().unwrap().parent().unwrap().join("examples").join(name);
    assert!(program.exists(), "{} isn't built: cargo build -p doorward --examples", program.display());
    let output = Command::new(program).args(arguments).output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{name}: {told}{}", String::from_utf8_lossy(&output.stderr));
    told
}

#[test]
fn the_gate_is_embedded_in_a_few_lines() {
    assert!(run("embed", &["ls"]).starts_with("allowed, record "));
    assert!(run("embed", &["rm -rf ~"]).starts_with("denied (shell.delete_everything)"));
    // "In 30 lines": what `main` takes.
    let source = include_str!("../../examples/embed.rs");
    let main = source.split_once("#[tokio::main]").unwrap().1;
    assert!(main.lines().count() <= 40, "{} lines", main.lines().count());
}

#[test]
fn a_tool_of_ones_own_is_guarded() {
    assert_eq!(run("guard_tool", &[]), "read: buy milk\n\n");
    assert!(run("guard_tool", &["/etc/shadow"]).starts_with("not read: "));
    assert!(run("guard_tool", &["../state/token"]).starts_with("not read: "));
}

#[test]
fn an_analyzer_of_ones_own_raises_the_risk() {
    let told = run("analyzer", &["echo payroll"]);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[0], "without: ALLOW at risk LOW");
    assert_eq!(lines[1], "with: REQUIRE_USER_CONFIRMATION at risk HIGH");
    // It can't lower what the effects prove.
    let told = run("analyzer", &["rm -rf ~"]);
    assert!(told.lines().all(|line| line.contains("DENY at risk HIGH")), "{told}");
}

#[test]
fn approvals_are_answered_from_ones_own_interface() {
    let yes = run("approvals", &["yes"]);
    assert!(yes.starts_with("first: REQUIRE_USER_CONFIRMATION"), "{yes}");
    assert!(yes.contains("asked: shell:execute"), "{yes}");
    // A yes counts once.
    assert!(yes.ends_with("then: ALLOW\nagain: REQUIRE_USER_CONFIRMATION\n"), "{yes}");
    assert!(run("approvals", &["no"]).ends_with("then: REQUIRE_USER_CONFIRMATION\n"));
}
