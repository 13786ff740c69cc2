//! What a shell remembers between commands: variables, functions, aliases, working folder, files it wrote.
//!
//! A state is cheap to clone (a subshell, a branch) and can be joined with another (the branch not taken): a
//! joined variable holds every value it may have.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use brush_parser::ast;
use doorward_core::intent::Certainty;

use crate::source::Source;
use crate::value::{Stream, Trail, Value};
use crate::walk::Parted;

/// The most values a variable keeps; beyond them it is unknown.
pub(crate) const MOST_VALUES: usize = 64;

/// What a variable holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    Unset,
    Scalar(Value),
    List(BTreeMap<i64, Value>),
    Map(BTreeMap<String, Value>),
}

impl Content {
    pub(crate) fn scalar(text: &str) -> Self {
        Self::Scalar(Value::known(text))
    }
}

/// A variable: everything it may hold, and its attributes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Var {
    pub(crate) may_hold: Vec<Content>,
    pub(crate) nameref: bool,
    pub(crate) integer: bool,
    pub(crate) lower: bool,
    pub(crate) upper: bool,
    /// Set by this text, so not the environment's.
    pub(crate) own: bool,
    /// What it may hold whatever is assigned: a read-only variable keeps its value, and a trap may set another.
    pub(crate) keeps: Vec<Content>,
}

impl Var {
    pub(crate) fn holding(content: Content) -> Self {
        Self {
            may_hold: vec![content],
            nameref: false,
            integer: false,
            lower: false,
            upper: false,
            own: true,
            keeps: Vec::new(),
        }
    }
}

/// A function: its body and the text it is written in.
#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub(crate) body: Rc<ast::FunctionBody>,
    pub(crate) source: Rc<Source>,
}

/// The functions that a name may stand for.
#[derive(Debug, Clone)]
pub(crate) struct Functions {
    pub(crate) bodies: Vec<Function>,
    /// It stands for one of them; else perhaps for none, and a program runs.
    pub(crate) surely: bool,
}

impl Functions {
    fn join(&mut self, other: &Self) {
        for function in &other.bodies {
            if !self.bodies.iter().any(|own| Rc::ptr_eq(&own.body, &function.body)) {
                self.bodies.push(function.clone());
            }
        }
        self.surely &= other.surely;
    }
}

/// Variables that the shell itself sets (bash(1) 5.2, Shell Variables): an assignment to one fails or changes nothing
/// that can be relied on.
const SET_BY_SHELL: &[&str] = &[
    "BASHOPTS",
    "BASHPID",
    "BASH_ARGC",
    "BASH_ARGV",
    "BASH_ARGV0",
    "BASH_COMMAND",
    "BASH_LINENO",
    "BASH_SOURCE",
    "BASH_SUBSHELL",
    "BASH_VERSINFO",
    "COMP_WORDBREAKS",
    "DIRSTACK",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "EUID",
    "FUNCNAME",
    "GROUPS",
    "HISTCMD",
    "LINENO",
    "PIPESTATUS",
    "PPID",
    "RANDOM",
    "SECONDS",
    "SHELLOPTS",
    "SRANDOM",
    "UID",
];

/// Whether the shell itself gives a variable its value.
pub(crate) fn is_set_by_shell(name: &str) -> bool {
    SET_BY_SHELL.contains(&name) || name.starts_with("BASH")
}

/// What is known of a file that this text, or an earlier call, wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Written {
    /// Exactly this text.
    Text(String, Trail),
    /// Something else, from here.
    Unknown(Trail),
    /// The same as the file or program of this name.
    Same(String),
}

/// The working folder, relative to the call's unless absolute; several after a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Folder {
    /// Empty text is where the call started; `None` is anywhere.
    pub(crate) may_be: Vec<Option<String>>,
    /// Where it isn't known: a pattern that every folder it may be fits.
    pub(crate) pattern: Option<String>,
}

impl Default for Folder {
    fn default() -> Self {
        Self::exactly(String::new())
    }
}

impl Folder {
    /// This one.
    pub(crate) fn exactly(folder: String) -> Self {
        Self { may_be: vec![Some(folder)], pattern: None }
    }

    /// The one folder that it is, if it is known.
    pub(crate) fn sole(&self) -> Option<&str> {
        match self.may_be.as_slice() {
            [Some(folder)] => Some(folder),
            _ => None,
        }
    }

    /// Anywhere.
    pub(crate) fn anywhere() -> Self {
        Self { may_be: vec![None], pattern: None }
    }

    /// Makes this also what `other` may be.
    pub(crate) fn join(&mut self, other: &Self) {
        if self == other {
            return;
        }
        if self.pattern != other.pattern {
            self.pattern = None;
        }
        for folder in &other.may_be {
            if !self.may_be.contains(folder) {
                self.may_be.push(folder.clone());
            }
        }
        if self.may_be.len() > 4 {
            *self = Self::anywhere();
        }
    }

