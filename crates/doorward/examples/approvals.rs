//! Answers approvals from your own interface: the question is put, a person answers in your dialog, and the identical
//! call then runs once.
//!
//! `cargo run -p doorward --example approvals -- yes` plays a person who says yes; anything else is a no.

use std::path::Path;

use doorward::{Broker, Door, Options, contract};
use doorward_core::approval::Presence;
use doorward_core::decision::Verdict;
use doorward_store::Answering;
use jiff::Timestamp;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let state = folder.path().join("state");
    let rule = "[rules]\nask = [{ rule = \"shell(git push *)\", reason = \"A push is for a person.\" }]\n";
    std::fs::create_dir(&state)?;
    std::fs::write(state.join("doorward.toml"), rule)?;
    let door = Door::open_service(&state, Options::usual(&state)).await?;
    let request = request(folder.path());
    let first = contract::decide_embedded(&door, request.as_bytes()).await?;
    println!("first: {} ({})", first.decision.as_str(), first.reason);
    let broker = door.approvals().broker().ok_or("this door asks nobody")?;
    your_dialog(broker, std::env::args().nth(1).as_deref() == Some("yes")).await?;
    for nth in ["then", "again"] {
        let answer = contract::decide_embedded(&door, request.as_bytes()).await?;
        println!("{nth}: {}", answer.decision.as_str());
        if answer.decision != Verdict::Allow {
            break;
        }
    }
    door.close().await;
    Ok(())
}

/// Shows each open question and answers it. The record says that this program's dialog was answered (`client_dialog`):
/// put a person before it, or answer with what you really know of them.
async fn your_dialog(broker: &Broker, yes: bool) -> Result<(), Box<dyn std::error::Error>> {
    for open in broker.store().pending(Timestamp::now()).await? {
        let ask = &open.ask;
        println!("asked: {} ({}) {}", ask.binding.tool, ask.warning.level.as_str(), ask.reason);
        let answer = Answering {
            // What has to be typed, where the question asks for it.
            typed: ask.confirm.phrase.clone().filter(|_| yes),
            reason: (!yes).then(|| "not today".to_owned()),
            ..Answering::new("the person at the screen", Presence::ClientDialog, "example", yes)
        };
        broker.answer(&ask.id, &answer).await?;
    }
    Ok(())
}

fn request(cwd: &Path) -> String {
    serde_json::json!({
        "principal": {"id": "me"}, "action": "tool:execute",
        "resource": {"type": "tool", "name": "shell:execute", "attributes": {"args": {"command": "git push origin main"}}},
        "context": {"session_id": "example", "cwd": cwd},
    })
    .to_string()
}
