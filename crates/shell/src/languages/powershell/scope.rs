//! Names and what they hold at a place of the text: variables, functions, aliases, the folder.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::ast::{Block, Expr};
use super::eval::Runner;
use super::value::{Data, HOLE, Value, both};

/// What holds at a place of the text.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    pub(super) variables: Rc<BTreeMap<String, Value>>,
    pub(super) functions: Rc<BTreeMap<String, Rc<Block>>>,
    pub(super) aliases: Rc<BTreeMap<String, String>>,
    /// Relative to where the text starts; `…` if nobody knows.
    pub(super) folder: String,
    pub(super) pushed: Vec<String>,
}

/// Variables that PowerShell sets itself (about_Automatic_Variables 7.4).
const AUTOMATIC: &[(&str, &str)] = &[
    ("pshome", "C:\\Windows\\System32\\WindowsPowerShell\\v1.0"),
    ("shellid", "Microsoft.PowerShell"),
    ("verbosepreference", "SilentlyContinue"),
    ("debugpreference", "SilentlyContinue"),
    ("warningpreference", "Continue"),
    ("erroractionpreference", "Continue"),
    ("progresspreference", "Continue"),
    ("confirmpreference", "High"),
    ("psculture", "en-US"),
    ("psuiculture", "en-US"),
    ("true", "True"),
    ("false", "False"),
    ("psscriptroot", "."),
    ("pwd", "."),
    ("profile", "~/Documents/PowerShell/Microsoft.PowerShell_profile.ps1"),
    ("isWindows", "True"),
    ("ofs", " "),
];

impl Runner<'_> {
    pub(super) fn set(&mut self, name: &str, value: Value) {
        let name = name.to_ascii_lowercase();
        let name = ["global:", "script:", "local:", "private:", "using:", "variable:"]
            .iter()
            .find_map(|scope| name.strip_prefix(scope))
            .unwrap_or(&name)
            .to_owned();
        if Rc::strong_count(&self.scope.variables) > 1 {
            // The copy costs what it holds.
            let held = u32::try_from(self.scope.variables.len() / 8).unwrap_or(u32::MAX);
            self.steps = self.steps.saturating_sub(held);
            if self.steps == 0 {
                return;
            }
        }
        Rc::make_mut(&mut self.scope.variables).insert(name, value);
    }

    pub(super) fn join(&mut self, other: &Scope) {
        if self.steps == 0
            || Rc::ptr_eq(&self.scope.variables, &other.variables) && self.scope.folder == other.folder
        {
            return;
        }
        self.steps = self.steps.saturating_sub(u32::try_from(other.variables.len() / 8).unwrap_or(u32::MAX));
        let mut joined = BTreeMap::clone(&self.scope.variables);
        for (name, value) in other.variables.iter() {
            match joined.get_mut(name) {
                Some(own) if own.known().is_some() && own.known() == value.known() => {
                    own.marks = both(&own.marks, &value.marks);
                }
                Some(own) => *own = Value::unknown().with(&both(&own.marks, &value.marks)),
                None => {
                    joined.insert(name.clone(), value.clone());
                }
            }
        }
        self.scope.variables = Rc::new(joined);
        for (name, body) in other.functions.iter() {
            if !self.scope.functions.contains_key(name) {
                Rc::make_mut(&mut self.scope.functions).insert(name.clone(), Rc::clone(body));
            }
        }
        if self.scope.folder != other.folder {
            self.scope.folder = HOLE.to_string();
        }
    }

    pub(super) fn assign(&mut self, target: &Expr, operator: &str, value: Value) {
        match target {
            Expr::Variable(name) => {
                let value = match operator {
                    "=" => value,
                    "+=" => {
                        let before = self.variable(name);
                        self.added(&before, &value)
                    }
                    _ => Value::unknown().with(&value.marks),
                };
                self.assign_variable(name, value);
            }
            Expr::List(targets) => {
                let mut items = value.items().into_iter();
                for target in targets {
                    let item = items.next().unwrap_or_else(Value::unknown);
                    self.assign(target, "=", item);
                }
            }
            Expr::Cast(_, inner) => self.assign(inner, operator, value),
            Expr::Member { on, name } => {
                let name = self.expr(name).shown().to_ascii_lowercase();
                let object = self.expr(on);
                self.set_member(on, &object, &name, value);
            }
            Expr::Index(on, index) => {
                self.expr(index);
                if let Expr::Variable(name) = &**on {
                    let before = self.variable(name);
                    self.set(name, Value::unknown().with(&both(&before.marks, &value.marks)));
                }
            }
            other => {
                self.expr(other);
            }
        }
    }

    fn assign_variable(&mut self, name: &str, value: Value) {
        if let Some(env) = name.strip_prefix("env:") {
            return self.set_environment(env, &value);
        }
        if let Some(function) = name.strip_prefix("function:") {
            if let Data::Script(block) = &value.data {
                Rc::make_mut(&mut self.scope.functions).insert(function.to_owned(), Rc::clone(block));
            } else {
                self.find("shell.obfuscated", "a function whose text can't be seen");
            }
            return;
        }
        if let Some(alias) = name.strip_prefix("alias:") {
            let target = value.shown();
            Rc::make_mut(&mut self.scope.aliases).insert(alias.to_owned(), target);
            return;
        }
        if name.contains(":\\") {
            return self.find("shell.obfuscated", "assigns through a drive");
        }
        self.set(name, value);
    }

    /// A variable of the environment that programs behind this take over.
    fn set_environment(&mut self, name: &str, value: &Value) {
        if !crate::programs::is_harmless(name) && name != "path" {
            self.harmless = false;
        }
        self.set(&format!("env:{name}"), value.clone());
    }

    pub(super) fn variable(&mut self, name: &str) -> Value {
        let name = ["global:", "script:", "local:", "private:", "using:", "variable:"]
            .iter()
            .find_map(|scope| name.strip_prefix(scope))
            .unwrap_or(name);
        if let Some(value) = self.scope.variables.get(name) {
            return value.clone();
        }
        if let Some(env) = name.strip_prefix("env:") {
            return self.environment(env);
        }
        if name == "home" {
            return Value::text(self.home.clone().unwrap_or_else(|| "~".to_owned()));
        }
        if name == "null" {
            return Value::null();
        }
        if name == "executioncontext" {
            return Value::object("executioncontext", None);
        }
        if let Some(function) = name.strip_prefix("function:") {
            return match self.scope.functions.get(function) {
                Some(body) => Value { data: Data::Script(Rc::clone(body)), marks: None },
                None => Value::unknown(),
            };
        }
        match AUTOMATIC.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)) {
            Some((_, value)) => Value::text(*value),
            None => Value::unknown(),
        }
    }

    pub(super) fn environment(&mut self, name: &str) -> Value {
        match super::super::windows::variable(name, self.home.as_deref()) {
            Some(value) => Value::text(value),
            None => {
                let name = name.to_ascii_uppercase();
                Value::unknown().marked(|marks| marks.env.push(name))
            }
        }
    }
}
