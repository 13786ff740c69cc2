//! Custom rules, in TOML: a regular expression anchored by a literal, with its tests.

use doorward_core::Severity;
use regex_automata::meta::Regex;
use regex_automata::util::syntax;
use serde::Deserialize;

/// Why a rule is refused.
#[derive(Debug, thiserror::Error)]
pub enum CustomRuleError {
    /// The file isn't TOML of the expected form.
    #[error("secrets.rules_syntax: {0}")]
    Syntax(String),
    /// The expression doesn't compile.
    #[error("secrets.rule_regex: rule {rule}: the expression can't be compiled")]
    Regex {
        /// Name of the rule.
        rule: String,
    },
    /// There is no literal to anchor it.
    #[error(
        "secrets.rule_unanchored: rule {rule} needs `literal`, at least four bytes that every match holds"
    )]
    Unanchored {
        /// Name of the rule.
        rule: String,
    },
    /// One of its own tests fails.
    #[error("secrets.rule_test: rule {rule}: its test number {index} of `{list}` fails")]
    Test {
        /// Name of the rule.
        rule: String,
        /// `find` or `ignore`.
        list: &'static str,
        /// Starting from 1.
        index: usize,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    rule: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    literal: String,
    regex: String,
    #[serde(default)]
    severity: Word,
    #[serde(default)]
    description: String,
    #[serde(default)]
    find: Vec<String>,
    #[serde(default)]
    ignore: Vec<String>,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Word {
    Critical,
    #[default]
    High,
    Medium,
}

/// A custom rule.
#[derive(Debug, Clone)]
pub struct CustomRule {
    name: String,
    literal: Vec<u8>,
    regex: Regex,
    severity: Severity,
    description: String,
}

/// Bytes around the literal within which a match must lie.
const WINDOW: usize = 1024;

impl CustomRule {
    /// Parses a file of rules and runs their tests.
    ///
    /// ```
    /// let rules = doorward_secrets::CustomRule::parse(r#"
    /// [[rule]]
    /// name = "acme-key"
    /// literal = "acme_"
    /// regex = 'acme_[0-9a-f]{16}'
    /// find = ["x = acme_0123456789abcdef"]
    /// ignore = ["acme_corp"]
    /// "#)?;
    /// assert_eq!(rules.len(), 1);
    /// # Ok::<(), doorward_secrets::CustomRuleError>(())
    /// ```
    ///
    /// # Errors
    /// [`CustomRuleError`]: a rule that can't work as written is refused and not skipped.
    pub fn parse(text: &str) -> Result<Vec<Self>, CustomRuleError> {
        let file: File =
            toml::from_str(text).map_err(|error| CustomRuleError::Syntax(error.message().to_owned()))?;
        file.rule.into_iter().map(Self::from_row).collect()
    }

    fn from_row(row: Row) -> Result<Self, CustomRuleError> {
        if row.literal.len() < 4 {
            return Err(CustomRuleError::Unanchored { rule: row.name });
        }
        let regex = Regex::builder()
            .configure(Regex::config().nfa_size_limit(Some(1 << 20)).hybrid_cache_capacity(1 << 20))
            .syntax(syntax::Config::new().unicode(false).utf8(false))
            .build(&row.regex)
            .map_err(|_| CustomRuleError::Regex { rule: row.name.clone() })?;
        let severity = match row.severity {
            Word::Critical => Severity::Critical,
            Word::High => Severity::High,
            Word::Medium => Severity::Medium,
        };
        let rule = Self {
            name: row.name,
            literal: row.literal.into_bytes(),
            regex,
            severity,
            description: row.description,
        };
        for (list, texts, expected) in [("find", row.find, true), ("ignore", row.ignore, false)] {
            for (index, text) in texts.iter().enumerate() {
                let found = memchr::memmem::find_iter(text.as_bytes(), &rule.literal)
                    .any(|pos| rule.find_around(text.as_bytes(), pos).is_some());
                if found != expected {
                    return Err(CustomRuleError::Test { rule: rule.name, list, index: index + 1 });
                }
            }
        }
        Ok(rule)
    }

    pub(crate) fn literal(&self) -> &[u8] {
        &self.literal
    }

    pub(crate) fn slug(&self) -> &str {
        &self.name
    }

    pub(crate) fn severity(&self) -> Severity {
        self.severity
    }

    pub(crate) fn description(&self) -> &str {
        &self.description
    }

    /// The match that contains the literal at `pos`, on its line.
    pub(crate) fn find_around(&self, text: &[u8], pos: usize) -> Option<(usize, usize)> {
        if !text.get(pos..)?.starts_with(&self.literal) {
            return None;
        }
        let from = text
            .get(..pos)?
            .iter()
            .rev()
            .take(WINDOW)
            .position(|byte| *byte == b'\n')
            .map_or(pos.saturating_sub(WINDOW), |back| pos - back);
        let to = memchr::memchr(b'\n', text.get(pos..(pos + WINDOW).min(text.len()))?)
            .map_or((pos + WINDOW).min(text.len()), |line| pos + line);
        let window = text.get(from..to)?;
        self.regex
            .find_iter(window)
            .map(|found| (from + found.start(), from + found.end()))
            .find(|(start, end)| *start <= pos && pos < *end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_that_fails_its_own_test_is_refused() {
        let rule = |extra: &str| {
            format!("[[rule]]\nname = \"x\"\nliteral = \"acme_\"\nregex = 'acme_\\d{{4}}'\n{extra}")
        };
        assert!(CustomRule::parse(&rule("find = [\"acme_1234\"]")).is_ok());
        assert!(matches!(
            CustomRule::parse(&rule("find = [\"acme_12\"]")),
            Err(CustomRuleError::Test { list: "find", .. })
        ));
        assert!(matches!(
            CustomRule::parse(&rule("ignore = [\"acme_1234\"]")),
            Err(CustomRuleError::Test { list: "ignore", .. })
        ));
        assert!(matches!(
            CustomRule::parse("[[rule]]\nname='x'\nliteral='a'\nregex='a'"),
            Err(CustomRuleError::Unanchored { .. })
        ));
        assert!(matches!(
            CustomRule::parse("[[rule]]\nname='x'\nliteral='acme'\nregex='acme('"),
            Err(CustomRuleError::Regex { .. })
        ));
        assert!(CustomRule::parse("[[rules]]\n").is_err());
    }
}
