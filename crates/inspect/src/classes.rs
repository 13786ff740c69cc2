//! The rows of the mode matrix that a call falls into; the strictest answer of all rows counts.

use std::collections::BTreeSet;

use doorward_core::effect::{HostClass, HostEffect, Protection, SandboxFacts, Scope, Tri};
use doorward_core::mode::CallClass;
use doorward_core::risk::SecurityRisk;

use crate::place::Via;
use crate::resolve::Resolve;
use crate::tools::{CallKind, Mark};

/// Classes of a resolved call.
pub(crate) fn classes(
    resolved: &Resolve<'_, '_>,
    marks: &[Mark],
    sandbox: &SandboxFacts,
    trusted_read: bool,
) -> BTreeSet<CallClass> {
    let mut classes = BTreeSet::new();
    match resolved.manner {
        CallKind::Command => {
            classes.insert(shell_class(resolved));
        }
        CallKind::Code if !sandbox.verified => {
            classes.insert(CallClass::CodeWithoutSandbox);
        }
        // "Shell, other", whatever it does: the sandbox bounds it.
        CallKind::Code => {
            classes.insert(match shell_class(resolved) {
                CallClass::ShellReadOnly => CallClass::ShellOther,
                class => class,
            });
        }
        CallKind::Mcp => {
            classes.insert(if trusted_read { CallClass::McpReadOnlyTrusted } else { CallClass::McpOther });
        }
        CallKind::Plan => {
            classes.insert(CallClass::PlanControl);
        }
        CallKind::LeavePlan => {
            classes.insert(CallClass::LeavePlanOrModeUpward);
        }
        CallKind::Unknown => {
            classes.insert(CallClass::UnknownTool);
        }
        CallKind::Net if resolved.effects.hosts.is_empty() => {
            classes.insert(CallClass::NetPublic);
        }
        CallKind::Net | CallKind::Files => {}
    }
    paths(resolved, &mut classes);
    if matches!(resolved.manner, CallKind::Net | CallKind::Mcp) {
        classes.extend(
            resolved.effects.hosts.iter().filter(|host| is_fetched(host)).map(|host| host_class(host.class)),
        );
    }
    for mark in marks {
        classes.insert(match (mark.refused, mark.writes) {
            (true, _) => CallClass::PathEscape,
            (false, true) => CallClass::EditProtectedAsk,
            (false, false) => CallClass::ReadOutsideRootsOrSensitive,
        });
    }
    if classes.is_empty() {
        // Nothing fits: arguments that couldn't be read.
        classes.insert(CallClass::UnknownTool);
    }
    classes
}

fn shell_class(resolved: &Resolve<'_, '_>) -> CallClass {
    if resolved.effects.read_only {
        CallClass::ShellReadOnly
    } else if resolved.destructive || resolved.tally.risk == SecurityRisk::Unknown {
        CallClass::ShellDestructiveOrUnparseable
    } else if only_edits(resolved) {
        CallClass::EditInsideRoots
    } else {
        CallClass::ShellOther
    }
}

/// Programs that do nothing but make, move, copy and remove files.
const FILE_PROGRAMS: &[&str] = &["cp", "mkdir", "mv", "rm", "rmdir", "touch"];

/// Whether a command line is an edit inside the roots by other means: programs that only handle files, all of whose
/// effects are known and lie there, with nothing lost that isn't made again.
fn only_edits(resolved: &Resolve<'_, '_>) -> bool {
    let effects = &resolved.effects;
    let by_name = |words: &[String]| words.first().is_some_and(|name| FILE_PROGRAMS.contains(&name.as_str()));
    let inside = |scope: Scope| matches!(scope, Scope::Inside | Scope::Harmless);
    matches!(resolved.tally.risk, SecurityRisk::Low | SecurityRisk::Medium)
        && !effects.executes.is_empty()
        && effects.executes.iter().all(|command| by_name(&command.words) && command.unknown_words.is_empty())
        && effects.executes.iter().all(|command| command.via.is_empty() && command.assignments.is_empty())
        && effects.unknown.is_empty()
        && effects.hosts.is_empty()
        && !effects.network
        && effects.privilege.is_empty()
        && effects.history_loss.is_empty()
        && effects.installs.is_empty()
        && effects.reads.iter().all(|read| inside(read.scope) && !read.secret)
        && effects.writes.iter().all(|write| inside(write.scope) && write.protection.is_none())
        && effects.deletes.iter().all(|delete| inside(delete.scope) && delete.regenerable == Tri::Yes)
}

