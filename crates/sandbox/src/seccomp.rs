//! The system call filter, assembled by hand from one table.
//!
//! Default allow with a list of refusals: kernel surfaces that no build or test needs, and every way to new
//! namespaces. `clone3` is answered ENOSYS because its flags lie in memory that a filter can't read (libc then
//! falls back to `clone`, whose flags it can). Calls of another architecture and x32 calls are all refused: the
//! filter knows only one table of numbers.

use crate::git::broker::{HERE, WRITES};
use doorward_core::Tier;
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

/// Refused with ENOSYS, so that libraries take their older way. The flags of `clone3` and the mode of `openat2` lie in
/// memory, where a filter can't look.
const ABSENT: &[libc::c_long] = &[
    libc::SYS_clone3,
    libc::SYS_openat2,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
];

/// Namespace flags of `clone(2)`; there CLONE_NEWTIME shares its bit with the exit signal and has no effect.
const NAMESPACES: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u32;

/// The oldest way to raw packets (`socket(2)`).
const SOCK_PACKET: u32 = 10;

/// Terminal calls that inject input.
const TERMINAL: &[u32] = &[libc::TIOCSTI as u32, 0x541C /* TIOCLINUX */];

/// The calls that the keeper is notified of before they happen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Heard {
    /// Calls that start programs and contact hosts.
    pub(crate) observed: bool,
    /// Calls that write by path, which may concern git's state, and calls that create a name.
    pub(crate) files: bool,
}

impl Heard {
    pub(crate) const fn any(self) -> bool {
        self.observed || self.files
    }
}

/// Parameters of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Filter {
    pub(crate) tier: Tier,
    pub(crate) heard: Heard,
    /// Anonymous files are allowed, because a control group counts their memory. Supervision can't see it: they
    /// needn't be mapped or be in any process's descriptor table.
    pub(crate) memory_files: bool,
    /// System V segments and queues are allowed: they are the run's own, and their size is limited.
    pub(crate) system_v: bool,
}

/// Anonymous files. If refused, libraries use a file in the temp folder or `/dev/shm`, whose size is limited.
const MEMORY_FILES: &[libc::c_long] = &[libc::SYS_memfd_create, libc::SYS_memfd_secret];
/// Objects that outlive their process and that no limit counts.
const SYSTEM_V: &[libc::c_long] = &[libc::SYS_shmget, libc::SYS_msgget, libc::SYS_semget];
/// The `chmod` calls, each with the position of its mode argument.
const MODES: &[(libc::c_long, u32)] = &[
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, 1),
    (libc::SYS_fchmod, 1),
    (libc::SYS_fchmodat, 2),
    (FCHMODAT2, 2),
];
/// `fchmodat2(2)`, Linux 6.6, the same number on all architectures.
const FCHMODAT2: libc::c_long = 452;
const SET_ID: u32 = libc::S_ISUID | libc::S_ISGID;

/// Assembles the filter.
pub(crate) fn program(filter: &Filter) -> Vec<sock_filter> {
    let Filter { tier, heard, .. } = *filter;
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
    let absent = [(filter.memory_files, MEMORY_FILES), (filter.system_v, SYSTEM_V)];
    for number in absent.iter().filter(|(allowed, _)| !allowed).flat_map(|(_, numbers)| *numbers) {
        code.if_equal(*number as u32, refuse(libc::ENOSYS));
    }
    set_ids(&mut code);
    if heard.observed {
        for number in crate::observe::WATCHED {
            code.if_equal(*number as u32, NOTIFY);
        }
    }
    if heard.files {
        writes_by_path(&mut code);
        creations(&mut code);
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
        code.if_equal(u32::MAX, ALLOW); // a query, changes nothing
        code.answer(refuse(libc::EPERM));
    });
    #[cfg(target_arch = "x86_64")]
    code.on_call(libc::SYS_mknod, |code| device_nodes(code, 1));
    code.on_call(libc::SYS_mknodat, |code| device_nodes(code, 2));
    code.on_call(libc::SYS_socket, |code| sockets(code, tier));
    code.answer(ALLOW);
    code.0
}

