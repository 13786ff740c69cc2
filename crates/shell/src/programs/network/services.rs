//! Settings of the network, tunnels, mail, directories and object stores.

use doorward_core::intent::Direction;

use crate::deed::Word;
use crate::programs::call::Call;
use crate::programs::url;

use super::*;

/// Interfaces, routes, sockets: showing reads, changing needs privilege.
pub(in crate::programs) fn settings(call: &mut Call<'_>) {
    const CHANGES: &str = "add del delete set change replace flush up down append restore hw mtu \
        netmask exec connect disconnect reload modify import clone edit bind unbind unmanage dns \
        domain revert flush-caches reset-statistics -setdnsservers -setwebproxy -setv4off";
    let operands = call.operands.clone();
    let words: Vec<&str> = operands.iter().map(|word| word.text.as_str()).collect();
    let exec = words.iter().position(|word| *word == "exec").filter(|_| call.program == "ip");
    if let Some(at) = exec {
        call.privilege(PrivilegeKind::ContainerEscape, "runs inside a network namespace");
        let words = call.operands_from(at + 2);
        return call.run_argv(words);
    }
    let batch = call.program == "ip" && words.iter().any(|word| matches!(*word, "-b" | "-batch"));
    let kills = call.program == "ss" && words.iter().any(|word| matches!(*word, "-K" | "--kill"));
    let alters = match call.program.as_str() {
        "ip" | "tc" | "bridge" | "route" | "ifconfig" | "arp" | "nmcli" | "networkctl" | "resolvectl"
        | "iw" | "iwconfig" | "networksetup" | "scutil" => {
            words.iter().any(|word| CHANGES.split_ascii_whitespace().any(|own| own == *word))
                || call.program == "ifconfig"
                    && words.iter().filter(|word| !word.starts_with('-')).count() > 1
                || call.program == "arp" && words.iter().any(|word| matches!(*word, "-d" | "-s"))
        }
        "ethtool" => {
            words.iter().any(|word| matches!(*word, "-s" | "-K" | "-G" | "-A" | "-C" | "-E" | "--change"))
        }
        _ => false,
    };
    if alters || batch || kills {
        call.privilege(PrivilegeKind::Kernel, "changes network settings");
    }
    if call.program == "resolvectl"
        && words.first() == Some(&"query")
        && let Some(host) = call.operand(1)
    {
        call.contact(&host, "dns", Direction::Both, Vec::new());
    }
}

pub(in crate::programs) fn firewall(call: &mut Call<'_>) {
    let operands = call.operands.clone();
    let words: Vec<&str> = operands.iter().map(|word| word.text.as_str()).collect();
    let lists = words.iter().any(|word| {
        matches!(
            *word,
            "-L" | "--list"
                | "-S"
                | "--list-rules"
                | "list"
                | "status"
                | "--state"
                | "--list-all"
                | "--get-active-zones"
                | "show"
                | "-s"
                | "-n"
                | "-V"
                | "--version"
        )
    }) && !words.iter().any(|word| {
        matches!(
            *word,
            "-F" | "-A" | "-D" | "-I" | "-X" | "-Z" | "-P" | "flush" | "delete" | "add" | "--add-port" | "-f"
        )
    });
    if lists {
        call.nature = Nature::Reads;
        return;
    }
    call.privilege(PrivilegeKind::Kernel, "changes the firewall");
    let off = words.iter().any(|word| {
        matches!(
            *word,
            "-F" | "--flush" | "-X" | "flush" | "disable" | "reset" | "-d" | "stop" | "--panic-off"
        )
    });
    if off {
        call.finding("shell.tamper", "opens or switches off the firewall");
    }
}

pub(in crate::programs) fn mail(call: &mut Call<'_>) {
    let words = call.operands.clone();
    let mut iter = words.iter();
    let mut body = vec!["-".to_owned()];
    let mut to = Vec::new();
    while let Some(word) = iter.next() {
        match word.text.as_str() {
            "-a" | "-A" | "--attach" | "--body" => {
                if let Some(file) = iter.next() {
                    body.push(file.text.clone());
                    call.read(file);
                }
            }
            "-s" | "-c" | "-b" | "-r" | "-q" | "--header" | "-S" | "-F" | "--from" | "--server" => {
                iter.next();
            }
            "-t" | "-v" | "-n" | "-i" | "-N" | "-e" => {}
            text if text.contains('@') => to.push(word.clone()),
            _ => {}
        }
    }
    for address in to {
        let host = word::halves(&address, '@').map_or(address, |(_, host)| host);
        call.contact(&host, "smtp", Direction::Send, body.clone());
    }
    if call.deeds.hosts.is_empty() && !words.is_empty() {
        call.contact_unknown("smtp", Direction::Send);
    }
    if call.deeds.hosts.is_empty() {
        call.nature = Nature::Reads;
    }
}

