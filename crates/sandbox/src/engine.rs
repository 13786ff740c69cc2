//! The engine: from a [`Spec`] to a [`Report`], by way of a plan and a helper process.
//!
//! It decides the tier from what the survey found, refuses below the least allowed, prepares what must exist outside
//! (control group, placeholders, store), starts the helper and passes bytes until the end. It never runs anything with
//! less than was asked for.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use doorward_core::Tier;

use crate::cgroup::Group;
use crate::error::SandboxError;
use crate::idmap;
use crate::landlock::{Grant, Rule};
use crate::overlay::{Overlay, Store};
use crate::placeholder::Placeholder;
use crate::plan::{self, Held, Plan, Raw, Step};
use crate::relay::Relay;
use crate::report::{Cause, LimitHit, LimitName, LimitsHeld, Mechanism, Missing, Report, Status};
use crate::spec::{Access, Input, Network, Output, Spec};
use crate::stage::survey::Survey;
use crate::stage::{Ask, End, HELPER, Order, Role, Tell};
use crate::sys::{self, Watch};

/// The uid of runs that are started by uid 0 and own no files: nobody.
const NOBODY: u32 = 65534;
/// The uid such a run sees itself as.
const USER: u32 = 1000;
/// Devices that take and give nothing.
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
/// What programs read of the machine where `/proc` isn't theirs: no process is told of here.
const MACHINE: &[&str] = &[
    "/etc/passwd",
    "/etc/group",
    "/etc/nsswitch.conf",
    "/etc/hosts",
    "/etc/hostname",
    "/etc/resolv.conf",
    "/proc/meminfo",
    "/proc/cpuinfo",
    "/proc/stat",
    "/proc/version",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/uptime",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/pid_max",
    "/proc/sys/vm/overcommit_memory",
];
/// Said at the end of a stream that was cut.
pub(crate) const CUT: &[u8] = b"\n[doorward: output cut here]\n";

/// Set by [`maybe_init`](crate::maybe_init) when it returned: this binary can be its own helper.
pub(crate) static HOSTED: AtomicBool = AtomicBool::new(false);

/// A stream of the program's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// Hears output as it comes.
pub type Listener = Box<dyn FnMut(Stream, &[u8]) + Send>;

/// Starts runs. One per process is enough: it keeps what the survey found.
#[derive(Debug, Default)]
pub struct Engine {
    survey: OnceLock<Survey>,
    without_cgroup: bool,
    store: Option<PathBuf>,
}

/// What can be had here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The best tier.
    pub best: Tier,
    /// Landlock's ABI, 0 when there is none.
    pub landlock_abi: u32,
    /// Everything missing for the full tier.
    pub missing: Vec<Missing>,
}

impl Engine {
    /// An engine that hasn't looked yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Where collected writes are kept (default: the system's temp folder). Must be a real file system.
    #[must_use]
    pub fn with_store(mut self, folder: impl Into<PathBuf>) -> Self {
        self.store = Some(folder.into());
        self
    }

    /// Leaves control groups alone: memory and processes are supervised.
    #[must_use]
    pub fn without_cgroup(mut self) -> Self {
        self.without_cgroup = true;
        self
    }

    /// What can be had here; looked at once.
    ///
    /// # Errors
    /// [`SandboxError::Helper`] when the helper can't be started.
    pub fn offer(&self) -> Result<Offer, SandboxError> {
        let survey = self.survey()?;
        Ok(Offer {
            best: survey.best(),
            landlock_abi: survey.landlock_abi,
            missing: survey.missing_for(Tier::Full),
        })
    }

    /// The tier a run that tries for `wanted` reaches, or what is missing for `least`.
    ///
    /// # Errors
    /// [`SandboxError::TierUnavailable`] naming everything missing.
    pub fn tier(&self, wanted: Tier, least: Tier) -> Result<Tier, SandboxError> {
        let survey = self.survey()?;
        let reached = survey.best().min(wanted);
        if reached < least {
            return Err(SandboxError::TierUnavailable {
                wanted: least,
                attained: reached,
                missing: survey.missing_for(least),
            });
        }
        Ok(reached)
    }

