//! What a session remembers, and what that changes for later calls.

use std::sync::Arc;

use doorward_core::risk::SecurityRisk::{High, Medium};
use doorward_core::session::SessionView;
use doorward_inspect::{Deed, EmptyWorld, Inspector, codes, example_call};

fn inspector() -> Inspector {
    Inspector::new(Arc::new(EmptyWorld::at_home("/home/user")))
}

/// Admits a call and takes note of it.
fn admit(
    session: &mut SessionView,
    tool: &str,
    arguments: &[(&str, &str)],
) -> doorward_core::effect::Inspected {
    let inspector = inspector();
    let mut call = example_call(tool, arguments[0].0, arguments[0].1).unwrap();
    for (name, text) in arguments {
        call.args.insert((*name).to_owned(), doorward_core::json::Value::String((*text).to_owned()));
    }
    let inspected = inspector.inspect(&call, session, &Default::default());
    Deed::of(&inspected, inspector.writes_of(&call, session)).add_to(session, "ALLOW");
    inspected
}

#[test]
fn a_written_file_is_remembered_with_its_content() {
    let mut session = SessionView::default();
    admit(&mut session, "fs:write", &[("path", "run.sh"), ("content", "echo hi")]);
    let file = &session.written["/workspace/run.sh"];
    assert_eq!(file.content.as_deref(), Some("echo hi"));
    assert!(file.digest.as_ref().is_some_and(|digest| digest.as_str().starts_with("sha256:")));
    // An edit in place leaves content nobody knows.
    admit(&mut session, "fs:write", &[("path", "run.sh"), ("new_str", "x")]);
    assert_eq!(session.written["/workspace/run.sh"].content, None);
    admit(&mut session, "fs:delete", &[("path", "run.sh")]);
    assert!(session.written.is_empty());
    assert_eq!((session.calls, session.recent.len()), (3, 3));
}

#[test]
fn secrets_and_strangers_leave_marks_that_nothing_clears() {
    let mut session = SessionView::default();
    admit(&mut session, "fs:read", &[("path", ".env")]);
    assert!(session.secrets_read.contains("/workspace/.env") && session.taints.contains("secret_read"));
    let fetched = admit(&mut session, "net:fetch", &[("url", "https://example.com/")]);
    assert_eq!(fetched.risk, High);
    assert!(codes(&fetched).contains("flow.combination"));
    assert!(session.taints.contains("egress") && session.taints.contains("untrusted_content"));
    let before = session.taints.clone();
    admit(&mut session, "fs:read", &[("path", "a.txt")]);
    assert_eq!(session.taints, before);
    assert_eq!(
        admit(&mut SessionView::default(), "net:fetch", &[("url", "https://example.com/")]).risk,
        Medium
    );
}

#[test]
fn memory_is_bounded() {
    let mut session = SessionView::default();
    for index in 0..600 {
        admit(&mut session, "fs:write", &[("path", &format!("f{index}")), ("content", "x")]);
    }
    assert!(session.written.len() <= 512 && session.recent.len() <= 20);
    admit(&mut session, "fs:write", &[("path", "big"), ("content", &"x".repeat(100 << 10))]);
    assert!(
        session
            .written
            .get("/workspace/big")
            .is_none_or(|file| file.content.as_ref().is_none_or(|text| text.len() <= 64 << 10))
    );
}

#[test]
fn what_is_sealed_is_what_was_judged() {
    let inspector = inspector();
    let call = example_call("fs:write", "path", "a").unwrap();
    let inspected = inspector.inspect(&call, &SessionView::default(), &Default::default());
    assert!(inspector.final_check(&inspected).is_ok());
}

#[test]
fn judged_files_are_compared_by_digest() {
    use doorward_inspect::MapWorld;
    let call = example_call("shell:execute", "command", "sh run.sh").unwrap();
    let before = Inspector::new(Arc::new(MapWorld::new().file("/workspace/run.sh", "echo 1")));
    let after = Inspector::new(Arc::new(MapWorld::new().file("/workspace/run.sh", "echo 2")));
    let inspected = before.inspect(&call, &SessionView::default(), &Default::default());
    assert!(!inspected.effects.judged_files.is_empty(), "the file that is run isn't named");
    assert!(before.final_check(&inspected).is_ok());
    assert_eq!(after.final_check(&inspected).unwrap_err().code, "shell.file_unseen");
}
