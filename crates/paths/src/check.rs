//! Judges whether a path may be touched, from its text, location, name and kind. Changes nothing.

use std::ffi::OsString;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::path::{Path, PathBuf};

use doorward_core::call::{OutsideRoots, RootAccess};
use doorward_core::effect::{Protection, Scope};
use rustix::fs::{self, Mode, OFlags, RawDir, Stat};

use crate::access::Access;
use crate::code::{Answer, Code, PathRefusal};
use crate::lexical::claims_inside;
use crate::protected::protection;
use crate::resolve::{Found, Kind};
use crate::root::Roots;
use crate::secret::is_secret;
use crate::text;
use crate::walk::names_of;

/// Most entries scanned in search of a file's other names.
const HARDLINK_SCAN: usize = 20_000;

/// The judgement of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathVerdict {
    /// The strictest answer of all reasons.
    pub answer: Answer,
    /// The reason for it. With [`Answer::Allow`] only `path.not_found`: in scope, but missing.
    pub code: Option<Code>,
    /// Every reason, strictest first.
    pub reasons: Vec<PathRefusal>,
    /// Location relative to the roots.
    pub scope: Scope,
    /// The path without links, for people and the ledger; as written if it wasn't resolved.
    pub real: PathBuf,
    /// Kind of the file there.
    pub kind: Option<Kind>,
    /// Number of its hard links.
    pub nlink: u64,
    /// Protection of its name, if any.
    pub protection: Option<Protection>,
    /// Whether its name marks secrets.
    pub secret: bool,
}

impl PathVerdict {
    fn unresolved(input: &str, scope: Scope, reasons: Vec<PathRefusal>) -> Self {
        Self {
            answer: Answer::Deny,
            code: None,
            reasons,
            scope,
            real: PathBuf::from(input),
            kind: None,
            nlink: 0,
            protection: protection(input),
            secret: is_secret(input),
        }
        .settled()
    }

    /// Sorts the reasons, strictest first, and takes the answer of the first.
    fn settled(mut self) -> Self {
        self.reasons.sort_by_key(|reason| std::cmp::Reverse(reason.answer));
        self.answer = self.reasons.first().map_or(Answer::Allow, |reason| reason.answer);
        self.code = self.reasons.first().map(|reason| reason.code);
        self
    }
}

impl Roots {
    /// Judges a path. Opens nothing for reading and changes nothing.
    ///
    /// `cwd`: the call's working folder. If it isn't inside a root, relative paths aren't either.
    #[must_use]
    pub fn check(&self, input: &str, access: &Access, cwd: &Path, outside: OutsideRoots) -> PathVerdict {
        self.judge(input, access, cwd, outside).0
    }

    /// The verdict, and the location it is about, if there is one.
    pub(crate) fn judge(
        &self,
        input: &str,
        access: &Access,
        cwd: &Path,
        outside: OutsideRoots,
    ) -> (PathVerdict, Option<Found<'_>>) {
        let text = match text::read(input) {
            Ok(text) => text,
            Err(refusal) => return (PathVerdict::unresolved(input, Scope::Unknown, vec![refusal]), None),
        };
        let mut reasons: Vec<PathRefusal> = text
            .marks
            .iter()
            .map(|code| PathRefusal::new(*code, "the text is not what it looks like"))
            .collect();
        if self.relative_only && (text.path.starts_with('/') || text.path.split('/').any(|name| name == ".."))
        {
            reasons.push(PathRefusal::new(Code::NotRelative, "only plain relative paths are taken here"));
        }
        if is_sink(&text.path, access) {
            let verdict = PathVerdict {
                kind: Some(Kind::Special),
                ..PathVerdict::unresolved(&text.path, Scope::Harmless, reasons)
            };
            return (verdict, None);
        }
        let absolute = cwd.join(text.path.as_ref());
        let found = match self.locate(&absolute, !access.acts_on_name()) {
            Ok(found) => found,
            Err(astray) => {
                let claimed = claims_inside(&text.path)
                    || matches!(astray, crate::walk::Astray::Outside { claimed: true });
                let refusal = astray.refusal(outside == OutsideRoots::Ask && !claimed);
                let scope = match refusal.code {
                    Code::Outside => Scope::Outside,
                    Code::Escape => Scope::Escape,
                    _ => Scope::Inside,
                };
                // A protected name is protected even if nothing exists there.
                if scope == Scope::Inside && access.writes() && protection(&text.path).is_some() {
                    reasons.push(PathRefusal::new(Code::Protected, "a protected name"));
                }
                if let Some(code) = text.expands {
                    reasons.push(PathRefusal::new(code, "a shell would have made something else of it"));
                }
                reasons.push(refusal);
                return (PathVerdict::unresolved(&text.path, scope, reasons), None);
            }
        };
        let verdict = self.weigh(&found, access, &text, reasons, outside);
        (verdict, Some(found))
    }

