//! Where a path of a call lies: canonical text, scope, protection, secret and regenerable names.

use doorward_core::call::{OutsideRoots, RootAccess, Surface, ToolCall};
use doorward_core::effect::{Protection, Scope, Tri, scope_of_place};
use doorward_core::intent::{Form, Operand};
use doorward_core::session::SessionView;
use doorward_core::world::{FileKind, Unseen, VcsState, World};
use doorward_paths::protected::{OwnFiles, possible_protection, protection};
use doorward_paths::{could_be_secret, glob, is_secret, lexical};

use crate::recipes::{MAKEFILES, Makefile};

/// How the path came up: what a command names is judged by the table of commands, what a tool's argument names by
/// the rules for paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Via {
    /// A command or code.
    Command,
    /// An argument of a file tool or of an MCP tool.
    Argument,
}

/// What is done there, as far as scope cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    Read,
    Write,
    Delete,
}

/// Content of a file that is compared with what the session wrote.
const MOST_COMPARED: usize = 64 << 10;

/// A longer makefile isn't read for what it makes.
const MOST_OF_MAKEFILE: u64 = 256 << 10;

/// The ground a call stands on: fixed for one inspection.
pub(crate) struct CallContext<'a> {
    pub(crate) call: &'a ToolCall,
    pub(crate) session: &'a SessionView,
    pub(crate) world: &'a dyn World,
    pub(crate) own: &'a OwnFiles,
    pub(crate) via: Via,
    doubtful: bool,
    pub(crate) home: Option<String>,
    roots: Vec<(String, RootAccess)>,
    scratch: Vec<String>,
}

/// A path, placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlacedPath {
    /// Canonical where it can be known.
    pub(crate) path: String,
    pub(crate) scope: Scope,
    /// Why a root forbids it.
    pub(crate) forbidden: Option<&'static str>,
    pub(crate) protection: Option<Protection>,
    pub(crate) secret: bool,
    /// Not known exactly, and written so that a secret is what it fits.
    pub(crate) maybe_secret: bool,
    /// A pattern that fits places where the user keeps secrets.
    pub(crate) reaches_secrets: bool,
    /// It claims to lie inside the roots.
    pub(crate) claims_inside: bool,
}

/// Devices that only swallow or make bytes.
const HARMLESS: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/stdin",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/tty",
    "/dev/ptmx",
    "-",
];

/// Names of one folder that a pattern is compared with.
const MOST_NAMES: usize = 4_096;

/// Whether one of two paths is the other or lies in it.
pub(crate) fn share_a_place(one: &str, other: &str) -> bool {
    lexical::is_within(one, other) || lexical::is_within(other, one)
}

impl<'a> CallContext<'a> {
    pub(crate) fn new(
        call: &'a ToolCall,
        session: &'a SessionView,
        world: &'a dyn World,
        own: &'a OwnFiles,
        via: Via,
    ) -> Self {
        let canonical = |path: &str| world.real_path(path).unwrap_or_else(|_| lexical::fold(path));
        let roots = call.roots.iter().map(|root| (canonical(&root.path), root.access)).collect();
        let scratch = world.scratch().iter().map(|path| canonical(path)).collect();
        Self { call, session, world, own, via, doubtful: false, home: world.home(), roots, scratch }
    }

    /// Of a tool that nobody knows: whether it takes a text for a path is a guess, so one that climbs out of the
    /// roots is asked about, not refused.
    pub(crate) fn doubtful(self) -> Self {
        Self { doubtful: true, ..self }
    }

    /// Places an operand.
    pub(crate) fn place(&self, operand: &Operand, what: Use) -> PlacedPath {
        let text = self.expand_home(&operand.text);
        // A file that the runner made for this step (RULINGS 80); a name that is written out is a name like any.
        const OF_RUNNER: &[&str] = &["$GITHUB_ENV", "$GITHUB_OUTPUT", "$GITHUB_PATH", "$GITHUB_STEP_SUMMARY"];
        if operand.form == Form::Unknown && OF_RUNNER.contains(&text.as_str()) {
            return PlacedPath {
                path: text,
                scope: Scope::Scratch,
                forbidden: None,
                protection: None,
                secret: false,
                maybe_secret: false,
                reaches_secrets: false,
                claims_inside: false,
            };
        }
        if let Some(scope) = scope_of_place(&operand.place) {
            let path = lexical::join("/", &text);
            let secret = is_secret(&path);
            return PlacedPath {
                maybe_secret: operand.form != Form::Literal && could_be_secret(&path),
                path: text,
                scope,
                forbidden: None,
                protection: None,
                secret,
                reaches_secrets: false,
                claims_inside: false,
            };
        }
        if operand.form == Form::Literal {
            return self.place_text(&text, what);
        }
        self.place_pattern(&text, operand.form, what)
    }

