//! Whom this process serves: its own user, or, as a service of the system (posture `separate`), another one.
//!
//! Home folder, client settings and the uid that hook events come from are the served user's; state, key and socket are
//! the service's own.

use std::path::PathBuf;
use std::sync::OnceLock;

static SERVED: OnceLock<u32> = OnceLock::new();

/// Serves this user from now on. Said once, before anything is opened.
///
/// # Errors
/// Who is served already.
pub fn serve_for(uid: u32) -> Result<(), u32> {
    SERVED.set(uid).map_err(|_| *SERVED.get_or_init(own_uid))
}

/// The user that is served.
#[must_use]
pub fn uid() -> u32 {
    *SERVED.get_or_init(own_uid)
}

/// The user that this process runs as.
#[must_use]
pub fn own_uid() -> u32 {
    rustix::process::getuid().as_raw()
}

/// Whether the served user is another one than this process runs as.
#[must_use]
pub fn is_another() -> bool {
    uid() != own_uid()
}

/// Home folder of the served user, from the system's user database.
#[must_use]
pub fn home() -> Option<PathBuf> {
    doorward_hooks::thin::home_of(uid())
}

/// Whether this user may send hook events: the served one, the service's own, and root.
#[must_use]
pub fn may_send_events(peer: u32) -> bool {
    peer == uid() || peer == own_uid() || peer == 0
}
