//! Worlds to look at: the live one, one made of a map (tests, batch rows with files), and none.

mod git;
mod git_config;
mod given;
mod history;
mod live;
mod map;

pub(crate) use git_config::{CONFIG_LIMIT, settings_among};
pub use given::GivenFiles;
pub use live::LiveWorld;
pub use map::MapWorld;

use doorward_core::world::{FileKind, Unseen, VcsState, World};
use jiff::Timestamp;

/// No world: every fact is absent. For batch rows and replays.
#[derive(Debug, Clone, Default)]
pub struct EmptyWorld {
    home: Option<String>,
}

impl EmptyWorld {
    /// With a home folder by name only.
    #[must_use]
    pub fn at_home(home: impl Into<String>) -> Self {
        Self { home: Some(home.into()) }
    }
}

impl World for EmptyWorld {
    fn kind(&self, _path: &str) -> Result<FileKind, Unseen> {
        Err(Unseen::NotLooked)
    }

    fn real_path(&self, _path: &str) -> Result<String, Unseen> {
        Err(Unseen::NotLooked)
    }

    fn read_text(&self, _path: &str, _limit: u64) -> Result<String, Unseen> {
        Err(Unseen::NotLooked)
    }

    fn names(&self, _path: &str, _limit: usize) -> Result<Vec<String>, Unseen> {
        Err(Unseen::NotLooked)
    }

    fn vcs(&self, _path: &str) -> Result<VcsState, Unseen> {
        Err(Unseen::NotLooked)
    }

    fn remote_url(&self, _dir: &str, _remote: &str) -> Result<String, Unseen> {
        Err(Unseen::NotLooked)
    }

    fn home(&self) -> Option<String> {
        self.home.clone()
    }

    fn scratch(&self) -> Vec<String> {
        vec!["/tmp".to_owned(), "/var/tmp".to_owned()]
    }

    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}
