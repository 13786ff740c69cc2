//! Builds the new root: a private tmpfs with only what the plan names.
//!
//! Sources are opened before anything is mounted and compared with the plan's pins. Paths inside are walked without
//! following links, so a link planted in a writable root can't move a mount elsewhere.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

use super::{At, Fault, Given, Ground, Role};
use crate::plan::{PinnedPlace, Plan, Raw, Step};
use crate::sys::{self, ATTR_NODEV, ATTR_NOEXEC, ATTR_NOSUID, ATTR_RDONLY};

const NO_LINKS: u64 = libc::RESOLVE_NO_SYMLINKS | libc::RESOLVE_NO_MAGICLINKS;
const INSIDE: u64 = NO_LINKS | libc::RESOLVE_BENEATH;
const QUIET: u64 = ATTR_NOSUID | ATTR_NODEV;
/// Where the new root is built: any existing directory works, as it is hidden in our own namespace only. It must
/// not be one that a plan could name; without this one, the plan chooses another that it doesn't need.
const BASE: &str = "/sys/kernel";
const BASES: &[&str] = &["/tmp", "/mnt", "/run", "/var", "/opt", "/srv", "/media"];
const DEVICES: &[&str] = &["null", "zero", "full", "random", "urandom", "tty"];
/// Files of `/proc` about the machine rather than processes. All of `/proc` is read-only anyway.
const MASKED: &[&str] =
    &["kcore", "keys", "timer_list", "sysrq-trigger", "kallsyms", "kmsg", "sched_debug", "latency_stats"];

/// A user namespace that maps one owner on disk to the program's real uid.
pub(crate) struct IdMap {
    pub(crate) owner: (u32, u32),
    pub(crate) namespace: OwnedFd,
}

impl IdMap {
    /// Takes all maps from the received descriptors.
    pub(crate) fn take(given: &mut Given) -> Vec<Self> {
        let mut maps = Vec::new();
        for (role, fd) in std::mem::take(given) {
            match role {
                Role::IdMap(owner) => maps.push(Self { owner, namespace: fd }),
                other => given.push((other, fd)),
            }
        }
        maps
    }
}

/// Detached copies of the trees that a step mounts.
fn source(step: &Step, plan: &Plan, maps: &[IdMap]) -> Result<Vec<OwnedFd>, Fault> {
    Ok(match step {
        Step::System { at } => vec![copy(&at.path(), ATTR_RDONLY | QUIET, "system")?],
        Step::Bind { source, write, .. } => {
            let read_only = if *write { 0 } else { ATTR_RDONLY };
            vec![pinned(source, read_only | QUIET, plan, maps)?]
        }
        Step::Overlay { source, store, .. } => {
            // The store belongs to the run's own uid. It can't be id-mapped, because the overlay writes to it with
            // the mounter's identity.
            vec![pinned(source, ATTR_RDONLY | QUIET, plan, maps)?, pinned(store, QUIET, plan, &[])?]
        }
        _ => Vec::new(),
    })
}

fn copy(path: &Path, attributes: u64, stage: &str) -> Result<OwnedFd, Fault> {
    let tree = sys::copy_tree_at(path).at(stage)?;
    sys::set_mount(tree.as_fd(), attributes, true, None).at(stage)?;
    Ok(tree)
}

fn pinned(source: &PinnedPlace, attributes: u64, plan: &Plan, maps: &[IdMap]) -> Result<OwnedFd, Fault> {
    let place = sys::open_at(None, &source.path.path(), libc::O_PATH, NO_LINKS).at("root_missing")?;
    let found = sys::stat(place.as_fd()).at("root_missing")?;
    if (found.device, found.inode) != (source.device, source.inode) {
        return Err(Fault { stage: "root_replaced".to_owned(), errno: libc::ESTALE });
    }
    let tree = sys::copy_tree(place.as_fd()).at("bind")?;
    if plan.privileged && !maps.is_empty() && (source.uid, source.gid) != plan.outside {
        let map = maps.iter().find(|map| map.owner == (source.uid, source.gid));
        let map = map.ok_or_else(|| Fault { stage: "idmap".to_owned(), errno: libc::ENOENT })?;
        sys::set_mount(tree.as_fd(), 0, false, Some(map.namespace.as_fd())).at("idmap")?;
    }
    sys::set_mount(tree.as_fd(), attributes, true, None).at("bind")?;
    Ok(tree)
}

