//! The plan: everything the helper will do, decided before it starts.
//!
//! The engine turns a [`Spec`] into a [`Plan`] with every path resolved and pinned by device and inode; the helper only
//! carries it out. What the plan doesn't name doesn't exist inside. The digest of a plan is the identity of the rules
//! that were in force.

use std::collections::BTreeSet;
use std::fs;
use std::os::fd::AsFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use doorward_core::Tier;
use doorward_core::id::Digest;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::SandboxError;
use crate::git::broker::Served;
use crate::git::find;
use crate::landlock::Rule;
use crate::placeholder::{LOCK, is_placeholder};
use crate::seccomp::{Filter, Heard};
use crate::spec::{Access, Limits, Spec, WhenMissing};
use crate::sys;

/// Follow no magic link (`/proc/self/root`), though ordinary ones.
const NO_MAGIC: u64 = libc::RESOLVE_NO_MAGICLINKS;
/// Mounts made for protected names; past it the call is refused rather than half protected.
const MAX_PROTECTED: usize = 512;

/// Bytes that travel through JSON unchanged: each byte a character of the same number.
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

/// A place on the host, held to what it was when the plan was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pinned {
    pub(crate) path: Raw,
    pub(crate) device: u64,
    pub(crate) inode: u64,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    pub(crate) directory: bool,
}

/// One thing to put into the new root, in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Step {
    /// A link.
    Link { at: Raw, to: Raw },
    /// A small file of ours.
    Text { at: Raw, text: String },
    /// A part of the system, read-only.
    System { at: Raw },
    /// A part of the private file system.
    Scratch { at: Raw, name: String },
    /// A root.
    Bind { source: Pinned, at: Raw, write: bool },
    /// A root whose writes are collected in `upper`.
    Overlay { source: Pinned, at: Raw, store: Pinned },
    /// Nothing to see; `closed` can't even be opened.
    Deny { at: Raw, directory: bool, closed: bool },
    /// Stays where it is: a mount of its own can't be renamed or removed.
    Pin { at: Raw },
    /// Read-only from here on.
    Freeze { at: Raw },
    /// A link, covered by the file it points to, read-only.
    Cover { at: Raw, from: Raw },
    /// Read-only and empty, over a placeholder.
    Vacant { at: Raw },
    /// A git directory: read-only, but for the directories of state below it.
    Git { at: Raw, writable: Vec<Raw> },
}

/// Everything the helper does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) tier: Tier,
    pub(crate) argv: Vec<Raw>,
    pub(crate) env: Vec<Raw>,
    pub(crate) cwd: Raw,
    /// The helper starts with uid 0: real mounts, then a real change of uid.
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
    /// Git directories whose state is written on behalf of the program.
    pub(crate) served: Vec<Served>,
    /// System V's segments and queues can be made, within bounds of the run's own.
    pub(crate) system_v: bool,
}

impl Plan {
    /// `sha256:` over the rules: mounts, Landlock, seccomp, limits, identity. Not over what runs.
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

    /// Whether the mounts are watched: there are protective ones over files that others may replace.
    pub(crate) fn is_watched(&self) -> bool {
        let protects = |step: &Step| {
            matches!(step, Step::Freeze { .. } | Step::Cover { .. } | Step::Vacant { .. } | Step::Git { .. })
        };
        self.steps.iter().any(protects) && !self.steps.iter().any(|step| matches!(step, Step::Overlay { .. }))
    }

    /// Places of the host that are there to be seen.
    pub(crate) fn shown(&self) -> Vec<PathBuf> {
        let shown = self.steps.iter().filter_map(|step| match step {
            Step::System { at } | Step::Bind { at, .. } | Step::Overlay { at, .. } => Some(at.path()),
            _ => None,
        });
        shown.chain(["/proc".into(), "/dev".into()]).collect()
    }

    /// Places that mounts keep as they are, but for git directories.
    pub(crate) fn held(&self) -> Vec<PathBuf> {
        let held = self.steps.iter().filter_map(|step| match step {
            Step::Freeze { at } | Step::Cover { at, .. } | Step::Vacant { at } => Some(at.path()),
            _ => None,
        });
        held.collect()
    }

    /// The filter of system calls.
    pub(crate) fn filter(&self) -> Filter {
        let counted = self.cgroup.as_ref().and_then(crate::cgroup::Group::memory_by).is_some();
        Filter {
            tier: self.tier,
            heard: Heard { observed: self.observe, git: !self.served.is_empty() },
            memory_files: counted,
            system_v: self.system_v,
        }
    }
}

