//! The guard in force: replaced as a whole on reload, and updated with this machine's own addresses.
//!
//! If a reload doesn't parse, the previous guard stays in force; if the first configuration doesn't parse,
//! everything is denied. Interface addresses are read from the kernel's tables and refreshed during use.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;

use crate::config::{ConfigError, GuardConfig};
use crate::guard::Guard;

const REFRESH: Duration = Duration::from_secs(5);

/// A guard that can be replaced while it is used.
#[derive(Debug)]
pub struct LiveGuard {
    current: ArcSwap<Guard>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    refreshed: Instant,
    listeners: Vec<SocketAddr>,
}

impl LiveGuard {
    /// Starts with a compiled guard.
    #[must_use]
    pub fn new(guard: Guard) -> Self {
        let guard = guard.with_own_addresses(own_addresses());
        let state = State { refreshed: Instant::now(), listeners: vec![] };
        Self { current: ArcSwap::from_pointee(guard), state: Mutex::new(state) }
    }

    /// Starts with a configuration; if it doesn't parse, everything is denied.
    #[must_use]
    pub fn from_config(config: GuardConfig) -> Self {
        Self::new(Guard::new(config).unwrap_or_else(Guard::closed))
    }

    /// The guard in force.
    #[must_use]
    pub fn load(&self) -> Arc<Guard> {
        if let Ok(mut state) = self.state.try_lock()
            && state.refreshed.elapsed() > REFRESH
        {
            state.refreshed = Instant::now();
            let guard = Guard::clone(&self.current.load()).with_own_addresses(own_addresses());
            self.current.store(Arc::new(guard));
        }
        self.current.load_full()
    }

    /// Replaces the configuration. If the new one doesn't parse, the previous one stays in force.
    pub fn replace(&self, config: GuardConfig) -> Result<(), ConfigError> {
        let guard = Guard::new(config)?.with_own_addresses(own_addresses());
        self.under_lock(|state| {
            self.current.store(Arc::new(guard.with_listeners(state.listeners.clone())));
        });
        Ok(())
    }

    /// Always denies a socket: one of our own listeners.
    pub fn close_listener(&self, listener: SocketAddr) {
        self.under_lock(|state| {
            state.listeners.push(listener);
            let guard = Guard::clone(&self.current.load()).with_listeners(state.listeners.clone());
            self.current.store(Arc::new(guard));
        });
    }

    fn under_lock(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        change(&mut state);
    }
}

/// The addresses of this machine's interfaces, from the kernel's routing tables. Empty if these can't be read; the
/// block tables still apply.
#[must_use]
pub fn own_addresses() -> Vec<IpAddr> {
    let v4 = std::fs::read_to_string("/proc/net/fib_trie").unwrap_or_default();
    let v6 = std::fs::read_to_string("/proc/net/if_inet6").unwrap_or_default();
    local_v4(&v4).chain(local_v6(&v6)).collect()
}

/// `|-- 192.0.2.1` followed by `/32 host LOCAL`.
fn local_v4(trie: &str) -> impl Iterator<Item = IpAddr> {
    let mut last = None;
    let found = trie.lines().filter_map(move |line| {
        let line = line.trim();
        if let Some(address) = line.strip_prefix("|-- ") {
            last = address.parse::<IpAddr>().ok();
            None
        } else {
            line.starts_with("/32 host LOCAL").then_some(last).flatten()
        }
    });
    found.collect::<std::collections::BTreeSet<_>>().into_iter()
}

/// 32 hex digits at the start of each line.
fn local_v6(table: &str) -> impl Iterator<Item = IpAddr> {
    table.lines().filter_map(|line| {
        let bits = u128::from_str_radix(line.get(..32)?, 16).ok()?;
        Some(IpAddr::V6(bits.into()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernel_tables() {
        let trie = "Local:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 0.0.0.0\n        /0 universe UNICAST\n     \
                    |-- 198.51.100.7\n        /32 host LOCAL\n     |-- 198.51.100.255\n        /32 link BROADCAST\n";
        assert_eq!(local_v4(trie).collect::<Vec<_>>(), vec!["198.51.100.7".parse::<IpAddr>().unwrap()]);
        let table = "00000000000000000000000000000001 01 80 10 80       lo\n";
        assert_eq!(local_v6(table).collect::<Vec<_>>(), vec!["::1".parse::<IpAddr>().unwrap()]);
    }

    #[test]
    fn a_broken_reload_keeps_what_was() {
        let broken = || GuardConfig { allowed_hosts: vec!["*.com".into()], ..GuardConfig::default() };
        let live = LiveGuard::from_config(GuardConfig::default());
        assert!(live.replace(broken()).is_err());
        assert!(live.load().judge_url("https://example.com/").is_ok());
        assert!(LiveGuard::from_config(broken()).load().judge_url("https://example.com/").is_err());
    }
}
