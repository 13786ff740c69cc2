//! The model's own risk label (analyzer `llm`): added to the schemas of tools, taken out of the arguments of calls.
//!
//! The label is taken out before anything is digested, shown or run, and travels beside the call in its context. It may
//! raise what the effects prove and never lowers it. Where the label was asked for and is missing, the risk is UNKNOWN.

use doorward_analyzers::AnalyzerName;
use doorward_analyzers::self_report::{self, EnhanceError, Enhancement, FIELD, REQUESTED};
use doorward_core::call::{Surface, ToolCall};
use doorward_core::json::{Object, Value};
use doorward_core::tool::{Client, ToolClass};
use doorward_hooks::clients::canonical_call;
use doorward_settings::{Profile, Settings};

use crate::reviewing;

/// Whether these settings read the model's label.
#[must_use]
pub fn are_read(settings: &Settings) -> bool {
    reviewing::uses(settings, AnalyzerName::SelfReport)
}

const fn manner(settings: &Settings) -> Enhancement {
    match settings.analyzers.profile {
        Profile::OpenhandsCompat => Enhancement::OpenhandsCompat,
        Profile::Default => Enhancement::Default,
    }
}

/// A tool's input schema as the model should see it: with a `security_risk` of its own where these settings read it and
/// the tool isn't annotated as reading only.
///
/// # Errors
/// [`EnhanceError`]: the schema isn't an object's, or has another parameter of that name.
pub fn enhanced(
    settings: &Settings,
    schema: &serde_json::Value,
    annotations: Option<&serde_json::Value>,
) -> Result<serde_json::Value, EnhanceError> {
    if are_read(settings) {
        self_report::enhance(schema, annotations, manner(settings))
    } else {
        Ok(schema.clone())
    }
}

/// Whether a tool of this name, as this client spells it, is known to read only: it owes no label.
#[must_use]
pub fn only_reads(client: Option<&str>, name: &str) -> bool {
    let client = client.and_then(Client::from_word).unwrap_or_default();
    let tool = canonical_call(client, name, Object::new()).map(|(tool, _)| tool);
    tool.is_ok_and(|tool| tool.class() == Some(ToolClass::ReadOnly))
}

/// Takes the label out of a call's arguments and puts it into its context.
///
/// `asked` says that a missing label counts: on every way in but hooks, and where the schemas of [`enhanced`] were
/// shown. The arguments of a tool that nobody knows are left alone where no label is read: the name may be a
/// parameter of its own.
pub(crate) fn take(settings: &Settings, call: &mut ToolCall, asked: bool) {
    let read = are_read(settings);
    if !read && call.tool.class().is_none() {
        return;
    }
    let label = match call.surface {
        // The client runs what it wrote, and tells its end by the same arguments: they stay as they are.
        Surface::Hook => call.args.get(FIELD).filter(|label| **label != Value::Null).cloned(),
        _ => self_report::take(&mut call.args),
    };
    if !read {
        return;
    }
    let changes = call.tool.class() != Some(ToolClass::ReadOnly);
    if asked && changes {
        call.context.insert(REQUESTED.to_owned(), Value::Bool(true));
    }
    if let Some(label) = label.filter(|_| changes) {
        call.context.insert(FIELD.to_owned(), label);
    }
}
