//! Guards a tool of your own: its call is asked for, carried out with the permit's arguments, and closed by its outcome.
//!
//! `cargo run -p doorward --example guard_tool -- /etc/passwd` asks for a read of that file; without an argument the
//! example reads a note of its own. Secrets in what it shows are masked.

use std::path::Path;
use std::sync::Arc;

use doorward::entrance::Entrance;
use doorward::layers::Places;
use doorward::{Door, Options};
use doorward_core::call::{Caller, Custody, OutsideRoots, Principal, Root, Surface, Workplace};
use doorward_core::decision::Obligation;
use doorward_core::id::Digest;
use doorward_core::json::{Object, Value};
use doorward_core::record::Outcome;
use doorward_core::tool::{Client, ToolName};
use doorward_gate::{Admission, Done};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let work = folder.path().join("work");
    std::fs::create_dir(&work)?;
    std::fs::write(work.join("note.txt"), "buy milk\n")?;
    let door = Door::open(Options::at(folder.path().join("state"), Places::default()))?;
    let path = std::env::args().nth(1).unwrap_or_else(|| work.join("note.txt").display().to_string());
    match read_file(&door, &work, &path).await {
        Ok(text) => println!("read: {text}"),
        Err(why) => println!("not read: {why}"),
    }
    door.close().await;
    Ok(())
}

/// The tool. The path that it opens is the one that was judged.
async fn read_file(door: &Arc<Door>, work: &Path, path: &str) -> Result<String, Box<dyn std::error::Error>> {
    let project = door.project(None);
    let call = entrance(work, path)?.call(project.settings());
    let permit = match project.admit(call).await {
        Admission::Admitted(permit) => permit,
        Admission::Denied(denial) => return Err(format!("{}: {}", denial.code, denial.reason).into()),
        Admission::Pending(pending) => return Err(pending.ask.reason.into()),
    };
    let (sealed, owed, duty) = match permit.redeem() {
        Ok(redeemed) => redeemed,
        Err(refused) => {
            let why = refused.to_string();
            refused.duty.close(Outcome::Refused, Done::default()).await?;
            return Err(why.into());
        }
    };
    // An embedding program meets what it is told, or doesn't run the call: there is no sandbox here.
    if owed.iter().any(|owed| matches!(owed, Obligation::Sandbox { .. } | Obligation::RewriteArgs)) {
        duty.close(Outcome::Refused, Done::default()).await?;
        return Err("a rule asks for what this program can't do".into());
    }
    let judged = sealed.inspected().call.arg("path").unwrap_or_default().to_owned();
    match std::fs::read_to_string(judged) {
        Ok(text) => {
            let text = doorward_secrets::redact_text(&text);
            let bytes = u64::try_from(text.len())?;
            let done = Done { output_digest: Some(Digest::of(text.as_bytes())), bytes, ..Done::default() };
            duty.close(Outcome::Ran, done).await?;
            Ok(text)
        }
        Err(error) => {
            duty.close(Outcome::Failed, Done::default()).await?;
            Err(error.into())
        }
    }
}

fn entrance(work: &Path, path: &str) -> Result<Entrance, Box<dyn std::error::Error>> {
    let caller = Caller {
        principal: Principal { id: "me".to_owned(), groups: Vec::new() },
        session: "example".into(),
        client: Client::Doorward,
        surface: Surface::Library,
        custody: Custody::Advised,
    };
    let cwd = work.display().to_string();
    let place = Workplace { roots: vec![Root::parse(&cwd)], cwd, outside: OutsideRoots::Strict };
    let args = Object::from([("path".to_owned(), Value::from(path))]);
    Ok(Entrance::new(caller, ToolName::new("fs:read")?, args, place))
}
