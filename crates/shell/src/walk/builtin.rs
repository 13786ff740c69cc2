//! Builtins that change the shell: folder, variables, functions, aliases, traps, descriptors.
//!
//! What a builtin reads, writes or runs is said by the tables like for any program; here stands only what it
//! does to the state, and the code that runs inside its operands.

use std::rc::Rc;

use doorward_core::intent::{Certainty, Form, Span};

use super::Flow;
use super::assign::Assigned;
use super::invoke::Lookup;
use crate::machine::Machine;
use crate::state::{Content, State, Var};
use crate::value::{Arg, Value};

impl Machine<'_> {
    /// Carries out a builtin; `None` if there is none of this name.
    #[expect(clippy::too_many_arguments, reason = "the parts of one command")]
    pub(crate) fn builtin(
        &mut self,
        name: &str,
        args: &[Arg],
        assigned: &[Assigned],
        declared: &[Assigned],
        lookup: Lookup,
        span: Span,
        state: &mut State,
    ) -> Option<Flow> {
        let status = match name {
            ":" | "true" | "echo" => Some(true),
            "false" => Some(false),
            "cd" | "chdir" => {
                let operands: Vec<&Arg> =
                    args.iter().skip(1).filter(|arg| !is_option(&arg.raw) || arg.raw == "-").collect();
                let flow = self.describe_only(args, assigned, span, state);
                let sure = self.change_folder(&operands, span, state);
                return Some(Flow { status: sure.then_some(true), ..flow });
            }
            "pushd" | "popd" => {
                let flow = self.describe_only(args, assigned, span, state);
                let sure = self.stacked_folder(name == "pushd", args, span, state);
                return Some(Flow { status: sure.then_some(true), ..flow });
            }
            "export" | "declare" | "typeset" | "local" | "readonly" => {
                self.declare(name, args, declared, state);
                Some(true)
            }
            "unset" => {
                for arg in args.iter().skip(1).filter(|arg| !is_option(&arg.raw)) {
                    self.named_value(&arg.raw, arg.word.span, state);
                    state.unset(&arg.raw);
                    if args.get(1).is_some_and(|arg| arg.raw == "-f") || !state.vars.contains_key(&arg.raw) {
                        Rc::make_mut(&mut state.functions).remove(&arg.raw);
                    }
                }
                Some(true)
            }
            "read" => {
                // `IFS=: read a b`: the separators hold for this command only.
                let own = assigned.iter().rfind(|assigned| assigned.name == "IFS").cloned();
                let before = state.var("IFS").cloned();
                if let Some(own) = &own {
                    self.assign(own, state);
                }
                let status = self.read_into(args, span, state);
                if own.is_some() {
                    match before {
                        Some(var) => state.set_var("IFS", var),
                        None => {
                            Rc::make_mut(&mut state.vars).remove("IFS");
                        }
                    }
                }
                status
            }
            "mapfile" | "readarray" => {
                self.map_file(args, state);
                Some(true)
            }
            "printf" => {
                if let Some(flow) = self.print_into(args, assigned, span, state) {
                    return Some(flow);
                }
                Some(true)
            }
            "set" => {
                self.set_options(args, span, state);
                Some(true)
            }
            "shift" => {
                let by = args
                    .get(1)
                    .map_or(Some(1), |arg| arg.known().and_then(|text| text.parse::<usize>().ok()));
                if let (Some(positional), Some(by)) = (state.positional.as_mut(), by) {
                    // With fewer words than that it fails and shifts nothing.
                    if by < positional.len() {
                        Rc::make_mut(positional).drain(1..=by);
                    }
                } else {
                    state.positional = None;
                }
                None
            }
            "getopts" => {
                self.get_options(args, state);
                None
            }
            "alias" => {
                for arg in args.iter().skip(1) {
                    if let Some((name, text)) = arg.raw.split_once('=') {
                        self.shadows(name, arg.word.span);
                        let value = Value { text: text.to_owned(), trail: arg.trail.clone() };
                        Rc::make_mut(&mut state.aliases).insert(name.to_owned(), value);
                    }
                }
                Some(true)
            }
            "unalias" => {
                for arg in args.iter().skip(1) {
                    Rc::make_mut(&mut state.aliases).remove(&arg.raw);
                }
                Some(true)
            }
            "shopt" | "setopt" => {
                let has = |words: &[&str]| args.iter().skip(1).any(|arg| words.contains(&arg.raw.as_str()));
                if has(&["dotglob", "globdots", "dot_glob"]) && (name == "setopt" || has(&["-s"])) {
                    state.dot_names = true;
                }
                Some(true)
            }
            "hash" => {
                if let (Some("-p"), Some(file), Some(name)) =
                    (args.get(1).and_then(Arg::known), args.get(2), args.get(3))
                {
                    Rc::make_mut(&mut state.hashed).insert(name.raw.clone(), file.raw.clone());
                }
                Some(true)
            }
            "let" => {
                for arg in args.iter().skip(1) {
                    self.reads_number(&arg.value());
                    self.evaluate(&arg.raw, arg.word.span, state);
                }
                None
            }
            "test" | "[" => self.plain_test(args, state),
            "wait" => {
                if let Some(at) = args.iter().position(|arg| arg.raw == "-p")
                    && let Some(name) = args.get(at + 1)
                {
                    self.named_value(&name.raw, name.word.span, state);
                }
                None
            }
            "break" | "continue" | "return" | "exit" => {
                self.left |= name != "continue";
                self.departs(name, args.len() > 1, state);
                // With more than one word bash says so and goes on.
                let ends = name == "exit" && args.len() <= 2 && args.iter().all(|arg| arg.known().is_some());
                state.gone |= ends;
                Some(true)
            }
            "command" | "builtin" | "exec" if args.len() > 1 => {
                return self.inner_command(name, args, assigned, span, state);
            }
            "exec" => return Some(self.keep_redirections(args, assigned, span, state)),
            "complete" | "compgen" => return None,
            _ => return None,
        };
        let _ = lookup;
        let flow = self.describe_only(args, assigned, span, state);
        Some(Flow { status, ..flow })
    }

    fn describe_only(&mut self, args: &[Arg], assigned: &[Assigned], span: Span, state: &mut State) -> Flow {
        self.program_call(args, assigned, span, state)
    }

    fn shadows(&mut self, name: &str, span: Span) {
        if crate::programs::is_known(name) {
            self.find_at("shell.shadowed", format!("an alias takes the name of the program {name}"), span);
        }
    }

    /// `command x`, `builtin x`, `exec x`: the same shell goes on with `x`.
    fn inner_command(
        &mut self,
        name: &str,
        args: &[Arg],
        assigned: &[Assigned],
        span: Span,
        state: &mut State,
    ) -> Option<Flow> {
        let mut at = 1;
        while let Some(arg) = args.get(at) {
            match arg.raw.as_str() {
                "--" => {
                    at += 1;
                    break;
                }
                "-a" if name == "exec" => at += 2,
                option if is_option(option) => {
                    if name == "command" && option.contains(['v', 'V']) {
                        return None;
                    }
                    at += 1;
                }
                _ => break,
            }
        }
        let rest = args.get(at..).unwrap_or_default();
        if rest.is_empty() {
            return None;
        }
        if rest.first().is_some_and(|first| first.word.form == Form::Literal) && guard_tables(name) {
            self.via.push(name.to_owned());
            let flow = self.invoke(rest, assigned, &[], Lookup::NoFunctions, span, state);
            self.via.pop();
            return Some(flow);
        }
        None
    }

    /// `exec` with redirections only: they stay.
    fn keep_redirections(
        &mut self,
        args: &[Arg],
        assigned: &[Assigned],
        span: Span,
        state: &mut State,
    ) -> Flow {
        self.program_call(args, assigned, span, state)
    }

    fn set_options(&mut self, args: &[Arg], span: Span, state: &mut State) {
        let mut at = 1;
        let mut positional = None;
        while let Some(arg) = args.get(at) {
            match arg.raw.as_str() {
                "--" | "-" => {
                    positional = Some(at + 1);
                    break;
                }
                "-o" if args.get(at + 1).is_some_and(|arg| arg.raw == "xtrace") => {
                    state.trace = true;
                    at += 1;
                }
                sign @ ("-o" | "+o") => {
                    if args.get(at + 1).is_some_and(|arg| arg.raw == "errexit") {
                        state.ends_on_failure = sign == "-o";
                    }
                    state.keeps_files |= args.get(at + 1).is_some_and(|arg| arg.raw == "noclobber");
                    at += 1;
                }
                option if option.starts_with('-') && option.len() > 1 => {
                    state.trace |= option.contains('x');
                    state.ends_on_failure |= option.contains('e');
                    state.keeps_files |= option.contains('C');
                    // `set -euo pipefail`: the last letter takes the next word.
                    at += usize::from(option.ends_with('o'));
                }
                option if option.starts_with('+') => state.ends_on_failure &= !option.contains('e'),
                _ => {
                    positional = Some(at);
                    break;
                }
            }
            at += 1;
        }
        if let Some(from) = positional {
            let mut values = vec![Value::known("bash")];
            for arg in args.iter().skip(from) {
                values.push(arg.handed_over());
            }
            let split = args.iter().skip(from).any(|arg| arg.word.may_split);
            state.positional = if split { None } else { Some(Rc::new(values)) };
        }
        if state.trace {
            self.trace(span, state);
        }
    }

    /// Under `set -x` the shell expands `PS4` before each command.
    pub(crate) fn trace(&mut self, span: Span, state: &mut State) {
        if let Some(value) = self.scalar("PS4", state).filter(|value| value.text.contains(['$', '`'])) {
            let certainty = std::mem::replace(&mut state.certainty, Certainty::May);
            self.expanded_again(&value.text, span, state);
            state.certainty = certainty;
        }
    }

    fn get_options(&mut self, args: &[Arg], state: &mut State) {
        let Some(name) = args.get(2) else { return };
        let values: Option<Vec<Value>> = if args.len() > 3 {
            Some(args.iter().skip(3).map(Arg::value).collect())
        } else {
            state.positional.as_ref().map(|values| values.get(1..).unwrap_or_default().to_vec())
        };
        // Which option is met in which round isn't followed: each letter and argument may be.
        let mut letters = vec![Content::scalar("?")];
        let mut arguments = vec![Content::Unset];
        for value in values.iter().flatten() {
            if let Some(flags) = value.text.strip_prefix('-') {
                letters.extend(flags.chars().take(1).map(|flag| Content::scalar(&flag.to_string())));
                let attached: String = flags.chars().skip(1).collect();
                if !attached.is_empty() {
                    arguments.push(Content::scalar(&attached));
                }
            } else {
                arguments.push(Content::Scalar(value.clone()));
            }
        }
        if values.is_none() {
            letters.push(Content::Scalar(Value::unknown()));
            arguments.push(Content::Scalar(Value::unknown()));
        }
        let mut var = Var::holding(Content::Unset);
        var.may_hold = letters;
        state.set_var(&name.raw, var.clone());
        var.may_hold = arguments;
        state.set_var("OPTARG", var);
    }
}

/// Whether the words behind this builtin are looked up like a command here.
fn guard_tables(name: &str) -> bool {
    matches!(name, "command" | "builtin" | "exec")
}

pub(super) fn is_option(text: &str) -> bool {
    text.starts_with('-') && text.len() > 1
}
