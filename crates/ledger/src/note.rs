//! Checkpoints: C2SP signed notes, with Ed25519 keys named by the log's origin.
//!
//! Parsing is strict: exactly three lines of text, no control characters, decimal size without leading zero,
//! canonical base64, at most 64 KiB. Signatures by unknown keys are ignored, as the specification requires. A note is
//! refused if a known key's signature is wrong or no known key signed it.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest as _, Sha256};

use crate::tree::Hash;

/// Longest accepted note.
pub const MAX_NOTE: usize = 64 * 1024;

const DASH: &str = "\u{2014} ";
const ED25519: u8 = 1;

/// Why a note was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoteError {
    /// Not a well-formed checkpoint.
    #[error("ledger.checkpoint_malformed: {0}")]
    Malformed(&'static str),
    /// Not signed by a known key.
    #[error("ledger.unknown_key: no signature by a known key")]
    UnknownKey,
    /// A known key's signature is wrong.
    #[error("ledger.signature: signature doesn't verify")]
    Signature,
    /// A checkpoint of another log.
    #[error("ledger.origin: checkpoint of another log")]
    Origin,
}

impl NoteError {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Malformed(_) => "ledger.checkpoint_malformed",
            Self::UnknownKey => "ledger.unknown_key",
            Self::Signature => "ledger.signature",
            Self::Origin => "ledger.origin",
        }
    }
}

/// Whether a text is a valid log name: not empty, no white space, no plus, no control characters.
#[must_use]
pub fn valid_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 255
        && !name.chars().any(|ch| ch.is_whitespace() || ch.is_control() || ch == '+')
}

/// Signs checkpoints. Holds the log's only secret, which is never shown, not even by `Debug`.
pub struct Key {
    name: String,
    secret: SigningKey,
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Key").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Key {
    /// From a seed.
    #[must_use]
    pub fn from_seed(name: &str, seed: &[u8; 32]) -> Self {
        Self { name: name.to_owned(), secret: SigningKey::from_bytes(seed) }
    }

    /// The public half.
    #[must_use]
    pub fn verifier(&self) -> VerifierKey {
        VerifierKey::new(&self.name, self.secret.verifying_key())
    }

    /// A signed checkpoint of a tree.
    #[must_use]
    pub fn sign(&self, size: u64, root: &Hash) -> String {
        let text = text_of(&self.name, size, root);
        let mut blob = self.verifier().id.to_vec();
        blob.extend_from_slice(&self.secret.sign(text.as_bytes()).to_bytes());
        format!("{text}\n{DASH}{} {}\n", self.name, BASE64_STANDARD.encode(blob))
    }
}

/// Prefix of every sealed text. No checkpoint begins like this, since its second line is a number.
const SEALED: &str = "doorward.sealed\n";

impl Key {
    /// A signature for a text that isn't a checkpoint, so that data stored outside the log can be recognised.
    #[must_use]
    pub fn seal(&self, text: &str) -> String {
        BASE64_STANDARD.encode(self.secret.sign(format!("{SEALED}{text}").as_bytes()).to_bytes())
    }
}

impl VerifierKey {
    /// Whether this key made the seal for this text.
    #[must_use]
    pub fn knows_seal(&self, text: &str, seal: &str) -> bool {
        let signature = BASE64_STANDARD.decode(seal).ok().and_then(|bytes| <[u8; 64]>::try_from(bytes).ok());
        signature.is_some_and(|signature| self.verify(format!("{SEALED}{text}").as_bytes(), &signature))
    }
}

/// Verifies checkpoints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifierKey {
    name: String,
    id: [u8; 4],
    public: VerifyingKey,
}

impl VerifierKey {
    fn new(name: &str, public: VerifyingKey) -> Self {
        let hash: Hash = Sha256::new_with_prefix(name.as_bytes())
            .chain_update([b'\n', ED25519])
            .chain_update(public.as_bytes())
            .finalize()
            .into();
        let [a, b, c, d, ..] = hash;
        Self { name: name.to_owned(), id: [a, b, c, d], public }
    }

