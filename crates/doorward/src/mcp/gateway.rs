//! What a gateway's process remembers of the server behind it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Seen;

/// Digests of the definitions as the server listed them last.
#[derive(Default)]
pub struct Gateway {
    listed: Mutex<HashMap<String, String>>,
}

impl Gateway {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, String>> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what was seen. A whole list leaves nothing of an earlier one.
    pub fn keep(&self, seen: &[Seen], whole: bool) {
        let mut listed = self.lock();
        if whole {
            listed.clear();
        }
        for one in seen.iter().filter(|one| !one.name.is_empty()) {
            listed.insert(one.name.clone(), one.digest.clone());
        }
    }

    /// Digest of a tool's definition as it was listed last; empty where it wasn't.
    #[must_use]
    pub fn digest(&self, tool: &str) -> String {
        self.lock().get(tool).cloned().unwrap_or_default()
    }
}
