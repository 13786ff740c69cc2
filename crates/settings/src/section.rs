//! What a section of the settings is: a struct, a name, and how a project may change each key.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A table of `doorward.toml`.
///
/// The struct's `Default` is the built-in layer. Give it `#[serde(default, deny_unknown_fields)]`, so that a
/// layer may name some keys only.
pub trait Section: Serialize + DeserializeOwned + JsonSchema + Default {
    /// The table's name.
    const NAME: &'static str;

    /// How a project's layer may change each key. One that isn't listed may not be set there; the name `*`
    /// covers every key of a table with free names.
    const KEYS: &'static [Key];
}

/// How a project's layer may change a value.
#[derive(Debug, Clone, Copy)]
pub enum Tighten {
    /// Not at all.
    Never,
    /// To any value: it is neither stricter nor looser.
    Freely,
    /// Along these words, from the loosest to the strictest.
    Along(&'static [&'static str]),
    /// To `true`.
    ToTrue,
    /// To `false`.
    ToFalse,
    /// Downwards.
    Lower,
    /// Upwards.
    Raise,
    /// By adding to the list.
    Add,
    /// By leaving out of the list.
    Remove,
    /// As this comparison says: whether the second value is at least as strict as the first.
    By(fn(&Value, &Value) -> bool),
}

/// One row of a section's table.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// How a project may change it.
    pub tighten: Tighten,
    /// Whether the lists of all layers are joined, instead of the last one counting.
    pub joined: bool,
}

/// A key that follows `tighten`.
#[must_use]
pub const fn key(name: &'static str, tighten: Tighten) -> Key {
    Key { name, tighten, joined: matches!(tighten, Tighten::Add) }
}

/// A key that may be set anywhere.
#[must_use]
pub const fn free(name: &'static str) -> Key {
    key(name, Tighten::Freely)
}

impl Key {
    /// The lists of all layers are joined.
    #[must_use]
    pub const fn joined(mut self) -> Self {
        self.joined = true;
        self
    }
}

impl Tighten {
    /// Whether going from `old` to `new` is allowed to a layer that may only tighten. What can't be compared
    /// is refused.
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
            // An absent limit is the loosest one, in both directions.
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
