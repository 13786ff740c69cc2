//! CEF, version 0. One record is one line, whatever a tool's name contains.

use doorward_core::record::{DecisionRecord, Record};

use super::{Disposition, severities};

/// The CEF line of a decision, without line end. `None` for other records.
#[must_use]
pub fn cef(record: &Record, index: u64, origin: &str) -> Option<String> {
    let Record::Decision(decision) = record else { return None };
    let header = [
        "CEF:0",
        "Doorward",
        "Doorward",
        env!("CARGO_PKG_VERSION"),
        &in_header(&decision.code),
        &in_header(&format!("{} {}", decision.resource.name, decision.verdict.as_str())),
        &severities(decision.risk.level).0.to_string(),
    ]
    .join("|");
    let extension: Vec<String> = fields(decision, index, origin)
        .into_iter()
        .map(|(key, value)| format!("{key}={}", in_extension(&value)))
        .collect();
    Some(format!("{header}|{}", extension.join(" ")))
}

fn fields(decision: &DecisionRecord, index: u64, origin: &str) -> Vec<(&'static str, String)> {
    let mut fields = vec![
        ("rt", decision.time.as_millisecond().to_string()),
        ("suser", decision.principal.id.clone()),
        ("src", format!("{:?}", decision.surface).to_lowercase()),
        ("act", decision.action.clone()),
        ("outcome", Disposition::of(decision).word().to_owned()),
        ("reason", decision.reason.clone()),
        ("externalId", format!("{index}:{}", decision.id)),
        ("deviceExternalId", origin.to_owned()),
        ("cs1Label", "policy".to_owned()),
        ("cs1", decision.policy.ids.join(",")),
        ("cs2Label", "tool".to_owned()),
        ("cs2", decision.resource.name.clone()),
        ("cs3Label", "session".to_owned()),
        ("cs3", decision.session.to_string()),
    ];
    // An unknown score is omitted, never written as a number.
    if let Some(score) = decision.risk.score {
        fields.push(("cn1Label", "riskScore".to_owned()));
        fields.push(("cn1", score.to_string()));
    }
    fields
}

fn in_header(text: &str) -> String {
    plain(text, false).replace('\\', "\\\\").replace('|', "\\|")
}

fn in_extension(text: &str) -> String {
    plain(text, true).replace('\\', "\\\\").replace('=', "\\=").replace('\n', "\\n")
}

/// Removes characters that could begin a new line: control characters and Unicode separators.
fn plain(text: &str, keep_newline: bool) -> String {
    let unified = text.replace("\r\n", "\n").replace('\r', "\n");
    unified
        .chars()
        .filter(|ch| {
            (*ch == '\n' && keep_newline) || !(ch.is_control() || matches!(ch, '\u{2028}' | '\u{2029}'))
        })
        .collect()
}
