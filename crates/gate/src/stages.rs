//! The stages that other crates implement, as traits.

use std::sync::Arc;

use doorward_core::Boxed;
use doorward_core::assessment::Assessment;
use doorward_core::call::ToolCall;
use doorward_core::effect::Inspected;
use doorward_core::finding::Finding;
use doorward_core::id::{DecisionId, Digest, SessionId};
use doorward_core::json::Value;
use doorward_core::record::Outcome;
use doorward_core::session::SessionView;

use crate::combine::Settling;
use crate::gate::Denial;
use crate::judged::Case;

/// Resolves a call on this machine. The only stage that looks at files and network.
pub trait Inspect: Send + Sync {
    /// The call with its effects, findings, risk and classes.
    fn inspect(&self, call: ToolCall, session: Arc<SessionView>) -> Inspected;

    /// The last check before execution, on exactly what will run: the simple commands and the content of judged files
    /// are unchanged, and the arguments fit their schema.
    ///
    /// # Errors
    /// The finding that forbids execution.
    fn final_check(&self, inspected: &Inspected) -> Result<(), Finding>;

    /// The content of files that a yes to this call covers.
    fn covered(&self, _inspected: &Inspected) -> CoveredContent {
        CoveredContent::default()
    }

    /// A copy with every secret masked and without the session: safe to store and show.
    fn redact(&self, inspected: &Inspected) -> Inspected;

    /// A copy of the session with every secret masked: safe to send to a model.
    fn redact_session(&self, session: &SessionView) -> SessionView;

    /// The arguments as shown to a person: each secret is replaced by its kind and length.
    fn shown(&self, inspected: &Inspected) -> Value {
        self.redact(inspected).call.args_value()
    }
}

/// What a yes to a call covers beside the call itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CoveredContent {
    /// Digest over the content of files; `None` where it covers none.
    pub digest: Option<Digest>,
    /// Some of it couldn't be followed, so that it may change without another digest.
    pub unfollowed: bool,
}

/// State of sessions: a stage that can wait, fail and remember.
pub trait Sessions: Send + Sync {
    /// The call's turn. Calls of one session are inspected one after the other; each sees the effects of earlier
    /// ones, even while they still run. Sessions never wait for each other.
    ///
    /// # Errors
    /// [`Denial`] if the session is stopped, or the turn didn't come in time.
    fn enter<'a>(&'a self, call: &'a ToolCall) -> Boxed<'a, Result<Box<dyn Turn>, Denial>>;
}

/// Receives outcomes of calls that were allowed or left to their client. Marks follow outcomes: a call that never ran
/// leaves none.
pub trait Outcomes: Send + Sync {
    /// The outcome of this decision's call.
    fn observed(&self, session: &SessionId, decision: &DecisionId, outcome: Outcome);

    /// The result of this decision's call, before its client reads it.
    fn returned(&self, session: &SessionId, decision: &DecisionId, result: &Returned<'_>);
}

/// The result of a call, as the surface received it.
#[derive(Debug, Clone, Copy)]
pub struct Returned<'a> {
    /// The bytes of the result: a command's output, a file's content, an MCP result's texts. The caller limits their
    /// length.
    pub content: &'a [u8],
    /// Source of the content, as shown to people: `https://example.com/page`, `mcp:github/get_issue`, a path.
    pub source: &'a str,
    /// Whether other people can write that content: web pages, issues, mail, results of untrusted servers.
    pub untrusted: bool,
}

/// One call's turn in its session. If dropped before it is settled, the call leaves no trace in the session.
pub trait Turn: Send {
    /// The session as the call sees it; shared, so that this is cheap.
    fn view(&self) -> Arc<SessionView>;

    /// The call's effects are known: later calls see them from now on and may have their turns.
    fn under_way(&mut self, inspected: &Inspected);

    /// The marks that the call leaves if it runs, for its record. Known after [`Turn::under_way`].
    fn marks(&self) -> Vec<String> {
        Vec::new()
    }

    /// The call is decided and recorded. Called before the answer is returned.
    fn settled(&mut self, case: &Case, decision: &DecisionId);
}

/// Notifies people and systems of allowed calls, as rules demand (`@obligations("notify(to=NAME)")`).
pub trait Notices: Send + Sync {
    /// Whether there is a recipient of this name.
    fn reaches(&self, to: &str) -> bool;

    /// Sends a notice without waiting. The implementation records the result.
    fn tell(&self, notice: Notice);
}

/// A notice about an allowed and recorded call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The decision's record.
    pub decision: DecisionId,
    /// The recipient.
    pub to: String,
    /// Text from the rule.
    pub body: Option<String>,
    /// The tool.
    pub tool: String,
    /// The caller's id.
    pub principal: String,
    /// The session.
    pub session: SessionId,
}

/// The active mode, confirmation policy and delegation, for one call.
pub trait Settle: Send + Sync {
    /// The verdict for the case that no rule applies.
    fn settling(&self, inspected: &Inspected, assessment: &Assessment) -> Settling;
}
