//! The visible part of a secret, and its fingerprint.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// The mask, of fixed length.
pub const MASK: &str = "****";

/// Bytes of a secret that may be shown: at most four, at most a quarter, and whole characters.
#[must_use]
pub fn shown(secret: &[u8]) -> usize {
    let mut count = (secret.len() / 4).min(4);
    while count > 0 && !secret.get(..count).is_some_and(|head| head.is_ascii()) {
        count -= 1;
    }
    count
}

/// `ghp_****`.
#[must_use]
pub fn masked(secret: &[u8]) -> String {
    let head = secret.get(..shown(secret)).unwrap_or_default();
    let mut out = String::from_utf8_lossy(head).into_owned();
    out.push_str(MASK);
    out
}

/// This installation's key, without which fingerprints can't be matched to guessed secrets.
#[derive(Clone)]
pub struct FingerprintKey([u8; 32]);

impl FingerprintKey {
    /// A key from bytes stored elsewhere (a file of mode 0600, never the baseline).
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// A new random key.
    ///
    /// # Errors
    /// If the system provides no randomness.
    pub fn generate() -> std::io::Result<Self> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        Ok(Self(bytes))
    }

    /// A key for the lifetime of this process: equal secrets have equal fingerprints in its reports.
    pub(crate) fn of_this_process() -> Option<&'static Self> {
        static KEY: std::sync::OnceLock<Option<FingerprintKey>> = std::sync::OnceLock::new();
        KEY.get_or_init(|| Self::generate().ok()).as_ref()
    }

    /// The key stored in `path`; created there, readable by its owner only, if the file doesn't exist.
    ///
    /// # Errors
    /// If the file can't be read or created, or doesn't contain 32 bytes.
    pub fn load_or_create(path: &std::path::Path) -> std::io::Result<Self> {
        use std::io::Write as _;
        match std::fs::read(path) {
            Ok(bytes) => bytes
                .try_into()
                .map(Self)
                .map_err(|_| std::io::Error::new(std::io::ErrorKind::InvalidData, "not a fingerprint key")),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let key = Self::generate()?;
                let mut options = std::fs::OpenOptions::new();
                options.write(true).create_new(true);
                #[cfg(unix)]
                std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
                options.open(path)?.write_all(&key.0)?;
                Ok(key)
            }
            Err(error) => Err(error),
        }
    }

    /// First 16 hex digits of HMAC-SHA-256 over type, NUL and secret.
    #[must_use]
    pub fn fingerprint(&self, slug: &str, secret: &[u8]) -> String {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { return String::new() };
        mac.update(slug.as_bytes());
        mac.update(&[0]);
        mac.update(secret);
        mac.finalize().into_bytes().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }
}

impl std::fmt::Debug for FingerprintKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("FingerprintKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_more_than_four_never_more_than_a_quarter() {
        for (secret, text) in
            [("ghp_0123456789abcdef", "ghp_****"), ("hunter22", "hu****"), ("abc", "****"), ("ééééé", "****")]
        {
            assert_eq!(masked(secret.as_bytes()), text);
        }
    }

    #[test]
    fn fingerprints_depend_on_key_type_and_secret() {
        let key = FingerprintKey::from_bytes([7; 32]);
        let one = key.fingerprint("password", b"x");
        assert_eq!(one.len(), 16);
        assert_ne!(one, key.fingerprint("jwt", b"x"));
        assert_ne!(one, key.fingerprint("password", b"y"));
        assert_ne!(one, FingerprintKey::from_bytes([8; 32]).fingerprint("password", b"x"));
    }
}
