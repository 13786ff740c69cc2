//! Settings that a person changes from a page: the analyzer, the mode, when to confirm.
//!
//! They are written into the user's own `doorward.toml`, where every other setting is; its comments and order stay. The
//! file is written whole or not at all, and only if everything still loads and says what was chosen: where an
//! administrator's file fixes it, the choice is refused.

use std::path::Path;

use doorward_core::mode::PermissionMode;
use doorward_core::risk::SecurityRisk;
use doorward_settings::{Layer, LayerKind, Settings};
use jiff::Timestamp;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, Value};

use crate::Door;
use crate::project::Project;
use crate::saved_rules::write_whole;

/// A setting as it shall be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// The analyzer beside the effects, by its name in `analyzers.list`; `effects` for none beside.
    Analyzer(String),
    /// `modes.default`.
    Mode(PermissionMode),
    /// `confirm.policy`.
    Confirm(Confirm),
    /// `modes.observe_until`: until when only floors stop a call; `None` ends it.
    Pause(Option<Timestamp>),
    /// The guardian's model: `guardian.model`, `.base_url` and `.api_key_env` together.
    Guardian(GuardianModel),
}

/// The model that judges beside the rules. What is `None` is taken out of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GuardianModel {
    /// `provider/model`; without one the built-in score answers.
    pub model: Option<String>,
    /// Where its API is.
    pub base_url: Option<String>,
    /// Name of the environment variable that holds its key.
    pub api_key_env: Option<String>,
}

/// When to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirm {
    /// About everything.
    Always,
    /// About nothing of its own.
    Never,
    /// From a risk on.
    Risky {
        /// The least that is asked about.
        threshold: SecurityRisk,
        /// Also where the risk isn't known.
        unknown: bool,
    },
}

/// Why a choice can't be kept. Nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum ChooseError {
    /// Not one of those there are, or one that the administrator fixed.
    #[error("{message}")]
    Refused {
        /// `settings.unknown`, `settings.fixed`, `settings.invalid`.
        code: &'static str,
        /// In words.
        message: String,
    },
    /// The file can't be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which.
        path: String,
        /// Why.
        source: std::io::Error,
    },
}

impl ChooseError {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Refused { code, .. } => code,
            Self::File { .. } => "settings.file",
        }
    }

    fn refused(code: &'static str, message: impl Into<String>) -> Self {
        Self::Refused { code, message: message.into() }
    }
}

/// Names of analyzers that can be chosen.
pub const ANALYZERS: [&str; 6] = ["effects", "llm", "toolshield", "pattern", "rail", "noop"];

impl Choice {
    /// In words, for the record.
    #[must_use]
    pub fn told(&self) -> String {
        let told = |(section, key, value): (&str, &str, Option<Value>)| match value {
            Some(value) => format!("{section}.{key} = {}", value.to_string().trim()),
            None => format!("{section}.{key} unset"),
        };
        self.entries().into_iter().map(told).collect::<Vec<_>>().join(", ")
    }

    /// The keys it sets, with their values; `None` takes a key out.
    fn entries(&self) -> Vec<(&'static str, &'static str, Option<Value>)> {
        let (section, key, value) = match self {
            Self::Guardian(model) => {
                let keys = [
                    ("model", &model.model),
                    ("base_url", &model.base_url),
                    ("api_key_env", &model.api_key_env),
                ];
                let text = |text: &Option<String>| text.as_deref().map(Value::from);
                return keys.into_iter().map(|(key, value)| ("guardian", key, text(value))).collect();
            }
            Self::Analyzer(name) => {
                let list: Array = Some(name.as_str()).filter(|name| *name != "effects").into_iter().collect();
                ("analyzers", "list", Value::Array(list))
            }
            Self::Mode(mode) => ("modes", "default", Value::from(word(mode))),
            Self::Pause(until) => {
                let until = until.map(|until| Value::from(format!("{until:.0}")));
                return vec![("modes", "observe_until", until)];
            }
            Self::Confirm(confirm) => {
                let mut policy = InlineTable::new();
                match confirm {
                    Confirm::Always => drop(policy.insert("kind", "AlwaysConfirm".into())),
                    Confirm::Never => drop(policy.insert("kind", "NeverConfirm".into())),
                    Confirm::Risky { threshold, unknown } => {
                        policy.insert("kind", "ConfirmRisky".into());
                        policy.insert("threshold", word(threshold).into());
                        policy.insert("confirm_unknown", (*unknown).into());
                    }
                }
                ("confirm", "policy", Value::InlineTable(policy))
            }
        };
        vec![(section, key, Some(value))]
    }

    /// Whether settings say so.
    fn is_in(&self, settings: &Settings) -> bool {
        let given = serde_json::to_value(settings).unwrap_or_default();
        self.entries().into_iter().all(|(section, key, wanted)| {
            let wanted = wanted.as_ref().map_or(serde_json::Value::Null, plain);
            given.get(section).and_then(|section| section.get(key)).unwrap_or(&serde_json::Value::Null)
                == &wanted
        })
    }
}

/// A value's word in the settings.
fn word<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

