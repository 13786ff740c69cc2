//! Statements, evaluated as far as the text decides them.

use std::rc::Rc;

use doorward_core::intent::Span;

use super::super::CodeEffects;
use super::ast::{Block, Expr, Statement};
use super::read;
use super::scope::Scope;
use super::value::{Data, HOLE, Value};

/// Steps that are taken before the rest isn't followed.
const STEPS: u32 = 40_000;
/// Items of a list that a loop is followed over one by one.
const MOST_ITEMS: usize = 64;

pub(super) struct Runner<'e> {
    pub(super) effects: &'e mut CodeEffects,
    pub(super) home: Option<String>,
    pub(super) scope: Scope,
    /// What this command gets from the pipeline.
    pub(super) piped: Option<Value>,
    pub(super) steps: u32,
    pub(super) depth: u32,
    pub(super) calls: u32,
    deepest: u32,
    pub(super) needs_stack: bool,
    /// All that was evaluated is listed as free of effects.
    pub(super) harmless: bool,
    whole: Span,
    /// Whether offsets in the text that is read are those of the whole.
    placed: bool,
}

impl<'e> Runner<'e> {
    pub(super) fn new(effects: &'e mut CodeEffects, text: &str, home: Option<String>, deepest: u32) -> Self {
        let whole = effects.span;
        let length = whole.end.saturating_sub(whole.start);
        Self {
            effects,
            home,
            scope: Scope::default(),
            piped: None,
            steps: STEPS,
            depth: 0,
            calls: 0,
            deepest,
            needs_stack: false,
            harmless: true,
            whole,
            placed: usize::try_from(length) == Ok(text.len()),
        }
    }

    /// Runs the whole text.
    pub(super) fn program(&mut self, text: &str) {
        let (block, trouble) = read::read(text);
        // Reading nests as deep as it goes; it has the stack it needs only on the second attempt.
        self.statements(&block.statements);
        if let Some(trouble) = trouble {
            let code = if trouble.deep { "shell.too_deep" } else { "shell.parse_error" };
            let at = self.part(trouble.at, text.len());
            self.effects.not_understood_at(code, trouble.reason, at);
            self.harmless = false;
            self.salvage(text.get(trouble.at..).unwrap_or_default());
        }
        self.effects.effect_free = self.harmless;
    }

    /// Commands of a text that wasn't understood, so that rules about programs see them.
    fn salvage(&mut self, text: &str) {
        const MOST: usize = 2_000;
        for line in text.split(['\n', ';', '|', '{', '}', '(', ')', '&']).take(MOST) {
            let words: Vec<Value> = line.split_whitespace().take(64).map(Value::text).collect();
            if !words.is_empty() {
                let words = words.iter().map(|word| self.word(word)).collect();
                self.judged(words, crate::deed::Deeds::default());
            }
        }
    }

    /// Bytes of the text as a span of the whole.
    pub(super) fn part(&self, start: usize, end: usize) -> Span {
        if !self.placed {
            return self.whole;
        }
        let base = usize::try_from(self.whole.start).unwrap_or_default();
        Span::new(base + start, base + end)
    }

    /// Another text, which is no part of the first.
    pub(super) fn run_text(&mut self, code: &Value) -> Value {
        if code.is(|marks| marks.network) {
            self.find("shell.remote_code", "code that comes from the network runs");
        }
        if code.is(|marks| marks.decoded) {
            self.find("shell.obfuscated", "code that had to be decoded runs");
        }
        let text = code.shown();
        if !code.is(|marks| marks.network)
            && text.trim_matches([HOLE, ' ', '\n', ';']).is_empty()
            && !text.is_empty()
        {
            match code.marks.as_deref().map(|marks| marks.reads.clone()).unwrap_or_default().as_slice() {
                [file] if !file.contains(['*', '?', HOLE]) => {
                    // What runs isn't the file's text, but what was made of it.
                    if code.is(|marks| marks.assembled) {
                        self.find("shell.obfuscated", "code that is put together on the spot runs");
                    }
                    let file = super::super::Value::literal(file.clone());
                    self.effects.file(&file, doorward_core::intent::Code::Language("powershell".to_owned()));
                }
                _ => self.find("shell.generated_code", "code that is only known when it runs"),
            }
            return Value::unknown();
        }
        if text.contains(HOLE) {
            self.find("shell.generated_code", "part of the code is only known when it runs");
        }
        if code.is(|marks| marks.assembled) {
            self.find("shell.obfuscated", "code that is put together on the spot runs");
        }
        if !self.enter() || self.steps < 64 {
            return Value::unknown();
        }
        let (placed, depth) = (std::mem::replace(&mut self.placed, false), self.depth);
        self.depth += 8;
        self.steps = self.steps.saturating_sub(u32::try_from(text.len() / 256).unwrap_or(u32::MAX));
        let (block, trouble) = read::read(&text);
        let value = self.statements(&block.statements);
        if let Some(trouble) = trouble
            && !text.contains(HOLE)
        {
            self.effects.not_understood("shell.parse_error", trouble.reason);
            self.salvage(text.get(trouble.at..).unwrap_or_default());
        }
        self.placed = placed;
        self.depth = depth;
        self.leave();
        value
    }

