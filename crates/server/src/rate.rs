//! A limit on tries in a minute.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// At most so many in a window of a minute.
#[derive(Debug)]
pub(crate) struct Rate {
    most: u32,
    window: Mutex<(Instant, u32)>,
}

impl Rate {
    pub(crate) fn new(most: u32) -> Self {
        Self { most, window: Mutex::new((Instant::now(), 0)) }
    }

    /// Counts one; `false` if it is one too many.
    pub(crate) fn take(&self) -> bool {
        let mut window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        if window.0.elapsed() > Duration::from_secs(60) {
            *window = (Instant::now(), 0);
        }
        window.1 = window.1.saturating_add(1);
        window.1 <= self.most
    }
}

#[cfg(test)]
mod tests {
    use super::Rate;

    #[test]
    fn one_too_many_is_refused() {
        let rate = Rate::new(2);
        assert_eq!([rate.take(), rate.take(), rate.take()], [true, true, false]);
    }
}
