//! The user this runs as, and whether it is a person who asks.

use std::path::Path;

use serde_json::Value;

use crate::output::Failure;
use crate::service;

/// As accounts are named.
pub(crate) fn own_name() -> String {
    doorward::hook::user_name(rustix::process::getuid().as_raw())
}

/// Refuses to loosen what guards this user where an agent may have started this program, by whatever name. The service
/// knows the agents; where none runs, only the names of the programs above this one tell.
pub(crate) fn only_for_people(socket: &Path, act: &str) -> Result<(), Failure> {
    let known = service::call(socket, "GET", "/v1/me", None).ok().filter(|(status, _)| *status == 200);
    let refused = known.is_some_and(|(_, me)| me.get("may_loosen").and_then(Value::as_bool) == Some(false));
    if !refused && !doorward::process::started_by_agent() {
        return Ok(());
    }
    let why = format!(
        "{act} takes a person, and an agent may have started this; run it in a terminal that you opened before the \
         agent began, or that no agent can have made (a login, ssh)"
    );
    Err(Failure::new("grant.presence", why))
}