    fn weigh(
        &self,
        found: &Found<'_>,
        access: &Access,
        text: &text::Text<'_>,
        mut reasons: Vec<PathRefusal>,
        outside: OutsideRoots,
    ) -> PathVerdict {
        let real = found.real();
        let Some((_, root)) = self.deciding(&real) else {
            reasons.push(PathRefusal::new(Code::Escape, "leads outside the roots"));
            return PathVerdict::unresolved(&text.path, Scope::Escape, reasons);
        };
        if let Err(refusal) = self.verify(found.root) {
            reasons.push(refusal);
        }
        let scope = match root.access {
            RootAccess::Deny => {
                reasons.push(PathRefusal::new(Code::Denied, "inside a denied folder"));
                Scope::Forbidden
            }
            RootAccess::Read if access.writes() => {
                reasons.push(PathRefusal::new(Code::ReadOnly, "below a read-only root"));
                Scope::Forbidden
            }
            RootAccess::Read | RootAccess::Write => Scope::Inside,
        };
        let below = real.strip_prefix(&root.path).unwrap_or(&real).to_string_lossy().into_owned();
        let protection = self.own.protection(&real).max_by_strictness(protection(&below));
        if access.writes() || *access == Access::LinkFrom {
            match protection {
                Some(class) => reasons.push(protected_refusal(class)),
                None => reasons.extend(self.holds_protected(found, access, &real)),
            }
        }
        let secret = is_secret(&real.to_string_lossy());
        if secret && access.touches_content() {
            reasons.push(PathRefusal::new(Code::Secret, "a name that holds secrets"));
        }
        let kind = found.kind();
        self.weigh_kind(found, access, &mut reasons);
        if found.mounted {
            reasons.push(PathRefusal::new(Code::Mount, "crosses a mount below the root"));
        }
        if kind.is_none() {
            if let Some(code) = text.expands {
                reasons.push(PathRefusal::new(code, "a shell would have made something else of it"));
            }
            if found.dangling {
                reasons.push(PathRefusal::new(Code::NotFound, "a link that leads nowhere"));
            }
        }
        if let Access::SymlinkTo(target) = access {
            reasons.extend(self.weigh_target(&real, target, outside));
        }
        let verdict = PathVerdict {
            answer: Answer::Deny,
            code: None,
            reasons,
            scope,
            real,
            kind,
            nlink: found.stat.as_ref().map_or(0, names_of),
            protection,
            secret,
        }
        .settled();
        let absent = kind.is_none() && access.needs_existing() && verdict.code.is_none();
        if absent { PathVerdict { code: Some(Code::NotFound), ..verdict } } else { verdict }
    }

    /// Judges the operation by the kind of file that exists there.
    fn weigh_kind(&self, found: &Found<'_>, access: &Access, reasons: &mut Vec<PathRefusal>) {
        let kind = found.kind();
        let is_root = found.below.is_empty();
        match access {
            Access::Mknod => {
                reasons.push(PathRefusal::new(Code::SpecialFile, "makes a device, pipe or socket"))
            }
            Access::Chmod(mode) if mode & 0o6002 != 0 => {
                reasons.push(PathRefusal::new(Code::Mode, "set-uid, set-gid or world-writable"));
            }
            Access::Delete | Access::DeleteTree
                if is_root || self.pinned.iter().any(|root| root.path == found.real()) =>
            {
                reasons.push(PathRefusal::new(Code::WholeRoot, "the root itself"));
            }
            Access::RenameFrom | Access::RenameTo if is_root => {
                reasons.push(PathRefusal::new(
                    Code::Protected,
                    "the root itself, with everything protected in it",
                ));
            }
            Access::DeleteTree if kind == Some(Kind::Link) => {
                reasons.push(PathRefusal::new(Code::LinkedTree, "a link: its target stays, the name goes"));
            }
            _ => {}
        }
        let opens = matches!(
            access,
            Access::Read
                | Access::Write
                | Access::Append
                | Access::Create
                | Access::LinkFrom
                | Access::Chmod(_)
        );
        if opens && kind == Some(Kind::Special) {
            reasons.push(PathRefusal::new(Code::SpecialFile, "a pipe, socket or device"));
        }
        let Some(stat) = &found.stat else { return };
        let shared = kind == Some(Kind::File) && stat.st_nlink > 1;
        if shared && access.changes_content() && !all_names_inside(found, stat) {
            reasons.push(PathRefusal::new(Code::Hardlink, "the file has names that weren't found inside"));
        }
    }

