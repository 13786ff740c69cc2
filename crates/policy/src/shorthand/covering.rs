//! Whether allow rules cover all of a call: each command, each redirection, and what hides behind a wrapper.

use doorward_core::effect::{HostEffect, Inspected, Scope};
use doorward_core::finding::Finding;
use doorward_core::intent::{Origin, SimpleCommand};
use doorward_core::risk::SecurityRisk;
use doorward_core::tool::CanonicalTool;

use super::glob::Places;
use super::{RuleSet, Subject, deletes, is_made_up};

impl RuleSet {
    /// Whether allow rules cover all of a call.
    pub(super) fn covers(&self, inspected: &Inspected, places: &Places) -> bool {
        let effects = &inspected.effects;
        if inspected.call.tool == CanonicalTool::Shell {
            return effects.unknown.is_empty()
                && !effects.executes.is_empty()
                && self.covers_redirections(inspected, places)
                && self.covers_all(inspected, places);
        }
        if self.allows(inspected).any(|subject| subject.is_tool(inspected)) {
            return true;
        }
        // Other tools are covered by their effects: there must be some, and rules must name all of them.
        let harmless = |scope: Scope| scope == Scope::Harmless;
        let read = |path: &str| {
            self.allows(inspected).any(|s| matches!(s, Subject::Reads(rule) if rule.allows(path, places)))
        };
        let edit = |path: &str| {
            self.allows(inspected).any(|s| matches!(s, Subject::Edits(rule) if rule.allows(path, places)))
        };
        let host = |host: &HostEffect| {
            self.allows(inspected).any(|s| matches!(s, Subject::Hosts(rule) if rule.admits(host)))
        };
        let some = !effects.reads.is_empty()
            || !effects.writes.is_empty()
            || !effects.deletes.is_empty()
            || !effects.hosts.is_empty();
        some && effects.unknown.is_empty()
            && effects.executes.is_empty()
            && effects.deletes.iter().all(|delete| self.names_delete(inspected, &delete.path, places))
            && effects.privilege.is_empty()
            && effects.installs.is_empty()
            && effects.history_loss.is_empty()
            && effects
                .reads
                .iter()
                .all(|one| harmless(one.scope) || read(&one.path) || edit_reads(effects, &one.path))
            && effects.writes.iter().all(|one| harmless(one.scope) || edit(&one.path))
            && effects.hosts.iter().all(host)
            && (!effects.network || !effects.hosts.is_empty())
    }

    /// Whether rules cover the effects that no rule about a program covers: files and hosts opened by redirections,
    /// and writes outside the roots or to protected names.
    fn covers_redirections(&self, inspected: &Inspected, places: &Places) -> bool {
        let edits = |path: &str| {
            self.allows(inspected).any(|s| matches!(s, Subject::Edits(rule) if rule.allows(path, places)))
        };
        let admits = |host: &HostEffect| {
            self.allows(inspected).any(|s| matches!(s, Subject::Hosts(rule) if rule.admits(host)))
        };
        let exact = |path: &str| {
            let last = path.rsplit('/').next().unwrap_or(path);
            inspected.effects.executes.iter().any(|command| {
                command.words.iter().skip(1).any(|word| word.ends_with(last))
                    && self
                        .allows(inspected)
                        .any(|s| matches!(s, Subject::Words(rule) if rule.is_exact() && rule.allows(command)))
            })
        };
        let at_home = |scope: Scope| matches!(scope, Scope::Inside | Scope::Scratch | Scope::Elsewhere);
        inspected.effects.writes.iter().all(|write| {
            let usual = !write.redirected && at_home(write.scope) && write.protection.is_none();
            usual
                || write.scope == Scope::Harmless
                || edits(&write.path)
                || !write.redirected && exact(&write.path)
        }) && inspected.effects.hosts.iter().all(|host| !host.redirected || admits(host))
    }

    /// Whether every simple command is covered. Read-only commands pass along with a covered one, unless its rule has
    /// `alone`.
    fn covers_all(&self, inspected: &Inspected, places: &Places) -> bool {
        let commands = &inspected.effects.executes;
        let by =
            |command: &SimpleCommand, alone: bool| self.covers_command(inspected, places, command, alone);
        commands.iter().all(|command| by(command, true))
            || commands.iter().all(|command| command.read_only || by(command, false))
                && commands.iter().any(|command| by(command, false))
    }

