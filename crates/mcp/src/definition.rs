//! Tool definitions as a server lists them, and their digests, which serve as pins.

use std::collections::BTreeMap;

use doorward_core::id::Digest;
use doorward_core::json::{Limits, Object, Value};

/// Members of a definition that pins don't cover, because servers put build numbers there. They are scanned, and
/// changes are reported.
pub const UNPINNED: &[&str] = &["_meta", "icons"];

/// Members that the protocol defines.
const KNOWN: &[&str] = words! {
    "name" "title" "description" "inputSchema" "outputSchema" "annotations" "icons" "execution" "_meta"
};

/// Limits of a definition: its bytes (as many as the scan reads) and nesting depth.
const LIMITS: Limits = Limits { bytes: crate::scan::MOST, depth: 512 };
/// Prefix of the digested text, so that the digest can't be mistaken for one of another kind.
const DOMAIN: &str = "doorward-mcp-tool-v1\n";

/// One tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// Its name on its server.
    pub name: String,
    members: Object,
}

/// Why a definition is rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("mcp.definition: {0}")]
pub struct Unreadable(pub String);

impl Definition {
    /// Parses a definition.
    ///
    /// # Errors
    /// [`Unreadable`]: not strict JSON, too long, not an object, or without a name.
    pub fn of(text: &str) -> Result<Self, Unreadable> {
        let value =
            Value::parse_bytes(text.as_bytes(), LIMITS).map_err(|error| Unreadable(error.to_string()))?;
        let Value::Object(members) = value else {
            return Err(Unreadable("a tool's definition is an object".to_owned()));
        };
        // Case-insensitive readers would take an unpinned member for a pinned one.
        let is_twin =
            |name: &&String| KNOWN.iter().any(|own| *own != name.as_str() && own.eq_ignore_ascii_case(name));
        if let Some(twin) = members.keys().find(is_twin) {
            return Err(Unreadable(format!(
                "the member {twin:?} differs from one of the protocol in letter case alone"
            )));
        }
        let name = members.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        if name.is_empty() {
            return Err(Unreadable("a tool without a name".to_owned()));
        }
        Ok(Self { name, members })
    }

    /// A member.
    #[must_use]
    pub fn get(&self, member: &str) -> Option<&Value> {
        self.members.get(member)
    }

    /// Names of all members.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.members.keys().map(String::as_str)
    }

    /// Its description; empty if missing.
    #[must_use]
    pub fn description(&self) -> &str {
        self.get("description").and_then(Value::as_str).unwrap_or_default()
    }

    /// A hint of its annotations; `None` if missing.
    #[must_use]
    pub fn hint(&self, name: &str) -> Option<bool> {
        self.get("annotations")?.get(name)?.as_bool()
    }

    /// As a plain JSON value.
    #[must_use]
    pub fn plain(&self) -> serde_json::Value {
        serde_json::Value::from(&Value::Object(self.members.clone()))
    }

    /// A member as a plain JSON value.
    #[must_use]
    pub fn plain_member(&self, name: &str) -> Option<serde_json::Value> {
        self.get(name).map(serde_json::Value::from)
    }

    /// Canonical text of the pinned members.
    #[must_use]
    pub fn canonical(&self) -> String {
        Value::Object(self.pinned()).canonical()
    }

    fn pinned(&self) -> Object {
        let is_pinned = |(name, _): &(&String, &Value)| !UNPINNED.contains(&name.as_str());
        self.members.iter().filter(is_pinned).map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// The pin: `sha256:` of the canonical text.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(format!("{DOMAIN}{}", self.canonical()).as_bytes())
    }

    /// A digest of each member, so that a change can be named.
    #[must_use]
    pub fn digests(&self) -> BTreeMap<&str, Digest> {
        self.members.iter().map(|(name, value)| (name.as_str(), value.digest())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_meta_change_no_pin_and_every_other_member_does() {
        let one =
            Definition::of(r#"{"name":"a","inputSchema":{"type":"object","x":1},"_meta":{"b":1}}"#).unwrap();
        let same = Definition::of(r#"{"inputSchema":{"x":1,"type":"object"},"name":"a"}"#).unwrap();
        let other = Definition::of(r#"{"inputSchema":{"x":2,"type":"object"},"name":"a"}"#).unwrap();
        assert_eq!(one.digest(), same.digest());
        assert_ne!(one.digest(), other.digest());
        for more in [r#""execution":{"taskSupport":"required"}"#, r#""x-vendor":1"#, r#""annotations":{}"#] {
            let more = format!(r#"{{"name":"a","inputSchema":{{"type":"object","x":1}},{more}}}"#);
            assert_ne!(one.digest(), Definition::of(&more).unwrap().digest(), "{more}");
        }
        assert!(Definition::of(r#"{"name":"a","name":"b"}"#).is_err());
    }
}
