//! Seals under what the store keeps of people's answers: signatures by the key of this service's ledger.

use std::sync::Arc;

use doorward_ledger::{Log, VerifierKey};
use doorward_store::Seals;

/// The ledger's key, and the keys of the services whose answers count here too (`store.signers`).
pub(crate) struct LedgerSeals {
    log: Arc<Log>,
    known: Vec<VerifierKey>,
}

impl LedgerSeals {
    /// # Errors
    /// The first text that is no verifier key.
    pub(crate) fn new(log: Arc<Log>, signers: &[String]) -> Result<Self, String> {
        let own = VerifierKey::parse(log.vkey());
        Ok(Self { known: own.into_iter().chain(verifiers(signers)?).collect(), log })
    }
}

/// The keys of `store.signers`.
///
/// # Errors
/// The first text that is none.
pub(crate) fn verifiers(signers: &[String]) -> Result<Vec<VerifierKey>, String> {
    let parse = |line: &String| VerifierKey::parse(line.trim()).ok_or_else(|| line.clone());
    signers.iter().map(parse).collect()
}

impl Seals for LedgerSeals {
    fn seal(&self, text: &str) -> String {
        self.log.seal(text)
    }

    fn knows(&self, text: &str, seal: &str) -> bool {
        self.known.iter().any(|key| key.knows_seal(text, seal))
    }
}
