//! The permission mode that a way in claims for a call, read in one place: the five modes and `auto`, in which a model
//! of the client's decides what the client would ask about. `auto` has the cells of `default`.

use doorward_core::call::ToolCall;
use doorward_core::json::Value;
use doorward_hooks::clients::ClientMode;
use doorward_settings::Settings;

/// Reads the word for a mode.
///
/// # Errors
/// The words there are.
pub fn claimed(word: &str) -> Result<ClientMode, String> {
    match ClientMode::from_word(word) {
        ClientMode::Unknown => Err(format!("one of {}", words())),
        mode => Ok(mode),
    }
}

fn words() -> String {
    let known = ClientMode::ALL.into_iter().filter(|mode| *mode != ClientMode::Unknown);
    known.map(ClientMode::as_str).collect::<Vec<_>>().join(", ")
}

/// Puts a call under the mode that is in force where this one is claimed. Where they differ, because of `auto` or of
/// `modes.max`, the record and the guardian are told which one was claimed.
pub(crate) fn take(settings: &Settings, call: &mut ToolCall, claimed: Option<ClientMode>) {
    let wanted = claimed.map_or(settings.modes.default, ClientMode::permission);
    call.mode = doorward_policy::mode::effective(wanted, &settings.modes);
    if let Some(claimed) = claimed.filter(|claimed| claimed.as_str() != call.mode.as_str()) {
        call.context.insert("client_mode".to_owned(), Value::from(claimed.as_str()));
    }
}
