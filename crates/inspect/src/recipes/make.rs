//! Makefiles: what the shell is told for a target, with make's own variables put in.

use doorward_paths::glob;

use super::{MOST_TARGETS, in_own_shells};

/// A makefile, as far as it is read.
pub(crate) struct Makefile {
    /// Variables that the file sets plainly.
    variables: Vec<(String, String)>,
    rules: Vec<MakeRule>,
}

struct MakeRule {
    targets: Vec<String>,
    needs: Vec<String>,
    lines: Vec<String>,
}

impl Makefile {
    pub(crate) fn read(text: &str) -> Self {
        // A line that ends in a backslash goes on.
        let joined = text.replace("\\\n", " ");
        let mut variables: Vec<(String, String)> = Vec::new();
        let mut rules: Vec<MakeRule> = Vec::new();
        for line in joined.lines() {
            if let Some(recipe) = line.strip_prefix('\t') {
                if let Some(rule) = rules.last_mut() {
                    rule.lines.push(recipe.trim_start_matches(['@', '-', '+', ' ']).to_owned());
                }
                continue;
            }
            let line = line.split('#').next().unwrap_or_default();
            if let Some((name, value)) = line.split_once('=').filter(|(name, _)| {
                !name.trim_end_matches([':', '?', '+', '!', ' ']).contains([':', ' ', '\t'])
            }) {
                if name.ends_with('!') {
                    // `X != command` runs when the file is read.
                    let lines = vec![value.to_owned()];
                    rules.push(MakeRule { targets: vec![String::new()], needs: Vec::new(), lines });
                }
                variables.push((
                    name.trim_end_matches([':', '?', '+', '!', ' ']).trim().to_owned(),
                    value.trim().to_owned(),
                ));
            } else if let Some((targets, needs)) = line.split_once(':') {
                let (needs, inline) = needs.split_once(';').unwrap_or((needs, ""));
                let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
                let lines =
                    if inline.trim().is_empty() { Vec::new() } else { vec![inline.trim().to_owned()] };
                rules.push(MakeRule { targets: words(targets), needs: words(needs), lines });
            }
        }
        Self { variables, rules }
    }

    /// Recipe lines of a target and of the targets it needs, variables put in where the file sets them plainly.
    pub(super) fn recipe(&self, target: &str) -> Option<String> {
        let rules = &self.rules;
        let mut names = rules.iter().flat_map(|rule| &rule.targets);
        let first = names.find(|name| !name.is_empty() && !name.starts_with('.'))?.clone();
        let wanted = if target.is_empty() { first } else { target.to_owned() };
        let mut todo = vec![wanted.clone()];
        let mut done: Vec<String> = Vec::new();
        let at_once = rules.iter().filter(|rule| rule.targets.iter().any(String::is_empty));
        let mut lines: Vec<String> = at_once.flat_map(|rule| rule.lines.clone()).collect();
        while let Some(name) = todo.pop() {
            if done.contains(&name) || done.len() > MOST_TARGETS {
                continue;
            }
            for rule in rules.iter().filter(|rule| rule.targets.contains(&name)) {
                todo.extend(rule.needs.iter().cloned());
                lines.extend(rule.lines.iter().map(|line| automatic(line, &name, &rule.needs)));
            }
            done.push(name);
        }
        let known = rules.iter().any(|rule| rule.targets.contains(&wanted));
        // What a variable brings in front (`Q := @`) is make's as well.
        let own = |line: String| line.trim_start_matches(['@', '-', '+', ' ']).to_owned();
        let lines = lines.iter().map(|line| own(self.substitute(line)));
        // Each line has a shell of its own (GNU make's manual, 5.4), unless the file says otherwise.
        let one_shell = rules.iter().any(|rule| rule.targets.iter().any(|name| name == ".ONESHELL"));
        known.then(|| if one_shell { lines.collect::<Vec<_>>().join("\n") } else { in_own_shells(lines) })
    }

    /// Whether a rule makes the file or folder of this name, or a rule that cleans up removes it.
    pub(crate) fn makes(&self, name: &str) -> bool {
        self.rules.iter().any(|rule| self.is_output(rule, name) || self.is_cleaned_up(rule, name))
    }

