//! The plan: everything the helper will do, decided before it starts.
//!
//! The engine turns a [`Spec`] into a [`Plan`] with every path resolved and pinned by device and inode; the helper
//! only carries it out. A path that isn't in the plan doesn't exist inside. The digest of a plan identifies the
//! rules that were in force.

use std::collections::BTreeSet;
use std::fs;
use std::os::fd::AsFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

use doorward_core::Tier;
use doorward_core::id::Digest;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::SandboxError;
use crate::git::broker::Served;
use crate::git::find;
use crate::landlock::Rule;
use crate::seccomp::{Filter, Heard};
use crate::spec::{Access, Limits, Spec, WhenMissing};
use crate::sys;

/// Follow ordinary links, but no magic ones (`/proc/self/root`).
const NO_MAGIC: u64 = libc::RESOLVE_NO_MAGICLINKS;
/// Limit on mounts for protected names; beyond it the call is refused, because partial protection would mislead.
const MAX_PROTECTED: usize = 512;

/// Bytes that survive JSON unchanged: each byte becomes the character with the same number.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Raw(pub(crate) Vec<u8>);

impl Raw {
    pub(crate) fn path(&self) -> PathBuf {
        PathBuf::from(std::ffi::OsString::from_vec(self.0.clone()))
    }
}

impl From<&Path> for Raw {
    fn from(path: &Path) -> Self {
        Self(path.as_os_str().as_bytes().to_vec())
    }
}

impl From<&str> for Raw {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.iter().map(|byte| char::from(*byte)).collect::<String>())
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes: Result<Vec<u8>, _> = text.chars().map(|letter| u8::try_from(u32::from(letter))).collect();
        bytes.map(Self).map_err(serde::de::Error::custom)
    }
}

/// A place on the host, pinned to the file it was when the plan was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PinnedPlace {
    pub(crate) path: Raw,
    pub(crate) device: u64,
    pub(crate) inode: u64,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    pub(crate) directory: bool,
}

/// One step of building the new root. Steps are carried out in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Step {
    /// A symbolic link.
    Link { at: Raw, to: Raw },
    /// A small generated file.
    Text { at: Raw, text: String },
    /// A read-only part of the system.
    System { at: Raw },
    /// A part of the private file system.
    Scratch { at: Raw, name: String },
    /// A root, bind-mounted.
    Bind { source: PinnedPlace, at: Raw, write: bool },
    /// A root whose writes are collected in `store`.
    Overlay { source: PinnedPlace, at: Raw, store: PinnedPlace },
    /// Hidden; a `closed` one can't even be opened.
    Deny { at: Raw, directory: bool, closed: bool },
    /// Pinned by a mount of its own, so that it can't be renamed or removed.
    Pin { at: Raw },
    /// Read-only from here down.
    Freeze { at: Raw },
    /// A link, covered read-only by the file it points to.
    Cover { at: Raw, from: Raw },
    /// Doesn't exist, and can't be created.
    Vacant { at: Raw },
    /// A git directory: read-only, except for the state directories below it.
    Git { at: Raw, writable: Vec<Raw> },
}

/// Everything the helper does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) tier: Tier,
    pub(crate) argv: Vec<Raw>,
    pub(crate) env: Vec<Raw>,
    pub(crate) cwd: Raw,
    /// The helper starts with uid 0: it makes real mounts and then changes its uid.
    pub(crate) privileged: bool,
    /// Uid and gid as the program sees them.
    pub(crate) inside: (u32, u32),
    /// Uid and gid as the host sees them.
    pub(crate) outside: (u32, u32),
    pub(crate) steps: Vec<Step>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) landlock_abi: u32,
    pub(crate) limits: Limits,
    pub(crate) cgroup: Option<crate::cgroup::Group>,
    pub(crate) relay_port: Option<u16>,
    pub(crate) final_cwd: bool,
    pub(crate) observe: bool,
    /// Git directories whose state the keeper writes.
    pub(crate) served: Vec<Served>,
    /// System V segments and queues are allowed, within limits of the run's own.
    pub(crate) system_v: bool,
}