    fn covers_command(
        &self,
        inspected: &Inspected,
        places: &Places,
        command: &SimpleCommand,
        alone: bool,
    ) -> bool {
        let carried = !command.assignments.is_empty();
        if is_made_up(command) || carried || leaves_the_users_place(inspected, command) {
            return false;
        }
        if deletes::only_deletes(command) && self.names_deletes_of(inspected, command, places) {
            return true;
        }
        if self.task_covers_writes(inspected, places, command) {
            return true;
        }
        self.allowing(inspected).filter(|rule| alone || !rule.source.alone).any(|rule| match &rule.subject {
            Subject::Words(rule) => {
                rule.allows(command)
                    && command.chooses.iter().all(|option| rule.names(option))
                    && (command.plain
                        || (command.plain_upload && rule.names_a_sub_command())
                        || (rule.program().is_some() && is_only_unlisted(inspected, command))
                        || (rule.is_exact() && writes_are_words(inspected, command)))
            }
            Subject::Tool(CanonicalTool::Shell) => command.plain && command.chooses.is_empty(),
            _ => false,
        })
    }
}

/// Programs that run a command as another user, with other privileges, on another machine, in other namespaces, or
/// beyond the end of the session.
const ELSEWHERE: &[&str] = words! {
    "at" "batch" "bwrap" "capsh" "chpst" "chroot" "daemonize" "distrobox" "distrobox-enter" "doas"
    "docker" "fakechroot" "firejail" "flatpak-spawn" "gosu" "ip" "jexec" "kubectl" "lxc" "lxc-attach"
    "machinectl" "nerdctl" "newgrp" "nsenter" "pkexec" "podman" "proot" "run0" "runuser" "setpriv"
    "setuidgid" "sg" "ssh" "start-stop-daemon" "su" "su-exec" "sudo" "systemd-nspawn" "systemd-run"
    "toolbox" "unshare" "vagrant" "wsl"
};

/// Whether a command runs through one of [`ELSEWHERE`], or through any wrapper in a call that changes privileges or
/// makes something persistent. An allow rule covers a command only where the user would run it: `shell(npm test)`
/// doesn't cover `sudo npm test`.
fn leaves_the_users_place(inspected: &Inspected, command: &SimpleCommand) -> bool {
    let is_elsewhere = |wrapper: &String| {
        let program = wrapper.split(' ').next().unwrap_or_default();
        ELSEWHERE.contains(&program.rsplit('/').next().unwrap_or(program))
    };
    let raised = || {
        let codes = inspected.findings.iter().map(|finding| finding.code.as_ref());
        codes.into_iter().any(|code| matches!(code, "shell.privilege" | "shell.persistence"))
    };
    command.via.iter().any(is_elsewhere) || (!command.via.is_empty() && raised())
}

/// Whether the only objection to a command is that Doorward doesn't know its program. A user who names the program in
/// an allow rule knows it, which settles the question. Not settled: programs started by another one, words known only
/// at run time, a program named by its path, and any other finding.
fn is_only_unlisted(inspected: &Inspected, command: &SimpleCommand) -> bool {
    let is_about_it = |finding: &Finding| {
        finding.span.is_none_or(|span| span.start < command.span.end && command.span.start < span.end)
    };
    let is_settled = |finding: &Finding| match finding.risk {
        None | Some(SecurityRisk::Low) => true,
        Some(SecurityRisk::Medium) => finding.code == "shell.unknown_program" || !is_about_it(finding),
        Some(SecurityRisk::High | SecurityRisk::Unknown) => false,
    };
    command.unlisted
        && command.depth == 0
        && command.via.is_empty()
        && command.unknown_words.is_empty()
        && matches!(command.origin, Origin::Literal)
        && command.words.first().is_some_and(|program| !program.contains('/'))
        && inspected.findings.iter().all(is_settled)
}

/// An edit also reads the file that it changes; a rule that allows the edit allows this read.
fn edit_reads(effects: &doorward_core::effect::Effects, path: &str) -> bool {
    effects.writes.iter().any(|write| write.path == path)
}

/// An exact rule names its operands, so writes to them are approved. Redirections aren't among the words.
fn writes_are_words(inspected: &Inspected, command: &SimpleCommand) -> bool {
    let named = |path: &str| {
        let last = path.rsplit('/').next().unwrap_or(path);
        command.words.iter().skip(1).any(|word| word.ends_with(last))
    };
    inspected
        .effects
        .writes
        .iter()
        .filter(|write| write.scope != Scope::Harmless)
        .all(|write| named(&write.path))
        && inspected.effects.deletes.iter().all(|delete| named(&delete.path))
}
