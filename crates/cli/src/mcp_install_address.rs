//! Servers at a URL in the configurations of agents, and the gateway on pipes that takes their place: `doorward mcp URL`.
//!
//! A header's value may be a secret, and so may a URL with a query or a user. Neither goes onto a command line, which
//! every user of the machine can read: both are handed over in variables of the gateway's own environment.

use doorward::rooms::mcp::message::Members;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use toml_edit::{Array, InlineTable, Item, TableLike, value};

/// Names under which agents keep a server's URL.
const URLS: &[&str] = &["url", "httpUrl", "serverUrl"];
/// Members that name the transport.
const KINDS: &[&str] = &["type", "transport"];
/// Members by which the agent itself signs in at the server, which a gateway on pipes can't do in its place.
const SIGNS_IN: &[&str] = &["auth", "headersHelper", "oauth", "oauth_resource", "scopes"];
/// Variables that hold what isn't for a command line.
const URL_VARIABLE: &str = "DOORWARD_MCP_URL";
const TOKEN_VARIABLE: &str = "DOORWARD_MCP_TOKEN";
const HEADER_VARIABLE: &str = "DOORWARD_MCP_HEADER_";

/// A server at a URL, as a configuration says how it is reached.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) url: String,
    /// Headers with their values.
    pub(crate) headers: Vec<(String, String)>,
    /// Headers with the variable of the agent's environment that holds their value.
    pub(crate) headers_from: Vec<(String, String)>,
    /// A token, and the variable that holds one.
    pub(crate) token: Option<String>,
    pub(crate) token_from: Option<String>,
    /// It is of the oldest kind.
    pub(crate) sse: bool,
}

impl Address {
    /// The words after `doorward mcp --name NAME`, and the variables that they name.
    pub(crate) fn words(&self) -> (Vec<String>, Vec<(String, String)>) {
        let (mut words, mut variables) = (Vec::new(), Vec::new());
        for (number, (header, value)) in (1..).zip(&self.headers) {
            let variable = format!("{HEADER_VARIABLE}{number}");
            words.extend(["--header-from".to_owned(), format!("{header}={variable}")]);
            variables.push((variable, value.clone()));
        }
        for (header, variable) in &self.headers_from {
            words.extend(["--header-from".to_owned(), format!("{header}={variable}")]);
        }
        if let Some(token) = &self.token {
            words.extend(["--bearer-from".to_owned(), TOKEN_VARIABLE.to_owned()]);
            variables.push((TOKEN_VARIABLE.to_owned(), token.clone()));
        } else if let Some(variable) = &self.token_from {
            words.extend(["--bearer-from".to_owned(), variable.clone()]);
        }
        if self.sse {
            words.push("--sse".to_owned());
        }
        // It was configured so; without it the gateway would refuse.
        if self.url.starts_with("http://") && !is_own_machine(&self.url) {
            words.push("--plain-http".to_owned());
        }
        if self.url.contains(['?', '@', '#']) {
            words.extend(["--url-from".to_owned(), URL_VARIABLE.to_owned()]);
            variables.push((URL_VARIABLE.to_owned(), self.url.clone()));
        } else {
            words.push(self.url.clone());
        }
        (words, variables)
    }

    /// What the words of a gateway say, given the variables beside them; `None` for a gateway before a command.
    pub(crate) fn of_words(words: &[String], variable: &dyn Fn(&str) -> Option<String>) -> Option<Self> {
        let mut address = Self::default();
        let mut words = words.iter().skip(2);
        while let Some(word) = words.next() {
            match word.as_str() {
                "--" => return None,
                "--name" | "--state" => drop(words.next()?),
                "--plain-http" => {}
                "--sse" => address.sse = true,
                "--url-from" => address.url = variable(words.next()?)?,
                "--bearer-from" => match words.next()? {
                    own if own == TOKEN_VARIABLE => address.token = variable(own),
                    other => address.token_from = Some(other.clone()),
                },
                "--header-from" => {
                    let (header, from) = words.next()?.split_once('=')?;
                    if from.starts_with(HEADER_VARIABLE) {
                        address.headers.push((header.to_owned(), variable(from)?));
                    } else {
                        address.headers_from.push((header.to_owned(), from.to_owned()));
                    }
                }
                url => address.url = url.to_owned(),
            }
        }
        (!address.url.is_empty()).then_some(address)
    }
}

