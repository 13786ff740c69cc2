//! Commits of a repository: the tree of the last one, and how many of a branch no remote has. Read from git's own files
//! with gix; nothing is run. Objects are untrusted bytes: large ones aren't read, and walks are bounded.

use std::collections::{HashSet, VecDeque};

use doorward_core::world::Unseen;
use gix_hash::ObjectId;
use gix_object::{Find as _, FindHeader as _};

use super::git::Repository;

/// A commit larger than this isn't read.
const LARGEST_COMMIT: u64 = 1 << 20;
/// Commits that a count looks at.
const MOST_COMMITS: usize = 2_000;
/// Remote branches that count.
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

    /// Commits of the branch that no remote branch has, counted up to [`MOST_COMMITS`].
    pub(crate) fn unpushed(&self) -> Result<u32, Unseen> {
        let mut remote = HashSet::new();
        let platform = self.references.iter().map_err(|_| Unseen::Unreadable)?;
        let prefix = "refs/remotes/".try_into().map_err(|_| Unseen::Unreadable)?;
        for reference in platform.prefixed(prefix).map_err(|_| Unseen::Unreadable)?.take(MOST_REFERENCES) {
            if let Some(id) = reference.ok().and_then(|reference| reference.target.try_into_id().ok()) {
                remote.insert(id);
            }
        }
        // What a remote branch reaches is on the remote; commits are looked at in turn on both sides.
        let (own, theirs) = (self.reachable([self.head()?])?, self.reachable(remote)?);
        u32::try_from(own.difference(&theirs).count()).map_err(|_| Unseen::TooLarge)
    }

    /// Whether what these branches hold is reached by another branch, a remote branch or a tag, looked through newest
    /// first, up to [`MOST_COMMITS`].
    pub(crate) fn is_reached_without(&self, branches: &[String]) -> Result<bool, Unseen> {
        let names: HashSet<String> = branches.iter().map(|name| format!("refs/heads/{name}")).collect();
        let (mut wanted, mut todo, mut seen) = (HashSet::new(), VecDeque::new(), HashSet::new());
        let mut found = 0;
        let all = self.references.iter().map_err(|_| Unseen::Unreadable)?;
        for reference in all.all().map_err(|_| Unseen::Unreadable)?.take(MOST_REFERENCES + 1) {
            let reference = reference.map_err(|_| Unseen::Unreadable)?;
            let name = reference.name.as_bstr().to_string();
            let keeps =
                ["refs/heads/", "refs/remotes/", "refs/tags/"].iter().any(|kind| name.starts_with(kind));
            // A name that stands for another has no commits of its own.
            let Some(id) = reference.target.try_into_id().ok().filter(|_| keeps) else { continue };
            if names.contains(&name) {
                found += 1;
                wanted.insert(id);
            } else if self.commit(&id).is_ok() && seen.insert(id) {
                todo.push_back(id);
            }
            if found + todo.len() > MOST_REFERENCES {
                return Err(Unseen::TooLarge);
            }
        }
        if found != names.len() || names.is_empty() {
            return Err(Unseen::Missing);
        }
        wanted.retain(|id| !seen.contains(id));
        while let (false, Some(id)) = (wanted.is_empty(), todo.pop_front()) {
            if seen.len() > MOST_COMMITS {
                return Err(Unseen::TooLarge);
            }
            for parent in self.commit(&id)?.1 {
                if seen.insert(parent) {
                    wanted.remove(&parent);
                    todo.push_back(parent);
                }
            }
        }
        Ok(wanted.is_empty())
    }

    fn reachable(&self, from: impl IntoIterator<Item = ObjectId>) -> Result<HashSet<ObjectId>, Unseen> {
        let mut todo: VecDeque<ObjectId> = from.into_iter().collect();
        let mut seen: HashSet<ObjectId> = todo.iter().copied().collect();
        while let Some(id) = todo.pop_front() {
            if seen.len() > MOST_COMMITS {
                return Err(Unseen::TooLarge);
            }
            for parent in self.commit(&id)?.1 {
                if seen.insert(parent) {
                    todo.push_back(parent);
                }
            }
        }
        Ok(seen)
    }
}
