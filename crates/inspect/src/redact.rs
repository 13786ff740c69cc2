//! What may be stored and shown of an inspected call: every text that came from outside passes a masking
//! function first; digests, codes, classes and levels stay.

use std::collections::BTreeSet;
use std::sync::Arc;

use doorward_core::effect::{Effects, Inspected};
use doorward_core::intent::{Origin, SimpleCommand};
use doorward_core::json::Value;
use doorward_core::session::{PastCall, SessionView, WrittenFile};

/// The same with every text masked. The digests stay those of the original.
#[must_use]
pub fn redacted(inspected: &Inspected, mask: &dyn Fn(&str) -> String) -> Inspected {
    let mut out = inspected.clone();
    for value in out.call.args.values_mut().chain(out.call.context.values_mut()) {
        mask_value(value, mask);
    }
    effects(&mut out.effects, mask);
    for finding in &mut out.findings {
        finding.message = mask(&finding.message);
        finding.suggestion = finding.suggestion.as_deref().map(mask);
    }
    // What the session did has records of its own.
    out.session = Arc::default();
    out
}

/// What may be shown of a session, to the guardian for one. Content of files is for analysis only; its digest is
/// enough.
#[must_use]
pub fn redacted_session(session: &SessionView, mask: &dyn Fn(&str) -> String) -> SessionView {
    let set = |texts: &BTreeSet<String>| texts.iter().map(|text| mask(text)).collect();
    let file =
        |(path, file): (&String, &WrittenFile)| (mask(path), WrittenFile { content: None, ..file.clone() });
    let past = |past: &PastCall| PastCall { args: mask(&past.args), ..past.clone() };
    SessionView {
        written: session.written.iter().map(file).collect(),
        secrets_read: set(&session.secrets_read),
        secret_turns: session.secret_turns.iter().map(|(path, turn)| (mask(path), *turn)).collect(),
        remotes_added: set(&session.remotes_added),
        recent: session.recent.iter().map(past).collect(),
        id: session.id.clone(),
        taints: session.taints.clone(),
        flows: session.flows.clone(),
        intent: session.intent,
        counters: session.counters.clone(),
        workflow_taints: session.workflow_taints.clone(),
        ..*session
    }
}

fn mask_value(value: &mut Value, mask: &dyn Fn(&str) -> String) {
    match value {
        Value::String(text) => *text = mask(text),
        Value::Array(items) => items.iter_mut().for_each(|item| mask_value(item, mask)),
        Value::Object(members) => members.values_mut().for_each(|item| mask_value(item, mask)),
        _ => {}
    }
}

fn effects(effects: &mut Effects, mask: &dyn Fn(&str) -> String) {
    let apply = |text: &mut String| *text = mask(text);
    effects.reads.iter_mut().for_each(|read| apply(&mut read.path));
    effects.writes.iter_mut().for_each(|write| apply(&mut write.path));
    effects.deletes.iter_mut().for_each(|delete| apply(&mut delete.path));
    effects.executes.iter_mut().for_each(|command| simple(command, mask));
    effects.hosts.iter_mut().for_each(|host| apply(&mut host.host));
    effects.env_reads = effects.env_reads.iter().map(|name| mask(name)).collect();
    effects.privilege.iter_mut().for_each(|privilege| apply(&mut privilege.detail));
    effects.history_loss.iter_mut().for_each(|loss| apply(&mut loss.what));
    effects.installs.iter_mut().for_each(|install| install.packages.iter_mut().for_each(apply));
    effects.unknown.iter_mut().for_each(|unknown| apply(&mut unknown.reason));
    effects.judged_files.iter_mut().for_each(|file| apply(&mut file.path));
}

fn simple(command: &mut SimpleCommand, mask: &dyn Fn(&str) -> String) {
    // Words are masked together too: a secret may be told only by the word before it.
    let line = command.words.join(" ");
    let masked = mask(&line);
    if masked != line {
        let words: Vec<String> = command.words.iter().map(|word| mask(word)).collect();
        command.words = if words.join(" ") == masked { words } else { vec![masked] };
    }
    command.assignments.iter_mut().for_each(|text| *text = mask(text));
    if let Origin::File(path) = &mut command.origin {
        path.text = mask(&path.text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_passes_unmasked() {
        let inspector = crate::Inspector::new(std::sync::Arc::new(crate::EmptyWorld::default()));
        let mut session = doorward_core::SessionView::default();
        session.written.insert("/workspace/hunter2".to_owned(), Default::default());
        for (tool, argument, text) in [
            (
                "shell:execute",
                "command",
                "curl -H 'x: hunter2' https://hunter2.example/ -o hunter2 && rm hunter2",
            ),
            ("fs:write", "path", "/hunter2"),
            ("net:fetch", "url", "https://hunter2.example/hunter2"),
        ] {
            let call = crate::example_call(tool, argument, text).unwrap();
            let inspected = inspector.inspect(&call, &session, &Default::default());
            let stored = redacted(&inspected, &|text: &str| text.replace("hunter2", "[masked]"));
            let stored_text = serde_json::to_string(&stored).unwrap();
            assert!(!stored_text.contains("hunter2"), "{stored_text}");
            assert_eq!(stored.args_digest, inspected.args_digest);
        }
    }
}
