//! Generated texts: tokens, markers that rules search for, noise, copies of earlier text.

/// Markers and prefixes that rules search for.
const MARKS: &[&str] = &[
    "password",
    "secret",
    "api_key",
    "token",
    "Authorization: Bearer ",
    "Cookie: sid=",
    "kind: Secret\ndata:\n  x: ",
    "=",
    ": ",
    "\"",
    "'",
    "\\n",
    "\\u0022",
    "%3D",
    "\\",
    "\n",
    "\r\n",
    " ",
    ",",
    "://",
    "@",
    ":",
    "-----BEGIN RSA PRIVATE KEY-----",
    "-----END",
    "PuTTY-User-Key-File-2: ",
    "curl -u ",
    "identified by '",
    "mysql -p",
    "&sig=",
    "LS0tLS1CRUdJTi",
    "NetworkCredential(\"user\", \"",
    "DirectoryEntry(\"a\",\n  \"b\",\n  \"",
    "ConvertTo-SecureString \"",
    "apiVersion: v1\ndata:\n  x: ",
    "$host = \"h\"; $user = \"u\"; $password = \"",
    "psexec -u a -p ",
    "\" == password",
    "\" !== token)",
    " or \"",
    " || \"",
    "&quot;",
    "\u{1b}[31m",
    "AccountKey=",
    "google.crypto.tink",
    "\"kty\"",
    "{",
    "}",
    "postgres",
    "${",
    "}}",
    "AKIA",
    "eyJ",
    "\u{feff}",
    "\u{0}",
    "é",
    "🔑",
];

/// More of them, for odd seeds: texts of even seeds stay as they were when they showed a fault.
const MORE: &[&str] = &[
    "name: DB_PASSWORD\n  value: ",
    "{\"key\": \"api_token\", \"value\": \"",
    "variable \"token\" {\n  default = \"",
    "\"password\": {\n \"value\": \"",
    "<key>ClientSecret</key>\n<string>",
    "name=\"password\"><value>",
    "client_secret: >-\n  ",
    "token = \"\"\"\n",
    "<![CDATA[",
    "&anchor ",
    "value",
    "default",
    "echo ",
    " | sudo -S",
    " | chpasswd",
    ":5432:",
    "db1:5432:shop:app:",
    "zip -P ",
    "redis-cli -a ",
    " -pw ",
    "login(\"a\", \"",
    "auth=(\"a\", \"",
    "amzn.mws.",
    "/bot",
    "AIza",
    ".eyJzdWIiOiJ",
    "not ",
    "{",
    "}",
    "\n",
    "\n",
    "| ",
    "cGFzc3dvcmQ9",
];

pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as usize % below.max(1)
    }
}

/// Tokens, markers, noise and copies of earlier text, then a few bytes changed.
pub(crate) fn made_up(seed: u64, tokens: &dyn Fn(&mut Random, u64) -> String) -> Vec<u8> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut text = Vec::new();
    for _ in 0..random.next(40) {
        match random.next(8) {
            0 => {
                text.extend(tokens(&mut random, seed).bytes());
            }
            1..=4 if seed.is_multiple_of(2) => text.extend(MARKS[random.next(MARKS.len())].bytes()),
            1..=4 => {
                let place = random.next(MARKS.len() + MORE.len());
                text.extend(MARKS.iter().chain(MORE).nth(place).unwrap().bytes());
            }
            5 => {
                let alphabet = b"0123456789abcdefABCDEFGHIJKLMNOPQRSTUVWXYZghijklmnopqrstuvwxyz+/=-_.";
                let kinds = [16, 62, alphabet.len()][random.next(3)];
                text.extend((0..random.next(120)).map(|_| alphabet[random.next(kinds)]).collect::<Vec<_>>());
            }
            6 => text.extend((0..random.next(12)).map(|_| random.next(256) as u8).collect::<Vec<_>>()),
            _ if !text.is_empty() => {
                let from = random.next(text.len());
                let to = (from + random.next(200)).min(text.len());
                text.extend_from_within(from..to);
            }
            _ => {}
        }
    }
    for _ in 0..random.next(4) {
        if let Some(place) = (!text.is_empty()).then(|| random.next(text.len())) {
            text[place] = random.next(256) as u8;
        }
    }
    text
}

/// The text with the masks applied as `Search::masks` says: the required output of a redactor, however it gets the
/// text.
pub(crate) fn masked(text: &[u8], masks: &[(usize, usize, usize)], mark: &str) -> Vec<u8> {
    let (mut out, mut pos) = (Vec::new(), 0);
    for group in masks.chunk_by(|left, right| left.0 == right.0) {
        let start = group[0].0;
        let end = group.iter().map(|mask| mask.1).max().unwrap();
        let shown = group.iter().map(|mask| mask.2).min().unwrap();
        if start >= pos {
            out.extend(&text[pos..start + shown]);
            out.extend(mark.bytes());
        }
        pos = pos.max(end);
    }
    out.extend(&text[pos..]);
    out
}
