//! The permission mode that a way in claims for a call, under the settings. `auto`, in which a model of the client's
//! decides what the client would ask about, has the cells of `default`.

use doorward_core::call::ToolCall;
use doorward_core::json::Value;
use doorward_hooks::clients::ClientMode;
use doorward_settings::Settings;

/// Puts a call under the mode that is in force where this one is claimed. Where they differ, because of `auto` or of
/// `modes.max`, the record and the guardian are told which one was claimed.
pub(crate) fn take(settings: &Settings, call: &mut ToolCall, claimed: Option<ClientMode>) {
    let wanted = claimed.map_or(settings.modes.default, ClientMode::permission);
    call.mode = doorward_policy::mode::effective(wanted, &settings.modes);
    if let Some(claimed) = claimed.filter(|claimed| claimed.as_str() != call.mode.as_str()) {
        call.context.insert("client_mode".to_owned(), Value::from(claimed.as_str()));
    }
}