    /// The one folder that it is; `…` and a pattern where one is known, or the few that it may be, one a line; else
    /// `…`.
    pub(crate) fn as_text(&self) -> String {
        match (self.may_be.as_slice(), &self.pattern) {
            ([Some(folder)], _) => folder.clone(),
            ([None], Some(pattern)) => format!("…{pattern}"),
            (several, None) if several.len() > 1 && several.iter().all(Option::is_some) => {
                let folders: Vec<&str> = several.iter().flatten().map(String::as_str).collect();
                format!("…{}", folders.join("\n"))
            }
            _ => "…".to_owned(),
        }
    }
}

/// What was known of variables and the folder at an earlier place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) vars: Rc<BTreeMap<String, Var>>,
    pub(crate) folder: Folder,
}

/// The state of one shell.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub(crate) vars: Rc<BTreeMap<String, Var>>,
    pub(crate) functions: Rc<BTreeMap<String, Functions>>,
    pub(crate) aliases: Rc<BTreeMap<String, Value>>,
    pub(crate) files: Rc<BTreeMap<String, Written>>,
    pub(crate) hashed: Rc<BTreeMap<String, String>>,
    pub(crate) traps: Rc<Vec<Value>>,
    /// Descriptors that `exec` made lead to where standard output leads.
    pub(crate) merged: Rc<BTreeSet<i32>>,
    pub(crate) descriptors: Rc<BTreeMap<i32, Stream>>,
    pub(crate) positional: Option<Rc<Vec<Value>>>,
    pub(crate) folder: Folder,
    pub(crate) previous_folder: Option<Folder>,
    /// The folders that `pushd` put away, the latest last; `None` once they aren't known.
    pub(crate) pushed: Option<Vec<Folder>>,
    /// The last command may have failed to change the folder: the two folders of [`State::folder`].
    pub(crate) parted: Option<Parted>,
    /// Folders that this text made, as [`Folder`] writes them.
    pub(crate) made: Rc<BTreeSet<String>>,
    /// The shell ended by `exit`: what follows isn't run in this state.
    pub(crate) gone: bool,
    /// `set -C`: `>` fails where the file is there already.
    pub(crate) keeps_files: bool,
    /// `set -e`: a command that fails ends the shell.
    pub(crate) ends_on_failure: bool,
    pub(crate) stdin: Stream,
    pub(crate) certainty: Certainty,
    /// Names made local in the running function, with what they hid.
    pub(crate) hidden: Vec<(String, Option<Var>)>,
    pub(crate) trace: bool,
    /// Patterns fit names that begin with a dot (`shopt -s dotglob`).
    pub(crate) dot_names: bool,
    /// Variables that this text set and that programs read from the environment: an assignment to a name that the
    /// environment already holds is exported without `export`.
    pub(crate) carried: Rc<BTreeSet<String>>,
    /// Links that this text made, by the name they are used by.
    pub(crate) links: Rc<BTreeMap<String, String>>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            vars: Rc::default(),
            functions: Rc::default(),
            aliases: Rc::default(),
            files: Rc::default(),
            hashed: Rc::default(),
            traps: Rc::default(),
            descriptors: Rc::default(),
            positional: Some(Rc::default()),
            folder: Folder::default(),
            previous_folder: None,
            pushed: Some(Vec::new()),
            parted: None,
            made: Rc::default(),
            gone: false,
            ends_on_failure: false,
            keeps_files: false,
            stdin: Stream::inherited(),
            certainty: Certainty::Exact,
            hidden: Vec::new(),
            trace: false,
            dot_names: false,
            carried: Rc::default(),
            links: Rc::default(),
            merged: Rc::default(),
        }
    }
}

impl State {
    /// A state for a shell started from this one: its own traps and descriptors, the same names.
    pub(crate) fn subshell(&self) -> Self {
        Self {
            traps: Rc::default(),
            hidden: Vec::new(),
            parted: None,
            gone: false,
            ends_on_failure: false,
            ..self.clone()
        }
    }

    /// A state that knows nothing but where it is and what names stand for.
    pub(crate) fn bare(&self) -> Self {
        Self {
            functions: Rc::clone(&self.functions),
            aliases: Rc::clone(&self.aliases),
            hashed: Rc::clone(&self.hashed),
            folder: self.folder.clone(),
            certainty: self.certainty,
            stdin: Stream::default(),
            positional: None,
            carried: Rc::clone(&self.carried),
            links: Rc::clone(&self.links),
            ..Self::default()
        }
    }

