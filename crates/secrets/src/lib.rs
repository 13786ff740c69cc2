//! Finds secrets in text and removes them.
//!
//! [`Detector`] finds credentials in text: by the formats of providers ([`rules`]), by checksum and structure, by
//! the name before them, under layers of encoding. [`Redactor`] removes them from a stream and never lets an extra
//! byte through, however the stream is cut. [`scan`] scans files, staged changes and history and reports. This
//! crate prints, logs or stores at most the first four characters of a secret, and never more than a quarter.
//!
//! ```
//! use doorward_secrets::{Detector, redact_text};
//!
//! let text = format!("export DATABASE_URL=postgres://app:{}@db.corp.net/app", ["s3cr3t", "pw"].concat());
//! let hits = Detector::shared().find(&text);
//! assert_eq!(hits[0].slug, "db-uri");
//! assert_eq!(redact_text(&text), "export DATABASE_URL=postgres://app:s3****@db.corp.net/app");
//! ```

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod assign;
mod charset;
mod checksum;
mod connection;
mod custom;
mod decode;
mod detect;
mod disguise;
mod entropy;
mod events;
mod known;
mod mask;
mod name;
mod pem;
mod redact;
pub mod rules;
pub mod scan;
mod shape;
mod sieve;
mod structure;
mod uri;
mod value;

pub use assign::Style;
pub use checksum::Check;
pub use custom::{CustomRule, CustomRuleError};
pub use detect::{Confidence, Detector, Hit, Mask, Search};
pub use events::EventRedactor;
pub use known::KnownValues;
pub use mask::{FingerprintKey, MASK, masked, shown};
pub use redact::{Redactor, redact_text, redact_value};
pub use rules::{Rule, credential_for};
pub use scan::{Finding, batch_line};