    /// Whether a rule writes what it is named after: its recipe has the name, and it is no mere task.
    fn is_output(&self, rule: &MakeRule, name: &str) -> bool {
        let tasks = self.rules.iter().filter(|rule| rule.targets.iter().any(|target| target == ".PHONY"));
        let is_task = tasks.flat_map(|rule| &rule.needs).any(|task| task == name);
        let writes = |line: &String| {
            let line = self.substitute(&automatic(line, name, &rule.needs));
            ["-o ", "> ", ">"].iter().any(|before| line.contains(&format!("{before}{name}")))
        };
        let named = rule.targets.iter().flat_map(|target| self.words(target)).any(|target| {
            match target.split_once('%') {
                Some((front, back)) => {
                    name.len() > front.len() + back.len() && name.starts_with(front) && name.ends_with(back)
                }
                None => target == name,
            }
        });
        let says_so = |line: &String| line.contains("$@") || line.contains("$(@)");
        named && !is_task && rule.lines.iter().any(|line| says_so(line) || writes(line))
    }

    fn is_cleaned_up(&self, rule: &MakeRule, name: &str) -> bool {
        let cleans = |target: &String| target.contains("clean") || target.contains("clobber");
        let removed = |line: &String| {
            let line = self.substitute(line);
            let commands: Vec<String> = line.split([';', '&', '|']).map(str::to_owned).collect();
            commands.iter().any(|command| {
                let mut words = command.trim_start_matches(['@', '-', '+', ' ']).split_whitespace();
                words.next() == Some("rm") && words.any(|word| is_or_holds(word, name))
            })
        };
        rule.targets.iter().any(cleans) && rule.lines.iter().any(removed)
    }

    fn words(&self, text: &str) -> Vec<String> {
        self.substitute(text).split_whitespace().map(str::to_owned).collect()
    }

    fn substitute(&self, line: &str) -> String {
        substitute(line, &self.variables, 8)
    }
}

/// Whether a word of `rm` is a path, or a folder around it. One that fits nearly everything names nothing.
fn is_or_holds(word: &str, name: &str) -> bool {
    let word = word.trim_matches(['"', '\'']).trim_start_matches("./").trim_end_matches('/');
    let says_something = word.chars().filter(char::is_ascii_alphanumeric).count() > 0;
    let is_plain = !word.starts_with(['-', '/', '~']) && !word.contains(['$', '`']) && !word.contains("..");
    let folders = name.match_indices('/').filter_map(|(at, _)| name.get(..at));
    says_something && is_plain && folders.chain([name]).any(|place| glob::matches_path(word, place))
}

/// The programs that make's own variables name (GNU make's manual 4.4, 10.3).
const OF_MAKE: &[(&str, &str)] = &[
    ("AR", "ar"),
    ("AS", "as"),
    ("CC", "cc"),
    ("CPP", "cc -E"),
    ("CURDIR", "."),
    ("CXX", "g++"),
    ("FC", "f77"),
    ("LEX", "lex"),
    ("MAKE", "make"),
    ("RM", "rm -f"),
    ("SHELL", "sh"),
    ("TEX", "tex"),
    ("YACC", "yacc"),
];

