//! The sentences that agents and people read in a client.

use std::path::{Path, PathBuf};

use doorward_core::approval::{Answer, Ask};
use doorward_core::decision::Decision;
use doorward_core::text::is_unseen;
use doorward_gate::Denial;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::links::Ways;
use crate::problem::mend_of;
use crate::project::Project;

/// Longest command in a sentence; the client shows the whole of it beside.
const MOST_OF_COMMAND: usize = 400;

/// A denial that nobody was asked about.
pub(super) fn denied(denial: &Denial) -> String {
    if let Some(mend) = mend_of(&denial.code) {
        return format!(
            "Doorward can't judge calls until this is mended: {} Nothing is wrong with this call; tell the user, who \
             mends it with `{mend}`. ({})",
            closed(&denial.reason),
            denial.code
        );
    }
    format!(
        "Doorward denied this: {} Don't try to reach the same end another way; ask the user if it is needed. ({})",
        closed(&denial.reason),
        denial.code
    )
}

/// That a call passes only because a person paused Doorward, and how that ends.
pub(super) fn paused(decision: &Decision, project: &Project) -> Option<String> {
    let until = project.settings().modes.observes(Timestamp::now())?;
    if !decision.code.starts_with("observe.") {
        return None;
    }
    let until = until.to_zoned(TimeZone::system()).strftime("%H:%M");
    let (reason, _) = codes_apart(&decision.reason);
    Some(format!("Doorward is paused until {until}. {} End it with: doorward pause off", closed(&reason)))
}

/// Where the reader is: paths below these are shown from there.
pub(super) struct Here<'a> {
    pub(super) project: &'a Path,
    pub(super) home: Option<PathBuf>,
}

/// A question in the client's own dialog, with what would make the call pass without one.
pub(super) fn asked(reason: &str, rules: Option<&[String]>, here: &Here<'_>) -> String {
    let (said, codes) = codes_apart(&nearer(reason, here));
    format!("Doorward: {} {}{codes}", closed(&said), passes(rules))
}

/// Paths below the project or the home folder, from there.
fn nearer(reason: &str, Here { project, home }: &Here<'_>) -> String {
    let mut shown = reason.to_owned();
    for (folder, instead) in [(Some(*project), ""), (home.as_deref(), "~/")] {
        let Some(folder) = folder.filter(|folder| folder.components().count() > 1) else { continue };
        shown = shown.replace(&format!(" {}/", folder.display()), &format!(" {instead}"));
    }
    shown
}

/// The sentences of a reason, and the codes among them: `[agent.delete.confirm]`, `(net.contact)`.
fn codes_apart(reason: &str) -> (String, String) {
    let is_code = |word: &str| {
        let inner = word
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
            .or_else(|| word.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')));
        let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._-".contains(c);
        inner.is_some_and(|inner| inner.contains('.') && inner.chars().all(letter))
    };
    let (codes, said): (Vec<&str>, Vec<&str>) = reason.split(' ').partition(|word| is_code(word));
    let codes: String = codes.iter().map(|code| format!(" {code}")).collect();
    (said.join(" "), codes)
}

/// What would make a call pass that is asked about: the user's rules that were tried and let it pass.
fn passes(rules: Option<&[String]>) -> String {
    let Some(rules) = rules else {
        return "No rule lifts this question: a person answers it each time.".to_owned();
    };
    // The words come from the call, and a person pastes them into a shell: nothing in them may end a line or a word.
    if rules.iter().any(|rule| rule.chars().any(|ch| ch.is_control() || is_unseen(ch))) {
        return "To be asked no more, save a rule in Doorward's console.".to_owned();
    }
    let quoted: Vec<String> = rules.iter().map(|rule| format!("'{}'", rule.replace('\'', "'\\''"))).collect();
    format!("To be asked no more: doorward allow {}", quoted.join(" "))
}

/// The same about a call that Doorward runs: the dialog shows other words than the agent's.
pub(super) fn asked_to_run(reason: &str, command: &str) -> String {
    let mut shown: String = command.chars().take(MOST_OF_COMMAND).collect();
    if shown.len() < command.len() {
        shown.push('…');
    }
    format!("Doorward: {} On Yes, Doorward runs in its sandbox: {shown}", closed(reason))
}

/// A reason that another sentence follows: it ends with a full stop or with its code.
fn closed(reason: &str) -> String {
    let reason = reason.trim_end();
    if reason.ends_with(['.', ')', ']', '!', '?']) { reason.to_owned() } else { format!("{reason}.") }
}

/// A question that is in our queue.
pub(super) fn waiting(ask: &Ask, ways: &Ways, rules: Option<&[String]>, here: &Here<'_>) -> String {
    let (said, codes) = codes_apart(&nearer(&ask.reason, here));
    let settle = how_to_settle(ways);
    // What takes a typed phrase is nothing to wave through for good.
    let passes = if ask.confirm.level > 1 { String::new() } else { format!(" {}", passes(rules)) };
    format!("Doorward asks a person first: {} {settle}{passes}{codes}", closed(&said))
}

/// The end of waiting without a yes; `None` where the question still waits for its answer.
pub(super) fn unanswered(answer: &Answer, ask: &Ask) -> Option<String> {
    Some(match answer {
        Answer::Denied { by, reason } => {
            let why = reason.as_deref().map(|why| format!(": {why}")).unwrap_or_default();
            format!("Doorward denied this: {by} said no{why}. Don't try to reach the same end another way.")
        }
        Answer::NoApprover => {
            format!(
                "Doorward denied this: nobody can be asked here (no_approver). It is about: {}",
                ask.reason
            )
        }
        Answer::Error { reason } => {
            format!("Doorward denied this: asking a person failed: {reason} (approval.error)")
        }
        Answer::TimedOut | Answer::Allowed { .. } => return None,
    })
}

fn how_to_settle(ways: &Ways) -> String {
    let page = ways.page.as_ref().map(|page| format!(" or at {page}")).unwrap_or_default();
    format!(
        "Nothing ran. The user answers with `doorward approve {}`{page}; run exactly this again once it is \
         approved, and nothing else in its place.",
        ways.short
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_names_what_is_near_shortly_and_its_codes_last() {
        let here = Here { project: Path::new("/home/ada/shop"), home: Some(PathBuf::from("/home/ada")) };
        let reason = "Deletes /home/ada/shop/.git, a protected file. [agent.delete.confirm] Changes /home/ada/.bashrc. \
                      [agent.protected-name.confirm]";
        assert_eq!(
            asked(reason, Some(&["shell(rm -rf .git)".to_owned()]), &here),
            "Doorward: Deletes .git, a protected file. Changes ~/.bashrc. To be asked no more: doorward allow \
             'shell(rm -rf .git)' [agent.delete.confirm] [agent.protected-name.confirm]"
        );
        let (said, codes) = codes_apart("Runs `grep [a.z] x` (see above). (net.contact)");
        assert_eq!((said.as_str(), codes.as_str()), ("Runs `grep x` (see above).", " [a.z] (net.contact)"));
    }
}
