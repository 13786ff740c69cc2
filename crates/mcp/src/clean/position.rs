//! Where a walk over a result stands, and which strings there are bytes, addresses or identifiers, which aren't
//! scanned.

/// Members whose strings are machine data and not prose.
const NOT_WORDS: &[&str] = &["data", "blob", "mimeType", "type", "uri"];
/// Members of a message's parameters and of `_meta` that hold identifiers. A client compares them or sends them
/// back and shows them to neither user nor model, so they are kept as long as they look like identifiers.
const HANDLES: &[&str] = words! {
    "elicitationId" "level" "progressToken" "requestId" "subscriptionId" "taskId" "traceparent"
    "tracestate" "uri" "url"
};
/// Longest text accepted as an identifier.
const LONGEST_HANDLE: usize = 2_048;
/// Base64 of at least this length isn't a secret and is left unchanged.
const SHORTEST_BYTES: usize = 512;

/// Where the warning about a steering text is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Steering {
    /// In a note before the content of the result.
    Beside,
    /// In the text itself, at its beginning.
    Within,
    /// In place of the text: this text isn't meant for a model.
    Instead,
}

/// How the strings of a JSON value are treated.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    pub(super) steering: Steering,
    /// The value consists of content blocks, in which some members hold bytes and addresses.
    pub(super) in_blocks: bool,
    /// The value is an object of the protocol whose members may be [`HANDLES`].
    pub(super) has_handles: bool,
}

impl Reading {
    pub(super) const fn with(steering: Steering) -> Self {
        Self { steering, in_blocks: false, has_handles: false }
    }
}

/// Position of a walk over the strings of a JSON value.
#[derive(Default)]
pub(super) struct Position {
    pub(super) depth: usize,
    /// Name of the member whose value comes next.
    pub(super) key: String,
    /// Inside the member `_meta` of the value.
    in_meta: bool,
    /// Inside the member `messages` of the value.
    in_messages: bool,
}

impl Position {
    /// Skips the text between two strings: brackets, commas, numbers and JSON's literals.
    pub(super) fn pass(&mut self, between: &str) {
        for byte in between.bytes() {
            match byte {
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
    }

    pub(super) fn name(&mut self, key: String) {
        if self.depth == 1 {
            self.in_meta = key == "_meta";
            self.in_messages = key == "messages";
        }
        self.key = key;
    }

    pub(super) fn steering(&self, reading: Reading) -> Steering {
        if reading.has_handles && self.in_meta { Steering::Instead } else { reading.steering }
    }

    /// Whether a string of a content block is bytes, an address or a type name, and has that form.
    fn is_no_words(&self, token: &str) -> bool {
        match self.key.as_str() {
            "data" | "blob" => is_bytes(token),
            key => NOT_WORDS.contains(&key) && is_handle(token),
        }
    }

    /// Whether a string isn't scanned, because its member holds bytes, an address or an identifier.
    pub(super) fn is_kept(&self, token: &str, reading: Reading) -> bool {
        if !reading.has_handles {
            return reading.in_blocks && self.is_no_words(token);
        }
        if self.in_messages {
            return self.is_no_words(token);
        }
        // `_meta` contains objects of the protocol, such as `io.modelcontextprotocol/related-task`.
        let deepest = if self.in_meta || reading.steering == Steering::Instead { 3 } else { 1 };
        let name = self.key.rsplit('/').next().unwrap_or_default();
        self.depth <= deepest && HANDLES.contains(&name) && is_handle(token)
    }
}

/// Whether a string looks like base64 that is too long for a secret, or short base64 without a secret.
fn is_bytes(token: &str) -> bool {
    let bytes = token.trim_matches('"');
    let is_base64 = bytes.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/-_=".contains(&byte));
    is_base64 && (bytes.len() >= SHORTEST_BYTES || doorward_secrets::redact_text(bytes) == bytes)
}

/// Whether a text looks like an identifier or an address: one word of visible ASCII, without escapes.
pub(super) fn is_handle(token: &str) -> bool {
    token.len() <= LONGEST_HANDLE && token.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
}
