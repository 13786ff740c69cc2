//! Follows code: names to values, ways that part and meet, functions into their bodies.
//!
//! Nothing is executed. A name may have several values where the code may take several ways, and a call acts on each
//! of them. A function is followed with the arguments it is given, and once with unknown ones if nothing here calls
//! it. Steps and depth are bounded; what is beyond them is a finding, so that no code gets a milder judgement by
//! being long.

mod calls;
mod classes;
mod members;
mod names;

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

pub(in crate::languages) use calls::bound;
pub(super) use calls::loads_module;
use calls::takes_class;

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
}

fn same_key(one: &Item, other: &Item) -> bool {
    match (one.known_text(), other.known_text()) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}
