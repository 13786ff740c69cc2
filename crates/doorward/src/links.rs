//! How a person gets from a denial to the answer: a short name to type, and a link that signs a browser in for this
//! one question.
//!
//! The agent reads the link too. It proves nobody: whoever holds it is where any process of this user is, so a HIGH
//! call still takes the passphrase and a grave one the typed phrase. It works once, for minutes, for this question.

use std::time::Duration;

use doorward_core::approval::Ask;
use doorward_core::id::QuestionId;
use doorward_store::{Role, Store, StoreError, TokenLabel};
use jiff::{SignedDuration, Timestamp};

use crate::{Door, served};

/// How long a link waits to be opened.
const LINK: SignedDuration = SignedDuration::from_mins(10);
/// A store that takes longer than this makes no link: the call isn't held up for it.
const SOON: Duration = Duration::from_secs(1);
/// Letters of a short name.
const LETTERS: usize = 4;

/// What a denial says of how to answer.
#[derive(Debug)]
pub(crate) struct Ways {
    /// What `doorward approve` takes.
    pub(crate) short: String,
    /// The question in the console.
    pub(crate) page: Option<String>,
}

impl Ways {
    pub(crate) async fn of(door: &Door, ask: &Ask) -> Self {
        let attendance = door.approvals().attendance();
        let mut page = attendance.page_of(&ask.id);
        if let (Some(console), Some(broker)) = (attendance.console(), door.approvals().broker()) {
            let store = broker.store();
            match store.promptly(SOON, code(store, ask)).await {
                Ok(Some(code)) => page = Some(format!("{console}/#login={code}&approval={}", ask.id)),
                Ok(None) => {}
                Err(error) => tracing::warn!("no link for question {}: {error}", ask.id),
            }
        }
        Self { short: short(&ask.id), page }
    }
}

/// The end of a question's id, by which people name it.
pub(crate) fn short(id: &QuestionId) -> String {
    let id = id.as_str();
    id.len().checked_sub(LETTERS).and_then(|at| id.get(at..)).unwrap_or(id).to_owned()
}

/// A code for the account of the user whose agent asks. None where that user may not answer, or is only the agent.
async fn code(store: &Store, ask: &Ask) -> Result<Option<String>, StoreError> {
    let name = &ask.binding.caller;
    let accounts = store.accounts().await?;
    match accounts.iter().find(|account| account.name == *name) {
        Some(account) if account.disabled || account.role < Role::Approver => return Ok(None),
        Some(_) => {}
        None if store.is_shared() || served::is_another() => return Ok(None),
        None if *name != served::name_of(served::own_uid()) => return Ok(None),
        None => store.put_account(name, Role::Admin, &[]).await?,
    }
    let until = Timestamp::now().checked_add(LINK).unwrap_or(Timestamp::MAX);
    let label = TokenLabel::LoginFor(ask.id.clone()).word();
    Ok(Some(store.new_token(name, &label, until, Some(1)).await?.secret))
}
