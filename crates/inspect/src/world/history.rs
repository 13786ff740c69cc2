//! Commits of a repository: the tree of the last one, and those that nothing reaches any more. Read from git's own
//! files with gix; nothing is run. Objects are untrusted bytes: large ones aren't read, and walks are bounded.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::path::Path;

use doorward_core::text::is_unseen;
use doorward_core::world::{Lost, Unseen};
use doorward_paths::bounded;
use gix_hash::ObjectId;
use gix_object::{Find as _, FindHeader as _};

use super::git::Repository;

/// A commit larger than this isn't read.
const LARGEST_COMMIT: u64 = 1 << 20;
/// Commits that a count looks at.
const MOST_COMMITS: usize = 2_000;
/// Commits that are counted as lost.
const MOST_LOST: usize = 500;
/// Letters of what a stash entry says.
const LONGEST_WORDS: usize = 60;
/// Letters of a commit's short name.
const SHORT: usize = 7;
/// Branches and tags that count.
const MOST_REFERENCES: usize = 2_000;

/// The commits and references of one repository.
pub(crate) struct History {
    references: gix_ref::file::Store,
    objects: gix_odb::Handle,
}

impl History {
    pub(crate) fn of(repository: &Repository) -> Result<Self, Unseen> {
        let (own, common) = repository.directories();
        let objects =
            gix_odb::at(common.join("objects"), gix_hash::Kind::Sha1).map_err(|_| Unseen::Unreadable)?;
        let references = gix_ref::file::Store::for_linked_worktree(own, common, gix_hash::Kind::Sha1);
        Ok(Self { references, objects })
    }

    fn head(&self) -> Result<ObjectId, Unseen> {
        use gix_ref::file::ReferenceExt as _;
        let mut head = self.references.find("HEAD").map_err(|_| Unseen::Missing)?;
        head.peel_to_id(&self.references, &self.objects).map_err(|_| Unseen::Unreadable)
    }

    /// Tree and parents of a commit.
    fn commit(&self, id: &ObjectId) -> Result<(ObjectId, Vec<ObjectId>), Unseen> {
        let header = self.objects.try_header(id).ok().flatten().ok_or(Unseen::Missing)?;
        if header.size > LARGEST_COMMIT {
            return Err(Unseen::TooLarge);
        }
        let mut bytes = Vec::new();
        let data = self.objects.try_find(id, &mut bytes).ok().flatten().ok_or(Unseen::Missing)?;
        let mut commit = gix_object::CommitRefIter::from_bytes(data.data, gix_hash::Kind::Sha1);
        let tree = commit.tree_id().map_err(|_| Unseen::Unreadable)?;
        Ok((tree, commit.parent_ids().collect()))
    }

    /// The tree of the commit that is checked out.
    pub(crate) fn tree(&self) -> Result<ObjectId, Unseen> {
        Ok(self.commit(&self.head()?)?.0)
    }

    /// Commits that nothing reaches once the branch that is checked out stands at `target`.
    pub(crate) fn left_behind(&self, target: &str) -> Result<Lost, Unseen> {
        let head = self.references.find("HEAD").map_err(|_| Unseen::Missing)?;
        let current = head.target.try_name().map(|name| name.as_bstr().to_string());
        let mut kept = vec![self.named(target)?];
        kept.extend(
            self.tips()?.into_iter().filter(|(name, _)| Some(name) != current.as_ref()).map(|(_, id)| id),
        );
        self.lost(vec![self.head()?], kept)
    }

    /// Commits that nothing reaches once these branches are gone.
    pub(crate) fn only_in(&self, branches: &[String]) -> Result<Lost, Unseen> {
        // `-` is the branch before this one.
        if branches.iter().any(|name| name == "-") {
            return Err(Unseen::Missing);
        }
        let names: HashSet<String> = branches
            .iter()
            .map(|name| if name.starts_with("refs/") { name.clone() } else { format!("refs/heads/{name}") })
            .collect();
        let (gone, kept): (Vec<_>, Vec<_>) =
            self.tips()?.into_iter().partition(|(name, _)| names.contains(name));
        // Two names may point to the same commit.
        let ids = |tips: Vec<(String, ObjectId)>| {
            let ids: BTreeSet<ObjectId> = tips.into_iter().map(|(_, id)| id).collect();
            ids.into_iter().collect()
        };
        self.lost(ids(gone), ids(kept))
    }