/// Calls that write by absolute path or from the working directory, as git and its libraries do. Removals relative to
/// an open directory aren't notified, so that removing a large tree stays fast.
fn writes_by_path(code: &mut Assembler) {
    #[cfg(target_arch = "x86_64")]
    for number in [
        libc::SYS_creat,
        libc::SYS_unlink,
        libc::SYS_rmdir,
        libc::SYS_rename,
        libc::SYS_mkdir,
        libc::SYS_chmod,
    ] {
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
    for number in [libc::SYS_unlinkat, libc::SYS_fchmodat] {
        code.on_call(number, |code| {
            code.load(argument(0));
            code.if_equal(HERE, NOTIFY);
        });
    }
}

/// Calls that create a name, wherever.
fn creations(code: &mut Assembler) {
    for number in [
        libc::SYS_mkdirat,
        libc::SYS_renameat,
        libc::SYS_renameat2,
        libc::SYS_linkat,
        libc::SYS_symlinkat,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_link,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_symlink,
    ] {
        code.if_equal(number as u32, NOTIFY);
    }
    code.on_call(libc::SYS_openat, |code| {
        code.load(argument(2));
        code.if_any_bit(libc::O_CREAT as u32, NOTIFY);
    });
    let nodes: &[(libc::c_long, u32)] = &[
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_mknod, 1),
        (libc::SYS_mknodat, 2),
    ];
    for (number, mode) in nodes {
        code.on_call(*number, |code| {
            device_nodes(code, *mode);
            code.answer(NOTIFY);
        });
    }
}

/// Refuses set-uid and set-gid bits, both in chmod and at file creation. Inside they have no effect, but the file
/// stays in the root.
fn set_ids(code: &mut Assembler) {
    for (number, mode) in MODES {
        code.on_call(*number, |code| {
            code.load(argument(*mode));
            code.if_any_bit(SET_ID, refuse(libc::EPERM));
        });
    }
    let made = |code: &mut Assembler, flags: u32, mode: u32| {
        code.load(argument(flags));
        code.if_any_bit_then((libc::O_CREAT | libc::O_TMPFILE & !libc::O_DIRECTORY) as u32, |code| {
            code.load(argument(mode));
            code.if_any_bit(SET_ID, refuse(libc::EPERM));
        });
    };
    #[cfg(target_arch = "x86_64")]
    {
        code.on_call(libc::SYS_open, |code| made(code, 1, 2));
        code.on_call(libc::SYS_creat, |code| {
            code.load(argument(1));
            code.if_any_bit(SET_ID, refuse(libc::EPERM));
        });
    }
    code.on_call(libc::SYS_openat, |code| made(code, 2, 3));
}

fn device_nodes(code: &mut Assembler, mode: u32) {
    code.load(argument(mode));
    code.if_any_bit(SET_ID, refuse(libc::EPERM));
    code.and(libc::S_IFMT);
    code.if_equal(libc::S_IFCHR, refuse(libc::EPERM));
    code.if_equal(libc::S_IFBLK, refuse(libc::EPERM));
}

