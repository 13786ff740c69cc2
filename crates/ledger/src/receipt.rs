//! Receipts (c2sp.org/tlog-proof): a text that proves a record to anyone with the log's verifier key.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use crate::note::{Checkpoint, MAX_NOTE, NoteError, VerifierKey};
use crate::tree::{self, Hash};

const HEADER: &str = "c2sp.org/tlog-proof@v1";

/// Why a receipt isn't valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReceiptError {
    /// Not a well-formed receipt.
    #[error("ledger.receipt_malformed: {0}")]
    Malformed(&'static str),
    /// Its checkpoint was refused.
    #[error(transparent)]
    Note(#[from] NoteError),
    /// The hashes don't lead from the entry to the root.
    #[error("ledger.entry_mismatch: the proof doesn't lead from this entry to the signed root")]
    Proof,
}

impl ReceiptError {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Malformed(_) => "ledger.receipt_malformed",
            Self::Note(error) => error.code(),
            Self::Proof => "ledger.entry_mismatch",
        }
    }
}

/// A parsed receipt. Proves nothing until [`Receipt::verify`] succeeds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// Index of the entry.
    pub index: u64,
    /// Sibling hashes, from the leaf up.
    pub path: Vec<Hash>,
    /// The signed note, verbatim.
    pub checkpoint: String,
}

impl Receipt {
    /// Parses the text.
    ///
    /// # Errors
    /// [`ReceiptError::Malformed`].
    pub fn parse(text: &str) -> Result<Self, ReceiptError> {
        let malformed = ReceiptError::Malformed;
        if text.len() > 2 * MAX_NOTE {
            return Err(malformed("too long"));
        }
        let (proof, checkpoint) = text.split_once("\n\n").ok_or(malformed("no blank line"))?;
        let mut lines = proof.split('\n');
        if lines.next() != Some(HEADER) {
            return Err(malformed("header"));
        }
        let index = lines.next().and_then(|line| line.strip_prefix("index ")).ok_or(malformed("index"))?;
        let plain = index == "0" || !index.starts_with('0');
        let plain = plain && index.bytes().all(|byte| byte.is_ascii_digit());
        let index = index.parse().ok().filter(|_| plain).ok_or(malformed("index"))?;
        let path = lines
            .map(|line| BASE64_STANDARD.decode(line).ok().and_then(|hash| hash.try_into().ok()))
            .collect::<Option<Vec<Hash>>>()
            .filter(|path| path.len() <= 64)
            .ok_or(malformed("hash"))?;
        Ok(Self { index, path, checkpoint: checkpoint.to_owned() })
    }

    /// Checks that it proves `entry` in the log of one of `keys`. Returns the checkpoint that it refers to.
    pub fn verify(&self, entry: &[u8], keys: &[VerifierKey]) -> Result<Checkpoint, ReceiptError> {
        let checkpoint = Checkpoint::open(self.checkpoint.as_bytes(), keys)?;
        let leaf = tree::leaf(entry);
        if tree::verify_inclusion(&leaf, self.index, checkpoint.size, &self.path, &checkpoint.root) {
            Ok(checkpoint)
        } else {
            Err(ReceiptError::Proof)
        }
    }
}

impl std::fmt::Display for Receipt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{HEADER}\nindex {}", self.index)?;
        for hash in &self.path {
            writeln!(f, "{}", BASE64_STANDARD.encode(hash))?;
        }
        write!(f, "\n{}", self.checkpoint)
    }
}
