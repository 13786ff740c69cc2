//! Surveys this machine: tries each feature for real, and all of them, so that everything missing is listed at
//! once.

use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use doorward_core::Tier;
use serde::{Deserialize, Serialize};

use super::start;
use crate::report::Missing;
use crate::sys::{self, Forked};

/// Result of the survey.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Survey {
    pub(crate) landlock_abi: u32,
    pub(crate) missing: Vec<Missing>,
    /// A run can have its own limits on System V segments and queues.
    pub(crate) system_v: bool,
}

/// Every feature with the least tier that needs it, and a hint how to enable it.
const FEATURES: &[(&str, Tier, &str)] = &[
    ("openat2", Tier::Restricted, "needs Linux 5.6, or a container filter that lets it through"),
    ("seccomp", Tier::Restricted, "build the kernel with CONFIG_SECCOMP_FILTER"),
    ("landlock", Tier::Restricted, "needs Linux 5.13 with landlock in the lsm= list of the boot line"),
    (
        "userns",
        Tier::Full,
        "user namespaces are off: see user.max_user_namespaces, kernel.unprivileged_userns_clone and \
         kernel.apparmor_restrict_unprivileged_userns; add a profile or use restricted",
    ),
    ("pidns", Tier::Full, "process namespaces are refused here; use restricted"),
    ("mountns", Tier::Full, "mount namespaces are refused here; use restricted"),
    ("netns", Tier::Full, "network namespaces are refused here; use restricted, without an allow-list"),
    ("ipcns", Tier::Full, "IPC namespaces are refused here; use restricted"),
    ("utsns", Tier::Full, "UTS namespaces are refused here; use restricted"),
    ("cgroupns", Tier::Full, "control group namespaces are refused here; use restricted"),
    (
        "mounts",
        Tier::Full,
        "mounting inside a namespace is refused here (a container filter or AppArmor); use restricted",
    ),
    ("mount_api", Tier::Full, "open_tree, move_mount and mount_setattr need Linux 5.12"),
    ("proc", Tier::Full, "a fresh /proc is refused, as in containers that mask parts of it; use restricted"),
    (
        "idmap",
        Tier::Full,
        "id-mapped mounts need Linux 5.12 and a file system that has them; start as an ordinary user instead",
    ),
];

