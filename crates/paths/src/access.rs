//! What is to be done with a path, and the words the batch interface uses for it.

/// An operation on a path. Operations with two paths carry the other one as text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Access {
    /// Content of a file.
    Read,
    /// Names in a folder.
    List,
    /// Metadata, last link followed.
    Stat,
    /// Metadata of the name itself.
    Lstat,
    /// Content, replaced or changed; made if missing.
    Write,
    /// Content, added at the end.
    Append,
    /// A new file.
    Create,
    /// A new folder.
    MakeDir,
    /// One name.
    Delete,
    /// A folder with everything below.
    DeleteTree,
    /// The old name of a move.
    RenameFrom,
    /// The new name of a move.
    RenameTo,
    /// The existing name of a hard link.
    LinkFrom,
    /// The new name of a hard link.
    LinkTo,
    /// A new symbolic link that points to this target.
    SymlinkTo(String),
    /// New mode bits.
    Chmod(u32),
    /// A device, pipe or socket.
    Mknod,
}

impl Access {
    /// Changes something.
    #[must_use]
    pub const fn writes(&self) -> bool {
        !matches!(self, Self::Read | Self::List | Self::Stat | Self::Lstat | Self::LinkFrom)
    }

    /// Acts on the name itself: a last link isn't followed.
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

    /// The thing must be there.
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

    /// Brings content, or control over content, to whoever asked: where a secret name matters.
    #[must_use]
    pub const fn touches_content(&self) -> bool {
        !matches!(self, Self::List | Self::Stat | Self::Lstat | Self::MakeDir)
    }

    /// Changes the content of what is there already: where another name of the same file matters.
    #[must_use]
    pub const fn changes_content(&self) -> bool {
        matches!(self, Self::Write | Self::Append | Self::Chmod(_))
    }
}

/// One operation as the batch interface words it, taken apart into single-path steps.
///
/// `rename_to:P` is a [`Access::RenameFrom`] of the input and a [`Access::RenameTo`] of `P`; an archive member is
/// a path of its own below the working folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// The input alone.
    One(Access),
    /// The input, and another path with its own access.
    Two(Access, String, Access),
    /// Extracting an archive that has this member.
    Extract(String),
    /// Extracting an archive that has a link member to this target and then a member below it.
    ExtractLink(String),
}

impl Operation {
    /// From the batch interface's word; `None` for a word nobody knows.
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
        // A mode nobody can read is taken as the worst.
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
