//! curl and wget: what they fetch, send and write.

use doorward_core::intent::{Direction, WriteMode};

use crate::deed::{StdinRole, Word};
use crate::programs::call::Call;
use crate::programs::word;

use super::*;

pub(in crate::programs) fn is_header(text: &str) -> bool {
    text.starts_with('@')
}

/// A value that may be `@file`: the file, or `-` for standard input.
pub(in crate::programs) fn at_file(value: &Word) -> Option<Word> {
    word::after(value, "@")
}

pub(in crate::programs) fn curl(call: &mut Call<'_>) {
    if call.any(&["-V", "-M"]) || call.has("-h") && call.operands.is_empty() {
        call.nature = Nature::Reads;
        return;
    }
    let mut body: Vec<String> = Vec::new();
    let mut sends = false;
    let given = call.given.clone();
    for given in &given {
        let Some(value) = &given.value else { continue };
        match given.name {
            "-d" | "--data-binary" | "--json" => {
                sends = true;
                if let Some(file) = at_file(value) {
                    body.push(file.text.clone());
                    call.read(&file);
                }
            }
            "--data-urlencode" | "--variable" | "--url-query" => {
                sends |= given.name == "--data-urlencode";
                let file = at_file(value).or_else(|| {
                    word::halves(value, '@')
                        .filter(|(name, _)| !name.text.contains('='))
                        .map(|(_, file)| file)
                });
                if let Some(file) = file {
                    body.push(file.text.clone());
                    call.read(&file);
                }
            }
            "--data-raw" | "--form-string" => sends = true,
            "-F" => {
                sends = true;
                if let Some((_, value)) = word::halves(value, '=')
                    && let Some(file) = word::after(&value, "@").or_else(|| word::after(&value, "<"))
                {
                    let file = word::split(&file, ';').into_iter().next().unwrap_or(file);
                    for file in word::split(&file, ',') {
                        body.push(file.text.clone());
                        call.read(&file);
                    }
                }
            }
            "-T" => {
                sends = true;
                body.push(value.text.clone());
                call.read(value);
            }
            "-H" | "--proxy-header" => {
                if is_header(&value.text)
                    && let Some(file) = at_file(value)
                {
                    body.push(file.text.clone());
                    call.read(&file);
                }
            }
            "-b" if !value.text.contains('=') => {
                body.push(value.text.clone());
                call.read(value);
            }
            "-x" | "--socks4" | "--socks4a" | "--socks5" | "--socks5-hostname" => {
                call.contact(value, "http", Direction::Both, Vec::new())
            }
            "--unix-socket" | "--abstract-unix-socket" => {
                call.read(value);
                if value.text.contains("docker.sock")
                    || value.text.contains("containerd")
                    || value.text.contains("podman")
                {
                    call.privilege(PrivilegeKind::ContainerEscape, "talks to the container daemon's socket");
                }
            }
            // `%output{FILE}`, `%output{>>FILE}`: what follows is written there.
            "-w" => {
                for part in value.text.split("%output{").skip(1) {
                    let file = part.split('}').next().unwrap_or(part);
                    let mode = if file.starts_with(">>") { WriteMode::Append } else { WriteMode::Create };
                    let file = word::instead(value, file.trim_start_matches('>').to_owned());
                    call.write(&file, mode);
                }
            }
            "-E" | "--key" => {}
            _ => {}
        }
    }
    if call.any(&["-n", "--netrc-optional"]) {
        call.read(&Word::literal("~/.netrc", call.span()));
    }
    let method = call.value("-X").map(|method| method.text.to_ascii_uppercase());
    let sends = match method.as_deref() {
        Some("GET" | "HEAD" | "OPTIONS") => sends && !body.is_empty(),
        Some(_) => true,
        None => sends && (!call.has("-G") || !body.is_empty()),
    };
    let direction = if sends { Direction::Send } else { Direction::Fetch };
    if !body.is_empty() {
        call.deeds.reads.iter_mut().for_each(|read| read.reaches_host = true);
    }
    if body.iter().any(|file| file == "-" || file == ".") {
        call.deeds.stdin = StdinRole::Sent;
    }
    let mut urls = call.operands.clone();
    urls.extend(call.values("--url"));
    for target in &urls {
        let expanded = target.clone();
        if target.text.starts_with("file:") {
            let mode = if call.any(&["-a", "--append"]) { WriteMode::Append } else { WriteMode::Create };
            let path = target.text.trim_start_matches("file:");
            let path = path.strip_prefix("//").map_or(path, |path| path.trim_start_matches("localhost"));
            let path = word::instead(target, super::url::percent_decoded(path));
            // `-T f file:///g` writes.
            if call.has("-T") {
                call.write(&path, mode);
            } else {
                call.read(&path);
            }
            continue;
        }
        call.contact(&expanded, "http", direction, body.clone());
    }
    outputs(call, &urls);
    if method.as_deref() == Some("DELETE") {
        call.finding("shell.data_loss", "asks a server to delete");
    }
}

