//! Inspected calls made without an inspector: a shell command's words with files it reads and writes.

use std::sync::Arc;

use doorward_core::call::{
    Caller, Custody, OutsideRoots, Principal, Prompt, Root, Settlement, Surface, ToolCall, Workplace,
};
use doorward_core::effect::{Effects, Inspected, ReadEffect, Scope, WriteEffect};
use doorward_core::id::Digest;
use doorward_core::intent::{SimpleCommand, WriteMode};
use doorward_core::json::{Object, Value};
use doorward_core::mode::PermissionMode;
use doorward_core::session::SessionView;
use doorward_core::tool::{Client, ToolName};

pub(crate) fn inspected(turn: u64, command: &str) -> Inspected {
    let caller = Caller {
        principal: Principal { id: "me".into(), groups: vec![] },
        session: "s".into(),
        client: Client::Doorward,
        surface: Surface::Cli,
        custody: Custody::Advised,
    };
    let workplace =
        Workplace { cwd: "/w".into(), roots: vec![Root::parse("/w")], outside: OutsideRoots::Ask };
    let settlement = Settlement { mode: PermissionMode::Default, prompt: Prompt::Queue };
    let args = Object::from([("command".to_owned(), Value::from(command))]);
    let tool = ToolName::new("shell:execute").unwrap();
    let call = ToolCall::new(caller, tool, args, workplace, settlement);
    let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
    let read = |path: &String| ReadEffect {
        path: format!("/w/{path}"),
        scope: Scope::Inside,
        secret: false,
        metadata: false,
        reaches_host: false,
        certainty: Default::default(),
        span: Default::default(),
    };
    let write = |path: &String| WriteEffect {
        path: format!("/w/{path}"),
        scope: Scope::Inside,
        mode: WriteMode::Create,
        protection: None,
        redirected: false,
        certainty: Default::default(),
        span: Default::default(),
    };
    let is_path = |word: &&String| word.contains('/') && !word.contains("://");
    let paths: Vec<&String> = words.iter().filter(is_path).collect();
    let effects = Effects {
        reads: paths.iter().map(|path| read(path)).collect(),
        writes: paths.iter().take(1).map(|path| write(path)).collect(),
        executes: vec![SimpleCommand { program: words[0].clone(), words, ..SimpleCommand::default() }],
        ..Effects::default()
    };
    Inspected {
        args_digest: Digest::of(b""),
        call,
        effects,
        findings: Vec::new(),
        risk: Default::default(),
        score: None,
        classes: Default::default(),
        session: Arc::new(SessionView { turn, ..SessionView::default() }),
        session_digest: Digest::of(b""),
        sandbox: Default::default(),
        now: jiff::Timestamp::UNIX_EPOCH,
    }
}