    /// Parses a vkey line: `name+hex(id)+base64(0x01 ‖ public key)`. `None` if it isn't one.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let (name, rest) = line.split_once('+')?;
        let (id, key) = rest.split_once('+')?;
        let blob = BASE64_STANDARD.decode(key).ok()?;
        let (&kind, public) = blob.split_first()?;
        let public = VerifyingKey::from_bytes(public.try_into().ok()?).ok()?;
        let own = Self::new(name, public);
        (valid_name(name) && kind == ED25519 && id == own.id_hex()).then_some(own)
    }

    /// The key's name, which is the log's origin.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether `signature` is this key's signature of `text`.
    #[must_use]
    pub fn verify(&self, text: &[u8], signature: &[u8; 64]) -> bool {
        self.public.verify_strict(text, &Signature::from_bytes(signature)).is_ok()
    }

    fn id_hex(&self) -> String {
        self.id.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl std::fmt::Display for VerifierKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut blob = vec![ED25519];
        blob.extend_from_slice(self.public.as_bytes());
        write!(f, "{}+{}+{}", self.name, self.id_hex(), BASE64_STANDARD.encode(blob))
    }
}

/// Content of a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// The log's name.
    pub origin: String,
    /// Number of entries.
    pub size: u64,
    /// Root hash over the entries.
    pub root: Hash,
}

impl Checkpoint {
    /// Parses and verifies one note. The origin must be the name of one of `keys`; the signature by that key, and
    /// those by all other known keys, must be valid.
    pub fn open(note: &[u8], keys: &[VerifierKey]) -> Result<Self, NoteError> {
        let (checkpoint, text, signatures) = Self::parse(note)?;
        if !keys.iter().any(|key| key.name == checkpoint.origin) {
            return Err(NoteError::Origin);
        }
        let mut known = false;
        for line in signatures.lines() {
            let (name, blob) = signature_line(line)?;
            let Some((id, signature)) = blob.split_first_chunk::<4>() else {
                return Err(NoteError::Malformed("signature too short"));
            };
            let Some(key) = keys.iter().find(|key| key.name == name && key.id == *id) else { continue };
            let signature = signature.try_into().map_err(|_| NoteError::Malformed("signature length"))?;
            if !key.verify(text.as_bytes(), signature) {
                return Err(NoteError::Signature);
            }
            known = true;
        }
        if known { Ok(checkpoint) } else { Err(NoteError::UnknownKey) }
    }

    /// Parses a note without checking signatures: for display, and to find the log that it claims to belong to.
    ///
    /// # Errors
    /// [`NoteError::Malformed`].
    pub fn read_unverified(note: &[u8]) -> Result<Self, NoteError> {
        Self::parse(note).map(|(checkpoint, ..)| checkpoint)
    }

    fn parse(note: &[u8]) -> Result<(Self, &str, &str), NoteError> {
        let malformed = NoteError::Malformed;
        if note.len() > MAX_NOTE {
            return Err(malformed("too long"));
        }
        let note = std::str::from_utf8(note).map_err(|_| malformed("not UTF-8"))?;
        if note.chars().any(|ch| ch != '\n' && ch.is_control()) {
            return Err(malformed("control character"));
        }
        let at = note.find("\n\n").ok_or(malformed("no blank line"))?;
        let (text, signatures) = note.split_at_checked(at.saturating_add(1)).ok_or(malformed("cut"))?;
        let signatures = signatures.strip_prefix('\n').ok_or(malformed("no blank line"))?;
        if signatures.is_empty() || !signatures.ends_with('\n') {
            return Err(malformed("no signature line"));
        }
        signatures.lines().try_for_each(|line| signature_line(line).map(drop))?;
        let mut lines = text.lines();
        let (Some(origin), Some(size), Some(root), None) =
            (lines.next(), lines.next(), lines.next(), lines.next())
        else {
            return Err(malformed("not three lines"));
        };
        let decimal =
            size.bytes().all(|byte| byte.is_ascii_digit()) && (size == "0" || !size.starts_with('0'));
        let size = size.parse().ok().filter(|_| decimal).ok_or(malformed("size"))?;
        let root = BASE64_STANDARD.decode(root).ok().and_then(|root| root.try_into().ok());
        let root = root.ok_or(malformed("root"))?;
        if !valid_name(origin) {
            return Err(malformed("origin"));
        }
        Ok((Self { origin: origin.to_owned(), size, root }, text, signatures))
    }
}

