//! PowerShell (7.4 and Windows PowerShell 5.1): read by its grammar, evaluated as far as its text decides, and
//! judged cmdlet by cmdlet from a table.
//!
//! [`describe`] runs nothing and opens nothing. Values that the text fixes are computed; what it doesn't fix is
//! unknown. A command whose name can't be computed, or only by putting it together, is `shell.obfuscated`; text that
//! can't be read is UNKNOWN with its place. External programs go to the tables of programs.

mod ast;
mod bound;
mod cmdlets;
mod commands;
mod dotnet;
mod eval;
mod follow;
mod functions;
mod members;
mod native;
mod operators;
mod places;
mod read;
mod roles;
mod scope;
mod value;

use doorward_core::intent::{Span, Unknown};

use super::CodeEffects;
use eval::Runner;

/// How deep the evaluation may nest on the caller's own stack.
const SHALLOW: u32 = 24;
/// Stack for texts that nest deeper.
const STACK: usize = 256 << 20;

/// What the statements do.
pub(super) fn describe(effects: &mut CodeEffects, text: &str, home: Option<&str>) {
    let mut shallow = effects.alike();
    if attempt(&mut shallow, text, home, SHALLOW) {
        effects.absorb(shallow);
        return;
    }
    let deep = std::thread::scope(|scope| {
        let mut deep = effects.alike();
        let builder = std::thread::Builder::new().name("powershell".to_owned()).stack_size(STACK);
        let thread = builder.spawn_scoped(scope, move || {
            attempt(&mut deep, text, home, read::DEEPEST);
            deep
        });
        thread.ok().and_then(|thread| thread.join().ok())
    });
    match deep {
        Some(deep) => effects.absorb(deep),
        None => effects.not_understood("shell.too_deep", "no stack for nesting this deep"),
    }
}

/// False if it takes more stack than `deepest` allows.
fn attempt(effects: &mut CodeEffects, text: &str, home: Option<&str>, deepest: u32) -> bool {
    let mut runner = Runner::new(effects, text, home.map(str::to_owned), deepest);
    runner.program(text);
    let finished = !runner.needs_stack || deepest >= read::DEEPEST;
    if runner.needs_stack && finished {
        effects.not_understood("shell.too_deep", "nested deeper than is analysed");
    }
    finished
}

impl CodeEffects {
    /// An empty one for the same text.
    pub(super) fn alike(&self) -> Self {
        Self {
            deeds: crate::deed::Deeds { known: true, ..crate::deed::Deeds::default() },
            span: self.span,
            language: self.language.clone(),
            effect_free: false,
            only_reads: false,
        }
    }

    /// Takes over what another one collected.
    pub(super) fn absorb(&mut self, other: Self) {
        let deeds = other.deeds;
        self.effect_free = other.effect_free;
        self.only_reads = other.only_reads;
        self.deeds.reads.extend(deeds.reads);
        self.deeds.writes.extend(deeds.writes);
        self.deeds.deletes.extend(deeds.deletes);
        self.deeds.hosts.extend(deeds.hosts);
        self.deeds.env_reads.extend(deeds.env_reads);
        self.deeds.privilege.extend(deeds.privilege);
        self.deeds.unknown.extend(deeds.unknown);
        self.deeds.findings.extend(deeds.findings);
        self.deeds.runs.extend(deeds.runs);
    }

    /// Notes that the text wasn't understood.
    pub(super) fn not_understood(&mut self, code: &str, reason: &str) {
        let span = self.span;
        self.not_understood_at(code, reason, span);
    }

    pub(super) fn not_understood_at(&mut self, code: &str, reason: &str, span: Span) {
        let unknown = Unknown { code: code.to_owned(), reason: reason.to_owned(), span };
        if !self.deeds.unknown.contains(&unknown) {
            self.deeds.unknown.push(unknown);
        }
    }
}

#[cfg(test)]
mod tests;