/// Protected places, found for one run.
#[derive(Debug, Default)]
pub(crate) struct Held {
    pub(crate) steps: Vec<Step>,
    /// Missing names that need a placeholder on the host: path of the writable root, then the name below it.
    pub(crate) vacant: Vec<(PathBuf, PathBuf)>,
    /// Git directories whose state is written on behalf of the program.
    pub(crate) served: Vec<Served>,
    pub(crate) gaps: BTreeSet<String>,
}

/// Resolves a root once and pins it.
pub(crate) fn pin(path: &Path) -> Result<(PathBuf, Pinned), SandboxError> {
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
    let pinned = Pinned {
        path: Raw::from(real.as_path()),
        device: stat.device,
        inode: stat.inode,
        uid: stat.uid,
        gid: stat.gid,
        directory: stat.is_directory(),
    };
    Ok((real, pinned))
}

/// The system's own part of the view: toolchain roots and the few files of `/etc` that programs can't do without.
pub(crate) fn system_steps(home: &Path, uid: u32, gid: u32) -> Vec<Step> {
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
                 user:x:{uid}:{gid}:user:{home}:/bin/sh\n\
                 nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
            ),
        ),
        ("/etc/group", format!("root:x:0:\nuser:x:{gid}:\nnogroup:x:65534:\n")),
        ("/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n".to_owned()),
        ("/etc/hosts", "127.0.0.1 localhost doorward\n::1 localhost\n".to_owned()),
        ("/etc/hostname", "doorward\n".to_owned()),
        ("/etc/resolv.conf", String::new()),
    ];
    steps.extend(texts.map(|(at, text)| Step::Text { at: Raw::from(at), text }));
    for (at, name) in [(Path::new("/tmp"), "tmp"), (Path::new("/dev/shm"), "shm")] {
        steps.push(Step::Scratch { at: Raw::from(at), name: name.to_owned() });
    }
    steps
}

/// What programs read in `/etc` beside the files we make.
pub(crate) fn etc() -> Vec<PathBuf> {
    let folder = Path::new("/etc");
    let mut all: Vec<PathBuf> = ETC.iter().map(|name| folder.join(name)).collect();
    // Distributions link a Java's configuration into a folder named by its version.
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let java = entries.filter(|entry| entry.file_name().as_bytes().starts_with(b"java-"));
    all.extend(java.map(|entry| entry.path()));
    all
}

/// The loader's cache, certificates, alternatives, time zone, terminals.
const ETC: &[&str] = &[
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "ssl",
    "pki",
    "ca-certificates",
    "alternatives",
    "localtime",
    "timezone",
    "services",
    "protocols",
    "mime.types",
    "gitconfig",
    "crypto-policies",
    "terminfo",
];

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

/// The order in which nested places have to be laid: parents first, component by component.
pub(crate) fn by_depth(left: &Path, right: &Path) -> std::cmp::Ordering {
    left.components().cmp(right.components())
}

