//! Forges and other version control: gh, glab, svn, hg.

use doorward_core::intent::{Direction, RecoverableBy, WriteMode};

use super::call::Call;
use super::row::Nature;
use super::word;

pub(in crate::programs) fn forge(call: &mut Call<'_>) {
    let words: Vec<String> = call
        .operands
        .iter()
        .filter(|word| !word.text.starts_with('-'))
        .map(|word| word.text.clone())
        .collect();
    let (noun, verb) = (
        words.first().map(String::as_str).unwrap_or_default(),
        words.get(1).map(String::as_str).unwrap_or_default(),
    );
    let host = if call.program == "glab" { "gitlab.com" } else { "api.github.com" };
    match (noun, verb) {
        ("" | "version" | "help" | "completion" | "status", _)
        | ("auth", "status")
        | ("config", "get" | "list")
        | ("alias" | "extension", "list") => {
            if noun != "status" && noun != "auth" || verb == "status" {
                call.nature = Nature::Reads;
            }
            if call.operands.iter().any(|word| matches!(word.text.as_str(), "--show-token" | "-t"))
                && noun == "auth"
            {
                call.secret("prints the forge's token");
            }
            return;
        }
        ("auth", "token") | ("config", "get-token") => return call.secret("prints the forge's token"),
        ("auth", _) => return,
        ("alias", "set") => {
            if let Some(text) = call.operands.iter().skip(3).find(|word| word.text.starts_with('!')).cloned()
                && let Some(text) = word::after(&text, "!")
            {
                call.run_shell(text);
            }
            return;
        }
        ("extension", "install" | "upgrade" | "exec") => {
            return call.finding("shell.remote_code", "installs or runs an extension");
        }
        ("codespace", "ssh") => {
            call.contact_named("github.com", "ssh", Direction::Both);
            let at = call.operands.iter().position(|word| word.text == "--").map_or(usize::MAX, |at| at + 1);
            if let Some(text) = word::join(&call.operands_from(at)) {
                call.run_shell_in(
                    text,
                    Vec::new(),
                    doorward_core::intent::Place::Remote("codespace".to_owned()),
                );
            }
            return;
        }
        _ => {}
    }
    let mut body = Vec::new();
    for (at, word) in call.operands.clone().iter().enumerate() {
        let file = match word.text.as_str() {
            "-F" | "--body-file" | "--input" | "--notes-file" | "--description-file" | "--env-file" => call
                .operand(at + 1)
                .filter(|value| noun != "api" || word.text == "--input" || value.text.contains("=@")),
            _ => None,
        };
        if let Some(file) = file {
            let file = word::halves(&file, '@').map_or(file, |(_, file)| file);
            body.push(file.text.clone());
            call.read(&file);
        }
    }
    let reads = matches!(
        verb,
        "list"
            | "view"
            | "status"
            | "diff"
            | "checks"
            | "ls"
            | "show"
            | "watch"
            | "get"
            | "search"
            | "browse"
            | "trace"
            | "lint"
    ) || matches!(noun, "search" | "browse");
    let method = call
        .operands
        .iter()
        .enumerate()
        .find(|(_, word)| matches!(word.text.as_str(), "-X" | "--method"))
        .and_then(|(at, _)| call.operand(at + 1))
        .map(|method| method.text.to_ascii_uppercase());
    let fields = call
        .operands
        .iter()
        .any(|word| matches!(word.text.as_str(), "-f" | "-F" | "--field" | "--raw-field" | "--input"));
    let api_sends = noun == "api"
        && (method.as_deref().is_some_and(|method| method != "GET") || method.is_none() && fields);
    let fetches = reads
        || noun == "api" && !api_sends
        || matches!(verb, "clone" | "checkout" | "download" | "sync" | "fork");
    call.contact_named(host, "https", if fetches { Direction::Fetch } else { Direction::Both });
    if let Some(host) = call.deeds.hosts.last_mut() {
        host.body_from = body;
    }
    let deletes = matches!(verb, "delete" | "remove" | "archive" | "rename" | "transfer" | "disable")
        || method.as_deref() == Some("DELETE");
    if deletes {
        call.finding(
            "shell.history_loss",
            format!("`{} {noun} {verb}` takes away what others use", call.program),
        );
    } else if matches!(
        (noun, verb),
        ("repo", "edit")
            | ("secret" | "variable" | "ssh-key" | "gpg-key" | "deploy-key", "set" | "add")
            | ("repo", "deploy-key")
    ) || call.operands.iter().any(|word| word.text == "--admin")
    {
        call.finding("shell.privilege", "changes who may do what on the forge");
    } else if noun == "gist" && verb == "create" {
        for file in call.operands.clone().iter().skip(2).filter(|word| !word.text.starts_with('-')) {
            call.read(file);
        }
        call.finding("shell.upload", "publishes files");
    } else if noun == "release" && matches!(verb, "create" | "upload") {
        for file in call.operands.clone().iter().skip(3).filter(|word| !word.text.starts_with('-')) {
            call.read(file);
        }
        call.finding("shell.upload", "publishes files");
    }
}