/// In a network namespace of its own the program may use IP and Unix sockets, streams and datagrams only; without a
/// namespace, none. (`socketpair` is allowed: its sockets lead nowhere.)
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

    /// Runs `body` for one call number only. The number is loaded before the body and again after it.
    fn on_call(&mut self, number: libc::c_long, body: impl FnOnce(&mut Self)) {
        let mut inner = Self::default();
        body(&mut inner);
        inner.load(NUMBER);
        // INVARIANT: a body is far shorter than the 255 instructions a jump can skip; the test below checks it.
        let skip = u8::try_from(inner.0.len()).unwrap_or(u8::MAX);
        self.push(BPF_JMP | BPF_JEQ | BPF_K, 0, skip, number as u32);
        self.0.extend(inner.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small interpreter for the instructions we use.
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
            // The kernel reads only the low 32 bits of the request (CVE-2019-10063).
            (libc::SYS_ioctl, [0, libc::TIOCSTI | 1 << 40, 0, 0, 0, 0], eperm, eperm),
            (libc::SYS_ioctl, [0, 0x5401, 0, 0, 0, 0], ALLOW, ALLOW),
            (libc::SYS_personality, [0; 6], ALLOW, ALLOW),
            (libc::SYS_personality, [0xffff_ffff, 0, 0, 0, 0, 0], ALLOW, ALLOW),
            (libc::SYS_personality, [0x0040_0000, 0, 0, 0, 0, 0], eperm, eperm),
            (libc::SYS_mknodat, [0, 0, u64::from(libc::S_IFBLK | 0o600), 0, 0, 0], eperm, eperm),
            (libc::SYS_mknodat, [0, 0, u64::from(libc::S_IFIFO | 0o600), 0, 0, 0], ALLOW, ALLOW),
        ];
        let (full, restricted) = (plain(Tier::Full), plain(Tier::Restricted));
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

    fn plain(tier: Tier) -> Vec<sock_filter> {
        program(&Filter { tier, heard: Heard::default(), memory_files: true, system_v: true })
    }

    #[test]
    fn what_holds_uncounted_memory_is_absent_where_it_isnt_counted() {
        let filter =
            Filter { tier: Tier::Full, heard: Heard::default(), memory_files: false, system_v: false };
        let (closed, open) = (program(&filter), plain(Tier::Full));
        for number in MEMORY_FILES.iter().chain(SYSTEM_V) {
            assert_eq!(run(&closed, *number, [0; 6], NATIVE), refuse(libc::ENOSYS), "{number}");
            assert_eq!(run(&open, *number, [0; 6], NATIVE), ALLOW, "{number}");
        }
    }

    #[test]
    fn no_file_gets_another_identity() {
        let full = plain(Tier::Full);
        let eperm = refuse(libc::EPERM);
        let at = |place: usize, value: u64| {
            let mut arguments = [0; 6];
            arguments[place] = value;
            arguments
        };
        for (number, mode) in MODES {
            for (bits, answer) in
                [(0o755, ALLOW), (0o1777, ALLOW), (0o4755, eperm), (0o2755, eperm), (0o6000, eperm)]
            {
                assert_eq!(
                    run(&full, *number, at(*mode as usize, bits), NATIVE),
                    answer,
                    "{number} {bits:o}"
                );
            }
        }
        let create = libc::O_CREAT as u64;
        let temporary = libc::O_TMPFILE as u64;
        for (flags, mode, answer) in [
            (create, 0o4755, eperm),
            (temporary, 0o4755, eperm),
            (create, 0o755, ALLOW),
            (0, 0o4755, ALLOW),
            (libc::O_DIRECTORY as u64, 0o4755, ALLOW),
        ] {
            assert_eq!(
                run(&full, libc::SYS_openat, [0, 0, flags, mode, 0, 0], NATIVE),
                answer,
                "{flags:o} {mode:o}"
            );
        }
        assert_eq!(run(&full, libc::SYS_mknodat, at(2, u64::from(libc::S_IFREG | 0o4755)), NATIVE), eperm);
        assert_eq!(
            run(&full, libc::SYS_openat2, [0; 6], NATIVE),
            refuse(libc::ENOSYS),
            "its mode lies in memory"
        );
    }

    #[test]
    fn calls_that_write_by_a_path_are_heard() {
        let heard = Heard { observed: false, files: true };
        let filter = program(&Filter { tier: Tier::Full, heard, memory_files: true, system_v: true });
        let here = u64::from(HERE);
        let (write, read) = (libc::O_WRONLY as u64, libc::O_RDONLY as u64);
        for (number, arguments, answer) in [
            (libc::SYS_openat, [here, 0, write, 0, 0, 0], NOTIFY),
            (libc::SYS_openat, [u64::MAX << 32 | here, 0, write, 0, 0, 0], NOTIFY),
            (libc::SYS_openat, [here, 0, libc::O_CREAT as u64, 0o4755, 0, 0], refuse(libc::EPERM)),
            (libc::SYS_openat, [here, 0, read, 0, 0, 0], ALLOW),
            (libc::SYS_openat, [5, 0, write, 0, 0, 0], ALLOW),
            (libc::SYS_unlinkat, [here, 0, 0, 0, 0, 0], NOTIFY),
            (libc::SYS_unlinkat, [5, 0, 0, 0, 0, 0], ALLOW),
            (libc::SYS_fchmodat, [here, 0, 0o644, 0, 0, 0], NOTIFY),
            (libc::SYS_fchmodat, [here, 0, 0o4755, 0, 0, 0], refuse(libc::EPERM)),
            (libc::SYS_renameat2, [here, 0, 0, 0, 0, 0], NOTIFY),
            (libc::SYS_mkdirat, [here, 0, 0, 0, 0, 0], NOTIFY),
            (libc::SYS_mkdirat, [5, 0, 0, 0, 0, 0], NOTIFY),
            (libc::SYS_openat, [5, 0, libc::O_CREAT as u64, 0o644, 0, 0], NOTIFY),
            (libc::SYS_mknodat, [5, 0, u64::from(libc::S_IFREG), 0, 0, 0], NOTIFY),
            (libc::SYS_mknodat, [5, 0, u64::from(libc::S_IFBLK), 0, 0, 0], refuse(libc::EPERM)),
        ] {
            assert_eq!(run(&filter, number, arguments, NATIVE), answer, "{number} {arguments:?}");
        }
    }

    #[test]
    fn no_body_is_longer_than_a_jump() {
        let heard = Heard { observed: true, files: true };
        let all = Filter { tier: Tier::Full, heard, memory_files: false, system_v: false };
        for line in program(&all) {
            assert!(line.jf < u8::MAX);
        }
    }
}
