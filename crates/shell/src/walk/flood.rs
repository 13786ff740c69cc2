//! Input that never ends, and what a command does with it.

use doorward_core::intent::{ReadIntent, Span};

use crate::deed::StdinRole;
use crate::machine::Machine;
use crate::programs::endless::{self, Endless, Flood};
use crate::state::State;
use crate::value::Arg;

impl Machine<'_> {
    /// Input that never ends, kept in memory or written to a file; what the command prints of it.
    pub(super) fn flood(
        &mut self,
        args: &[Arg],
        reads: &[ReadIntent],
        stdin: StdinRole,
        mark: Option<usize>,
        span: Span,
        state: &State,
    ) -> Option<Endless> {
        let words: Vec<&str> = args.iter().map(|arg| arg.word.text.as_str()).take(64).collect();
        // Random numbers that choose an order are taken as they are needed.
        let chooses = words.iter().any(|word| word.starts_with("--random-source"));
        let mut files = reads.iter().filter(|read| !read.metadata && !chooses).peekable();
        let input = if files.peek().is_some() {
            files.find_map(|read| endless::device(&read.path.text))
        } else {
            state.stdin.endless.filter(|_| stdin != StdinRole::Ignored)
        };
        let Flood { keeps, writes, prints } = endless::flood(&words, input);
        if keeps {
            self.find_at("shell.resource", "fills the memory with input that never ends", span);
        }
        if writes {
            self.find_at("shell.resource", "writes to a file without end", span);
        }
        if (keeps || writes)
            && let Some(command) = mark.and_then(|mark| self.intent.commands.get_mut(mark))
        {
            // No rule for the program means this.
            command.read_only = false;
            command.plain = false;
        }
        prints
    }
}
