//! Whether a secret that is written in a command line leaves for a host.
//!
//! One flow is one simple command or one pipeline. Another flow of the line belongs to it only if it names a variable
//! or a file that the first one sets, or if its words hold the secret itself once variables are resolved. In those
//! flows a secret leaves unless it is environment of a child process, or a credential for the program's own login at
//! the one host that its command contacts. Whatever this reading can't place is taken to leave.

use std::collections::BTreeSet;

use doorward_core::effect::{Effects, HostClass, HostEffect};
use doorward_core::finding::{Finding, Severity};
use doorward_core::intent::{SimpleCommand, Span};
use doorward_core::risk::SecurityRisk;
use doorward_shell::CommandFlow;

use crate::secrets::SecretHit;

mod logins;

/// Where a secret of a command line goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fate {
    /// No host of its flow but its own provider's.
    AtHome,
    /// Environment of a child process: reaches no host by itself.
    Environment,
    /// This machine, or the login of the program that is given it.
    Login,
    /// No host in its flow.
    Stays,
    /// To a host that isn't its own.
    Leaves,
}

/// The flows of a command line, and what it does.
pub(crate) struct Egress<'e> {
    text: &'e str,
    flows: Vec<CommandFlow>,
    effects: &'e Effects,
}

impl<'e> Egress<'e> {
    pub(crate) fn new(text: &'e str, effects: &'e Effects) -> Self {
        Self { text, flows: doorward_shell::flows(text), effects }
    }

    pub(crate) fn fate(&self, hit: &SecretHit) -> Fate {
        let span = Span::new(hit.start, hit.end);
        let Some(value) = self.text.get(hit.start..hit.end) else { return Fate::Leaves };
        let reached = self.reached(span, value);
        let hosts: Vec<&HostEffect> = self
            .effects
            .hosts
            .iter()
            .filter(|host| host.redirected || reached.iter().any(|&flow| self.is_in(flow, host.span)))
            .collect();
        // What a flow without any host does with it (a folder that a clone writes is made first) says nothing about
        // where it goes.
        let contacts = |flow: &&usize| hosts.iter().any(|host| self.is_in(**flow, host.span));
        let speaking: Vec<usize> = reached.iter().filter(contacts).copied().collect();
        let flows: Vec<usize> =
            if speaking.is_empty() { reached.iter().copied().collect() } else { speaking };
        let role = flows.iter().map(|&flow| self.role(flow, span, value)).max().unwrap_or(Role::Data);
        let strangers: BTreeSet<&str> = hosts
            .iter()
            .filter(|host| is_stranger(host) && !hit.provider_hosts.contains(&host.host))
            .map(|host| host.host.as_str())
            .collect();
        match role {
            Role::Environment => Fate::Environment,
            _ if hosts.is_empty() && self.is_login_here(&flows, value) => Fate::Login,
            _ if hosts.is_empty() => Fate::Stays,
            _ if strangers.is_empty() => {
                let here = hosts.iter().any(|host| host.class == HostClass::Loopback);
                if here { Fate::Login } else { Fate::AtHome }
            }
            Role::Login if hit.provider_hosts.is_empty() && strangers.len() == 1 => Fate::Login,
            Role::Login | Role::Data => Fate::Leaves,
        }
    }

    /// Whether every word that holds a secret gives it to a server on this machine.
    fn is_login_here(&self, flows: &[usize], value: &str) -> bool {
        let commands = flows.iter().flat_map(|&flow| self.commands(flow));
        let mut words =
            commands.flat_map(|command| &command.words).filter(|word| word.contains(value)).peekable();
        words.peek().is_some() && words.all(|word| logins::is_of_this_machine(word, value))
    }

    fn is_in(&self, flow: usize, span: Span) -> bool {
        self.flows.get(flow).is_some_and(|flow| holds(flow.span, span))
    }

