//! `--state`: which service's settings and record a command means.

use std::path::{Path, PathBuf};

use doorward::Options;
use doorward::layers::Places;
use doorward::rooms::settings::Settings;
use doorward_hooks::thin::default_state;

use crate::output::Failure;

/// The option, the same wherever it is taken.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct StateOption {
    /// State directory of the service, if it isn't the usual one
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
}

impl StateOption {
    /// For a folder that another option named.
    pub(crate) fn at(folder: &Path) -> Self {
        Self { state: Some(folder.to_owned()) }
    }

    /// The folder: the one given, or the user's own.
    pub(crate) fn folder(&self) -> PathBuf {
        let folder = self.state.clone().unwrap_or_else(default_state);
        // Rules about our own files compare whole paths.
        std::path::absolute(&folder).unwrap_or(folder)
    }

    /// Where that service's settings are.
    pub(crate) fn places(&self) -> Places {
        Options::usual(&self.folder()).places
    }

    /// The settings of the administrator and the user, without a project's.
    ///
    /// # Errors
    /// What is wrong in them.
    pub(crate) fn settings(&self) -> Result<Settings, Failure> {
        Ok(self.places().load(None)?.settings)
    }
}