impl Plan {
    /// `sha256:` of the rules: mounts, Landlock, seccomp, limits, identity. The program isn't part of it.
    pub(crate) fn ruleset(&self) -> String {
        let rules =
            Self { argv: Vec::new(), env: Vec::new(), cwd: Raw::default(), cgroup: None, ..self.clone() };
        let mut text = serde_json::to_vec(&rules).unwrap_or_default();
        for line in crate::seccomp::program(&self.filter()) {
            text.extend(line.code.to_le_bytes());
            text.extend([line.jt, line.jf]);
            text.extend(line.k.to_le_bytes());
        }
        Digest::of(&text).into_string()
    }

    /// Whether mounts are watched: needed if protective mounts cover files that others may replace.
    pub(crate) fn is_watched(&self) -> bool {
        let protects = |step: &Step| {
            matches!(step, Step::Freeze { .. } | Step::Cover { .. } | Step::Vacant { .. } | Step::Git { .. })
        };
        self.steps.iter().any(protects) && !self.steps.iter().any(|step| matches!(step, Step::Overlay { .. }))
    }

    /// Host paths that are visible inside.
    pub(crate) fn shown(&self) -> Vec<PathBuf> {
        let shown = self.steps.iter().filter_map(|step| match step {
            Step::Bind { source, at, .. } if source.path != *at => None,
            Step::System { at } | Step::Bind { at, .. } | Step::Overlay { at, .. } => Some(at.path()),
            _ => None,
        });
        shown.chain(["/proc".into(), "/dev".into()]).collect()
    }

    /// Places that mounts keep unchanged, except git directories.
    pub(crate) fn held(&self) -> Vec<PathBuf> {
        let held = self.steps.iter().filter_map(|step| match step {
            Step::Freeze { at } | Step::Cover { at, .. } => Some(at.path()),
            _ => None,
        });
        held.collect()
    }

    /// Protected names that don't exist.
    pub(crate) fn vacant(&self) -> Vec<PathBuf> {
        let vacant = self.steps.iter().filter_map(|step| match step {
            Step::Vacant { at } => Some(at.path()),
            _ => None,
        });
        vacant.collect()
    }

    /// All places that nothing inside may create, whether they exist or not.
    pub(crate) fn reserved(&self) -> Vec<PathBuf> {
        let git = self.steps.iter().filter_map(|step| match step {
            Step::Git { at, .. } => Some(at.path()),
            _ => None,
        });
        self.held().into_iter().chain(self.vacant()).chain(git).collect()
    }

    /// Parameters of the system call filter.
    pub(crate) fn filter(&self) -> Filter {
        let counted = self.cgroup.as_ref().and_then(crate::cgroup::Group::memory_by).is_some();
        Filter {
            tier: self.tier,
            heard: Heard { observed: self.observe, files: !self.reserved().is_empty() },
            memory_files: counted,
            system_v: self.system_v,
        }
    }
}

/// Protected places found for one run.
#[derive(Debug, Default)]
pub(crate) struct HeldPlaces {
    pub(crate) steps: Vec<Step>,
    /// Git directories whose state the keeper writes.
    pub(crate) served: Vec<Served>,
    pub(crate) gaps: BTreeSet<String>,
}

/// Resolves a root once and pins it.
pub(crate) fn pin(path: &Path) -> Result<(PathBuf, PinnedPlace), SandboxError> {
    let fault = |reason| SandboxError::Root { path: path.display().to_string(), reason };
    if !path.is_absolute() {
        return Err(fault("not absolute"));
    }
    let fd = sys::open_at(None, path, libc::O_PATH, NO_MAGIC).map_err(|_| fault("not there"))?;
    let real = fs::canonicalize(path).map_err(|_| fault("not there"))?;
    let stat = sys::stat(fd.as_fd()).map_err(|_| fault("can't be looked at"))?;
    let again = sys::open_at(None, &real, libc::O_PATH, libc::RESOLVE_NO_SYMLINKS)
        .and_then(|fd| sys::stat(fd.as_fd()))
        .map_err(|_| fault("moved meanwhile"))?;
    if (again.device, again.inode) != (stat.device, stat.inode) {
        return Err(fault("replaced meanwhile"));
    }
    let pinned = PinnedPlace {
        path: Raw::from(real.as_path()),
        device: stat.device,
        inode: stat.inode,
        uid: stat.uid,
        gid: stat.gid,
        directory: stat.is_directory(),
    };
    Ok((real, pinned))
}

