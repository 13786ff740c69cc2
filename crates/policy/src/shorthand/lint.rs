//! Warnings for authors of rules: rules that can't work as intended.
//!
//! Invalid rules are refused at load. These rules are valid, but probably a mistake.

use doorward_core::tool::{CANONICAL, CanonicalTool, ToolClass};
use jiff::Timestamp;

use super::command::WordRule;
use super::{Compiled, List, RuleSet, Subject};
use crate::cedar::Lint;

/// Top-level folders of every machine. An allow rule that begins with one probably means that folder, but names the
/// project's.
const TOP: &[&str] = &[
    "bin", "boot", "dev", "etc", "home", "lib", "mnt", "opt", "proc", "root", "run", "sbin", "srv", "sys",
    "tmp", "usr", "var",
];
/// Programs that run any command given as argument: a rule for all their uses allows everything.
const CARRIERS: &[&str] = words! {
    "awk" "bash" "busybox" "dash" "doas" "docker" "env" "eval" "fish" "ksh" "make" "nice" "node" "nohup"
    "perl" "php" "powershell" "pwsh" "python" "python3" "ruby" "sh" "ssh" "su" "sudo" "timeout" "watch"
    "xargs" "zsh"
};

/// Knows the names of programs, and suggests one for a misspelled name.
pub trait Programs {
    /// Whether a program of this name is known.
    fn is_known(&self, name: &str) -> bool;
    /// The most similar known name.
    fn nearest(&self, name: &str) -> Option<String>;
}

impl RuleSet {
    /// All warnings about these rules. They don't influence decisions.
    #[must_use]
    pub fn lints(&self, programs: &dyn Programs, now: Timestamp) -> Vec<Lint> {
        let mut found = Vec::new();
        for (at, rule) in self.rules.iter().enumerate().filter(|(_, rule)| !rule.source.of_pack) {
            let policy = format!("rules.{} \"{}\"", rule.source.list.as_str(), rule.source.text.trim());
            let alone = [
                unknown_program(rule, programs),
                unknown_tool(rule),
                wide(rule),
                top_folder(rule),
                bare_host(rule),
                over(rule, now),
            ];
            let beside = [self.said_before(at, rule), self.beaten(rule)];
            let all = alone.into_iter().chain(beside).flatten();
            found.extend(all.map(|(code, message)| Lint { code, policy: policy.clone(), message }));
        }
        found
    }

    /// Reports an identical or wider rule in the same list, for the same calls.
    fn said_before(&self, at: usize, rule: &Compiled) -> Option<Told> {
        let same_list = |other: &&Compiled| {
            other.source.list == rule.source.list
                && other.source.only == rule.source.only
                && other.until.is_none()
        };
        let earlier =
            self.rules.get(..at)?.iter().filter(same_list).find(|other| other.subject == rule.subject);
        if let Some(earlier) = earlier {
            return Some(("rule.twice", format!("`{}` says the same", earlier.source.text.trim())));
        }
        let wider = self.rules.iter().filter(same_list);
        let wider = wider
            .filter(|other| other.subject != rule.subject)
            .find(|other| covers(&other.subject, &rule.subject))?;
        Some((
            "rule.adds_nothing",
            format!("`{}` of the same list covers it already", wider.source.text.trim()),
        ))
    }

    /// Reports a stricter rule that always overrides this one.
    fn beaten(&self, rule: &Compiled) -> Option<Told> {
        let stricter = self.rules.iter().filter(|other| other.source.list > rule.source.list);
        let everybody =
            stricter.filter(|other| other.source.only == Default::default() && other.until.is_none());
        let by = everybody
            .filter(|other| !other.source.of_pack)
            .find(|other| other.subject == rule.subject || covers(&other.subject, &rule.subject))?;
        let (list, text) = (by.source.list.as_str(), by.source.text.trim());
        Some((
            "rule.shadowed",
            format!("`{list} {text}` wins over it every time, so it never decides anything"),
        ))
    }
}

