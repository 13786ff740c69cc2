//! The posture, measured: how far Doorward is out of the agent's reach on this machine. The setting only requires one.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use doorward_core::record::Posture;
use doorward_settings::Posture as Required;

use crate::layers::Places;
use crate::served;

/// Managed settings of clients: files that only root writes, which the clients read before the user's own.
const MANAGED: &[&str] = &[
    "/etc/claude-code/managed-settings.json",
    "/etc/codex/requirements.toml",
    "/etc/cursor/hooks.json",
    "/etc/gemini-cli/settings.json",
    "/etc/windsurf/hooks.json",
];

/// What was measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measured {
    /// The posture that holds for everybody who isn't enclosed.
    pub posture: Posture,
    /// What keeps it from being more, each a sentence.
    pub reasons: Vec<String>,
}

/// Measures it: own uid against the served one, owner and mode of state, socket and settings, and whether a client's
/// hooks lie in settings that the served user can't write.
#[must_use]
pub fn measure(state: Option<&Path>, socket: Option<&Path>, places: &Places) -> Measured {
    let agent = served::uid();
    if !served::is_another() {
        let reasons = vec![
            "the service runs as the agent's own user, who may stop it, read its key and edit its settings"
                .to_owned(),
        ];
        return Measured { posture: Posture::Personal, reasons };
    }
    let folder = socket.and_then(Path::parent);
    let reached =
        state.into_iter().chain(folder).chain(places.user.as_deref()).chain(places.admin.as_deref());
    let mut reasons: Vec<String> = reached
        .filter(|place| may_write(agent, place))
        .map(|place| format!("the agent's user may write {}", place.display()))
        .collect();
    let managed = |file: &&str| {
        let file = Path::new(*file);
        let text = doorward_paths::bounded::read_text(file).unwrap_or_default();
        text.contains("doorward") && !may_write(agent, file)
    };
    if !MANAGED.iter().any(managed) {
        reasons.push(format!(
            "no client's hooks are in managed settings ({}), so the agent's user may take them out",
            MANAGED.join(", ")
        ));
    }
    let posture = if reasons.is_empty() { Posture::Separate } else { Posture::Personal };
    Measured { posture, reasons }
}

/// Whether a user may write a file, or put another in its place through one of the folders above. What can't be looked
/// at counts as writable.
fn may_write(uid: u32, place: &Path) -> bool {
    place.ancestors().any(|part| match std::fs::symlink_metadata(part) {
        // A sticky folder such as /tmp lets others make names but not replace ours.
        Ok(meta) => {
            let open = meta.mode() & 0o022 != 0 && meta.mode() & 0o1000 == 0;
            (meta.uid() == uid && uid != 0) || open
        }
        Err(error) => error.kind() != std::io::ErrorKind::NotFound,
    })
}

impl Measured {
    /// Whether it is at least what the settings require. `enclosed` is reached by each session on its own.
    #[must_use]
    pub const fn reaches(&self, required: Required) -> bool {
        match required {
            Required::Personal | Required::Enclosed => true,
            Required::Separate => matches!(self.posture, Posture::Separate),
        }
    }

    /// Why it isn't reached, and what to do.
    #[must_use]
    pub fn shortfall(&self, required: Required) -> String {
        let required = match required {
            Required::Personal => "personal",
            Required::Separate => "separate",
            Required::Enclosed => "enclosed",
        };
        format!(
            "posture.not_reached: service.posture requires {required}, but {}; see docs/separate.md, or require less",
            self.reasons.join("; ")
        )
    }
}
