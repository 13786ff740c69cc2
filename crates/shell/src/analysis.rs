//! The way in: guards, the stack the walk needs, and the last tidying of what was found.

use std::collections::HashSet;
use std::hash::Hash;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use doorward_core::finding::Finding;
use doorward_core::intent::{Intent, Operand, Span, Unknown};

use crate::account;
use crate::guard;
use crate::machine::{DEEP, Machine, SHALLOW};
use crate::options::Options;
use crate::source::{self, Source};
use crate::state::{Content, Folder, State, Var};
use crate::value::Value;
use crate::walk;

/// Stack of the thread that deep nesting is analysed on. Only touched pages cost memory.
const STACK: usize = 256 << 20;

/// What a command line says it would do.
///
/// Never opens a file, runs nothing, panics for no input, and takes time linear in the length of the text.
#[must_use]
pub fn analyze(command: &str, options: &Options<'_>) -> Intent {
    match line_ends(command) {
        None => guarded(command, options, "shell"),
        Some(plain) => {
            let mut intent = guarded(&plain, options, "shell");
            let at = command.find("\r\n").unwrap_or_default();
            let message = "its lines end in carriage return and line feed; read as line ends";
            intent.findings.push(Finding::new("shell.crlf", message).at(Span::new(at, at + 2)));
            intent
        }
    }
}

/// The text with every CRLF as a line end, if it holds one. The length stays, so that places do.
fn line_ends(text: &str) -> Option<String> {
    text.contains("\r\n").then(|| text.replace("\\\r\n", " \\\n").replace("\r\n", "\n\n"))
}

/// What a text in `language` (`shell`, `python`, `sql`, …) says it would do: for files that a command runs.
#[must_use]
pub fn analyze_code(language: &str, text: &str, options: &Options<'_>) -> Intent {
    if language != "shell" && !crate::languages::is_shell(language) && text.contains("\r\n") {
        return guarded(&text.replace("\r\n", "\n"), options, language);
    }
    guarded(text, options, language)
}

fn guarded(text: &str, options: &Options<'_>, language: &str) -> Intent {
    let look = if language == "shell" {
        guard::look(text, false)
    } else if crate::languages::is_shell(language) {
        guard::look_windows(text)
    } else {
        guard::look_code(text, crate::languages::has_grammar(language))
    };
    if look.refuse {
        return Intent { unknown: look.unknown, findings: look.findings, ..Intent::default() };
    }
    let mut intent = if look.depth <= SHALLOW { attempt(text, options, language, SHALLOW) } else { None }
        .unwrap_or_else(|| on_deep_stack(text, options, language));
    intent.unknown.extend(look.unknown);
    intent.findings.extend(look.findings);
    tidy(&mut intent);
    intent
}

/// Analyses on this stack; `None` if it needs more.
fn attempt(text: &str, options: &Options<'_>, language: &str, deepest: u32) -> Option<Intent> {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let mut machine = Machine::new(text, options, deepest);
        run(&mut machine, text, options, language);
        if !machine.needs_stack {
            account::settle(&mut machine, language == "shell");
        }
        (!machine.needs_stack).then_some(machine.intent)
    }));
    // A bug must not become an allow.
    outcome.unwrap_or_else(|_| Some(refused(text, "shell.parse_error", "the analysis failed on this text")))
}

fn on_deep_stack(text: &str, options: &Options<'_>, language: &str) -> Intent {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("shell-analysis".to_owned()).stack_size(STACK);
        match builder.spawn_scoped(scope, || attempt(text, options, language, DEEP)) {
            Ok(thread) => thread.join().ok().flatten(),
            Err(_) => None,
        }
    })
    .unwrap_or_else(|| refused(text, "shell.too_deep", "no stack for nesting this deep"))
}

fn refused(text: &str, code: &str, reason: &str) -> Intent {
    let unknown =
        Unknown { code: code.to_owned(), reason: reason.to_owned(), span: Span::new(0, text.len()) };
    Intent { unknown: vec![unknown], ..Intent::default() }
}

fn run(machine: &mut Machine<'_>, text: &str, options: &Options<'_>, language: &str) {
    let mut state = entry(options);
    let whole = machine.whole;
    if language != "shell" {
        let value = crate::value::Value::known(text);
        let called = crate::languages::Invocation {
            script: options.script.as_deref(),
            arguments: options.arguments.as_deref(),
        };
        machine.language(language, &value, called, whole, language, None, &mut state);
        return;
    }
    for (name, body) in &options.functions {
        let body =
            if body.trim_start().starts_with(['{', '(']) { body.clone() } else { format!("{{ {body}\n}}") };
        define(machine, &format!("{name} () {body}"), &mut state);
    }
    machine.text(text, Some(0), whole, &mut state);
    machine.traps(&mut state);
    machine.uncalled(&mut state);
    machine.intent.final_cwd = match state.folder.may_be.as_slice() {
        [Some(folder)] if folder.is_empty() => None,
        [Some(folder)] => Some(Operand::literal(folder.clone(), whole)),
        _ => Some(Operand::unknown(whole)),
    };
}

fn define(machine: &mut Machine<'_>, text: &str, state: &mut State) {
    let Ok((program, _)) = source::parse(text) else {
        return machine.unknown(
            "shell.parse_error",
            "a function of an earlier call is not understood",
            machine.whole,
        );
    };
    let source = Source::new(text.to_owned(), None, machine.whole);
    let findings = machine.intent.findings.len();
    machine.program(&program, &source, state);
    machine.intent.findings.truncate(findings);
}

