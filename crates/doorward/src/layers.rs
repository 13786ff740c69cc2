//! Where the layers of `doorward.toml` are: built-in < user < project < admin.

use std::path::{Path, PathBuf};

use doorward_paths::bounded;
use doorward_settings::{Layer, LayerKind, Loaded, Settings, SettingsError};

/// Name of the file in every place.
pub const FILE: &str = "doorward.toml";
/// Name of the file beside the user's own that holds what "always" saved. Only Doorward writes it.
pub const SAVED: &str = "rules.toml";

/// The places a service reads.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// The user's own file.
    pub user: Option<PathBuf>,
    /// The administrator's file.
    pub admin: Option<PathBuf>,
}

impl Places {
    /// The usual places of a user: `~/.config/doorward/doorward.toml` and `/etc/doorward/doorward.toml`.
    #[must_use]
    pub fn usual(home: Option<&Path>) -> Self {
        Self {
            user: home.map(|home| home.join(".config/doorward").join(FILE)),
            admin: Some(Path::new("/etc/doorward").join(FILE)),
        }
    }

    /// The state directory of the service whose user's file this is.
    #[must_use]
    pub fn state(&self) -> Option<PathBuf> {
        let user = self.user.as_ref()?;
        if Self::usual(crate::home().as_deref()).user.as_ref() == Some(user) {
            return Some(doorward_hooks::thin::default_state());
        }
        user.parent().map(Path::to_owned)
    }

    /// Where "always" saves its rules.
    #[must_use]
    pub fn saved(&self) -> Option<PathBuf> {
        Some(self.user.as_ref()?.parent()?.join(SAVED))
    }

    /// Reads every layer there is. A file that is there and can't be read is an error, not an empty layer.
    ///
    /// # Errors
    /// [`LayerError`].
    pub fn read(&self, project: Option<&Path>) -> Result<Vec<Layer>, LayerError> {
        let mut layers = Vec::new();
        for (kind, root, file) in self.listed(project) {
            // A project may plant anything at these names; a user may keep their own behind a link.
            let read = match root {
                Some(root) => bounded::read_text_below(root, &file),
                None => bounded::read_text(&file),
            };
            let file = root.map_or_else(|| file.clone(), |root| root.join(&file));
            match read {
                Ok(text) => layers.push(Layer::new(kind, file.display().to_string(), text)),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                // `…/doorward.toml` below something that is no folder isn't there either.
                Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {}
                // While a sandboxed run lasts an empty directory stands where there is no such file.
                Err(error) if error.kind() == std::io::ErrorKind::IsADirectory && is_empty(&file) => {}
                Err(source) => return Err(LayerError::Unreadable { file, source }),
            }
        }
        Ok(layers)
    }

    /// The files of a project's layers, whether they are there or not.
    #[must_use]
    pub fn files(&self, project: Option<&Path>) -> Vec<PathBuf> {
        let listed = self.listed(project).into_iter();
        listed.map(|(_, root, file)| root.map_or_else(|| file.clone(), |root| root.join(&file))).collect()
    }

    /// The layers in order, the later ones stricter; the file of a project below its root.
    fn listed<'a>(&self, project: Option<&'a Path>) -> Vec<(LayerKind, Option<&'a Path>, PathBuf)> {
        let own = |kind, file: Option<PathBuf>| file.map(|file| (kind, None, file));
        let below = |name: &str| project.map(|root| (LayerKind::Project, Some(root), PathBuf::from(name)));
        let files = [
            own(LayerKind::User, self.user.clone()),
            own(LayerKind::User, self.saved()),
            below(IN_PROJECT[0]),
            below(IN_PROJECT[1]),
            own(LayerKind::Admin, self.admin.clone()),
        ];
        files.into_iter().flatten().collect()
    }

    /// Reads and merges.
    ///
    /// # Errors
    /// [`LayerError`].
    pub fn load(&self, project: Option<&Path>) -> Result<Loaded, LayerError> {
        Settings::load(&self.read(project)?).map_err(|error| LayerError::Settings(Box::new(error)))
    }
}

/// Names of a project's file, below its root.
const IN_PROJECT: [&str; 2] = [FILE, ".doorward/doorward.toml"];

/// Whether a project has settings of its own.
pub(crate) fn has_settings(root: &Path) -> bool {
    IN_PROJECT.iter().any(|name| root.join(name).symlink_metadata().is_ok())
}

fn is_empty(directory: &Path) -> bool {
    directory.read_dir().is_ok_and(|mut entries| entries.next().is_none())
}

/// Why the settings can't be had.
#[derive(Debug, thiserror::Error)]
pub enum LayerError {
    /// A file is there and can't be read.
    #[error("settings.unreadable: {file}: {source}")]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A layer was refused.
    #[error("{0}")]
    Settings(Box<SettingsError>),
}

impl LayerError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> String {
        match self {
            Self::Unreadable { .. } => "settings.unreadable".to_owned(),
            Self::Settings(error) => error.code_word().to_owned(),
        }
    }
}
