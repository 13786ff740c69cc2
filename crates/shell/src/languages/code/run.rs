//! Follows code: names to values, ways that part and meet, functions into their bodies.
//!
//! Nothing is executed. A name may have several values where the code may take several ways, and a call acts on each
//! of them. A function is followed with the arguments it is given, and once with unknown ones if nothing here calls
//! it. Steps and depth are bounded; what is beyond them is a finding, so that no code gets a milder judgement by
//! being long.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::Dialect;
use super::item::{Closure, Given, Item, Object, OwnClass};
use super::read::with_stack;
use super::scope::{Frame, Names, joined};
use super::tree::{Argument, Call, Class, Declares, Each, Expr, Function, Parameter, Pattern, Stmt};
use crate::languages::php::library as php;
use crate::languages::ruby::library as ruby;
use crate::languages::rules::LanguageRow;
use crate::languages::{CodeEffects, Value};

/// Most expressions and statements that are followed.
const MOST_STEPS: usize = 150_000;
/// How deep expressions, statements and calls lie in each other.
const DEEPEST: usize = 220;
/// Most items of a list that a loop is followed through one by one.
const MOST_ROUNDS: usize = 48;
/// How often one function may be under way at once.
const MOST_AT_ONCE: usize = 2;
/// How often a function that nothing here calls is followed with arguments that nobody knows.
const MOST_OPEN: usize = 3;

pub(in crate::languages) struct Run<'a> {
    pub(in crate::languages) effects: &'a mut CodeEffects,
    pub(in crate::languages) language: &'a LanguageRow,
    pub(in crate::languages) dialect: super::Dialect,
    pub(in crate::languages) frames: Vec<Frame>,
    /// What each frame's function saw where it was defined.
    pub(in crate::languages) seen: Vec<Option<Rc<RefCell<Names>>>>,
    steps: usize,
    depth: usize,
    /// Calls that are under way.
    calls: usize,
    /// Steps ran out.
    pub(in crate::languages) cut: bool,
    /// Functions that were followed.
    ran: HashSet<*const Function>,
    under_way: HashMap<*const Function, usize>,
    /// How often functions were followed with arguments that nobody knows, and what came of it.
    open: HashMap<*const Function, (usize, Item)>,
    /// Functions, to be followed at the end if nothing called them.
    defined: Vec<Item>,
    /// Modules whose names are all known by themselves.
    pub(in crate::languages) stars: Vec<String>,
    /// Where relative paths lie, once the code has gone elsewhere.
    pub(in crate::languages) folder: Option<Value>,
    /// Somewhere in the code something is written to a file.
    pub(in crate::languages) puts: bool,
    /// What is followed is a function that nothing here calls, so that nobody gives its parameters.
    pub(in crate::languages) uncalled: bool,
    /// What the code is given on its command line, if that is known.
    pub(in crate::languages) arguments: Option<Vec<Item>>,
    /// The file that the code stands in.
    pub(in crate::languages) script: Option<String>,
    /// Options that the code declares, with what each is unless it is given.
    pub(in crate::languages) options: Vec<(String, Item)>,
    /// Functions that were handed to what nobody knows: they may run at any time.
    pub(in crate::languages) handed: Vec<Item>,
    /// The frames of the classes that are being made.
    classes: Vec<usize>,
    /// Methods that the code gave to classes of the language.
    pub(in crate::languages) patched: Names,
    made: Made,
    /// Whether every database that was opened is in memory, once one was.
    pub(super) in_memory: Option<bool>,
}

/// What the code made that may hold itself, or a chain of any length. It is taken apart at the end.
#[derive(Default)]
struct Made {
    scopes: Vec<Rc<RefCell<Names>>>,
    objects: Vec<Rc<Object>>,
    classes: Vec<Rc<OwnClass>>,
}

impl Drop for Made {
    /// One after the other: each is held from here until it holds nothing, so that no chain ends within another.
    fn drop(&mut self) {
        for scope in &self.scopes {
            drop(std::mem::take(&mut *scope.borrow_mut()));
        }
        for object in &self.objects {
            drop(std::mem::take(&mut *object.fields.borrow_mut()));
        }
        for class in &self.classes {
            drop(std::mem::take(&mut *class.members.borrow_mut()));
            drop(class.last.borrow_mut().take());
        }
        self.objects.clear();
        // The classes above one are older than itself.
        while self.classes.pop().is_some() {}
    }
}

impl<'a> Run<'a> {
    pub(in crate::languages) fn new(
        effects: &'a mut CodeEffects,
        language: &'a LanguageRow,
        dialect: super::Dialect,
        called: crate::languages::Invocation<'_>,
        puts: bool,
    ) -> Self {
        Self {
            effects,
            language,
            dialect,
            frames: vec![Frame::default()],
            seen: vec![None],
            steps: MOST_STEPS,
            depth: 0,
            calls: 0,
            cut: false,
            ran: HashSet::new(),
            under_way: HashMap::new(),
            open: HashMap::new(),
            defined: Vec::new(),
            stars: Vec::new(),
            folder: None,
            puts,
            uncalled: false,
            script: called.script.map(str::to_owned),
            arguments: called.arguments.map(|arguments| arguments.iter().map(Item::text).collect()),
            options: Vec::new(),
            handed: Vec::new(),
            classes: Vec::new(),
            patched: Names::new(),
            made: Made::default(),
            in_memory: None,
        }
    }