/// The private file system: temp folder, shared memory and home share one size.
fn scratch(at: &Path, ground: &Ground) -> Result<OwnedFd, Fault> {
    sys::mount("tmpfs", at, "tmpfs", libc::MS_NOSUID | libc::MS_NODEV, "mode=755").at("scratch")?;
    for (name, mode, own) in [("tmp", 0o1777, false), ("shm", 0o1777, false), ("home", 0o700, true)] {
        use std::os::unix::fs::{PermissionsExt, chown};
        let part = at.join(name);
        std::fs::create_dir(&part).at("scratch")?;
        std::fs::set_permissions(&part, PermissionsExt::from_mode(mode)).at("scratch")?;
        if own && ground.privileged {
            chown(&part, Some(ground.outside.0), Some(ground.outside.1)).at("scratch")?;
        }
    }
    sys::open_at(None, at, libc::O_PATH | libc::O_DIRECTORY, 0).at("scratch")
}

/// The new root under construction.
pub(crate) struct Root {
    root: OwnedFd,
    base: PathBuf,
    scratch: OwnedFd,
    /// Empty places to be made read-only after everything below them is mounted.
    sealed: Vec<OwnedFd>,
    count: usize,
}

impl Root {
    /// The part common to all plans, built before the plan is known; `None` if there is no place for it yet.
    pub(crate) fn early(ground: &Ground) -> Result<Option<Self>, Fault> {
        sys::make_private().at("private")?;
        if Path::new(BASE).is_dir() { Self::lay(Path::new(BASE), ground).map(Some) } else { Ok(None) }
    }

    /// The root of this process, already complete.
    pub(crate) fn present() -> io::Result<Self> {
        let root = sys::open_at(None, Path::new("/"), libc::O_PATH | libc::O_DIRECTORY, 0)?;
        let scratch = root.try_clone()?;
        Ok(Self { root, base: PathBuf::from("/"), scratch, sealed: Vec::new(), count: 0 })
    }

    /// Completes the root from the plan and enters it. Returns a descriptor of the private file system, to measure
    /// its use.
    pub(crate) fn finish(
        early: Option<Self>,
        ground: &Ground,
        plan: &Plan,
        maps: &[IdMap],
    ) -> Result<OwnedFd, Fault> {
        let sources: Vec<Vec<OwnedFd>> =
            plan.steps.iter().map(|step| source(step, plan, maps)).collect::<Result<_, _>>()?;
        let mut new = match early {
            Some(early) => early,
            None => {
                let base = BASES.iter().map(Path::new).find(|base| base.is_dir());
                Self::lay(base.unwrap_or(Path::new("/")), ground)?
            }
        };
        let size = format!("size={}", plan.limits.disk);
        sys::mount(
            "tmpfs",
            &through(&new.scratch),
            "",
            libc::MS_REMOUNT | libc::MS_NOSUID | libc::MS_NODEV,
            &size,
        )
        .at("scratch")?;
        for (step, sources) in plan.steps.iter().zip(sources) {
            new.put_step(step, sources, plan)?;
        }
        for tree in &new.sealed {
            sys::set_mount(tree.as_fd(), ATTR_RDONLY, false, None).at("seal")?;
        }
        sys::set_mount(new.root.as_fd(), ATTR_RDONLY | QUIET, false, None).at("seal")?;
        std::env::set_current_dir(&new.base).at("pivot")?;
        sys::enter_root().at("pivot")?;
        Ok(new.scratch)
    }

    fn lay(base: &Path, ground: &Ground) -> Result<Self, Fault> {
        let copies = DEVICES.iter().map(|name| {
            let path = Path::new("/dev").join(name);
            Ok((*name, copy(&path, ATTR_NOSUID | ATTR_NOEXEC, "device")?))
        });
        let devices: Vec<(&str, OwnedFd)> = copies.collect::<Result<_, Fault>>()?;
        // Below the new root's mount, so that it is released with the old root: every single unmount makes the
        // kernel wait for all processors.
        let scratch = scratch(base, ground)?;
        sys::mount("tmpfs", base, "tmpfs", libc::MS_NOSUID | libc::MS_NODEV, "mode=755,size=16m")
            .at("root")?;
        let root = sys::open_at(None, base, libc::O_PATH | libc::O_DIRECTORY, 0).at("root")?;
        let new = Self { root, base: base.to_owned(), scratch, sealed: Vec::new(), count: 0 };
        new.devices(devices)?;
        new.proc()?;
        Ok(new)
    }

    fn devices(&self, devices: Vec<(&str, OwnedFd)>) -> Result<(), Fault> {
        for (name, tree) in devices {
            let place = self.file(&Path::new("/dev").join(name))?;
            sys::attach(tree.as_fd(), place.as_fd()).at("device")?;
        }
        let terminals = self.directory(Path::new("/dev/pts"))?;
        let flags = libc::MS_NOSUID | libc::MS_NOEXEC;
        sys::mount("devpts", &through(&terminals), "devpts", flags, "newinstance,ptmxmode=0666,mode=620")
            .at("devpts")?;
        let dev = self.directory(Path::new("/dev"))?;
        for (name, to) in [
            ("ptmx", "pts/ptmx"),
            ("fd", "/proc/self/fd"),
            ("stdin", "/proc/self/fd/0"),
            ("stdout", "/proc/self/fd/1"),
            ("stderr", "/proc/self/fd/2"),
        ] {
            sys::make_link_at(Path::new(to), dev.as_fd(), OsStr::new(name)).at("device")?;
        }
        Ok(())
    }

