//! Removes each kernel feature in turn: the result is a documented lower tier, or a denial that names what is
//! missing.
//!
//! A filter on this test's thread answers the feature's calls with an errno; the helper inherits it, as it would a
//! container's.

use doorward_core::Tier;
use libc::{c_long, sock_filter};

use super::{Workspace, out, run};
use crate::{Engine, SandboxError, Status, sys};

/// Answers these calls with an errno on this thread and all its children. With a mask, only if the first argument
/// has one of its bits.
pub(super) fn without(calls: &[(c_long, Option<i32>)], errno: i32) {
    let load = |offset| sock_filter {
        code: (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16,
        jt: 0,
        jf: 0,
        k: offset,
    };
    let line = |code: u32, jt, jf, k| sock_filter { code: code as u16, jt, jf, k };
    let refuse = libc::SECCOMP_RET_ERRNO | errno as u32;
    let mut program = Vec::new();
    for (call, mask) in calls {
        program.push(load(0));
        program.push(line(
            libc::BPF_JMP | libc::BPF_JEQ,
            0,
            if mask.is_some() { 3 } else { 1 },
            *call as u32,
        ));
        if let Some(mask) = mask {
            program.push(load(16));
            program.push(line(libc::BPF_JMP | libc::BPF_JSET, 0, 1, *mask as u32));
        }
        program.push(line(libc::BPF_RET, 0, 0, refuse));
    }
    program.push(line(libc::BPF_RET, 0, 0, libc::SECCOMP_RET_ALLOW));
    if sys::ids().0 != 0 {
        sys::no_new_privileges().unwrap();
    }
    sys::install_filter(&program, false).unwrap();
}

#[test]
fn a_missing_feature_is_a_lower_tier_or_a_denial_never_a_run_without() {
    type Row = (&'static str, &'static [(c_long, Option<i32>)], i32, Tier);
    let rows: &[Row] = &[
        (
            "userns",
            &[(libc::SYS_clone, Some(libc::CLONE_NEWUSER)), (libc::SYS_unshare, Some(libc::CLONE_NEWUSER))],
            libc::EPERM,
            Tier::Restricted,
        ),
        ("pidns", &[(libc::SYS_clone, Some(libc::CLONE_NEWPID))], libc::EPERM, Tier::Restricted),
        ("netns", &[(libc::SYS_clone, Some(libc::CLONE_NEWNET))], libc::EINVAL, Tier::Restricted),
        ("ipcns", &[(libc::SYS_clone, Some(libc::CLONE_NEWIPC))], libc::EPERM, Tier::Restricted),
        ("utsns", &[(libc::SYS_clone, Some(libc::CLONE_NEWUTS))], libc::EPERM, Tier::Restricted),
        ("mountns", &[(libc::SYS_clone, Some(libc::CLONE_NEWNS))], libc::EPERM, Tier::Restricted),
        ("cgroupns", &[(libc::SYS_unshare, Some(libc::CLONE_NEWCGROUP))], libc::EPERM, Tier::Restricted),
        ("mounts", &[(libc::SYS_mount, None)], libc::EACCES, Tier::Restricted),
        ("mount_api", &[(libc::SYS_move_mount, None)], libc::ENOSYS, Tier::Restricted),
        ("mount_api", &[(libc::SYS_mount_setattr, None)], libc::ENOSYS, Tier::Restricted),
        ("mount_api", &[(libc::SYS_open_tree, None)], libc::ENOSYS, Tier::Restricted),
        ("landlock", &[(libc::SYS_landlock_create_ruleset, None)], libc::ENOSYS, Tier::Limited),
        ("landlock", &[(libc::SYS_landlock_create_ruleset, None)], libc::EOPNOTSUPP, Tier::Limited),
        ("seccomp", &[(libc::SYS_seccomp, None)], libc::ENOSYS, Tier::Limited),
        ("openat2", &[(libc::SYS_openat2, None)], libc::ENOSYS, Tier::Limited),
    ];
    // Only runs started by uid 0 enter a user namespace that another process made.
    let as_root: &[Row] = &[("userns", &[(libc::SYS_setns, None)], libc::EPERM, Tier::Restricted)];
    let as_root = if sys::ids().0 == 0 { as_root } else { &[] };
    for (feature, calls, errno, tier) in rows.iter().chain(as_root) {
        std::thread::spawn(move || {
            let work = Workspace::new();
            without(calls, *errno);
            let engine = Engine::new();
            let offer = engine.offer().unwrap();
            assert_eq!(offer.best, *tier, "{feature}: {offer:?}");
            let missing = offer.missing.iter().find(|missing| missing.feature == *feature);
            let missing = missing.unwrap_or_else(|| panic!("{feature} not named: {offer:?}"));
            assert_eq!(missing.errno, *errno, "{feature}");
            assert!(!missing.hint.is_empty(), "{feature}");

            let error = engine.run(work.shell("touch ran")).unwrap_err();
            assert!(
                matches!(error, SandboxError::TierUnavailable { wanted: Tier::Full, .. }),
                "{feature}: {error}"
            );
            assert_eq!(error.code(), "sandbox.tier_unavailable");
            assert!(error.to_string().contains(feature), "{error}");
            assert!(!work.path().join("ran").exists(), "{feature}: could not be bounded, and ran");

            // Hosts are met by the full tier only, and that is said.
            let mut spec = work.restricted("touch ran");
            (spec.tier, spec.min_tier) = (Tier::Full, Tier::Limited);
            spec.network =
                crate::Network::Relay { socket: "/nowhere".into(), token: String::new(), port: 3128 };
            let error = engine.run(spec).unwrap_err();
            assert!(error.to_string().contains("--no-network"), "{feature}: {error}");
            assert!(!work.path().join("ran").exists(), "{feature}: not held to its hosts, and ran");

            // If policy allows a lower tier, the report states that tier.
            let mut spec = work.restricted("echo bounded");
            (spec.tier, spec.min_tier) = (Tier::Full, Tier::Limited);
            let report = engine.run(spec).unwrap_or_else(|error| panic!("{feature}: {error}"));
            assert_eq!((report.tier, out(&report).as_str()), (*tier, "bounded"), "{feature}");
            assert!(!report.gaps.is_empty(), "{feature}");
        })
        .join()
        .unwrap();
    }
}

#[test]
fn a_feature_lost_after_the_survey_fails_the_set_up() {
    // The survey succeeds; then one set-up stage after the other fails. The program must not start.
    let engine: &'static Engine = Box::leak(Box::new(Engine::new()));
    engine.offer().unwrap();
    type Row = (&'static str, &'static [(c_long, Option<i32>)]);
    let rows: &[Row] = &[
        ("landlock", &[(libc::SYS_landlock_restrict_self, None)]),
        ("seccomp", &[(libc::SYS_seccomp, None)]),
        ("capabilities", &[(libc::SYS_capset, None)]),
        ("pivot", &[(libc::SYS_pivot_root, None)]),
        ("hostname", &[(libc::SYS_sethostname, None)]),
        ("cgroupns", &[(libc::SYS_unshare, Some(libc::CLONE_NEWCGROUP))]),
        ("private", &[(libc::SYS_mount, None)]),
        ("session", &[(libc::SYS_setsid, None)]),
        ("namespaces", &[(libc::SYS_clone, Some(libc::CLONE_NEWNET))]),
    ];
    for (stage, calls) in rows {
        std::thread::spawn(move || {
            let work = Workspace::new();
            without(calls, libc::EPERM);
            match engine.run(work.shell("touch ran")) {
                Err(SandboxError::Setup { stage: told, errno }) => {
                    assert_eq!((told.as_str(), errno), (*stage, libc::EPERM))
                }
                other => panic!("{stage}: {other:?}"),
            }
            assert!(!work.path().join("ran").exists(), "{stage}");
        })
        .join()
        .unwrap();
    }
}

#[test]
fn an_old_kernel_without_close_range_still_closes_descriptors() {
    std::thread::spawn(|| {
        let work = Workspace::new();
        without(&[(libc::SYS_close_range, None)], libc::ENOSYS);
        let report = run(work.shell("ls /proc/self/fd | wc -l"));
        // Three streams and the descriptor of the listing.
        assert_eq!((report.tier, out(&report).as_str()), (Tier::Full, "4"));
    })
    .join()
    .unwrap();
}

#[test]
fn without_control_groups_the_keeper_supervises_and_says_so() {
    let work = Workspace::new();
    let report = Engine::new().without_cgroup().run(work.shell("exit 0")).unwrap();
    assert_eq!(report.status, Status::Exited { code: 0 });
    assert_eq!(report.limits.memory_by, crate::Mechanism::Supervised);
    let report = run(work.shell("exit 0"));
    eprintln!("memory here is held by {:?}", report.limits.memory_by);
}
