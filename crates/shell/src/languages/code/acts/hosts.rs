//! Calls that reach another machine, or read the environment.

use doorward_core::intent::{Direction, WriteMode};

use super::{Called, is_open, option};
use crate::languages::Value;
use crate::languages::code::item::{Given, Item};
use crate::languages::code::run::Run;
use crate::languages::rules::Act;

/// Keyword arguments that carry what is sent.
const BODIES: [&str; 5] = ["data", "json", "files", "body", "content"];

/// Members of an options map that say that something is sent.
const SENDING: [&str; 2] = ["body", "data"];

/// Methods of HTTP that send, and those that only ask.
const SENDERS: [&str; 4] = ["POST", "PUT", "PATCH", "DELETE"];
const ASKERS: [&str; 3] = ["GET", "HEAD", "OPTIONS"];

impl Run<'_> {
    pub(super) fn reach(&mut self, act: Act, called: Called<'_>) -> Item {
        let Called { name, given, positional, first, second, .. } = called;
        match act {
            Act::Fetch | Act::Send => {
                self.shown_environment(given);
                self.attached(given);
                self.contact(act, called);
            }
            Act::Connect => {
                let host = self.host_of(first, positional);
                for host in host.alternatives().into_iter().filter(|host| !matches!(host, Item::Nothing)) {
                    let host = host.shown();
                    if !self.is_nobodys(&host) {
                        self.effects.host(&host, "tcp", Direction::Both);
                    }
                }
            }
            Act::Download => {
                self.effects.host(&first.shown(), "https", Direction::Fetch);
                if positional.len() > 1 {
                    for path in self.paths(second) {
                        self.effects.write(&path, WriteMode::Create);
                        if let Some(write) = self.effects.deeds.writes.last_mut() {
                            write.downloaded = true;
                        }
                    }
                }
                return Item::Unknown;
            }
            Act::Listen => {
                let host = match first {
                    Item::List(items) => items.first(),
                    _ => None,
                };
                if host.is_some_and(|host| matches!(host.known_text(), Some("" | "0.0.0.0" | "::"))) {
                    let message = format!("{name} listens to every machine that reaches this one");
                    self.effects.finding("net.listen", message);
                }
                self.effects.host(&Value::literal("*"), "tcp", Direction::Listen);
            }
            _ => return self.read_variable(first),
        }
        self.callbacks(given);
        called.made()
    }

    fn read_variable(&mut self, name: &Item) -> Item {
        match name.known_text() {
            Some(variable) => self.variable(variable),
            None => {
                self.effects.env("*");
                Item::Unknown
            }
        }
    }

    /// The host that is connected to: the first of a pair, a member of options, or what isn't a port.
    fn host_of(&mut self, first: &Item, positional: &[Item]) -> Item {
        let named = |item: &&Item| matches!(item, Item::Text(value) if value.text.parse::<u16>().is_err());
        let paired = |item: &Item| match item {
            Item::List(items) => items.first().cloned(),
            _ => None,
        };
        match first {
            Item::List(items) => items.first().cloned(),
            Item::Map(_) => Some(self.member(first, "host")),
            _ => positional.iter().find(named).cloned().or_else(|| positional.iter().find_map(paired)),
        }
        .unwrap_or(Item::Unknown)
    }

    fn contact(&mut self, act: Act, called: Called<'_>) {
        let Called { given, positional, first, .. } = called;
        let url = positional
            .iter()
            .flat_map(Item::alternatives)
            .map(|item| item.shown())
            .find(|value| value.text.contains("://"))
            .or_else(|| option(given, &["url", "uri", "host", "hostname"]).map(|item| item.shown()))
            // `request("GET", address)`: the word before the address is what is done there.
            .unwrap_or_else(|| match positional.iter().find(|item| !is_http_method(item)) {
                Some(Item::Map(_)) => Value::unknown(),
                Some(item) => item.shown(),
                None => first.shown(),
            });
        let named = |given: &Given| given.name.as_deref().is_some_and(|name| BODIES.contains(&name));
        let sends = act == Act::Send
            || given.iter().any(|given| named(given) || posts(&given.item))
            // An address that holds what was computed carries it away.
            || url.text.contains('…') && !self.effects.deeds.reads.is_empty() && !is_open(&url);
        let nothing = positional.iter().any(|item| matches!(item, Item::Nothing));
        if !self.is_nobodys(&url) && !nothing {
            self.effects.host(&url, "https", if sends { Direction::Send } else { Direction::Fetch });
        }
    }
}

/// Whether a text is the method of an HTTP request and no address.
fn is_http_method(item: &Item) -> bool {
    let text = item.known_text().unwrap_or_default();
    SENDERS.iter().chain(&ASKERS).any(|method| method.eq_ignore_ascii_case(text))
}

/// Whether an argument says that something is sent: a method of HTTP, options with a body.
fn posts(item: &Item) -> bool {
    match item {
        Item::Map(pairs) => pairs.iter().any(|(key, value)| match key.known_text() {
            Some(key) if SENDING.contains(&key) => true,
            Some("method") => value
                .known_text()
                .is_none_or(|method| !matches!(method.to_ascii_uppercase().as_str(), "GET" | "HEAD")),
            _ => false,
        }),
        Item::Text(value) => SENDERS.contains(&value.text.as_str()),
        _ => false,
    }
}
