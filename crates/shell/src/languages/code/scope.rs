//! The names that code has given to values, and what each may be where ways part and meet again.

use std::collections::{HashMap, HashSet};

use super::item::Item;

/// Names and their values.
pub(in crate::languages) type Names = HashMap<String, Item>;

/// The variables of one call, or of the code outside of functions.
#[derive(Debug, Default, Clone)]
pub(in crate::languages) struct Frame {
    pub(in crate::languages) names: Names,
    /// Names that belong to a scope further out.
    pub(in crate::languages) outer: HashSet<String>,
    /// What has been returned so far.
    pub(in crate::languages) returned: Vec<Item>,
}

/// What holds after either of two ways: a name with two values may have each.
pub(in crate::languages) fn joined(one: Names, other: &Names) -> Names {
    let mut both = one;
    for (name, item) in other {
        match both.get(name) {
            Some(own) if own.is_same(item) => {}
            Some(own) => {
                let either = Item::either([own.clone(), item.clone()]);
                both.insert(name.clone(), either);
            }
            None => {
                both.insert(name.clone(), item.clone());
            }
        }
    }
    both
}
