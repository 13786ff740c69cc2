//! Ids and digests as separate types, so that the compiler tells a session from a call and a digest from an id.

use std::borrow::Borrow;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::json::Value;

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        #[schemars(transparent)]
        pub struct $name(String);

        impl $name {
            /// The id as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The id as an owned string.
            #[must_use]
            pub fn into_string(self) -> String {
                self.0
            }

            /// Whether the id is empty.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.0.is_empty()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        /// Lets a map with these keys be searched by plain text.
        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl From<$name> for Value {
            fn from(name: $name) -> Self {
                Self::String(name.0)
            }
        }

        impl From<&$name> for Value {
            fn from(name: &$name) -> Self {
                Self::String(name.0.clone())
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.0 == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.0 == *other
            }
        }
    )*};
}

names! {
    /// A record of the log: a ULID, which sorts by time.
    RecordId
    /// A decision: the same text as the id of its record. Outcomes are reported under it.
    DecisionId
    /// A call: the client's id (`toolu_…`), or one that Doorward generates. Unique only within its session.
    CallId
    /// A session: the claimed session id and the client's process, so that one session can't impersonate another.
    SessionId
    /// A question to a person, `confirmationId` of the contract.
    QuestionId
    /// `sha256:` and 64 lower-case hexadecimal digits.
    Digest
}

/// A new ULID, for ids without a type of their own.
#[must_use]
pub fn fresh() -> String {
    ulid::Ulid::generate().to_string()
}

macro_rules! made_here {
    ($($name:ident)*) => {$(
        impl $name {
            /// A new id, as a ULID.
            #[must_use]
            pub fn fresh() -> Self {
                Self(fresh())
            }
        }
    )*};
}

made_here! { RecordId DecisionId CallId QuestionId }

/// A decision's id is the id of its record.
impl From<DecisionId> for RecordId {
    fn from(decision: DecisionId) -> Self {
        Self(decision.0)
    }
}

/// The id of a session without a client-given name.
impl Default for SessionId {
    fn default() -> Self {
        Self(String::new())
    }
}

impl Digest {
    /// Its first twelve hexadecimal digits, for file names and for people.
    #[must_use]
    pub fn short(&self) -> &str {
        self.0.get(7..19).unwrap_or_default()
    }

    /// The digest of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let mut text = String::with_capacity(71);
        text.push_str("sha256:");
        let halves =
            <Sha256 as sha2::Digest>::digest(bytes).into_iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
        text.extend(halves.filter_map(|half| char::from_digit(u32::from(half), 16)));
        Self(text)
    }
}
