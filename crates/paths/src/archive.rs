//! Judges each member of an archive as a path of its own, before anything is written.

use std::collections::{HashMap, HashSet};

use crate::code::{Code, PathRefusal};
use crate::key::key;
use crate::lexical;

/// The kind of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Member<'a> {
    /// A file of this many bytes.
    File(u64),
    /// A folder.
    Directory,
    /// A symbolic link to this target.
    Symlink(&'a str),
    /// A hard link to this member.
    Hardlink(&'a str),
    /// A device, pipe or socket.
    Special,
}

/// How much an archive may unpack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Most members.
    pub members: usize,
    /// Most bytes in all members together.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { members: 100_000, bytes: 4 << 30 }
    }
}

/// Judges the members of one archive in order; remembers links and names.
#[derive(Debug, Default)]
pub struct ArchiveMembers {
    limits: Limits,
    count: usize,
    bytes: u64,
    links: HashSet<String>,
    names: HashMap<String, String>,
}

impl ArchiveMembers {
    /// With these limits.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Judges the next member by its name as stored.
    ///
    /// # Errors
    /// [`PathRefusal`]; the caller must then stop and unpack nothing.
    pub fn next(&mut self, name: &str, member: Member<'_>) -> Result<(), PathRefusal> {
        self.count += 1;
        if let Member::File(size) = member {
            self.bytes = self.bytes.saturating_add(size);
        }
        if self.count > self.limits.members || self.bytes > self.limits.bytes {
            return Err(PathRefusal::new(Code::TooLong, "the archive unpacks to more than the limit"));
        }
        let place = inside(name, "a member")?;
        if member == Member::Special {
            return Err(PathRefusal::new(Code::SpecialFile, "a device, pipe or socket in an archive"));
        }
        let through_link = ancestors(&place).any(|folder| self.links.contains(folder));
        if through_link || (self.links.contains(&place) && member != Member::Directory) {
            return Err(PathRefusal::new(Code::Escape, "a member below a link of the same archive"));
        }
        let folded = place.split('/').map(key).collect::<Vec<_>>().join("/");
        if let Some(other) = self.names.insert(folded, place.clone()).filter(|other| *other != place) {
            return Err(PathRefusal::new(
                Code::Confusable,
                format!("`{other}` and `{place}` differ only in letter case"),
            ));
        }
        match member {
            Member::Symlink(target) => {
                let parent = place.rsplit_once('/').map_or("", |(parent, _)| parent);
                let claimed =
                    if target.starts_with('/') { target.to_owned() } else { format!("{parent}/{target}") };
                inside(&claimed, "a link member")?;
                self.links.insert(place);
            }
            Member::Hardlink(target) => {
                let target = inside(target, "a hard link member")?;
                if self.links.contains(&target)
                    || ancestors(&target).any(|folder| self.links.contains(folder))
                {
                    return Err(PathRefusal::new(Code::Escape, "a hard link to a link of the same archive"));
                }
            }
            Member::File(_) | Member::Directory | Member::Special => {}
        }
        Ok(())
    }
}

/// The case-folded relative path of a member; `..` may never lead above the top folder.
fn inside(name: &str, what: &str) -> Result<String, PathRefusal> {
    if name.is_empty() {
        return Err(PathRefusal::new(Code::Empty, format!("{what} without a name")));
    }
    if name.contains('\0') {
        return Err(PathRefusal::new(Code::Nul, format!("{what} with a NUL byte")));
    }
    if name.starts_with('/') || name.contains('\\') {
        return Err(PathRefusal::new(Code::Escape, format!("{what} with an absolute or Windows path")));
    }
    let mut depth = 0_i64;
    for component in name.split('/') {
        depth += match component {
            "" | "." => 0,
            ".." => -1,
            _ => 1,
        };
        if depth < 0 {
            return Err(PathRefusal::new(Code::Escape, format!("{what} that climbs out")));
        }
    }
    Ok(lexical::fold(name).trim_start_matches('/').to_owned())
}

fn ancestors(place: &str) -> impl Iterator<Item = &str> {
    place.match_indices('/').filter_map(|(at, _)| place.get(..at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_that_lead_out_are_refused() {
        let judge = |members: &[(&str, Member<'_>)]| {
            let mut archive = ArchiveMembers::new(Limits { members: 5, bytes: 100 });
            members
                .iter()
                .try_for_each(|(name, member)| archive.next(name, *member))
                .map_err(|refusal| refusal.code)
        };
        use Member::{Directory, File, Hardlink, Special, Symlink};
        for (members, expected) in [
            (&[("a/b", File(1)), ("a/c", Symlink("b"))][..], Ok(())),
            (&[("../evil", File(1))], Err(Code::Escape)),
            (&[("a/../../evil", File(1))], Err(Code::Escape)),
            (&[("/etc/x", File(1))], Err(Code::Escape)),
            (&[("l", Symlink("/etc"))], Err(Code::Escape)),
            (&[("l", Symlink("../x"))], Err(Code::Escape)),
            (&[("l", Symlink("d")), ("l/x", File(1))], Err(Code::Escape)),
            (&[("l", Symlink("d")), ("l", File(1))], Err(Code::Escape)),
            (&[("h", Hardlink("../x"))], Err(Code::Escape)),
            (&[("x", Special)], Err(Code::SpecialFile)),
            (&[("A", File(1)), ("a", File(1))], Err(Code::Confusable)),
            (&[("a\0", File(1))], Err(Code::Nul)),
            (&[("a", File(101))], Err(Code::TooLong)),
            (&[("d", Directory), ("d", Directory)], Ok(())),
        ] {
            assert_eq!(judge(members), expected, "{members:?}");
        }
    }
}