    /// Runs to the end.
    pub(crate) fn run(&self, spec: Spec) -> Result<Report, SandboxError> {
        self.start(spec, None)?.wait()
    }

    fn survey(&self) -> Result<&Survey, SandboxError> {
        if let Some(survey) = self.survey.get() {
            return Ok(survey);
        }
        let (_child, control) = spawn(Stdio::null(), Stdio::null())?;
        give_order(&control, &Order::Survey, Vec::new())?;
        let mut buffer = vec![0; 64 << 10];
        let heard = sys::receive(control.as_fd(), &mut buffer, 0).map_err(SandboxError::Helper)?;
        let (length, _) = heard.ok_or_else(|| SandboxError::Helper(io::ErrorKind::UnexpectedEof.into()))?;
        match serde_json::from_slice(buffer.get(..length).unwrap_or_default()) {
            Ok(Tell::Survey(survey)) => Ok(self.survey.get_or_init(|| survey)),
            _ => Err(SandboxError::Helper(io::ErrorKind::InvalidData.into())),
        }
    }

    /// Starts a run. Dropping what comes back ends it.
    pub(crate) fn start(&self, mut spec: Spec, listener: Option<Listener>) -> Result<Running, SandboxError> {
        let least = match spec.network {
            Network::None => spec.min_tier,
            // Without a namespace of its own a program can walk past any proxy.
            Network::Relay { .. } => Tier::Full,
        };
        if spec.argv.first().is_none_or(Vec::is_empty) {
            return Err(SandboxError::Spec("no program"));
        }
        let tier = self.tier(spec.tier.max(least), least)?;
        let (stdout, out) = sink(spec.stdout, Stream::Out, spec.limits.output)?;
        let (stderr, err) = sink(spec.stderr, Stream::Err, spec.limits.output)?;
        // The helper loads while the plan is made; without an order it ends when its socket does.
        let (child, control) = spawn(stdout, stderr)?;
        let privileged = sys::ids().0 == 0;
        let mut outside = Outside::default();
        let plan = self.plan(&mut spec, tier, privileged, &mut outside)?;
        let ruleset = plan.ruleset();
        let features = features(&plan, spec.network != Network::None);
        let limits = held_limits(&plan);
        let gaps = gaps(&plan, &outside.gaps);
        let uid = plan.outside.0;
        let end_on_output = plan.limits.end_on_output;

        let mut fds = idmap::known(&plan);
        let mut feed = None;
        match std::mem::take(&mut spec.stdin) {
            Input::Null => {}
            Input::Descriptor(fd) => fds.push((Role::Stdin, fd)),
            Input::Bytes(bytes) => {
                let (read, write) = sys::pipe().map_err(SandboxError::Helper)?;
                sys::set_nonblocking(write.as_fd()).map_err(SandboxError::Helper)?;
                fds.push((Role::Stdin, read));
                feed = Some((std::fs::File::from(write), VecDeque::from(bytes)));
            }
        }
        let mut cwd_pipe = None;
        if spec.final_cwd {
            let (read, write) = sys::pipe().map_err(SandboxError::Helper)?;
            fds.push((Role::FinalCwd, write));
            cwd_pipe = Some(Pipe::new(read, 4096)?);
        }
        let relay_to = match &spec.network {
            Network::Relay { socket, .. } => Some(socket.clone()),
            Network::None => None,
        };
        give_order(&control, &Order::Run(Box::new(plan)), fds)?;
        Ok(Running {
            child,
            control: Arc::new(control),
            out,
            err,
            cwd_pipe,
            feed,
            listener,
            relay_to,
            relay: None,
            end_on_output,
            outside,
            draft: Draft { tier, features, gaps, uid, ruleset, limits, observe: spec.observe },
        })
    }

