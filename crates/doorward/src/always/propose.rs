//! The rule that an answer proposes: the narrowest form that covers the call, with an example and a near miss.

use super::*;

/// The narrowest rules that cover what a call does; none where shorthand can't say it.
#[must_use]
pub fn propose(inspected: &Inspected, list: List) -> Vec<String> {
    proposed(inspected, list, &[], false)
}

/// As [`propose`]: what a person agreed to before shows which parts change from call to call, and rules that stand
/// alone name what only reads too.
pub(super) fn proposed(inspected: &Inspected, list: List, earlier: &[Inspected], alone: bool) -> Vec<String> {
    let effects = &inspected.effects;
    let Some(tool) = inspected.call.tool.canonical() else {
        return whole_call(inspected, list, earlier).into_iter().collect();
    };
    if !effects.unknown.is_empty() {
        return Vec::new();
    }
    let mut rules: Vec<Option<String>> = Vec::new();
    if tool == CanonicalTool::Shell {
        let own = |command: &&SimpleCommand| alone || !command.read_only;
        let named = effects.executes.iter().filter(own);
        rules.extend(named.map(|command| words(&command.words, &command.program, list, earlier)));
        if rules.is_empty() {
            rules.extend(effects.executes.iter().map(|one| words(&one.words, &one.program, list, earlier)));
        }
    } else {
        let path = |form: &str, path: &str, known: &[&str]| {
            let path = siblings(path, known).unwrap_or_else(|| path.to_owned());
            let plain = path.starts_with('/') && !path.contains(['?', '[', '\\', ')', '\n']);
            (plain && path.matches('*').count() <= 1).then(|| format!("{form}(/{path})"))
        };
        let known_writes: Vec<&str> =
            earlier.iter().flat_map(|one| &one.effects.writes).map(|write| write.path.as_str()).collect();
        let known_reads: Vec<&str> =
            earlier.iter().flat_map(|one| &one.effects.reads).map(|read| read.path.as_str()).collect();
        let starred = |path: &str| path.contains('*');
        if effects.writes.iter().any(|one| starred(&one.path))
            || effects.reads.iter().any(|one| starred(&one.path))
        {
            return Vec::new();
        }
        let written: Vec<&str> = effects.writes.iter().map(|write| write.path.as_str()).collect();
        rules.extend(written.iter().map(|written| path("Edit", written, &known_writes)));
        let read = effects.reads.iter().filter(|read| !written.contains(&read.path.as_str()));
        rules.extend(read.map(|read| path("Read", &read.path, &known_reads)));
        rules.extend(effects.hosts.iter().map(|host| Some(contact(host))));
    }
    let mut all: Vec<String> = match rules.into_iter().collect::<Option<Vec<_>>>() {
        Some(all) => all,
        None => return Vec::new(),
    };
    all.sort();
    all.dedup();
    all
}

/// What is only fetched is allowed to be fetched, by the scheme it was.
fn contact(host: &HostEffect) -> String {
    let fetched = host.direction == Direction::Fetch && matches!(host.scheme.as_str(), "http" | "https");
    if fetched { format!("net({}://{})", host.scheme, host.host) } else { format!("net({})", host.host) }
}

/// `/w/docs/*.md` where another file of that kind in that folder was agreed to before.
fn siblings(path: &str, known: &[&str]) -> Option<String> {
    let (folder, name) = path.rsplit_once('/')?;
    let (stem, kind) = name.rsplit_once('.')?;
    if stem.is_empty() || kind.is_empty() || folder.is_empty() {
        return None;
    }
    let other = |known: &&&str| {
        **known != path
            && known.rsplit_once('/').is_some_and(|(own, name)| {
                own == folder
                    && name.rsplit_once('.').is_some_and(|(stem, own)| !stem.is_empty() && own == kind)
            })
    };
    known.iter().find(other).map(|_| format!("{folder}/*.{kind}"))
}

