//! What a call of the library returned: its members and methods, and calls of it.

use super::*;

/// What a file holds, by its path: who runs that text runs the file.
pub(in crate::languages) const FILE_TEXT: &str = " file's text";

impl Run<'_> {
    /// A member of what a library call returned.
    pub(in crate::languages) fn made_member(&mut self, name: &str, given: &[Item], member: &str) -> Item {
        // The path of a temporary file or folder.
        if let ("open" | crate::languages::code::temporary::PLACE, [path], "name" | "path") =
            (name, given, member)
        {
            return path.clone();
        }
        if let ("Proxy", [target, Item::Map(handlers)]) = (name, given) {
            let get = handlers
                .iter()
                .find(|(key, _)| key.known_text() == Some("get"))
                .map(|(_, item)| item.clone());
            return match get {
                Some(get) => {
                    let given = [target.clone(), Item::text(member)].map(|item| Given { name: None, item });
                    self.apply(&get, &given)
                }
                None => self.member(&target.clone(), member),
            };
        }
        if let Some(item) = match self.dialect {
            Dialect::Python => crate::languages::python::library::member(self, name, given, member),
            _ => None,
        } {
            return item;
        }
        if let Some(item) = self.client_member(name, given, member) {
            return item;
        }
        if self.rule(&format!("{name}.{member}")).is_some() {
            return Item::library(format!("{name}.{member}"));
        }
        Item::Unknown
    }

    pub(super) fn made_method(
        &mut self,
        name: &str,
        first: &[Item],
        receiver: &Item,
        member: &str,
        given: &[Given],
    ) -> Item {
        if self.dialect == Dialect::Python
            && let Some(item) = crate::languages::python::library::method(self, name, member, given)
        {
            return item;
        }
        if name == "Proxy" {
            let found = self.made_member(name, first, member);
            return self.apply(&found, given);
        }
        if let Some(item) = self.client(receiver, member, given) {
            return item;
        }
        // A client's own methods are the module's: `requests.Session().post`.
        let module = name.split('.').next().unwrap_or(name);
        let class = name.strip_suffix(".new").unwrap_or(name);
        for full in [format!("{name}.{member}"), format!("{class}.{member}"), format!("{module}.{member}")] {
            if full.contains('.')
                && let Some(act) = self.language.exact(&full)
            {
                return self.act(act, &full, Some(receiver), given);
            }
        }
        match member {
            "write" | "writelines" | "puts" | "print" | "end" if self.is_file(name) => {
                if let (Some(path), Some(content)) = (first.first(), given.first()) {
                    self.wrote(path, &content.item);
                }
                return Item::Unknown;
            }
            // In a script. On a command line there is a plain way to run a file, and this one hides it.
            "read"
                if given.is_empty()
                    && self.script.is_some()
                    && matches!(name, "open" | "io.open" | "codecs.open") =>
            {
                return match first.first() {
                    Some(path) if is_ordinary(path) => {
                        Item::Made(Rc::from(FILE_TEXT), Rc::new(vec![path.clone()]))
                    }
                    _ => Item::Unknown,
                };
            }
            // What a chain returns is still what it began with.
            "then" | "catch" | "finally" | "on" | "once" | "pipe" | "addListener" => {
                self.hand_over(given);
                for given in given {
                    if let Item::Made(own, _) = &given.item
                        && self.rule(own).is_some_and(Act::runs_commands)
                    {
                        self.obfuscated("an interpreter that this code feeds");
                    }
                }
                return receiver.clone();
            }
            "copy" | "clone" | "dup" if Self::is_environment(name) => return receiver.clone(),
            _ => {}
        }
        let of = self.of_any(&Item::Unknown, member, given);
        match of {
            Item::Unknown if matches!(member, "__enter__" | "open" | "start" | "new") => receiver.clone(),
            item => item,
        }
    }

    /// Whether a library call returned an open file.
    pub(super) fn is_file(&self, name: &str) -> bool {
        matches!(self.rule(name), Some(Act::Open | Act::OpenFlags | Act::Write | Act::Append))
    }

    /// Calls what a library call returned.
    pub(in crate::languages) fn call_made(&mut self, name: &str, first: &[Item], given: &[Given]) -> Item {
        let last = name.rsplit('.').next().unwrap_or(name);
        match (last, first, given) {
            ("methodcaller", [Item::Text(method), rest @ ..], [object, ..]) => {
                let method = method.text.clone();
                let rest: Vec<Given> =
                    rest.iter().map(|item| Given { name: None, item: item.clone() }).collect();
                let object = object.item.clone();
                if matches!(&object, Item::Library(own) if self.rule(&format!("{own}.{method}")).is_some()) {
                    self.obfuscated("a call by a name in a string");
                }
                self.method(&object, &method, &rest)
            }
            ("attrgetter", [Item::Text(member)], [object, ..]) => {
                let (object, member) = (object.item.clone(), member.text.clone());
                let found = self.member(&object, &member);
                if matches!(&found, Item::Library(own) if self.rule(own).is_some()) {
                    self.obfuscated("a call by a name in a string");
                }
                found
            }
            ("Proxy", [target, Item::Map(handlers)], _) => {
                let handler =
                    handlers.iter().find(|(key, _)| matches!(key.known_text(), Some("apply" | "construct")));
                let all = Item::list(given.iter().map(|given| given.item.clone()).collect());
                match handler.map(|(_, item)| item.clone()) {
                    Some(handler) => {
                        let given =
                            [target.clone(), Item::Unknown, all].map(|item| Given { name: None, item });
                        self.apply(&handler, &given)
                    }
                    None => self.apply(&target.clone(), given),
                }
            }
            _ => {
                if name == "plumbum.command" {
                    self.run_program(first, given);
                    return Item::Unknown;
                }
                if name.starts_with('$') {
                    self.obfuscated("a call whose name comes from outside");
                }
                self.hand_over(given);
                Item::Unknown
            }
        }
    }

    /// A text that is called: in PHP and Perl the name of a function, elsewhere nothing.
    pub(in crate::languages) fn call_by_text(&mut self, name: &Value, given: &[Given]) -> Item {
        if !matches!(self.dialect, Dialect::Php | Dialect::Perl) {
            self.hand_over(given);
            return Item::Unknown;
        }
        if !name.is_known() {
            if !self.uncalled {
                self.unnamed("a call whose name is computed");
            }
            self.hand_over(given);
            return Item::Unknown;
        }
        if let Some(item @ Item::Function(_)) = self.get(&name.text) {
            return self.apply(&item, given);
        }
        if self.rule(&name.text).is_some() {
            self.obfuscated("a call by a name in a string");
        }
        self.library_call(&name.text.trim_start_matches('\\').replace("::", "."), given)
    }
}

/// Whether a path is known, and of a file that others may look at: no stream of this very process.
pub(super) fn is_ordinary(path: &Item) -> bool {
    path.known_text().is_some_and(|path| !path.contains("dev/") && !path.contains("proc/"))
}