fn is_own_machine(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', ':', '?']).next().unwrap_or_default();
    rest.starts_with("[::1]") || host == "localhost" || host.starts_with("127.")
}

fn is_ours(variable: &str) -> bool {
    variable == URL_VARIABLE || variable == TOKEN_VARIABLE || variable.starts_with(HEADER_VARIABLE)
}

fn texts(raw: Option<&RawValue>) -> Option<Vec<(String, String)>> {
    let Some(raw) = raw else { return Some(Vec::new()) };
    let object: Map<String, Value> = serde_json::from_str(raw.get()).ok()?;
    object.into_iter().map(|(name, value)| Some((name, value.as_str()?.to_owned()))).collect()
}

/// One server of a JSON file with the gateway in its place. `None` if it isn't at a URL; an error says why it is left.
pub(crate) fn wrapped(members: &Members<'_>, before: &[String]) -> Option<Result<String, String>> {
    let key = URLS.iter().copied().find(|key| members.get(key).is_some())?;
    if members.get("command").is_some() {
        return None;
    }
    if let Some(own) = SIGNS_IN.iter().find(|own| members.get(own).is_some()) {
        return Some(Err(format!("the agent signs in at it by itself (`{own}`)")));
    }
    Some(wrapped_at(members, key, before).ok_or_else(|| "its entry has a shape that isn't known".to_owned()))
}

fn wrapped_at(members: &Members<'_>, key: &str, before: &[String]) -> Option<String> {
    let is_list = members.text("type").as_deref() == Some("remote");
    let variables_in = if is_list { "environment" } else { "env" };
    let kind = KINDS.iter().find_map(|kind| members.text(kind));
    let address = Address {
        url: members.text(key)?,
        headers: texts(members.get("headers"))?,
        sse: kind.as_deref() == Some("sse"),
        ..Address::default()
    };
    let (more, variables) = address.words();
    let words: Vec<String> = before.iter().cloned().chain(more).collect();
    let mut given = texts(members.get(variables_in))?;
    given.extend(variables);
    let given: Map<String, Value> =
        given.into_iter().map(|(name, value)| (name, Value::from(value))).collect();
    let mut out = members.with("headers", None);
    let mut set = |name: &str, value: Option<Value>| -> Option<()> {
        out = Members::of(&out).ok()?.with(name, value.map(|value| value.to_string()).as_deref());
        Some(())
    };
    set(key, None)?;
    for kind in KINDS.iter().filter(|kind| members.get(kind).is_some()) {
        set(kind, Some(json!(if is_list { "local" } else { "stdio" })))?;
    }
    if is_list {
        set("command", Some(json!(words)))?;
    } else {
        let (program, rest) = words.split_first()?;
        set("command", Some(json!(program)))?;
        set("args", Some(json!(rest)))?;
    }
    if !given.is_empty() {
        set(variables_in, Some(Value::Object(given)))?;
    }
    Some(out)
}

