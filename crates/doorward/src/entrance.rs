//! How a call enters. Every way in fills one [`Entrance`]; [`Entrance::call`] alone reads tool names, labels, modes,
//! roots and schemas, under the settings of the call's project. So a call is judged alike, whichever way it came.

use std::sync::Arc;

use doorward_analyzers::self_report::{FIELD, REQUESTED};
use doorward_core::call::{Caller, Custody, OutsideRoots, Prompt, Settlement, Surface, ToolCall, Workplace};
use doorward_core::finding::Finding;
use doorward_core::id::SessionId;
use doorward_core::json::{Object, Value};
use doorward_core::tool::{Client, ToolName};
use doorward_hooks::clients::{ClientMode, canonical_call};
use doorward_mcp::schema::Prepared;
use doorward_settings::Settings;

use crate::{labels, modes};
pub use doorward_core::call::Principal;

/// What the schema of the called tool said about the label `security_risk`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelDuty {
    /// It asked for the label, so a missing one counts.
    Owed,
    /// Nobody asked for it; one that came counts all the same.
    Volunteered,
    /// The tool has an argument of that name, which is no label.
    Argument,
}

/// A call as a way in brings it.
#[derive(Debug, Clone)]
pub struct Entrance {
    /// Who calls, through which interface.
    pub caller: Caller,
    /// The tool: its canonical name, or one of the client's own.
    pub tool: ToolName,
    /// Its arguments, with the label where one came.
    pub args: Object,
    /// Where the call may act. How paths outside are judged is the way's own habit; `paths.roots` overrules it.
    pub place: Workplace,
    /// The mode that the caller claims; without one the settings' default holds.
    pub mode: Option<ClientMode>,
    /// Whether and how a person can be asked.
    pub prompt: Prompt,
    /// What the tool's schema said about the label.
    pub label: LabelDuty,
    /// The schema of the tool's arguments, where one is known.
    pub schema: Option<Arc<Prepared>>,
    /// What the caller says besides.
    pub context: Object,
}

impl Entrance {
    /// A call in the settings' default mode, with nobody to ask, whose label is owed.
    #[must_use]
    pub fn new(caller: Caller, tool: ToolName, args: Object, place: Workplace) -> Self {
        Self {
            caller,
            tool,
            args,
            place,
            mode: None,
            prompt: Prompt::None,
            label: LabelDuty::Owed,
            schema: None,
            context: Object::new(),
        }
    }

    /// The same in this mode, if one is claimed, with a person asked this way.
    #[must_use]
    pub fn settled(self, mode: Option<ClientMode>, prompt: Prompt) -> Self {
        Self { mode, prompt, ..self }
    }

    /// The call, under the settings of its project.
    #[must_use]
    pub fn call(self, settings: &Settings) -> ToolCall {
        let Self { caller, tool: spelled, args, mut place, mode, prompt, label, schema, mut context } = self;
        // A name that imitates another stays as it is: an unknown tool.
        let (tool, args) = match canonical_call(caller.client, spelled.as_str(), args.clone()) {
            Ok(canonical) => canonical,
            Err(_) => (spelled.clone(), args),
        };
        place.outside = settings.paths.roots.unwrap_or(place.outside);
        // Only the label's own reader says that it was asked for, and what it is.
        context.retain(|name, _| ![REQUESTED, FIELD].contains(&name.as_str()));
        let renamed = tool != spelled;
        let settlement = Settlement { mode: settings.modes.default, prompt };
        let mut call = ToolCall::new(caller, tool, args, place, settlement);
        call.renamed = renamed;
        call.context = context;
        modes::take(settings, &mut call, mode);
        if label != LabelDuty::Argument {
            labels::take(settings, &mut call, label == LabelDuty::Owed);
        }
        call.found.extend(schema.and_then(|schema| misfit(&schema, &call)));
        call
    }
}

/// A caller that Doorward's own command line stands for: no groups, Doorward's names of the tools.
pub(crate) fn own_caller(principal: Principal, session: SessionId, custody: Custody) -> Caller {
    Caller { principal, session, client: Client::Doorward, surface: Surface::Cli, custody }
}

/// The folder `cwd`, which is the only root, where a path that openly names another place is a question of the mode.
#[must_use]
pub fn only_root(cwd: &str) -> Workplace {
    let roots = vec![doorward_core::call::Root::parse(cwd)];
    Workplace { cwd: cwd.to_owned(), roots, outside: OutsideRoots::Ask }
}

/// What is wrong with the arguments of a call, by its tool's schema.
pub(crate) fn misfit(schema: &Arc<Prepared>, call: &ToolCall) -> Option<Finding> {
    let mut args = call.args.clone();
    // A client's hook leaves the label where the model wrote it, and no schema of the server's knows it.
    if call.context.contains_key(FIELD) {
        args.remove(FIELD);
    }
    let violation = schema.fits(&(&Value::Object(args)).into()).err()?.to_string();
    let text = violation.strip_prefix("args.schema: ").unwrap_or(&violation);
    Some(Finding { floor: true, blocking: true, ..Finding::new("args.schema", text.to_owned()) })
}
