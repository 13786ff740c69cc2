//! What the gate needs of other rooms, as traits over the core's words.

use doorward_core::assessment::Assessment;
use doorward_core::call::ToolCall;
use doorward_core::decision::Decision;
use doorward_core::effect::Inspected;
use doorward_core::finding::Finding;
use doorward_core::json::Value;
use doorward_core::session::SessionView;

use crate::judge::Settling;

/// Resolves a call against the world. The one stage that looks outside.
pub trait Inspect: Send + Sync {
    /// Effects, findings, risk and classes of a call.
    fn inspect(&self, call: &ToolCall, session: &SessionView) -> Inspected;

    /// The last look before execution, on exactly what will run: same simple commands as judged, same content
    /// of files that were judged, arguments that fit their schema.
    ///
    /// # Errors
    /// The finding that forbids it.
    fn final_check(&self, call: &ToolCall, inspected: &Inspected) -> Result<(), Finding>;

    /// The same with every secret masked: what may be stored and shown.
    fn redact(&self, inspected: &Inspected) -> Inspected;

    /// The arguments as a person who is asked sees them: no secret, and where one was, which kind and how long.
    fn shown(&self, inspected: &Inspected) -> Value {
        self.redact(inspected).call.args_value()
    }
}

/// State of sessions. Views are cheap copies; nothing outside changes a session but through here.
pub trait Sessions: Send + Sync {
    /// The state before this call.
    fn view(&self, call: &ToolCall) -> SessionView;

    /// Takes note of a settled call: effects of an admitted one, the denial of a refused one.
    fn settled(&self, inspected: &Inspected, decision: &Decision);
}

/// Mode, confirmation policy and delegation in force, as far as they speak about one call.
pub trait Settle: Send + Sync {
    /// What fills in where no rule settles the call.
    fn settling(&self, inspected: &Inspected, assessment: &Assessment) -> Settling;
}