/// One server of a JSON file at its URL again. `original` is its entry as it was, for the names that this agent uses.
pub(crate) fn unwrapped(members: &Members<'_>, words: &[String], original: Option<&str>) -> Option<String> {
    let original = original.and_then(|original| Members::of(original).ok());
    let is_list = members.get("command")?.get().starts_with('[');
    let variables_in = if is_list { "environment" } else { "env" };
    let given = texts(members.get(variables_in))?;
    let find = |name: &str| given.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone());
    let address = Address::of_words(words, &find)?;
    let mut out = members.with("command", None);
    let mut set = |name: &str, value: Option<String>| -> Option<()> {
        out = Members::of(&out).ok()?.with(name, value.as_deref());
        Some(())
    };
    set("args", None)?;
    let key = original.as_ref().and_then(|own| URLS.iter().copied().find(|key| own.get(key).is_some()));
    set(key.unwrap_or("url"), Some(json!(address.url).to_string()))?;
    for kind in KINDS.iter().filter(|kind| members.get(kind).is_some()) {
        let was = original.as_ref().and_then(|own| own.get(kind)).map(|raw| raw.get().to_owned());
        let plain = if is_list {
            "remote"
        } else if address.sse {
            "sse"
        } else {
            "http"
        };
        set(kind, Some(was.unwrap_or_else(|| json!(plain).to_string())))?;
    }
    let kept: Map<String, Value> = given
        .iter()
        .filter(|(name, _)| !is_ours(name))
        .map(|(name, value)| (name.clone(), json!(value)))
        .collect();
    set(variables_in, (!kept.is_empty()).then(|| Value::Object(kept).to_string()))?;
    if !address.headers.is_empty() {
        let headers: Map<String, Value> =
            address.headers.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        set("headers", Some(Value::Object(headers).to_string()))?;
    }
    Some(out)
}

/// A table's texts under one name.
fn table_texts(entry: &dyn TableLike, name: &str) -> Vec<(String, String)> {
    let table = entry.get(name).and_then(Item::as_table_like);
    let all = table.into_iter().flat_map(TableLike::iter);
    all.filter_map(|(name, value)| Some((name.to_owned(), value.as_str()?.to_owned()))).collect()
}

fn inline(pairs: &[(String, String)]) -> Item {
    value(pairs.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect::<InlineTable>())
}

fn put(entry: &mut dyn TableLike, name: &str, pairs: &[(String, String)]) {
    if pairs.is_empty() {
        entry.remove(name);
    } else {
        entry.insert(name, inline(pairs));
    }
}

/// The command line of a table.
pub(crate) fn words_of(entry: &dyn TableLike) -> Option<Vec<String>> {
    let program = entry.get("command")?.as_str()?.to_owned();
    let args = entry.get("args").and_then(Item::as_array).into_iter().flatten();
    Some(std::iter::once(program).chain(args.filter_map(|word| word.as_str().map(str::to_owned))).collect())
}

/// Writes the command line of a table.
pub(crate) fn set_words(entry: &mut dyn TableLike, words: &[String]) {
    let Some((program, rest)) = words.split_first() else { return };
    entry.insert("command", value(program.as_str()));
    entry.insert("args", value(rest.iter().map(String::as_str).collect::<Array>()));
}

/// One server of Codex with the gateway in its place. `None` if it isn't at a URL; an error says why it is left.
pub(crate) fn wrap_table(entry: &mut dyn TableLike, before: &[String]) -> Option<Result<(), String>> {
    let url = entry.get("url")?.as_str()?.to_owned();
    if let Some(own) = SIGNS_IN.iter().find(|own| entry.contains_key(own)) {
        return Some(Err(format!("the agent signs in at it by itself (`{own}`)")));
    }
    let address = Address {
        url,
        headers: table_texts(entry, "http_headers"),
        headers_from: table_texts(entry, "env_http_headers"),
        token_from: entry.get("bearer_token_env_var").and_then(Item::as_str).map(str::to_owned),
        ..Address::default()
    };
    // Codex hands a server the variables that are named here and no others.
    let mut passed: Vec<&String> = address.headers_from.iter().map(|(_, variable)| variable).collect();
    passed.extend(&address.token_from);
    if !passed.is_empty() {
        entry.insert("env_vars", value(passed.iter().map(|name| name.as_str()).collect::<Array>()));
    }
    for name in ["url", "http_headers", "env_http_headers", "bearer_token_env_var"] {
        entry.remove(name);
    }
    let (more, variables) = address.words();
    set_words(entry, &before.iter().cloned().chain(more).collect::<Vec<_>>());
    put(entry, "env", &variables);
    Some(Ok(()))
}