/// Finds what must stay as it is below one writable root. `root` is resolved, as are `roots`, which are all of the run;
/// `absent` are denied places that aren't there and stay so.
///
/// What comes back is what was found there, and the names below the root that mounts keep as they are.
pub(crate) fn hold(
    spec: &Spec,
    root: &Path,
    (roots, absent): (&[(PathBuf, Access)], &[PathBuf]),
    held: &mut Held,
) -> Result<(find::Found, BTreeSet<PathBuf>), SandboxError> {
    let found = find::repositories(root);
    if found.incomplete {
        held.gaps.insert("protected.nested_unsearched".to_owned());
    }
    let mut holding = Holding { root, held, done: BTreeSet::new() };
    for below in &found.trees {
        for protected in &spec.protected {
            // Settings of agents and editors count at the top and in every nested repository.
            holding.name(&below.join(&protected.name), protected.missing)?;
        }
    }
    for name in absent.iter().filter_map(|place| place.strip_prefix(root).ok()) {
        holding.name(name, WhenMissing::Placeholder)?;
        // Runs that keep places in a folder meet at one name, which has to be kept there as well.
        if let Some(there) = name.ancestors().skip(1).find(|above| root.join(above).is_dir()) {
            holding.name(&there.join(LOCK), WhenMissing::Placeholder)?;
        }
    }
    let git = found.trees.iter().map(|tree| tree.join(".git")).chain(found.bare.iter().cloned());
    for git in git {
        if spec.overlay {
            // Every write is looked at before it counts, so git may write its directory as it likes.
            holding.git_for_review(&git)?;
        } else {
            holding.git(&git, roots)?;
        }
    }
    if find::is_git_directory(root) {
        for name in ["config", "config.worktree", "hooks", "info/attributes"] {
            holding.name(Path::new(name), WhenMissing::Nothing)?;
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

/// Holds a git directory that is a root by itself: a writable one's, that lies elsewhere.
pub(crate) fn hold_git(git: &Path, roots: &[(PathBuf, Access)], held: &mut Held) -> Result<(), SandboxError> {
    let (Some(root), Some(name)) = (git.parent(), git.file_name()) else {
        return Err(SandboxError::Spec("a git directory that is no directory of its own"));
    };
    Holding { root, held, done: BTreeSet::new() }.git(Path::new(name), roots)
}

fn mounts(step: &Step) -> usize {
    match step {
        Step::Git { writable, .. } => 1 + writable.len(),
        _ => 1,
    }
}

/// The search for what is protected below one root.
struct Holding<'a> {
    root: &'a Path,
    held: &'a mut Held,
    /// Places that have their step already.
    done: BTreeSet<PathBuf>,
}

impl Holding<'_> {
    /// Holds a name and pins the directories above it.
    fn name(&mut self, name: &Path, missing: WhenMissing) -> Result<(), SandboxError> {
        let mut place = PathBuf::new();
        let mut components = name.components().peekable();
        while let Some(component) = components.next() {
            let Component::Normal(component) = component else {
                return Err(SandboxError::Spec("a protected name has a part that is no plain name"));
            };
            place.push(component);
            let full = self.root.join(&place);
            let last = components.peek().is_none();
            let Some(found) = look(&full)? else {
                if missing == WhenMissing::Placeholder {
                    self.vacant(&place);
                }
                return Ok(());
            };
            if found.is_symlink() {
                return self.link(&place);
            }
            if is_placeholder(&full, found.mode()) {
                self.vacant(&place);
                return Ok(());
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

    /// Keeps the place of a missing name.
    fn vacant(&mut self, place: &Path) {
        if self.done.insert(place.to_owned()) {
            let full = self.root.join(place);
            self.held.vacant.push((self.root.to_owned(), place.to_owned()));
            self.held.steps.push(Step::Vacant { at: Raw::from(full.as_path()) });
        }
    }

    /// A git directory: read-only, with its state writable. `.git` as a file names another place and stays as it is.
    fn git(&mut self, git: &Path, roots: &[(PathBuf, Access)]) -> Result<(), SandboxError> {
        let full = self.root.join(git);
        let found = look(&full)?;
        if !found.as_ref().is_some_and(fs::Metadata::is_dir)
            || found.is_some_and(|found| is_placeholder(&full, found.mode()))
        {
            return self.name(git, WhenMissing::Placeholder);
        }
        if !self.done.insert(git.to_owned()) {
            return Ok(());
        }
        let all = find::with_modules(&full);
        let writable =
            all.iter().flat_map(|git| find::writable(git)).map(|path| Raw::from(path.as_path())).collect();
        self.held.steps.push(Step::Git { at: Raw::from(full.as_path()), writable });
        // Another root inside could permit less than git's state needs: then the mounts alone decide.
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

    /// A git directory whose writes are collected: what makes git run programs stays as it is.
    fn git_for_review(&mut self, git: &Path) -> Result<(), SandboxError> {
        if !self.root.join(git).is_dir() {
            return self.name(git, WhenMissing::Placeholder);
        }
        self.name(&git.join("hooks"), WhenMissing::Placeholder)?;
        for name in ["config", "config.worktree"] {
            self.name(&git.join(name), WhenMissing::Nothing)?;
        }
        Ok(())
    }

    /// A protected name that is a link: the link is masked by what it points to, read-only, so neither can be replaced.
    fn link(&mut self, place: &Path) -> Result<(), SandboxError> {
        let link = self.root.join(place);
        let refused = |reason| SandboxError::Protected { path: link.display().to_string(), reason };
        let target = fs::canonicalize(&link).map_err(|_| refused("a link that leads nowhere"))?;
        if !target.starts_with(self.root) {
            return Err(refused("a link that leads out of its root"));
        }
        if self.done.insert(place.to_owned()) {
            // A link can be covered by a file only. Where it leads to a directory the link can't be held, so its parent
            // directory would have to be: refused with the reason.
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

/// What lies at a protected place; none where nothing does.
fn look(full: &Path) -> Result<Option<fs::Metadata>, SandboxError> {
    match fs::symlink_metadata(full) {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.raw_os_error() == Some(libc::ENOENT) => Ok(None),
        Err(_) => {
            Err(SandboxError::Protected { path: full.display().to_string(), reason: "can't be looked at" })
        }
    }
}

/// Checks that the working directory lies in a root; elsewhere nothing of the host exists inside.
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
