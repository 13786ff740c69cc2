//! ssh and what rides on it: remote commands, copies, tunnels, keys.

use doorward_core::intent::{Below, Direction, Place, WriteMode};
use doorward_knowledge::row::Nature;

use crate::deed::{Run, StdinRole, Word};

use super::call::Call;
use super::{url, word};

pub(in crate::programs) fn sftp(call: &mut Call<'_>) {
    if let Some(target) = call.operand(0) {
        remote(call, &target, Direction::Both);
    }
    batch(call);
}

/// What an sftp batch on standard input sends, fetches and runs.
fn batch(call: &mut Call<'_>) {
    let crate::deed::Stdin::Known { text, span } = call.argv.stdin.clone() else { return };
    for line in text.lines().take(256) {
        let line = line.trim().trim_start_matches(['-', '@']);
        if let Some(command) = line.strip_prefix('!') {
            call.run_shell(Word::literal(command, span));
            continue;
        }
        let mut words = line.split_ascii_whitespace();
        let verb = words.next().unwrap_or_default();
        let files: Vec<Word> =
            words.filter(|word| !word.starts_with('-')).map(|word| Word::literal(word, span)).collect();
        let Some(file) = files.first() else { continue };
        match verb {
            "put" | "mput" | "reput" => {
                call.read(file);
                if let Some(read) = call.deeds.reads.last_mut() {
                    read.reaches_host = true;
                }
                if let Some(host) = call.deeds.hosts.last_mut() {
                    host.body_from.push(file.text.clone());
                }
            }
            "get" | "mget" | "reget" => {
                let name = file.text.rsplit('/').next().unwrap_or_default().to_owned();
                let target = files.get(1).cloned().unwrap_or_else(|| Word::literal(name, span));
                call.download(&target);
            }
            _ => {}
        }
    }
}

/// A setting of the whole family, `-o NAME=VALUE`.
pub(super) fn setting(call: &mut Call<'_>, option: &Word) {
    let Some((name, value)) = word::halves(option, '=').or_else(|| word::halves(option, ' ')) else { return };
    match name.text.trim().to_ascii_lowercase().as_str() {
        "proxycommand" | "localcommand" | "knownhostscommand" | "ssh_command"
            if value.text.trim() != "none" =>
        {
            call.run_shell(value);
        }
        "match" => {
            if let Some((_, text)) = value.text.split_once("exec ") {
                let text = word::instead(&value, text.trim_matches('"').to_owned());
                call.run_shell(text);
            }
        }
        "pkcs11provider" | "securitykeyprovider" if !matches!(value.text.trim(), "none" | "internal") => {
            call.run_native(&value);
        }
        "xauthlocation" | "include" => call.run_file(&value, "", Vec::new()),
        "stricthostkeychecking" if matches!(value.text.as_str(), "no" | "off") => {
            call.beyond_plain = true;
        }
        "localforward" | "remoteforward" | "dynamicforward" => {
            tunnel(call, &value, name.text.to_ascii_lowercase().starts_with('r'));
        }
        "proxyjump" => jump(call, &value),
        _ => {}
    }
}

fn jump(call: &mut Call<'_>, hops: &Word) {
    for hop in word::split(hops, ',') {
        call.contact(&hop, "ssh", Direction::Both, Vec::new());
    }
}

/// `[bind:]port:host:hostport`, or a bare port for a SOCKS proxy.
fn tunnel(call: &mut Call<'_>, spec: &Word, reverse: bool) {
    call.beyond_plain = true;
    let parts: Vec<&str> = spec.text.split([':', ' ']).collect();
    let port = parts.iter().find_map(|part| part.parse().ok());
    if reverse {
        call.finding("shell.upload", "opens a way back from the other host");
    } else {
        call.listen("127.0.0.1", port, "ssh");
    }
}

fn remote(call: &mut Call<'_>, target: &Word, direction: Direction) -> String {
    let host = url::scp_host(&target.text).map(str::to_owned);
    let mut name = target.clone();
    if !target.text.contains("://")
        && let Some(host) = &host
    {
        name.text.clone_from(host);
    }
    call.contact(&name, "ssh", direction, Vec::new());
    call.deeds.hosts.last().map(|host| host.host.clone()).unwrap_or_default()
}

