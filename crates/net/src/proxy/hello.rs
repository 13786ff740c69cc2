//! Reads the server name of a TLS ClientHello (RFC 8446 section 4.1.2, RFC 6066 section 3).
//!
//! Nothing is decrypted. A hello may arrive in several records and packets; it isn't judged before it is complete,
//! and other protocols are recognised as such.

/// Classification of a tunnel's first bytes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Hello {
    /// More bytes are needed.
    Incomplete,
    /// A complete ClientHello with the name it asks for.
    Tls(Option<String>),
    /// TLS that can't be parsed, or that names several hosts.
    Malformed,
    /// Something else.
    NotTls,
}

/// Largest hello in bytes.
pub(crate) const MAX_HELLO: usize = 16 << 10;

const HANDSHAKE: u8 = 22;
const CLIENT_HELLO: u8 = 1;
const SERVER_NAME: u16 = 0;

/// Classifies the bytes received so far.
pub(crate) fn read(bytes: &[u8]) -> Hello {
    match bytes {
        [] => return Hello::Incomplete,
        [HANDSHAKE, rest @ ..] if rest.first().is_none_or(|major| *major == 3) => {}
        _ => return Hello::NotTls,
    }
    let mut handshake = vec![];
    let mut records = Reader(bytes);
    loop {
        let Some(header) = records.take(5) else { return Hello::Incomplete };
        let [kind, 3, _, high, low] = header else { return Hello::Malformed };
        let length = u16::from_be_bytes([*high, *low]);
        if *kind != HANDSHAKE || length == 0 || usize::from(length) > MAX_HELLO {
            return Hello::Malformed;
        }
        let Some(fragment) = records.take(usize::from(length)) else { return Hello::Incomplete };
        handshake.extend_from_slice(fragment);
        let mut message = Reader(&handshake);
        if message.u8().is_some_and(|kind| kind != CLIENT_HELLO) {
            return Hello::Malformed;
        }
        if let Some(body) = message.u24().and_then(|length| message.take(length)) {
            return server_name(body).map_or(Hello::Malformed, Hello::Tls);
        }
    }
}

/// The server name in a ClientHello's body; the outer `None` if it can't be parsed.
fn server_name(body: &[u8]) -> Option<Option<String>> {
    let mut body = Reader(body);
    body.take(2 + 32)?;
    let session = body.u8()?;
    body.take(session.into())?;
    let suites = body.u16()?;
    body.take(suites.into())?;
    let compression = body.u8()?;
    body.take(compression.into())?;
    if body.0.is_empty() {
        return Some(None);
    }
    let length = body.u16()?;
    let mut extensions = Reader(body.take(length.into())?);
    if !body.0.is_empty() {
        return None;
    }
    let mut found = None;
    while !extensions.0.is_empty() {
        let kind = extensions.u16()?;
        let length = extensions.u16()?;
        let content = extensions.take(length.into())?;
        if kind == SERVER_NAME {
            if found.is_some() {
                return None;
            }
            found = Some(only_name(content)?);
        }
    }
    Some(found)
}

/// The single host name of a server name list.
fn only_name(content: &[u8]) -> Option<String> {
    let mut content = Reader(content);
    let length = content.u16()?;
    let mut list = Reader(content.take(length.into())?);
    let kind = list.u8()?;
    let length = list.u16()?;
    let name = list.take(length.into())?;
    let only = kind == 0 && list.0.is_empty() && content.0.is_empty() && name.is_ascii();
    if only { String::from_utf8(name.to_vec()).ok() } else { None }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn u8(&mut self) -> Option<u8> {
        self.take(1).and_then(|bytes| bytes.first().copied())
    }

    fn u16(&mut self) -> Option<u16> {
        self.take(2)?.try_into().ok().map(u16::from_be_bytes)
    }

    fn u24(&mut self) -> Option<usize> {
        let [high, middle, low] = self.take(3)? else { return None };
        Some((usize::from(*high) << 16) | (usize::from(*middle) << 8) | usize::from(*low))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A minimal hello in one record, with server name extensions as given.
    pub(crate) fn hello(names: &[&str]) -> Vec<u8> {
        let mut extensions = vec![];
        for name in names {
            let length = u16::try_from(name.len()).unwrap();
            extensions.extend([0, 0]);
            extensions.extend((length + 5).to_be_bytes());
            extensions.extend((length + 3).to_be_bytes());
            extensions.push(0);
            extensions.extend(length.to_be_bytes());
            extensions.extend(name.bytes());
        }
        let mut body = vec![3, 3];
        body.extend([7; 32]);
        body.extend([0, 0, 2, 0x13, 1, 1, 0]);
        body.extend(u16::try_from(extensions.len()).unwrap().to_be_bytes());
        body.extend(extensions);
        let mut message = vec![1, 0];
        message.extend(u16::try_from(body.len()).unwrap().to_be_bytes());
        message.extend(body);
        record(&message)
    }

    fn record(fragment: &[u8]) -> Vec<u8> {
        let mut record = vec![22, 3, 1];
        record.extend(u16::try_from(fragment.len()).unwrap().to_be_bytes());
        record.extend(fragment);
        record
    }

    #[test]
    fn names_are_found_however_the_hello_is_cut() {
        let whole = hello(&["example.com"]);
        let expected = Hello::Tls(Some("example.com".to_owned()));
        assert_eq!(read(&whole), expected);
        for cut in 0..whole.len() {
            assert_eq!(read(&whole[..cut]), Hello::Incomplete, "{cut}");
        }
        for cut in 6..whole.len() - 1 {
            let split = [record(&whole[5..cut]), record(&whole[cut..])].concat();
            assert_eq!(read(&split), expected, "{cut}");
        }
    }

    #[test]
    fn what_names_two_hosts_is_malformed() {
        assert_eq!(read(&hello(&["a.example", "b.example"])), Hello::Malformed);
        assert_eq!(read(&hello(&[])), Hello::Tls(None));
        assert_eq!(read(b"GET / HTTP/1.1\r\n"), Hello::NotTls);
        assert_eq!(read(b"SSH-2.0-x\r\n"), Hello::NotTls);
        assert_eq!(read(&[22, 3, 1, 0, 0]), Hello::Malformed);
        assert_eq!(read(&[22, 3, 1, 0xff, 0xff]), Hello::Malformed);
    }
}