/// One tool with its arguments as they are, what is volatile in them as wildcards.
fn whole_call(inspected: &Inspected, list: List, earlier: &[Inspected]) -> Option<String> {
    let call = &inspected.call;
    if list == List::Deny {
        // A denial that named arguments would miss every other spelling of them.
        return Some(
            call.tool
                .mcp_parts()
                .map_or_else(|| call.tool.to_string(), |(server, tool)| format!("mcp({server}/{tool})")),
        );
    }
    let args = call.args_value();
    let mut plain = true;
    args.for_each_string(&mut |text| {
        plain &= !hides(text) && !text.contains("[secret:") && !text.contains(doorward_secrets::MASK)
    });
    if !plain || args.as_object().is_none_or(|members| members.keys().any(|key| hides(key))) {
        return None;
    }
    let fellows = earlier.iter().filter(|one| one.call.tool == call.tool);
    let shared =
        fellows.filter_map(|one| common(&args, &one.call.args_value())).find(|shared| *shared != args);
    let args = shared.unwrap_or_else(|| {
        // Values alone: what a member is called never changes.
        volatile(&args)
    });
    Some(format!("call({} {})", call.tool, args.canonical()))
}

/// What two values have in common, text by text.
fn common(one: &Value, other: &Value) -> Option<Value> {
    Some(match (one, other) {
        (Value::String(one), Value::String(other)) => Value::String(shorthand::common(one, other)?),
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            Value::Array(one.iter().zip(other).map(|(one, other)| common(one, other)).collect::<Option<_>>()?)
        }
        (Value::Object(one), Value::Object(other)) if one.len() == other.len() => Value::Object(
            one.iter()
                .map(|(key, one)| Some((key.clone(), common(one, other.get(key)?)?)))
                .collect::<Option<_>>()?,
        ),
        _ if one == other => one.clone(),
        _ => return None,
    })
}

fn volatile(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(shorthand::generalised(text).unwrap_or_else(|| text.clone())),
        Value::Array(items) => Value::Array(items.iter().map(volatile).collect()),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(key, value)| (key.clone(), volatile(value))).collect())
        }
        other => other.clone(),
    }
}

/// Wildcards as text, or characters of their marks: a rule can't name such a text.
pub(super) fn hides(text: &str) -> bool {
    text.contains(['\u{f0d00}', '\u{f0d01}']) || WILDCARDS.iter().any(|kind| text.contains(kind))
}

const WILDCARDS: [&str; 7] = ["<int>", "<hex>", "<uuid>", "<time>", "<tempname>", "<name>", "<path>"];

/// One simple command as a rule: its own words, volatile tokens as wildcards.
pub(super) fn words(words: &[String], program: &str, list: List, earlier: &[Inspected]) -> Option<String> {
    // What signals or addresses by number is no counter.
    let volatile = list == List::Allow && !matches!(program, "kill" | "chmod" | "chown" | "nc" | "ssh");
    let same = |other: &&SimpleCommand| other.program == program && other.words.len() == words.len();
    let fellows = earlier.iter().flat_map(|one| &one.effects.executes).filter(same);
    let shared =
        fellows.filter(|_| volatile).find_map(|fellow| {
            let pairs = words.iter().zip(&fellow.words).enumerate();
            pairs
                .map(|(at, (own, other))| {
                    if at == 0 { (own == other).then(|| own.clone()) } else { shorthand::common(own, other) }
                })
                .collect::<Option<Vec<_>>>()
        });
    let written: Option<Vec<String>> = words
        .iter()
        .enumerate()
        .map(|(at, word)| {
            if word.contains(['…', '\n', '\r', '\0', '*']) || hides(word) {
                return None;
            }
            let shared = shared.as_ref().and_then(|shared| shared.get(at).cloned());
            let typed = (volatile && at > 0).then(|| shorthand::generalised(word)).flatten();
            Some(quoted(&shared.or(typed).unwrap_or_else(|| word.clone())))
        })
        .collect();
    let written = written.filter(|words| !words.is_empty())?;
    Some(format!("shell({})", written.join(" ")))
}