/// The state the caller describes.
fn entry(options: &Options<'_>) -> State {
    let folder = match options.starts_in.as_str() {
        folder if folder.contains('…') => Folder::anywhere(),
        folder => Folder::exactly(folder.to_owned()),
    };
    let mut state = State { folder, ..State::default() };
    for (name, value) in &options.variables {
        let mut var = Var::holding(Content::scalar(value));
        var.own = false;
        state.set_var(name, var);
    }
    let aliases = options.aliases.iter().map(|(name, text)| (name.clone(), Value::known(text.clone())));
    state.aliases = Rc::new(aliases.collect());
    state.positional = options.arguments.as_ref().map(|arguments| {
        let name = std::iter::once(Value::known("bash"));
        Rc::new(name.chain(arguments.iter().map(Value::known)).collect())
    });
    state
}

/// Takes out what was said twice: a command looked at in several worlds, a branch walked again.
fn tidy(intent: &mut Intent) {
    once(&mut intent.commands, walk::identity);
    once(&mut intent.writes, Clone::clone);
    once(&mut intent.deletes, Clone::clone);
    once(&mut intent.hosts, Clone::clone);
    once(&mut intent.env_reads, Clone::clone);
    once(&mut intent.privilege, Clone::clone);
    once(&mut intent.history_loss, Clone::clone);
    once(&mut intent.installs, Clone::clone);
    once(&mut intent.unknown, Clone::clone);
    once(&mut intent.findings, Finding::clone);
    once(&mut intent.reads, Clone::clone);
}

fn once<T, K: Hash + Eq>(items: &mut Vec<T>, key: impl Fn(&T) -> K) {
    if items.len() > 1 {
        let mut seen = HashSet::new();
        items.retain(|item| seen.insert(key(item)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(text: &str, nodes: u32) -> u32 {
        let options = Options { nodes, ..Options::default() };
        let mut machine = Machine::new(text, &options, DEEP);
        run(&mut machine, text, &options, "shell");
        machine.taken()
    }

    fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
        std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().stack_size(STACK);
            builder.spawn_scoped(scope, work).expect("a thread").join().expect("no panic")
        })
    }

    /// Ordinary shapes: twice the text takes about twice the steps.
    #[test]
    fn steps_grow_with_the_length() {
        type Shape = fn(usize) -> String;
        let shapes: [(&str, Shape); 10] = [
            ("sequence", |n| "rm x; ".repeat(n)),
            ("operands", |n| format!("rm {}", "x ".repeat(n))),
            ("pipeline", |n| format!("cat x{}", " | cat".repeat(n))),
            ("writes", |n| (0..n).map(|at| format!("echo a > f{at}; ")).collect()),
            ("substitutions", |n| format!("echo {}", "$(echo a) ".repeat(n))),
            ("case", |n| format!("case x in {} esac", "a) rm x;; ".repeat(n))),
            ("here-document", |n| format!("cat <<E\n{}\nE\n", "$x ".repeat(n))),
            ("sudo with operands", |n| format!("sudo rm {}", "x ".repeat(n))),
            ("functions", |n| (0..n).map(|at| format!("f{at}() {{ rm x; }}; f{at}; ")).collect()),
            ("find", |n| format!("find . {}-print", "-name a -o ".repeat(n))),
        ];
        for (name, shape) in shapes {
            let (once, twice) = (steps(&shape(200), u32::MAX), steps(&shape(400), u32::MAX));
            assert!(twice <= 2 * once + once / 4 + 64, "{name}: {once} steps, then {twice}");
        }
    }

    /// Shapes that nest or join without end: the budget ends them, and says so.
    #[test]
    fn no_shape_takes_more_than_the_budget() {
        let shapes = [
            format!("eval {}rm x", "env A=b ".repeat(400)),
            format!("{}rm x", "sudo ".repeat(2_000)),
            format!("{}rm x", "find . -exec ".repeat(300)),
            (0..1_500).map(|at| format!("if a; then v{at}=b; fi; ")).collect(),
            "a+=(x); ".repeat(3_000),
            "f() { g; g; }; g() { f; f; }; f; ".repeat(200),
        ];
        for shape in &shapes {
            let taken = on_deep_stack(|| steps(shape, 20_000));
            assert!(taken <= 20_000, "{taken}");
            let intent = analyze(shape, &Options::default());
            let listed = intent.commands.iter().any(|command| command.program == "rm");
            assert!(
                listed || !intent.unknown.is_empty() || !shape.contains("rm x"),
                "{}",
                shape.get(..40).unwrap_or_default()
            );
        }
    }

    /// Groups that don't close are read in time exponential in their depth by the first parser: past a depth it only
    /// gets them when the second found them whole.
    #[test]
    fn broken_groups_are_not_given_to_the_first_parser() {
        for depth in 7..=20 {
            for text in [
                format!("{}x", "( ".repeat(depth)),
                format!("{}x;;", "{ ( ".repeat(depth)),
                format!("{}x{} )", "(a; ".repeat(depth), " )".repeat(depth)),
                format!("{}x )", "case a in b) ( ".repeat(depth / 2)),
            ] {
                let intent = analyze(&text, &Options::default());
                assert!(!intent.unknown.is_empty(), "{text}");
            }
        }
    }
}