    /// In a shell of its own a variable is unset unless it was exported: it may be either where the text says what
    /// holds then (`${x:=v}`).
    pub(crate) fn may_lack(&mut self, text: &str) {
        for (at, _) in text.match_indices("${") {
            let inner = text.get(at + 2..).unwrap_or_default();
            let name = inner.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next();
            let name = name.unwrap_or_default();
            let asks =
                inner.get(name.len()..).is_some_and(|rest| rest.starts_with([':', '-', '=', '+', '?']));
            if asks
                && self.var(name).is_some_and(|var| var.own)
                && let Some(var) = Rc::make_mut(&mut self.vars).get_mut(name)
            {
                var.add(Content::Unset);
            }
        }
    }

    /// How much has to be compared to join this with `other`.
    pub(crate) fn width(&self, other: &Self) -> usize {
        let vars = if Rc::ptr_eq(&self.vars, &other.vars) { 0 } else { self.vars.len() + other.vars.len() };
        let files =
            if Rc::ptr_eq(&self.files, &other.files) { 0 } else { self.files.len() + other.files.len() };
        vars + files
    }

    pub(crate) fn var(&self, name: &str) -> Option<&Var> {
        self.vars.get(name)
    }

    /// What is known now, for [`State::widen`].
    pub(crate) fn entry(&self) -> Entry {
        Entry { vars: Rc::clone(&self.vars), folder: self.folder.clone() }
    }

    /// Forgets what differs from an earlier place that the shell comes back to again and again: what a variable or the
    /// folder holds in a later round isn't known.
    pub(crate) fn widen(&mut self, earlier: &Entry) {
        if self.folder != earlier.folder {
            self.folder = Folder::anywhere();
        }
        if Rc::ptr_eq(&self.vars, &earlier.vars) {
            return;
        }
        for (name, var) in Rc::make_mut(&mut self.vars) {
            if earlier.vars.get(name) != Some(var) {
                var.may_hold = vec![Content::Scalar(Value::unknown())];
            }
        }
    }

    pub(crate) fn set_var(&mut self, name: &str, mut var: Var) {
        if SET_BY_SHELL.contains(&name) {
            var.may_hold = vec![Content::Scalar(Value::unknown())];
        }
        if let Some(keeps) = self.var(name).map(|before| before.keeps.clone()) {
            keeps.iter().for_each(|content| var.add(content.clone()));
            var.keeps = keeps;
        }
        if var.own {
            let value = match var.may_hold.as_slice() {
                [Content::Scalar(value)] => value.is_known().then_some(value.text.as_str()),
                _ => None,
            };
            self.carry(name, value);
        }
        Rc::make_mut(&mut self.vars).insert(name.to_owned(), var);
    }

    /// Sets a plain value, keeping attributes.
    pub(crate) fn set(&mut self, name: &str, value: Value) {
        if SET_BY_SHELL.contains(&name) {
            return self.set_var(name, Var::holding(Content::Scalar(value)));
        }
        self.carry(name, value.is_known().then_some(value.text.as_str()));
        let content = Content::Scalar(value);
        match Rc::make_mut(&mut self.vars).get_mut(name) {
            Some(var) => {
                var.own = true;
                var.may_hold = match (var.may_hold.as_slice(), content) {
                    // `x=v` on an array sets element 0.
                    ([Content::List(list)], Content::Scalar(value)) => {
                        let mut list = list.clone();
                        list.insert(0, value);
                        vec![Content::List(list)]
                    }
                    (_, content) => vec![content],
                };
                for content in var.keeps.clone() {
                    var.add(content);
                }
            }
            None => self.set_var(name, Var::holding(content)),
        }
    }

    /// From here on the variable may hold what it holds now, whatever is assigned to it.
    pub(crate) fn keep(&mut self, name: &str) {
        if let Some(var) = Rc::make_mut(&mut self.vars).get_mut(name) {
            var.keeps = var.may_hold.clone();
        }
    }

    /// From here on variables may hold what they hold in `other` wherever that differs, whatever is assigned to them.
    pub(crate) fn keep_changes_of(&mut self, other: &Self) {
        for (name, theirs) in other.vars.iter() {
            if self.var(name) == Some(theirs) {
                continue;
            }
            let mut var = self.var(name).cloned().unwrap_or_else(|| Var::holding(Content::Unset));
            theirs.may_hold.iter().for_each(|content| var.add(content.clone()));
            var.keeps.extend(theirs.may_hold.iter().cloned());
            Rc::make_mut(&mut self.vars).insert(name.clone(), var);
        }
    }

    /// Removes a variable, as far as it can be.
    pub(crate) fn unset(&mut self, name: &str) {
        match Rc::make_mut(&mut self.vars).get_mut(name) {
            Some(var) if !var.keeps.is_empty() => var.add(Content::Unset),
            _ => {
                Rc::make_mut(&mut self.vars).remove(name);
            }
        }
    }