pub(in crate::programs) fn outputs(call: &mut Call<'_>, urls: &[Word]) {
    let folder = call
        .value("--output-dir")
        .map(|folder| format!("{}/", folder.text.trim_end_matches('/')))
        .unwrap_or_default();
    let files = call.values("-o");
    let mut printed = files.is_empty() || files.iter().any(|file| file.text == "-");
    for file in files {
        let file = word::instead(
            &file,
            format!(
                "{}{}",
                if file.text == "-" || file.text.starts_with('/') { "" } else { &folder },
                file.text
            ),
        );
        call.download(&file);
        call.beyond_plain |= !matches!(file.text.as_str(), "-" | "/dev/null");
    }
    if call.any(&["-O", "--remote-name-all", "-J"]) {
        printed = false;
        for target in urls {
            let name = file_name(&target.text);
            let file = word::instead(target, format!("{folder}{name}"));
            call.download(&file);
            call.beyond_plain = true;
        }
    }
    call.deeds.output = if printed { Output::Network } else { Output::Nothing };
}

/// The last part of a URL's path, as downloaders name files.
pub(in crate::programs) fn file_name(text: &str) -> String {
    let path = text.split(['?', '#']).next().unwrap_or_default();
    let rest = path.split_once("://").map_or(path, |(_, rest)| rest);
    match rest.rsplit_once('/') {
        Some((_, name)) if !name.is_empty() => name.to_owned(),
        _ => "index.html".to_owned(),
    }
}

pub(in crate::programs) fn wget(call: &mut Call<'_>) {
    if call.has("-V") {
        call.nature = Nature::Reads;
        return;
    }
    let mut body = Vec::new();
    let mut sends = call.any(&["--post-data", "--body-data"]);
    for name in ["--post-file", "--body-file"] {
        for file in call.values(name) {
            sends = true;
            body.push(file.text.clone());
            call.read(&file);
        }
    }
    if !body.is_empty() {
        call.deeds.reads.iter_mut().for_each(|read| read.reaches_host = true);
    }
    for setting in call.values("-e") {
        if let Some((name, value)) = word::halves(&setting, '=') {
            match name.text.trim().replace(['_', '-'], "").to_ascii_lowercase().as_str() {
                "useaskpass" => call.run_argv(vec![value]),
                "outputdocument" | "logfile" => call.write(&value, WriteMode::Create),
                "httpproxy" | "httpsproxy" => call.contact(&value, "http", Direction::Both, Vec::new()),
                _ => {}
            }
        }
    }
    let direction = if sends { Direction::Send } else { Direction::Fetch };
    let urls = call.operands.clone();
    for target in &urls {
        call.contact(target, "http", direction, body.clone());
    }
    if call.has("-i") {
        call.contact_unknown("http", direction);
    }
    if call.has("--spider") {
        return;
    }
    match call.value("-O") {
        Some(file) => {
            call.download(&file);
            if !matches!(file.text.as_str(), "-" | "/dev/null" | "/dev/stdout") {
                call.beyond_plain = true;
                call.deeds.output = Output::Nothing;
            }
        }
        None => {
            call.deeds.output = Output::Nothing;
            let folder = call
                .value("-P")
                .map(|folder| format!("{}/", folder.text.trim_end_matches('/')))
                .unwrap_or_default();
            for target in &urls {
                let file = word::instead(target, format!("{folder}{}", file_name(&target.text)));
                call.download(&file);
            }
            // A file of its own name in the folder is what plain wget does.
            if folder.is_empty() && !call.has("-i") {
                call.nature = Nature::Named;
            }
        }
    }
}
