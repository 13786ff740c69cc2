//! A bare inspected call, for this crate's tests.

use doorward_core::call::{Custody, OutsideRoots, Principal, Prompt, Root, Surface, ToolCall};
use doorward_core::effect::{Effects, Inspected, SandboxFacts};
use doorward_core::json::Value;
use doorward_core::mode::PermissionMode;
use doorward_core::risk::SecurityRisk;
use doorward_core::session::SessionView;
use doorward_core::tool::{Client, ToolName};

/// A MEDIUM call without effects, in `/w`.
pub(crate) fn inspected(tool: &str, args: &str) -> Inspected {
    let Value::Object(args) = Value::parse(args).unwrap() else { panic!("arguments are an object") };
    let call = ToolCall {
        id: "1".into(),
        principal: Principal { id: "u".into(), groups: vec![] },
        session: "s".into(),
        agent: None,
        workflow: None,
        client: Client::from_word("claude-code").unwrap(),
        surface: Surface::Library,
        custody: Custody::Bound,
        tool: ToolName::new(tool).unwrap(),
        action: "tool:execute".into(),
        args,
        cwd: "/w".into(),
        roots: vec![Root::parse("/w")],
        outside: OutsideRoots::Ask,
        mode: PermissionMode::Default,
        prompt: Prompt::Queue,
        context: Default::default(),
        deadline: None,
    };
    Inspected {
        args_digest: call.args_digest(),
        call,
        effects: Effects::default(),
        findings: vec![],
        risk: SecurityRisk::Medium,
        score: Some(50),
        classes: Default::default(),
        session: SessionView { id: "s".into(), ..SessionView::default() },
        sandbox: SandboxFacts::default(),
        now: jiff::Timestamp::UNIX_EPOCH,
    }
}