    fn plan(
        &self,
        spec: &mut Spec,
        tier: Tier,
        privileged: bool,
        outside: &mut Outside,
    ) -> Result<Plan, SandboxError> {
        let (own_uid, own_gid) = sys::ids();
        let mut roots = Vec::new();
        for root in &spec.roots {
            let (path, pinned) = match plan::pin(&root.path) {
                Ok(found) => found,
                // What isn't there needn't be hidden.
                Err(_) if root.access == Access::Deny && !root.path.exists() => continue,
                Err(error) => return Err(error),
            };
            roots.push((path, root.access, pinned));
        }
        roots.sort_by(|(left, ..), (right, ..)| plan::by_depth(left, right));
        // The same place twice: the stricter word counts.
        roots.dedup_by(|(later, access, _), (earlier, kept, _)| {
            let same = later == earlier;
            if same {
                *kept = (*kept).max(*access);
            }
            same
        });
        if spec.overlay
            && roots.iter().any(|(_, access, pinned)| *access == Access::Write && !pinned.directory)
        {
            return Err(SandboxError::Spec("writes to a root that is a single file can't be collected"));
        }
        if spec.overlay && tier < Tier::Full {
            return Err(lacking(Tier::Full, tier, "overlay", "collecting writes needs the full tier"));
        }
        let cwd = std::fs::canonicalize(&spec.cwd)
            .map_err(|_| SandboxError::Root { path: spec.cwd.display().to_string(), reason: "not there" })?;
        let outside_ids = match (privileged, tier) {
            (true, Tier::Full) => (NOBODY, NOBODY),
            (true, Tier::Restricted) => restricted_ids(&roots)?,
            _ => (own_uid, own_gid),
        };
        let inside = if privileged && tier == Tier::Full { (USER, USER) } else { outside_ids };

        let (steps, rules) = match tier {
            Tier::Full => {
                let all: Vec<(PathBuf, Access)> =
                    roots.iter().map(|(path, access, _)| (path.clone(), *access)).collect();
                plan::check_cwd(&cwd, &all)?;
                self.view(spec, &roots, inside, privileged.then_some(outside_ids), outside)?
            }
            Tier::Restricted => {
                self.scratch_folder(spec, privileged.then_some(outside_ids), outside)?;
                (Vec::new(), restricted_rules(&roots, outside)?)
            }
            _ => (Vec::new(), Vec::new()),
        };
        let relay_port = match &spec.network {
            Network::Relay { token, port, .. } => {
                proxy_environment(&mut spec.env, token, *port);
                Some(*port)
            }
            Network::None => None,
        };
        if tier > Tier::None && !self.without_cgroup {
            outside.group = Group::create(&format!("doorward-{}", random_name()?), &spec.limits);
        }
        if !privileged && tier >= Tier::Restricted && has_other_groups(own_gid) {
            outside.gaps.insert("supplementary_groups".to_owned());
        }
        let before = if tier < Tier::Full
            && tier > Tier::None
            && outside.group.as_ref().and_then(Group::pids_by).is_none()
        {
            crate::tree::tasks_of(outside_ids.0)
        } else {
            0
        };
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
            processes_before: before,
        })
    }

    /// The full tier's view: what is put into the empty root, and Landlock's rules over it.
    fn view(
        &self,
        spec: &mut Spec,
        roots: &[(PathBuf, Access, plan::Pinned)],
        inside: (u32, u32),
        owner: Option<(u32, u32)>,
        outside: &mut Outside,
    ) -> Result<(Vec<Step>, Vec<Rule>), SandboxError> {
        let home = spec.env.get("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
        let home = home.unwrap_or_else(|| PathBuf::from("/home/user"));
        spec.env.insert("HOME".to_owned(), home.display().to_string());
        spec.env.insert("TMPDIR".to_owned(), "/tmp".to_owned());
        spec.env.insert("USER".to_owned(), "user".to_owned());
        let mut steps = plan::system_steps(&home, inside.0, inside.1);
        let mut rules = vec![
            Rule::new("/", Grant::Tree),
            Rule::new("/dev", Grant::Device),
            Rule::new("/tmp", Grant::Write),
            Rule::new("/dev/shm", Grant::Write),
        ];
        let in_root = roots.iter().any(|(root, access, _)| *access != Access::Deny && home.starts_with(root));
        if !in_root && home != Path::new("/tmp") && home != Path::new("/") {
            steps.push(Step::Scratch { at: Raw::from(home.as_path()), name: "home".to_owned() });
            rules.push(Rule::new(home.as_path(), Grant::Write));
        }
        let mut held = Held::default();
        for (path, access, pinned) in roots {
            let at = Raw::from(path.as_path());
            match access {
                Access::Deny => steps.push(Step::Deny { at, directory: pinned.directory }),
                Access::Write if spec.overlay => {
                    let store = Store::create(self.store.as_deref(), path, owner)?;
                    let (_, store_pin) = plan::pin(store.folder())?;
                    steps.push(Step::Overlay { source: pinned.clone(), at, store: store_pin });
                    outside.stores.push(store);
                }
                _ => {
                    let write = *access == Access::Write;
                    steps.push(Step::Bind { source: pinned.clone(), at, write });
                }
            }
            if *access == Access::Write {
                rules.push(Rule::new(path.as_path(), Grant::Write));
                if pinned.directory {
                    plan::hold(spec, path, &mut held)?;
                }
            }
        }
        for (root, name) in &held.vacant {
            let upper =
                outside.stores.iter().find(|store| store.root() == root).map(|store| (store, store.upper()));
            let base = match &upper {
                Some((store, upper)) => {
                    store
                        .mirror(name.parent().unwrap_or(Path::new("")))
                        .map_err(|error| SandboxError::Overlay(error.to_string()))?;
                    upper
                }
                None => root,
            };
            let kept = Placeholder::keep(base, name).map_err(|_| SandboxError::Protected {
                path: root.join(name).display().to_string(),
                reason: "its place can't be kept",
            })?;
            outside.placeholders.push(kept);
        }
        outside.gaps.extend(held.gaps);
        steps.extend(held.steps);
        Ok((steps, rules))
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

/// What exists outside for the time of a run; dropped, it is gone.
#[derive(Debug, Default)]
struct Outside {
    group: Option<Group>,
    placeholders: Vec<Placeholder>,
    stores: Vec<Store>,
    folder: Option<Folder>,
    gaps: BTreeSet<String>,
}

impl Drop for Outside {
    fn drop(&mut self) {
        if let Some(group) = &self.group {
            group.kill();
            group.remove();
        }
    }
}

#[derive(Debug)]
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Sixteen hexadecimal digits nobody can guess.
pub(crate) fn random_name() -> Result<String, SandboxError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|_| SandboxError::Helper(io::ErrorKind::Other.into()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A folder only we can enter, under a name nobody can guess.
pub(crate) fn private_folder(below: Option<&Path>) -> Result<PathBuf, SandboxError> {
    use std::os::unix::fs::DirBuilderExt;
    let below = below.map_or_else(std::env::temp_dir, Path::to_owned);
    let folder = below.join(format!("doorward-{}", random_name()?));
    std::fs::DirBuilder::new().mode(0o700).create(&folder).map_err(SandboxError::Helper)?;
    std::fs::canonicalize(folder).map_err(SandboxError::Helper)
}

fn lacking(wanted: Tier, attained: Tier, feature: &str, hint: &str) -> SandboxError {
    let missing =
        vec![Missing { feature: feature.to_owned(), errno: libc::EOPNOTSUPP, hint: hint.to_owned() }];
    SandboxError::TierUnavailable { wanted, attained, missing }
}

/// Started by uid 0 without a mount namespace, files can't be mapped: the run becomes the owner of its first writable
/// root, and never 0.
fn restricted_ids(roots: &[(PathBuf, Access, plan::Pinned)]) -> Result<(u32, u32), SandboxError> {
    let owners: Vec<(u32, u32)> = roots
        .iter()
        .filter(|(_, access, _)| *access == Access::Write)
        .map(|(.., pinned)| (pinned.uid, pinned.gid))
        .collect();
    match owners.first() {
        None => Ok((NOBODY, NOBODY)),
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
    roots: &[(PathBuf, Access, plan::Pinned)],
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
    rules.extend(plan::ETC.iter().map(|name| Rule::new(Path::new("/etc").join(name).as_path(), Grant::Tree)));
    rules.extend(MACHINE.iter().map(|file| Rule::new(*file, Grant::File)));
    rules.extend(DEVICES.iter().map(|file| Rule::new(*file, Grant::Device)));
    if let Some(folder) = &outside.folder {
        rules.push(Rule::new(folder.0.as_path(), Grant::Write));
    }
    for (path, access, _) in roots {
        let above = roots.iter().filter(|(other, ..)| other != path && path.starts_with(other));
        let narrows = match access {
            Access::Deny => above.clone().any(|(_, access, _)| *access != Access::Deny),
            Access::Read => above.clone().any(|(_, access, _)| *access == Access::Write),
            Access::Write => false,
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
            Access::Deny => {}
        }
    }
    Ok(rules)
}

/// Clients find the proxy by these names (both cases, as there is no standard); what doesn't look finds no route.
fn proxy_environment(env: &mut BTreeMap<String, String>, token: &str, port: u16) {
    let url = format!("http://{token}:@127.0.0.1:{port}");
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        env.insert(name.to_owned(), url.clone());
        env.insert(name.to_lowercase(), url.clone());
    }
    env.insert("NO_PROXY".to_owned(), String::new());
    env.insert("no_proxy".to_owned(), String::new());
    env.insert("NODE_USE_ENV_PROXY".to_owned(), "1".to_owned());
    env.entry("GIT_SSH_COMMAND".to_owned())
        .or_insert_with(|| format!("ssh -o ProxyCommand='nc -X connect -x 127.0.0.1:{port} %h %p'"));
}

/// An ordinary user can't give up groups; what they may open outside the view stays out of sight in the full tier.
fn has_other_groups(own: u32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let groups = status.lines().find_map(|line| line.strip_prefix("Groups:")).unwrap_or_default();
    groups.split_whitespace().any(|group| group.parse() != Ok(own))
}

fn features(plan: &Plan, relay: bool) -> Vec<String> {
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

/// What the tier does not contain here. The full tier has none but what was found on the way.
fn gaps(plan: &Plan, found: &BTreeSet<String>) -> Vec<String> {
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

fn held_limits(plan: &Plan) -> LimitsHeld {
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

/// Starts the helper.
fn spawn(stdout: Stdio, stderr: Stdio) -> Result<(Helper, OwnedFd), SandboxError> {
    if !HOSTED.load(Ordering::Relaxed) {
        // Without it the helper would be this whole program once more.
        return Err(SandboxError::Spec("maybe_init() must be called first in main"));
    }
    let give = || -> io::Result<(Helper, OwnedFd)> {
        let (control, far) = sys::packet_pair()?;
        let child = Command::new("/proc/self/exe")
            .arg0(HELPER)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::from(far))
            .stdout(stdout)
            .stderr(stderr)
            .process_group(0)
            .spawn()?;
        Ok((Helper { child: Some(child), over: false }, control))
    };
    give().map_err(SandboxError::Helper)
}

/// Gives the helper its order.
fn give_order(control: &OwnedFd, order: &Order, fds: Vec<(Role, OwnedFd)>) -> Result<(), SandboxError> {
    let give = || -> io::Result<()> {
        let mut file = std::fs::File::from(sys::memory_file(c"doorward-order")?);
        file.write_all(&serde_json::to_vec(order)?)?;
        let mut roles = vec![Role::Order];
        let mut all = vec![OwnedFd::from(file)];
        for (role, fd) in fds {
            roles.push(role);
            all.push(fd);
        }
        let borrowed: Vec<_> = all.iter().map(AsFd::as_fd).collect();
        sys::send(control.as_fd(), &serde_json::to_vec(&roles)?, &borrowed)
    };
    give().map_err(SandboxError::Helper)
}

/// The helper's process; waited for when dropped, so that none is left a zombie. It ends by itself once the control
/// socket is closed.
#[derive(Debug)]
struct Helper {
    child: Option<Child>,
    /// It has told that nobody is left: only its own clearing up is still to come, which nobody need wait for.
    over: bool,
}

impl Drop for Helper {
    fn drop(&mut self) {
        let Some(mut child) = self.child.take() else { return };
        if self.over && matches!(child.try_wait(), Ok(None)) {
            // Without a thread to wait it stays a zombie until this process ends: harmless.
            let _ = std::thread::Builder::new().spawn(move || child.wait());
        } else {
            let _ = child.wait();
        }
    }
}

/// One output pipe, read without waiting.
#[derive(Debug)]
struct Pipe {
    file: Option<std::fs::File>,
    kept: Vec<u8>,
    total: u64,
    cap: u64,
    cut: bool,
}

impl Pipe {
    fn new(read: OwnedFd, cap: u64) -> Result<Self, SandboxError> {
        sys::set_nonblocking(read.as_fd()).map_err(SandboxError::Helper)?;
        Ok(Self { file: Some(std::fs::File::from(read)), kept: Vec::new(), total: 0, cap, cut: false })
    }

    /// Takes what is there, up to one buffer. True when the cap was just passed.
    fn take(&mut self, keep: bool, mut hear: impl FnMut(&[u8])) -> bool {
        let Some(file) = &mut self.file else { return false };
        let mut buffer = [0; 64 << 10];
        match file.read(&mut buffer) {
            Ok(0) => self.file = None,
            Ok(length) => {
                let room = usize::try_from(self.cap.saturating_sub(self.total)).unwrap_or(usize::MAX);
                self.total = self.total.saturating_add(length as u64);
                let fresh = buffer.get(..length.min(room)).unwrap_or_default();
                let mut pass = |bytes: &[u8]| {
                    if keep {
                        self.kept.extend(bytes);
                    }
                    hear(bytes);
                };
                if !fresh.is_empty() {
                    pass(fresh);
                }
                if length > room && !self.cut {
                    pass(CUT);
                    self.cut = true;
                    return true;
                }
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(_) => self.file = None,
        }
        false
    }
}

#[derive(Debug)]
struct Sink {
    stream: Stream,
    keep: bool,
    pipe: Option<Pipe>,
}

fn sink(output: Output, stream: Stream, cap: u64) -> Result<(Stdio, Sink), SandboxError> {
    let keep = output == Output::Capture;
    Ok(match output {
        Output::Null => (Stdio::null(), Sink { stream, keep, pipe: None }),
        Output::Inherit => (Stdio::inherit(), Sink { stream, keep, pipe: None }),
        Output::Capture | Output::Stream => {
            let (read, write) = sys::pipe().map_err(SandboxError::Helper)?;
            (Stdio::from(write), Sink { stream, keep, pipe: Some(Pipe::new(read, cap)?) })
        }
    })
}

/// What of the report is known before the run.
#[derive(Debug)]
struct Draft {
    tier: Tier,
    features: Vec<String>,
    gaps: Vec<String>,
    uid: u32,
    ruleset: String,
    limits: LimitsHeld,
    observe: bool,
}

/// A run at work. Dropped, it is ended.
#[must_use]
pub struct Running {
    // Field order matters when dropped: the control socket closes first, which ends the run, then the helper is waited
    // for, then what existed outside goes.
    control: Arc<OwnedFd>,
    child: Helper,
    out: Sink,
    err: Sink,
    cwd_pipe: Option<Pipe>,
    feed: Option<(std::fs::File, VecDeque<u8>)>,
    listener: Option<Listener>,
    relay_to: Option<PathBuf>,
    relay: Option<Relay>,
    end_on_output: bool,
    outside: Outside,
    draft: Draft,
}

impl std::fmt::Debug for Running {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Running")
            .field("helper", &self.child.child.as_ref().map(Child::id))
            .finish_non_exhaustive()
    }
}

/// Ends a run from elsewhere.
#[derive(Debug, Clone)]
pub struct Stopper(std::sync::Weak<OwnedFd>);

impl Stopper {
    /// Ends the run, if it still lasts.
    pub fn stop(&self, cause: Cause) {
        if let (Some(control), Ok(text)) = (self.0.upgrade(), serde_json::to_vec(&Ask::Stop(cause))) {
            let _ = sys::send(control.as_fd(), &text, &[]);
        }
    }
}

impl Running {
    /// A handle that can end the run while another thread waits for it.
    #[must_use]
    pub fn stopper(&self) -> Stopper {
        Stopper(Arc::downgrade(&self.control))
    }

    /// Passes bytes until everything is over. Blocks.
    ///
    /// # Errors
    /// [`SandboxError::Setup`] when the program was never started, [`SandboxError::Helper`] when the helper was lost.
    pub fn wait(self) -> Result<Report, SandboxError> {
        self.wait_with_overlays().map(|(report, _)| report)
    }

    /// As [`Running::wait`]; also hands over what was collected beside the writable roots.
    ///
    /// # Errors
    /// As [`Running::wait`].
    pub fn wait_with_overlays(mut self) -> Result<(Report, Vec<Overlay>), SandboxError> {
        let mut output_hit = None;
        let end = loop {
            if let Some(told) = self.pump(&mut output_hit)? {
                break told;
            }
        };
        self.drain(&mut output_hit);
        // Placeholders go before anybody looks at what was collected.
        crate::placeholder::give_back(&mut self.outside.placeholders);
        let stores = std::mem::take(&mut self.outside.stores);
        let overlays: Vec<Overlay> = stores.into_iter().map(Overlay::new).collect();
        Ok((self.report(&end, output_hit, &overlays), overlays))
    }

    /// One turn: waits for anything, passes it on.
    fn pump(&mut self, output_hit: &mut Option<LimitHit>) -> Result<Option<End>, SandboxError> {
        let mut watches = [
            Watch { fd: Some(self.control.as_fd()), write: false, ready: false },
            Watch { fd: readable(self.out.pipe.as_ref()), write: false, ready: false },
            Watch { fd: readable(self.err.pipe.as_ref()), write: false, ready: false },
            Watch { fd: readable(self.cwd_pipe.as_ref()), write: false, ready: false },
            Watch { fd: self.feed.as_ref().map(|(file, _)| file.as_fd()), write: true, ready: false },
        ];
        sys::poll(&mut watches, Some(Duration::from_secs(1))).map_err(SandboxError::Helper)?;
        let [control, out, err, cwd, feed] = watches.map(|watch| watch.ready);
        if out {
            self.take(Stream::Out, output_hit);
        }
        if err {
            self.take(Stream::Err, output_hit);
        }
        if cwd && let Some(pipe) = &mut self.cwd_pipe {
            pipe.take(true, |_| {});
        }
        if feed {
            self.feed();
        }
        if control { self.hear() } else { Ok(None) }
    }

    fn hear(&mut self) -> Result<Option<End>, SandboxError> {
        let mut buffer = vec![0; 256 << 10];
        let heard = sys::receive(self.control.as_fd(), &mut buffer, 0).map_err(SandboxError::Helper)?;
        let Some((length, mut fds)) = heard else {
            return Err(SandboxError::Helper(io::ErrorKind::UnexpectedEof.into()));
        };
        match serde_json::from_slice(buffer.get(..length).unwrap_or_default()) {
            Ok(Tell::Ended(end)) => {
                self.over();
                Ok(Some(*end))
            }
            Ok(Tell::Failed { stage, errno }) => {
                self.over();
                Err(SandboxError::Setup { stage, errno })
            }
            Ok(Tell::IdMap { owner, outside }) => {
                if let Some(fd) = fds.pop() {
                    idmap::keep(owner, outside, fd);
                }
                Ok(None)
            }
            Ok(Tell::Listener) => {
                if let (Some(fd), Some(proxy)) = (fds.pop(), self.relay_to.clone()) {
                    let relay = Relay::start(std::net::TcpListener::from(fd), proxy);
                    self.relay = Some(relay.map_err(SandboxError::Helper)?);
                }
                Ok(None)
            }
            Ok(Tell::Started) => Ok(None),
            _ => Err(SandboxError::Helper(io::ErrorKind::InvalidData.into())),
        }
    }

    /// Nobody is left, and the helper clears the control group away.
    fn over(&mut self) {
        self.child.over = true;
        self.outside.group = None;
    }

    fn take(&mut self, stream: Stream, output_hit: &mut Option<LimitHit>) {
        let sink = if stream == Stream::Out { &mut self.out } else { &mut self.err };
        let Some(pipe) = &mut sink.pipe else { return };
        let listener = &mut self.listener;
        let passed = pipe.take(sink.keep, |bytes| {
            if let Some(listener) = listener {
                listener(sink.stream, bytes);
            }
        });
        if pipe.cut {
            let peak = pipe.total.max(output_hit.map_or(0, |hit| hit.peak));
            *output_hit = Some(LimitHit { limit: LimitName::Output, peak, allowed: pipe.cap });
        }
        if passed && self.end_on_output {
            self.stopper().stop(Cause::Output);
        }
    }

    fn feed(&mut self) {
        let Some((file, bytes)) = &mut self.feed else { return };
        let (front, _) = bytes.as_slices();
        match file.write(front) {
            Ok(length) => drop(bytes.drain(..length)),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(_) => bytes.clear(),
        }
        if bytes.is_empty() {
            self.feed = None;
        }
    }

    /// Everybody is gone: what is still in the pipes is all there will be.
    fn drain(&mut self, output_hit: &mut Option<LimitHit>) {
        for stream in [Stream::Out, Stream::Err] {
            loop {
                let sink = if stream == Stream::Out { &self.out } else { &self.err };
                let before = sink.pipe.as_ref().map(|pipe| (pipe.file.is_some(), pipe.total));
                if !before.is_some_and(|(open, _)| open) {
                    break;
                }
                self.take(stream, output_hit);
                let sink = if stream == Stream::Out { &self.out } else { &self.err };
                if sink.pipe.as_ref().map(|pipe| (pipe.file.is_some(), pipe.total)) == before {
                    break;
                }
            }
        }
        if let Some(pipe) = &mut self.cwd_pipe {
            while pipe.file.is_some() {
                let before = pipe.total;
                pipe.take(true, |_| {});
                if pipe.total == before {
                    break;
                }
            }
        }
    }

    fn report(self, end: &End, output_hit: Option<LimitHit>, overlays: &[Overlay]) -> Report {
        let status = match (end.killed_by, end.exec_errno, end.status) {
            (_, Some(errno), _) => Status::NotExecutable { errno },
            (Some(by), ..) => Status::Killed { by },
            (None, None, Some(status)) if libc::WIFEXITED(status) => {
                Status::Exited { code: libc::WEXITSTATUS(status) }
            }
            (None, None, Some(status)) => Status::Signaled { signal: libc::WTERMSIG(status) },
            // Init went without a word, and not by our hand.
            (None, None, None) => Status::Signaled { signal: libc::SIGKILL },
        };
        let mut hits = end.hits.clone();
        hits.extend(output_hit);
        if let Status::Killed { by } = status {
            hits.sort_by_key(|hit| Cause::from(hit.limit) != by);
        }
        let final_cwd = self.cwd_pipe.as_ref().and_then(|pipe| {
            let text = pipe.kept.strip_suffix(b"\n")?;
            Some(Raw(text.to_vec()).path()).filter(|path| path.is_absolute())
        });
        let observed = self.draft.observe.then(|| {
            let mut effects = crate::observe::effects(&end.observed);
            for overlay in overlays {
                overlay.add_effects(&mut effects);
            }
            Box::new(effects)
        });
        let total = |sink: &Sink| sink.pipe.as_ref().map_or(0, |pipe| pipe.total);
        let (stdout_bytes, stderr_bytes) = (total(&self.out), total(&self.err));
        let kept = |sink: Sink| sink.pipe.map(|pipe| pipe.kept).unwrap_or_default();
        Report {
            tier: self.draft.tier,
            features: self.draft.features,
            gaps: self.draft.gaps,
            uid: self.draft.uid,
            ruleset: self.draft.ruleset,
            limits: self.draft.limits,
            status,
            limits_hit: hits,
            wall: Duration::from_micros(end.wall_us),
            cpu_user: Duration::from_micros(end.user_us),
            cpu_system: Duration::from_micros(end.system_us),
            peak_memory: end.peak_memory,
            peak_processes: end.peak_processes,
            oom_kills: end.oom_kills,
            stdout_bytes,
            stderr_bytes,
            stdout: kept(self.out),
            stderr: kept(self.err),
            left_behind: end.left_behind,
            final_cwd,
            observed,
        }
    }
}

fn readable(pipe: Option<&Pipe>) -> Option<std::os::fd::BorrowedFd<'_>> {
    pipe.and_then(|pipe| pipe.file.as_ref()).map(AsFd::as_fd)
}