pub(in crate::programs) fn ssh(call: &mut Call<'_>) {
    for (name, reverse) in [("-L", false), ("-D", false), ("-R", true)] {
        for spec in call.values(name) {
            tunnel(call, &spec, reverse);
        }
    }
    if let Some(program) = call.value("-S").filter(|program| program.text.contains('|')) {
        call.run_shell(program);
    }
    if let Some(hops) = call.value("-J") {
        jump(call, &hops);
    }
    if call.any(&["-V", "-Q", "-G"]) {
        call.nature = Nature::Reads;
        return;
    }
    let mut operands = call.operands.clone();
    // Options may stand behind the host too.
    let Some(host) = (!operands.is_empty()).then(|| operands.remove(0)) else { return };
    let name = remote(call, &host, Direction::Both);
    if let (Some(port), Some(last)) =
        (call.value("-p").and_then(|port| port.text.parse().ok()), call.deeds.hosts.last_mut())
    {
        last.port = Some(port);
    }
    let words = late_options(call, operands);
    let place = Place::Remote(name);
    if let Some(text) = word::join(&words) {
        call.run(Run::Shell { text, args: Vec::new(), via: "ssh".to_owned(), place });
        call.deeds.stdin = StdinRole::Sent;
    } else if !call.has("-N") {
        // What arrives on standard input is run by the remote shell.
        call.deeds.stdin = StdinRole::Sent;
        if !matches!(call.argv.stdin, crate::deed::Stdin::Inherited) {
            call.run(Run::Stdin {
                code: doorward_core::intent::Code::Shell,
                via: "ssh".to_owned(),
                place,
                args: Vec::new(),
            });
        }
    }
}

/// Options behind the host are read like those in front of it; the rest is the remote command.
fn late_options(call: &mut Call<'_>, operands: Vec<Word>) -> Vec<Word> {
    let Some(row) = super::lookup("ssh") else { return operands };
    let parsed = super::parse::parse(&operands, row);
    for given in &parsed.given {
        if let (Some(role), Some(value)) = (given.role, &given.value) {
            call.apply(role, value);
        }
    }
    call.given.extend(parsed.given);
    parsed.operands
}

pub(in crate::programs) fn scp(call: &mut Call<'_>) {
    copy_across(call, "ssh");
}

/// Copies where either side may be on another host.
fn copy_across(call: &mut Call<'_>, scheme: &str) {
    let mut operands = call.operands.clone();
    let Some(target) = operands.pop() else { return };
    if operands.is_empty() {
        // One operand: a listing.
        if url::is_remote(&target.text) {
            remote(call, &target, Direction::Fetch);
        }
        return;
    }
    let local: Vec<Word> = operands.iter().filter(|source| !url::is_remote(&source.text)).cloned().collect();
    for source in &operands {
        if url::is_remote(&source.text) {
            remote(call, source, Direction::Fetch);
        } else {
            let whole = call.any(&["-r", "-a", "-R", "--recursive", "--archive"]);
            call.read_below(source, if whole { Below::Everything } else { Below::Nothing });
        }
    }
    let _ = scheme;
    if url::is_remote(&target.text) {
        remote(call, &target, Direction::Send);
        if let Some(host) = call.deeds.hosts.last_mut() {
            host.body_from = local.iter().map(|source| source.text.clone()).collect();
        }
        for read in &mut call.deeds.reads {
            read.reaches_host = true;
        }
    } else {
        let from_network = local.len() < operands.len();
        let into =
            operands.len() > 1 || target.text.ends_with('/') || matches!(target.text.as_str(), "." | "..");
        for source in &operands {
            let mut name = source.clone();
            name.text = source.text.rsplit([':', '/']).next().unwrap_or_default().to_owned();
            let at = super::copying::lands_at(&name, &target, into);
            if from_network { call.download(&at) } else { call.write(&at, WriteMode::Create) }
        }
    }
}

pub(in crate::programs) fn rsync(call: &mut Call<'_>) {
    if call.has("-n") || call.has("--list-only") {
        call.nature = Nature::Reads;
        for path in call.operands.clone() {
            if url::is_remote(&path.text) {
                remote(call, &path, Direction::Fetch);
            } else {
                call.look(&path);
            }
        }
        return;
    }
    for mode in call.values("--chmod") {
        for part in word::split(&mode, ',') {
            let bits = part.text.trim_start_matches(['D', 'F']).to_owned();
            super::coreutils::judge_mode(call, &word::instead(&part, bits));
        }
    }
    let operands = call.operands.clone();
    copy_across(call, "rsync");
    call.nature = Nature::Named;
    let deletes = call.given.iter().any(|given| given.name.starts_with("--delete"));
    if deletes
        && operands.len() > 1
        && let Some(target) = operands.last()
    {
        call.beyond_plain = true;
        if url::is_remote(&target.text) {
            call.finding("shell.data_loss", "deletes files on another host");
        } else {
            call.delete(target, true, true);
        }
    }
    if call.has("--remove-source-files") {
        for source in operands.iter().rev().skip(1).filter(|source| !url::is_remote(&source.text)) {
            call.delete(source, true, true);
        }
    }
}