    fn text_of(&self, flow: usize) -> &'e str {
        self.flows.get(flow).and_then(|flow| flow.span.of(self.text)).unwrap_or_default()
    }

    fn commands(&self, flow: usize) -> impl Iterator<Item = &'e SimpleCommand> {
        self.effects.executes.iter().filter(move |command| self.is_in(flow, command.span))
    }

    /// The flows that the secret gets into: where it stands, where resolved words hold it, and those that name what
    /// such a flow sets or writes.
    fn reached(&self, span: Span, value: &str) -> BTreeSet<usize> {
        if self.effects.env_reads.contains("*") {
            // Something reads all variables.
            return (0..self.flows.len()).collect();
        }
        let mut reached: BTreeSet<usize> = (0..self.flows.len())
            .filter(|&flow| self.is_in(flow, span) || self.commands(flow).any(|command| has(command, value)))
            .collect();
        loop {
            let names: BTreeSet<&str> = reached.iter().flat_map(|&flow| self.passes_on(flow)).collect();
            let more: Vec<usize> = (0..self.flows.len())
                .filter(|flow| !reached.contains(flow))
                .filter(|&flow| names.iter().any(|name| mentions(self.text_of(flow), name)))
                .collect();
            if more.is_empty() {
                return reached;
            }
            reached.extend(more);
        }
    }

    /// Names of variables that a flow sets and of files that it writes.
    fn passes_on(&self, flow: usize) -> Vec<&str> {
        let files = self
            .effects
            .writes
            .iter()
            .filter(move |write| self.is_in(flow, write.span))
            .map(|write| write.path.rsplit('/').next().unwrap_or_default())
            .filter(|name| !name.is_empty());
        set_in(self.text_of(flow)).into_iter().chain(files).collect()
    }

    /// What a flow does with the secret.
    fn role(&self, flow: usize, span: Span, value: &str) -> Role {
        let assigned = self.flows.get(flow).into_iter().flat_map(|flow| &flow.assignments);
        let assigned = assigned.filter(|other| other.start <= span.start && span.end <= other.end);
        let assigned = assigned.filter_map(|other| other.of(self.text)).next();
        let mut roles: Vec<Role> = assigned.map(|text| self.as_environment(flow, text)).into_iter().collect();
        for command in self.commands(flow).filter(|command| has(command, value)) {
            roles.extend(self.roles_of(flow, command, value));
        }
        if roles.is_empty() && self.is_in(flow, span) {
            roles.extend(self.inside(flow, span, value).or_else(|| self.given_to_wrapper(span, value)));
        }
        roles.into_iter().max().unwrap_or(Role::Data)
    }

    /// An assignment in the text of `sh -c '…'`, whose commands are listed by themselves.
    fn inside(&self, flow: usize, span: Span, value: &str) -> Option<Role> {
        let through_shell =
            |command: &SimpleCommand| command.via.iter().any(|via| SHELLS.contains(&via.as_str()));
        if !self.commands(flow).any(through_shell) {
            return None;
        }
        let before = self.text.get(..usize::try_from(span.start).ok()?)?;
        let opened = before.rfind("c '").max(before.rfind("c \""))? + 2;
        let quoted = self.text.get(opened..)?;
        let quote = quoted.chars().next()?;
        let text = quoted.get(1..)?.split(quote).next()?;
        if text.matches(value).count() != 1 {
            return None;
        }
        let flows = doorward_shell::flows(text);
        let mut assignments =
            flows.iter().flat_map(|flow| &flow.assignments).filter_map(|span| span.of(text));
        let assigned = assignments.find(|text| text.contains(value))?;
        Some(self.as_environment(flow, assigned))
    }

    /// A wrapper is no command of its own: `sshpass -p secret ssh …`.
    fn given_to_wrapper(&self, span: Span, value: &str) -> Option<Role> {
        let before = self.text.get(..usize::try_from(span.start).ok()?)?.trim_end_matches(['\'', '"']);
        let mut words = before.rsplit(char::is_whitespace).filter(|word| !word.is_empty());
        let (option, program) = (words.next()?, words.next()?);
        let words = vec![program.to_owned(), option.to_owned(), value.to_owned()];
        let program = program.rsplit('/').next()?.to_owned();
        let command = SimpleCommand { words, program, ..SimpleCommand::default() };
        Some(logins::role(&command, 2, value, value))
    }

    /// Environment, unless its flow names the variable again.
    fn as_environment(&self, flow: usize, assignment: &str) -> Role {
        let name = assignment.split(['=', '+']).next().unwrap_or_default();
        let times = words_like(self.text_of(flow), name).count();
        if times <= 1 && !self.effects.env_reads.contains("*") { Role::Environment } else { Role::Data }
    }

    fn roles_of(&self, flow: usize, command: &SimpleCommand, value: &str) -> Vec<Role> {
        let words = command.words.iter().enumerate().filter(|(_, word)| word.contains(value));
        let in_words = words.map(|(at, word)| match logins::role(command, at, word, value) {
            Role::Environment => {
                let assignment = word.trim_start_matches("--env=").trim_start_matches("-e");
                self.as_environment(flow, assignment)
            }
            role => role,
        });
        let assigned = command.assignments.iter().filter(|text| text.contains(value));
        in_words.chain(assigned.map(|text| self.as_environment(flow, text))).collect()
    }
}