/// Settings that take user namespaces away from ordinary users: the file below `/proc`, the value that does it, and
/// the cause with its cure. With the first, a namespace can be made and gives no rights in it.
const USERS_OFF: &[(&str, &str, &str)] = &[
    (
        "sys/kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "AppArmor takes the rights from user namespaces (Ubuntu's default): sudo sysctl -w \
         kernel.apparmor_restrict_unprivileged_userns=0, or give doorward an AppArmor profile with `userns,`; or use \
         restricted",
    ),
    (
        "sys/kernel/unprivileged_userns_clone",
        "0",
        "only root may make user namespaces here: sudo sysctl -w kernel.unprivileged_userns_clone=1, or use restricted",
    ),
    (
        "sys/user/max_user_namespaces",
        "0",
        "no user namespaces are allowed here: sudo sysctl -w user.max_user_namespaces=15000, or use restricted",
    ),
];

impl Survey {
    /// Replaces the hint of what user namespaces need by the setting that takes them away, if one does.
    fn say_why_users_are_off(&mut self, read: &dyn Fn(&str) -> Option<String>) {
        let is_off =
            |(setting, off, _): &&(&str, &str, &str)| read(setting).is_some_and(|value| value.trim() == *off);
        let Some((_, _, cause)) = USERS_OFF.iter().find(is_off) else { return };
        // Whatever else is missing follows from it.
        self.missing.retain(|missing| {
            let needs = FEATURES.iter().find(|(name, ..)| *name == missing.feature).map(|(_, tier, _)| *tier);
            needs != Some(Tier::Full)
        });
        let feature = "userns".to_owned();
        self.missing.push(Missing { feature, errno: libc::EPERM, hint: (*cause).to_owned() });
    }

    /// The best tier available here.
    pub(crate) fn best(&self) -> Tier {
        let lacks = |tier: Tier| {
            FEATURES.iter().any(|(name, needs, _)| {
                *needs <= tier && self.missing.iter().any(|missing| missing.feature == *name)
            })
        };
        [Tier::Full, Tier::Restricted].into_iter().find(|tier| !lacks(*tier)).unwrap_or(Tier::Limited)
    }

    /// The features missing for a tier.
    pub(crate) fn missing_for(&self, tier: Tier) -> Vec<Missing> {
        let needed =
            |name: &str| FEATURES.iter().any(|(feature, needs, _)| *feature == name && *needs <= tier);
        self.missing.iter().filter(|missing| needed(&missing.feature)).cloned().collect()
    }

    fn note(&mut self, feature: &str, tried: io::Result<()>) {
        let Err(error) = tried else { return };
        let hint = FEATURES.iter().find(|(name, ..)| *name == feature).map_or("", |(_, _, hint)| hint);
        self.missing.push(Missing {
            feature: feature.to_owned(),
            errno: error.raw_os_error().unwrap_or(libc::EIO),
            hint: hint.to_owned(),
        });
    }
}

/// Tries all features.
pub(crate) fn survey() -> Survey {
    let mut found = Survey::default();
    let privileged = sys::ids().0 == 0;
    found.note(
        "openat2",
        sys::open_at(None, Path::new("/"), libc::O_PATH, libc::RESOLVE_NO_SYMLINKS).map(drop),
    );
    found.note("seccomp", sys::has_seccomp());
    match sys::landlock_abi() {
        Ok(abi) => found.landlock_abi = abi,
        Err(error) => found.note("landlock", Err(error)),
    }
    let with_user = if privileged { 0 } else { libc::CLONE_NEWUSER };
    found.note("userns", if privileged { users() } else { in_child(with_user, || Ok(())) });
    // If all namespaces can be made at once, they needn't be tried one by one.
    let all = NAMESPACES.iter().fold(with_user, |all, (_, flag)| all | flag);
    if in_child(all, || mounts().and_then(|()| mount_api()).and_then(|()| proc()).and_then(|()| cgroupns()))
        .is_err()
    {
        let both = with_user | libc::CLONE_NEWNS | libc::CLONE_NEWPID;
        for (name, flag) in NAMESPACES {
            found.note(name, in_child(with_user | flag, || Ok(())));
        }
        found.note("cgroupns", in_child(with_user, cgroupns));
        found.note("mounts", in_child(both, mounts));
        found.note("mount_api", in_child(both, mount_api));
        found.note("proc", in_child(both, proc));
    }
    if privileged {
        found.note("idmap", idmap());
    } else if !found.missing_for(Tier::Full).is_empty() {
        found.say_why_users_are_off(&|setting| fs::read_to_string(Path::new("/proc").join(setting)).ok());
    }
    let segments = || super::init::bound_system_v(u64::MAX >> 13);
    found.system_v = in_child(with_user | libc::CLONE_NEWIPC, segments).is_ok();
    found
}

const NAMESPACES: &[(&str, i32)] = &[
    ("pidns", libc::CLONE_NEWPID),
    ("mountns", libc::CLONE_NEWNS),
    ("netns", libc::CLONE_NEWNET),
    ("ipcns", libc::CLONE_NEWIPC),
    ("utsns", libc::CLONE_NEWUTS),
];

fn cgroupns() -> io::Result<()> {
    sys::unshare(libc::CLONE_NEWCGROUP)
}

fn mounts() -> io::Result<()> {
    sys::make_private()?;
    sys::mount("tmpfs", Path::new("/tmp"), "tmpfs", libc::MS_NOSUID, "size=4k")
}

fn mount_api() -> io::Result<()> {
    sys::make_private()?;
    let tree = copy_of("/usr")?;
    sys::set_mount(tree.as_fd(), sys::ATTR_RDONLY, true, None)?;
    let place = sys::open_at(None, Path::new("/tmp"), libc::O_PATH, 0)?;
    sys::attach(tree.as_fd(), place.as_fd())
}

fn proc() -> io::Result<()> {
    sys::make_private()?;
    let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    sys::mount("proc", Path::new("/proc"), "proc", flags, "")
}

/// One process makes a user namespace and another enters it, as uid 0 does.
fn users() -> io::Result<()> {
    let namespace = mapped((1000, 1000))?;
    in_child(0, move || sys::enter_namespace(namespace.as_fd(), libc::CLONE_NEWUSER))
}

fn mapped(inside: (u32, u32)) -> io::Result<OwnedFd> {
    start::id_map(inside, (65534, 65534), "userns").map_err(|fault| io::Error::from_raw_os_error(fault.errno))
}

fn idmap() -> io::Result<()> {
    let namespace = mapped((0, 0))?;
    in_child(libc::CLONE_NEWNS, move || {
        sys::make_private()?;
        sys::mount("tmpfs", Path::new("/tmp"), "tmpfs", libc::MS_NOSUID, "size=4k")?;
        sys::set_mount(copy_of("/tmp")?.as_fd(), 0, false, Some(namespace.as_fd()))
    })
}

fn copy_of(path: &str) -> io::Result<OwnedFd> {
    let place = sys::open_at(None, Path::new(path), libc::O_PATH, 0)?;
    sys::copy_tree(place.as_fd())
}

/// Runs an attempt in a child process, whose exit code is the errno.
fn in_child(namespaces: i32, attempt: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    let (uid, gid) = sys::ids();
    match sys::fork_into(namespaces)? {
        Forked::Child => {
            if namespaces & libc::CLONE_NEWUSER != 0 {
                let _ = fs::write("/proc/self/setgroups", "deny");
                let _ = fs::write("/proc/self/uid_map", format!("{uid} {uid} 1"));
                let _ = fs::write("/proc/self/gid_map", format!("{gid} {gid} 1"));
            }
            let code = attempt().err().map_or(0, |error| error.raw_os_error().unwrap_or(libc::EIO));
            sys::exit_now(code)
        }
        Forked::Parent { pid, .. } => {
            let status = sys::wait(pid, 0)?.map_or(0, |waited| waited.status);
            match (libc::WIFEXITED(status), libc::WEXITSTATUS(status)) {
                (true, 0) => Ok(()),
                (true, errno) => Err(io::Error::from_raw_os_error(errno)),
                _ => Err(io::Error::from_raw_os_error(libc::ECHILD)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_decides_the_tier() {
        let lacking = |names: &[&str]| {
            let mut survey = Survey::default();
            for name in names {
                survey.note(name, Err(io::Error::from_raw_os_error(libc::EPERM)));
            }
            survey
        };
        for (missing, tier) in [
            (&[][..], Tier::Full),
            (&["userns"], Tier::Restricted),
            (&["idmap", "proc"], Tier::Restricted),
            (&["landlock"], Tier::Limited),
            (&["seccomp"], Tier::Limited),
        ] {
            assert_eq!(lacking(missing).best(), tier, "{missing:?}");
        }
        let mut ubuntu = lacking(&["mounts", "proc", "landlock"]);
        ubuntu.say_why_users_are_off(&|setting| setting.contains("apparmor").then(|| "1\n".to_owned()));
        assert_eq!(ubuntu.best(), Tier::Limited);
        let [landlock, users] = ubuntu.missing.as_slice() else { panic!("{:?}", ubuntu.missing) };
        assert!(
            landlock.feature == "landlock" && users.hint.contains("sysctl -w kernel.apparmor"),
            "{users:?}"
        );
        let mut other = lacking(&["mounts"]);
        other.say_why_users_are_off(&|_| None);
        assert_eq!(other.missing, lacking(&["mounts"]).missing);
        let survey = lacking(&["userns", "netns", "landlock"]);
        assert_eq!(survey.missing_for(Tier::Restricted).len(), 1);
        assert_eq!(survey.missing_for(Tier::Full).len(), 3, "all at once");
        assert!(survey.missing.iter().all(|missing| !missing.hint.is_empty()));
    }
}
