//! OpenHands' terminal: the calls to it, and how a command in it ended.
//!
//! The terminal keeps one shell, so a `cd` persists. After a command OpenHands reads the folder from the prompt. If
//! it found no prompt (a full-screen program, much output, the end of a here-document), it repeats the last known
//! folder, and its report lacks user and host. From openhands-tools 1.58.0, `terminal_session.py`.

use doorward_core::json::{Object, Value};

/// One call to the terminal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TerminalCall {
    /// The command, or text to type.
    pub text: String,
    /// Whether the text is typed into the running program instead of being a command.
    pub typed: bool,
    /// Whether the shell is restarted first.
    pub reset: bool,
}

impl TerminalCall {
    /// From the call's arguments.
    #[must_use]
    pub fn of(args: &Object) -> Self {
        let flag = |name: &str| args.get(name).and_then(Value::as_bool) == Some(true);
        let text = args.get("command").and_then(Value::as_str).unwrap_or_default();
        Self { text: text.trim().to_owned(), typed: flag("is_input"), reset: flag("reset") }
    }
}

/// How a call to the terminal ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TerminalEnd {
    /// The folder from a prompt, if one was found.
    pub prompt: Option<String>,
    /// Whether the tool reported an error: the command may not have run, or the shell may be new.
    pub failed: bool,
    /// Whether the shell was restarted.
    pub reset: bool,
}

impl TerminalEnd {
    /// From the observation of a terminal call.
    #[must_use]
    pub fn of(observation: &Value) -> Self {
        let told =
            |name: &str| observation.get("metadata")?.get(name)?.as_str().filter(|text| !text.is_empty());
        let read = told("hostname").is_some() && told("username").is_some();
        let command = observation.get("command").and_then(Value::as_str).unwrap_or_default();
        let failed = observation.get("is_error").and_then(Value::as_bool) == Some(true);
        Self {
            prompt: told("working_dir").filter(|_| read).map(str::to_owned),
            failed,
            reset: !failed && command.starts_with("[RESET]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_remembered_folder_is_not_a_prompt_that_was_read() {
        let of = |json: serde_json::Value| TerminalEnd::of(&serde_json::from_value(json).unwrap());
        let prompt = |metadata| of(json!({"command": "ls", "metadata": metadata})).prompt;
        let read = json!({"working_dir": "/w", "hostname": "h", "username": "u", "exit_code": 0});
        assert_eq!(prompt(read).as_deref(), Some("/w"));
        assert_eq!(
            prompt(json!({"working_dir": "/w", "hostname": null, "username": null, "exit_code": 0})),
            None
        );
        assert_eq!(prompt(json!({"working_dir": "/w", "exit_code": -1})), None);
        assert_eq!(of(json!("text")), TerminalEnd::default());
    }
}