/// The system's part of the view: toolchain roots and the few files of `/etc` that programs need.
pub(crate) fn system_steps(user: &str, home: &Path, (uid, gid): (u32, u32)) -> Vec<Step> {
    let mut steps = Vec::new();
    for top in ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"] {
        bind_or_link(Path::new(top), &mut steps);
    }
    for path in etc() {
        bind_or_link(&path, &mut steps);
    }
    let home = home.display();
    let texts = [
        (
            "/etc/passwd",
            format!(
                "root:x:0:0:root:/nonexistent:/usr/sbin/nologin\n\
                 {user}:x:{uid}:{gid}:{user}:{home}:/bin/sh\n\
                 nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
            ),
        ),
        ("/etc/group", format!("root:x:0:\n{user}:x:{gid}:\nnogroup:x:65534:\n")),
        ("/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n".to_owned()),
        ("/etc/hosts", "127.0.0.1 localhost doorward\n::1 localhost\n".to_owned()),
        ("/etc/hostname", "doorward\n".to_owned()),
        ("/etc/resolv.conf", String::new()),
    ];
    steps.extend(texts.map(|(at, text)| Step::Text { at: Raw::from(at), text }));
    steps.push(Step::Scratch { at: Raw::from("/dev/shm"), name: "shm".to_owned() });
    steps
}

/// Files that programs read in `/etc`, besides the generated ones.
pub(crate) fn etc() -> Vec<PathBuf> {
    let folder = Path::new("/etc");
    let mut all: Vec<PathBuf> = ETC.iter().map(|name| folder.join(name)).collect();
    // Distributions link Java's configuration into a folder named by its version.
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let java = entries.filter(|entry| entry.file_name().as_bytes().starts_with(b"java-"));
    all.extend(java.map(|entry| entry.path()));
    all
}

/// The loader's cache, certificates, alternatives, time zone, terminals.
const ETC: &[&str] = words! {
    "ld.so.cache" "ld.so.conf" "ld.so.conf.d" "ssl" "pki" "ca-certificates" "alternatives" "localtime"
    "timezone" "services" "protocols" "mime.types" "gitconfig" "crypto-policies" "terminfo"
};

fn bind_or_link(path: &Path, steps: &mut Vec<Step>) {
    let at = Raw::from(path);
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => {
            if let Ok(to) = fs::read_link(path) {
                steps.push(Step::Link { at, to: Raw::from(to.as_path()) });
            }
        }
        Ok(_) => steps.push(Step::System { at }),
        Err(_) => {}
    }
}

/// Mount order of nested places: parents first, compared component by component.
pub(crate) fn by_depth(left: &Path, right: &Path) -> std::cmp::Ordering {
    left.components().cmp(right.components())
}

/// Finds what must stay unchanged below one writable root. `root` and `roots` (all roots of the run) are resolved;
/// `absent` are denied places that don't exist and must stay missing.
///
/// Returns the repositories found, and the names below the root that mounts keep unchanged.
pub(crate) fn hold(
    spec: &Spec,
    root: &Path,
    (roots, absent): (&[(PathBuf, Access)], &[PathBuf]),
    held: &mut HeldPlaces,
) -> Result<(find::Found, BTreeSet<PathBuf>), SandboxError> {
    let found = find::repositories(root);
    if found.incomplete {
        held.gaps.insert("protected.nested_unsearched".to_owned());
    }
    let mut holding = Holding { root, held, done: BTreeSet::new() };
    for below in &found.trees {
        for protected in &spec.protected {
            // Settings of agents and editors are protected at the top and in every nested repository.
            holding.name(&below.join(&protected.name), protected.missing)?;
        }
    }
    for name in absent.iter().filter_map(|place| place.strip_prefix(root).ok()) {
        holding.name(name, WhenMissing::Refused)?;
    }
    let git = found.trees.iter().map(|tree| tree.join(".git")).chain(found.bare.iter().cloned());
    for git in git {
        if spec.overlay {
            // Every write is reviewed before it is merged, so git may write freely.
            holding.git_for_review(&git)?;
        } else {
            holding.git(&git, roots)?;
        }
    }
    if find::is_git_directory(root) {
        for name in ["config", "config.worktree", "hooks", "info/attributes"] {
            holding.name(Path::new(name), WhenMissing::Reported)?;
        }
        // A root can't be mounted over.
        holding.held.gaps.insert("protected.bare_root".to_owned());
    }
    let done = holding.done;
    let mounts: usize = held.steps.iter().map(mounts).sum();
    if mounts > MAX_PROTECTED {
        return Err(SandboxError::TooManyProtected { count: mounts });
    }
    Ok((found, done))
}