    /// Moving or deleting a folder also moves or deletes protected names in it.
    fn holds_protected(&self, found: &Found<'_>, access: &Access, real: &Path) -> Option<PathRefusal> {
        let takes_along = matches!(access, Access::RenameFrom | Access::DeleteTree);
        if !takes_along || found.kind() != Some(Kind::Directory) {
            return None;
        }
        if let Some(class) = self.own.inside(real) {
            return Some(protected_refusal(class));
        }
        let children = names(found.handle(), 1_000)?;
        let matters = |name: &OsString| {
            let name = name.to_string_lossy();
            match access {
                // Deleting a repository deletes its history. An installed package's editor settings don't matter.
                Access::DeleteTree => crate::key::key(&name) == ".git",
                _ => protection(&name).is_some_and(|class| class != Protection::Ask),
            }
        };
        children
            .iter()
            .any(matters)
            .then(|| PathRefusal::new(Code::Protected, "the folder holds a protected name"))
    }

    /// Judges a link as if it were followed at once.
    fn weigh_target(&self, link: &Path, target: &str, outside: OutsideRoots) -> Option<PathRefusal> {
        if target.is_empty() || target.contains('\0') {
            return Some(PathRefusal::new(Code::Empty, "a link to nothing"));
        }
        let folder = link.parent().unwrap_or(Path::new("/"));
        match self.locate(&folder.join(target), true) {
            Ok(found) => {
                let real = found.real();
                let denied = self.deciding(&real).is_none_or(|(_, root)| root.access == RootAccess::Deny);
                denied.then(|| PathRefusal::new(Code::Denied, "a link into a denied folder"))
            }
            Err(crate::walk::Astray::Outside { .. }) => {
                let _ = outside;
                Some(PathRefusal::new(Code::Escape, "a link that leads outside the roots"))
            }
            Err(crate::walk::Astray::Code(Code::NotFound)) => None,
            Err(astray) => Some(astray.refusal(false)),
        }
    }
}

trait Stricter {
    fn max_by_strictness(self, other: Self) -> Self;
}

impl Stricter for Option<Protection> {
    fn max_by_strictness(self, other: Self) -> Self {
        match (self, other) {
            (Some(Protection::Own), _) | (_, Some(Protection::Own)) => Some(Protection::Own),
            (Some(Protection::Deny), _) | (_, Some(Protection::Deny)) => Some(Protection::Deny),
            (left, right) => left.or(right),
        }
    }
}

pub(crate) fn protected_refusal(class: Protection) -> PathRefusal {
    match class {
        Protection::Ask => {
            PathRefusal { answer: Answer::Ask, ..PathRefusal::new(Code::Protected, "a protected name") }
        }
        Protection::Deny => PathRefusal::new(Code::Protected, "a protected name"),
        Protection::Own => PathRefusal::new(Code::OwnFiles, "Doorward's own files"),
    }
}

/// Whether it is `/dev/null` and used as a sink.
fn is_sink(path: &str, access: &Access) -> bool {
    path == "/dev/null"
        && matches!(access, Access::Read | Access::Write | Access::Append | Access::Stat | Access::Lstat)
}

/// Names in a folder, at most `limit`; `None` if it can't be listed.
fn names(folder: BorrowedFd<'_>, limit: usize) -> Option<Vec<OsString>> {
    let fd =
        fs::openat(folder, ".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).ok()?;
    let mut buffer = Vec::with_capacity(8192);
    let mut entries = RawDir::new(fd.as_fd(), buffer.spare_capacity_mut());
    let mut out = Vec::new();
    while let Some(Ok(entry)) = entries.next() {
        let name = entry.file_name().to_bytes();
        if !matches!(name, b"." | b"..") {
            out.push(std::os::unix::ffi::OsStringExt::from_vec(name.to_vec()));
        }
        if out.len() >= limit {
            break;
        }
    }
    Some(out)
}

/// Whether a bounded scan below the root finds every name of the file.
fn all_names_inside(found: &Found<'_>, stat: &Stat) -> bool {
    let wanted = names_of(stat);
    let mut seen = 0_u64;
    let mut left = HARDLINK_SCAN;
    let Ok(top) =
        fs::openat(&found.root.fd, ".", OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
    else {
        return false;
    };
    let mut folders = vec![top];
    while let Some(folder) = folders.pop() {
        for name in names(folder.as_fd(), left).unwrap_or_default() {
            left = left.saturating_sub(1);
            if left == 0 {
                return false;
            }
            let Ok(entry) = fs::statat(&folder, &name, fs::AtFlags::SYMLINK_NOFOLLOW) else { continue };
            if (entry.st_dev, entry.st_ino) == (stat.st_dev, stat.st_ino) {
                seen += 1;
                if seen == wanted {
                    return true;
                }
            }
            if crate::walk::is_directory(&entry) && entry.st_dev == stat.st_dev {
                let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                if let Ok(child) = fs::openat(&folder, &name, flags, Mode::empty()) {
                    folders.push(child);
                }
            }
            if folders.len() > 256 {
                return false;
            }
        }
    }
    false
}