/// A line with the names of its rule put in: `$@`, `$<`, `$^` and `$+`.
fn automatic(line: &str, target: &str, needs: &[String]) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        let inner = after
            .strip_prefix(['(', '{'])
            .filter(|inner| inner.get(1..2).is_some_and(|end| ")}".contains(end)));
        let (sign, tail) = match inner {
            Some(inner) => (inner.chars().next(), inner.get(2..)),
            None => {
                (after.chars().next(), after.chars().next().and_then(|sign| after.get(sign.len_utf8()..)))
            }
        };
        match (sign, tail) {
            (Some('@'), Some(tail)) if !target.contains('%') => {
                out.push_str(target);
                rest = tail;
            }
            (Some('<'), Some(tail)) if needs.first().is_some_and(|first| !first.contains('%')) => {
                out.push_str(needs.first().map_or("", String::as_str));
                rest = tail;
            }
            (Some('^' | '+'), Some(tail)) if !needs.iter().any(|need| need.contains('%')) => {
                out.push_str(&needs.join(" "));
                rest = tail;
            }
            // `$$` is one of the shell's own.
            (Some('$'), Some(tail)) if inner.is_none() => {
                out.push_str("$$");
                rest = tail;
            }
            _ => {
                out.push('$');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// What stands in a pair of brackets, and what follows it.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    let (open, close) = if text.starts_with('(') { ('(', ')') } else { ('{', '}') };
    let mut depth = 0_u32;
    for (at, letter) in text.char_indices() {
        depth += u32::from(letter == open);
        depth = depth.saturating_sub(u32::from(letter == close));
        match depth {
            0 if at == 0 => return None,
            0 => return Some((text.get(1..at)?, text.get(at + 1..)?)),
            _ => {}
        }
    }
    None
}

/// make's `$(NAME)` and `$$`; `$(shell …)` is the shell's own substitution, and what isn't known stays a variable.
fn substitute(line: &str, variables: &[(String, String)], depth: u8) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        if let Some(escaped) = after.strip_prefix('$') {
            out.push('$');
            rest = escaped;
            continue;
        }
        let Some((inner, tail)) = bracketed(after) else {
            out.push_str("\"$MAKE_VARIABLE\"");
            let mut chars = after.chars();
            chars.next();
            rest = chars.as_str();
            continue;
        };
        rest = tail;
        if depth == 0 {
            out.push_str("$MAKE_VARIABLE");
            continue;
        }
        // A name may be put together: `$(OPTIONS_$(PAPER))`.
        let name =
            if inner.contains('$') { substitute(inner, variables, depth - 1) } else { inner.to_owned() };
        let set = |name: &str| {
            variables.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
        };
        let own = |name: &str| OF_MAKE.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        if let Some(command) = name.strip_prefix("shell ") {
            out.push_str(&format!("$({command})"));
        } else if let Some(value) = set(name
            .strip_prefix("call ")
            .map_or(name.as_str(), |call| call.split(',').next().unwrap_or_default().trim()))
        {
            out.push_str(&substitute(value, variables, depth - 1));
        } else {
            out.push_str(own(&name).unwrap_or("$MAKE_VARIABLE"));
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make_recipe(text: &str, target: &str) -> Option<String> {
        Makefile::read(text).recipe(target)
    }

    #[test]
    fn outputs_are_what_rules_write_and_clean_up() {
        let text = "BIN = server\nMAN := a.1 b.1\n.PHONY: test\nall: $(BIN)\n$(BIN): main.o\n\tcc -o $@ $^\n\
                    %.1: %.in\n\tsed s/x/y/ $< > $@\ntest:\n\t./run > test\ndocs:\n\tmkdocs build\n\
                    clean:\n\t@rm -rf out/ *.bak $(MAN) lib/*/ebin && rm -f \"$(UNKNOWN)\" * ../x\n";
        let makefile = Makefile::read(text);
        for name in ["server", "x.1", "out", "out/a/b", "a.bak", "lib/x/ebin"] {
            assert!(makefile.makes(name), "{name}");
        }
        for name in ["test", "docs", "main.c", "data", "src/main.c", "x", "../x"] {
            assert!(!makefile.makes(name), "{name}");
        }
    }

    #[test]
    fn recipes_are_read_as_make_reads_them() {
        let make =
            "CC = gcc\nall: dep\n\t@$(CC) -o x $(shell ls) $@\ndep:\n\trm -rf $$HOME/x\nother: ; echo hi\n";
        assert_eq!(make_recipe(make, "").as_deref(), Some("(\ngcc -o x $(ls) all\n)\n(\nrm -rf $HOME/x\n)"));
        assert_eq!(make_recipe(make, "other").as_deref(), Some("echo hi"));
        assert_eq!(make_recipe(make, "missing"), None);
        for (text, expected) in [
            ("all:\n\t$(MAKE) -C sub\n", "make -C sub"),
            ("all: a.c b.c\n\t$(CC) -o $@ $< $^\n", "cc -o all a.c a.c b.c"),
            (
                "PAPER =\nALL = -d x $(OPTIONS_$(PAPER)) .\nhtml:\n\tbuild $(ALL) out\n",
                "build -d x $MAKE_VARIABLE . out",
            ),
            ("CHECK = echo x\ne:\n\tif true; then $(call CHECK,a); fi\n", "if true; then echo x; fi"),
            ("Q := @\ntest:\n\t$(Q) cd docs && ${MAKE} html\n", "cd docs && make html"),
            ("F = -O2\nx:\n\tcc $(F) $(@) $$HOME\n", "cc -O2 x $HOME"),
        ] {
            assert_eq!(make_recipe(text, "").as_deref(), Some(expected), "{text}");
        }
    }
}