    fn proc(&self) -> Result<(), Fault> {
        let place = self.directory(Path::new("/proc"))?;
        let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC | libc::MS_RDONLY;
        sys::mount("proc", &through(&place), "proc", flags, "").at("proc")?;
        // Covered by our own `/dev/null`, which reads as empty.
        let null = self.find(Path::new("/dev/null")).at("proc")?;
        for name in MASKED {
            match self.find(&Path::new("/proc").join(name)) {
                Ok(place) => {
                    let cover = sys::copy_tree(null.as_fd()).at("proc_mask")?;
                    sys::attach(cover.as_fd(), place.as_fd()).at("proc_mask")?;
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error).at("proc_mask"),
            }
        }
        Ok(())
    }

    fn put_step(&mut self, step: &Step, sources: Vec<OwnedFd>, plan: &Plan) -> Result<(), Fault> {
        match step {
            Step::Link { at, to } => {
                let (parent, name) = self.parent(&at.path())?;
                sys::make_link_at(&to.path(), parent.as_fd(), &name).at("link")
            }
            Step::Text { at, text } => {
                let (parent, name) = self.parent(&at.path())?;
                let file = sys::make_file_at(parent.as_fd(), &name, 0o444).at("text")?;
                io::Write::write_all(&mut std::fs::File::from(file), text.as_bytes()).at("text")
            }
            Step::Scratch { at, name } => {
                let flags = libc::O_PATH | libc::O_DIRECTORY;
                let tree =
                    sys::open_at(Some(self.scratch.as_fd()), Path::new(name), flags, INSIDE).at("scratch")?;
                let tree = sys::copy_tree(tree.as_fd()).at("scratch")?;
                self.put(&tree, at, true)
            }
            Step::System { at } => {
                let tree = sources.first().ok_or_else(lost)?;
                let directory = sys::stat(tree.as_fd()).at("system")?.is_directory();
                self.put(tree, at, directory)
            }
            Step::Bind { source, at, .. } => {
                self.put(sources.first().ok_or_else(lost)?, at, source.directory)
            }
            Step::Overlay { at, .. } => {
                let [lower, store] = sources.as_slice() else { return Err(lost()) };
                self.overlay(at, lower, store, plan)
            }
            Step::Deny { at, directory, closed } => {
                let tree = self.empty(*directory, *closed)?;
                self.put(&tree, at, *directory)?;
                self.sealed.push(tree);
                Ok(())
            }
            held => self.hold(held),
        }
    }

    /// Carries out a protective step: keeps an existing place unchanged.
    pub(crate) fn hold(&self, step: &Step) -> Result<(), Fault> {
        match step {
            Step::Pin { at } => self.over(at, at, 0),
            Step::Freeze { at } => self.over(at, at, ATTR_RDONLY),
            Step::Cover { at, from } => self.over(at, from, ATTR_RDONLY),
            Step::Vacant { .. } => Ok(()),
            Step::Git { at, writable } => self.git(at, writable),
            _ => Err(lost()),
        }
    }

    /// Attaches a tree, creating its mount point if missing.
    fn put(&self, tree: &OwnedFd, at: &Raw, directory: bool) -> Result<(), Fault> {
        let at = at.path();
        let place = if directory { self.directory(&at)? } else { self.file(&at)? };
        sys::attach(tree.as_fd(), place.as_fd()).at("attach")
    }

    /// Mounts a copy of one place inside over another (or over itself).
    fn over(&self, at: &Raw, from: &Raw, attributes: u64) -> Result<(), Fault> {
        let from = self.find(&from.path()).at("protect")?;
        if sys::stat(from.as_fd()).at("protect")?.mode & libc::S_IFMT == libc::S_IFLNK {
            // The mount would protect the link, but not its target.
            return Err(Fault { stage: "protect".to_owned(), errno: libc::ELOOP });
        }
        let at = self.find(&at.path()).at("protect")?;
        let tree = sys::copy_tree(from.as_fd()).at("protect")?;
        sys::set_mount(tree.as_fd(), attributes | QUIET, true, None).at("protect")?;
        sys::attach(tree.as_fd(), at.as_fd()).at("protect")
    }

