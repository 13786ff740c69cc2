//! Owner and inode of one TCP socket, from the kernel.
//!
//! The kernel is asked about that socket over netlink (sock_diag(7)), which takes microseconds. Reading its table
//! of all sockets in `/proc/net` takes milliseconds, because the kernel walks every bucket of a large hash table;
//! that is done only if netlink doesn't answer.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netlink, recv, send, socket_with,
};

/// The state of a connection that is open on both sides. A closed socket is listed for a while in another state,
/// with user id 0 whoever owned it.
const ESTABLISHED: u8 = 1;

/// An open socket held by a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Socket {
    /// The user id of its owner.
    pub(crate) user: u32,
    /// Its inode, never zero.
    pub(crate) inode: u64,
}

/// The open socket at `local` that is connected to `remote`; `None` if there is none.
pub(crate) fn find(local: SocketAddr, remote: SocketAddr) -> Option<Socket> {
    // A kernel without sock_diag gives the same error as for a missing socket, so the table decides.
    asked(local, remote).or_else(|| in_table(local, remote))
}

/// Lengths in bytes: a netlink header, the request after it, and the part read of an answer.
const HEADER: usize = 16;
const REQUEST: usize = 56;
const ANSWER: usize = 72;
/// `SOCK_DIAG_BY_FAMILY`, the type of request and answer, and `NLM_F_REQUEST`.
const BY_FAMILY: u16 = 20;
const IS_REQUEST: u16 = 1;
/// `AF_INET`, `AF_INET6` and `IPPROTO_TCP`.
const INET: u8 = 2;
const INET6: u8 = 10;
const TCP: u8 = 6;

/// Asks the kernel for one socket.
pub(crate) fn asked(local: SocketAddr, remote: SocketAddr) -> Option<Socket> {
    let kind = Some(netlink::SOCK_DIAG);
    let kernel = socket_with(AddressFamily::NETLINK, SocketType::DGRAM, SocketFlags::CLOEXEC, kind).ok()?;
    // A netlink socket without an address sends to the kernel, which answers before `send` returns.
    send(&kernel, &request(local, remote), SendFlags::empty()).ok()?;
    let mut bytes = [0_u8; 1_024];
    let (length, _) = recv(&kernel, &mut bytes, RecvFlags::DONTWAIT).ok()?;
    socket_in(bytes.get(..length)?, local, remote)
}

/// `struct nlmsghdr` and `struct inet_diag_req_v2` of linux/netlink.h and linux/inet_diag.h.
fn request(local: SocketAddr, remote: SocketAddr) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + REQUEST);
    bytes.extend(u32::try_from(HEADER + REQUEST).unwrap_or_default().to_ne_bytes());
    bytes.extend(BY_FAMILY.to_ne_bytes());
    bytes.extend(IS_REQUEST.to_ne_bytes());
    // Sequence number and sender, which aren't used.
    bytes.extend([0; 8]);
    let family = if local.is_ipv4() { INET } else { INET6 };
    bytes.extend([family, TCP, 0, 0]);
    bytes.extend((1_u32 << ESTABLISHED).to_ne_bytes());
    bytes.extend(local.port().to_be_bytes());
    bytes.extend(remote.port().to_be_bytes());
    for ip in [local.ip(), remote.ip()] {
        match ip {
            IpAddr::V4(ip) => {
                bytes.extend(ip.octets());
                bytes.extend([0; 12]);
            }
            IpAddr::V6(ip) => bytes.extend(ip.octets()),
        }
    }
    // Any interface, and no cookie (`INET_DIAG_NOCOOKIE`).
    bytes.extend([0; 4]);
    bytes.extend([0xff; 8]);
    bytes
}

/// The socket in an answer (`struct inet_diag_msg`). If nothing is connected the kernel reports a listening socket,
/// so the answer's own addresses and state are compared.
fn socket_in(bytes: &[u8], local: SocketAddr, remote: SocketAddr) -> Option<Socket> {
    let kind = bytes.get(4..6)?.try_into().map(u16::from_ne_bytes).ok()?;
    let told = bytes.get(HEADER..HEADER + ANSWER)?;
    let number = |at: usize| told.get(at..at + 4)?.try_into().map(u32::from_ne_bytes).ok();
    let port = |at: usize| told.get(at..at + 2)?.try_into().map(u16::from_be_bytes).ok();
    let ip = |at: usize| -> Option<IpAddr> {
        Some(match *told.first()? {
            INET => Ipv4Addr::from(<[u8; 4]>::try_from(told.get(at..at + 4)?).ok()?).into(),
            INET6 => Ipv6Addr::from(<[u8; 16]>::try_from(told.get(at..at + 16)?).ok()?).to_canonical(),
            _ => return None,
        })
    };
    let ends = (ip(8)?, port(4)?, ip(24)?, port(6)?);
    let wanted = (local.ip().to_canonical(), local.port(), remote.ip().to_canonical(), remote.port());
    let is_it = kind == BY_FAMILY && told.get(1) == Some(&ESTABLISHED) && ends == wanted;
    let socket = Socket { user: number(64)?, inode: number(68)?.into() };
    // Without an inode no process holds the socket.
    Some(socket).filter(|socket| is_it && socket.inode != 0)
}

/// The same from the kernel's table of all sockets.
fn in_table(local: SocketAddr, remote: SocketAddr) -> Option<Socket> {
    let look = |table: &str, local: SocketAddr, remote: SocketAddr| {
        let rows = std::fs::read_to_string(table).ok()?;
        row_in(&rows, &written(local), &written(remote))
    };
    let (IpAddr::V4(local_ip), IpAddr::V4(remote_ip)) = (local.ip(), remote.ip()) else {
        return look("/proc/net/tcp6", local, remote);
    };
    // A program may reach an IPv4 address through an IPv6 socket, which is listed in the IPv6 table.
    let mapped =
        |ip: Ipv4Addr, address: SocketAddr| SocketAddr::new(ip.to_ipv6_mapped().into(), address.port());
    look("/proc/net/tcp", local, remote)
        .or_else(|| look("/proc/net/tcp6", mapped(local_ip, local), mapped(remote_ip, remote)))
}

