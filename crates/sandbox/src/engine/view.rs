//! Turns a spec into a plan: the view the program gets at its tier, and the rules over it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use doorward_core::Tier;

use super::Engine;
use super::helper::NOBODY;
use super::outside::{Folder, Outside, private_folder};
use super::shared_tmp::make_mountpoints;
use crate::cgroup::Group;
use crate::error::SandboxError;
use crate::git::broker::Served;
use crate::git::{elsewhere, find};
use crate::landlock::{Grant, Rule};
use crate::leftover::Before;
use crate::linked;
use crate::overlay::WriteStore;
use crate::plan::{self, HeldPlaces, Plan, Raw, Step};
use crate::report::Missing;
use crate::spec::{Access, Network, Spec};
use crate::stage::Ground;
use crate::sys;

/// Names of the run's own loopback interface, in the syntax of `NO_PROXY`.
const LOOPBACK: &str = "localhost,127.0.0.1,::1";
/// Places of processes and their sockets: the run has its own, or none.
const OF_THE_MACHINE: &[&str] = &["/proc", "/sys", "/dev", "/run", "/var/run"];
/// Devices without side effects.
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
/// Files about the machine that programs read, shown where `/proc` isn't the run's own. None of them lists processes.
const MACHINE: &[&str] = words! {
    "/etc/passwd" "/etc/group" "/etc/nsswitch.conf" "/etc/hosts" "/etc/hostname" "/etc/resolv.conf"
    "/proc/meminfo" "/proc/cpuinfo" "/proc/stat" "/proc/version" "/proc/filesystems" "/proc/loadavg"
    "/proc/uptime" "/proc/sys/kernel/osrelease" "/proc/sys/kernel/pid_max"
    "/proc/sys/vm/overcommit_memory"
};

/// The program's view: the steps that build it, its Landlock rules, and the git directories whose state the keeper
/// writes.
#[derive(Debug, Default)]
struct View {
    steps: Vec<Step>,
    rules: Vec<Rule>,
    served: Vec<Served>,
}

impl Engine {
    pub(super) fn plan(
        &self,
        spec: &mut Spec,
        ground: &Ground,
        outside: &mut Outside,
    ) -> Result<Plan, SandboxError> {
        let Ground { tier, privileged, .. } = *ground;
        outside.before = Before::new(sys::file_time());
        let own = sys::ids();
        let (mut roots, absent) = pinned_roots(spec, tier)?;
        beside(spec, tier, &mut roots, outside)?;
        if spec.overlay {
            can_be_collected(&roots, tier)?;
        }
        let cwd = std::fs::canonicalize(&spec.cwd)
            .map_err(|_| SandboxError::Root { path: spec.cwd.display().to_string(), reason: "not there" })?;
        let outside_ids = match (privileged, tier) {
            (_, Tier::Full) => ground.outside,
            (true, Tier::Restricted) => restricted_ids(&roots)?,
            _ => own,
        };
        let inside = if tier == Tier::Full { ground.inside } else { outside_ids };

        let View { steps, rules, served } = match tier {
            Tier::Full => {
                let all: Vec<(PathBuf, Access)> =
                    roots.iter().map(|(path, access, _)| (path.clone(), *access)).collect();
                plan::check_cwd(&cwd, &all)?;
                let owner = privileged.then_some(outside_ids);
                self.view(spec, (&roots, &absent), inside, owner, outside)?
            }
            Tier::Restricted => {
                self.scratch_folder(spec, privileged.then_some(outside_ids), outside)?;
                for (path, ..) in
                    roots.iter().filter(|(_, access, pinned)| *access == Access::Write && pinned.directory)
                {
                    outside.before.add(path, &find::repositories(path), BTreeSet::new());
                }
                View { rules: restricted_rules(&roots, outside)?, ..View::default() }
            }
            _ => View::default(),
        };
        let relay_port = relay_port(spec);
        crate::runtimes::tell(&mut spec.env, &spec.limits);
        if let Some(group) = &outside.group {
            limit(group, spec)?;
        }
        if !privileged && tier >= Tier::Restricted && has_other_groups(own.1) {
            outside.gaps.insert("supplementary_groups".to_owned());
        }
        Ok(Plan {
            tier,
            argv: spec.argv.iter().cloned().map(Raw).collect(),
            env: spec.env.iter().map(|(name, value)| Raw(format!("{name}={value}").into_bytes())).collect(),
            cwd: Raw::from(cwd.as_path()),
            privileged,
            inside,
            outside: outside_ids,
            steps,
            rules,
            landlock_abi: self.survey()?.landlock_abi,
            limits: spec.limits.clone(),
            cgroup: outside.group.clone(),
            relay_port,
            final_cwd: spec.final_cwd,
            observe: spec.observe && tier >= Tier::Restricted,
            served,
            system_v: tier == Tier::Full && self.survey()?.system_v,
        })
    }

