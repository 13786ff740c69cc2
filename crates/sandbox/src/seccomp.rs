//! The system call filter, assembled by hand from one table.
//!
//! Default allow with a list of refusals: kernel surfaces no build or test needs, and every door to new namespaces.
//! `clone3` is answered ENOSYS because its flags lie in memory where a filter can't look (libc then falls back to
//! `clone`, whose flags it can). Calls of another architecture or the x32 numbers are refused whole: a filter that
//! knows one table only must not let a second one by.

use doorward_core::Tier;
use crate::git::broker::{HERE, WRITES};
use libc::{BPF_ABS, BPF_JEQ, BPF_JMP, BPF_JSET, BPF_K, BPF_LD, BPF_RET, BPF_W, sock_filter};

/// Offsets in `struct seccomp_data` on a little-endian machine.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const fn argument(index: u32) -> u32 {
    16 + 8 * index
}

#[cfg(target_arch = "x86_64")]
const NATIVE: u32 = 0xC000_003E; // AUDIT_ARCH_X86_64
#[cfg(target_arch = "aarch64")]
const NATIVE: u32 = 0xC000_00B7; // AUDIT_ARCH_AARCH64

/// Bit 30 of the number: x32 on x86-64; no native call has it on either architecture.
const X32_BIT: u32 = 0x4000_0000;

const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
const NOTIFY: u32 = libc::SECCOMP_RET_USER_NOTIF;
const fn refuse(errno: i32) -> u32 {
    libc::SECCOMP_RET_ERRNO | (errno as u32 & 0xffff)
}

/// Refused with EPERM whatever the arguments.
const REFUSED: &[libc::c_long] = &[
    // Other processes' memory and descriptors.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    // Key rings are not namespaced by user.
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    // Large surfaces.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_lookup_dcookie,
    libc::SYS_nfsservctl,
    // Namespaces and mounts.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    // The machine.
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_syslog,
    libc::SYS_acct,
    libc::SYS_clock_settime,
    libc::SYS_settimeofday,
    libc::SYS_clock_adjtime,
    libc::SYS_vhangup,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
];

/// Refused with ENOSYS, so that libraries take their older way.
const ABSENT: &[libc::c_long] =
    &[libc::SYS_clone3, libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register];

/// Namespace flags of `clone(2)`; CLONE_NEWTIME shares its bit with the exit signal and means nothing there.
const NAMESPACES: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u32;

/// The oldest way to raw frames (`socket(2)`).
const SOCK_PACKET: u32 = 10;

/// Terminal calls that put words into somebody's mouth.
const TERMINAL: &[u32] = &[libc::TIOCSTI as u32, 0x541C /* TIOCLINUX */];

/// The calls that the keeper is told of before they happen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Heard {
    /// Those that start programs and contact hosts.
    pub(crate) observed: bool,
    /// Those that write in a directory by a path: they may be meant for git's state.
    pub(crate) git: bool,
}

impl Heard {
    pub(crate) const fn any(self) -> bool {
        self.observed || self.git
    }
}

/// The filter of a tier.
pub(crate) fn program(tier: Tier, heard: Heard) -> Vec<sock_filter> {
    let mut code = Assembler::default();
    code.load(ARCHITECTURE);
    code.unless_equal(NATIVE, refuse(libc::ENOSYS));
    code.load(NUMBER);
    code.if_any_bit(X32_BIT, refuse(libc::ENOSYS));
    for number in ABSENT {
        code.if_equal(*number as u32, refuse(libc::ENOSYS));
    }
    for number in REFUSED {
        code.if_equal(*number as u32, refuse(libc::EPERM));
    }
    if heard.observed {
        for number in crate::observe::WATCHED {
            code.if_equal(*number as u32, NOTIFY);
        }
    }
    if heard.git {
        writes_by_path(&mut code);
    }
    code.on_call(libc::SYS_clone, |code| {
        code.load(argument(0));
        code.if_any_bit(NAMESPACES, refuse(libc::EPERM));
    });
    code.on_call(libc::SYS_ioctl, |code| {
        code.load(argument(1));
        for request in TERMINAL {
            code.if_equal(*request, refuse(libc::EPERM));
        }
    });
    code.on_call(libc::SYS_personality, |code| {
        code.load(argument(0));
        code.if_equal(0, ALLOW);
        code.if_equal(u32::MAX, ALLOW); // asks, changes nothing
        code.answer(refuse(libc::EPERM));
    });
    #[cfg(target_arch = "x86_64")]
    code.on_call(libc::SYS_mknod, |code| device_nodes(code, 1));
    code.on_call(libc::SYS_mknodat, |code| device_nodes(code, 2));
    code.on_call(libc::SYS_socket, |code| sockets(code, tier));
    code.answer(ALLOW);
    code.0
}

