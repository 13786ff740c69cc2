//! Redirects: a pure function from a request and a `Location` to the next request.
//!
//! Across origins only a short list of headers is kept, because a list of headers to strip is always incomplete.
//! Dropped headers don't return on a later hop, because each hop starts from the previous one's request.

use crate::code::{Code, Refusal};
use crate::target::{Scheme, Target};

/// The only headers kept across origins.
pub const SAFE_HEADERS: &[&str] =
    &["accept", "accept-encoding", "accept-language", "cache-control", "user-agent"];

/// The parts of a request that redirects change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// Destination.
    pub target: Target,
    /// Method, upper case.
    pub method: String,
    /// Headers; names in lower case.
    pub headers: Vec<(String, String)>,
    /// Whether it has a body.
    pub has_body: bool,
}

/// Whether this status redirects with a `Location`.
#[must_use]
pub const fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// The next request.
///
/// # Errors
/// `redirect_denied` for a downgrade to http or a body sent to another origin; and those of [`Target::join`].
pub fn follow(current: &Outgoing, status: u16, location: &str) -> Result<Outgoing, Refusal> {
    let target = current.target.join(location)?;
    if current.target.scheme == Scheme::Https && target.scheme == Scheme::Http {
        return Err(Refusal::new(Code::RedirectDenied, "a redirect from https to http"));
    }
    let crosses = current.target.origin() != target.origin();
    let becomes_get = match status {
        301 | 302 => current.method == "POST",
        303 => current.method != "HEAD",
        _ => false,
    };
    if crosses && current.has_body && !becomes_get {
        return Err(Refusal::new(Code::RedirectDenied, "a redirect would carry the body to another origin"));
    }
    let keeps = |name: &str| {
        let of_body = name.starts_with("content-") || name == "transfer-encoding";
        !(becomes_get && of_body) && (!crosses || SAFE_HEADERS.contains(&name))
    };
    Ok(Outgoing {
        target,
        method: if becomes_get { "GET".to_owned() } else { current.method.clone() },
        headers: current.headers.iter().filter(|(name, _)| keeps(name)).cloned().collect(),
        has_body: current.has_body && !becomes_get,
    })
}

/// The refusal for too many redirects.
pub const fn too_many() -> Refusal {
    Refusal::new(Code::RedirectDenied, "too many redirects")
}