fn quoted(word: &str) -> String {
    let plain = |ch: char| ch.is_alphanumeric() || "_-./:=@%+,~^<>".contains(ch);
    let marks = WILDCARDS.iter().fold(word.to_owned(), |word, kind| word.replace(kind, ""));
    if !word.is_empty() && word.chars().all(plain) && !marks.contains(['<', '>']) {
        return word.to_owned();
    }
    if word.contains('\'') {
        return format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""));
    }
    format!("'{word}'")
}

/// A call that a rule covers, and one close to it that it doesn't.
pub(super) fn examples(rule: &str) -> Option<(Option<String>, Option<String>)> {
    let (form, inside) = rule.trim().strip_suffix(')')?.split_once('(')?;
    let sample = |text: &str| {
        text.replace("<int>", "1234567")
            .replace("<hex>", "0a1b2c3d4e")
            .replace("<uuid>", "00000000-0000-4000-8000-000000000001")
            .replace("<time>", "2026-01-02T03:04:05Z")
            .replace("<tempname>", "tmpab12cd")
            .replace("<name>", "other")
            .replace("<path>", "other/page")
    };
    Some(match form.trim() {
        "shell" | "Bash" | "Shell" | "shell:execute" if inside.trim() == "*" => (None, None),
        "shell" | "Bash" | "Shell" | "shell:execute" => {
            match inside.strip_suffix(" *").or_else(|| inside.strip_suffix(":*")) {
                Some(fixed) => {
                    let fixed = sample(fixed);
                    let other = fixed.rsplit_once(' ').map(|(first, _)| format!("{first} other"));
                    (Some(format!("{fixed} more")), other.filter(|other| *other != fixed))
                }
                None => (Some(sample(inside)), Some(format!("{} --force", sample(inside)))),
            }
        }
        "Read" | "Edit" | "Write" | "fs:read" | "fs:write" => {
            let path = inside.strip_prefix('/').filter(|path| path.starts_with('/')).unwrap_or(inside);
            if path.contains(['?', '[']) || path.contains("**") {
                return Some((None, None));
            }
            let example = path.replace('*', "a");
            // A name that ends in a wildcard is matched by every longer one: the near miss lies beside the folder.
            let near = match path.strip_suffix('*').and_then(|front| front.rsplit_once('/')) {
                Some((folder, name)) => format!("{}.other/{name}a", folder.replace('*', "a")),
                None => format!("{example}.other"),
            };
            (Some(example), Some(near))
        }
        "net" | "WebFetch" | "net:fetch" => {
            let host = inside.strip_prefix("domain:").unwrap_or(inside);
            if let Some((scheme, host)) = host.split_once("://") {
                let other = if scheme == "https" { "http" } else { "https" };
                return Some((Some(format!("{scheme}://{host}/")), Some(format!("{other}://{host}/"))));
            }
            match host.strip_prefix("*.") {
                Some(below) => (Some(format!("a.{below}")), Some(below.to_owned())),
                None if host.starts_with("**") => (None, None),
                None => (Some(host.to_owned()), Some(format!("{host}.other.example"))),
            }
        }
        "call" => {
            let (_, args) = inside.split_once(char::is_whitespace)?;
            let example = sample(args.trim());
            let more = if example == "{}" { "" } else { "," };
            let near = format!("{}{more}\"force\":true}}", example.strip_suffix('}')?);
            (Some(example), Some(near))
        }
        "mcp" if !inside.ends_with('*') => (Some(inside.to_owned()), Some(format!("{inside}_other"))),
        _ => (None, None),
    })
}

#[cfg(test)]
mod tests {
    use super::examples;

    #[test]
    fn a_near_miss_of_a_folder_lies_beside_it() {
        for (rule, near) in [
            ("Edit(//home/u/acme/*)", "/home/u/acme.other/a"),
            ("Edit(//home/u/acme/docs/*.md)", "/home/u/acme/docs/a.md.other"),
            ("Edit(//home/u/acme/x)", "/home/u/acme/x.other"),
        ] {
            assert_eq!(examples(rule).and_then(|(_, near)| near).as_deref(), Some(near), "{rule}");
        }
    }
}
