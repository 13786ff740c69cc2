//! Arguments of tools whose doings nobody knows: what they name of ours, with what they would do to it.

use doorward_core::effect::{Effects, Protection};
use doorward_core::finding::Finding;
use doorward_core::json::Value;
use doorward_paths::lexical;

use super::{Looks, PROGRAMS, below, process, state};
use crate::leaves::{ToolWords, reads_as_code};

/// Words of names of tools that end, stop or hold back processes and services.
const ENDING: &[&str] = &[
    "disable",
    "end",
    "freeze",
    "halt",
    "interrupt",
    "kill",
    "mask",
    "pause",
    "quit",
    "restart",
    "shutdown",
    "signal",
    "stop",
    "suspend",
    "terminate",
    "uninstall",
    "unload",
];

impl Looks<'_> {
    /// Our state, files or processes, named to a tool that doesn't only read.
    pub(super) fn leaves(&self, effects: &Effects, texts: &[&str]) -> Option<Finding> {
        let tool = ToolWords::of(self.call);
        if tool.reads {
            return None;
        }
        let ends = tool.words.iter().any(|word| ENDING.contains(&word.as_str()));
        if ends && (texts.iter().any(|text| names_us(text)) || self.numbers_us()) {
            return Some(process("with a tool that ends processes"));
        }
        let reads = || effects.reads.iter().filter(|read| !read.metadata);
        let around =
            |path: &str| !self.is_great(path) && self.own.state.iter().any(|own| below(own, path).is_some());
        if let Some(read) = reads().find(|read| around(&read.path)) {
            return Some(state(&read.path));
        }
        // A file of ours beside a text: the tool may well write the one into the other.
        let is_own = |path: &str| self.files.protection(std::path::Path::new(path)) == Some(Protection::Own);
        let read = reads().find(|read| is_own(&read.path))?;
        let is_place = |text: &str| lexical::join(self.cwd, text) == text || text.contains("://");
        let beside = texts.iter().any(|text| !is_place(text) && !text.trim().is_empty());
        beside.then(|| {
            let what = format!("`{}`: given to a tool that may change it", read.path);
            Finding::new("path.own_files", what)
        })
    }

    /// A text among the arguments: what it names, and what it does where it reads as a command line or as code. A
    /// sentence about us does nothing.
    pub(super) fn argument(&self, text: &str) -> Option<Finding> {
        self.names(text).or_else(|| self.does(text).filter(|_| reads_as_code(text)))
    }

    fn numbers_us(&self) -> bool {
        fn any(value: &Value, ours: &dyn Fn(&str) -> bool) -> bool {
            match value {
                Value::Number(number) => ours(&number.to_string()),
                Value::String(text) => ours(text.trim()),
                Value::Array(items) => items.iter().any(|item| any(item, ours)),
                Value::Object(members) => members.values().any(|value| any(value, ours)),
                _ => false,
            }
        }
        let ours = |digits: &str| digits.parse::<u32>().is_ok_and(|pid| self.own.processes.contains(&pid));
        self.call.args.values().any(|value| any(value, &ours))
    }
}

/// Whether a text names our program or service, and nothing else.
fn names_us(text: &str) -> bool {
    let name = text.trim().rsplit('/').next().unwrap_or_default();
    let name = name.strip_suffix(".service").unwrap_or(name).to_ascii_lowercase();
    PROGRAMS.contains(&name.as_str())
}