    /// The full tier's view: mounts in the empty root, and Landlock rules over them.
    fn view(
        &self,
        spec: &mut Spec,
        (roots, absent): (&[(PathBuf, Access, plan::PinnedPlace)], &[PathBuf]),
        inside: (u32, u32),
        owner: Option<(u32, u32)>,
        outside: &mut Outside,
    ) -> Result<View, SandboxError> {
        let home = spec.env.get("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
        let home = home.unwrap_or_else(|| PathBuf::from("/home/user"));
        spec.env.insert("HOME".to_owned(), home.display().to_string());
        spec.env.insert("TMPDIR".to_owned(), "/tmp".to_owned());
        let user = spec.env.get("USER").filter(|name| is_user_name(name)).cloned();
        let user = user.unwrap_or_else(|| "user".to_owned());
        let mut steps = plan::system_steps(&user, &home, inside);
        spec.env.insert("LOGNAME".to_owned(), user.clone());
        spec.env.insert("USER".to_owned(), user);
        steps.push(tmp_step(spec, &home, roots, outside)?);
        let mut rules = vec![
            Rule::new("/", Grant::Tree),
            Rule::new("/dev", Grant::Device),
            Rule::new("/tmp", Grant::Write),
            Rule::new("/dev/shm", Grant::Write),
        ];
        let in_root = roots.iter().any(|(root, access, _)| *access < Access::Deny && home.starts_with(root));
        if !in_root && home != Path::new("/tmp") && home != Path::new("/") {
            steps.push(Step::Scratch { at: Raw::from(home.as_path()), name: "home".to_owned() });
            rules.push(Rule::new(home.as_path(), Grant::Write));
        }
        if !in_root {
            steps.extend(links_of_home(spec, &home, roots));
        }
        let mut held = HeldPlaces::default();
        let all: Vec<(PathBuf, Access)> =
            roots.iter().map(|(path, access, _)| (path.clone(), *access)).collect();
        for (path, access, pinned) in roots {
            let at = Raw::from(path.as_path());
            match access {
                Access::Deny | Access::Closed => {
                    let closed = *access == Access::Closed;
                    steps.push(Step::Deny { at, directory: pinned.directory, closed });
                }
                Access::Write if spec.overlay => {
                    let store = WriteStore::create(self.store.as_deref(), path, owner)?;
                    let (_, store_pin) = plan::pin(store.folder())?;
                    steps.push(Step::Overlay { source: pinned.clone(), at, store: store_pin });
                    outside.stores.push(store);
                }
                _ => {
                    let write = matches!(access, Access::Write | Access::Git);
                    steps.push(Step::Bind { source: pinned.clone(), at, write });
                }
            }
            if *access == Access::Git {
                rules.push(Rule::new(path.as_path(), Grant::Write));
                plan::hold_git(path, &all, &mut held)?;
            }
            if *access == Access::Write {
                rules.push(Rule::new(path.as_path(), Grant::Write));
                // Before narrower mounts are made: a pin copies the existing content.
                steps.extend(pins_below(path, &all));
                if pinned.directory {
                    let (found, names) = plan::hold(spec, path, (&all, absent), &mut held)?;
                    if !spec.overlay {
                        outside.before.add(path, &found, names);
                    }
                }
            }
        }
        outside.gaps.extend(held.gaps);
        steps.extend(held.steps);
        Ok(View { steps, rules, served: held.served })
    }

    /// The restricted tier's private temp folder and home, on the host: random name, mode 0700 (CVE-2026-46406).
    fn scratch_folder(
        &self,
        spec: &mut Spec,
        owner: Option<(u32, u32)>,
        outside: &mut Outside,
    ) -> Result<(), SandboxError> {
        let folder = private_folder(self.store.as_deref())?;
        if let Some((uid, gid)) = owner {
            std::os::unix::fs::chown(&folder, Some(uid), Some(gid)).map_err(SandboxError::Helper)?;
        }
        let text = folder.display().to_string();
        spec.env.insert("TMPDIR".to_owned(), text.clone());
        spec.env.insert("HOME".to_owned(), text);
        outside.folder = Some(Folder(folder));
        Ok(())
    }
}

/// The run's `/tmp`: the session's, or a private one if that can't be had.
fn tmp_step(spec: &Spec, home: &Path, roots: &[Placed], outside: &mut Outside) -> Result<Step, SandboxError> {
    let at = Raw::from("/tmp");
    if let Some(folder) = &spec.tmp {
        let places = roots.iter().map(|(path, _, pinned)| (path.as_path(), pinned.directory));
        if make_mountpoints(folder, places.chain([(home, true)])).is_ok() {
            return Ok(Step::Bind { source: plan::pin(folder)?.1, at, write: true });
        }
        outside.gaps.insert("session_tmp".to_owned());
    }
    Ok(Step::Scratch { at, name: "tmp".to_owned() })
}

/// Whether a name can be that of the run's user in `/etc/passwd`, which has other names too.
fn is_user_name(name: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    !["root", "nobody", "nogroup"].contains(&name)
        && (1..=32).contains(&name.len())
        && name.chars().all(plain)
        && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}

/// The port at which the run reaches its relay, which the program's environment names; `None` without network.
fn relay_port(spec: &mut Spec) -> Option<u16> {
    let Network::Relay { token, port, .. } = &spec.network else { return None };
    proxy_environment(&mut spec.env, token, *port);
    Some(*port)
}

fn limit(group: &Group, spec: &Spec) -> Result<(), SandboxError> {
    group.limit(&spec.limits).map_err(|error| SandboxError::Setup {
        stage: "cgroup".to_owned(),
        errno: error.raw_os_error().unwrap_or(libc::EIO),
    })
}

/// Whether writes to these roots can be collected.
fn can_be_collected(roots: &[Placed], tier: Tier) -> Result<(), SandboxError> {
    if roots.iter().any(|(_, access, pinned)| *access == Access::Write && !pinned.directory) {
        return Err(SandboxError::Spec("writes to a root that is a single file can't be collected"));
    }
    if tier < Tier::Full {
        return Err(lacking(Tier::Full, tier, "overlay", "collecting writes needs the full tier"));
    }
    Ok(())
}

/// The spec's roots, pinned and ordered by depth, and paths to hide that don't exist yet.
fn pinned_roots(spec: &Spec, tier: Tier) -> Result<(Vec<Placed>, Vec<PathBuf>), SandboxError> {
    let (mut roots, mut absent) = (Vec::new(), Vec::new());
    // Lower tiers don't confine the program to roots.
    for root in spec.roots.iter().filter(|_| tier >= Tier::Restricted) {
        match plan::pin(&root.path) {
            Ok((path, pinned)) => roots.push((path, root.access, pinned)),
            // A missing path needn't be hidden, but below a writable root the program must not create it.
            Err(_) if root.access == Access::Deny && !root.path.exists() => absent.push(root.path.clone()),
            Err(error) => return Err(error),
        }
    }
    roots.sort_by(|(left, ..), (right, ..)| plan::by_depth(left, right));
    // The same path twice: the stricter access wins.
    roots.dedup_by(|(later, access, _), (earlier, kept, _)| {
        let same = later == earlier;
        if same {
            *kept = (*kept).max(*access);
        }
        same
    });
    Ok((roots, absent))
}

/// Links in a private home to the real readable places: a settings file kept elsewhere, a toolchain on another
/// disk, a home that is itself a link.
fn links_of_home(spec: &Spec, home: &Path, roots: &[Placed]) -> Vec<Step> {
    let mut links: BTreeMap<&Path, PathBuf> = BTreeMap::new();
    let read = spec.roots.iter().filter(|root| root.access == Access::Read).map(|root| root.path.as_path());
    let below: BTreeSet<&Path> = read.filter(|path| path.starts_with(home) && *path != home).collect();
    for path in below {
        let is_laid = roots.iter().any(|(real, ..)| path.starts_with(real) || real.starts_with(path))
            || links.keys().any(|link| path.starts_with(link));
        if let Some(real) = std::fs::canonicalize(path).ok().filter(|real| real != path && !is_laid) {
            links.insert(path, real);
        }
    }
    let plain = |path: &&Path| path.components().all(|part| !matches!(part, std::path::Component::ParentDir));
    let laid = links.iter().filter(|(path, _)| plain(path));
    laid.map(|(path, real)| Step::Link { at: Raw::from(*path), to: Raw::from(real.as_path()) }).collect()
}

/// A root, pinned to the file it was when the plan was made.
type Placed = (PathBuf, Access, plan::PinnedPlace);

/// Adds what belongs to the roots and lies outside them: the repository's tree and what links lead to, read-only and
/// without secret-looking files; the git directory, writable if its root is; places that the call was judged to read.
fn beside(
    spec: &Spec,
    tier: Tier,
    roots: &mut Vec<Placed>,
    outside: &mut Outside,
) -> Result<(), SandboxError> {
    let home = spec.env.get("HOME").and_then(|home| std::fs::canonicalize(home).ok());
    let cwd = std::fs::canonicalize(&spec.cwd).unwrap_or_default();
    let mut more: Vec<(PathBuf, Access)> = Vec::new();
    for (root, access, pinned) in roots.iter() {
        // Only for roots the program works in; another readable root (such as a toolchain) adds nothing.
        let works = *access == Access::Write || (*access == Access::Read && cwd.starts_with(root));
        if !works || !pinned.directory || tier < Tier::Restricted {
            continue;
        }
        let found = elsewhere::of(root, home.as_deref());
        // An explicit root for that place takes precedence.
        let is_free = |path: &PathBuf| !roots.iter().any(|(own, ..)| path.starts_with(own));
        // Without its tree, git would take every file for deleted.
        if let Some(tree) = found.tree.filter(is_free)
            && !show(&tree, root, roots, tier, &mut more, &mut outside.gaps)
        {
            continue;
        }
        for folder in linked::of(root, home.as_deref()).iter().filter(|folder| is_free(folder)) {
            show(folder, root, roots, tier, &mut more, &mut outside.gaps);
        }
        if let Some(git) = found.git.filter(is_free) {
            let written = *access == Access::Write && !spec.overlay && tier == Tier::Full;
            more.push((git, if written { Access::Git } else { Access::Read }));
        }
    }
    for place in spec.judged.iter().filter_map(|place| std::fs::canonicalize(place).ok()) {
        let wide = place.components().count() < 3
            || home.as_ref().is_some_and(|home| home.starts_with(&place))
            || OF_THE_MACHINE.iter().any(|folder| place.starts_with(folder));
        if tier >= Tier::Restricted && !wide && !roots.iter().any(|(own, ..)| place.starts_with(own)) {
            show(&place, &cwd, roots, tier, &mut more, &mut outside.gaps);
        }
    }
    for (path, access) in more {
        let (path, pinned) = plan::pin(&path)?;
        roots.push((path, access, pinned));
    }
    roots.sort_by(|(left, ..), (right, ..)| plan::by_depth(left, right));
    // Several roots can share a place: it is denied if any of them denies it, else it gets the widest access they
    // need.
    roots.dedup_by(|(later, access, _), (earlier, kept, _)| {
        let same = later == earlier;
        if same {
            let closed = (*kept).max(*access) == Access::Closed;
            *kept = if closed { Access::Closed } else { (*kept).min(*access) };
        }
        same
    });
    Ok(())
}

/// Shows a place outside the roots read-only, without files that have the names of secret files. `root` is shown
/// anyway. False if it isn't shown: it is too large to search, or this tier can't hide a part of it.
fn show(
    place: &Path,
    root: &Path,
    roots: &[Placed],
    tier: Tier,
    more: &mut Vec<(PathBuf, Access)>,
    gaps: &mut BTreeSet<String>,
) -> bool {
    if more.iter().any(|(own, access)| *access == Access::Read && place.starts_with(own)) {
        return true;
    }
    if place.to_str().is_none_or(doorward_paths::is_secret) {
        return false;
    }
    let Some(secrets) = elsewhere::secrets(place, root) else {
        gaps.insert("repository.unsearched".to_owned());
        return false;
    };
    // Landlock can't exclude a path from what it allows.
    let narrowed = || roots.iter().any(|(own, ..)| own.starts_with(place) && own != root);
    if tier < Tier::Full && (!secrets.is_empty() || narrowed()) {
        return false;
    }
    let is_free = |path: &PathBuf| !roots.iter().any(|(own, ..)| path.starts_with(own));
    more.push((place.to_owned(), Access::Read));
    more.extend(secrets.into_iter().filter(is_free).map(|secret| (secret, Access::Closed)));
    true
}

fn lacking(wanted: Tier, attained: Tier, feature: &str, hint: &str) -> SandboxError {
    let missing =
        vec![Missing { feature: feature.to_owned(), errno: libc::EOPNOTSUPP, hint: hint.to_owned() }];
    SandboxError::TierUnavailable { wanted, attained, missing }
}

/// Pins every folder between a writable root and a denied or read-only part of it. Otherwise the folder could be
/// renamed, and the protected part would appear under an unexpected name outside.
fn pins_below(root: &Path, roots: &[(PathBuf, Access)]) -> Vec<Step> {
    let narrower = roots.iter().filter(|(part, access)| *access != Access::Write && part.starts_with(root));
    let between = |folder: &&Path| {
        let nearest = roots.iter().filter(|(other, _)| folder.starts_with(other)).map(|(other, _)| other);
        *folder != root && nearest.max().is_some_and(|nearest| nearest == root)
    };
    let pinned: BTreeSet<&Path> =
        narrower.flat_map(|(part, _)| part.ancestors().skip(1).filter(between)).collect();
    // A sorted set of paths lists parents first.
    pinned.into_iter().map(|folder| Step::Pin { at: Raw::from(folder) }).collect()
}

/// For runs started by uid 0 without a mount namespace, where files can't be id-mapped: the ids of the owner of the
/// first writable root, never 0.
fn restricted_ids(roots: &[(PathBuf, Access, plan::PinnedPlace)]) -> Result<(u32, u32), SandboxError> {
    let owners: Vec<(u32, u32)> = roots
        .iter()
        .filter(|(_, access, _)| *access == Access::Write)
        .map(|(.., pinned)| (pinned.uid, pinned.gid))
        .collect();
    match owners.first() {
        None => Ok(NOBODY),
        Some((uid, gid)) if *uid != 0 && owners.iter().all(|owner| owner.0 == *uid) => {
            Ok((*uid, (*gid).max(1)))
        }
        Some(_) => Err(lacking(
            Tier::Restricted,
            Tier::Limited,
            "unprivileged_uid",
            "a writable root belongs to uid 0, or they belong to several: give them to one ordinary user, or use full",
        )),
    }
}

fn restricted_rules(
    roots: &[(PathBuf, Access, plan::PinnedPlace)],
    outside: &Outside,
) -> Result<Vec<Rule>, SandboxError> {
    let mut rules = Vec::new();
    for top in [
        "/usr",
        "/bin",
        "/sbin",
        "/lib",
        "/lib32",
        "/lib64",
        "/libx32",
        "/nix/store",
        "/gnu/store",
        "/sys/devices/system/cpu",
    ] {
        rules.push(Rule::new(top, Grant::Tree));
    }
    rules.extend(plan::etc().iter().map(|path| Rule::new(path.as_path(), Grant::Tree)));
    rules.extend(MACHINE.iter().map(|file| Rule::new(*file, Grant::File)));
    rules.extend(DEVICES.iter().map(|file| Rule::new(*file, Grant::Device)));
    if let Some(folder) = &outside.folder {
        rules.push(Rule::new(folder.0.as_path(), Grant::Write));
    }
    for (path, access, _) in roots {
        let above = roots.iter().filter(|(other, ..)| other != path && path.starts_with(other));
        let narrows = match access {
            Access::Deny | Access::Closed => above.clone().any(|(_, access, _)| *access < Access::Deny),
            Access::Read => above.clone().any(|(_, access, _)| *access == Access::Write),
            Access::Write | Access::Git => false,
        };
        if narrows {
            return Err(lacking(
                Tier::Full,
                Tier::Restricted,
                "nested_roots",
                "Landlock can't take a part away from an allowed root; use full, or don't allow the whole",
            ));
        }
        match access {
            Access::Read => rules.push(Rule::new(path.as_path(), Grant::Tree)),
            Access::Write => rules.push(Rule::new(path.as_path(), Grant::Write)),
            Access::Git | Access::Deny | Access::Closed => {}
        }
    }
    Ok(rules)
}

/// Sets the proxy variables in both cases, as there is no standard. A client that ignores them finds no route.
/// Variables already set for the run are kept: the proxy's owner knows better what its clients need.
fn proxy_environment(env: &mut BTreeMap<String, String>, token: &str, port: u16) {
    let url = format!("http://{token}:@127.0.0.1:{port}");
    let mut give = |name: String, value: String| {
        env.entry(name).or_insert(value);
    };
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        give(name.to_owned(), url.clone());
        give(name.to_lowercase(), url.clone());
    }
    // Loopback is private to the run: its servers and clients connect without the proxy.
    give("NO_PROXY".to_owned(), LOOPBACK.to_owned());
    give("no_proxy".to_owned(), LOOPBACK.to_owned());
    give("NODE_USE_ENV_PROXY".to_owned(), "1".to_owned());
    give(
        "GIT_SSH_COMMAND".to_owned(),
        format!("ssh -o ProxyCommand='nc -X connect -x 127.0.0.1:{port} %h %p'"),
    );
}

/// Whether this user has supplementary groups. An ordinary user can't drop them; in the full tier the files they
/// give access to are not visible outside the view.
fn has_other_groups(own: u32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let groups = status.lines().find_map(|line| line.strip_prefix("Groups:")).unwrap_or_default();
    groups.split_whitespace().any(|group| group.parse() != Ok(own))
}