    pub(super) fn find(&mut self, code: &'static str, message: impl Into<String>) {
        self.harmless = false;
        self.effects.finding(code, message);
    }

    pub(super) fn step(&mut self) -> bool {
        if self.steps == 0 {
            self.harmless = false;
            self.effects.not_understood("shell.too_deep", "takes more steps than are analysed in depth");
            return false;
        }
        self.steps -= 1;
        true
    }

    pub(super) fn enter(&mut self) -> bool {
        if self.depth >= self.deepest {
            self.needs_stack = true;
            return false;
        }
        self.depth += 1;
        true
    }

    pub(super) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Statements one after the other; what they put out.
    pub(super) fn statements(&mut self, statements: &[Statement]) -> Value {
        let mut out = Vec::new();
        for statement in statements {
            // Past the budget commands are still listed by their names, so no rule is evaded by length.
            self.step();
            let value = self.statement(statement);
            if !matches!(value.data, Data::Null) && out.len() < 4_096 {
                out.push(value);
            }
        }
        match <[Value; 1]>::try_from(out) {
            Ok([only]) => only,
            Err(out) if out.is_empty() => Value::null(),
            Err(out) => Value::list(out),
        }
    }

    /// A block in a scope of its own variables.
    pub(super) fn body(
        &mut self,
        block: &Rc<Block>,
        args: Vec<(String, Value)>,
        item: Option<Value>,
    ) -> Value {
        if self.calls >= 24 || !self.step() || !self.enter() {
            self.harmless = false;
            return Value::unknown();
        }
        self.calls += 1;
        let outer = self.scope.clone();
        let mut positional = Vec::new();
        let mut free = Vec::new();
        for param in &block.params {
            if !args.iter().any(|(name, _)| param.name.eq_ignore_ascii_case(name)) {
                free.push(param.name.clone());
            }
        }
        let mut free = free.into_iter();
        for (name, value) in args {
            if name.is_empty() {
                match free.next() {
                    Some(name) => self.set(&name, value),
                    None => positional.push(value),
                }
            } else {
                self.set(&name, value);
            }
        }
        for name in free {
            let default =
                block.params.iter().find(|param| param.name == name).and_then(|param| param.default.as_ref());
            let value = default.map_or_else(Value::null, |default| self.expr(default));
            self.set(&name, value);
        }
        if !positional.is_empty() {
            self.set("args", Value::list(positional));
        }
        if let Some(item) = item {
            self.set("_", item.clone());
            self.set("psitem", item.clone());
            self.set("input", item);
        }
        let value = self.statements(&block.statements);
        self.calls -= 1;
        self.leave();
        let folder = std::mem::take(&mut self.scope.folder);
        self.scope = Scope { folder, ..outer };
        value
    }

    /// A block that shares the variables around it: loops, `ForEach-Object`, `.`.
    pub(super) fn inline(&mut self, block: &Rc<Block>, item: Option<&Value>) -> Value {
        if !self.enter() {
            self.harmless = false;
            return Value::unknown();
        }
        if let Some(item) = item {
            self.set("_", item.clone());
            self.set("psitem", item.clone());
        }
        let value = self.statements(&block.statements);
        self.leave();
        value
    }

