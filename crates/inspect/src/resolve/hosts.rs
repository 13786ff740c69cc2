//! Hosts that a call contacts, judged and weighed.

use doorward_core::effect::{HostClass, HostEffect};
use doorward_core::finding::Finding;
use doorward_core::intent::{Direction, Form, HostIntent, Span};

use super::Resolve;
use crate::risk::{FETCHES, HOSTS, Host};
use crate::tools::CallKind;

impl Resolve<'_, '_> {
    /// Whether this machine is the only one that is contacted.
    pub(super) fn stays_here(&self) -> bool {
        let hosts = &self.effects.hosts;
        !hosts.is_empty() && hosts.iter().all(|host| host.class == HostClass::Loopback)
    }

    /// The whole environment goes to another machine, which is worse than that it is read, or that something is sent.
    pub(super) fn environment_leaves(&mut self, reaches_host: bool, span: Span) {
        let is_told = |finding: &Finding| finding.code == "shell.env_upload";
        let sends = |host: &&HostEffect| {
            matches!(host.direction, Direction::Send | Direction::Both)
                && !matches!(host.class, HostClass::Loopback | HostClass::Allowed)
        };
        let Some(host) = self.effects.hosts.iter().find(sends).filter(|_| reaches_host) else { return };
        if self.tally.findings.iter().any(is_told) {
            return;
        }
        let name = if host.host.is_empty() { "a host that is only known when it runs" } else { &host.host };
        let message = format!("Sends all environment variables to {name}. They often hold secrets.");
        self.tally.tell(Finding::new("shell.env_upload", message).at(span));
    }

    pub(super) fn host(&mut self, host: &HostIntent) {
        let configured = host.configured_remote.as_ref();
        let (name, port, scheme, class, code) = match (&host.url, configured) {
            (Some(url), _)
                if !url.contains('…') && (url.contains("://") || host.scheme.starts_with("http")) =>
            {
                // `curl example.com/x` has no scheme; the program's own is what it means.
                let whole =
                    if url.contains("://") { url.clone() } else { format!("{}://{url}", host.scheme) };
                // A program takes a login in its URL; whoever fetches for an agent refuses one.
                let fetches = matches!(self.manner, CallKind::Net | CallKind::Mcp);
                let meant = if fetches { whole } else { without_login(&whole) };
                let judged = self.hosts.judge_url(&meant);
                (judged.host, judged.port.or(host.port), judged.scheme, judged.class, judged.code)
            }
            (_, Some(remote)) if host.host.is_empty() || host.host == "…" => self.remote(remote, host),
            _ if host.form != Form::Literal || host.host == "…" || host.host.is_empty() => {
                (host.host.clone(), host.port, host.scheme.clone(), HostClass::Unknown, None)
            }
            _ => {
                let (class, code) = self.hosts.judge_host(&host.host, host.port, &host.scheme);
                (host.host.clone(), host.port, host.scheme.clone(), class, code)
            }
        };
        let new_remote = match configured {
            Some(remote) => {
                self.ground.session.remotes_added.contains(remote) || self.added_here.contains(remote)
            }
            None => is_push(host),
        };
        let sends = matches!(host.direction, Direction::Send | Direction::Both);
        self.bodies.extend(host.body_from.iter().cloned());
        let effect = HostEffect {
            host: name.clone(),
            port,
            scheme,
            direction: host.direction,
            class,
            code: code.clone(),
            configured: configured.is_some() && !new_remote,
            redirected: host.redirected,
            span: host.span,
        };
        self.stranger |= !matches!(class, HostClass::Allowed) && host.direction != Direction::Listen;
        let case = Host {
            sends_content: sends && !host.body_from.is_empty(),
            raw_socket: matches!(host.scheme.as_str(), "tcp" | "udp"),
            new_remote: new_remote && sends,
            effect,
        };
        let table = if matches!(self.manner, CallKind::Net | CallKind::Mcp) { FETCHES } else { HOSTS };
        self.tally.weigh(table, &case, &name, host.span, code.as_deref());
        // Whatever else is wrong with the host: what was sent there can't be taken back.
        if self.manner == CallKind::Command
            && case.sends_content
            && matches!(case.effect.class, HostClass::Private | HostClass::Refused)
        {
            let message = format!("Sends data to {name}, which your settings do not list.");
            self.tally.tell(Finding::new("shell.upload", message).at(host.span));
        }
        self.effects.hosts.push(case.effect);
    }

    /// A remote by name: what the repository's config says, else that it is configured.
    fn remote(
        &self,
        remote: &str,
        host: &HostIntent,
    ) -> (String, Option<u16>, String, HostClass, Option<String>) {
        let Ok(url) = self.ground.world.remote_url(&self.ground.call.cwd, remote) else {
            return (format!("remote:{remote}"), None, host.scheme.clone(), HostClass::Unknown, None);
        };
        // `git@host:path` has no scheme.
        let spelled = match url.split_once("://") {
            Some(_) => url,
            None if url.starts_with(['/', '.']) => {
                return ("localhost".to_owned(), None, "file".to_owned(), HostClass::Loopback, None);
            }
            None => format!("ssh://{}", url.replacen(':', "/", 1)),
        };
        let judged = self.hosts.judge_url(&spelled);
        (judged.host, judged.port, judged.scheme, judged.class, judged.code)
    }
}

/// A URL without the login it carries for its own host (`https://user:token@host/`). One that could be taken for a host
/// itself (`https://github.com@evil.example/`) stays, and is refused.
fn without_login(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len()));
    match authority.rsplit_once('@') {
        Some((login, host)) if !login.contains('@') => {
            let user = login.split_once(':').map_or(login, |(user, _)| user);
            if user.contains('.') { url.to_owned() } else { format!("{scheme}://{host}{path}") }
        }
        _ => url.to_owned(),
    }
}

/// A push given by URL: no configured remote, and bytes go out through git.
fn is_push(host: &HostIntent) -> bool {
    matches!(host.direction, Direction::Send) && host.scheme.starts_with("git")
}
