//! Settings of the network, tunnels, mail, directories and object stores.

use doorward_core::intent::Direction;

use crate::deed::Word;
use crate::programs::call::Call;
use crate::programs::url;

use super::*;

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
