//! What a gateway's process remembers of the server behind it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use doorward_core::id::Digest;

use super::Seen;

/// Digests of the definitions as the server listed them last.
#[derive(Default)]
pub struct Gateway {
    listed: Mutex<HashMap<String, Digest>>,
}

impl Gateway {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Digest>> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what was seen. A whole list leaves nothing of an earlier one.
    pub fn keep(&self, seen: &[Seen], whole: bool) {
        let mut listed = self.lock();
        if whole {
            listed.clear();
        }
        for one in seen {
            if let Some(digest) = &one.digest {
                listed.insert(one.name.clone(), digest.clone());
            }
        }
    }

    /// Digest of a tool's definition as it was listed last; none where it wasn't.
    #[must_use]
    pub fn digest(&self, tool: &str) -> Option<Digest> {
        self.lock().get(tool).cloned()
    }
}
