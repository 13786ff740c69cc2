//! What Doorward runs itself: the tickets of calls that wait to be run, the sandbox that runs them, their way out, and
//! what stands for credentials in their environments.

use std::sync::Arc;

use doorward_sandbox::{Engine, Sandbox};

use crate::bind::Tickets;
use crate::egress::Egress;
use crate::mcp::Relayed;

/// Bound calls, from their ticket to their end.
pub struct Custody {
    /// Shell calls that wait to be run here.
    tickets: Tickets,
    /// Runs what permits own.
    sandbox: Arc<Sandbox>,
    /// Calls that gateways forwarded to their servers.
    relayed: Relayed,
    /// The way out for what bound calls run. Without it there is none.
    egress: Option<Arc<Egress>>,
}

impl Custody {
    pub(crate) fn new(egress: Option<Arc<Egress>>) -> Self {
        let sandbox = Arc::new(Sandbox::new(Engine::new().with_spare()));
        Self { tickets: Tickets::default(), relayed: Relayed::default(), sandbox, egress }
    }

    pub(crate) const fn tickets(&self) -> &Tickets {
        &self.tickets
    }

    /// Calls that gateways forwarded to their servers.
    #[must_use]
    pub const fn relayed(&self) -> &Relayed {
        &self.relayed
    }

    pub(crate) const fn sandbox(&self) -> &Arc<Sandbox> {
        &self.sandbox
    }

    /// The way out for what bound calls run, where one is open.
    #[must_use]
    pub const fn egress(&self) -> Option<&Arc<Egress>> {
        self.egress.as_ref()
    }
}