fn paths(resolved: &Resolve<'_, '_>, classes: &mut BTreeSet<CallClass>) {
    let command = resolved.ground.via == Via::Command;
    let files = resolved.manner == CallKind::Files;
    let code = |code: &str| resolved.tally.findings.iter().any(|finding| finding.code == code);
    for read in &resolved.effects.reads {
        match read.scope {
            Scope::Escape | Scope::Forbidden => {
                classes.insert(CallClass::PathEscape);
            }
            _ if read.secret && !read.metadata => {
                classes.insert(CallClass::ReadOutsideRootsOrSensitive);
            }
            Scope::Outside if !command => {
                classes.insert(CallClass::ReadOutsideRootsOrSensitive);
            }
            _ if files => {
                classes.insert(CallClass::ReadInsideRoots);
            }
            _ => {}
        }
    }
    if code("shell.secret_read") {
        classes.insert(CallClass::ReadOutsideRootsOrSensitive);
    }
    for write in &resolved.effects.writes {
        if let Some(class) = edit_class(write.scope, write.protection, command, files) {
            classes.insert(class);
        }
    }
    if files && code("path.secret") {
        classes.insert(CallClass::ReadOutsideRootsOrSensitive);
    }
    for delete in &resolved.effects.deletes {
        if let Some(class) = edit_class(delete.scope, delete.protection, command, false) {
            classes.insert(class);
        }
        if files {
            let made_again = delete.regenerable == Tri::Yes || delete.scope == Scope::Scratch;
            classes.insert(if made_again { CallClass::DeleteRegenerable } else { CallClass::DeleteOther });
        }
    }
}

fn edit_class(scope: Scope, protection: Option<Protection>, command: bool, files: bool) -> Option<CallClass> {
    match (protection, scope) {
        (Some(Protection::Own), _) => Some(CallClass::EditOwnFiles),
        (_, Scope::Escape | Scope::Forbidden) => Some(CallClass::PathEscape),
        (Some(Protection::Deny), _) if command => Some(CallClass::EditProtectedDenyCommand),
        (Some(Protection::Deny), _) => Some(CallClass::EditProtectedDenyFileTool),
        (Some(Protection::Ask), _) => Some(CallClass::EditProtectedAsk),
        (None, Scope::Outside | Scope::Unknown) => Some(CallClass::EditOutsideRoots),
        (None, _) => files.then_some(CallClass::EditInsideRoots),
    }
}

/// Whether a host is one that a tool fetches from. A database or a bare address of an inner network is one that a program
/// contacts: its finding says what it is, and no mode refuses it by itself.
fn is_fetched(host: &HostEffect) -> bool {
    const WEB: &[&str] = &["ftp", "http", "https", "ws", "wss"];
    WEB.contains(&host.scheme.as_str()) || !matches!(host.class, HostClass::Loopback | HostClass::Private)
}

const fn host_class(class: HostClass) -> CallClass {
    match class {
        HostClass::Allowed => CallClass::NetAllowlisted,
        HostClass::Public | HostClass::Unknown => CallClass::NetPublic,
        HostClass::Loopback | HostClass::Private | HostClass::Metadata | HostClass::Refused => {
            CallClass::NetPrivateOrLoopback
        }
    }
}
