//! Placeholders that stand for credentials in a child's environment. They have a secret's shape and are none: the
//! proxy fills the value in towards the bound hosts and refuses them anywhere else, so a call may carry one.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{PoisonError, RwLock};

/// The placeholders of every open session.
#[derive(Debug, Default)]
pub struct Placeholders(RwLock<BTreeSet<String>>);

impl Placeholders {
    pub(crate) fn know(&self, placeholder: &str) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(placeholder.to_owned());
    }

    pub(crate) fn forget(&self, placeholder: &str) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).remove(placeholder);
    }

    /// Where placeholders stand in a text.
    pub(crate) fn within(&self, text: &str) -> Vec<Range<usize>> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let ranges = known.iter().flat_map(|own| text.match_indices(own.as_str()));
        ranges.map(|(start, found)| start..start + found.len()).collect()
    }
}