    /// Places an exact path.
    pub(crate) fn place_text(&self, text: &str, what: Use) -> PlacedPath {
        let through = through_proc(text, &self.call.cwd);
        let text = through.as_deref().unwrap_or(text);
        if is_harmless(text) {
            return PlacedPath {
                path: text.to_owned(),
                scope: Scope::Harmless,
                forbidden: None,
                protection: None,
                secret: false,
                maybe_secret: false,
                reaches_secrets: false,
                claims_inside: false,
            };
        }
        let unfolded =
            if text.starts_with('/') { text.to_owned() } else { format!("{}/{text}", self.call.cwd) };
        let lexically = lexical::fold(&unfolded);
        let path = match self.world.real_path(&unfolded) {
            Ok(real) => real,
            Err(_) => lexically.clone(),
        };
        let through_link = path != lexically && self.root_of(&lexically).is_some();
        let openly = self.via == Via::Command && path == lexically && leads_up(text);
        let claims_inside = self.claims_inside(text) && !openly || through_link;
        self.scoped(path, what, claims_inside, &|below| protection(below), &|path| (is_secret(path), false))
    }

    /// Whether a text reads as a path inside the roots. In a folder outside (a worktree beside the project) a plain
    /// relative name says openly that it is there.
    fn claims_inside(&self, text: &str) -> bool {
        let climbs = || text.split('/').any(|name| name == "..");
        let starts_inside = || {
            let cwd = self.world.real_path(&self.call.cwd).unwrap_or_else(|_| lexical::fold(&self.call.cwd));
            self.roots.is_empty() || self.root_of(&cwd).is_some()
        };
        lexical::claims_inside(text) && (climbs() || starts_inside())
    }

    /// Places a pattern, or a text with unknown parts: what it fixes decides.
    fn place_pattern(&self, text: &str, form: Form, what: Use) -> PlacedPath {
        if form == Form::Unknown && text.starts_with('…') {
            // The place is unknown; a name at the end may still tell.
            let tail = text.trim_start_matches('…');
            return PlacedPath {
                path: text.to_owned(),
                scope: Scope::Unknown,
                forbidden: None,
                protection: possible_protection(tail),
                secret: !tail.contains('…')
                    && tail.starts_with('/')
                    && is_secret(tail.trim_start_matches('/')),
                maybe_secret: could_be_secret(text),
                reaches_secrets: false,
                claims_inside: true,
            };
        }
        let through = through_proc(text, &self.call.cwd);
        let text = through.as_deref().unwrap_or(text);
        let path = lexical::join(&self.call.cwd, text);
        let claims_inside = self.claims_inside(text) && !(self.via == Via::Command && leads_up(text));
        let matched = (what != Use::Read && path.contains("**"))
            .then(|| self.own.matched(&path, what == Use::Delete, &|place| self.world.kind(place).is_ok()))
            .flatten();
        let place = self.scoped(path, what, claims_inside, &|below| possible_protection(below), &|path| {
            (is_secret(path), could_be_secret(path))
        });
        PlacedPath { protection: place.protection.into_iter().chain(matched).max_by_key(strictness), ..place }
    }

    fn scoped(
        &self,
        path: String,
        what: Use,
        claims_inside: bool,
        protect: &dyn Fn(&str) -> Option<Protection>,
        secrecy: &dyn Fn(&str) -> (bool, bool),
    ) -> PlacedPath {
        let (secret, maybe_secret) = secrecy(&path);
        let root = self.root_of(&path);
        let below = root.map_or(path.as_str(), |(root, _)| lexical::below(&path, root).unwrap_or(&path));
        let own = self.own.protection(std::path::Path::new(&path));
        let holds = (what == Use::Delete).then(|| self.own.inside(std::path::Path::new(&path))).flatten();
        let protection = [own, holds, protect(below)].into_iter().flatten().max_by_key(strictness);
        let (scope, forbidden) = match root {
            Some((_, RootAccess::Deny)) => (Scope::Forbidden, Some("path.denied")),
            Some((_, RootAccess::Read)) if what != Use::Read => (Scope::Forbidden, Some("path.read_only")),
            Some(_) => (Scope::Inside, None),
            // A path that claims to lie inside is judged as one.
            None if !claims_inside && self.is_scratch(&path) => (Scope::Scratch, None),
            None => (self.outside(what, claims_inside), None),
        };
        let reaches_secrets = doorward_paths::reaches_secrets(&path, self.home.as_deref());
        PlacedPath {
            path,
            scope,
            forbidden,
            protection,
            secret,
            maybe_secret,
            reaches_secrets,
            claims_inside,
        }
    }