pub(in crate::programs) fn directory(call: &mut Call<'_>) {
    let words = call.operands.clone();
    let mut iter = words.iter();
    let mut found = false;
    let mut sent: Vec<String> = Vec::new();
    while let Some(word) = iter.next() {
        match word.text.as_str() {
            "-h" | "-H" | "-S" | "-I" => {
                if let Some(host) = iter.next() {
                    found = true;
                    call.contact(host, "ldap", Direction::Both, Vec::new());
                }
            }
            "-f" | "-y" => {
                if let Some(file) = iter.next() {
                    call.read(file);
                }
            }
            "-c" if call.program == "smbclient" => {
                let Some(script) = iter.next() else { continue };
                for line in word::split(script, ';') {
                    if let Some(command) = word::after(&line, "!") {
                        call.run_shell(command);
                        continue;
                    }
                    let mut words = word::fields(&line).into_iter();
                    if matches!(words.next().map(|verb| verb.text).as_deref(), Some("put" | "mput" | "reput"))
                    {
                        words.for_each(|file| {
                            call.read(&file);
                            sent.push(file.text);
                        });
                        call.deeds.reads.iter_mut().for_each(|read| read.reaches_host = true);
                    }
                }
            }
            text if text.starts_with("//") || text.contains("://") => {
                found = true;
                let host = word::instead(word, text.trim_start_matches("//").to_owned());
                call.contact(&host, "smb", Direction::Both, Vec::new());
            }
            _ => {}
        }
    }
    if !sent.is_empty() {
        call.deeds.hosts.iter_mut().for_each(|host| host.body_from.clone_from(&sent));
    }
    if matches!(call.program.as_str(), "smbstatus" | "nfsstat" | "wbinfo") {
        call.nature = Nature::Reads;
        return;
    }
    if !found {
        call.contact_unknown("ldap", Direction::Both);
    }
    match call.program.as_str() {
        "ldapdelete" => call.finding("shell.data_loss", "deletes entries of a directory"),
        "ldapadd" | "ldapmodify" | "kadmin" => call.finding("shell.infra", "changes entries of a directory"),
        _ => {}
    }
}

/// Object stores: the verb says which way, `rm` and kin lose data.
pub(in crate::programs) fn store(call: &mut Call<'_>) {
    let words: Vec<Word> = call.operands.iter().filter(|word| !word.text.starts_with('-')).cloned().collect();
    let verb = words.first().map(|verb| verb.text.clone()).unwrap_or_default();
    let is_store = |path: &Word| path.text.contains("://") || call_is_mc_path(&path.text);
    let target = words.last().cloned();
    let sends = target.as_ref().is_some_and(|target| words.len() > 2 && is_store(target));
    let mut body = Vec::new();
    for path in words.iter().skip(1) {
        if is_store(path) {
            continue;
        }
        if sends {
            body.push(path.text.clone());
            call.read(path);
        } else if words.len() > 2 && Some(path) == words.last() {
            call.download(path);
        }
    }
    for path in words.iter().skip(1).filter(|path| is_store(path)) {
        call.contact(path, "s3", if sends { Direction::Send } else { Direction::Fetch }, body.clone());
    }
    match verb.as_str() {
        "ls" | "la" | "info" | "du" | "cat" | "stat" | "head" | "version" | "tree" | "find" => {}
        "rm" | "del" | "rb" | "mb" if verb != "mb" => {
            call.finding("shell.data_loss", "deletes in an object store")
        }
        "setpolicy" | "setacl" | "iam" | "acl" | "anonymous" | "policy" | "accesslog" => {
            call.finding("shell.infra", "changes who may use a store")
        }
        _ => {}
    }
}

pub(in crate::programs) fn call_is_mc_path(text: &str) -> bool {
    url::is_remote(text)
}
