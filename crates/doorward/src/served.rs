//! Whom this process serves: its own user, or, as a service of the system (posture `separate`), another one.
//!
//! Home folder, client settings and the uid that hook events come from are the served user's; state, key and socket are
//! the service's own.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

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

/// How long a name of the system's user database is remembered: it may be a directory on the network.
const NAMES_KEPT: Duration = Duration::from_secs(10);
/// Names that are remembered.
const MOST_NAMES: usize = 1_024;

/// A user's name from the system's user database (NSS), or `uid-NUMBER`.
#[must_use]
pub fn name_of(uid: u32) -> String {
    static NAMES: Mutex<BTreeMap<u32, (Instant, String)>> = Mutex::new(BTreeMap::new());
    let names = || NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((since, name)) = names().get(&uid)
        && since.elapsed() < NAMES_KEPT
    {
        return name.clone();
    }
    let found = nix::unistd::User::from_uid(uid.into()).ok().flatten();
    let name = found.map_or_else(|| format!("uid-{uid}"), |user| user.name);
    let mut names = names();
    if names.len() >= MOST_NAMES {
        names.clear();
    }
    names.insert(uid, (Instant::now(), name.clone()));
    name
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