    /// Reads in commands are never an escape: the table of commands speaks about them. Everything else is one
    /// with strict roots, or when it claims to lie inside.
    fn outside(&self, what: Use, claims_inside: bool) -> Scope {
        let plain_read = self.via == Via::Command && what == Use::Read;
        let openly = self.call.outside == OutsideRoots::Ask && !claims_inside;
        if plain_read || openly || self.doubtful { Scope::Outside } else { Scope::Escape }
    }

    fn root_of(&self, path: &str) -> Option<(&str, RootAccess)> {
        self.roots
            .iter()
            .filter(|(root, _)| lexical::is_within(path, root))
            .max_by_key(|(root, access)| (root.len(), *access != RootAccess::Write))
            .map(|(root, access)| (root.as_str(), *access))
    }

    /// Whether a path lies in the temp folder and is this session's own: below something that the session made there,
    /// below the folder that the client keeps for this session, or under a name that nobody has taken yet. Everything
    /// else in the temp folder belongs to somebody and is outside like any other place.
    fn is_scratch(&self, path: &str) -> bool {
        let below =
            self.scratch.iter().find_map(|folder| lexical::below(path, folder).map(|rest| (folder, rest)));
        let Some((folder, below)) = below.filter(|(_, rest)| !rest.is_empty() && *rest != ".") else {
            return false;
        };
        if self.world.names_of_file(path) > 1 {
            // It has another name, and nobody knows whose file that is.
            return false;
        }
        let first = below.split('/').next().unwrap_or(below);
        // Where nobody looks at the machine nothing of it is taken.
        let is_new = || {
            let kind = self.world.kind(&format!("{folder}/{first}"));
            matches!(kind, Err(Unseen::Missing | Unseen::NotLooked))
        };
        self.is_made_by_session(path) || self.is_of_this_session(below) || is_new()
    }

    /// Whether this session made the file, or a folder that it lies in.
    fn is_made_by_session(&self, path: &str) -> bool {
        let made = |path: &str| self.session.written.get(path).is_some_and(|file| file.created);
        std::iter::successors(Some(path), |path| path.rsplit_once('/').map(|(folder, _)| folder)).any(made)
    }

    /// Whether a folder carries the name of this session: coding agents keep one for each session in the temp folder.
    /// Only a hook's client is believed, and only for an id that can't be the name of anything else.
    fn is_of_this_session(&self, below: &str) -> bool {
        let id = self.call.session.as_str().split('@').next().unwrap_or_default();
        let is_uuid = id.len() == 36
            && id.bytes().enumerate().all(|(at, byte)| match at {
                8 | 13 | 18 | 23 => byte == b'-',
                _ => byte.is_ascii_hexdigit(),
            });
        self.call.surface == Surface::Hook && is_uuid && below.split('/').any(|name| name == id)
    }