    pub(super) fn statement(&mut self, statement: &Statement) -> Value {
        if !self.enter() {
            self.harmless = false;
            return Value::unknown();
        }
        let value = self.plain_statement(statement);
        self.leave();
        value
    }

    fn plain_statement(&mut self, statement: &Statement) -> Value {
        match statement {
            Statement::Pipeline(stages) => self.pipeline(stages),
            Statement::Assign { target, operator, value } => {
                let value = self.statement(value);
                self.assign(target, operator, value);
                Value::null()
            }
            Statement::Chain(parts) => {
                let values = parts.iter().map(|part| self.statement(part)).collect::<Vec<_>>();
                Value::list(values)
            }
            Statement::If(branches, otherwise) => self.choice(branches, otherwise.as_ref()),
            Statement::Loop(around, body) => {
                around.iter().for_each(|part| {
                    self.statement(part);
                });
                self.twice(body)
            }
            Statement::ForEach { variable, list, body } => {
                let list = self.statement(list);
                self.for_each(variable, list, body)
            }
            Statement::Switch(value, cases) => {
                let value = self.statement(value);
                self.switch(&value, cases)
            }
            Statement::Parts(parts) => {
                let mut out = Vec::new();
                for part in parts {
                    out.push(self.inline(part, None));
                }
                Value::list(out)
            }
            Statement::Function { name, body } => {
                Rc::make_mut(&mut self.scope.functions).insert(name.to_ascii_lowercase(), Rc::clone(body));
                Value::null()
            }
            Statement::Class(body) => {
                self.harmless = false;
                self.inline(body, None);
                Value::null()
            }
            Statement::Leave(value) => value.as_ref().map_or_else(Value::null, |value| self.statement(value)),
        }
    }

    /// The branches of `if`; what may hold after them.
    fn choice(&mut self, branches: &[(Statement, Rc<Block>)], otherwise: Option<&Rc<Block>>) -> Value {
        for (condition, _) in branches {
            self.statement(condition);
        }
        let entry = self.scope.clone();
        let mut out = Vec::new();
        let mut worlds: Vec<Scope> = Vec::new();
        for body in branches.iter().map(|(_, body)| body).chain(otherwise) {
            self.scope = entry.clone();
            out.push(self.inline(body, None));
            worlds.push(self.scope.clone());
        }
        self.scope = match (otherwise, worlds.pop()) {
            (Some(_), Some(last)) => last,
            (_, last) => {
                worlds.extend(last);
                entry
            }
        };
        worlds.iter().for_each(|world| self.join(world));
        Value::list(out.into_iter().filter(|value| !matches!(value.data, Data::Null)).collect())
    }

    fn for_each(&mut self, variable: &str, list: Value, body: &Rc<Block>) -> Value {
        let items = list.items();
        let whole = matches!(list.data, Data::List(_)) && items.len() <= MOST_ITEMS && self.steps > 2_000;
        if !whole {
            let item = match list.data {
                Data::List(_) => Value::unknown().with(&list.marks),
                _ => list,
            };
            self.set(variable, item);
            return self.twice(body);
        }
        let mut out = Vec::new();
        for item in items {
            self.set(variable, item);
            out.push(self.inline(body, None));
        }
        Value::list(out)
    }

    fn switch(&mut self, value: &Value, cases: &[(Expr, Rc<Block>)]) -> Value {
        let entry = self.scope.clone();
        for (case, body) in cases {
            self.scope = entry.clone();
            if let Expr::Script(block) = case {
                self.inline(block, Some(value));
            } else {
                self.expr(case);
            }
            self.inline(body, Some(value));
            let world = std::mem::replace(&mut self.scope, entry.clone());
            self.join(&world);
        }
        Value::unknown().with(&value.marks)
    }

    /// A loop over what nobody counted: once, and again with what the first time left.
    fn twice(&mut self, body: &Rc<Block>) -> Value {
        let before = self.scope.clone();
        self.inline(body, None);
        if Rc::ptr_eq(&before.variables, &self.scope.variables) && before.folder == self.scope.folder {
            return Value::unknown();
        }
        self.join(&before);
        let value = self.inline(body, None);
        self.join(&before);
        Value::unknown().with(&value.marks)
    }
}
