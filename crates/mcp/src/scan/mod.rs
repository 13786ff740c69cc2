//! Scans tool definitions for poisoning: every text of a definition, its name against those of other servers, its
//! hints against its description, and its schemas.

mod acts;
mod hidden;
mod hints;
mod names;
mod orders;
mod texts;

use serde::{Deserialize, Serialize};

use crate::definition::Definition;
use crate::{pins, schema};

pub use hidden::without_hidden;
pub use hints::orders;
pub(crate) use texts::MOST;
pub use texts::{Sight, look_at};

/// Consequence of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScanVerdict {
    /// None.
    Ok,
    /// A person should review it.
    Review,
    /// Must not be used.
    Block,
}

/// A finding in a definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScanFinding {
    /// Stable code (docs/mcp.md has the table).
    pub code: String,
    /// Its consequence.
    pub severity: ScanVerdict,
    /// The server.
    pub server: String,
    /// The tool.
    pub tool: String,
    /// Position in the definition, as a JSON Pointer.
    #[serde(rename = "span", skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// Explanation for a person. Never quotes the text that was found.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
}

impl ScanFinding {
    pub(crate) fn new(
        code: &str,
        severity: ScanVerdict,
        server: &str,
        tool: &str,
        pointer: Option<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            code: code.to_owned(),
            severity,
            server: server.to_owned(),
            tool: tool.to_owned(),
            pointer,
            message: message.into(),
        }
    }
}

/// A server with its listed tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its name.
    pub server: String,
    /// Whether the settings trust it.
    pub trusted: bool,
    /// Its tools.
    pub tools: Vec<Definition>,
}

/// The most severe verdict of these findings.
#[must_use]
pub fn verdict(findings: &[ScanFinding]) -> ScanVerdict {
    findings.iter().map(|finding| finding.severity).max().unwrap_or(ScanVerdict::Ok)
}

/// All findings in the tools of these servers, compared with the pinned definitions if there are any.
#[must_use]
pub fn scan(current: &[Listed], pinned: &[Listed]) -> Vec<ScanFinding> {
    let mut findings = Vec::new();
    for listed in current {
        let foreign: Vec<&str> = current
            .iter()
            .filter(|other| other.server != listed.server)
            .flat_map(|other| other.tools.iter().map(|tool| tool.name.as_str()))
            .collect();
        let own: Vec<&str> = listed.tools.iter().map(|tool| tool.name.as_str()).collect();
        for tool in &listed.tools {
            findings.extend(scan_tool(&listed.server, tool, &own, &foreign));
        }
        if let Some(before) = pinned.iter().find(|before| before.server == listed.server) {
            for tool in &listed.tools {
                let known = before.tools.iter().find(|known| known.name == tool.name);
                findings.extend(known.iter().flat_map(|known| pins::changes(&listed.server, known, tool)));
            }
            findings.extend(pins::comings(&listed.server, &before.tools, &listed.tools));
        }
    }
    findings.extend(names::across(current));
    findings
}

/// Findings in the tools of one server, compared with those of other servers that were scanned before.
#[must_use]
pub fn scan_beside(listed: &Listed, others: &[Listed]) -> Vec<ScanFinding> {
    let own: Vec<&str> = listed.tools.iter().map(|tool| tool.name.as_str()).collect();
    let foreign: Vec<&str> =
        others.iter().flat_map(|other| other.tools.iter().map(|tool| tool.name.as_str())).collect();
    let mut findings: Vec<ScanFinding> =
        listed.tools.iter().flat_map(|tool| scan_tool(&listed.server, tool, &own, &foreign)).collect();
    let all: Vec<Listed> = others.iter().chain([listed]).cloned().collect();
    findings.extend(names::across(&all).into_iter().filter(|finding| finding.server == listed.server));
    findings
}

/// Findings in one definition. `own` are the tool names of its server, `foreign` those of others.
#[must_use]
pub fn scan_tool(server: &str, tool: &Definition, own: &[&str], foreign: &[&str]) -> Vec<ScanFinding> {
    let plain = tool.plain();
    let mut findings = names::alone(server, tool);
    let around = orders::Around { own, foreign, purpose: purpose(tool) };
    texts::walk(&plain, &mut |pointer, text| {
        for (code, message) in texts::look(text, pointer, &around) {
            let severity = severity_of(code);
            findings.push(ScanFinding::new(
                code,
                severity,
                server,
                &tool.name,
                Some(pointer.to_owned()),
                message,
            ));
        }
    });
    findings.extend(hints::lies(server, tool));
    findings.extend(schema::faults(server, tool));
    findings
}

/// The tool's purpose: its name and first sentence, in lower case.
fn purpose(tool: &Definition) -> String {
    let first = tool.description().split_inclusive(['.', '\n']).next().unwrap_or_default();
    // An order to the model doesn't describe a purpose.
    format!("{} {first}", tool.name.replace(['_', '-', '.'], " ")).to_lowercase()
}

fn severity_of(code: &str) -> ScanVerdict {
    if code == "text.preference" { ScanVerdict::Review } else { ScanVerdict::Block }
}
