//! Operations on a path, and their words in the batch interface.

/// An operation on a path. Operations on two paths carry the other one as text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Access {
    /// Reads a file.
    Read,
    /// Lists a folder.
    List,
    /// Reads metadata; a final link is followed.
    Stat,
    /// Reads metadata of the name itself.
    Lstat,
    /// Replaces or changes a file; creates it if missing.
    Write,
    /// Appends to a file.
    Append,
    /// Creates a new file.
    Create,
    /// Creates a new folder.
    MakeDir,
    /// Deletes one name.
    Delete,
    /// Deletes a folder with its content.
    DeleteTree,
    /// The old name of a move.
    RenameFrom,
    /// The new name of a move.
    RenameTo,
    /// The existing name of a hard link.
    LinkFrom,
    /// The new name of a hard link.
    LinkTo,
    /// Creates a symbolic link to this target.
    SymlinkTo(String),
    /// Sets mode bits.
    Chmod(u32),
    /// Creates a device, pipe or socket.
    Mknod,
}

impl Access {
    /// Whether it changes something.
    #[must_use]
    pub const fn writes(&self) -> bool {
        !matches!(self, Self::Read | Self::List | Self::Stat | Self::Lstat | Self::LinkFrom)
    }

    /// Whether it acts on the name itself, without following a final link.
    #[must_use]
    pub const fn acts_on_name(&self) -> bool {
        matches!(
            self,
            Self::Lstat
                | Self::Delete
                | Self::DeleteTree
                | Self::RenameFrom
                | Self::RenameTo
                | Self::LinkFrom
                | Self::LinkTo
                | Self::SymlinkTo(_)
                | Self::Mknod
        )
    }

    /// Whether the path must exist.
    #[must_use]
    pub const fn needs_existing(&self) -> bool {
        matches!(
            self,
            Self::Read
                | Self::List
                | Self::Stat
                | Self::Lstat
                | Self::Delete
                | Self::DeleteTree
                | Self::RenameFrom
                | Self::LinkFrom
                | Self::Chmod(_)
        )
    }

    /// Whether it gives content, or control over content, to the caller. For these, secret names matter.
    #[must_use]
    pub const fn touches_content(&self) -> bool {
        !matches!(self, Self::List | Self::Stat | Self::Lstat | Self::MakeDir)
    }

    /// Whether it changes existing content. For these, other hard links of the file matter.
    #[must_use]
    pub const fn changes_content(&self) -> bool {
        matches!(self, Self::Write | Self::Append | Self::Chmod(_))
    }
}

/// One operation of the batch interface, split into steps with one path each.
///
/// `rename_to:P` is [`Access::RenameFrom`] of the input and [`Access::RenameTo`] of `P`. An archive member is a path
/// of its own below the working folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// On the input alone.
    One(Access),
    /// On the input, and on another path with its own access.
    Two(Access, String, Access),
    /// Extracts an archive with this member.
    Extract(String),
    /// Extracts an archive with a link member to this target, followed by a member below the link.
    ExtractLink(String),
}

impl Operation {
    /// From a word of the batch interface; `None` if it is unknown.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        let (name, argument) = word.split_once(':').map_or((word, None), |(name, rest)| (name, Some(rest)));
        let one = |access| Some(Self::One(access));
        match (name, argument) {
            ("read", None) => one(Access::Read),
            ("write", None) => one(Access::Write),
            ("append", None) => one(Access::Append),
            ("create", None) => one(Access::Create),
            ("mkdir", None) => one(Access::MakeDir),
            ("list", None) => one(Access::List),
            ("stat", None) => one(Access::Stat),
            ("lstat", None) => one(Access::Lstat),
            ("delete", None) => one(Access::Delete),
            ("delete_recursive", None) => one(Access::DeleteTree),
            ("mknod", None) => one(Access::Mknod),
            ("rename_from", None) => one(Access::RenameFrom),
            ("chmod", Some(mode)) => one(Access::Chmod(u32::from_str_radix(mode, 8).unwrap_or(0o7777))),
            ("symlink_to", Some(target)) => one(Access::SymlinkTo(target.to_owned())),
            ("rename_to", Some(to)) => Some(Self::Two(Access::RenameFrom, to.to_owned(), Access::RenameTo)),
            ("copy_to", Some(to)) => Some(Self::Two(Access::Read, to.to_owned(), Access::Write)),
            ("hardlink_of", Some(from)) => Some(Self::Two(Access::LinkTo, from.to_owned(), Access::LinkFrom)),
            ("extract_with", Some(member)) => Some(Self::Extract(member.to_owned())),
            ("extract_with_symlink", Some(target)) => Some(Self::ExtractLink(target.to_owned())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_steps_and_unknown_words_nothing() {
        assert_eq!(Operation::parse("read"), Some(Operation::One(Access::Read)));
        assert_eq!(Operation::parse("chmod:4755"), Some(Operation::One(Access::Chmod(0o4755))));
        // An unreadable mode counts as the worst one.
        assert_eq!(Operation::parse("chmod:u+s"), Some(Operation::One(Access::Chmod(0o7777))));
        assert_eq!(
            Operation::parse("rename_to:a:b"),
            Some(Operation::Two(Access::RenameFrom, "a:b".to_owned(), Access::RenameTo))
        );
        for word in ["", "READ", "read:x", "truncate", "chmod"] {
            assert_eq!(Operation::parse(word), None, "{word}");
        }
    }
}
