//! The confirmation policies of seed 000, to the letter, through the built binary: an explicit policy answers alone in mode
//! `default` for what no rule settles.

use crate::support::Bench;
use serde_json::Value;

fn decision(config: &str, command: &str, mode: &str) -> String {
    let bench = Bench::new(config);
    std::fs::create_dir(bench.project().join("src")).unwrap();
    std::fs::write(bench.project().join("src/main.c"), "int main() { return 0; }\n").unwrap();
    let state = bench.state().display().to_string();
    let args = serde_json::json!({"command": command}).to_string();
    let words =
        ["check", "--json", "--state", &state, "--tool", "shell:execute", "--args", &args, "--mode", mode];
    let (_, text) = bench.doorward(&words);
    let answer: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    answer["decision"].as_str().unwrap().to_owned()
}

/// One command of each risk.
const LOW: &str = "ls";
const MEDIUM: &str = "touch new";
/// No rule of the shipped pack speaks of a listener on this machine.
const HIGH: &str = "nc -l 4444";
/// Settings under which no risk is known.
const NOOP: &str = "[analyzers]\nprofile = \"openhands-compat\"\nlist = [\"noop\"]\n";

const ALLOW: &str = "ALLOW";
const ASK: &str = "REQUIRE_USER_CONFIRMATION";

fn risky(threshold: &str, unknown: bool) -> String {
    format!(
        "[confirm]\npolicy = {{ kind = \"ConfirmRisky\", threshold = \"{threshold}\", confirm_unknown = {unknown} }}\n"
    )
}

#[test]
fn seed_000_confirmation_policies_answer_alone_in_mode_default() {
    let always = "[confirm]\npolicy = { kind = \"AlwaysConfirm\" }\n".to_owned();
    let never = "[confirm]\npolicy = { kind = \"NeverConfirm\" }\n".to_owned();
    // Policy, then what is answered for LOW, MEDIUM, HIGH, UNKNOWN.
    let rows = [
        (always, [ASK, ASK, ASK, ASK]),
        (never, [ALLOW, ALLOW, ALLOW, ALLOW]),
        (risky("LOW", true), [ASK, ASK, ASK, ASK]),
        (risky("LOW", false), [ASK, ASK, ASK, ALLOW]),
        (risky("MEDIUM", true), [ALLOW, ASK, ASK, ASK]),
        (risky("MEDIUM", false), [ALLOW, ASK, ASK, ALLOW]),
        (risky("HIGH", true), [ALLOW, ALLOW, ASK, ASK]),
        (risky("HIGH", false), [ALLOW, ALLOW, ASK, ALLOW]),
    ];
    for (policy, expected) in rows {
        for mode in ["default", "acceptEdits"] {
            for (command, expected) in [LOW, MEDIUM, HIGH].into_iter().zip(expected) {
                assert_eq!(decision(&policy, command, mode), expected, "{policy} {command} {mode}");
            }
            let unknown = decision(&format!("{NOOP}{policy}"), LOW, mode);
            assert_eq!(unknown, expected[3], "{policy} UNKNOWN {mode}");
        }
    }
}

#[test]
fn no_policy_lifts_a_rule_or_what_a_mode_refuses() {
    let never = "[confirm]\npolicy = { kind = \"NeverConfirm\" }\n";
    assert_eq!(decision(&format!("{never}[rules]\ndeny = [\"shell(ls *)\"]\n"), LOW, "default"), "DENY");
    assert_eq!(decision(&format!("{never}[rules]\nask = [\"shell(ls *)\"]\n"), LOW, "default"), ASK);
    assert_eq!(decision(never, MEDIUM, "plan"), "DENY");
}

/// Upstream's behaviour as a whole: the listed analyzers alone say the risk, and no policy confirms unless one is set.
#[test]
fn openhands_compat_with_noop_alone_confirms_nothing_by_itself() {
    for command in [LOW, MEDIUM, HIGH] {
        assert_eq!(decision(NOOP, command, "default"), ALLOW, "never confirms: {command}");
    }
    // What a rule asks about is asked under every profile.
    assert_eq!(decision(NOOP, "rm -rf src", "default"), ASK);
}
