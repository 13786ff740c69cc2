//! What the settings say about values and places (`[flows]`): canaries, which no call may send, and private sources.

use std::sync::Arc;

use doorward_core::effect::Inspected;
use doorward_core::finding::Finding;
use doorward_flows::{Canaries, fits};
use doorward_settings::Settings;

/// The code of the finding that marks a call which reads something private.
pub(crate) const PRIVATE_SOURCE: &str = "flow.private_source";

/// Canaries and private sources of one project.
#[derive(Debug, Clone)]
pub(crate) struct Watched {
    canaries: Arc<Canaries>,
    private: Arc<[String]>,
}

/// Whether every canary can be told from ordinary text.
///
/// # Errors
/// Which can't.
pub(crate) fn check(settings: &Settings) -> Result<(), String> {
    let planted = &settings.flows.canaries;
    match Canaries::too_short(planted) {
        Some(at) => Err(format!(
            "`canaries` of `[flows]`: value {} has fewer than eight letters and digits; make it longer",
            at + 1
        )),
        None if Canaries::of(planted).is_full() => Err(
            "`canaries` of `[flows]`: there are more or longer values than can be watched (about 4,000 characters)"
                .into(),
        ),
        None => Ok(()),
    }
}

impl Watched {
    pub(crate) fn of(settings: &Settings) -> Self {
        Self {
            canaries: Arc::new(Canaries::of(&settings.flows.canaries)),
            private: settings.flows.private.iter().map(|pattern| expanded(pattern)).collect(),
        }
    }

    /// What they say about a call.
    pub(crate) fn findings(&self, inspected: &Inspected) -> Vec<Finding> {
        let canary = self.canaries.sent_by(inspected).unwrap_or_else(|error| {
            // A call that can't be judged isn't allowed without a question.
            Some(Finding::new("flow.unavailable", error.to_string()))
        });
        let private = self.private_in(inspected).map(|source| {
            Finding::new(PRIVATE_SOURCE, format!("reads {source}, which your settings call private"))
        });
        canary.into_iter().chain(private).collect()
    }

    /// The first private source that a call reads.
    fn private_in<'a>(&self, inspected: &'a Inspected) -> Option<&'a str> {
        if self.private.is_empty() {
            return None;
        }
        let call = &inspected.call;
        let read =
            inspected.effects.reads.iter().filter(|read| !read.metadata).map(|read| read.path.as_str());
        let named = call.arg("url").into_iter().chain(call.tool.mcp_parts().map(|_| call.tool.as_str()));
        read.chain(named)
            .find(|source| self.private.iter().any(|pattern| self.is(inspected, pattern, source)))
    }

    /// A pattern without a root is meant below each of the call's roots.
    fn is(&self, inspected: &Inspected, pattern: &str, source: &str) -> bool {
        let is_whole = pattern.starts_with(['/', '*']) || pattern.contains(':');
        if is_whole {
            return fits(pattern, source);
        }
        let roots = &inspected.call.roots;
        roots.iter().any(|root| fits(&format!("{}/{pattern}", root.path.trim_end_matches('/')), source))
    }
}

/// A pattern with the home folder in place of `~`.
fn expanded(pattern: &str) -> String {
    match (pattern.strip_prefix("~/"), crate::home()) {
        (Some(rest), Some(home)) => format!("{}/{rest}", home.display()),
        _ => pattern.to_owned(),
    }
}