    /// The name of the object in a method.
    pub(in crate::languages) fn this(&self) -> &'static str {
        self.dialect.this()
    }

    /// Follows all of it.
    pub(in crate::languages) fn program(&mut self, body: &[Stmt]) {
        self.block(body);
        // What was handed over may only run now, when other names hold other values.
        for item in std::mem::take(&mut self.handed) {
            if let Item::Function(closure) = &item {
                self.closure(closure, None);
            }
        }
        self.uncalled = true;
        let mut at = 0;
        while let Some(item) = self.defined.get(at).cloned() {
            at += 1;
            if at > 2000 {
                break;
            }
            if let Item::Function(closure) = &item
                && !self.ran.contains(&Rc::as_ptr(&closure.function))
            {
                // A method of an object that was made knows what that holds.
                let made = match &closure.this {
                    Some(Item::Object(object)) => object.class.last.borrow().clone(),
                    _ => None,
                };
                match made.map(|made| bound(closure, &made)) {
                    Some(Item::Function(closure)) => self.closure(&closure, None),
                    _ => self.closure(closure, None),
                };
            }
        }
        self.uncalled = false;
    }

    /// Whether one more step may be taken.
    fn step(&mut self) -> bool {
        match self.steps.checked_sub(1) {
            Some(rest) => self.steps = rest,
            None => self.cut = true,
        }
        self.steps > 0
    }

    pub(in crate::languages) fn pay(&mut self, steps: usize) {
        self.steps = self.steps.saturating_sub(steps);
    }

    pub(in crate::languages) fn block(&mut self, body: &[Stmt]) -> Item {
        let mut last = Item::Unknown;
        for statement in body {
            if !self.step() {
                break;
            }
            last = self.statement(statement);
        }
        last
    }

    fn statement(&mut self, statement: &Stmt) -> Item {
        if self.depth >= DEEPEST {
            self.cut = true;
            return Item::Unknown;
        }
        self.depth += 1;
        let last = with_stack(|| self.statement_within(statement));
        self.depth -= 1;
        last
    }

    fn statement_within(&mut self, statement: &Stmt) -> Item {
        match statement {
            Stmt::Do(expr) => return self.eval(expr),
            Stmt::Assign(pattern, expr, declares) => {
                let item = self.eval(expr);
                self.assign(pattern, &item, *declares);
                return item;
            }
            Stmt::Import(name, full) => {
                let item = self.library_member(full);
                self.set(name, item, Declares::Here);
            }
            Stmt::Load(module) => self.effects.module(&Value::literal(module)),
            Stmt::ImportAll(module) => self.stars.push(module.clone()),
            Stmt::Function(function) => {
                let item = self.function(function);
                self.set(&function.name, item.clone(), Declares::Here);
                return item;
            }
            Stmt::Class(class) => {
                let item = self.class(class);
                self.set(&class.name, item.clone(), Declares::Here);
                return item;
            }
            Stmt::Branch { arms, or_none } => return self.branch(arms, *or_none),
            Stmt::Loop { pattern, over, body } => self.repeat(pattern.as_ref(), over.as_ref(), body),
            Stmt::Return(value) => {
                let item = value.as_ref().map_or(Item::Unknown, |value| self.eval(value));
                if let Some(frame) = self.frames.last_mut() {
                    frame.returned.push(item.clone());
                }
                return item;
            }
            Stmt::Outer(names) => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.outer.extend(names.iter().cloned());
                }
            }
        }
        Item::Unknown
    }

    fn snapshot(&mut self) -> Vec<Names> {
        let size: usize = self.frames.iter().map(|frame| frame.names.len()).sum();
        self.pay(size / 8);
        self.frames.iter().map(|frame| frame.names.clone()).collect()
    }

    fn restore(&mut self, names: &[Names]) {
        for (frame, names) in self.frames.iter_mut().zip(names) {
            frame.names.clone_from(names);
        }
    }

    fn join(&mut self, others: &[Names]) {
        for (frame, other) in self.frames.iter_mut().zip(others) {
            let own = std::mem::take(&mut frame.names);
            frame.names = joined(own, other);
        }
    }

    fn branch(&mut self, arms: &[Vec<Stmt>], or_none: bool) -> Item {
        let before = self.snapshot();
        let mut ends: Vec<Vec<Names>> = Vec::new();
        let mut values = Vec::new();
        for arm in arms {
            self.restore(&before);
            values.push(self.block(arm));
            ends.push(self.frames.iter_mut().map(|frame| std::mem::take(&mut frame.names)).collect());
        }
        if or_none || ends.is_empty() {
            ends.push(before);
        }
        if let Some((first, rest)) = ends.split_first() {
            self.restore(first);
            for other in rest {
                self.join(other);
            }
        }
        Item::either(values)
    }

    fn repeat(&mut self, pattern: Option<&Pattern>, over: Option<&Expr>, body: &[Stmt]) {
        let items = over.map(|over| self.eval(over));
        let items = items.map(|items| self.command_line(&items).unwrap_or(items));
        let known = items.as_ref().and_then(Item::items).filter(|items| items.len() <= MOST_ROUNDS);
        if let (Some(pattern), Some(known)) = (pattern, known) {
            for item in known {
                self.assign(pattern, &item, Declares::Here);
                self.block(body);
            }
            return;
        }
        let element = items.map_or(Item::Unknown, |items| self.element(&items));
        // Twice, so that what the first round leaves is seen by the second.
        for _ in 0..2 {
            let before = self.snapshot();
            if let Some(pattern) = pattern {
                self.assign(pattern, &element, Declares::Here);
            }
            self.block(body);
            self.join(&before);
        }
    }

    /// Any item of a list that is too long, or isn't known.
    fn element(&mut self, over: &Item) -> Item {
        match over {
            Item::List(items) => {
                Item::either(items.iter().take(8).cloned().chain(std::iter::once(Item::Unknown)))
            }
            Item::Either(items) => {
                let all: Vec<Item> = items.iter().filter_map(Item::items).flatten().take(8).collect();
                Item::either(all.into_iter().chain(std::iter::once(Item::Unknown)))
            }
            _ => Item::Unknown,
        }
    }

    pub(in crate::languages) fn assign(&mut self, pattern: &Pattern, item: &Item, declares: Declares) {
        match pattern {
            Pattern::Name(name) => self.set(name, item.clone(), declares),
            Pattern::Member(object, member) => {
                let object = self.eval(object);
                self.set_member(&object, member, item);
            }
            Pattern::Index(object, key) => {
                let key = self.eval(key);
                self.set_index(object, &key, item);
            }
            Pattern::Rest(pattern) => self.assign(pattern, item, declares),
            Pattern::Several(patterns) => {
                // Of what a call returns beside its first value, nothing is known.
                let items = match (self.dialect, item) {
                    (super::Dialect::Go | super::Dialect::Lua, Item::List(_)) => item.items(),
                    (super::Dialect::Go | super::Dialect::Lua, item) => Some(vec![item.clone()]),
                    (_, item) => item.items(),
                };
                for (at, pattern) in patterns.iter().enumerate() {
                    if let Pattern::Rest(pattern) = pattern {
                        let rest = items.as_ref().and_then(|items| items.get(at..));
                        let rest = rest.map_or(Item::Unknown, |rest| Item::list(rest.to_vec()));
                        self.assign(pattern, &rest, declares);
                        continue;
                    }
                    let item = items.as_ref().and_then(|items| items.get(at).cloned());
                    self.assign(pattern, &item.unwrap_or(Item::Unknown), declares);
                }
            }
            Pattern::Keys(keys) => {
                for (key, pattern) in keys {
                    let member = self.member(item, key);
                    self.assign(pattern, &member, declares);
                }
            }
            Pattern::Nothing => {}
        }
    }

    pub(in crate::languages) fn set_member(&mut self, object: &Item, member: &str, item: &Item) {
        let item = &item.clone().kept();
        match object {
            Item::Object(own) if self.dialect == Dialect::Ruby && !member.starts_with('@') => {
                match self.class_member(&own.class, &format!("{member}="), 0) {
                    Some(Item::Function(setter)) => {
                        let given = Given { name: None, item: item.clone() };
                        self.apply(&bound(&setter, object), &[given]);
                    }
                    _ => {
                        own.fields.borrow_mut().insert(format!("@{member}"), item.clone());
                    }
                }
            }
            Item::Object(object) => {
                let setter = match object.fields.borrow().get(member) {
                    Some(_) => None,
                    None => self.class_member(&object.class, member, 0),
                };
                // A descriptor decides what an assignment does.
                if let Some(setter @ Item::Object(_)) = setter {
                    let given = [Item::Unknown, item.clone()].map(|item| Given { name: None, item });
                    self.method(&setter, "__set__", &given);
                }
                object.fields.borrow_mut().insert(member.to_owned(), item.clone());
            }
            Item::Class(class) => {
                class.members.borrow_mut().insert(member.to_owned(), item.clone());
            }
            // `os.system = …`: both, from now on.
            Item::Library(name) => {
                let full = format!("{name}.{member}");
                let either = Item::either([Item::library(&full), item.clone()]);
                if let Some(frame) = self.frames.first_mut() {
                    frame.names.insert(full, either);
                }
            }
            Item::Either(objects) => {
                for object in objects.iter() {
                    self.set_member(object, member, item);
                }
            }
            _ => {}
        }
    }

    /// `object[key] = item`, where the object is a variable's.
    fn set_index(&mut self, object: &Expr, key: &Item, item: &Item) {
        let held = self.eval(object);
        let changed = match &held {
            Item::Map(pairs) if pairs.len() < 512 => {
                let mut pairs: Vec<(Item, Item)> = pairs.as_ref().clone();
                pairs.retain(|(own, _)| !own.is_same(key));
                pairs.push((key.clone(), item.clone()));
                Item::Map(Rc::new(pairs))
            }
            // PHP's arrays are lists and maps.
            Item::List(items) if self.dialect == Dialect::Php && !matches!(key, Item::Number(_)) => {
                let numbered = items
                    .iter()
                    .enumerate()
                    .map(|(at, item)| (i64::try_from(at).map_or(Item::Unknown, Item::Number), item.clone()));
                Item::Map(Rc::new(numbered.chain(std::iter::once((key.clone(), item.clone()))).collect()))
            }
            Item::List(items) => {
                let mut items: Vec<Item> = items.as_ref().clone();
                match key {
                    Item::Number(at) => {
                        if let Some(slot) = usize::try_from(*at).ok().and_then(|at| items.get_mut(at)) {
                            *slot = item.clone();
                        }
                    }
                    _ => items.iter_mut().for_each(|own| *own = Item::either([own.clone(), item.clone()])),
                }
                Item::list(items)
            }
            Item::Object(object) => {
                if let Some(key) = key.known_text() {
                    object.fields.borrow_mut().insert(key.to_owned(), item.clone().kept());
                }
                return;
            }
            _ => return self.index_of_library(&held, key, item),
        };
        self.put_back(object, changed);
    }

    /// Keeps what a call or assignment made of the value of a variable.
    pub(in crate::languages) fn put_back(&mut self, object: &Expr, changed: Item) {
        match object {
            Expr::Name(name) => {
                let name = self.given_name(name);
                self.set(name, changed, Declares::There);
            }
            // `text << one << other`
            Expr::Call(call) => {
                if let Expr::Member(object, member) = &call.callee
                    && matches!(member.as_str(), "<<" | "push" | "append" | "concat" | "freeze")
                {
                    self.put_back(object, changed);
                }
            }
            Expr::Member(of, member) => {
                let of = self.eval(of);
                self.set_member(&of, member, &changed);
            }
            _ => {}
        }
    }

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

    fn scope(&mut self, names: Names) -> Rc<RefCell<Names>> {
        let scope = Rc::new(RefCell::new(names));
        self.made.scopes.push(Rc::clone(&scope));
        scope
    }

    pub(in crate::languages) fn object(&mut self, class: Rc<OwnClass>, fields: Names) -> Item {
        let object = Rc::new(Object { class, fields: RefCell::new(fields) });
        self.made.objects.push(Rc::clone(&object));
        Item::Object(object)
    }

    fn function(&mut self, function: &Rc<Function>) -> Item {
        let seen = if self.frames.len() > 1 {
            let mut names = match self.seen.last() {
                Some(Some(seen)) => seen.borrow().clone(),
                _ => Names::new(),
            };
            if let Some(frame) = self.frames.last() {
                names.extend(frame.names.iter().map(|(name, item)| (name.clone(), item.clone())));
            }
            self.pay(names.len() / 8);
            Some(self.scope(names))
        } else {
            None
        };
        let item = Item::Function(Rc::new(Closure { function: Rc::clone(function), seen, this: None }));
        self.defined.push(item.clone());
        item
    }

    fn class(&mut self, class: &Rc<Class>) -> Item {
        let mut bases: Vec<Item> = class.bases.iter().map(|base| self.eval(base)).collect();
        if self.dialect != Dialect::Ruby {
            return self.class_of(bases, &class.body, None);
        }
        // A class that is opened again has what it had.
        if let Some(before @ Item::Class(_)) = self.get(&class.name) {
            bases.push(before);
        }
        let mut around = match self.seen.last() {
            Some(Some(seen)) => seen.borrow().clone(),
            _ => Names::new(),
        };
        if self.frames.len() > 1
            && let Some(frame) = self.frames.last()
        {
            around.extend(frame.names.iter().map(|(name, item)| (name.clone(), item.clone())));
        }
        around.remove(self.dialect.this());
        self.pay(around.len() / 8);
        let around = self.scope(around);
        let made = self.class_of(bases, &class.body, Some(around));
        let of_language = matches!(
            class.name.as_str(),
            "String"
                | "Array"
                | "Hash"
                | "Integer"
                | "Object"
                | "Symbol"
                | "Kernel"
                | "Enumerable"
                | "NilClass"
        );
        if let (true, Item::Class(made)) = (of_language, &made) {
            for (name, item) in made.members.borrow().iter() {
                self.patched.insert(name.clone(), item.clone());
                if matches!(class.name.as_str(), "Object" | "Kernel")
                    && let Some(frame) = self.frames.first_mut()
                {
                    frame.names.insert(name.clone(), item.clone());
                }
            }
        }
        made
    }

    /// A class with these classes above it, whose members its body makes.
    pub(in crate::languages) fn class_of(
        &mut self,
        bases: Vec<Item>,
        body: &[Stmt],
        seen: Option<Rc<RefCell<Names>>>,
    ) -> Item {
        let own = Rc::new(OwnClass { bases, members: RefCell::default(), last: RefCell::default() });
        self.made.classes.push(Rc::clone(&own));
        let first = self.defined.len();
        let mut frame = Frame::default();
        if matches!(self.dialect, Dialect::Ruby | Dialect::Php) {
            frame.names.insert(self.dialect.this().to_owned(), Item::Class(Rc::clone(&own)));
        }
        self.classes.push(self.frames.len());
        self.frames.push(frame);
        self.seen.push(seen);
        self.block(body);
        self.seen.pop();
        let mut frame = self.frames.pop().unwrap_or_default();
        self.classes.pop();
        frame.names.remove(self.dialect.this());
        own.members.borrow_mut().extend(frame.names);
        // What nothing calls is followed with an object of the class.
        let object = self.object(Rc::clone(&own), Names::new());
        if self.dialect == Dialect::Python
            && let Some(Item::Function(reduce)) =
                ["__reduce__", "__reduce_ex__"].iter().find_map(|name| self.class_member(&own, name, 0))
            && let Item::Function(reduce) = bound(&reduce, &object)
        {
            let made = self.closure(&reduce, None);
            self.reduced_to(&made);
        }
        for item in self.defined.iter_mut().skip(first) {
            if let Item::Function(closure) = &item
                && closure.this.is_none()
                && body.iter().any(|statement| {
                    matches!(statement, Stmt::Function(function) if Rc::ptr_eq(function, &closure.function))
                })
            {
                *item = bound(closure, &object);
            }
        }
        Item::Class(own)
    }

    pub(in crate::languages) fn eval(&mut self, expr: &Expr) -> Item {
        if !self.step() {
            return Item::Unknown;
        }
        if self.depth >= DEEPEST {
            self.cut = true;
            return Item::Unknown;
        }
        self.depth += 1;
        let item = with_stack(|| self.eval_within(expr));
        self.depth -= 1;
        item
    }

    fn eval_within(&mut self, expr: &Expr) -> Item {
        match expr {
            Expr::Text(value) => Item::Text(value.clone()),
            Expr::Number(number) => Item::Number(*number),
            Expr::Name(name) => self.name(name),
            Expr::Member(object, member) => {
                let object = self.eval(object);
                self.reaches_inside(member);
                self.member(&object, member)
            }
            Expr::Index(object, key) => {
                let object = self.eval(object);
                let key = self.eval(key);
                self.index(&object, &key)
            }
            Expr::Slice(object, bounds) => {
                let object = self.eval(object);
                let bounds: Vec<Option<Item>> =
                    bounds.iter().map(|bound| bound.as_ref().map(|bound| self.eval(bound))).collect();
                let object = self.command_line(&object).unwrap_or(object);
                super::values::slice(&object, &bounds)
            }
            Expr::Call(call) => self.call(call),
            Expr::Joined(parts) => {
                let items: Vec<Item> = parts.iter().map(|part| self.eval(part)).collect();
                super::values::joined_texts(&items)
            }
            Expr::Binary(operator, one, other) => {
                let one = self.eval(one);
                let other = self.eval(other);
                self.operated(*operator, &one, &other)
            }
            Expr::List(items) => Item::list(items.iter().map(|item| self.eval(item)).collect()),
            Expr::Map(pairs) => Item::Map(Rc::new(
                pairs.iter().map(|(key, value)| (self.eval(key), self.eval(value))).collect(),
            )),
            Expr::Function(function) => self.function(function),
            Expr::Class(class) => self.class(class),
            Expr::Either(items) => {
                let items: Vec<Item> = items.iter().map(|item| self.eval(item)).collect();
                Item::either(items)
            }
            Expr::Each(each) => self.each(each),
            Expr::Command(text) => {
                let text = self.eval(text).shown();
                self.shell_text(&text);
                Item::Unknown
            }
            Expr::Assign(pattern, value) => {
                let item = self.eval(value);
                self.assign(pattern, &item, Declares::There);
                item
            }
            Expr::Block(body) => self.block(body),
            Expr::Opaque(parts) => {
                for part in parts {
                    self.eval(part);
                }
                Item::Unknown
            }
        }
    }

    /// The name of what a function of Perl, or the script, is given.
    pub(in crate::languages) fn given_name<'n>(&self, name: &'n str) -> &'n str {
        match name {
            "@given" if self.frames.len() > 1 => "@_",
            "@given" => "@ARGV",
            name => name,
        }
    }

    fn name(&mut self, name: &str) -> Item {
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

    fn constant_of_class(&self, name: &str) -> Option<Item> {
        match self.get(self.dialect.this())? {
            Item::Object(object) => self.class_member(&object.class, name, 0),
            Item::Class(class) => self.class_member(&class, name, 0),
            _ => None,
        }
    }

    fn each(&mut self, each: &Each) -> Item {
        let mut results = Vec::new();
        self.each_level(each, &each.loops, &mut results);
        if results.len() > 4096 {
            results.truncate(4096);
        }
        Item::list(results)
    }

    fn each_level(&mut self, each: &Each, loops: &[(Pattern, Expr)], results: &mut Vec<Item>) {
        let Some(((pattern, over), rest)) = loops.split_first() else {
            let item = self.eval(&each.item);
            results.push(item);
            return;
        };
        let over = self.eval(over);
        let items = match over.items() {
            Some(items) if items.len() <= 4096 => items,
            _ => vec![self.element(&over)],
        };
        for item in items {
            if !self.step() {
                break;
            }
            self.assign(pattern, &item, Declares::Here);
            self.each_level(each, rest, results);
        }
    }

    /// What a member of a value is.
    pub(in crate::languages) fn member(&mut self, object: &Item, member: &str) -> Item {
        match object {
            Item::Library(name) => {
                let full = format!("{name}.{member}");
                match self.frames.first().and_then(|frame| frame.names.get(&full)) {
                    Some(item) => item.clone(),
                    None => self.library_member(&full),
                }
            }
            Item::Object(own) => {
                if let Some(field) = own.fields.borrow().get(member) {
                    return field.clone();
                }
                let attribute = match self.dialect {
                    Dialect::Ruby => own.fields.borrow().get(&format!("@{member}")).cloned(),
                    _ => None,
                };
                match self.class_member(&own.class, member, 0) {
                    Some(Item::Function(closure)) => bound(&closure, object),
                    Some(item) => item,
                    None if attribute.is_some() => attribute.unwrap_or(Item::Unknown),
                    None => own
                        .class
                        .bases
                        .iter()
                        .find_map(|base| match base {
                            Item::Library(base) => {
                                let full = format!("{base}.{member}");
                                let told = !matches!(self.dialect, Dialect::Ruby | Dialect::Php);
                                (told || self.exact(&full)).then(|| Item::library(full))
                            }
                            _ => None,
                        })
                        .or_else(|| self.missing_member(own, object, member))
                        .unwrap_or(Item::Unknown),
                }
            }
            Item::Class(class) => match self.class_member(class, member, 0) {
                Some(Item::Function(closure))
                    if takes_class(&closure.function)
                        || matches!(self.dialect, Dialect::Ruby | Dialect::Php) =>
                {
                    bound(&closure, object)
                }
                Some(item) => item,
                None if matches!(member, "new" | "allocate") => object.clone(),
                None => Item::Unknown,
            },
            Item::Either(items) => {
                let members: Vec<Item> = items.iter().map(|item| self.member(item, member)).collect();
                Item::either(members)
            }
            Item::Map(pairs) => pairs
                .iter()
                .rev()
                .find(|(key, _)| key.known_text() == Some(member.trim_start_matches('$')))
                .map_or(Item::Unknown, |(_, item)| item.clone()),
            Item::Text(_) | Item::List(_) | Item::Number(_) => super::values::member(object, member)
                .unwrap_or_else(|| Item::Method(Rc::new((object.clone(), member.to_owned())))),
            Item::Made(name, given) => self.made_member(name, given, member),
            _ => Item::Unknown,
        }
    }

    pub(in crate::languages) fn class_member(
        &self,
        class: &OwnClass,
        member: &str,
        depth: usize,
    ) -> Option<Item> {
        if let Some(item) = class.members.borrow().get(member) {
            return Some(item.clone());
        }
        if depth > 8 {
            return None;
        }
        class.bases.iter().find_map(|base| match base {
            Item::Class(base) => self.class_member(base, member, depth + 1),
            _ => None,
        })
    }

    fn index(&mut self, object: &Item, key: &Item) -> Item {
        if let Some(item) = self.client_index(object, key) {
            return item;
        }
        match (object, key) {
            (Item::Either(items), _) => {
                let found: Vec<Item> = items.iter().map(|item| self.index(item, key)).collect();
                Item::either(found)
            }
            (_, Item::Either(keys)) => {
                let found: Vec<Item> = keys.iter().map(|key| self.index(object, key)).collect();
                Item::either(found)
            }
            (Item::Map(pairs), _) => {
                match pairs.iter().rev().find(|(own, _)| own.is_same(key) || same_key(own, key)) {
                    Some((_, item)) => item.clone(),
                    // Any of them, so that what a table of functions holds is seen.
                    None => Item::either(
                        pairs.iter().map(|(_, item)| item.clone()).chain(std::iter::once(Item::Unknown)),
                    ),
                }
            }
            (Item::Library(name), _) => self.library_index(name, key),
            // What comes from outside, all of it.
            (Item::Made(name, _), _) if name.starts_with('$') => object.clone(),
            (Item::Function(_) | Item::Partial(_), _) if self.dialect == Dialect::Ruby => {
                self.apply(object, &[Given { name: None, item: key.clone() }])
            }
            (Item::Class(class), _) => match self.class_member(class, "__class_getitem__", 0) {
                Some(own) => self.apply(&own, &[Given { name: None, item: key.clone() }]),
                None => Item::Unknown,
            },
            (Item::Made(name, given), Item::Text(_)) if **name == *"Proxy" => {
                let member = key.shown().text;
                self.made_member(name, given, &member)
            }
            (Item::Object(own), Item::Text(_)) => {
                let field = key.known_text().and_then(|key| own.fields.borrow().get(key).cloned());
                field.unwrap_or(Item::Unknown)
            }
            _ => super::values::index(object, key),
        }
    }

    fn call(&mut self, call: &Call) -> Item {
        // The receiver first, so that a method that changes it can put it back.
        let (receiver, callee) = match &call.callee {
            Expr::Member(object, member) => {
                let receiver = self.eval(object);
                (Some((receiver, object.as_ref(), member.as_str())), None)
            }
            // Its own members first, and what is no function needs no call.
            Expr::Name(name) if self.dialect == Dialect::Ruby => {
                let given = self.given(&call.arguments);
                return ruby::own_call(self, name, &given);
            }
            callee => (None, Some(self.eval(callee))),
        };
        let given = self.given(&call.arguments);
        match (receiver, callee) {
            (Some((receiver, object, member)), _) => {
                if let Some((changed, value)) = super::values::changes(&receiver, member, &given) {
                    self.put_back(object, changed);
                    return value;
                }
                self.method(&receiver, member, &given)
            }
            (None, Some(callee)) => self.apply(&callee, &given),
            (None, None) => Item::Unknown,
        }
    }

    fn given(&mut self, arguments: &[Argument]) -> Vec<Given> {
        let mut given = Vec::new();
        for argument in arguments {
            let item = self.eval(&argument.value);
            match (&item, argument.spread) {
                (Item::Map(pairs), true) => given.extend(
                    pairs
                        .iter()
                        .map(|(key, item)| Given { name: Some(key.shown().text), item: item.clone() }),
                ),
                (_, true) => match item.items() {
                    Some(items) => {
                        given.extend(items.into_iter().map(|item| Given { name: None, item }));
                    }
                    None => given.push(Given { name: argument.name.clone(), item: Item::Unknown }),
                },
                _ => given.push(Given { name: argument.name.clone(), item }),
            }
        }
        given
    }

    /// Calls a value.
    pub(in crate::languages) fn apply(&mut self, callee: &Item, given: &[Given]) -> Item {
        // A name of the library may lead to itself.
        if !self.step() || self.calls >= DEEPEST {
            self.cut = true;
            return Item::Unknown;
        }
        self.calls += 1;
        let item = with_stack(|| self.apply_within(callee, given));
        self.calls -= 1;
        item
    }

    fn apply_within(&mut self, callee: &Item, given: &[Given]) -> Item {
        let decorates =
            |given: &Given| given.name.as_deref() == Some(crate::languages::python::library::DECORATED);
        let own = matches!(callee, Item::Function(_) | Item::Class(_) | Item::Partial(_) | Item::Object(_));
        if own && given.iter().any(decorates) {
            let given: Vec<Given> =
                given.iter().map(|given| Given { name: None, item: given.item.clone() }).collect();
            return self.apply(callee, &given);
        }
        match callee {
            Item::Library(name) => self.library_call(&Rc::clone(name), given),
            Item::Function(closure) => self.closure(closure, Some(given)),
            Item::Class(class) => self.made_object(class, given),
            Item::Partial(partial) => {
                let mut all = partial.1.clone();
                all.extend(given.iter().cloned());
                self.apply(&partial.0, &all)
            }
            Item::Either(callees) => {
                let values: Vec<Item> = callees.iter().map(|callee| self.apply(callee, given)).collect();
                Item::either(values)
            }
            Item::Object(object) => {
                let call = ["__call__", "call", "__invoke"]
                    .iter()
                    .find_map(|name| self.class_member(&object.class, name, 0));
                match call {
                    Some(Item::Function(closure)) => {
                        let Item::Function(closure) = bound(&closure, callee) else { return Item::Unknown };
                        self.closure(&closure, Some(given))
                    }
                    _ => Item::Unknown,
                }
            }
            Item::Method(method) => {
                let method = Rc::clone(method);
                self.method(&method.0, &method.1, given)
            }
            // Whatever is called with the name of such a module loads it.
            Item::Unknown if self.dialect == Dialect::JavaScript && loads_module(given) => {
                let name = given.first().and_then(|given| given.item.known_text()).unwrap_or_default();
                Item::library(name.trim_start_matches("node:"))
            }
            Item::Text(name) => self.call_by_text(&name.clone(), given),
            // A table of Lua that can be called.
            Item::Map(pairs) if pairs.iter().any(|(key, _)| key.known_text() == Some("__call")) => {
                let call = self.member(callee, "__call");
                let mut all = vec![Given { name: None, item: callee.clone() }];
                all.extend(given.iter().cloned());
                self.apply(&call, &all)
            }
            Item::List(_) if self.dialect == Dialect::Php => php::call_list(self, callee, given),
            Item::Made(name, first) => self.call_made(&Rc::clone(name), &Rc::clone(first), given),
            _ => {
                self.hand_over(given);
                Item::Unknown
            }
        }
    }

    /// Members through which code reaches what it was not given.
    fn reaches_inside(&mut self, member: &str) {
        if matches!(member, "__subclasses__" | "__globals__" | "func_globals" | "f_globals" | "f_builtins") {
            self.unnamed("a call by a computed name");
        }
    }

    /// An operator, which a class of the code may define.
    fn operated(&mut self, operator: char, one: &Item, other: &Item) -> Item {
        if let Item::Object(object) = one {
            let names: &[&str] = match operator {
                '+' => &["__add__", "__iadd__", "+"],
                '-' => &["__sub__", "-"],
                '*' => &["__mul__", "*"],
                '/' => &["__truediv__", "__floordiv__", "/"],
                '%' => &["__mod__", "%"],
                '|' => &["__or__", "|"],
                '&' => &["__and__", "&"],
                '^' => &["__xor__", "^"],
                '<' => &["__lshift__", "__lt__", "<<"],
                '>' => &["__rshift__", "__gt__", ">>"],
                _ => &[],
            };
            let own = names.iter().find_map(|name| self.class_member(&object.class, name, 0));
            if let Some(Item::Function(closure)) = own
                && let Item::Function(closure) = bound(&closure, one)
            {
                return self.closure(&closure, Some(&[Given { name: None, item: other.clone() }]));
            }
            return super::values::binary(operator, &Item::Text(one.shown()), other);
        }
        super::values::binary(operator, one, other)
    }

    /// What a class makes of a member that it doesn't have.
    fn missing_member(&mut self, own: &Rc<Object>, object: &Item, member: &str) -> Option<Item> {
        let makes = ["__getattr__", "__getattribute__", "method_missing", "__call", "__get"]
            .iter()
            .find_map(|name| self.class_member(&own.class, name, 0))?;
        let Item::Function(closure) = makes else { return None };
        let Item::Function(closure) = bound(&closure, object) else { return None };
        let member = member.trim_start_matches('$');
        let given = Given { name: None, item: Item::text(member) };
        if matches!(closure.function.name.as_str(), "method_missing" | "__call") {
            return Some(Item::Partial(Rc::new((Item::Function(closure), vec![given]))));
        }
        Some(self.closure(&closure, Some(&[given])))
    }

    fn made_object(&mut self, class: &Rc<OwnClass>, given: &[Given]) -> Item {
        let object = self.object(Rc::clone(class), Names::new());
        let maker = ["__init__", "constructor", "initialize", "__construct", "new"]
            .iter()
            .find_map(|name| self.class_member(class, name, 0));
        *class.last.borrow_mut() = Some(object.clone());
        if self.dialect == Dialect::Ruby
            && let Item::Object(own) = &object
        {
            ruby::fill(own, &class.bases, given);
        }
        let texts = class.bases.iter().any(
            |base| matches!(base, Item::Library(name) if matches!(&**name, "str" | "String" | "UserString")),
        );
        if let (true, Item::Object(own), Some(Given { item: item @ Item::Text(_), .. })) =
            (texts, &object, given.first())
        {
            own.fields.borrow_mut().insert(super::item::AS_TEXT.to_owned(), item.clone());
        }
        if let Some(Item::Function(closure)) = maker
            && let Item::Function(closure) = bound(&closure, &object)
        {
            self.closure(&closure, Some(given));
        }
        object
    }

    /// Follows a function with these arguments, or with unknown ones.
    pub(in crate::languages) fn closure(&mut self, closure: &Closure, given: Option<&[Given]>) -> Item {
        let function = Rc::clone(&closure.function);
        let own = Rc::as_ptr(&function);
        // Followed again and again, it would do nothing new.
        let is_open = self.uncalled
            && !function.name.is_empty()
            && given
                .unwrap_or_default()
                .iter()
                .all(|given| matches!(given.item, Item::Unknown | Item::Made(..)));
        if is_open
            && let Some((times, item)) = self.open.get(&own)
            && *times >= MOST_OPEN
        {
            return item.clone();
        }
        let active = self.under_way.entry(own).or_default();
        if self.depth >= DEEPEST {
            self.cut = true;
            return Item::Unknown;
        }
        if *active >= MOST_AT_ONCE {
            return Item::Unknown;
        }
        *active += 1;
        self.ran.insert(own);
        let spread = self.spread(&function, given);
        let given = spread.as_deref().or(given);
        let mut frame = self.bound_parameters(&function.parameters, closure.this.as_ref(), given);
        if self.dialect == Dialect::Ruby {
            ruby::keep_block(&mut frame.names, &function, given);
        }
        self.frames.push(frame);
        self.seen.push(closure.seen.clone());
        self.depth += 1;
        let last = self.block(&function.body);
        self.depth -= 1;
        self.seen.pop();
        let frame = self.frames.pop().unwrap_or_default();
        if let Some(active) = self.under_way.get_mut(&own) {
            *active = active.saturating_sub(1);
        }
        if let Some(seen) = &closure.seen {
            // What it gave to names of the function around it is there at its next call.
            let mut seen = seen.borrow_mut();
            for name in &frame.outer {
                if let Some(item) = frame.names.get(name) {
                    seen.insert(name.clone(), item.clone());
                }
            }
        }
        let last = self.dialect.last_is_value().then_some(last);
        let value = Item::either(frame.returned.into_iter().chain(last));
        if is_open {
            let (times, kept) = self.open.entry(own).or_insert((0, Item::Unknown));
            *times += 1;
            kept.clone_from(&value);
        }
        value
    }

    /// A list that is given to a block with several parameters gives each of them one of its items.
    fn spread(&self, function: &Function, given: Option<&[Given]>) -> Option<Vec<Given>> {
        let plain = function.parameters.iter().filter(|parameter| parameter.default.is_none()).count();
        if self.dialect != Dialect::Ruby || !function.name.is_empty() || plain < 2 {
            return None;
        }
        match given? {
            [Given { name: None, item: Item::List(items) }] => {
                Some(items.iter().map(|item| Given { name: None, item: item.clone() }).collect())
            }
            _ => None,
        }
    }

    /// What a test framework gives a parameter of a test: what the function of that name returns.
    fn fixture(&mut self, parameter: &Pattern) -> Item {
        let Pattern::Name(name) = parameter else { return Item::Unknown };
        match Self::of_fixture(name).or_else(|| self.get(name)) {
            Some(Item::Function(closure)) => self.closure(&closure, None),
            Some(item @ Item::Text(_)) if Self::of_fixture(name).is_some() => item,
            _ => Item::Unknown,
        }
    }

    fn bound_parameters(
        &mut self,
        parameters: &[Parameter],
        this: Option<&Item>,
        given: Option<&[Given]>,
    ) -> Frame {
        let mut frame = Frame::default();
        let mut positional: std::collections::VecDeque<Item> = given
            .unwrap_or_default()
            .iter()
            .filter(|given| given.name.is_none())
            .map(|given| given.item.clone())
            .collect();
        if let Some(this) = this {
            frame.names.insert(self.dialect.this().to_owned(), this.clone());
            if self.dialect.passes_this() {
                positional.push_front(this.clone());
            }
        }
        // What is named and no parameter's is one map, in the last place.
        if self.dialect == Dialect::Ruby
            && let Some(map) = ruby::keywords(parameters, given.unwrap_or_default())
        {
            let wanted = parameters.iter().filter(|parameter| parameter.default.is_none()).count();
            if positional.len() < wanted {
                positional.push_back(map);
            }
        }
        let mut bindings: Vec<(Pattern, Item)> = Vec::new();
        for parameter in parameters {
            let named = match &parameter.pattern {
                Pattern::Name(name) => given
                    .unwrap_or_default()
                    .iter()
                    .find(|given| given.name.as_deref() == Some(name.as_str()))
                    .map(|given| given.item.clone()),
                _ => None,
            };
            let item = if parameter.rest {
                Item::list(std::mem::take(&mut positional).into())
            } else if let Some(item) = named {
                item
            } else if let Some(item) = positional.pop_front() {
                item
            } else {
                match &parameter.default {
                    Some(default) if given.is_none() => {
                        let default = self.eval(default);
                        Item::either([default, Item::Unknown])
                    }
                    Some(default) => self.eval(default),
                    None if given.is_none() && self.dialect == Dialect::Python => {
                        self.fixture(&parameter.pattern)
                    }
                    None => Item::Unknown,
                }
            };
            bindings.push((parameter.pattern.clone(), item));
        }
        self.frames.push(frame);
        self.seen.push(None);
        for (pattern, item) in &bindings {
            self.assign(pattern, item, Declares::Here);
        }
        self.seen.pop();
        self.frames.pop().unwrap_or_default()
    }
}

/// A method with its object.
pub(in crate::languages) fn bound(closure: &Rc<Closure>, object: &Item) -> Item {
    Item::Function(Rc::new(Closure {
        function: Rc::clone(&closure.function),
        seen: closure.seen.clone(),
        this: Some(object.clone()),
    }))
}

/// Whether a function of a class is called without an object: `@staticmethod`, `@classmethod`.
fn takes_class(function: &Function) -> bool {
    match function.parameters.first().map(|parameter| &parameter.pattern) {
        Some(Pattern::Nothing) => true,
        Some(Pattern::Name(name)) => name == "cls",
        _ => false,
    }
}

/// Whether the only argument names a module of Node.js that acts.
pub(super) fn loads_module(given: &[Given]) -> bool {
    let [only] = given else { return false };
    let name = only.item.known_text().unwrap_or_default();
    matches!(name.trim_start_matches("node:"), "child_process" | "fs" | "fs/promises" | "vm" | "net")
}

fn same_key(one: &Item, other: &Item) -> bool {
    match (one.known_text(), other.known_text()) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}
