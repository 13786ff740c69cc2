//! Bytes from peers and clients of the egress proxy, before they are authenticated.

use doorward_net::proxy::fuzz::{request_head, response_head};
use doorward_net::{Host, Target};

use super::listed;
use crate::mutate::Mutator;

pub(super) fn check(bytes: &[u8]) {
    request_head(bytes);
    response_head(bytes);
    let text = String::from_utf8_lossy(bytes);
    if let Ok(target) = Target::parse(&text) {
        let again = target.host_header();
        assert!(!again.contains(['\r', '\n', ' ', '@', '/']), "{again:?}");
    }
    let _ = Host::parse(&text);
}

pub(super) fn hellos() -> Mutator {
    let seeds = vec![
        hello(&[b"a.example"], usize::MAX),
        hello(&[b"a.example"], 20),
        hello(&[b"a.example"], 1),
        hello(&[b"a.example", b"b.example"], usize::MAX),
        hello(&[], usize::MAX),
    ];
    listed("client_hello").with_seeds(seeds)
}

/// A ClientHello that asks for these names, in records of at most `size` bytes each.
fn hello(names: &[&[u8]], size: usize) -> Vec<u8> {
    let two = |length: usize| u16::try_from(length).unwrap_or(u16::MAX).to_be_bytes();
    let list: Vec<u8> = names.iter().flat_map(|name| [&[0][..], &two(name.len()), name].concat()).collect();
    let mut extensions = [&[0, 0x2b][..], &two(3), &[2, 3, 4]].concat();
    if !names.is_empty() {
        extensions.extend([&[0, 0][..], &two(list.len() + 2), &two(list.len()), &list].concat());
    }
    let body =
        [&[3, 3][..], &[7; 32], &[0], &two(2), &[0x13, 0x01], &[1, 0], &two(extensions.len()), &extensions]
            .concat();
    let message = [&[1, 0][..], &two(body.len()), &body].concat();
    let records = message.chunks(size.min(message.len()));
    records.flat_map(|record| [&[22, 3, 1][..], &two(record.len()), record].concat()).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_seeds_reach_the_name() {
        // A seed that is refused at its first byte would test nothing.
        for seed in [super::hello(&[b"a.example"], usize::MAX), super::hello(&[b"a.example"], 1)] {
            assert_eq!(doorward_net::proxy::fuzz::name_asked_for(&seed).as_deref(), Some("a.example"));
        }
    }
}
