//! Confirmation policies answer as upstream's, on the cases that were recorded from it (MIT, outside the repository).

use doorward_core::risk::SecurityRisk;
use doorward_policy::confirmation::ConfirmationPolicy;
use serde_json::Value;

#[test]
fn confirmation_policies_answer_as_upstreams() {
    let Some(file) = doorward_needs::data!("openhands/parity.jsonl") else { return };
    let rows = std::fs::read_to_string(file).unwrap();
    let mut checked = 0;
    for line in rows.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let input = &row["input"];
        let word = |key: &str| input[key].as_str().and_then(SecurityRisk::from_word);
        let policy = match row["fn"].as_str().unwrap() {
            "policy.always" => ConfirmationPolicy::AlwaysConfirm,
            "policy.never" => ConfirmationPolicy::NeverConfirm,
            "policy.risky" => {
                let unknown = input["confirm_unknown"].as_bool().unwrap();
                ConfirmationPolicy::risky(word("threshold").unwrap(), unknown).unwrap()
            }
            _ => continue,
        };
        let asks = policy.should_confirm(word("risk").unwrap_or_default());
        assert_eq!(row["expected"]["value"], asks, "{} {input}", row["id"]);
        checked += 1;
    }
    assert!(checked > 0);
}
