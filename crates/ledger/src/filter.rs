//! Filters records in queries. Every member that is set must match.

use jiff::Timestamp;

use crate::reader::Stored;
use crate::skim::{nanoseconds, skim};

/// A query over records.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// `decision`, `outcome`, `approval`, …
    pub kind: Option<String>,
    /// The record's own id, or the id of the decision that it belongs to.
    pub id: Option<String>,
    /// Session.
    pub session: Option<String>,
    /// Principal id.
    pub principal: Option<String>,
    /// Agent.
    pub agent: Option<String>,
    /// Canonical tool name; a trailing `*` matches any rest.
    pub tool: Option<String>,
    /// `ALLOW`, `DENY`, `REQUIRE_USER_CONFIRMATION`.
    pub verdict: Option<String>,
    /// Code of the rule or finding that decided; a trailing `*` matches any rest.
    pub code: Option<String>,
    /// Risk level.
    pub risk: Option<String>,
    /// Id of a policy that decided.
    pub policy: Option<String>,
    /// At this time or later.
    pub since: Option<Timestamp>,
    /// Before this time.
    pub until: Option<Timestamp>,
    /// Text that occurs anywhere in the entry.
    pub text: Option<String>,
    /// Only lower indices, for paging.
    pub before: Option<u64>,
}

impl Filter {
    /// Whether a record matches.
    #[must_use]
    pub fn fits(&self, stored: &Stored) -> bool {
        let entry = stored.entry.as_slice();
        let Some(found) = skim(entry) else {
            return *self == Self { before: self.before, ..Self::default() };
        };
        let is =
            |want: &Option<String>, have: &[u8]| want.as_ref().is_none_or(|want| want.as_bytes() == have);
        let time = || nanoseconds(found.time);
        let quick = is(&self.kind, found.kind)
            && is(&self.verdict, found.verdict)
            && self.id.as_ref().is_none_or(|id| [found.id, found.of].contains(&id.as_bytes()))
            && self.since.is_none_or(|since| time().is_some_and(|time| time >= since.as_nanosecond()))
            && self.until.is_none_or(|until| time().is_some_and(|time| time < until.as_nanosecond()))
            && self.text.as_ref().is_none_or(|text| memchr::memmem::find(entry, text.as_bytes()).is_some());
        quick && self.fits_in_depth(entry)
    }

    /// Checks the members that need the parsed record.
    fn fits_in_depth(&self, entry: &[u8]) -> bool {
        let wanted = [
            (&self.session, &["session"][..]),
            (&self.principal, &["principal", "id"]),
            (&self.agent, &["agent"]),
            (&self.tool, &["resource", "name"]),
            (&self.code, &["code"]),
            (&self.risk, &["risk", "level"]),
        ];
        if wanted.iter().all(|(want, _)| want.is_none()) && self.policy.is_none() {
            return true;
        }
        let Ok(value) = serde_json::from_slice::<serde_json::Value>(entry) else { return false };
        let text_at = |path: &[&str]| path.iter().try_fold(&value, |value, key| value.get(key))?.as_str();
        let fits = |want: &str, have: &str| match want.strip_suffix('*') {
            Some(start) => have.starts_with(start),
            None => want == have,
        };
        let policy = self.policy.as_ref().is_none_or(|want| {
            let ids = value.get("policy").and_then(|policy| policy.get("ids")).and_then(|ids| ids.as_array());
            ids.is_some_and(|ids| ids.iter().any(|id| id.as_str() == Some(want)))
        });
        policy
            && wanted.iter().all(|(want, path)| {
                want.as_ref().is_none_or(|want| text_at(path).is_some_and(|have| fits(want, have)))
            })
    }
}
