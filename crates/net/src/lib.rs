//! Addresses, URLs and hosts: SSRF verdicts, a guarded client, an egress proxy.
//!
//! The core is pure and small: [`Guard`] judges URL text ([`Guard::judge_url`]), then the addresses a name resolved
//! to ([`Cleared::check`]). The result, [`Dialable`], is the only thing that is dialled. Tool arguments, the client
//! and the proxy all use the same functions.
//!
//! ```
//! use doorward_net::Guard;
//!
//! let guard = Guard::default();
//! assert!(guard.judge_url("https://example.com/").is_ok());
//! for (url, code) in [
//!     ("http://127.0.0.1/", "address_denied:loopback"),
//!     ("http://0x7f.1/", "ambiguous_literal"),
//!     ("http://[::ffff:169.254.169.254]/", "address_denied:metadata"),
//!     ("http://metadata.google.internal/", "name_denied"),
//!     ("https://example.com:6379/", "port_denied"),
//! ] {
//!     assert_eq!(guard.judge_url(url).unwrap_err().public_code(), code);
//! }
//! ```

/// A list of texts, as many a line as fit.
macro_rules! words {
    ($($word:literal)*) => {
        &[$($word),*]
    };
}

pub mod address;
pub mod advice;
pub mod batch;
#[cfg(feature = "client")]
pub mod client;
mod code;
pub mod config;
#[cfg(feature = "client")]
pub mod connect;
pub mod egress;
pub mod guard;
pub mod literal;
#[cfg(feature = "client")]
pub mod live;
pub mod names;
#[cfg(feature = "proxy")]
pub mod proxy;
pub mod redirect;
#[cfg(feature = "client")]
pub mod resolve;
pub mod target;
#[cfg(feature = "client")]
pub mod tls;
#[cfg(feature = "client")]
pub mod unix;

pub use address::{AddressClass, judge_address};
pub use advice::{HostVerdict, judge_host, judge_url};
pub use batch::batch_line;
#[cfg(feature = "client")]
pub use client::{ClientLimits, FetchError, FetchRequest, FetchResponse, GuardedClient};
pub use code::{Code, Refusal};
pub use config::{ConfigError, GuardConfig};
pub use guard::{Cleared, Dialable, Guard};
#[cfg(feature = "client")]
pub use live::LiveGuard;
#[cfg(feature = "client")]
pub use resolve::{Resolver, SystemResolver};
pub use target::{Host, Scheme, Target};
#[cfg(feature = "client")]
pub use tls::Tls;
