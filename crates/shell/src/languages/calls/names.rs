//! Names in code: what an import, an alias or a look-up by text stands for.

use super::acts::HIDDEN;
use super::*;

impl Reader<'_> {
    pub(super) fn imports(&mut self, tokens: &[Token], module: Option<&str>) {
        let end = tokens
            .iter()
            .take(LONGEST)
            .position(|token| matches!(token, Token::Line) || token.is(';'))
            .unwrap_or(tokens.len().min(LONGEST));
        let line = tokens.get(..end).unwrap_or_default();
        // JavaScript: `import {a as b} from 'm'`, `import x from 'm'`.
        if let Some(Token::Text(source)) = line.last() {
            let source = source.text.trim_start_matches("node:").replace('/', ".");
            let braces = line.iter().any(|token| token.is('{'));
            let mut before: Option<&str> = None;
            for token in line {
                match token.name() {
                    Some("as" | "from") => {}
                    Some(name) => {
                        let full = if braces {
                            format!("{source}.{}", before.unwrap_or(name))
                        } else {
                            source.clone()
                        };
                        self.names.insert(name.to_owned(), full);
                        before = Some(name);
                    }
                    None if token.is(',') || token.is('{') => before = None,
                    None => {}
                }
            }
            return;
        }
        for part in line.split(|token| token.is(',')) {
            let part: Vec<Token> =
                part.iter().filter(|token| !token.is('(') && !token.is(')')).cloned().collect();
            let (name, used) = dotted(&part);
            if name.is_empty() {
                continue;
            }
            let full = module.map_or_else(|| name.clone(), |module| format!("{module}.{name}"));
            match part
                .get(used + 1)
                .and_then(Token::name)
                .filter(|_| part.get(used).and_then(Token::name) == Some("as"))
            {
                Some(alias) => {
                    self.names.insert(alias.to_owned(), full);
                }
                None if module.is_some() => {
                    self.names.insert(name, full);
                }
                None => {}
            }
            if module.is_some() && part.iter().any(|token| token.is('*')) {
                self.names.insert("*".to_owned(), module.unwrap_or_default().to_owned());
            }
        }
        if let (Some(module), true) = (module, line.iter().any(|token| token.is('*'))) {
            self.names.insert("*".to_owned(), module.to_owned());
        }
    }

    pub(super) fn destructured(&mut self, tokens: &[Token], at: usize, module: &str) {
        let Some(before) = tokens.get(..at) else { return };
        let mut back = before.iter().rev();
        if !back.next().is_some_and(|token| token.is('=')) || !back.next().is_some_and(|token| token.is('}'))
        {
            return;
        }
        let inside: Vec<&Token> = back.take_while(|token| !token.is('{')).collect();
        for part in inside.split(|token| token.is(',')) {
            // Reversed: `alias : name`.
            let names: Vec<&str> = part.iter().filter_map(|token| token.name()).collect();
            if let (Some(alias), Some(name)) = (names.first(), names.last()) {
                self.names.insert((*alias).to_owned(), format!("{module}.{name}"));
            }
        }
    }

    /// A dotted name at the start of `tokens`, imports resolved; how many tokens it took.
    pub(super) fn full_name(&self, tokens: &[Token]) -> Option<(String, usize)> {
        let first = tokens.first()?.name()?;
        let (mut full, mut used) = match (first, tokens.get(1), tokens.get(2), tokens.get(3)) {
            (
                "require" | "__import__" | "import_module",
                Some(open),
                Some(Token::Text(module)),
                Some(close),
            ) if open.is('(') && close.is(')') && module.is_known() => {
                (module.text.trim_start_matches("node:").replace('/', "."), 4)
            }
            (
                "new" | "await" | "return" | "async" | "const" | "let" | "var" | "my" | "print" | "yield"
                | "if" | "while" | "for" | "in" | "not" | "and" | "or" | "else" | "do" | "then",
                _,
                _,
                _,
            ) if !self.names.contains_key(first) => return None,
            _ => (self.names.get(first).cloned().unwrap_or_else(|| first.to_owned()), 1),
        };
        if let Some((module, width)) = self.module(&full, tokens.get(used..).unwrap_or_default()) {
            full = module;
            used += width;
        }
        // Longer chains than anybody writes would cost their square.
        while used < 96 {
            // `.`, `?.`, `::`, `->`
            let step = match (tokens.get(used), tokens.get(used + 1)) {
                (Some(Token::Mark('.')), Some(Token::Name(_))) => 1,
                // Erlang's `file:delete(…)`.
                (Some(Token::Mark(':')), Some(Token::Name(function)))
                    if used == 1 && self.rule(&format!("{full}:{function}")).is_some() =>
                {
                    full = format!("{full}:{function}");
                    used += 2;
                    break;
                }
                (Some(Token::Mark('?')), Some(Token::Mark('.')))
                | (Some(Token::Mark(':')), Some(Token::Mark(':')))
                | (Some(Token::Mark('-')), Some(Token::Mark('>'))) => 2,
                (Some(Token::Mark('[')), Some(Token::Text(_)))
                    if tokens.get(used + 2).is_some_and(|token| token.is(']')) =>
                {
                    // `child_process['exec']`
                    if let Some(Token::Text(member)) = tokens.get(used + 1)
                        && member.is_known()
                        && tokens.get(used + 3).is_some_and(|token| token.is('('))
                    {
                        full = format!("{full}.{}", member.text);
                        used += 3;
                        continue;
                    }
                    break;
                }
                _ => break,
            };
            let Some(member) = tokens.get(used + step).and_then(Token::name) else { break };
            full = format!("{full}.{member}");
            used += step + 1;
            if let Some((module, width)) = self.module(&full, tokens.get(used..).unwrap_or_default()) {
                full = module;
                used += width;
            }
        }
        Some((full, used))
    }

    /// The module that a loader (`require`, `__import__`, `import()`) is given, and how many tokens that took.
    pub(super) fn module(&self, loader: &str, arguments: &[Token]) -> Option<(String, usize)> {
        let last = loader.rsplit('.').next().unwrap_or(loader);
        if self.language.lexis.sigils {
            return None;
        }
        if !matches!(
            last,
            "require" | "__import__" | "import_module" | "import" | "_load" | "getBuiltinModule"
        ) || !arguments.first().is_some_and(|mark| mark.is('('))
        {
            return None;
        }
        let close = arguments.iter().take(64).position(|token| token.is(')'))?;
        let inside = arguments.get(1..close)?;
        let literal = matches!(inside, [Token::Text(_)]);
        let module = match self.evaluated(inside) {
            Some(Item::Text(module)) if module.is_known() => module,
            // `import('os', fromlist=[…])`
            _ => match inside.first() {
                Some(Token::Text(module)) if inside.get(1).is_some_and(|mark| mark.is(',')) => module.clone(),
                _ => return None,
            },
        };
        let name = module.text.trim_start_matches("node:").replace('/', ".");
        if !literal && (module.assembled || module.decoded) && !module.text.starts_with(['.', '/']) {
            // The name is hidden; who runs it says so.
            return Some((format!("{HIDDEN}.{name}"), close + 1));
        }
        Some((name, close + 1))
    }

    /// A name in code: a call, a variable of the environment, or nothing. Returns how many tokens it took.
    pub(super) fn name(&mut self, tokens: &[Token], after_dot: bool, before: &[Token]) -> usize {
        let Some((full, used)) = self.full_name(tokens) else { return 1 };
        let next = tokens.get(used);
        if matches!(full.as_str(), "getattr" | "Reflect.get") && next.is_some_and(|mark| mark.is('(')) {
            return self.getattr(tokens, used);
        }
        if matches!(
            full.as_str(),
            "globals" | "locals" | "vars" | "__builtins__" | "builtins.__dict__" | "__builtins__.__dict__"
        ) && tokens.get(used..).unwrap_or_default().iter().take(4).any(|token| token.is('['))
        {
            self.effects.finding("shell.obfuscated", "a call by a computed name");
        }
        let last = full.rsplit('.').next().unwrap_or(&full);
        let loads = matches!(last, "__import__" | "import_module" | "_load" | "getBuiltinModule")
            || matches!(last, "require") && next.is_some_and(|mark| mark.is('(')) && self.hides(tokens, used);
        if full.contains(HIDDEN) || loads {
            self.effects.finding("shell.obfuscated", "a module by a computed name");
        }
        let full = full.replace(&format!("{HIDDEN}."), "");
        if full.contains("__dict__") || full.contains("__subclasses__") || full.contains("__globals__") {
            self.effects.finding("shell.obfuscated", "a call by a computed name");
        }
        // `process.env.X`, `os.environ['X']`, `ENV['X']`, `$ENV{X}`
        for root in ["process.env", "os.environ", "ENV", "$ENV", "import.meta.env", "$_ENV", "$_SERVER"] {
            if full == root || full.starts_with(&format!("{root}.")) {
                let member = full.strip_prefix(root).unwrap_or_default().trim_start_matches('.').to_owned();
                let bracket = match (next, tokens.get(used + 1)) {
                    (Some(Token::Mark('[' | '{')), Some(Token::Text(name))) if name.is_known() => {
                        Some(name.text.clone())
                    }
                    (Some(Token::Mark('{')), Some(Token::Name(name))) => Some(name.clone()),
                    _ => None,
                };
                let called = match tokens.get(used + 1) {
                    Some(Token::Text(name)) if next.is_some_and(|mark| mark.is('(')) => {
                        Some(name.text.clone())
                    }
                    _ => None,
                };
                let method = matches!(
                    member.as_str(),
                    "get"
                        | "fetch"
                        | "copy"
                        | "items"
                        | "keys"
                        | "values"
                        | "to_h"
                        | "each"
                        | "setdefault"
                        | "update"
                        | "pop"
                );
                let sets = tokens
                    .get(used..)
                    .unwrap_or_default()
                    .iter()
                    .skip_while(|token| !token.is(']') && !token.is('}') && !token.is('='))
                    .find(|token| token.is('=') || !matches!(token, Token::Mark(']' | '}')))
                    .is_some_and(|token| token.is('='));
                if root == "$_SERVER" {
                    return used;
                }
                let name = bracket
                    .or(called)
                    .unwrap_or_else(|| if member.is_empty() || method { "*".to_owned() } else { member });
                if !(sets && name != "*") {
                    self.effects.env(&name);
                }
                return used;
            }
        }
        if next.is_some_and(|mark| mark.is('(')) {
            let (arguments, width) = self.arguments(tokens.get(used..).unwrap_or_default());
            let name = if after_dot { format!(".{full}") } else { full };
            // `p.read_text()`, with a known `p`, or `Path('x').read_text()`.
            let variable =
                tokens.first().and_then(Token::name).filter(|name| self.values.contains_key(*name));
            let receiver = match variable {
                Some(_) if used > 1 => tokens.get(..1).unwrap_or_default().to_vec(),
                _ => self.receiver(before),
            };
            self.call(&name, &arguments, &receiver);
            // Arguments hold calls of their own: only the name is passed over.
            let _ = width;
            return used + 1;
        }
        // `Bun.$`, as `$` itself: the template behind it is a command.
        if full.ends_with(".$")
            && self.language.lexis.backquote == Backquote::Template
            && let Some(Token::Text(text)) = tokens.get(used)
        {
            self.effects.shell(text);
            return used + 1;
        }
        if self.language.lisp {
            if before.last().is_some_and(|mark| mark.is('(')) {
                return self.lisp(tokens);
            }
            return used;
        }
        if self.language.bare && after_dot && next.is_none_or(|mark| !mark.is('=')) {
            let name = format!(".{full}");
            if matches!(self.rule(&name), Some(Act::DeleteSelf | Act::ReadSelf | Act::DeleteTree)) {
                let receiver = self.receiver(before);
                self.call(&name, &[], &receiver);
            }
        }
        // Tcl: everything behind a command is its words.
        let words = matches!(self.language.rules.first(), Some(("exec", Act::Words)));
        if self.language.bare
            && !next.is_some_and(|mark| mark.is('=') || mark.is('.') && !words)
            && (self.rule(&full).is_some() || full == "file")
        {
            let rest = tokens.get(used..).unwrap_or_default();
            let end = rest
                .iter()
                .position(|token| {
                    matches!(token, Token::Line)
                        || token.is(';')
                        || token.is('}')
                        || token.is(')')
                        || matches!(token.name(), Some("if" | "unless" | "or" | "and" | "do"))
                })
                .unwrap_or(rest.len());
            let rest = rest.get(..end).unwrap_or_default();
            if full == "file" && rest.first().and_then(Token::name) == Some("delete") {
                let paths: Vec<Value> = rest
                    .iter()
                    .skip(1)
                    .filter_map(bare_word)
                    .filter(|word| !word.text.starts_with('-'))
                    .collect();
                paths.iter().for_each(|path| self.effects.delete(path, true));
                return used;
            }
            if words {
                let words: Vec<Value> = rest.iter().filter_map(bare_word).collect();
                match self.rule(&full) {
                    Some(Act::Words) if !words.is_empty() => self.effects.argv(&words),
                    Some(Act::File) => self.call(&full, &[rest.to_vec()], &[]),
                    _ => {}
                }
                return used;
            }
            let perl = self.language.lexis.sigils;
            if rest.is_empty() && perl && before.last().is_some_and(|mark| mark.is('{')) {
                // `map { unlink } …`, `sub { unlink }`: on what it is called with.
                match self.rule(&full) {
                    Some(Act::Delete | Act::DeleteTree) => self.effects.delete(&Value::unknown(), false),
                    Some(Act::Shell) => self.effects.shell(&Value::unknown()),
                    _ => {}
                }
            } else if rest.is_empty() && perl && full == "eval" {
                self.effects.nested("perl", &Value::unknown());
            }
            if !rest.is_empty() || full == "eval" {
                let arguments = self.split(rest);
                let name = if after_dot { format!(".{full}") } else { full };
                self.call(&name, &arguments, &[]);
            }
        }
        used
    }

    /// `getattr(x, 'name')(…)`: a call by a name in a string.
    pub(super) fn getattr(&mut self, tokens: &[Token], used: usize) -> usize {
        let (arguments, width) = self.arguments(tokens.get(used..).unwrap_or_default());
        let object = tokens
            .get(used + 1..)
            .and_then(|rest| self.full_name(rest))
            .map(|(name, _)| name)
            .unwrap_or_default();
        let member = arguments.get(1).and_then(|argument| self.fold(argument));
        let called = tokens.get(used + width).is_some_and(|mark| mark.is('('));
        match member {
            Some(member) if member.is_known() => {
                if member.assembled {
                    self.effects.finding("shell.obfuscated", "a call whose name is put together");
                }
                if called {
                    let (arguments, _) = self.arguments(tokens.get(used + width..).unwrap_or_default());
                    self.call(&format!("{object}.{}", member.text), &arguments, &[]);
                }
            }
            _ => self.effects.finding("shell.obfuscated", "a call whose name is computed"),
        }
        used + 1
    }

    pub(super) fn lisp(&mut self, tokens: &[Token]) -> usize {
        // A Lisp name may hold dashes: join what the tokens took apart.
        let mut name = String::new();
        let mut used = 0;
        while let Some(token) = tokens.get(used) {
            match token {
                Token::Name(part) => name.push_str(part),
                Token::Mark(mark @ ('-' | '/' | '*' | ':' | '.')) => name.push(*mark),
                _ => break,
            }
            used += 1;
            if matches!((token, tokens.get(used)), (Token::Name(_), Some(Token::Name(_)))) {
                break;
            }
        }
        // `babashka.fs/delete-tree`, `uiop:run-program`: the name in front says where it is defined.
        if let Some((_, own)) = name.rsplit_once(['/', ':'])
            && self.rule(&name).is_none()
            && self.rule(own).is_some()
        {
            name = own.to_owned();
        }
        let rest = tokens.get(used..).unwrap_or_default();
        let arguments: Vec<Vec<Token>> = rest
            .iter()
            .take_while(|token| !token.is(')'))
            .filter(|token| matches!(token, Token::Text(_) | Token::Name(_)))
            .map(|token| vec![token.clone()])
            .collect();
        self.call(&name, &arguments, &[]);
        used.max(1)
    }

    /// Whether what `require` is given can't be told: neither a literal nor a path.
    pub(super) fn hides(&self, tokens: &[Token], used: usize) -> bool {
        let (arguments, _) = self.arguments(tokens.get(used..).unwrap_or_default());
        let Some(argument) = arguments.first() else { return false };
        let local = argument.iter().any(|token| {
            matches!(
                token.name(),
                Some("path" | "resolve" | "join" | "__dirname" | "process" | "argv" | "cwd")
            ) || matches!(token, Token::Text(text) if text.text.starts_with(['.', '/']))
        });
        !local && self.fold(argument).is_none_or(|value| !value.is_known())
    }

    /// `$x(…)` and its kin, where the variable holds a name; whether it was such a call.
    pub(super) fn by_variable(&mut self, variable: &str, rest: &[Token]) -> bool {
        let at = match (rest.get(1), rest.get(2), rest.get(3)) {
            (Some(open), ..) if open.is('(') => 1,
            (Some(dash), Some(arrow), Some(open)) if dash.is('-') && arrow.is('>') && open.is('(') => 3,
            _ => return false,
        };
        let Some(name) = self.values.get(variable).filter(|name| name.is_known()).cloned() else {
            return false;
        };
        if self.rule(&name.text).is_none() {
            return false;
        }
        self.effects.finding("shell.obfuscated", "a call by a name in a string");
        let (arguments, _) = self.arguments(rest.get(at..).unwrap_or_default());
        self.call(&name.text, &arguments, &[]);
        true
    }

    /// A function that acts and is an argument itself (`map(os.remove, …)`): it is called with who knows what.
    pub(super) fn handed_over(&mut self, tokens: &[Token], at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        if !before.is_some_and(|mark| mark.is('(') || mark.is(',') || mark.is('[') || mark.is('=')) {
            return false;
        }
        let rest = tokens.get(at..).unwrap_or_default();
        let Some((full, used)) = self.full_name(rest) else { return false };
        let ends = rest.get(used).is_some_and(|mark| mark.is(')') || mark.is(',') || mark.is(']'));
        // `.then(eval)`, `map(exec, …)`.
        let evaluates = match self.effects.language.as_str() {
            "python" => matches!(full.as_str(), "eval" | "exec"),
            "javascript" | "typescript" => matches!(full.as_str(), "eval" | "Function"),
            _ => false,
        };
        if evaluates && ends && before.is_some_and(|mark| mark.is('(')) {
            self.effects.finding("shell.obfuscated", format!("{full} is handed over to be called"));
            return true;
        }
        // A bare name must be one that was imported: `del` may be anything.
        let first = rest.first().and_then(Token::name).unwrap_or_default();
        let told =
            full.contains('.') && (used > 1 || self.names.get(first).is_some_and(|full| full.contains('.')));
        if !ends || !told || self.on_import(tokens, at) {
            return false;
        }
        match self.rule(&full) {
            Some(Act::Shell | Act::Words | Act::Eval | Act::File | Act::Load) => {
                self.effects.finding("shell.obfuscated", format!("{full} is handed over to be called"));
            }
            Some(Act::Delete | Act::DeleteTree) => self.effects.delete(&Value::unknown(), true),
            _ => return false,
        }
        true
    }

    /// Whether the name stands in an `import` line.
    pub(super) fn on_import(&self, tokens: &[Token], at: usize) -> bool {
        tokens
            .get(..at)
            .unwrap_or_default()
            .iter()
            .rev()
            .take(64)
            .take_while(|token| !matches!(token, Token::Line) && !token.is(';'))
            .any(|token| token.name() == Some("import"))
    }

    /// The expression in front of `.method`: `Path('x')`, `(a / b)`, a variable.
    pub(super) fn receiver(&self, before: &[Token]) -> Vec<Token> {
        let Some((dot, front)) = before.split_last() else { return Vec::new() };
        if !dot.is('.') {
            return Vec::new();
        }
        let mut depth = 0_usize;
        let mut start = front.len();
        for (at, token) in front.iter().enumerate().rev().take(256) {
            let primary = match token {
                Token::Mark(')' | ']') => {
                    depth += 1;
                    true
                }
                Token::Mark('(' | '[') if depth > 0 => {
                    depth -= 1;
                    true
                }
                _ if depth > 0 => true,
                Token::Name(_) | Token::Text(_) => {
                    // Two names side by side are a keyword and an expression.
                    !matches!(front.get(at + 1), Some(Token::Name(_) | Token::Text(_)))
                        || at + 1 == front.len()
                }
                Token::Mark('.') => true,
                _ => false,
            };
            if !primary {
                break;
            }
            start = at;
        }
        front.get(start..).unwrap_or_default().to_vec()
    }
}

/// The module of `import('m')` in front of `.then`.
pub(super) fn imported_before(tokens: &[Token], at: usize) -> Option<String> {
    match tokens.get(at.checked_sub(5)?..at)? {
        [Token::Name(import), Token::Mark('('), Token::Text(module), Token::Mark(')'), Token::Mark('.')]
            if import == "import" =>
        {
            Some(module.text.trim_start_matches("node:").replace('/', "."))
        }
        _ => None,
    }
}

pub(super) fn bare_word(token: &Token) -> Option<Value> {
    match token {
        Token::Name(name) => Some(Value::literal(name.clone())),
        Token::Text(text) => Some(text.clone()),
        Token::Number(number) => Some(Value::literal(number.clone())),
        _ => None,
    }
}

/// A dotted name, as written.
pub(super) fn dotted(tokens: &[Token]) -> (String, usize) {
    let mut name = String::new();
    let mut used = 0;
    while let Some(part) = tokens.get(used).and_then(Token::name) {
        name.push_str(part);
        used += 1;
        if tokens.get(used).is_some_and(|token| token.is('.'))
            && tokens.get(used + 1).and_then(Token::name).is_some()
        {
            name.push('.');
            used += 1;
        } else {
            break;
        }
    }
    (name, used)
}