    pub(crate) fn expand_home(&self, text: &str) -> String {
        match (text.strip_prefix('~'), &self.home) {
            (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => format!("{home}{rest}"),
            _ => text.to_owned(),
        }
    }

    /// Names that a pattern matches, through the world; `None` where the world doesn't say.
    pub(crate) fn expand(&self, pattern: &str, limit: usize) -> Option<Vec<String>> {
        let text = self.expand_home(pattern);
        let mut found = vec![if text.starts_with('/') { String::new() } else { self.call.cwd.clone() }];
        for component in text.split('/').filter(|name| !name.is_empty() && *name != ".") {
            let mut next = Vec::new();
            for folder in &found {
                if !glob::is_pattern(component) {
                    next.push(format!("{folder}/{component}"));
                    continue;
                }
                let here = if folder.is_empty() { "/" } else { folder };
                match self.world.names(here, MOST_NAMES) {
                    // A list that was cut off would be taken for the whole.
                    Ok(names) if names.len() >= MOST_NAMES => return None,
                    Ok(names) => next.extend(
                        names
                            .iter()
                            .filter(|name| glob::matches_component(component, name))
                            .map(|name| format!("{folder}/{name}")),
                    ),
                    Err(Unseen::Missing) => {}
                    Err(_) => return None,
                }
                if next.len() > limit {
                    return None;
                }
            }
            found = next;
        }
        // The parts without a wildcard were only joined: what isn't there doesn't match.
        found.retain(|path| self.world.kind(path).is_ok());
        Some(found)
    }

    /// Whether a delete is made good by the next build or install.
    pub(crate) fn regenerable(&self, place: &PlacedPath, form: Form) -> Tri {
        if place.secret || place.maybe_secret || place.protection.is_some() || form == Form::Unknown {
            return Tri::No;
        }
        if place.scope != Scope::Inside {
            return Tri::No;
        }
        let Some((root, _)) = self.root_of(&place.path) else { return Tri::No };
        let below = lexical::below(&place.path, root).unwrap_or_default();
        if below.is_empty() {
            return Tri::No;
        }
        let state = self.world.vcs(&place.path);
        if matches!(state, Ok(VcsState::Clean | VcsState::Modified)) {
            return Tri::No;
        }
        let made = crate::outputs::is_made_by_a_program(self.world, root, below)
            || form == Form::Literal && self.is_made_by_make(root, &place.path);
        if made { Tri::Yes } else { Tri::No }
    }

    /// Whether a makefile of the project itself, in a folder around a path, makes it or cleans it up.
    fn is_made_by_make(&self, root: &str, path: &str) -> bool {
        let above = path.match_indices('/').rev().filter_map(|(at, _)| path.get(..at));
        above.take_while(|folder| lexical::is_within(folder, root)).any(|folder| {
            MAKEFILES.iter().map(|name| lexical::join(folder, name)).any(|file| {
                let text = self.is_own_script(&file).then(|| self.world.read_text(&file, MOST_OF_MAKEFILE));
                let name = lexical::below(path, folder).unwrap_or_default();
                matches!(text, Some(Ok(text)) if Makefile::read(&text).makes(name))
            })
        })
    }

    /// Whether version control has a clean copy.
    pub(crate) fn in_version_control(&self, path: &str) -> Tri {
        match self.world.vcs(path) {
            Ok(VcsState::Clean) => Tri::Yes,
            Ok(VcsState::Modified | VcsState::Untracked | VcsState::Ignored) => Tri::No,
            // No repository around something that is there: nobody keeps a copy.
            Err(Unseen::Missing) if self.world.kind(path).is_ok() => Tri::No,
            Err(_) => Tri::Unknown,
        }
    }

    /// Whether a script is the project's own: committed and unchanged in the repository of a root, and there before the
    /// session began. What git brought meanwhile, and what lies in another repository, is read as any other file.
    pub(crate) fn is_own_script(&self, path: &str) -> bool {
        if self.session.written.contains_key(path) || self.world.vcs(path) != Ok(VcsState::Clean) {
            return false;
        }
        let root =
            self.roots.iter().map(|(root, _)| root.as_str()).find(|root| lexical::is_within(path, root));
        let Some(root) = root else { return false };
        let mut folder = path;
        while let Some((above, _)) = folder.rsplit_once('/') {
            folder = above;
            if !lexical::is_within(folder, root) || folder == root {
                break;
            }
            if self.world.kind(&format!("{folder}/.git")).is_ok() {
                return false;
            }
        }
        let since = self.session.began.and_then(|began| Some(self.world.changed_at(path).ok()? >= began));
        since != Some(true)
    }

    /// Made by this session, as far as version control doesn't know it: losing it loses the session's own work.
    pub(crate) fn is_own_work(&self, path: &str) -> bool {
        let tracked = matches!(self.world.vcs(path), Ok(VcsState::Clean | VcsState::Modified));
        self.session.written.get(path).is_some_and(|file| file.created) && !tracked
    }

    /// Where a move to `to` puts `from`: into a folder under its own name.
    pub(crate) fn moved_to(&self, to: &str, from: &str) -> String {
        let name = from.rsplit('/').next().unwrap_or_default();
        match self.world.enters(to) {
            Ok(true) => lexical::join(to, name),
            _ => to.to_owned(),
        }
    }

    /// Whether nobody misses what lies at a place: a build makes it again, or this session made it.
    pub(crate) fn is_made_again(&self, place: &PlacedPath) -> bool {
        !self.holds_moved(&place.path)
            && (self.regenerable(place, Form::Literal) == Tri::Yes || self.is_own_work(&place.path))
    }

    /// Whether something of the user's was moved to this path, into it or around it, by an earlier call.
    pub(crate) fn holds_moved(&self, path: &str) -> bool {
        self.session.written.iter().any(|(moved, file)| file.moved && share_a_place(moved, path))
    }

    /// A tracked file that this session changed from what version control has, and nobody else since.
    pub(crate) fn is_own_change(&self, path: &str) -> bool {
        self.session.written.get(path).is_some_and(|file| {
            let limit = u64::try_from(MOST_COMPARED).unwrap_or(u64::MAX);
            file.from_clean
                && file
                    .content
                    .as_deref()
                    .is_some_and(|content| self.world.read_text(path, limit).is_ok_and(|now| now == content))
        })
    }

    /// Known to be missing.
    pub(crate) fn is_new(&self, path: &str) -> bool {
        self.world.kind(path) == Err(Unseen::Missing)
    }

    pub(crate) fn kind(&self, path: &str) -> Option<FileKind> {
        self.world.kind(path).ok()
    }

    /// The root or the home folder itself, a folder of the system, or all that is in one: what nobody deletes.
    pub(crate) fn is_everything(&self, path: &str) -> bool {
        let folder = ["/*", "/.*", "/**"].iter().find_map(|all| path.strip_suffix(all)).unwrap_or(path);
        let folder = if folder.is_empty() { "/" } else { folder };
        let home = self.home.as_deref();
        SYSTEM.contains(&folder)
            || home == Some(folder)
            || home.is_some_and(|home| home.starts_with("/home/") && folder == "/home")
    }
}

/// Folders of the system (Filesystem Hierarchy Standard 3.0).
const SYSTEM: &[&str] = &[
    "/",
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/home",
    "/lib",
    "/lib64",
    "/opt",
    "/proc",
    "/root",
    "/sbin",
    "/srv",
    "/sys",
    "/usr",
    "/usr/bin",
    "/usr/lib",
    "/usr/local",
    "/usr/sbin",
    "/usr/share",
    "/var",
    "/var/lib",
    "/Users",
    "/System",
    "/Library",
    "/Applications",
];

/// Whether a path begins with `..` and then only goes down: it says openly that it leads out of the working folder.
/// One that begins inside and climbs out (`src/../../x`) doesn't.
fn leads_up(text: &str) -> bool {
    let mut names =
        text.split('/').filter(|name| !name.is_empty() && *name != ".").skip_while(|name| *name == "..");
    text.starts_with("..") && text.split('/').next() == Some("..") && !names.any(|name| name == "..")
}

/// A path through the links of a process, as the path it leads to: `/proc/self/root/x`, `/proc/1/task/2/root/x`,
/// `/dev/fd/../x`, however it is spelled. Another process's root is taken to be this one's; its folder isn't known
/// here.
fn through_proc(text: &str, cwd: &str) -> Option<String> {
    if let Some(rest) = text.strip_prefix("/dev/fd/").filter(|rest| rest.contains("..")) {
        return Some(lexical::fold(&format!("/proc/self/fd/{rest}")));
    }
    if !text.contains("proc") && !cwd.starts_with("/proc") {
        return None;
    }
    let spelled = if text.starts_with('/') { text.to_owned() } else { format!("{cwd}/{text}") };
    let mut at: Vec<&str> = Vec::new();
    let mut followed = false;
    for name in spelled.split('/').skip(1) {
        // A link is followed where something stands behind it.
        let target: Option<Vec<&str>> = match at.as_slice() {
            ["proc", _, "root"] => Some(Vec::new()),
            ["proc", "self" | "thread-self", "cwd"] => {
                Some(cwd.split('/').filter(|name| !name.is_empty()).collect())
            }
            ["proc", _, "task", thread] => Some(vec!["proc", *thread]),
            _ => None,
        };
        if let Some(target) = target {
            at = target;
            followed = true;
        }
        match name {
            "" | "." => {}
            ".." => {
                at.pop();
            }
            name => at.push(name),
        }
    }
    followed.then(|| format!("/{}", at.join("/")))
}

pub(crate) fn is_harmless(text: &str) -> bool {
    HARMLESS.contains(&text)
        || text.strip_prefix("/dev/fd/").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
}

pub(crate) const fn strictness(class: &Protection) -> u8 {
    match class {
        Protection::Ask => 0,
        Protection::Deny => 1,
        Protection::Own => 2,
    }
}