/// One server of Codex at its URL again.
pub(crate) fn unwrap_table(entry: &mut dyn TableLike) -> bool {
    let Some(words) = words_of(entry) else { return false };
    let given = table_texts(entry, "env");
    let find = |name: &str| given.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone());
    let Some(address) = Address::of_words(&words, &find) else { return false };
    for name in ["command", "args", "env", "env_vars"] {
        entry.remove(name);
    }
    entry.insert("url", value(address.url.as_str()));
    put(entry, "http_headers", &address.headers);
    put(entry, "env_http_headers", &address.headers_from);
    if let Some(variable) = &address.token_from {
        entry.insert("bearer_token_env_var", value(variable.as_str()));
    }
    true
}

/// The lists in which OpenHands keeps servers at a URL.
const LISTS: &[&str] = &["sse_servers", "shttp_servers"];

/// Servers of OpenHands' `[mcp]` at a URL, moved to the list of those that are started. Their names.
pub(crate) fn wrap_lists(mcp: &mut dyn TableLike, before: &dyn Fn(&str) -> Vec<String>) -> Vec<String> {
    let (mut names, mut started) = (Vec::new(), Vec::new());
    for list in LISTS {
        let Some(all) = mcp.get_mut(list).and_then(Item::as_array_mut) else { continue };
        for one in std::mem::take(all).iter() {
            let table = one.as_inline_table();
            let text =
                |name: &str| table.and_then(|table| table.get(name)).and_then(toml_edit::Value::as_str);
            let Some(url) = one.as_str().or_else(|| text("url")) else { continue };
            let name =
                crate::mcp_http::name_of(url).unwrap_or_else(|_| format!("server-{}", names.len() + 1));
            let token = text("api_key").map(str::to_owned);
            let sse = *list == "sse_servers";
            let (more, variables) = Address { url: url.to_owned(), token, sse, ..Address::default() }.words();
            let mut entry = InlineTable::new();
            entry.insert("name", name.as_str().into());
            set_words(&mut entry, &before(&name).into_iter().chain(more).collect::<Vec<_>>());
            put(&mut entry, "env", &variables);
            started.push(entry);
            names.push(name);
        }
    }
    if !started.is_empty() {
        let own = mcp.entry("stdio_servers").or_insert_with(|| value(Array::new()));
        if let Some(own) = own.as_array_mut() {
            own.extend(started);
        }
    }
    names
}

/// Servers of OpenHands' `[mcp]` back in the lists of those at a URL. Their names.
pub(crate) fn unwrap_lists(mcp: &mut dyn TableLike, is_gateway: &dyn Fn(&[String]) -> bool) -> Vec<String> {
    let (mut names, mut back) = (Vec::new(), Vec::new());
    if let Some(all) = mcp.get_mut("stdio_servers").and_then(Item::as_array_mut) {
        all.retain(|one| {
            let Some(entry) = one.as_inline_table() else { return true };
            let Some(words) = words_of(entry).filter(|words| is_gateway(words)) else { return true };
            let given = table_texts(entry, "env");
            let find = |name: &str| given.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone());
            let Some(address) = Address::of_words(&words, &find) else { return true };
            names.push(entry.get("name").and_then(toml_edit::Value::as_str).unwrap_or_default().to_owned());
            back.push(address);
            false
        });
    }
    for address in back {
        let list = if address.sse { "sse_servers" } else { "shttp_servers" };
        let own = mcp.entry(list).or_insert_with(|| value(Array::new()));
        let Some(own) = own.as_array_mut() else { continue };
        match &address.token {
            None => own.push(address.url.as_str()),
            Some(token) => {
                let pairs = [("url", address.url.as_str()), ("api_key", token.as_str())];
                own.push(pairs.into_iter().collect::<InlineTable>());
            }
        }
    }
    names
}