    /// Any variable may hold anything beside what it holds: text that nobody saw ran in this shell.
    pub(crate) fn may_have_changed(&mut self) {
        for var in Rc::make_mut(&mut self.vars).values_mut() {
            var.add(Content::Scalar(Value::unknown()));
        }
    }

    /// Notes that a variable was set which programs read from the environment, unless it holds what everybody sets.
    fn carry(&mut self, name: &str, value: Option<&str>) {
        let usual = value.is_some_and(|value| crate::programs::is_harmless_value(name, value));
        if crate::programs::is_exported(name) && !usual && !self.carried.contains(name) {
            Rc::make_mut(&mut self.carried).insert(name.to_owned());
        }
    }

    /// Makes this state also what `other` may be.
    pub(crate) fn join(&mut self, other: &Self) {
        if other.gone {
            return;
        }
        if self.gone {
            *self = other.clone();
            return;
        }
        if !Rc::ptr_eq(&self.vars, &other.vars) {
            self.join_vars(other);
        }
        if !Rc::ptr_eq(&self.functions, &other.functions) {
            self.join_functions(other);
        }
        if !Rc::ptr_eq(&self.aliases, &other.aliases) {
            let mine = Rc::make_mut(&mut self.aliases);
            for (name, alias) in other.aliases.iter() {
                mine.entry(name.clone()).or_insert_with(|| alias.clone());
            }
        }
        if !Rc::ptr_eq(&self.files, &other.files) {
            self.join_files(other);
        }
        if !Rc::ptr_eq(&self.traps, &other.traps) {
            let mine = Rc::make_mut(&mut self.traps);
            for trap in other.traps.iter() {
                if !mine.contains(trap) {
                    mine.push(trap.clone());
                }
            }
        }
        self.folder.join(&other.folder);
        self.parted = match (self.parted.take(), &other.parted) {
            (Some(mut mine), Some(other)) => {
                mine.join(other);
                Some(mine)
            }
            _ => None,
        };
        if !Rc::ptr_eq(&self.made, &other.made) {
            Rc::make_mut(&mut self.made).retain(|folder| other.made.contains(folder));
        }
        if self.pushed != other.pushed {
            self.pushed = None;
        }
        self.ends_on_failure &= other.ends_on_failure;
        self.keeps_files |= other.keeps_files;
        if self.positional != other.positional {
            self.positional = None;
        }
        self.trace |= other.trace;
        self.dot_names |= other.dot_names;
        if !Rc::ptr_eq(&self.links, &other.links) {
            let mine = Rc::make_mut(&mut self.links);
            mine.extend(other.links.iter().map(|(name, target)| (name.clone(), target.clone())));
        }
        if !Rc::ptr_eq(&self.carried, &other.carried) {
            Rc::make_mut(&mut self.carried).extend(other.carried.iter().cloned());
        }
    }

    fn join_functions(&mut self, other: &Self) {
        let mine = Rc::make_mut(&mut self.functions);
        for (name, functions) in mine.iter_mut() {
            match other.functions.get(name) {
                Some(theirs) => functions.join(theirs),
                None => functions.surely = false,
            }
        }
        for (name, functions) in other.functions.iter() {
            let perhaps = || Functions { surely: false, ..functions.clone() };
            mine.entry(name.clone()).or_insert_with(perhaps);
        }
    }

    fn join_files(&mut self, other: &Self) {
        let mine = Rc::make_mut(&mut self.files);
        for (path, written) in other.files.iter() {
            match mine.get(path) {
                None => {
                    mine.insert(path.clone(), written.clone());
                }
                Some(same) if same == written => {}
                Some(_) => {
                    mine.insert(path.clone(), Written::Unknown(None));
                }
            }
        }
    }

    fn join_vars(&mut self, other: &Self) {
        let mine = Rc::make_mut(&mut self.vars);
        for (name, var) in other.vars.iter() {
            match mine.get_mut(name) {
                Some(own) => own.join(var),
                None => {
                    let mut var = var.clone();
                    var.add(Content::Unset);
                    mine.insert(name.clone(), var);
                }
            }
        }
        for (name, var) in mine.iter_mut() {
            if !other.vars.contains_key(name) {
                var.add(Content::Unset);
            }
        }
    }
}

impl Var {
    fn add(&mut self, content: Content) {
        if !self.may_hold.contains(&content) {
            self.may_hold.push(content);
        }
        if self.may_hold.len() > MOST_VALUES {
            self.may_hold = vec![Content::Scalar(Value::unknown())];
        }
    }

    fn join(&mut self, other: &Self) {
        for content in &other.may_hold {
            self.add(content.clone());
        }
        for content in &other.keeps {
            if !self.keeps.contains(content) {
                self.keeps.push(content.clone());
            }
        }
        self.nameref |= other.nameref;
        self.integer |= other.integer;
    }
}
