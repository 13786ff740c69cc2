//! Editing a question: other arguments for a call that waits, judged anew as a call of its own.
//!
//! A yes is to exactly what was judged, so arguments are never changed under a question. The edited call goes through
//! the gate from the start, with its own record, effects and digest; where that ends in a question, a person answers
//! it as any other, and their yes fits the edited call and no other. The agent is told to make that call.

use std::sync::Arc;

use doorward_core::call::Prompt;
use doorward_core::id::{CallId, DecisionId};
use doorward_core::json::{Object, Value};
use doorward_gate::Admission;
use doorward_settings::OnNoMatch;

use crate::Door;
use crate::project::Project;
use crate::saved_rules::Asked;

/// Why arguments can't be edited.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// What the call was isn't recorded any more.
    #[error("what this call is isn't recorded any more, so it can't be judged with other arguments")]
    Lost,
    /// They are the same.
    #[error("these are the arguments it has")]
    Same,
    /// They hold what stands for a secret: the call that would be judged isn't the one that would be made.
    #[error(
        "a secret isn't shown, so arguments that hold one can't be edited here: refuse, and say what to change"
    )]
    Secret,
    /// They are too long to be shown whole: what was edited is only a part of them.
    #[error(
        "these arguments are too long to be shown whole, so they can't be edited here: refuse, and say what to change"
    )]
    Shortened,
}

impl EditError {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Lost => "edit.lost",
            Self::Same => "edit.same",
            Self::Secret => "edit.secret",
            Self::Shortened => "edit.shortened",
        }
    }
}

impl Door {
    /// Takes the call of a question through the gate again, with other arguments.
    ///
    /// # Errors
    /// [`EditError`]; nothing was judged then.
    pub async fn edited(
        self: &Arc<Self>,
        decision: &DecisionId,
        args: Object,
    ) -> Result<Admission, EditError> {
        let (door, decision) = (Arc::clone(self), decision.to_owned());
        let asked = tokio::task::spawn_blocking(move || door.asked(&decision)).await.ok().flatten();
        let asked = asked.ok_or(EditError::Lost)?;
        let known = &asked.inspected().call;
        let (mut secret, mut shortened) = (false, false);
        Value::Object(args.clone()).for_each_string(&mut |text| {
            secret |= text.contains("[secret:") || text.contains(doorward_secrets::MASK);
            shortened |= text.contains(doorward_store::NOT_SHOWN);
        });
        if secret {
            return Err(EditError::Secret);
        }
        if shortened {
            return Err(EditError::Shortened);
        }
        if Value::Object(args.clone()).digest() == asked.inspected().args_digest {
            return Err(EditError::Same);
        }
        let mut call = known.clone();
        (call.id, call.args) = (CallId::fresh(), args);
        (call.prompt, call.deadline) = (Prompt::Queue, None);
        Ok(self.judging(&asked).admit(call).await)
    }

    /// The rooms that judged a question.
    fn judging(&self, asked: &Asked) -> Arc<Project> {
        let bundle = &asked.record().policy.bundle;
        let root = asked.inspected().call.project().map(std::path::Path::new);
        let places = [
            (root, OnNoMatch::Mode),
            (None, OnNoMatch::Mode),
            (None, OnNoMatch::Deny),
            (root, OnNoMatch::Deny),
        ];
        let mut known = places.into_iter().map(|(root, on_no_match)| self.project_for(root, on_no_match));
        // Where the policies changed since, the strictest.
        known
            .find(|project| project.bundle() == *bundle)
            .unwrap_or_else(|| self.project_for(root, OnNoMatch::Deny))
    }
}