/// Where a secret in another tool's argument goes: that tool is one flow.
pub(crate) fn fate_of_argument(hit: &SecretHit, hosts: &[HostEffect]) -> Fate {
    if hosts.iter().any(|host| is_stranger(host) && !hit.provider_hosts.contains(&host.host)) {
        Fate::Leaves
    } else if hosts.is_empty() {
        Fate::Stays
    } else {
        Fate::AtHome
    }
}

/// What is told of a secret with this fate.
pub(crate) fn findings(hit: &SecretHit, fate: Fate) -> Vec<Finding> {
    let mut finding = Finding::new(format!("secret.{}", hit.slug), "a secret stands in the arguments");
    finding.severity = hit.severity;
    finding.risk = match (fate, hit.severity) {
        (Fate::AtHome, _) | (_, Severity::Low) => None,
        (Fate::Environment | Fate::Login, _) | (_, Severity::Medium) => Some(SecurityRisk::Medium),
        (Fate::Stays | Fate::Leaves, Severity::High | Severity::Critical) => Some(SecurityRisk::High),
    };
    let mut all = vec![finding];
    if fate == Fate::Leaves {
        let message = "a secret in the arguments goes to a host that isn't its own";
        all.push(Finding::new("flow.secret_to_egress", message));
    }
    all
}

/// Shells whose `-c` text is analysed.
const SHELLS: &[&str] = &["ash", "bash", "dash", "ksh", "sh", "zsh"];

/// What a command does with a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// Environment of a child or of a container.
    Environment,
    /// Its own login.
    Login,
    /// Anything else.
    Data,
}

const fn is_stranger(host: &HostEffect) -> bool {
    !matches!(host.class, HostClass::Allowed | HostClass::Loopback)
}

const fn holds(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.start < outer.end
}

fn has(command: &SimpleCommand, value: &str) -> bool {
    command.words.iter().chain(&command.assignments).any(|word| word.contains(value))
}

fn is_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// The places where `name` stands as a whole word.
fn words_like<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> + 't {
    text.match_indices(name).map(|(at, _)| at).filter(move |&at| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + name.len()..).and_then(|after| after.chars().next());
        !name.is_empty() && !before.is_some_and(is_name) && !after.is_some_and(is_name)
    })
}

fn mentions(text: &str, name: &str) -> bool {
    words_like(text, name).next().is_some()
}

/// Words before the names of variables that they set.
const SETTERS: &[&str] = &["for", "getopts", "mapfile", "read", "readarray", "select", "-v"];

/// The variables that a text sets, as far as its letters tell.
fn set_in(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for (at, _) in text.match_indices('=') {
        let before = text.get(..at).unwrap_or_default().trim_end_matches('+');
        let name = before.rsplit(|letter| !is_name(letter)).next().unwrap_or_default();
        if name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
            names.push(name);
        }
    }
    let mut setting = false;
    for word in text.split(|letter: char| letter.is_whitespace() || ";|&()<>\"'".contains(letter)) {
        if setting && !word.is_empty() && word.chars().all(is_name) {
            names.push(word);
        }
        setting = SETTERS.contains(&word) || setting && (word.starts_with('-') || word.chars().all(is_name));
    }
    names
}
