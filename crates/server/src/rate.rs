//! A limit on tries in a minute.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Windows of a minute by key.
#[derive(Debug, Default)]
pub(crate) struct Rates {
    windows: Mutex<HashMap<String, (Instant, u32)>>,
}

/// Keys remembered; the oldest windows go first.
const MOST_KEYS: usize = 4_096;

impl Rates {
    /// Counts one for a key; `false` if it is one too many.
    pub(crate) fn take(&self, key: &str, most: u32) -> bool {
        let now = Instant::now();
        let minute = Duration::from_secs(60);
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() >= MOST_KEYS {
            windows.retain(|_, (since, _)| now.duration_since(*since) <= minute);
        }
        let window = windows.entry(key.to_owned()).or_insert((now, 0));
        if now.duration_since(window.0) > minute {
            *window = (now, 0);
        }
        window.1 = window.1.saturating_add(1);
        window.1 <= most
    }
}

#[cfg(test)]
mod tests {
    use super::Rates;

    #[test]
    fn one_key_does_not_spend_anothers() {
        let rates = Rates::default();
        assert_eq!([rates.take("a", 1), rates.take("a", 1), rates.take("b", 1)], [true, false, true]);
    }
}