    /// Branches, remote branches and tags with what they point to.
    fn tips(&self) -> Result<Vec<(String, ObjectId)>, Unseen> {
        let all = self.references.iter().map_err(|_| Unseen::Unreadable)?;
        let mut tips = Vec::new();
        for reference in all.all().map_err(|_| Unseen::Unreadable)?.take(MOST_REFERENCES + 1) {
            let reference = reference.map_err(|_| Unseen::Unreadable)?;
            let name = reference.name.as_bstr().to_string();
            let keeps =
                ["refs/heads/", "refs/remotes/", "refs/tags/"].iter().any(|kind| name.starts_with(kind));
            // A name that stands for another has no commits of its own.
            tips.extend(reference.target.try_into_id().ok().filter(|_| keeps).map(|id| (name, id)));
        }
        if tips.len() > MOST_REFERENCES { Err(Unseen::TooLarge) } else { Ok(tips) }
    }

    /// A commit by what people call it: `HEAD`, a branch, a tag, a remote branch or a whole hash, and steps back
    /// (`~2`, `^`).
    fn named(&self, target: &str) -> Result<ObjectId, Unseen> {
        use gix_ref::file::ReferenceExt as _;
        let (name, steps) = target.split_at(target.find(['~', '^']).unwrap_or(target.len()));
        let mut id = match ObjectId::from_hex(name.as_bytes()) {
            Ok(id) => id,
            Err(_) => {
                let name = if name == "@" { "HEAD" } else { name };
                let mut found = self.references.find(name).map_err(|_| Unseen::Missing)?;
                found.peel_to_id(&self.references, &self.objects).map_err(|_| Unseen::Unreadable)?
            }
        };
        let (mut back, mut rest) = (0_usize, steps);
        while let Some(sign) = rest.chars().next() {
            let behind = rest.get(1..).unwrap_or_default();
            let (number, after) = behind.split_at(behind.find(['~', '^']).unwrap_or(behind.len()));
            back += match (sign, number) {
                (_, "") => 1,
                ('~', number) => number.parse::<usize>().map_err(|_| Unseen::Missing)?,
                ('^', "1") => 1,
                // Another parent, or a form that isn't read here.
                _ => return Err(Unseen::Missing),
            };
            rest = after;
        }
        if back > MOST_COMMITS {
            return Err(Unseen::TooLarge);
        }
        for _ in 0..back {
            id = *self.commit(&id)?.1.first().ok_or(Unseen::Missing)?;
        }
        self.commit(&id).map(|_| id)
    }

    /// Commits that are reached from some tips and from no kept one.
    fn lost(&self, from: Vec<ObjectId>, kept: Vec<ObjectId>) -> Result<Lost, Unseen> {
        let mut todo: VecDeque<ObjectId> = kept.into_iter().filter(|id| self.commit(id).is_ok()).collect();
        let mut reached: HashSet<ObjectId> = todo.iter().copied().collect();
        let mut wanted: HashSet<ObjectId> = from.iter().copied().collect();
        wanted.retain(|id| !reached.contains(id));
        let mut lost = Lost::default();
        while let (false, Some(id)) = (wanted.is_empty(), todo.pop_front()) {
            if reached.len() > MOST_COMMITS {
                lost.at_most = true;
                break;
            }
            for parent in self.commit(&id)?.1 {
                if reached.insert(parent) {
                    wanted.remove(&parent);
                    todo.push_back(parent);
                }
            }
        }
        let mut open: VecDeque<ObjectId> = from.into_iter().filter(|id| wanted.contains(id)).collect();
        let mut seen: HashSet<ObjectId> = open.iter().copied().collect();
        while let Some(id) = open.pop_front() {
            if lost.commits.len() >= MOST_LOST {
                return Err(Unseen::TooLarge);
            }
            lost.commits.push(id.to_hex_with_len(SHORT).to_string());
            open.extend(
                self.commit(&id)?
                    .1
                    .into_iter()
                    .filter(|parent| !reached.contains(parent) && seen.insert(*parent)),
            );
        }
        Ok(lost)
    }
}

/// What the entries of the stash say, newest first: the lines of its log, from behind.
pub(super) fn stashed(common: &Path) -> Result<Vec<String>, Unseen> {
    let log = match bounded::read_text_to(&common.join("logs/refs/stash"), LARGEST_COMMIT) {
        Ok(log) => log,
        // Without a log there may still be one entry.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !common.join("refs/stash").exists() => {
            let packed =
                bounded::read_text_to(&common.join("packed-refs"), LARGEST_COMMIT).unwrap_or_default();
            return if packed.contains("refs/stash") { Err(Unseen::Unreadable) } else { Ok(Vec::new()) };
        }
        Err(_) => return Err(Unseen::Unreadable),
    };
    // Whoever stashed wrote the words: they are cut to a line that people can read.
    let said = |line: &str| -> String {
        let words = line.split_once('\t').map_or("", |(_, words)| words);
        words.chars().filter(|ch| !ch.is_control() && !is_unseen(*ch)).take(LONGEST_WORDS).collect()
    };
    Ok(log.lines().rev().map(said).collect())
}
