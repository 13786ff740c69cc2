//! Caches the id maps of earlier runs.
//!
//! An id-mapped mount needs a user namespace that holds the map, and making one takes a short-lived process. The
//! map of an owner never changes, so the helper hands over each new map and later runs reuse it.

use std::os::fd::OwnedFd;
use std::sync::{Mutex, PoisonError};

use crate::plan::{Plan, Step};
use crate::stage::Role;

/// Uid and gid.
pub(crate) type Ids = (u32, u32);

/// Limit on cached maps; further owners get a new one each time.
const MOST: usize = 64;
/// Limit on maps sent with one plan: a message holds sixteen descriptors, six of which have other uses.
const MOST_CARRIED: usize = 8;

static KEPT: Mutex<Vec<(Ids, Ids, OwnedFd)>> = Mutex::new(Vec::new());

/// The owners whose files a plan shows under another id, without duplicates.
pub(crate) fn owners(plan: &Plan) -> Vec<Ids> {
    let mut owners = Vec::new();
    if plan.tier < doorward_core::Tier::Full || !plan.privileged {
        return owners;
    }
    for step in &plan.steps {
        let (Step::Bind { source, .. } | Step::Overlay { source, .. }) = step else { continue };
        let owner = (source.uid, source.gid);
        if owner != plan.outside && !owners.contains(&owner) {
            owners.push(owner);
        }
    }
    owners
}

/// The cached maps that a plan needs, to be sent with it.
pub(crate) fn known(plan: &Plan) -> Vec<(Role, OwnedFd)> {
    let owners = owners(plan);
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    kept.iter()
        .filter(|(owner, outside, _)| *outside == plan.outside && owners.contains(owner))
        .take(MOST_CARRIED)
        .filter_map(|(owner, _, fd)| Some((Role::IdMap(*owner), fd.try_clone().ok()?)))
        .collect()
}

/// Caches a new map.
pub(crate) fn keep(owner: Ids, outside: Ids, namespace: OwnedFd) {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let known = kept.iter().any(|(other, below, _)| (*other, *below) == (owner, outside));
    if !known && kept.len() < MOST {
        kept.push((owner, outside, namespace));
    }
}
