//! Private keys: armoured, in base64, as JSON fields.

use super::pass::Pass;
use super::{Confidence, RANK_STRUCTURE};
use crate::charset::{self, before, is};
use crate::decode;
use crate::pem;
use doorward_core::Severity;

impl Pass<'_> {
    pub(super) fn begin(&mut self, pos: usize) {
        match pem::at_begin(self.text, pos) {
            pem::Found::Nothing => {}
            pem::Found::Undecided(start) => self.undecided = self.undecided.or(Some(start)),
            pem::Found::Key(key) => {
                let from = key.start.saturating_sub(2048);
                let service = self
                    .text
                    .get(from..key.start)
                    .is_some_and(|head| memchr::memmem::find(head, b"service_account").is_some());
                let slug = if service { "google-service-account" } else { "private-key" };
                self.key(slug, key);
            }
        }
    }

    pub(super) fn putty(&mut self, pos: usize) {
        if let Some(key) = pem::at_private_lines(self.text, pos) {
            self.key("putty-key", key);
        }
    }

    fn key(&mut self, slug: &'static str, key: pem::Key) {
        if let Some(hit) = self.push(slug, (key.start, key.end), RANK_STRUCTURE + 2, Confidence::Likely) {
            hit.shown = key.header - key.start;
            if key.encrypted {
                hit.severity = Severity::Medium;
                hit.tags.push("encrypted");
            }
        }
        self.armour = key.open;
    }

    /// Keys as JSON fields.
    pub(super) fn key_values(&mut self, spans: Vec<(usize, usize)>) {
        for span in spans {
            self.push("private-key", span, RANK_STRUCTURE, Confidence::Likely);
        }
    }

    /// Base64 of a PEM header: the run is a key.
    pub(super) fn base64_begin(&mut self, pos: usize) {
        if is(before(self.text, pos), charset::BASE64) {
            return;
        }
        let length = charset::run(self.text, pos, charset::BASE64 | charset::EQUALS, 16 * 1024);
        let Some(head) = self.text.get(pos..pos + length.min(64)) else { return };
        let plain = decode::base64(head);
        let private =
            memchr::memmem::find(&plain, b"PRIVATE KEY").is_some() && plain.starts_with(b"-----BEGIN");
        if private
            && length >= 128
            && let Some(hit) =
                self.push("private-key", (pos, pos + length), RANK_STRUCTURE, Confidence::Likely)
        {
            hit.tags.push("decoded:base64");
        }
    }
}
