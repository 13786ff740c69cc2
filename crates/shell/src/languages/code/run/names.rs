//! Names: what each stands for, and what it is given.

use super::*;

impl Run<'_> {
    pub(in crate::languages) fn set(&mut self, name: &str, item: Item, declares: Declares) {
        let item = item.kept();
        let outer = self.frames.last().is_some_and(|frame| frame.outer.contains(name));
        let last = self.frames.len().saturating_sub(1);
        let at = match declares {
            Declares::Here if !outer => last,
            _ => {
                let end = if outer { last } else { last + 1 };
                let known = self.frames.iter().take(end).rposition(|frame| frame.names.contains_key(name));
                known.unwrap_or(0)
            }
        };
        // Files that the script is given, and that `<>`, `-n` and `-p` read.
        if name == "@ARGV" {
            for path in self.paths(&item) {
                self.effects.read(&path);
            }
        }
        // A block inside a function sees a copy of what is around it.
        if at != last
            && let Some(Some(seen)) = self.seen.last()
            && let Some(own) = seen.borrow_mut().get_mut(name)
        {
            *own = item.clone();
        }
        if let Some(frame) = self.frames.get_mut(at) {
            frame.names.insert(name.to_owned(), item);
        }
    }

    /// Gives a member to the class that is being made, or whose method is followed.
    pub(in crate::languages) fn set_in_class(&mut self, name: &str, item: Item) {
        let item = item.kept();
        let frame = self.classes.last().and_then(|at| self.frames.get_mut(*at));
        if let Some(frame) = frame {
            frame.names.insert(name.to_owned(), item);
            return;
        }
        match self.get(self.this()) {
            Some(Item::Object(object)) => {
                object.class.members.borrow_mut().insert(name.to_owned(), item);
            }
            Some(Item::Class(class)) => {
                class.members.borrow_mut().insert(name.to_owned(), item);
            }
            _ => self.set(name, item, Declares::Here),
        }
    }

    pub(in crate::languages) fn get(&self, name: &str) -> Option<Item> {
        let last = self.frames.len().checked_sub(1)?;
        if let Some(item) = self.frames.get(last)?.names.get(name) {
            return Some(item.clone());
        }
        if let Some(Some(seen)) = self.seen.get(last)
            && let Some(item) = seen.borrow().get(name)
        {
            return Some(item.clone());
        }
        self.frames.iter().take(last).rev().find_map(|frame| frame.names.get(name).cloned())
    }

    /// The name of what a function of Perl, or the script, is given.
    pub(in crate::languages) fn given_name<'n>(&self, name: &'n str) -> &'n str {
        match name {
            "@given" if self.frames.len() > 1 => "@_",
            "@given" => "@ARGV",
            name => name,
        }
    }

    pub(super) fn name(&mut self, name: &str) -> Item {
        let name = self.given_name(name);
        if let Some(item) = self.get(name) {
            return item;
        }
        // A function of the language itself that the code exchanged.
        let replaced = self.frames.first().and_then(|frame| frame.names.get(&format!("builtins.{name}")));
        if let Some(item) = replaced {
            return item.clone();
        }
        let starred = self.stars.iter().map(|module| format!("{module}.{name}"));
        if let Some(full) =
            starred.into_iter().find(|full| self.language.rule(full).is_some() || self.acts_below(full))
        {
            return Item::library(full);
        }
        if self.dialect == Dialect::Php
            && let Some(item) = php::constant(self, name)
        {
            return item;
        }
        if self.dialect == Dialect::Ruby
            && let Some(item) = self.constant_of_class(name)
        {
            return item;
        }
        self.constant(name).unwrap_or_else(|| Item::library(name))
    }

    /// A name that nothing of the code has: of a module whose names are known by themselves, or the language's own.
    pub(in crate::languages) fn library_name(&self, name: &str) -> Item {
        let starred = self.stars.iter().map(|module| format!("{module}.{name}"));
        let full = starred.into_iter().find(|full| self.language.exact(full).is_some());
        Item::library(full.unwrap_or_else(|| name.to_owned()))
    }

    /// The names of the classes that the code makes.
    pub(in crate::languages) fn class_names(&self) -> Vec<String> {
        let all = self.frames.iter().flat_map(|frame| frame.names.iter());
        all.filter(|(_, item)| matches!(item, Item::Class(_))).map(|(name, _)| name.clone()).collect()
    }

    /// Whether the table has a row for exactly this name.
    pub(in crate::languages) fn exact(&self, name: &str) -> bool {
        self.language.exact(name).is_some()
    }

    pub(super) fn constant_of_class(&self, name: &str) -> Option<Item> {
        match self.get(self.dialect.this())? {
            Item::Object(object) => self.class_member(&object.class, name, 0),
            Item::Class(class) => self.class_member(&class, name, 0),
            _ => None,
        }
    }
}
