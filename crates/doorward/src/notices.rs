//! Calls that rules want told (`notify`): from the gate to whoever sends, which is the service.

use std::sync::{Mutex, PoisonError};

use doorward_gate::{Notice, Notices};
use tokio::sync::mpsc;

/// Notices that wait to be sent; beyond that the newest is dropped, and that is logged.
const MOST_WAITING: usize = 1_024;

/// Who is reached, and the way to whoever sends.
#[derive(Debug, Default)]
pub struct NoticeBoard {
    sender: Mutex<Option<mpsc::Sender<Notice>>>,
}

impl NoticeBoard {
    /// Whoever calls this sends from now on. Before, and after the receiver is gone, nobody is reached.
    pub fn listen(&self) -> mpsc::Receiver<Notice> {
        let (sender, receiver) = mpsc::channel(MOST_WAITING);
        *self.sender.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
        receiver
    }

    fn sender(&self) -> Option<mpsc::Sender<Notice>> {
        let sender = self.sender.lock().unwrap_or_else(PoisonError::into_inner);
        sender.clone().filter(|sender| !sender.is_closed())
    }
}

/// The board as the gate of one project sees it: with the names that its settings give to webhooks.
pub(crate) struct NamedNotices {
    pub(crate) board: std::sync::Arc<NoticeBoard>,
    pub(crate) names: Vec<String>,
}

impl Notices for NamedNotices {
    fn reaches(&self, to: &str) -> bool {
        self.board.sender().is_some_and(|sender| sender.capacity() > 0)
            && self.names.iter().any(|name| name == to)
    }

    fn tell(&self, notice: Notice) {
        let told = self.board.sender().is_some_and(|sender| sender.try_send(notice).is_ok());
        if !told {
            tracing::error!("a notice could not be handed to whoever sends it");
        }
    }
}
