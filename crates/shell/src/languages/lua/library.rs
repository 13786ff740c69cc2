//! What Lua itself does with names: tables of globals, protected calls, joined lists.

use crate::languages::code::{Given, Item, Run, binary, joined_texts};

/// A call that the tables can't say; `None` for any other.
pub(in crate::languages) fn call(run: &mut Run<'_>, name: &str, given: &[Given]) -> Option<Item> {
    let item = |at: usize| given.get(at).map(|given| given.item.clone());
    Some(match name {
        // Each with its place in front.
        "ipairs" | "pairs" | "next" => match item(0)? {
            Item::List(items) => {
                Item::list(items.iter().map(|item| Item::list(vec![Item::Unknown, item.clone()])).collect())
            }
            Item::Map(pairs) => Item::list(
                pairs.iter().map(|(key, item)| Item::list(vec![key.clone(), item.clone()])).collect(),
            ),
            Item::Library(module) if run.acts_below(&module) => {
                run.obfuscated("a call by a computed name");
                Item::Unknown
            }
            _ => Item::Unknown,
        },
        "table.concat" => {
            let items = item(0)?.items()?;
            let separator = item(1).unwrap_or_else(|| Item::text(""));
            let mut parts = Vec::new();
            for (at, item) in items.into_iter().enumerate() {
                if at > 0 {
                    parts.push(separator.clone());
                }
                parts.push(item);
            }
            joined_texts(&parts)
        }
        "table.unpack" | "unpack" | "tostring" | "assert" | "select" => item(0)?,
        // What the other table says of a call or a missing member is the table's own.
        "setmetatable" => match (item(0)?, item(1)) {
            (Item::List(items), Some(other @ Item::Map(_))) if items.is_empty() => other,
            (own @ Item::Map(_), Some(other @ Item::Map(_))) => binary('|', &other, &own),
            (own, _) => own,
        },
        "pcall" | "xpcall" => {
            let rest = given.get(if name == "pcall" { 1.. } else { 2.. }).unwrap_or_default();
            run.apply(&item(0)?, rest)
        }
        "string.rep" | "string.reverse" | "string.lower" | "string.upper" | "string.format"
        | "string.sub" | "string.gsub" => {
            let method = name.rsplit('.').next()?;
            run.method(&item(0)?, method, given.get(1..).unwrap_or_default())
        }
        "require" => {
            run.effects.module(&item(0)?.shown());
            Item::library(item(0)?.known_text()?)
        }
        "rawget" => {
            let (object, key) = (item(0)?, item(1)?);
            match (&object, key.known_text()) {
                (Item::Library(module), Some(member)) => {
                    run.hidden(&key.shown(), "a call whose name is put together");
                    run.named_member(module, member)
                }
                (object, Some(member)) => run.member(object, member),
                _ => Item::Unknown,
            }
        }
        "print" | "io.write" | "type" | "error" | "tonumber" | "math.floor" | "table.insert"
        | "table.sort" => Item::Unknown,
        _ => return None,
    })
}
