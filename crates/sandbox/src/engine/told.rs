//! The part of the report that is known before a run starts.

use std::collections::BTreeSet;
use std::path::PathBuf;

use doorward_core::Tier;

use crate::cgroup::Group;
use crate::plan::Plan;
use crate::report::{LimitsHeld, Mechanism};

/// The part of the report that is known before the run.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) tier: Tier,
    pub(super) least_tier: Tier,
    pub(super) features: Vec<String>,
    pub(super) gaps: Vec<String>,
    pub(super) uid: u32,
    pub(super) ruleset: String,
    pub(super) limits: LimitsHeld,
    pub(super) observe: bool,
    pub(super) argv: Vec<Vec<u8>>,
    /// The working folder, and the places that the view shows; `None` if nothing is hidden.
    pub(super) view: Option<(PathBuf, Vec<PathBuf>)>,
}

pub(super) fn features(plan: &Plan, relay: bool) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut add = |names: &[&str]| all.extend(names.iter().map(|name| (*name).to_owned()));
    if plan.tier == Tier::Full {
        add(&[
            "userns",
            "pidns",
            "mountns",
            "netns",
            "ipcns",
            "utsns",
            "cgroupns",
            "private_root",
            "private_tmp",
            "private_proc",
            "protected_names",
        ]);
        if plan.privileged {
            add(&["idmap"]);
        }
        if relay {
            add(&["relay"]);
        }
    }
    if plan.tier >= Tier::Restricted {
        add(&["seccomp", "no_new_privs", "no_capabilities", "unprivileged_uid"]);
    }
    if plan.tier >= Tier::Limited {
        add(&["closed_descriptors", "clean_environment", "limits"]);
    }
    if plan.tier >= Tier::Restricted {
        all.push(format!("landlock:{}", plan.landlock_abi));
    }
    all
}

/// What this tier doesn't contain here. For the full tier, only the gaps found while planning.
pub(super) fn gaps(plan: &Plan, found: &BTreeSet<String>) -> Vec<String> {
    let mut gaps = found.clone();
    let mut add = |names: &[&str]| gaps.extend(names.iter().map(|name| (*name).to_owned()));
    match plan.tier {
        Tier::Full => {}
        Tier::Restricted => {
            add(&["protected_names", "metadata_changes", "visible_processes", "disk"]);
            if plan.landlock_abi < 3 {
                add(&["truncate"]);
            }
            if plan.landlock_abi < 6 {
                add(&["signals_to_own_uid"]);
            }
        }
        Tier::Limited => add(&["files", "network", "processes", "kernel_surface", "uid"]),
        Tier::None => add(&["everything"]),
    }
    gaps.into_iter().collect()
}

pub(super) fn held_limits(plan: &Plan) -> LimitsHeld {
    let none = plan.tier == Tier::None;
    let or = |by: Option<Mechanism>| if none { Mechanism::None } else { by.unwrap_or(Mechanism::Supervised) };
    LimitsHeld {
        limits: plan.limits.clone(),
        memory_by: or(plan.cgroup.as_ref().and_then(Group::memory_by)),
        processes_by: or(plan.cgroup.as_ref().and_then(Group::pids_by)),
        disk_by: match plan.tier {
            Tier::Full => Mechanism::Tmpfs,
            Tier::Restricted | Tier::Limited => Mechanism::Rlimit,
            Tier::None => Mechanism::None,
        },
    }
}