/// A warning's code and message.
type Told = (&'static str, String);

/// Whether `wide` covers everything that `narrow` covers.
fn covers(wide: &Subject, narrow: &Subject) -> bool {
    match (wide, narrow) {
        (Subject::Tool(wide), Subject::Words(_)) => *wide == CanonicalTool::Shell,
        (Subject::Tool(wide), Subject::Reads(_)) => *wide == CanonicalTool::Read,
        (Subject::Tool(wide), Subject::Hosts(_)) => *wide == CanonicalTool::Fetch,
        (Subject::Class(wide), Subject::Edits(_)) => *wide == ToolClass::Edit,
        (Subject::Words(wide), Subject::Words(narrow)) => wide.covers(narrow),
        (Subject::Mcp { server: wide, tool: None }, Subject::Mcp { server: narrow, tool: Some(_) }) => {
            wide == narrow
        }
        _ => false,
    }
}

fn unknown_program(rule: &Compiled, programs: &dyn Programs) -> Option<Told> {
    let Subject::Words(words) = &rule.subject else { return None };
    let name = words.program().filter(|name| !name.is_empty())?;
    if programs.is_known(name) {
        return None;
    }
    let lower = name.to_ascii_lowercase();
    let parted = name.split_once('-').filter(|(program, _)| programs.is_known(program));
    let meant = match parted {
        _ if programs.is_known(&lower) => Some(lower),
        Some((program, options)) => Some(format!("{program} -{options}")),
        None => programs.nearest(name),
    };
    // An unknown program of the user's isn't a mistake; one with a similar known name may be.
    let meant = meant?;
    Some(("rule.unknown_program", format!("no program `{name}` is known; was `{meant}` meant?")))
}

/// Reports an unknown tool whose name resembles a known one.
fn unknown_tool(rule: &Compiled) -> Option<Told> {
    let Subject::Named(name) = &rule.subject else { return None };
    let meant = doorward_settings::nearest(name.as_str(), CANONICAL.iter().map(|(name, _)| *name))?;
    Some(("rule.unknown_tool", format!("no tool `{name}` is known; was `{meant}` meant?")))
}

fn wide(rule: &Compiled) -> Option<Told> {
    if rule.source.list != List::Allow {
        return None;
    }
    let says = match &rule.subject {
        Subject::Tool(CanonicalTool::Shell) => "it allows every command",
        Subject::Tool(CanonicalTool::Fetch) => "it allows every host",
        Subject::Class(ToolClass::Edit) => "it allows changes of every file",
        Subject::Words(words) if words.program().is_none() => "it allows every command",
        Subject::Words(words) if is_carrier(words) => {
            "this program runs any command in its arguments, so the rule allows every command"
        }
        _ => return None,
    };
    let still = "floors, deny rules and what the shipped pack asks about still hold";
    Some(("rule.wide", format!("{says}; {still}. Name the form that is meant")))
}

fn is_carrier(words: &WordRule) -> bool {
    words.len() == 1
        && !words.is_exact()
        && words.program().is_some_and(|program| CARRIERS.contains(&program))
}

/// Reports `Edit(/etc/hosts)` in an allow or ask list, which means `etc/hosts` of the project.
fn top_folder(rule: &Compiled) -> Option<Told> {
    let (Subject::Reads(path) | Subject::Edits(path) | Subject::Deletes(path)) = &rule.subject else {
        return None;
    };
    let first = path.first_after_slash().filter(|first| TOP.contains(first))?;
    if rule.source.list == List::Deny {
        return None;
    }
    let text = rule.source.text.trim().replacen("(/", "(//", 1);
    Some((
        "rule.project_path",
        format!("one slash begins at the project, which has no `{first}`; the machine's is `{text}`"),
    ))
}

/// Reports a host without a dot that isn't a name of this machine.
fn bare_host(rule: &Compiled) -> Option<Told> {
    let Subject::Hosts(host) = &rule.subject else { return None };
    let name = host.name();
    let fine = name.contains(['.', ':']) || name == "localhost";
    (!fine).then(|| {
        (
            "rule.bare_host",
            format!("`{name}` is a name of a local network; the site is `{name}.com` or the like"),
        )
    })
}

fn over(rule: &Compiled, now: Timestamp) -> Option<Told> {
    let until = rule.until.filter(|until| *until <= now)?;
    Some(("rule.over", format!("it ended at {until}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shorthand::{RuleSource, RuleSources};

    struct Few;

    impl Programs for Few {
        fn is_known(&self, name: &str) -> bool {
            ["git", "rm", "npm", "ls", "sudo", "bash", "python3"].contains(&name)
        }

        fn nearest(&self, name: &str) -> Option<String> {
            doorward_settings::nearest(name, ["git", "rm", "npm", "ls"]).map(str::to_owned)
        }
    }

    fn codes(allow: &[&str], ask: &[&str], deny: &[&str]) -> Vec<&'static str> {
        let set = RuleSet::compile(&RuleSources::lists(allow, ask, deny)).unwrap();
        set.lints(&Few, Timestamp::now()).into_iter().map(|lint| lint.code).collect()
    }

    #[test]
    fn slips_are_told() {
        type Row = (&'static [&'static str], &'static [&'static str], &'static [&'static str], &'static str);
        let rows: &[Row] = &[
            (&["shell(gti status)"], &[], &[], "rule.unknown_program"),
            (&["shell(GIT status)"], &[], &[], "rule.unknown_program"),
            (&[], &[], &["shell(nmp publish *)"], "rule.unknown_program"),
            (&[], &[], &["shell(rm-rf *)"], "rule.unknown_program"),
            (&["fs:raed"], &[], &[], "rule.unknown_tool"),
            (&["shell"], &[], &[], "rule.wide"),
            (&["shell(*)"], &[], &[], "rule.wide"),
            (&["shell(sudo *)"], &[], &[], "rule.wide"),
            (&["shell(bash *)"], &[], &[], "rule.wide"),
            (&["net(*)"], &[], &[], "rule.wide"),
            (&["Edit"], &[], &[], "rule.wide"),
            (&["Edit(/etc/hosts)"], &[], &[], "rule.project_path"),
            (&["net(github)"], &[], &[], "rule.bare_host"),
            (&["shell(git status)", "shell(git status)"], &[], &[], "rule.twice"),
            (&["shell(git *)", "shell(git push *)"], &[], &[], "rule.adds_nothing"),
            (&["shell(git push *)"], &[], &["shell(git *)"], "rule.shadowed"),
            (&["shell(git push *)"], &["shell(git push *)"], &[], "rule.shadowed"),
            (&[], &["shell(rm *)"], &["shell"], "rule.shadowed"),
            (&["Read(docs/**)"], &[], &["Read"], "rule.shadowed"),
            (&["mcp(github/list)"], &[], &["mcp(github/*)"], "rule.shadowed"),
        ];
        for (allow, ask, deny, code) in rows {
            assert_eq!(codes(allow, ask, deny), [*code], "{allow:?} {ask:?} {deny:?}");
        }
        let mut past = RuleSource::new(List::Allow, "shell(git status)");
        past.until = Some("2020-01-01T00:00:00Z".to_owned());
        let set = RuleSet::compile(&RuleSources { rules: vec![past], home: None }).unwrap();
        assert_eq!(set.lints(&Few, Timestamp::now()).first().unwrap().code, "rule.over");
    }

    #[test]
    fn good_rules_are_left_alone() {
        let allow = [
            "shell(git status)",
            "shell(git diff *)",
            "Read(src/**)",
            "Edit(//etc/hosts)",
            "net(*.github.com)",
        ];
        let deny = ["shell(rm *)", "shell(git push *)", "Read(/etc/shadow)", "net(evil.example)"];
        assert_eq!(codes(&allow, &["shell(npm publish *)"], &deny), Vec::<&str>::new());
        assert_eq!(codes(&["shell(our-own-tool *)"], &[], &[]), Vec::<&str>::new());
    }
}
