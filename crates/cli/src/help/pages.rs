//! Pages of `docs/` that `doorward help TOPIC` prints, and the words that lead to each.
//!
//! Every example in them is run by `crates/cli/tests/it/pages.rs`.

/// A page that is a topic.
pub(super) struct Page {
    /// The topic's name.
    pub(super) topic: &'static str,
    /// What a person finds there.
    pub(super) about: &'static str,
    /// The page, Markdown.
    pub(super) text: &'static str,
    /// Other words for what is on it, as the documents spell them that people come from. Letter case, blanks and
    /// punctuation don't matter.
    words: &'static [&'static str],
}

pub(super) const PAGES: &[Page] = &[
    Page {
        topic: "analyzers",
        about: "Risk levels, security analyzers, ToolShield, MCP hints",
        text: include_str!("../../../../docs/analyzers.md"),
        words: &[
            "auto_detect_safety_experiences",
            "default_safety_experiences",
            "guardrail",
            "history_window",
            "LLMSecurityAnalyzer",
            "load_safety_experiences",
            "MCP hints",
            "NoOpSecurityAnalyzer",
            "risk levels",
            "safety experiences",
            "security analyzers",
            "security_risk",
            "SecurityAnalyzerBase",
            "ToolShield",
            "ToolShieldLLMSecurityAnalyzer",
            "UNKNOWN",
        ],
    },
    Page {
        topic: "arguments",
        about: "Permitted roots, path traversal, command injection, types of arguments",
        text: include_str!("../../../../docs/arguments.md"),
        words: &[
            "argument sanitization",
            "command injection",
            "normalization",
            "path scoping",
            "path traversal",
            "permitted roots",
            "type validation",
        ],
    },
    Page {
        topic: "events",
        about: "onToolCallRequest, confirmations, the HTTP API, webhooks",
        text: include_str!("../../../../docs/events.md"),
        words: &[
            "confirmationId",
            "I confirm",
            "onToolCallRequest",
            "second level of confirmation",
            "security_warning",
            "toolName",
            "webhook",
        ],
    },
    Page {
        topic: "guardian",
        about: "The reviewer that scores calls from 0 to 100",
        text: include_str!("../../../../docs/guardian.md"),
        words: &[
            "fail-closed",
            "GuardianContext",
            "GuardianEvaluation",
            "prompt_user",
            "recentFiles",
            "riskScore",
            "yoloMode",
        ],
    },
    Page {
        topic: "modes",
        about: "Permission modes and confirmation policies",
        text: include_str!("../../../../docs/modes.md"),
        words: &[
            "acceptEdits",
            "AlwaysConfirm",
            "bypassPermissions",
            "confirm_unknown",
            "confirmation mode",
            "confirmation policy",
            "ConfirmRisky",
            "ConfirmRisky threshold",
            "disableBypass",
            "dontAsk",
            "EDIT_TOOLS",
            "NeverConfirm",
            "permission modes",
            "permission tiers",
            "plan",
            "READ_ONLY_TOOLS",
            "threshold",
        ],
    },
    Page {
        topic: "network",
        about: "The SSRF guard and the egress proxy",
        text: include_str!("../../../../docs/network.md"),
        words: &[
            "allowedHosts",
            "egress",
            "extraBlockedHosts",
            "NAT64",
            "network guard",
            "resolveDns",
            "SSRF",
            "SSRF Guard",
            "SSRF protection",
        ],
    },
    Page {
        topic: "policy-engine",
        about: "Requests and decisions of a policy engine, one elsewhere, obligations",
        text: include_str!("../../../../docs/policy-engine.md"),
        words: &[
            "ip_address",
            "obligations",
            "Policy & Guardrails Engine",
            "principal",
            "REQUIRE_USER_CONFIRMATION",
        ],
    },
    Page {
        topic: "record",
        about: "The record of every decision: what it holds, how it is read and verified",
        text: include_str!("../../../../docs/record.md"),
        words: &["audit log", "audit logging", "audit trail", "final outcome", "timestamp", "user decision"],
    },
    Page {
        topic: "rules",
        about: "How rules are written, lists of commands, policies in Cedar",
        text: include_str!("../../../../docs/rules.md"),
        words: &["blacklist", "Cedar", "command whitelist", "fine-grained policy rules", "whitelist"],
    },
    Page {
        topic: "sandbox",
        about: "What bounds a run: files, network, time, memory",
        text: include_str!("../../../../docs/sandbox.md"),
        words: &[
            "execution time",
            "mandatory sandboxing",
            "memory usage",
            "network access restrictions",
            "python_interpreter",
            "resource limits",
            "shell_interpreter",
        ],
    },
    Page {
        topic: "secrets",
        about: "How secrets are found, masked and kept from leaving",
        text: include_str!("../../../../docs/secrets.md"),
        words: &["canaries", "hardcoded secrets", "SecretFinding", "secrets detection", "Secrets Detector"],
    },
];

