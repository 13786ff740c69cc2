//! `break`, `continue` and `return`: what stands behind them may not run, so the state in which they leave a loop or a
//! function is one of those that what follows may start in.

use super::Flow;
use crate::machine::Machine;
use crate::state::State;

/// States that are kept apart; more are joined.
const MOST: usize = 16;

impl Machine<'_> {
    /// Keeps the state in which one of these builtins leaves; `several`: it is told how many loops.
    pub(super) fn departs(&mut self, builtin: &str, several: bool, state: &State) {
        match builtin {
            "exit" => {}
            "return" => keep(&mut self.left_function, state),
            _ => {
                self.leaves_several |= several;
                keep(&mut self.left_loops, state);
            }
        }
    }

    /// Walks a loop; after it any state may hold in which it was left.
    pub(super) fn looping(
        &mut self,
        state: &mut State,
        walk: impl FnOnce(&mut Self, &mut State) -> Flow,
    ) -> Flow {
        let outer = std::mem::take(&mut self.left_loops);
        let flow = walk(self, state);
        self.next_round(state);
        let left = std::mem::replace(&mut self.left_loops, outer);
        if self.leaves_several {
            left.iter().for_each(|left| keep(&mut self.left_loops, left));
        }
        flow
    }

    /// Another round may begin where `continue` left one.
    pub(super) fn next_round(&mut self, state: &mut State) {
        for left in self.left_loops.clone() {
            self.join(state, &left);
        }
    }

    /// Walks what `return` leaves: a function or a sourced file.
    pub(super) fn returning(
        &mut self,
        state: &mut State,
        walk: impl FnOnce(&mut Self, &mut State) -> Flow,
    ) -> Flow {
        let outer = std::mem::take(&mut self.left_function);
        let flow = walk(self, state);
        for left in std::mem::replace(&mut self.left_function, outer) {
            self.join(state, &left);
        }
        flow
    }
}

fn keep(left: &mut Vec<State>, state: &State) {
    if left.len() < MOST {
        left.push(state.clone());
    } else if let Some(last) = left.last_mut() {
        last.join(state);
    }
}
