//! Embeds the gate: a tool call goes in, and a permit, a denial or a question for a person comes out.
//!
//! `cargo run -p doorward --example embed -- 'rm -rf ~'` judges that command as if it were started in the current
//! folder; without an argument it judges `ls`. This example never runs the command. It keeps its record in a temporary
//! folder, which is deleted at the end, and uses the built-in settings.

use doorward::entrance::Entrance;
use doorward::layers::Places;
use doorward::{Door, Options};
use doorward_core::call::{Caller, Custody, OutsideRoots, Principal, Root, Surface, Workplace};
use doorward_core::json::{Object, Value};
use doorward_core::tool::{Client, ToolName};
use doorward_gate::Admission;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let door = Door::open(Options::at(folder.path().join("state"), Places::default()))?;
    let caller = Caller {
        principal: Principal { id: "me".to_owned(), groups: Vec::new() },
        session: "example".into(),
        client: Client::Doorward,
        surface: Surface::Library,
        custody: Custody::Advised,
    };
    let cwd = std::env::current_dir()?.display().to_string();
    let place = Workplace { roots: vec![Root::parse(&cwd)], cwd, outside: OutsideRoots::Strict };
    let command = std::env::args().nth(1).unwrap_or_else(|| "ls".to_owned());
    let args = Object::from([("command".to_owned(), Value::from(command))]);
    let project = door.project(None);
    let call = Entrance::new(caller, ToolName::new("shell:execute")?, args, place).call(project.settings());
    match project.admit(call).await {
        Admission::Admitted(permit) => {
            println!("allowed, record {}", permit.decision());
            permit.withdraw().await?; // Nothing runs here. See the README for `redeem` and `hand_over`.
        }
        Admission::Denied(denial) => println!("denied ({}): {}", denial.code, denial.reason),
        Admission::Pending(pending) => println!("a person has to decide: {}", pending.ask.reason),
    }
    door.close().await;
    Ok(())
}
