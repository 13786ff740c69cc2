//! Reports: text, JSON, JSON Lines, SARIF 2.1.0 and HTML. They contain only findings, and findings only masks.

use std::fmt::Write as _;
use std::str::FromStr;

use doorward_core::Severity;
use serde_json::{Value, json};

use super::finding::{Finding, word};
use super::walk::Report;
use crate::rules;

/// Format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// One line per finding.
    #[default]
    Text,
    /// One object.
    Json,
    /// One object per finding.
    JsonLines,
    /// SARIF 2.1.0.
    Sarif,
    /// A self-contained page.
    Html,
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "text" => Ok(Self::Text),
            "json" => Ok(Self::Json),
            "jsonl" => Ok(Self::JsonLines),
            "sarif" => Ok(Self::Sarif),
            "html" => Ok(Self::Html),
            _ => Err("one of text, json, jsonl, sarif, html".to_owned()),
        }
    }
}

/// The report in a format.
#[must_use]
pub fn render(report: &Report, format: Format) -> String {
    match format {
        Format::Text => text(report),
        Format::Json => json_report(report),
        Format::JsonLines => report
            .findings
            .iter()
            .filter_map(|finding| serde_json::to_string(finding).ok())
            .fold(String::new(), |mut out, line| {
                out.push_str(&line);
                out.push('\n');
                out
            }),
        Format::Sarif => sarif(report),
        Format::Html => html(report),
    }
}

fn text(report: &Report) -> String {
    let mut out = String::new();
    for finding in &report.findings {
        let Finding { file_path, line, column, slug, masked, description, .. } = finding;
        let severity = word(finding.severity);
        let _ = writeln!(
            out,
            "{}:{line}:{column} {severity} {slug} {masked} - {description}",
            printable(file_path)
        );
    }
    for skipped in report.stats.skipped.iter().filter(|skipped| skipped.missed) {
        let _ = writeln!(out, "{}: not scanned: {}", printable(&skipped.path), skipped.reason);
    }
    out
}

/// A path without control characters: a file name must not control a terminal.
fn printable(path: &str) -> String {
    path.chars().map(|ch| if ch.is_control() { '\u{fffd}' } else { ch }).collect()
}

fn json_report(report: &Report) -> String {
    let value = json!({
        "version": 1,
        "findings": report.findings,
        "suppressed": report.suppressed,
        "stats": report.stats,
    });
    pretty(&value)
}

fn pretty(value: &Value) -> String {
    let mut out = serde_json::to_string_pretty(value).unwrap_or_default();
    out.push('\n');
    out
}

fn sarif(report: &Report) -> String {
    let mut slugs: Vec<&str> = report.findings.iter().map(|finding| finding.slug.as_str()).collect();
    slugs.extend(report.suppressed.iter().map(|own| own.finding.slug.as_str()));
    slugs.sort_unstable();
    slugs.dedup();
    let rules: Vec<Value> = slugs.iter().map(|slug| sarif_rule(slug)).collect();
    let index = |slug: &str| slugs.binary_search(&slug).unwrap_or(0);
    let mut results: Vec<Value> =
        report.findings.iter().map(|finding| sarif_result(finding, index(&finding.slug), None)).collect();
    results.extend(
        report
            .suppressed
            .iter()
            .map(|own| sarif_result(&own.finding, index(&own.finding.slug), Some(own.reason.as_str()))),
    );
    let complete = report.exit_code() != 2;
    pretty(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "columnKind": "unicodeCodePoints",
            "tool": {"driver": {"name": "doorward", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
            "results": results,
            "invocations": [{"executionSuccessful": complete, "exitCode": report.exit_code()}],
        }],
    }))
}

fn sarif_rule(slug: &str) -> Value {
    let rule = rules::rule(slug);
    let severity = rule.map_or(Severity::High, |rule| rule.severity);
    json!({
        "id": format!("secret.{slug}"),
        "shortDescription": {"text": rule.map_or_else(|| "a rule of your own".to_owned(), rules::Rule::description)},
        "help": {"text": rule.map_or_else(|| "Revoke it.".to_owned(), rules::Rule::suggestion)},
        "defaultConfiguration": {"level": level(severity)},
        "properties": {"security-severity": score(severity), "tags": ["security", "secret"]},
    })
}

fn sarif_result(finding: &Finding, index: usize, suppressed: Option<&str>) -> Value {
    let suppressions: Vec<Value> = suppressed
        .into_iter()
        .map(|reason| {
            let outside = [super::place::SAMPLE, "in the baseline"].contains(&reason);
            let kind = if outside { "external" } else { "inSource" };
            json!({"kind": kind, "justification": reason})
        })
        .collect();
    json!({
        "ruleId": finding.rule_id,
        "ruleIndex": index,
        "level": level(finding.severity),
        "message": {"text": format!("{}: {}. {}", finding.description, finding.masked, finding.suggestion)},
        "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": uri(&finding.file_path), "uriBaseId": "%SRCROOT%"},
            "region": {
                "startLine": finding.line,
                "startColumn": finding.column,
                "endLine": finding.end_line,
                "endColumn": finding.end_column,
            },
        }}],
        "partialFingerprints": {"doorward/v1": finding.fingerprint},
        "suppressions": suppressions,
    })
}

fn level(severity: Severity) -> &'static str {
    if severity >= Severity::High { "error" } else { "warning" }
}

fn score(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "9.5",
        Severity::High => "8.0",
        Severity::Medium | Severity::Low => "5.5",
    }
}

fn uri(path: &str) -> String {
    path.trim_start_matches('/').bytes().fold(String::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
        out
    })
}

fn html(report: &Report) -> String {
    let mut rows = String::new();
    for finding in &report.findings {
        let _ = writeln!(
            rows,
            "<tr class=\"{severity}\"><td>{severity}</td><td>{}</td><td>{}:{}:{}</td><td><code>{}</code></td>\
             <td>{}<br><small>{}</small></td></tr>",
            escape(&finding.slug),
            escape(&finding.file_path),
            finding.line,
            finding.column,
            escape(&finding.masked),
            escape(&finding.description),
            escape(&finding.suggestion),
            severity = word(finding.severity),
        );
    }
    let skipped: String = report
        .stats
        .skipped
        .iter()
        .filter(|skipped| skipped.missed)
        .map(|skipped| format!("<li>{}: {}</li>", escape(&skipped.path), escape(&skipped.reason)))
        .collect();
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Secrets</title>\
<style>body{{font:15px/1.5 system-ui;margin:2rem}}table{{border-collapse:collapse}}\
td,th{{border-bottom:1px solid #ccc;padding:.4rem .8rem;text-align:left;vertical-align:top}}\
.critical td:first-child{{color:#a00;font-weight:700}}.high td:first-child{{color:#b50}}</style>\
<h1>Secrets</h1><p>{} findings in {} files ({} bytes), {} suppressed.</p>\
<table><thead><tr><th>Severity</th><th>Type</th><th>Place</th><th>Match</th><th>What, and what to do</th></tr></thead>\
<tbody>\n{rows}</tbody></table><ul>{skipped}</ul></html>\n",
        report.findings.len(),
        report.stats.files,
        report.stats.bytes,
        report.suppressed.len(),
    )
}

fn escape(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, ch| {
        match ch {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            control if control.is_control() => out.push('\u{fffd}'),
            other => out.push(other),
        }
        out
    })
}