    /// Makes a git directory read-only and mounts its state directories over it, still writable.
    fn git(&self, at: &Raw, writable: &[Raw]) -> Result<(), Fault> {
        let mut trees = Vec::with_capacity(writable.len());
        for state in writable {
            let place = self.find(&state.path()).at("protect")?;
            trees.push(sys::copy_tree(place.as_fd()).at("protect")?);
        }
        self.over(at, at, ATTR_RDONLY)?;
        for (state, tree) in writable.iter().zip(trees) {
            sys::set_mount(tree.as_fd(), QUIET, true, None).at("protect")?;
            let place = self.find(&state.path()).at("protect")?;
            sys::attach(tree.as_fd(), place.as_fd()).at("protect")?;
        }
        Ok(())
    }

    fn overlay(&self, at: &Raw, lower: &OwnedFd, store: &OwnedFd, plan: &Plan) -> Result<(), Fault> {
        let (low, up) = (Raw::from("/.doorward/lower"), Raw::from("/.doorward/store"));
        self.put(lower, &low, true)?;
        self.put(store, &up, true)?;
        let base = self.base.display();
        let options = format!(
            "lowerdir={base}/.doorward/lower,upperdir={base}/.doorward/store/upper,workdir={base}\
            /.doorward/store/work{}",
            if plan.privileged { "" } else { ",userxattr" }
        );
        let place = self.directory(&at.path())?;
        sys::mount("overlay", &through(&place), "overlay", libc::MS_NOSUID | libc::MS_NODEV, &options)
            .at("overlay")?;
        for part in [low, up] {
            let part = part.path();
            sys::detach(&self.base.join(part.strip_prefix("/").unwrap_or(&part))).at("overlay")?;
        }
        Ok(())
    }

    fn empty(&mut self, directory: bool, closed: bool) -> Result<OwnedFd, Fault> {
        self.count += 1;
        let at = PathBuf::from(format!("/.doorward/deny-{}", self.count));
        let place = if directory { self.directory(&at)? } else { self.file(&at)? };
        if closed {
            let nothing = std::os::unix::fs::PermissionsExt::from_mode(0o000);
            std::fs::set_permissions(through(&place), nothing).at("deny")?;
        }
        let tree = sys::copy_tree(place.as_fd()).at("deny")?;
        sys::set_mount(tree.as_fd(), QUIET, false, None).at("deny")?;
        Ok(tree)
    }

    /// Opens a place that must exist. A final link is opened itself.
    fn find(&self, at: &Path) -> io::Result<OwnedFd> {
        let below = at.strip_prefix("/").unwrap_or(at);
        sys::open_at(Some(self.root.as_fd()), below, libc::O_PATH | libc::O_NOFOLLOW, INSIDE)
    }

    fn directory(&self, at: &Path) -> Result<OwnedFd, Fault> {
        if let Ok(there) = self.find_directory(at) {
            return Ok(there);
        }
        let mut current = self.root.try_clone().at("mountpoint")?;
        for component in at.components() {
            let Component::Normal(name) = component else { continue };
            current = enter(current.as_fd(), name).at("mountpoint")?;
        }
        Ok(current)
    }

    fn find_directory(&self, at: &Path) -> io::Result<OwnedFd> {
        let below = at.strip_prefix("/").unwrap_or(at);
        sys::open_at(Some(self.root.as_fd()), below, libc::O_PATH | libc::O_DIRECTORY, INSIDE)
    }

    fn file(&self, at: &Path) -> Result<OwnedFd, Fault> {
        let (parent, name) = self.parent(at)?;
        match sys::make_file_at(parent.as_fd(), &name, 0o444) {
            Ok(fresh) => return Ok(fresh),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error).at("mountpoint"),
        }
        sys::open_at(Some(parent.as_fd()), Path::new(&name), libc::O_PATH, INSIDE).at("mountpoint")
    }

    fn parent(&self, at: &Path) -> Result<(OwnedFd, std::ffi::OsString), Fault> {
        let name = at.file_name().ok_or_else(lost)?.to_owned();
        Ok((self.directory(at.parent().unwrap_or(Path::new("/")))?, name))
    }
}

fn enter(parent: BorrowedFd<'_>, name: &OsStr) -> io::Result<OwnedFd> {
    let open = || sys::open_at(Some(parent), Path::new(name), libc::O_PATH | libc::O_DIRECTORY, INSIDE);
    match open() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            sys::make_directory_at(parent, name, 0o755)?;
            open()
        }
        other => other,
    }
}

/// An open place as a path, for calls that take only paths. The host's `/proc` is still there at this stage.
fn through(place: &OwnedFd) -> PathBuf {
    use std::os::fd::AsRawFd;
    PathBuf::from(format!("/proc/self/fd/{}", place.as_raw_fd()))
}

fn lost() -> Fault {
    Fault { stage: "plan".to_owned(), errno: libc::EINVAL }
}
