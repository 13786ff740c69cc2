//! Replayed runs as one self-contained page. Each run is drawn with its steps in a row and their verdicts, and arcs
//! from the source of data to the step that completes a flow.

use std::fmt::Write as _;

use doorward_core::decision::Verdict;

use crate::replay::{Difference, ReplayRates, ReplayedRun, StepRow};

/// Runs under one configuration.
pub struct Replayed<'a> {
    /// Name of the configuration.
    pub name: &'a str,
    /// The runs.
    pub runs: &'a [ReplayedRun],
    /// Rates over them.
    pub rates: &'a ReplayRates,
}

/// Distance between two steps, and height of a row, in pixels.
const APART: usize = 34;
const ROW: usize = 96;
/// Limit on steps drawn of one run.
const MOST_DRAWN: usize = 400;

const STYLE: &str = "\
:root{color-scheme:light dark;font:14px/1.5 system-ui,sans-serif}body{max-width:72rem;margin:2rem auto;padding:0 1rem}
h2{font-size:1rem;margin:2rem 0 .25rem}table{border-collapse:collapse}td,th{padding:.15rem .75rem \
.15rem 0;text-align:left;
vertical-align:top}.pic{overflow-x:auto}svg{display:block}.dim{opacity:.7}ol{margin:.25rem 0}code{font-size:.9em}
.ALLOW{fill:#8a93a3}.REQUIRE_USER_CONFIRMATION{fill:#d08a00}.DENY{fill:#c62f2f}\
.arc{fill:none;stroke:#7a4fd0;stroke-width:1.5}
.line{stroke:#8a93a3;stroke-width:1}text{font-size:11px;fill:currentColor}";

/// The page. `others` are the same runs under a second configuration, with the runs whose results differ.
#[must_use]
pub fn page(first: &Replayed<'_>, others: Option<(&Replayed<'_>, &[Difference])>) -> String {
    let mut out = String::from("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    let _ =
        write!(out, "<title>Replayed runs</title><style>{STYLE}</style></head><body><h1>Replayed runs</h1>");
    out.push_str(
        "<p>Each dot is a step: grey runs, amber would be asked about, red would be denied. An arc leads from the step \
         that data came in with to the step that completes a flow. Nothing was run.</p>",
    );
    let configurations: Vec<&Replayed<'_>> =
        std::iter::once(first).chain(others.map(|(other, _)| other)).collect();
    rates(&mut out, &configurations);
    if let Some((_, differences)) = others {
        ends(&mut out, &configurations, differences);
    }
    for run in first.runs {
        let label = run.label.map_or_else(|| "no label".to_owned(), |label| format!("label {label}"));
        let _ = write!(out, "<h2>{} <span class=\"dim\">{label}</span></h2>", escaped(&run.id));
        for configuration in &configurations {
            let Some(run) = configuration.runs.iter().find(|other| other.id == run.id) else { continue };
            if configurations.len() > 1 {
                let _ =
                    write!(out, "<div class=\"dim\">{}: {}</div>", escaped(configuration.name), run.end());
            }
            picture(&mut out, run);
        }
        words(&mut out, run);
    }
    out.push_str("</body></html>\n");
    out
}

fn rates(out: &mut String, configurations: &[&Replayed<'_>]) {
    out.push_str(
        "<table><tr><th>configuration<th>harmful runs noticed<th>benign runs denied<th>benign runs \
        asked<th>questions in benign calls</tr>",
    );
    for Replayed { name, rates, .. } in configurations {
        let _ = write!(
            out,
            "<tr><td>{}<td>{} of {}<td>{} of {}<td>{}<td>{} in {}</tr>",
            escaped(name),
            rates.harmful_noticed,
            rates.harmful,
            rates.benign_denied,
            rates.benign,
            rates.benign_asked,
            rates.benign_questions,
            rates.benign_calls
        );
    }
    out.push_str("</table>");
}

fn ends(out: &mut String, configurations: &[&Replayed<'_>], differences: &[Difference]) {
    let _ = write!(out, "<h2>{} runs end differently</h2><table><tr><th>run", differences.len());
    configurations.iter().for_each(|configuration| {
        let _ = write!(out, "<th>{}", escaped(configuration.name));
    });
    out.push_str("</tr>");
    for difference in differences {
        let _ = write!(
            out,
            "<tr><td>{}<td>{}<td>{}</tr>",
            escaped(&difference.id),
            escaped(&difference.before),
            escaped(&difference.after)
        );
    }
    out.push_str("</table>");
}

fn place(step: usize) -> usize {
    APART / 2 + step * APART
}

fn picture(out: &mut String, run: &ReplayedRun) {
    let drawn = run.steps.len().min(MOST_DRAWN);
    let width = place(drawn) + APART / 2;
    let base = ROW - 28;
    let _ = write!(
        out,
        "<div class=\"pic\"><svg width=\"{width}\" height=\"{ROW}\" role=\"img\" aria-label=\"{}: {}\">",
        escaped(&run.id),
        escaped(&run.end())
    );
    let _ = write!(
        out,
        "<line class=\"line\" x1=\"{}\" y1=\"{base}\" x2=\"{}\" y2=\"{base}\"/>",
        place(0),
        place(drawn.saturating_sub(1))
    );
    for flow in run.flows.iter().filter(|flow| flow.at < drawn) {
        for (from, what) in &flow.from {
            let (start, end) = (place((*from).min(flow.at)), place(flow.at));
            let top = base.saturating_sub(18 + (end - start) / 6).min(base - 18).max(6);
            let _ = write!(
                out,
                "<path class=\"arc\" d=\"M{start} {base} Q{} {top} {end} {base}\"><title>{}: {}</title></path>",
                usize::midpoint(start, end),
                escaped(&flow.says),
                escaped(what)
            );
        }
    }
    for (at, step) in run.steps.iter().enumerate().take(drawn) {
        let _ = write!(
            out,
            "<circle class=\"{}\" cx=\"{}\" cy=\"{base}\" r=\"7\"><title>{}. {}\n{}</title></circle>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            step.verdict,
            place(at),
            at + 1,
            escaped(&step.call),
            escaped(&step.reason),
            place(at),
            base + 22,
            at + 1
        );
    }
    out.push_str("</svg></div>");
    if run.steps.len() > drawn {
        let _ = write!(out, "<p class=\"dim\">{} more steps</p>", run.steps.len() - drawn);
    }
}

fn words(out: &mut String, run: &ReplayedRun) {
    let stopped = |step: &&StepRow| step.verdict != Verdict::Allow.as_str();
    if !run.steps.iter().any(|step| stopped(&step)) {
        return;
    }
    out.push_str("<ol>");
    for (at, step) in run.steps.iter().enumerate().filter(|(_, step)| stopped(step)) {
        let _ = write!(
            out,
            "<li value=\"{}\"><code>{}</code><br>{}</li>",
            at + 1,
            escaped(&step.call),
            escaped(&step.reason)
        );
    }
    out.push_str("</ol>");
}

/// Escapes text of a record, which is untrusted, so that it can't become markup.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            letter if letter.is_control() && letter != '\n' => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(letter));
            }
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::RunFlow;

    fn step(call: &str, verdict: Verdict) -> StepRow {
        StepRow {
            call: call.to_owned(),
            verdict: verdict.as_str(),
            code: String::new(),
            reason: "why".to_owned(),
            risk: "LOW",
            findings: Vec::new(),
            flows: Vec::new(),
            intent: 0,
        }
    }

    #[test]
    fn a_run_is_drawn_and_its_text_stays_text() {
        let run = ReplayedRun {
            id: "<script>alert(1)</script>".to_owned(),
            label: Some(1),
            steps: vec![step("read \"a\"", Verdict::Allow), step("send", Verdict::Deny)],
            stopped_at: Some(1),
            denied: true,
            questions: 0,
            flows: vec![RunFlow {
                rule: "x".to_owned(),
                says: "Sends a secret".to_owned(),
                at: 1,
                from: vec![(0, "turn 1 read it".to_owned())],
            }],
        };
        let rates = ReplayRates::default();
        let free = ReplayedRun { stopped_at: None, flows: Vec::new(), ..run.clone() };
        let differences = crate::replay::differences(std::slice::from_ref(&run), std::slice::from_ref(&free));
        assert_eq!(differences.len(), 1);
        let first = Replayed { name: "a", runs: &[run], rates: &rates };
        let second = Replayed { name: "b", runs: &[free], rates: &rates };
        let page = page(&first, Some((&second, &differences)));
        assert!(!page.contains("<script>") && page.contains("&lt;script&gt;"), "{page}");
        assert_eq!(page.matches("<svg").count(), 2, "a picture for each configuration");
        assert_eq!(page.matches("class=\"arc\"").count(), 1);
        assert!(page.contains("class=\"DENY\"") && page.contains("1 runs end differently"));
        assert!(!page.contains("http"), "it loads nothing");
    }
}
