//! The user this runs as.

/// As accounts are named.
pub(crate) fn own_name() -> String {
    doorward::hook::user_name(rustix::process::getuid().as_raw())
}
