//! What the gate needs of other rooms, as traits over the core's words.

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

/// Resolves a call against the world. The one stage that looks outside.
pub trait Inspect: Send + Sync {
    /// Effects, findings, risk and classes of a call, which the result owns.
    fn inspect(&self, call: ToolCall, session: Arc<SessionView>) -> Inspected;

    /// The last look before execution, on exactly what will run: same simple commands as judged, same content
    /// of files that were judged, arguments that fit their schema.
    ///
    /// # Errors
    /// The finding that forbids it.
    fn final_check(&self, inspected: &Inspected) -> Result<(), Finding>;

    /// The content of files that a yes to this call covers.
    fn covered(&self, _inspected: &Inspected) -> CoveredContent {
        CoveredContent::default()
    }

    /// The same with every secret masked and without the session: what may be stored and shown.
    fn redact(&self, inspected: &Inspected) -> Inspected;

    /// What the session did, with every secret masked: what a model may see.
    fn redact_session(&self, session: &SessionView) -> SessionView;

    /// The arguments as a person who is asked sees them: no secret, and where one was, which kind and how long.
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
    /// A call's turn. Calls of one session are inspected one after the other, each seeing what the ones before it do,
    /// also while these are still under way; sessions never wait for each other.
    ///
    /// # Errors
    /// A [`Denial`]: the session is stopped, or its turn didn't come in time.
    fn enter<'a>(&'a self, call: &'a ToolCall) -> Boxed<'a, Result<Box<dyn Turn>, Denial>>;
}

/// Hears what became of calls that were allowed or left to their client. Marks follow it: a call that never ran leaves
/// none.
pub trait Outcomes: Send + Sync {
    /// The call of this decision ended so.
    fn observed(&self, session: &SessionId, decision: &DecisionId, outcome: Outcome);

    /// The call of this decision brought this back, before its client reads it.
    fn returned(&self, session: &SessionId, decision: &DecisionId, result: &Returned<'_>);
}

/// What a call brought back, as the way in saw it.
#[derive(Debug, Clone, Copy)]
pub struct Returned<'a> {
    /// The bytes of the result: output of a command, a file's content, an MCP result's texts. Bounded by the caller.
    pub content: &'a [u8],
    /// Where it came from, in words that a person reads: `https://example.com/page`, `mcp:github/get_issue`, a path.
    pub source: &'a str,
    /// Whether other people can write what is there: web pages, issues, mail, results of untrusted servers.
    pub untrusted: bool,
}

/// One call's turn in its session. Dropped before it is settled, the call leaves nothing behind.
pub trait Turn: Send {
    /// The session as the call sees it: shared, so that looking costs nothing.
    fn view(&self) -> Arc<SessionView>;

    /// What the call would do is known: later calls see it from now on, and may have their turns.
    fn under_way(&mut self, inspected: &Inspected);

    /// The marks that the call leaves if it runs, for its record. Known once it is under way.
    fn marks(&self) -> Vec<String> {
        Vec::new()
    }

    /// The call is decided and recorded. Comes before the answer leaves.
    fn settled(&mut self, case: &Case, decision: &DecisionId);
}

/// Tells people and systems that an allowed call is to be told of (`@obligations("notify(to=NAME)")`).
pub trait Notices: Send + Sync {
    /// Whether somebody of this name is reached.
    fn reaches(&self, to: &str) -> bool;

    /// Tells, without waiting. Whoever tells records what became of it.
    fn tell(&self, notice: Notice);
}

/// What is told of a call that was allowed and recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The decision's record.
    pub decision: DecisionId,
    /// Whom.
    pub to: String,
    /// What the rule says.
    pub body: Option<String>,
    /// The tool.
    pub tool: String,
    /// Whose call it is.
    pub principal: String,
    /// The session.
    pub session: SessionId,
}

/// Mode, confirmation policy and delegation in force, as far as they speak about one call.
pub trait Settle: Send + Sync {
    /// What fills in where no rule settles the call.
    fn settling(&self, inspected: &Inspected, assessment: &Assessment) -> Settling;
}
