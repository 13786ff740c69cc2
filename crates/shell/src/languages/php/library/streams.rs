//! Functions that transfer, open and write.

use super::*;

/// Where cURL's next transfer goes, as far as it is known.
pub(super) const URL: &str = "@url";

/// A transfer that sends something.
pub(super) const SENDS: &str = "@sends";

pub(super) fn curl(run: &mut Run<'_>, handle: &Item, option: &Item, value: &Item) {
    let Item::Library(option) = option else { return };
    let url = match handle {
        Item::Made(_, given) => given.first().filter(|item| matches!(item, Item::Text(_))).cloned(),
        _ => None,
    };
    let url = run.get(URL).filter(|item| matches!(item, Item::Text(_))).or(url);
    match &**option {
        "CURLOPT_URL" => {
            run.set(URL, value.clone(), Declares::There);
            let sends = matches!(run.get(SENDS), Some(Item::Number(1)));
            for value in value.alternatives() {
                let direction = if sends { Direction::Send } else { Direction::Fetch };
                run.effects.host(&value.shown(), "https", direction);
            }
        }
        "CURLOPT_POSTFIELDS"
        | "CURLOPT_POST"
        | "CURLOPT_UPLOAD"
        | "CURLOPT_INFILE"
        | "CURLOPT_PUT"
        | "CURLOPT_CUSTOMREQUEST"
        | "CURLOPT_READFUNCTION" => {
            let empty = matches!(value, Item::Number(0));
            let only_gets = matches!(value.known_text(), Some("GET" | "HEAD"));
            if empty || only_gets {
                return;
            }
            run.set(SENDS, Item::Number(1), Declares::There);
            if let Some(url) = url {
                run.effects.host(&url.shown(), "https", Direction::Send);
            }
        }
        "CURLOPT_FILE" => {}
        _ => {}
    }
}

/// Whether flags name one.
pub(super) fn holds(item: Option<&Item>, flag: &str) -> bool {
    match item {
        Some(Item::Library(name)) => &**name == flag,
        Some(Item::Number(flags)) => flag == "FILE_APPEND" && flags & 8 != 0,
        Some(Item::Either(items)) => items.iter().any(|item| holds(Some(item), flag)),
        _ => false,
    }
}

/// Whether a stream's context sends something.
pub(super) fn context_sends(item: &Item) -> bool {
    let Item::Made(name, given) = item else { return false };
    if &**name != "stream_context_create" {
        return false;
    }
    let Some(Item::Map(schemes)) = given.first() else { return false };
    schemes.iter().any(|(_, options)| match options {
        Item::Map(options) => options.iter().any(|(key, value)| match key.known_text() {
            Some("content") => true,
            Some("method") => !matches!(value.known_text(), Some("GET" | "HEAD")),
            _ => false,
        }),
        _ => false,
    })
}

/// Calls that transfer, open and write.
pub(super) fn of_streams(run: &mut Run<'_>, name: &str, all: &[Given]) -> Option<Item> {
    let item = |at: usize| all.get(at).map(|given| given.item.clone());
    Some(match name {
        "curl_setopt" => {
            curl(run, &item(0)?, &item(1)?, &item(2)?);
            Item::Unknown
        }
        "curl_setopt_array" => {
            if let Item::Map(options) = item(1)? {
                // The address first, so that what is sent has one.
                let is_url = |key: &Item| matches!(key, Item::Library(key) if &**key == "CURLOPT_URL");
                let (first, rest): (Vec<_>, Vec<_>) = options.iter().partition(|(key, _)| is_url(key));
                for (key, value) in first.into_iter().chain(rest) {
                    curl(run, &item(0)?, key, value);
                }
            }
            Item::Unknown
        }
        "curl_init" if all.is_empty() => {
            run.set(URL, Item::Unknown, Declares::There);
            run.set(SENDS, Item::Unknown, Declares::There);
            Item::Made(Rc::from("curl_init"), Rc::new(Vec::new()))
        }
        "fopen"
            if item(0)?
                .known_text()
                .is_some_and(|path| path.starts_with("php://") && !path.contains("filter")) =>
        {
            Item::Made(Rc::from("php"), Rc::new(Vec::new()))
        }
        "file_get_contents" | "fopen" | "file" | "readfile"
            if all.iter().any(|given| context_sends(&given.item)) =>
        {
            run.act(Act::Send, name, None, &[given(item(0)?)])
        }
        "file_put_contents" => {
            let (path, content) = (item(0)?, item(1).unwrap_or(Item::Unknown));
            if path.shown().text.contains("://") && !path.shown().text.starts_with("php://") {
                return Some(run.act(Act::Send, name, None, &[given(path)]));
            }
            if path.known_text().is_some_and(|path| path.starts_with("php://")) {
                return Some(Item::Unknown);
            }
            let act = if holds(item(2).as_ref(), "FILE_APPEND") { Act::Append } else { Act::Write };
            let fetched = matches!(&content, Item::Made(_, given)
                if given.first().is_some_and(|from| from.shown().text.contains("://")));
            run.act(act, name, None, &[given(path), given(content)]);
            if fetched && let Some(write) = run.effects.deeds.writes.last_mut() {
                write.downloaded = true;
            }
            Item::Unknown
        }
        "copy" if item(0)?.shown().text.contains("://") => run.act(Act::Download, name, None, all),
        "fwrite" | "fputs" => {
            match item(0)? {
                Item::Made(from, given) if matches!(&*from, "fopen" | "SplFileObject" | "gzopen") => {
                    if let Some(path) = given.first() {
                        run.wrote(path, &item(1)?);
                    }
                }
                _ => {}
            }
            Item::Unknown
        }
        "chdir" => {
            run.folder = Some(item(0)?.shown()).filter(|folder| folder.text != ".");
            Item::Unknown
        }
        "dirname" => match item(0)? {
            Item::Text(path) => Item::Text(Value { text: parent(&path.text), ..path }),
            _ => Item::Unknown,
        },
        _ => return of_arrays(run, name, all),
    })
}