/// A place in a store that rclone's own settings name: its name is no host.
fn stored(call: &mut Call<'_>, path: &Word, direction: Direction, body: Vec<String>) {
    call.contact_unknown("https", direction);
    if let Some(host) = call.deeds.hosts.last_mut() {
        host.host = format!("store {}", path.text.split(':').next().unwrap_or_default());
        host.body_from = body;
    }
}

pub(in crate::programs) fn rclone(call: &mut Call<'_>) {
    let words: Vec<Word> = call.operands.iter().filter(|word| !word.text.starts_with('-')).cloned().collect();
    let verb = words.first().map(|verb| verb.text.clone()).unwrap_or_default();
    let is_remote = |path: &Word| path.text.contains(':') && !path.text.starts_with(['/', '.']);
    let (first, second) = (words.get(1).cloned(), words.get(2).cloned());
    match verb.as_str() {
        "version" | "help" | "listremotes" => call.nature = Nature::Reads,
        "ls" | "lsd" | "lsl" | "lsf" | "lsjson" | "size" | "about" | "tree" | "cat" | "check" | "md5sum"
        | "sha1sum" | "hashsum" => {
            for path in words.iter().skip(1) {
                if is_remote(path) {
                    stored(call, path, Direction::Fetch, Vec::new())
                } else {
                    call.read(path)
                }
            }
        }
        "config" => call.secret("rclone's settings hold credentials"),
        "delete" | "purge" | "deletefile" | "rmdir" | "rmdirs" | "cleanup" | "dedupe" => match first {
            Some(path) if is_remote(&path) => {
                stored(call, &path, Direction::Both, Vec::new());
                call.finding("shell.data_loss", "deletes in a remote store");
            }
            Some(path) => call.delete(&path, true, true),
            None => {}
        },
        "copy" | "copyto" | "move" | "moveto" | "sync" | "bisync" | "copyurl" | "rcat" | "mkdir"
        | "touch" | "mount" | "serve" => {
            let Some(first) = first else { return };
            let target = second.clone().unwrap_or_else(|| first.clone());
            if is_remote(&first) {
                stored(call, &first, Direction::Fetch, Vec::new());
            } else if second.is_some() {
                call.read(&first);
            }
            if is_remote(&target) {
                let body = if is_remote(&first) { Vec::new() } else { vec![first.text.clone()] };
                stored(call, &target, Direction::Send, body);
            } else {
                call.download(&target);
            }
            if matches!(verb.as_str(), "sync" | "bisync") {
                if is_remote(&target) {
                    call.finding("shell.data_loss", "makes a remote store equal, deleting what is extra")
                } else {
                    call.delete(&target, true, true)
                }
            }
        }
        _ => {
            let word = words.first().cloned().unwrap_or_default();
            call.unknown_sub(&word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn other_hosts_are_contacted_and_run_commands() {
        check(&[
            ("ssh h ls -la", "both h; sh ls -la"),
            ("ssh -p 2222 -o StrictHostKeyChecking=no u@h 'rm -rf x'", "both h:2222; sh rm -rf x"),
            ("ssh -o ProxyCommand='touch x' h", "both h; sh touch x"),
            ("ssh h -o ProxyCommand='touch x'", "both h; sh touch x"),
            ("ssh -L 8080:localhost:80 h", "listen 127.0.0.1:8080; both h"),
            ("scp a h:b", "read a; send h <a"),
            ("scp h:b a", "download a; fetch h"),
            ("rsync -a src/ dst/", "read src/; create dst/; plain"),
            ("rsync -a --delete src/ dst/", "read src/; create dst/; delete-rf dst/"),
            ("rsync -e 'sh -c x' a h:b", "read a; send h <a; sh sh -c x"),
            ("rsync -a ~/.ssh/ u@h:k/", "read ~/.ssh/; send h <~/.ssh/"),
            ("ssh-keygen -t ed25519 -f k", "create k"),
        ]);
    }
}
