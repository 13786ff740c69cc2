//! Yeses that a client's own dialog gave, for calls that Doorward then runs itself.
//!
//! They settle what the client was asked about and nothing beyond: single use, bound like every other grant.

use std::sync::{Arc, Mutex, PoisonError};

use doorward_core::Boxed;
use doorward_core::approval::{Answer, Approver, Ask, Binding, Grant};
use doorward_core::finding::Severity;
use doorward_core::id::QuestionId;
use jiff::Timestamp;

use crate::attendance::Attendance;

/// People, with the yeses of clients' dialogs in front of them.
pub(crate) struct Dialogs {
    people: Arc<dyn Approver>,
    attendance: Arc<Attendance>,
    yes: Mutex<Vec<Grant>>,
}

impl Dialogs {
    pub(crate) fn over(people: Arc<dyn Approver>) -> Arc<Self> {
        Arc::new(Self { people, attendance: Arc::default(), yes: Mutex::default() })
    }

    /// Whether somebody is there to answer.
    pub(crate) const fn attendance(&self) -> &Arc<Attendance> {
        &self.attendance
    }

    /// The dialog was answered with yes.
    pub(crate) fn say_yes(&self, grant: Grant) {
        self.yes.lock().unwrap_or_else(PoisonError::into_inner).push(grant);
    }

    fn take(&self, binding: &Binding, now: Timestamp) -> Option<Grant> {
        let mut yes = self.yes.lock().unwrap_or_else(PoisonError::into_inner);
        yes.retain(|grant| now < grant.expires);
        let at = yes.iter().position(|grant| grant.mismatch(binding, now).is_none())?;
        Some(yes.swap_remove(at))
    }
}

impl Approver for Dialogs {
    fn ask<'a>(&'a self, ask: &'a Ask) -> Boxed<'a, Result<(), String>> {
        self.people.ask(ask)
    }

    fn wait<'a>(&'a self, id: &'a QuestionId, deadline: Timestamp) -> Boxed<'a, Answer> {
        self.people.wait(id, deadline)
    }

    fn redeem<'a>(
        &'a self,
        binding: &'a Binding,
        severity: Severity,
        now: Timestamp,
    ) -> Boxed<'a, Option<Grant>> {
        match self.take(binding, now) {
            Some(grant) => Box::pin(std::future::ready(Some(grant))),
            None => self.people.redeem(binding, severity, now),
        }
    }
}