fn signature_line(line: &str) -> Result<(&str, Vec<u8>), NoteError> {
    let malformed = NoteError::Malformed("signature line");
    let (name, blob) = line.strip_prefix(DASH).and_then(|line| line.split_once(' ')).ok_or(malformed)?;
    let blob = BASE64_STANDARD.decode(blob).map_err(|_| malformed)?;
    if valid_name(name) && blob.len() > 4 { Ok((name, blob)) } else { Err(malformed) }
}

/// The three signed lines.
fn text_of(origin: &str, size: u64, root: &Hash) -> String {
    format!("{origin}\n{size}\n{}\n", BASE64_STANDARD.encode(root))
}

/// The notes of `checkpoints.log`: each is followed by one empty line. An incomplete note at the end is the rest.
#[derive(Debug, Clone)]
pub struct Notes<'a> {
    rest: &'a [u8],
}

impl<'a> Notes<'a> {
    /// From the bytes of the list.
    #[must_use]
    pub const fn new(list: &'a [u8]) -> Self {
        Self { rest: list }
    }

    /// The bytes after the last complete note.
    #[must_use]
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

impl<'a> Iterator for Notes<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let blank = |bytes: &[u8]| bytes.windows(2).position(|pair| pair == b"\n\n");
        let text = blank(self.rest)?.checked_add(2)?;
        let signatures = blank(self.rest.get(text..)?)?;
        let end = text.checked_add(signatures)?.checked_add(1)?;
        let (note, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest.get(1..)?;
        Some(note)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_value_of_the_specification_verifies() {
        let vkey = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
        let key = VerifierKey::parse(vkey).unwrap();
        assert_eq!(key.to_string(), vkey);
        let blob = BASE64_STANDARD
            .decode("Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=")
            .unwrap();
        assert_eq!(blob[..4], key.id);
        let signature: [u8; 64] = blob[4..].try_into().unwrap();
        assert!(key.verify(b"This is an example message.\n", &signature));
        assert!(!key.verify(b"This is another message.\n", &signature));
    }

    #[test]
    fn many_signatures_are_read_and_unknown_keys_ignored() {
        let key = Key::from_seed("log.example/a", &[7; 32]);
        let mut note = key.sign(5, &[1; 32]);
        for n in 0..20_u8 {
            let other = Key::from_seed("witness.example/w", &[n; 32]);
            let line = other.sign(5, &[1; 32]);
            note.push_str(line.lines().next_back().unwrap());
            note.push('\n');
        }
        let read = Checkpoint::open(note.as_bytes(), &[key.verifier()]).unwrap();
        assert_eq!((read.size, read.root), (5, [1; 32]));
        let stranger = Key::from_seed("log.example/a", &[8; 32]).verifier();
        assert_eq!(Checkpoint::open(note.as_bytes(), &[stranger]), Err(NoteError::UnknownKey));
    }

    #[test]
    fn the_list_of_notes_ends_at_the_last_whole_one() {
        let key = Key::from_seed("log.example/a", &[7; 32]);
        let list = format!("{}\n{}\n", key.sign(1, &[1; 32]), key.sign(2, &[2; 32]));
        let mut notes = Notes::new(list.as_bytes());
        assert_eq!(notes.by_ref().count(), 2);
        assert!(notes.rest().is_empty());
        let mut cut = Notes::new(&list.as_bytes()[..list.len() - 1]);
        assert_eq!(cut.by_ref().count(), 1);
        assert!(!cut.rest().is_empty());
    }
}