/// Letters and digits alone, in lower case.
fn folded(words: &str) -> String {
    words.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// The page of a topic or of a word for it.
pub(super) fn page(words: &str) -> Option<&'static Page> {
    let wanted = folded(words);
    let is_it = |name: &&str| folded(name) == wanted;
    let by_name = PAGES.iter().find(|page| is_it(&page.topic));
    by_name.or_else(|| PAGES.iter().find(|page| page.words.iter().any(is_it)))
}

/// Topics and words that there are, for "did you mean".
pub(super) fn known() -> impl Iterator<Item = &'static str> {
    PAGES.iter().flat_map(|page| std::iter::once(page.topic).chain(page.words.iter().copied()))
}

/// Topics of the pages whose text has these words.
pub(super) fn naming(words: &str) -> Vec<&'static str> {
    let wanted = words.to_ascii_lowercase();
    let names = |page: &&Page| page.text.to_ascii_lowercase().contains(&wanted);
    PAGES.iter().filter(names).map(|page| page.topic).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use doorward::rooms::settings::Settings;
    use serde_json::Value;

    use super::*;

    #[test]
    fn each_word_leads_to_one_page_that_has_it() {
        let mut seen = BTreeSet::new();
        for own in PAGES {
            for word in own.words {
                assert!(seen.insert(folded(word)), "{word} stands twice");
                assert_eq!(page(word).unwrap().topic, own.topic, "{word}");
                let text = own.text.to_lowercase();
                assert!(text.contains(&word.to_lowercase()), "docs/{}.md doesn't say {word}", own.topic);
            }
        }
        assert!(seen.len() >= 40, "{} words", seen.len());
        assert_eq!(page("Permission-Modes").unwrap().topic, "modes");
        assert!(page("").is_none() && page("frobnicate").is_none());
    }

    #[test]
    fn pages_are_short_and_begin_with_what_they_are_about() {
        for page in PAGES {
            let lines = page.text.lines().count();
            assert!(lines <= 150, "docs/{}.md has {lines} lines", page.topic);
            let opening: String = page.text.lines().take(7).collect::<Vec<_>>().join(" ").to_lowercase();
            let said = page.words.iter().filter(|word| opening.contains(&word.to_lowercase())).count();
            assert!(said >= 2, "docs/{}.md opens without the words that people search for", page.topic);
            assert!(page.text.contains("```console\n$ "), "docs/{}.md has no example", page.topic);
        }
    }

    /// Rows of the tables of keys: key, shape, default, meaning.
    fn keys() -> BTreeMap<&'static str, Vec<&'static str>> {
        let rows = PAGES.iter().flat_map(|page| page.text.lines()).filter_map(|line| {
            let (key, rest) = line.strip_prefix("| `")?.split_once("` | ")?;
            let cells: Vec<&str> = rest.strip_suffix(" |")?.split(" | ").collect();
            (key.contains('.') && cells.len() == 3).then_some((key, cells))
        });
        let mut found = BTreeMap::new();
        for (key, cells) in rows {
            assert!(found.insert(key, cells).is_none(), "{key} is on two pages");
        }
        found
    }

    #[test]
    fn every_key_of_the_settings_is_on_a_page_with_its_default() {
        let schema = Settings::schema().json_schema();
        let mut rows = keys();
        for (section, about) in schema["properties"].as_object().unwrap() {
            let Some(members) = about.get("properties").and_then(Value::as_object) else {
                // A table with names of the user's own.
                assert!(rows.remove(format!("{section}.*").as_str()).is_some(), "{section}.* is on no page");
                continue;
            };
            for (key, what) in members {
                let whole = format!("{section}.{key}");
                let cells = rows.remove(whole.as_str()).unwrap_or_else(|| panic!("{whole} is on no page"));
                let default = what.get("default").filter(|value| !value.is_null());
                let told = cells[1].trim_matches('`');
                match default {
                    None => assert_eq!(told, "unset", "{whole}"),
                    Some(table) if table.as_object().is_some_and(|members| !members.is_empty()) => {
                        assert_eq!(told, "no limits", "{whole}: {table}");
                    }
                    Some(value) => assert_eq!(told, value.to_string(), "{whole}"),
                }
            }
        }
        assert!(rows.is_empty(), "keys that don't exist: {:?}", rows.keys());
    }

    #[test]
    fn codes_that_pages_name_as_errors_exist() {
        let table = include_str!("../../../../docs/codes.md");
        for page in PAGES {
            for code in page.text.split('`').skip(1).step_by(2).filter(|code| {
                code.starts_with("settings.")
                    || code.starts_with("remote.")
                    || code.starts_with("obligation.")
            }) {
                assert!(table.contains(&format!("| `{code}` |")), "docs/{}.md names {code}", page.topic);
            }
        }
    }
}