/// Calls that write by a path from the root or the working directory, which is how git and its libraries write. Below an
/// open directory the kernel decides alone, so that removing a large tree isn't slowed.
fn writes_by_path(code: &mut Assembler) {
    #[cfg(target_arch = "x86_64")]
    for number in [libc::SYS_creat, libc::SYS_unlink, libc::SYS_rmdir, libc::SYS_rename, libc::SYS_mkdir] {
        code.if_equal(number as u32, NOTIFY);
    }
    #[cfg(target_arch = "x86_64")]
    code.on_call(libc::SYS_open, |code| {
        code.load(argument(1));
        code.if_any_bit(WRITES as u32, NOTIFY);
    });
    code.on_call(libc::SYS_openat, |code| {
        code.load(argument(2));
        code.if_any_bit_then(WRITES as u32, |code| {
            code.load(argument(0));
            code.if_equal(HERE, NOTIFY);
        });
    });
    for number in [libc::SYS_unlinkat, libc::SYS_mkdirat, libc::SYS_renameat, libc::SYS_renameat2] {
        code.on_call(number, |code| {
            code.load(argument(0));
            code.if_equal(HERE, NOTIFY);
        });
    }
}

fn device_nodes(code: &mut Assembler, mode: u32) {
    code.load(argument(mode));
    code.and(libc::S_IFMT);
    code.if_equal(libc::S_IFCHR, refuse(libc::EPERM));
    code.if_equal(libc::S_IFBLK, refuse(libc::EPERM));
}

/// In a network namespace of its own the program may speak IP and Unix, plain streams and datagrams; without one,
/// nothing. (`socketpair` makes sockets that lead nowhere, so it stays.)
fn sockets(code: &mut Assembler, tier: Tier) {
    if tier < Tier::Full {
        code.answer(refuse(libc::EAFNOSUPPORT));
        return;
    }
    code.load(argument(1));
    code.and(0xf); // the type without SOCK_CLOEXEC and SOCK_NONBLOCK
    code.if_equal(libc::SOCK_RAW as u32, refuse(libc::EPERM));
    code.if_equal(SOCK_PACKET, refuse(libc::EPERM));
    code.load(argument(0));
    for family in [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6] {
        code.if_equal(family as u32, ALLOW);
    }
    code.answer(refuse(libc::EAFNOSUPPORT));
}

#[derive(Default)]
struct Assembler(Vec<sock_filter>);

impl Assembler {
    fn push(&mut self, code: u32, jump_true: u8, jump_false: u8, value: u32) {
        self.0.push(sock_filter { code: code as u16, jt: jump_true, jf: jump_false, k: value });
    }

    fn load(&mut self, offset: u32) {
        self.push(BPF_LD | BPF_W | BPF_ABS, 0, 0, offset);
    }

    fn and(&mut self, mask: u32) {
        self.push(libc::BPF_ALU | libc::BPF_AND | BPF_K, 0, 0, mask);
    }

    fn answer(&mut self, action: u32) {
        self.push(BPF_RET | BPF_K, 0, 0, action);
    }

    fn if_equal(&mut self, value: u32, action: u32) {
        self.push(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value);
        self.answer(action);
    }

    fn unless_equal(&mut self, value: u32, action: u32) {
        self.push(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, value);
        self.answer(action);
    }

    fn if_any_bit(&mut self, mask: u32, action: u32) {
        self.push(BPF_JMP | BPF_JSET | BPF_K, 0, 1, mask);
        self.answer(action);
    }

    fn if_any_bit_then(&mut self, mask: u32, body: impl FnOnce(&mut Self)) {
        let mut inner = Self::default();
        body(&mut inner);
        let skip = u8::try_from(inner.0.len()).unwrap_or(u8::MAX);
        self.push(BPF_JMP | BPF_JSET | BPF_K, 0, skip, mask);
        self.0.extend(inner.0);
    }