pub(in crate::programs) fn svn(call: &mut Call<'_>) {
    let words = call.operands.clone();
    let verb = words
        .iter()
        .find(|word| !word.text.starts_with('-'))
        .map(|verb| verb.text.clone())
        .unwrap_or_default();
    let urls: Vec<_> = words.iter().filter(|word| word.text.contains("://")).cloned().collect();
    for pair in words.windows(2) {
        if let [option, value] = pair
            && matches!(option.text.as_str(), "--editor-cmd" | "--diff-cmd" | "--diff3-cmd" | "--merge-tool")
        {
            call.run_shell(value.clone());
        }
    }
    let sends = matches!(
        verb.as_str(),
        "delete"
            | "del"
            | "remove"
            | "rm"
            | "mkdir"
            | "copy"
            | "cp"
            | "move"
            | "mv"
            | "commit"
            | "ci"
            | "import"
            | "lock"
            | "unlock"
            | "propset"
            | "setrevprop"
    );
    for url in &urls {
        call.contact(url, "svn", if sends { Direction::Send } else { Direction::Fetch }, Vec::new());
    }
    match verb.as_str() {
        "delete" | "del" | "remove" | "rm" => {
            if urls.is_empty() {
                for path in
                    words.iter().skip(1).filter(|word| !word.text.starts_with('-') && word.text != verb)
                {
                    call.delete(path, true, false);
                }
            } else {
                call.loses("a folder of the repository", RecoverableBy::Remote);
            }
        }
        "revert" | "cleanup" => call.loses("uncommitted changes", RecoverableBy::None),
        "status" | "st" | "stat" | "diff" | "di" | "info" | "help" | "--version" | "propget" | "proplist"
        | "tree" | "youngest" | "" => call.nature = Nature::Reads,
        "log" | "blame" | "praise" | "annotate" | "cat" | "list" | "ls" | "update" | "up" | "checkout"
        | "co" | "export" | "switch" | "sw" | "merge"
            if urls.is_empty() =>
        {
            call.contact_remote("origin", "svn", Direction::Fetch);
        }
        "commit" | "ci" => call.contact_remote("origin", "svn", Direction::Send),
        _ => {}
    }
}

pub(in crate::programs) fn hg(call: &mut Call<'_>) {
    for pair in call.operands.clone().windows(2) {
        if let [option, value] = pair
            && option.text == "--config"
            && let Some((name, text)) = word::halves(value, '=')
        {
            if name.text.starts_with("hooks.")
                || name.text.starts_with("alias.")
                || matches!(name.text.as_str(), "ui.editor" | "ui.ssh" | "ui.merge" | "pager.pager")
            {
                let text = word::after(&text, "!").unwrap_or(text);
                call.run_shell(text);
            } else if name.text.starts_with("extensions.") {
                call.run_file(&text, "python", Vec::new());
            }
        }
    }
    let verb = call
        .operands
        .iter()
        .find(|word| !word.text.starts_with('-') && !word.text.contains('='))
        .map(|verb| verb.text.clone())
        .unwrap_or_default();
    match verb.as_str() {
        "status" | "st" | "log" | "diff" | "summary" | "heads" | "tip" | "branches" | "tags"
        | "bookmarks" | "paths" | "root" | "files" | "annotate" | "blame" | "cat" | "identify" | "id"
        | "version" | "manifest" | "parents" | "grep" | "locate" | "help" | "" => call.nature = Nature::Reads,
        "revert" | "purge" | "strip" | "rollback" | "histedit" | "shelve-delete" => {
            call.loses("changes", RecoverableBy::None)
        }
        "update" | "up" | "checkout" | "co"
            if call.operands.iter().any(|word| matches!(word.text.as_str(), "-C" | "--clean")) =>
        {
            call.loses("uncommitted changes", RecoverableBy::None)
        }
        "push" | "pull" | "clone" | "incoming" | "in" | "outgoing" | "out" | "fetch" => {
            let direction = if verb == "push" { Direction::Send } else { Direction::Fetch };
            match call.operands.iter().find(|word| word.text.contains("://")).cloned() {
                Some(url) => call.contact(&url, "hg", direction, Vec::new()),
                None => call.contact_remote("default", "hg", direction),
            }
            if verb == "push"
                && call.operands.iter().any(|word| matches!(word.text.as_str(), "-f" | "--force"))
            {
                call.loses("what the remote held", RecoverableBy::Remote);
            }
        }
        "bundle" | "export" | "archive" => {
            if let Some(file) = call.operands.last().cloned() {
                call.write(&file, WriteMode::Create);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn forges() {
        check(&[
            ("gh pr list", "fetch api.github.com; plain"),
            ("gh pr create --title x --body 'rm -rf /'", "both api.github.com; plain"),
            ("gh auth token", "secret_read"),
            ("gh repo delete x --yes", "both api.github.com; history_loss"),
            ("glab repo delete acme/app", "both gitlab.com; history_loss"),
            ("gh api -X DELETE /repos/x", "both api.github.com; history_loss"),
            ("svn delete -m x https://svn.example.net/trunk", "send svn.example.net; loses remote"),
            ("svn status", "read-only"),
            ("hg log", "read-only"),
        ]);
    }
}