/// Columns of a row: number, local address, remote address, state, queue sizes, timer, retransmissions, user id,
/// timeouts, inode.
fn row_in(rows: &str, local: &str, remote: &str) -> Option<Socket> {
    rows.lines().skip(1).find_map(|row| {
        let columns: Vec<&str> = row.split_ascii_whitespace().collect();
        let found = (columns.get(1).copied()?, columns.get(2).copied()?, columns.get(3).copied()?);
        if found != (local, remote, "01") {
            return None;
        }
        let row = Socket { user: columns.get(7)?.parse().ok()?, inode: columns.get(9)?.parse().ok()? };
        // Without an inode no process holds the socket.
        Some(row).filter(|row| row.inode != 0)
    })
}

/// An address in the format of the kernel's table: four-byte words in native byte order.
fn written(address: SocketAddr) -> String {
    let bytes: Vec<u8> = match address.ip() {
        IpAddr::V4(ip) => ip.octets().to_vec(),
        IpAddr::V6(ip) => ip.octets().to_vec(),
    };
    let word = |word: &[u8]| <[u8; 4]>::try_from(word).map_or(0, u32::from_ne_bytes);
    let words: String = bytes.chunks(4).map(|chunk| format!("{:08X}", word(chunk))).collect();
    format!("{words}:{:04X}", address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn netlink_and_the_table_say_the_same() {
        for address in ["127.0.0.1:0", "[::1]:0"] {
            let Ok(listener) = std::net::TcpListener::bind(address) else {
                assert!(address.starts_with('['), "there is an IPv4 loopback");
                continue;
            };
            let address = listener.local_addr().unwrap();
            let mut targets = vec![address];
            if address.is_ipv4() {
                targets.push(SocketAddr::new(Ipv4Addr::LOCALHOST.to_ipv6_mapped().into(), address.port()));
            }
            for target in targets {
                let client = std::net::TcpStream::connect(target).unwrap();
                let (accepted, peer) = listener.accept().unwrap();
                let inode = |socket: &std::net::TcpStream| rustix::fs::fstat(socket).unwrap().st_ino;
                let user = rustix::process::getuid().as_raw();
                for (socket, local, remote) in [(&client, peer, address), (&accepted, address, peer)] {
                    let expected = Some(Socket { user, inode: inode(socket) });
                    assert_eq!(asked(local, remote), expected, "netlink, {target}");
                    assert_eq!(in_table(local, remote), expected, "table, {target}");
                }
                drop(client);
                assert_eq!(asked(peer, address), None, "closed, {target}");
            }
            // If nothing is connected the kernel reports the listening socket.
            let nobody = SocketAddr::new(address.ip(), 1);
            assert_eq!(asked(address, nobody), None);
            assert_eq!(find(address, nobody), None);
        }
    }

    #[test]
    fn only_an_answer_about_the_wanted_open_socket_counts() {
        let (local, remote): (SocketAddr, SocketAddr) =
            ("127.0.0.1:258".parse().unwrap(), "127.0.0.1:772".parse().unwrap());
        let mut answer = vec![0_u8; HEADER + ANSWER];
        answer[4..6].copy_from_slice(&BY_FAMILY.to_ne_bytes());
        answer[HEADER..HEADER + 2].copy_from_slice(&[INET, ESTABLISHED]);
        answer[HEADER + 4..HEADER + 8].copy_from_slice(&[1, 2, 3, 4]);
        answer[HEADER + 8..HEADER + 12].copy_from_slice(&[127, 0, 0, 1]);
        answer[HEADER + 24..HEADER + 28].copy_from_slice(&[127, 0, 0, 1]);
        answer[HEADER + 64..HEADER + 68].copy_from_slice(&1_500_u32.to_ne_bytes());
        answer[HEADER + 68..HEADER + 72].copy_from_slice(&77_u32.to_ne_bytes());
        assert_eq!(socket_in(&answer, local, remote), Some(Socket { user: 1_500, inode: 77 }));
        for length in 0..answer.len() {
            assert_eq!(socket_in(&answer[..length], local, remote), None, "{length} bytes");
        }
        for at in [4, HEADER, HEADER + 1, HEADER + 5, HEADER + 7, HEADER + 8, HEADER + 27, HEADER + 68] {
            let mut other = answer.clone();
            other[at] ^= if at == HEADER + 68 { 77 } else { 1 };
            assert_eq!(socket_in(&other, local, remote), None, "byte {at}");
        }
    }

    #[test]
    fn only_open_sockets_that_a_process_holds_count() {
        let row = |state: &str, user: &str, inode: &str| {
            format!(
                "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n   \
                 0: 0100007F:0001 0100007F:0002 {state} 00000000:00000000 00:00000000 00000000 {user} 0 {inode} 1 0\n"
            )
        };
        let found = |rows: &str| row_in(rows, "0100007F:0001", "0100007F:0002");
        assert_eq!(found(&row("01", "1500", "77")), Some(Socket { user: 1_500, inode: 77 }));
        for state in ["02", "03", "04", "05", "06", "07", "08", "09", "0A", "0B"] {
            assert_eq!(found(&row(state, "1500", "77")), None, "{state}");
        }
        assert_eq!(found(&row("01", "0", "0")), None);
    }
}
