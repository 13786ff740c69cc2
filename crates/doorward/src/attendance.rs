//! Whether somebody is there to answer a question soon, and where they answer it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use doorward_core::id::QuestionId;

/// A list of questions is asked for again at least this often while somebody looks at it.
const LOOKING: Duration = Duration::from_secs(10);

/// Consoles and lists of questions that are open.
#[derive(Debug, Default)]
pub struct Attendance {
    open: AtomicUsize,
    looked: Mutex<Option<Instant>>,
    console: Mutex<Option<String>>,
    port_note: Mutex<Option<String>>,
}

/// A console that is open. It counts until it is dropped.
#[derive(Debug)]
pub struct Watching(Arc<Attendance>);

impl Attendance {
    /// A console opened its stream of events.
    #[must_use]
    pub fn watch(self: &Arc<Self>) -> Watching {
        self.open.fetch_add(1, Ordering::Relaxed);
        Watching(Arc::clone(self))
    }

    /// Somebody asked for the list of open questions.
    pub fn looked(&self) {
        *lock(&self.looked) = Some(Instant::now());
    }

    /// The console is served at this address, `http://127.0.0.1:7717`.
    pub fn console_at(&self, address: String) {
        *lock(&self.console) = Some(address);
    }

    /// Where the console is served.
    #[must_use]
    pub fn console(&self) -> Option<String> {
        lock(&self.console).clone()
    }

    /// Why the console isn't where the settings say, or isn't served at all. Hooks don't need it.
    pub fn port_differs(&self, why: String) {
        *lock(&self.port_note) = Some(why);
    }

    /// What was told by [`Attendance::port_differs`].
    #[must_use]
    pub fn port_note(&self) -> Option<String> {
        lock(&self.port_note).clone()
    }

    /// Whether a console or a list of questions is open.
    #[must_use]
    pub fn is_somebody_there(&self) -> bool {
        self.open.load(Ordering::Relaxed) > 0
            || lock(&self.looked).is_some_and(|looked| looked.elapsed() < LOOKING)
    }

    /// The page of a question in the console, where there is one.
    #[must_use]
    pub fn page_of(&self, ask: &QuestionId) -> Option<String> {
        lock(&self.console).as_ref().map(|console| format!("{console}/#approval={ask}"))
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // A plain value is whole after any panic.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn somebody_is_there_while_something_is_open() {
        let attendance = Arc::<Attendance>::default();
        assert!(!attendance.is_somebody_there());
        let console = attendance.watch();
        assert!(attendance.is_somebody_there());
        drop(console);
        assert!(!attendance.is_somebody_there());
        attendance.looked();
        assert!(attendance.is_somebody_there());
        assert_eq!(attendance.page_of(&"a".into()), None);
        attendance.console_at("http://127.0.0.1:7717".to_owned());
        assert_eq!(attendance.page_of(&"a".into()).unwrap(), "http://127.0.0.1:7717/#approval=a");
    }
}