    /// Runs `body` for one call only. The number is loaded when it starts and again when it ends.
    fn on_call(&mut self, number: libc::c_long, body: impl FnOnce(&mut Self)) {
        let mut inner = Self::default();
        body(&mut inner);
        inner.load(NUMBER);
        // INVARIANT: a body is far shorter than the 255 instructions a jump can skip; the test below holds us to it.
        let skip = u8::try_from(inner.0.len()).unwrap_or(u8::MAX);
        self.push(BPF_JMP | BPF_JEQ | BPF_K, 0, skip, number as u32);
        self.0.extend(inner.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small machine for the instructions we use.
    fn run(program: &[sock_filter], number: libc::c_long, arguments: [u64; 6], architecture: u32) -> u32 {
        let mut data = Vec::new();
        data.extend((number as u32).to_le_bytes());
        data.extend(architecture.to_le_bytes());
        data.extend(0_u64.to_le_bytes());
        arguments.iter().for_each(|value| data.extend(value.to_le_bytes()));
        let (mut at, mut accumulator) = (0, 0_u32);
        loop {
            let line = program[at];
            at += 1;
            let jump = |taken: bool| usize::from(if taken { line.jt } else { line.jf });
            match u32::from(line.code) {
                code if code == BPF_LD | BPF_W | BPF_ABS => {
                    let from = line.k as usize;
                    accumulator = u32::from_le_bytes(data[from..from + 4].try_into().unwrap());
                }
                code if code == libc::BPF_ALU | libc::BPF_AND | BPF_K => accumulator &= line.k,
                code if code == BPF_RET | BPF_K => return line.k,
                code if code == BPF_JMP | BPF_JEQ | BPF_K => at += jump(accumulator == line.k),
                code if code == BPF_JMP | BPF_JSET | BPF_K => at += jump(accumulator & line.k != 0),
                other => panic!("instruction {other}"),
            }
        }
    }

    #[test]
    fn calls_are_answered_as_the_table_says() {
        let eperm = refuse(libc::EPERM);
        let family = refuse(libc::EAFNOSUPPORT);
        let rows: &[(libc::c_long, [u64; 6], u32, u32)] = &[
            (libc::SYS_read, [0; 6], ALLOW, ALLOW),
            (libc::SYS_ptrace, [0; 6], eperm, eperm),
            (libc::SYS_unshare, [0; 6], eperm, eperm),
            (libc::SYS_clone3, [0; 6], refuse(libc::ENOSYS), refuse(libc::ENOSYS)),
            (libc::SYS_clone, [libc::SIGCHLD as u64, 0, 0, 0, 0, 0], ALLOW, ALLOW),
            (libc::SYS_clone, [(libc::CLONE_NEWUSER | libc::SIGCHLD) as u64, 0, 0, 0, 0, 0], eperm, eperm),
            (libc::SYS_socket, [libc::AF_INET as u64, libc::SOCK_STREAM as u64, 0, 0, 0, 0], ALLOW, family),
            (libc::SYS_socket, [libc::AF_INET as u64, libc::SOCK_RAW as u64, 0, 0, 0, 0], eperm, family),
            (
                libc::SYS_socket,
                [libc::AF_NETLINK as u64, libc::SOCK_DGRAM as u64, 0, 0, 0, 0],
                family,
                family,
            ),
            (libc::SYS_socket, [libc::AF_VSOCK as u64, libc::SOCK_STREAM as u64, 0, 0, 0, 0], family, family),
            (libc::SYS_ioctl, [0, libc::TIOCSTI, 0, 0, 0, 0], eperm, eperm),
            // The kernel looks at the low 32 bits of the request only (CVE-2019-10063).
            (libc::SYS_ioctl, [0, libc::TIOCSTI | 1 << 40, 0, 0, 0, 0], eperm, eperm),
            (libc::SYS_ioctl, [0, 0x5401, 0, 0, 0, 0], ALLOW, ALLOW),
            (libc::SYS_personality, [0; 6], ALLOW, ALLOW),
            (libc::SYS_personality, [0xffff_ffff, 0, 0, 0, 0, 0], ALLOW, ALLOW),
            (libc::SYS_personality, [0x0040_0000, 0, 0, 0, 0, 0], eperm, eperm),
            (libc::SYS_mknodat, [0, 0, u64::from(libc::S_IFBLK | 0o600), 0, 0, 0], eperm, eperm),
            (libc::SYS_mknodat, [0, 0, u64::from(libc::S_IFIFO | 0o600), 0, 0, 0], ALLOW, ALLOW),
        ];
        let (full, restricted) = (program(Tier::Full, Heard::default()), program(Tier::Restricted, Heard::default()));
        for (number, arguments, in_full, in_restricted) in rows {
            assert_eq!(run(&full, *number, *arguments, NATIVE), *in_full, "{number} {arguments:?}");
            assert_eq!(
                run(&restricted, *number, *arguments, NATIVE),
                *in_restricted,
                "{number} {arguments:?}"
            );
        }
        assert_eq!(run(&full, libc::SYS_read, [0; 6], 0x4000_0003), refuse(libc::ENOSYS), "i386");
        assert_eq!(run(&full, libc::SYS_read | 0x4000_0000, [0; 6], NATIVE), refuse(libc::ENOSYS), "x32");
    }

    #[test]
    fn no_body_is_longer_than_a_jump() {
        for line in program(Tier::Full, Heard { observed: true, git: true }) {
            assert!(line.jf < u8::MAX);
        }
    }
}
