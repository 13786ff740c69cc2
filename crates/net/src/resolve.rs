//! Resolves names to addresses, once, outside the sandbox.
//!
//! [`Resolver`] is a trait so that tests can script answers and an operator can choose a server; the default asks
//! the system (hosts file, nsswitch). [`lookup`] checks the complete answer and is the only way from a [`Cleared`]
//! target to [`Dialable`] sockets. Errors, time-outs and empty answers refuse.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use doorward_core::Boxed;
use tokio::sync::Semaphore;

use crate::code::{Code, Refusal};
use crate::guard::{Cleared, Dialable};

/// Resolves names. Implementations follow CNAMEs and answer with addresses of both families.
pub trait Resolver: Send + Sync {
    /// All addresses of a canonical name.
    fn resolve<'a>(&'a self, name: &'a str) -> Boxed<'a, std::io::Result<Vec<IpAddr>>>;
}

/// The system's resolver. A look-up that hangs occupies a slot but doesn't block its caller.
#[derive(Debug, Clone)]
pub struct SystemResolver {
    slots: Arc<Semaphore>,
}

impl Default for SystemResolver {
    fn default() -> Self {
        Self { slots: Arc::new(Semaphore::new(64)) }
    }
}

impl Resolver for SystemResolver {
    fn resolve<'a>(&'a self, name: &'a str) -> Boxed<'a, std::io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            let _slot = self.slots.acquire().await.map_err(std::io::Error::other)?;
            let answers = tokio::net::lookup_host((name, 0)).await?;
            Ok(answers.map(|socket| socket.ip()).collect())
        })
    }
}

/// A checked answer, and how long it took.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// Every address of the answer: for the ledger, never for the agent.
    pub answers: Vec<IpAddr>,
    /// The sockets that may be dialled.
    pub dialable: Dialable,
    /// Duration of the look-up; zero for a literal.
    pub took: Duration,
}

/// A refused look-up, with the answers for the ledger.
#[derive(Debug, Clone)]
pub struct LookupRefused {
    /// The refusal.
    pub refusal: Refusal,
    /// What the name resolved to.
    pub answers: Vec<IpAddr>,
}

/// Resolves once and checks every address.
///
/// # Errors
/// `dns_failed`, `address_denied` or `mixed_answer`.
pub async fn lookup(
    cleared: &Cleared<'_>,
    resolver: &dyn Resolver,
    limit: Duration,
) -> Result<Resolved, LookupRefused> {
    let started = Instant::now();
    if let Some(dialable) = cleared.literal() {
        let answers = dialable.sockets().iter().map(|socket| socket.ip()).collect();
        return Ok(Resolved { answers, dialable, took: Duration::ZERO });
    }
    let failed = |why| LookupRefused { refusal: Refusal::new(Code::DnsFailed, why), answers: vec![] };
    let name = cleared.needs_lookup().ok_or_else(|| failed("the name has no usable address"))?;
    let answers = tokio::time::timeout(limit, resolver.resolve(name))
        .await
        .map_err(|_| failed("the look-up took too long"))?
        .map_err(|_| failed("the name has no usable address"))?;
    match cleared.check(&answers) {
        Ok(dialable) => Ok(Resolved { answers, dialable, took: started.elapsed() }),
        Err(refusal) => Err(LookupRefused { refusal, answers }),
    }
}
