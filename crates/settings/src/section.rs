//! Definition of a section: a struct, a name, and how a project may change each key.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A table of `doorward.toml`.
///
/// The struct's `Default` is the built-in layer. It needs `#[serde(default, deny_unknown_fields)]`, so that a layer
/// may set only some keys.
pub trait Section: Serialize + DeserializeOwned + JsonSchema + Default {
    /// The table's name.
    const NAME: &'static str;

    /// How a project's layer may change each key. It may not set unlisted keys. The name `*` stands for every key of
    /// a table with free names.
    const KEYS: &'static [Key];
}

/// How a project's layer may change a value.
#[derive(Debug, Clone, Copy)]
pub enum Tighten {
    /// It may not.
    Never,
    /// To any value, since none is stricter than another.
    Freely,
    /// Forwards in this list of words, from loosest to strictest.
    Along(&'static [&'static str]),
    /// Only to `true`.
    ToTrue,
    /// Only to `false`.
    ToFalse,
    /// To lower values.
    Lower,
    /// To higher values.
    Raise,
    /// By adding items to the list.
    Add,
    /// By removing items from the list.
    Remove,
    /// If this comparison returns whether the second value is at least as strict as the first.
    By(fn(&Value, &Value) -> bool),
}

/// One row of a section's table.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// How a project may change it.
    pub tighten: Tighten,
    /// Whether the lists of all layers are joined; otherwise the last layer's list counts.
    pub joined: bool,
}

/// A key that a project may change by `tighten`.
#[must_use]
pub const fn key(name: &'static str, tighten: Tighten) -> Key {
    Key { name, tighten, joined: matches!(tighten, Tighten::Add) }
}

/// A key that any layer may set.
#[must_use]
pub const fn free(name: &'static str) -> Key {
    key(name, Tighten::Freely)
}

impl Key {
    /// Makes the lists of all layers joined.
    #[must_use]
    pub const fn joined(mut self) -> Self {
        self.joined = true;
        self
    }
}

impl Tighten {
    /// Whether a layer that may only tighten may change `old` to `new`. Values that can't be compared are refused.
    #[must_use]
    pub fn permits(self, old: &Value, new: &Value) -> bool {
        if old == new {
            return true;
        }
        match self {
            Self::Never => false,
            Self::Freely | Self::Add => true,
            Self::Along(words) => {
                let place = |value: &Value| words.iter().position(|word| Some(*word) == value.as_str());
                matches!((place(old), place(new)), (Some(from), Some(to)) if to >= from)
            }
            Self::ToTrue => new == &Value::Bool(true),
            Self::ToFalse => new == &Value::Bool(false),
            // A missing limit is the loosest value, for lower and upper limits.
            Self::Lower => {
                old.is_null() || matches!((old.as_f64(), new.as_f64()), (Some(a), Some(b)) if b <= a)
            }
            Self::Raise => {
                old.is_null() || matches!((old.as_f64(), new.as_f64()), (Some(a), Some(b)) if b >= a)
            }
            Self::Remove => match (old.as_array(), new.as_array()) {
                (Some(old), Some(new)) => new.iter().all(|item| old.contains(item)),
                _ => false,
            },
            Self::By(compare) => compare(old, new),
        }
    }
}