/// Protects a writable root's git directory that lies elsewhere and therefore is a root itself.
pub(crate) fn hold_git(
    git: &Path,
    roots: &[(PathBuf, Access)],
    held: &mut HeldPlaces,
) -> Result<(), SandboxError> {
    let (Some(root), Some(name)) = (git.parent(), git.file_name()) else {
        return Err(SandboxError::Spec("a git directory has no parent directory"));
    };
    Holding { root, held, done: BTreeSet::new() }.git(Path::new(name), roots)
}

fn mounts(step: &Step) -> usize {
    match step {
        Step::Git { writable, .. } => 1 + writable.len(),
        Step::Vacant { .. } => 0,
        _ => 1,
    }
}

/// The search for protected places below one root.
struct Holding<'a> {
    root: &'a Path,
    held: &'a mut HeldPlaces,
    /// Places that already have a step.
    done: BTreeSet<PathBuf>,
}

impl Holding<'_> {
    /// Protects a name and pins the directories above it.
    fn name(&mut self, name: &Path, missing: WhenMissing) -> Result<(), SandboxError> {
        let mut place = PathBuf::new();
        let mut components = name.components().peekable();
        while let Some(component) = components.next() {
            let Component::Normal(component) = component else {
                return Err(SandboxError::Spec("a protected name has a component that isn't a plain name"));
            };
            place.push(component);
            let full = self.root.join(&place);
            let last = components.peek().is_none();
            let Some(found) = look(&full)? else {
                if missing == WhenMissing::Refused {
                    self.vacant(&place);
                }
                return Ok(());
            };
            if found.is_symlink() {
                return self.link(&place);
            }
            let freeze = last || !found.is_dir();
            if self.done.insert(place.clone()) {
                let at = Raw::from(full.as_path());
                self.held.steps.push(if freeze { Step::Freeze { at } } else { Step::Pin { at } });
            }
            if freeze {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Keeps a missing name missing.
    fn vacant(&mut self, place: &Path) {
        if self.done.insert(place.to_owned()) {
            let full = self.root.join(place);
            self.held.steps.push(Step::Vacant { at: Raw::from(full.as_path()) });
        }
    }

    /// Mounts a git directory read-only, with its state writable. A `.git` file names another place and can't be
    /// changed.
    fn git(&mut self, git: &Path, roots: &[(PathBuf, Access)]) -> Result<(), SandboxError> {
        let full = self.root.join(git);
        if !look(&full)?.is_some_and(|found| found.is_dir()) {
            return self.name(git, WhenMissing::Refused);
        }
        if !self.done.insert(git.to_owned()) {
            return Ok(());
        }
        let all = find::with_modules(&full);
        let writable =
            all.iter().flat_map(|git| find::writable(git)).map(|path| Raw::from(path.as_path())).collect();
        self.held.steps.push(Step::Git { at: Raw::from(full.as_path()), writable });
        // If another root inside is narrower than git's state needs, the mounts alone decide.
        let deepest = roots
            .iter()
            .filter(|(root, _)| full.starts_with(root))
            .max_by_key(|(root, _)| root.as_os_str().len());
        let inside = roots.iter().any(|(root, _)| root != &full && root.starts_with(&full));
        if deepest.is_some_and(|(_, access)| matches!(access, Access::Write | Access::Git)) && !inside {
            for git in all {
                self.held.served.push(Served { git: pin(&git)?.1 });
            }
        }
        Ok(())
    }

    /// For a git directory whose writes are collected: what makes git run programs stays unchanged.
    fn git_for_review(&mut self, git: &Path) -> Result<(), SandboxError> {
        if !self.root.join(git).is_dir() {
            return self.name(git, WhenMissing::Refused);
        }
        self.name(&git.join("hooks"), WhenMissing::Refused)?;
        for name in ["config", "config.worktree"] {
            self.name(&git.join(name), WhenMissing::Reported)?;
        }
        Ok(())
    }

    /// For a protected name that is a link: covers the link read-only with its target, so that neither can be
    /// replaced.
    fn link(&mut self, place: &Path) -> Result<(), SandboxError> {
        let link = self.root.join(place);
        let refused = |reason| SandboxError::Protected { path: link.display().to_string(), reason };
        let target = fs::canonicalize(&link).map_err(|_| refused("a link that leads nowhere"))?;
        if !target.starts_with(self.root) {
            return Err(refused("a link that leads out of its root"));
        }
        if self.done.insert(place.to_owned()) {
            // Only a file can cover a link. A link to a directory would need its parent directory held, so it is
            // refused with the reason.
            if target.is_dir() {
                return Err(refused("a link to a directory can't be kept from being replaced"));
            }
            self.held.steps.push(Step::Freeze { at: Raw::from(target.as_path()) });
            self.held
                .steps
                .push(Step::Cover { at: Raw::from(link.as_path()), from: Raw::from(target.as_path()) });
        }
        Ok(())
    }
}

/// Metadata of a protected place; `None` if it doesn't exist.
fn look(full: &Path) -> Result<Option<fs::Metadata>, SandboxError> {
    match fs::symlink_metadata(full) {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.raw_os_error() == Some(libc::ENOENT) => Ok(None),
        Err(_) => {
            Err(SandboxError::Protected { path: full.display().to_string(), reason: "can't be looked at" })
        }
    }
}

/// Checks that the working directory lies in a root; nothing else of the host exists inside.
pub(crate) fn check_cwd(cwd: &Path, roots: &[(PathBuf, Access)]) -> Result<(), SandboxError> {
    let deepest = roots
        .iter()
        .filter(|(root, _)| cwd.starts_with(root))
        .max_by_key(|(root, _)| root.components().count());
    match deepest {
        Some((_, Access::Read | Access::Write | Access::Git)) => Ok(()),
        _ => Err(SandboxError::Spec("the working directory lies in no root")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_bytes_survive_json() {
        let raw = Raw((0..=255).collect());
        let text = serde_json::to_string(&raw).unwrap();
        assert_eq!(serde_json::from_str::<Raw>(&text).unwrap(), raw);
        assert!(serde_json::from_str::<Raw>("\"\u{100}\"").is_err());
    }

    #[test]
    fn parents_come_before_children_whatever_the_bytes_sort_like() {
        let mut paths = vec![Path::new("/a/b/c"), Path::new("/a-b"), Path::new("/a/b"), Path::new("/a")];
        paths.sort_by(|left, right| by_depth(left, right));
        assert_eq!(paths, ["/a", "/a/b", "/a/b/c", "/a-b"].map(Path::new));
    }

    #[test]
    fn a_working_directory_in_a_denied_part_is_none() {
        let roots = [(PathBuf::from("/w"), Access::Write), (PathBuf::from("/w/secret"), Access::Deny)];
        assert!(check_cwd(Path::new("/w/src"), &roots).is_ok());
        assert!(check_cwd(Path::new("/w/secret/x"), &roots).is_err());
        assert!(check_cwd(Path::new("/elsewhere"), &roots).is_err());
    }

    #[test]
    fn roots_must_be_absolute_and_there() {
        assert!(pin(Path::new("relative")).is_err());
        assert!(pin(Path::new("/nowhere/at/all")).is_err());
        assert!(pin(Path::new("/proc/self/root")).is_err(), "magic links are followed by nobody");
    }
}