fn plain(value: &Value) -> serde_json::Value {
    match value {
        Value::String(text) => text.value().as_str().into(),
        Value::Boolean(value) => (*value.value()).into(),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::InlineTable(table) => table
            .iter()
            .map(|(key, value)| (key.to_owned(), plain(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        _ => serde_json::Value::Null,
    }
}

impl Door {
    /// Keeps a choice in the user's own settings. Blocking.
    ///
    /// # Errors
    /// [`ChooseError`].
    pub fn choose(&self, choice: &Choice) -> Result<(), ChooseError> {
        if let Choice::Analyzer(name) = choice
            && !ANALYZERS.contains(&name.as_str())
        {
            let known = ANALYZERS.join(", ");
            return Err(ChooseError::refused("settings.unknown", format!("`{name}` is none of {known}")));
        }
        let Some(path) = self.installation().places().user.clone() else {
            return Err(ChooseError::refused("settings.fixed", "this service has no settings of a user"));
        };
        let _alone = self.projects().rewriting();
        let file = |source| ChooseError::File { path: path.display().to_string(), source };
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(source) => return Err(file(source)),
        };
        let text = with(&text, choice)?;
        self.loads_with(&path, &text, choice)?;
        // A file that is kept elsewhere and linked stays linked.
        let target = std::fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        write_whole(&target, &text).map_err(file)?;
        // In force at once, and in the record.
        self.projects().look_again();
        let _ = self.project(None);
        Ok(())
    }

    fn loads_with(&self, path: &Path, text: &str, choice: &Choice) -> Result<(), ChooseError> {
        let invalid = |message: String| ChooseError::refused("settings.invalid", message);
        let name = path.display().to_string();
        let mut layers =
            self.installation().places().read(None).map_err(|error| invalid(error.to_string()))?;
        layers.retain(|layer| layer.name != name);
        layers.insert(0, Layer::new(LayerKind::User, name, text));
        let loaded = Settings::load(&layers).map_err(|error| invalid(error.to_string()))?;
        if !choice.is_in(&loaded.settings) {
            let why = "another file fixes this setting: `doorward config` shows which";
            return Err(ChooseError::refused("settings.fixed", why));
        }
        Project::loads(&loaded.settings).map_err(invalid)
    }
}

/// A file's text with a choice in it.
fn with(text: &str, choice: &Choice) -> Result<String, ChooseError> {
    let invalid = |message: String| ChooseError::refused("settings.invalid", message);
    let mut document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| invalid(error.to_string()))?;
    for (section, key, value) in choice.entries() {
        let entry = document.entry(section).or_insert_with(|| Item::Table(Table::new()));
        let Some(table) = entry.as_table_like_mut() else {
            return Err(invalid(format!("`{section}` is no table")));
        };
        match value {
            Some(value) => drop(table.insert(key, Item::Value(value))),
            None => drop(table.remove(key)),
        }
    }
    Ok(document.to_string())
}

/// Writes one text value into a settings file, whose comments and order stay. The folder is made if it isn't there.
///
/// # Errors
/// The file is no TOML, holds something else in the section's place, or can't be written. Nothing changed then.
pub fn write_text(file: &Path, section: &str, key: &str, value: &str) -> Result<(), ChooseError> {
    let failed = |error: std::io::Error| {
        ChooseError::refused("settings.unwritable", format!("{}: {error}", file.display()))
    };
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(failed(error)),
    };
    let invalid =
        |why: String| ChooseError::refused("settings.invalid", format!("{}: {why}", file.display()));
    let mut document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| invalid(error.to_string()))?;
    let entry = document.entry(section).or_insert_with(|| Item::Table(Table::new()));
    let table = entry.as_table_like_mut().ok_or_else(|| invalid(format!("`{section}` is no table")))?;
    table.insert(key, Item::Value(value.into()));
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let target = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    write_whole(&target, &document.to_string()).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_written_with_its_place_and_what_it_lacks_is_taken_out() {
        let text = "[guardian]\nmodel = \"anthropic/m\" # ours\napi_key_env = \"KEY\"\nprompt_at = 70\n";
        let model = |model: &str| GuardianModel { model: Some(model.to_owned()), ..GuardianModel::default() };
        let there =
            GuardianModel { base_url: Some("http://127.0.0.1:1".to_owned()), ..model("openai-compatible/x") };
        let written = with(text, &Choice::Guardian(there)).unwrap();
        let expected =
            ["model = \"openai-compatible/x\"", "base_url = \"http://127.0.0.1:1\"", "prompt_at = 70"];
        assert!(expected.iter().all(|line| written.contains(line)), "{written}");
        assert!(!written.contains("api_key_env"), "a key of another provider doesn't stay: {written}");
        let gone = with(&written, &Choice::Guardian(GuardianModel::default())).unwrap();
        assert_eq!(gone, "[guardian]\nprompt_at = 70\n");
        assert!(Choice::Guardian(GuardianModel::default()).told().contains("guardian.model unset"));
    }

    #[test]
    fn a_choice_is_written_where_it_belongs_and_the_rest_stays() {
        let text = "# mine\n[modes]\ndefault = \"plan\" # for now\n\n[rules]\nallow = [\"shell(ls)\"]\n";
        let mode = with(text, &Choice::Mode(PermissionMode::AcceptEdits)).unwrap();
        assert!(mode.contains("default = \"acceptEdits\"") && mode.starts_with("# mine\n"), "{mode}");
        let both = with(&mode, &Choice::Analyzer("toolshield".to_owned())).unwrap();
        assert!(
            both.contains("[analyzers]\nlist = [\"toolshield\"]") && both.contains("shell(ls)"),
            "{both}"
        );
        let risky = Choice::Confirm(Confirm::Risky { threshold: SecurityRisk::Medium, unknown: false });
        let all = with(&both, &risky).unwrap();
        let settings =
            Settings::load(&[Layer::new(LayerKind::User, "doorward.toml", all.clone())]).unwrap().settings;
        for choice in
            [Choice::Mode(PermissionMode::AcceptEdits), Choice::Analyzer("toolshield".to_owned()), risky]
        {
            assert!(choice.is_in(&settings), "{choice:?} in {all}");
        }
        let none = with(&all, &Choice::Analyzer("effects".to_owned())).unwrap();
        assert!(none.contains("list = []"), "{none}");
        assert!(with("modes = 1\n", &Choice::Mode(PermissionMode::Plan)).is_err());
    }
}
