//! The probe program: runs inside, like a tool, tries each forbidden action and reports the result.
//!
//! Each attempt runs in a child process, so that being killed is a result too. Effects outside are checked from
//! outside; this program reports only the kernel's answers.

use std::collections::BTreeMap;
use std::ffi::c_long;
use std::fs;
use std::io::{self, Read};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::fd::AsFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::{SocketAddr, UnixStream};
use std::path::Path;
use std::time::Duration;

use super::Targets;
use crate::sys::{self, Forked, raw_call};

/// Result of an attempt: 0 if it succeeded, else the errno. Higher codes are ours.
type Answer = io::Result<()>;

/// The program's `main`. Its one argument chooses the part: `all`, `memory`, `forks` or `survive`.
pub(crate) fn main() -> ! {
    let part = std::env::args().nth(1).unwrap_or_default();
    let mut text = String::new();
    let _ = io::stdin().read_to_string(&mut text);
    let Ok(targets) = serde_json::from_str::<Targets>(&text) else { sys::exit_now(2) };
    match part.as_str() {
        "all" => all(&targets),
        "memory" => memory(),
        "hidden" => hidden_memory(),
        "forks" => forks(),
        "survive" => survive(&targets),
        _ => sys::exit_now(2),
    }
    sys::exit_now(0)
}

fn all(targets: &Targets) {
    let mut answers: BTreeMap<&str, i32> = BTreeMap::new();
    for (name, attempt) in ATTEMPTS {
        answers.insert(name, in_child(|| attempt(targets)));
    }
    // Not in a child: these are about this very process.
    for (name, look) in LOOKS {
        answers.insert(name, look(targets));
    }
    println!("{}", serde_json::to_string(&answers).unwrap_or_default());
}

/// 0 if the attempt succeeded, its errno if it was refused, [`super::KILLED`] if it was killed for it.
fn in_child(attempt: impl FnOnce() -> Answer) -> i32 {
    match sys::fork_into(0) {
        Ok(Forked::Child) => {
            let code = attempt().err().map_or(0, |error| match error.raw_os_error() {
                Some(errno @ 1..=200) => errno,
                _ => super::FAILED,
            });
            sys::exit_now(code)
        }
        Ok(Forked::Parent { pid, .. }) => match sys::wait(pid, 0) {
            Ok(Some(waited)) if libc::WIFEXITED(waited.status) => libc::WEXITSTATUS(waited.status),
            _ => super::KILLED,
        },
        Err(_) => super::FAILED,
    }
}

fn call(number: c_long, arguments: [c_long; 6]) -> Answer {
    raw_call(number, arguments).map(drop).map_err(io::Error::from_raw_os_error)
}

fn socket(family: i32, kind: i32, protocol: i32) -> Answer {
    call(libc::SYS_socket, [c_long::from(family), c_long::from(kind), c_long::from(protocol), 0, 0, 0])
}

fn pointer<T>(value: &T) -> c_long {
    std::ptr::from_ref(value) as c_long
}

fn refused() -> Answer {
    Err(io::Error::from_raw_os_error(libc::EACCES))
}

fn outside(targets: &Targets, name: &str) -> std::path::PathBuf {
    Path::new(&targets.outside).join(name)
}

fn open_write(path: impl AsRef<Path>) -> Answer {
    fs::OpenOptions::new().write(true).open(path).map(drop)
}

type Attempt = fn(&Targets) -> Answer;

/// One row per forbidden action.
const ATTEMPTS: &[(&str, Attempt)] = &[
    ("fs.read_outside", |t| fs::read(outside(t, "secret")).map(drop)),
    ("fs.read_etc_shadow", |_| fs::read("/etc/shadow").map(drop)),
    ("fs.write_outside", |t| fs::write(outside(t, "written"), "x")),
    ("fs.unlink_outside", |t| fs::remove_file(outside(t, "delete"))),
    ("fs.truncate_outside", |t| fs::File::create(outside(t, "truncate")).map(drop)),
    ("fs.rename_out", |t| {
        fs::write("renamed", "x")?;
        fs::rename("renamed", outside(t, "renamed"))
    }),
    ("fs.write_via_symlink", |t| {
        std::os::unix::fs::symlink(outside(t, "target"), "planted-link")?;
        fs::write("planted-link", "bad")
    }),
    ("fs.hardlink_then_write", |t| {
        fs::hard_link(outside(t, "target"), "planted-hard")?;
        fs::write("planted-hard", "bad")
    }),
    ("fs.chmod_outside", |t| fs::set_permissions(outside(t, "target"), PermissionsExt::from_mode(0o666))),
    ("fs.chown_outside", |t| {
        let owner = fs::metadata(outside(t, "target"))?;
        std::os::unix::fs::chown(outside(t, "target"), Some(owner.uid()), Some(owner.gid()))
    }),
    ("fs.setxattr_outside", |t| {
        let path = sys::c_string(outside(t, "target").as_os_str().as_encoded_bytes())?;
        let (name, value) = (c"user.probe", c"x");
        call(
            libc::SYS_setxattr,
            [path.as_ptr() as c_long, name.as_ptr() as c_long, value.as_ptr() as c_long, 1, 0, 0],
        )
    }),
    ("fs.utime_outside", |t| {
        let path = sys::c_string(outside(t, "target").as_os_str().as_encoded_bytes())?;
        call(libc::SYS_utimensat, [c_long::from(libc::AT_FDCWD), path.as_ptr() as c_long, 0, 0, 0, 0])
    }),
    ("fs.write_ws", |_| fs::write("probe-wrote", "x")),
    ("fs.write_git_hook", |_| {
        fs::create_dir_all(".git/hooks")?;
        fs::write(".git/hooks/x", "x")
    }),
    ("fs.write_git_config", |_| fs::write(".git/config", "[core]\n")),
    ("fs.write_git_commondir", |_| fs::write(".git/commondir", "..\n")),
    ("fs.write_git_index", |_| {
        fs::write(".git/index.lock", "x")?;
        fs::rename(".git/index.lock", ".git/index")
    }),
    ("fs.write_agent_settings", |_| {
        fs::create_dir_all(".claude")?;
        fs::write(".claude/settings.json", "{}")
    }),
    ("fs.set_user_id", |_| {
        fs::write("set-user-id", "x")?;
        fs::set_permissions("set-user-id", std::os::unix::fs::PermissionsExt::from_mode(0o4755))
    }),
    ("fs.mknod", |_| {
        let device = libc::makedev(1, 3) as c_long;
        let mode = c_long::from(libc::S_IFCHR | 0o600);
        call(
            libc::SYS_mknodat,
            [c_long::from(libc::AT_FDCWD), c"node".as_ptr() as c_long, mode, device, 0, 0],
        )
    }),
    ("fs.write_tmp", |t| fs::write(Path::new("/tmp").join(&t.mark), "x")),
    ("fs.write_shm", |t| fs::write(Path::new("/dev/shm").join(&t.mark), "x")),
    ("fs.raw_disk_read", |t| {
        if t.disk.is_empty() {
            return Err(io::Error::from_raw_os_error(super::NOT_HERE));
        }
        fs::File::open(&t.disk).map(drop)
    }),
    ("fs.core_pattern_write", |_| open_write("/proc/sys/kernel/core_pattern")),
    ("fs.sysrq_open_w", |_| {
        open_write("/proc/sysrq-trigger").and_then(|()| {
            // A masking null device accepts writes without effect.
            if fs::metadata("/proc/sysrq-trigger")?.rdev() == libc::makedev(1, 3) {
                refused()
            } else {
                Ok(())
            }
        })
    }),
    ("fs.cgroup_write", |t| {
        if t.cgroups.is_empty() {
            return Err(io::Error::from_raw_os_error(super::NOT_HERE));
        }
        let mut last = Ok(());
        for place in &t.cgroups {
            last = fs::create_dir(Path::new(place).join(&t.mark));
            if last.is_ok() {
                let _ = fs::remove_dir(Path::new(place).join(&t.mark));
                break;
            }
        }
        last
    }),
    ("net.tcp_loopback_host", |t| {
        TcpStream::connect_timeout(&([127, 0, 0, 1], t.tcp_port).into(), Duration::from_millis(500)).map(drop)
    }),
    ("net.udp_loopback_host", |t| {
        UdpSocket::bind("127.0.0.1:0")?.send_to(t.mark.as_bytes(), ("127.0.0.1", t.udp_port)).map(drop)
    }),
    // Connecting a datagram socket sends nothing; it only checks for a route.
    ("net.udp_route_ext", |_| UdpSocket::bind("0.0.0.0:0")?.connect("192.0.2.1:9")),
    ("net.bind_listen", |_| TcpListener::bind("127.0.0.1:0").map(drop)),
    ("ipc.unix_path_outside", |t| UnixStream::connect(outside(t, "socket")).map(drop)),
    ("ipc.unix_abstract_host", |t| {
        UnixStream::connect_addr(&SocketAddr::from_abstract_name(&t.mark)?).map(drop)
    }),
    ("net.raw", |_| socket(libc::AF_INET, libc::SOCK_RAW, libc::IPPROTO_ICMP)),
    ("net.packet", |_| socket(libc::AF_PACKET, libc::SOCK_RAW, 0)),
    ("net.netlink", |_| socket(libc::AF_NETLINK, libc::SOCK_RAW, 0)),
    ("net.vsock", |_| socket(libc::AF_VSOCK, libc::SOCK_STREAM, 0)),
    ("net.alg", |_| socket(libc::AF_ALG, libc::SOCK_SEQPACKET, 0)),
    ("proc.host_environ", |t| {
        let environ = fs::read(format!("/proc/{}/environ", t.canary))?;
        // Another process may have that number here.
        let mark = t.mark.as_bytes();
        if environ.windows(mark.len()).any(|window| window == mark) { Ok(()) } else { refused() }
    }),
    ("proc.signal_host", |t| if t.canary_is_hidden() { refused() } else { sys::kill(t.canary, 0) }),
    ("proc.ptrace_host", |t| {
        call(libc::SYS_ptrace, [libc::PTRACE_SEIZE as c_long, c_long::from(t.canary), 0, 0, 0, 0])
    }),
    ("proc.ptrace_child", |_| match sys::fork_into(0)? {
        Forked::Child => {
            std::thread::sleep(Duration::from_secs(2));
            sys::exit_now(0)
        }
        Forked::Parent { pid, pidfd } => {
            let answer =
                call(libc::SYS_ptrace, [libc::PTRACE_SEIZE as c_long, c_long::from(pid), 0, 0, 0, 0]);
            let _ = sys::signal_pidfd(pidfd.as_fd(), libc::SIGKILL);
            answer
        }
    }),
    ("proc.parent_memory", |_| {
        let parent = raw_call(libc::SYS_getppid, [0; 6]).map_err(io::Error::from_raw_os_error)?;
        let grandparent = fs::read_to_string(format!("/proc/{parent}/stat"))?;
        let grandparent =
            grandparent.rsplit_once(')').and_then(|(_, rest)| rest.split(' ').nth(2)).unwrap_or("1");
        // The parent's parent started this program: init or the keeper.
        let target = if grandparent == "0" { "1" } else { grandparent };
        fs::File::open(format!("/proc/{target}/mem")).map(drop)
    }),
    ("proc.oom_score_adj", |_| fs::write("/proc/self/oom_score_adj", "-1000")),
    ("sys.keyctl", |_| call(libc::SYS_keyctl, [0, -3, 1, 0, 0, 0])),
    ("sys.add_key", |_| {
        let (kind, name, value) = (c"user", c"probe", c"x");
        call(
            libc::SYS_add_key,
            [kind.as_ptr() as c_long, name.as_ptr() as c_long, value.as_ptr() as c_long, 1, -2, 0],
        )
    }),
    ("sys.io_uring_setup", |_| call(libc::SYS_io_uring_setup, [1, pointer(&[0_u64; 16]), 0, 0, 0, 0])),
    ("sys.bpf", |_| {
        // BPF_MAP_CREATE of an array with one entry of four bytes.
        let mut attribute = [0_u32; 32];
        attribute[..4].copy_from_slice(&[2, 4, 4, 1]);
        call(libc::SYS_bpf, [0, pointer(&attribute), 72, 0, 0, 0])
    }),
    ("sys.perf_event_open", |_| {
        // PERF_TYPE_SOFTWARE, size 112, PERF_COUNT_SW_CPU_CLOCK, this process, user mode only.
        let mut attribute = [0_u32; 28];
        attribute[..2].copy_from_slice(&[1, 112]);
        attribute[10] = 0b110_0000;
        call(libc::SYS_perf_event_open, [pointer(&attribute), 0, -1, -1, 0, 0])
    }),
    ("sys.userfaultfd", |_| call(libc::SYS_userfaultfd, [c_long::from(libc::O_CLOEXEC) | 1, 0, 0, 0, 0, 0])),
    ("sys.open_by_handle_at", |_| {
        let handle = [8_u32, 1, 2, 0];
        call(libc::SYS_open_by_handle_at, [c_long::from(libc::AT_FDCWD), pointer(&handle), 0, 0, 0, 0])
    }),
    ("sys.unshare_userns", |_| sys::unshare(libc::CLONE_NEWUSER)),
    ("sys.clone_userns", |_| match sys::fork_into(libc::CLONE_NEWUSER)? {
        Forked::Child => sys::exit_now(0),
        Forked::Parent { .. } => Ok(()),
    }),
    ("sys.clone3_userns", |_| {
        let mut arguments = [0_u64; 11];
        (arguments[0], arguments[4]) = (libc::CLONE_NEWUSER as u64, libc::SIGCHLD as u64);
        match raw_call(libc::SYS_clone3, [pointer(&arguments), 88, 0, 0, 0, 0]) {
            Ok(0) => sys::exit_now(0),
            other => other.map(drop).map_err(io::Error::from_raw_os_error),
        }
    }),
    ("sys.setns", |_| {
        let own = fs::File::open("/proc/self/ns/uts");
        let fd = own.as_ref().map_or(-1, std::os::fd::AsRawFd::as_raw_fd);
        call(libc::SYS_setns, [c_long::from(fd), 0, 0, 0, 0, 0])
    }),
    ("sys.mount_tmpfs", |_| {
        sys::mount("tmpfs", Path::new("."), "tmpfs", 0, "")?;
        // Under a launcher without isolation this was mounted on the host: remove it.
        std::env::current_dir().and_then(|here| sys::detach(&here))
    }),
    ("sys.fsopen", |_| call(libc::SYS_fsopen, [c"tmpfs".as_ptr() as c_long, 0, 0, 0, 0, 0])),
    ("sys.open_tree", |_| sys::copy_tree(fs::File::open(".")?.as_fd()).map(drop)),
    ("sys.move_mount", |_| {
        let here = fs::File::open(".")?;
        sys::attach(here.as_fd(), here.as_fd())
    }),
    ("sys.mount_setattr", |_| sys::set_mount(fs::File::open("/")?.as_fd(), 0, false, None)),
    ("sys.chroot", |_| call(libc::SYS_chroot, [c"/".as_ptr() as c_long, 0, 0, 0, 0, 0])),
    ("sys.pidfd_getfd", |_| {
        let pid = c_long::from(std::process::id());
        let pidfd =
            raw_call(libc::SYS_pidfd_open, [pid, 0, 0, 0, 0, 0]).map_err(io::Error::from_raw_os_error)?;
        call(libc::SYS_pidfd_getfd, [pidfd, 1, 0, 0, 0, 0])
    }),
    ("sys.process_vm_readv", |_| vector(libc::SYS_process_vm_readv)),
    ("sys.process_vm_writev", |_| vector(libc::SYS_process_vm_writev)),
    ("sys.process_madvise", |_| {
        let pid = c_long::from(std::process::id());
        let pidfd =
            raw_call(libc::SYS_pidfd_open, [pid, 0, 0, 0, 0, 0]).map_err(io::Error::from_raw_os_error)?;
        let place = vec![0_u8; 8192];
        let part = [(place.as_ptr() as u64).next_multiple_of(4096), 4096];
        call(libc::SYS_process_madvise, [pidfd, pointer(&part), 1, c_long::from(libc::MADV_COLD), 0, 0])
    }),
    ("sys.personality", |_| call(libc::SYS_personality, [0x0040_0000, 0, 0, 0, 0, 0])),
    ("sys.sched_realtime", |_| call(libc::SYS_sched_setscheduler, [0, 1, pointer(&1_i32), 0, 0, 0])),
    ("sys.i386_entry", |_| if sys::legacy_getpid() > 0 { Ok(()) } else { refused() }),
    ("sys.x32_numbers", |_| call(libc::SYS_getpid | 0x4000_0000, [0; 6])),
    ("sys.landlock_self", |_| {
        sys::no_new_privileges()?;
        let rules = sys::landlock_ruleset(1, 0, 0)?;
        sys::landlock_restrict(rules.as_fd())
    }),
    ("sys.memfd_execveat", |_| {
        let file = sys::memory_file(c"probe")?;
        io::copy(&mut fs::File::open("/bin/true")?, &mut fs::File::from(file.try_clone()?))?;
        let arguments = [c"true".as_ptr() as c_long, 0];
        let fd = c_long::from(std::os::fd::AsRawFd::as_raw_fd(&file));
        call(
            libc::SYS_execveat,
            [fd, c"".as_ptr() as c_long, pointer(&arguments), 0, c_long::from(libc::AT_EMPTY_PATH), 0],
        )
    }),
    ("tty.tiocsti", |_| {
        call(libc::SYS_ioctl, [0, libc::TIOCSTI as c_long, c"x".as_ptr() as c_long, 0, 0, 0])
    }),
    ("tty.tioclinux", |_| call(libc::SYS_ioctl, [0, 0x541C, c"\x02".as_ptr() as c_long, 0, 0, 0])),
    ("lim.core_dump", |_| {
        // A core dump, if any, is searched for from outside.
        std::env::set_current_dir(".")?;
        let _ = sys::kill(i32::try_from(std::process::id()).unwrap_or(0), libc::SIGQUIT);
        refused()
    }),
];

fn vector(number: c_long) -> Answer {
    let (from, into) = ([7_u8; 8], [0_u8; 8]);
    let (local, remote) = ([pointer(&into), 8], [pointer(&from), 8]);
    let pid = c_long::from(std::process::id());
    call(number, [pid, pointer(&local), 1, pointer(&remote), 1, 0])
}

/// Inspects this process itself; 0 means open.
type Look = fn(&Targets) -> i32;

const LOOKS: &[(&str, Look)] = &[
    ("fd.inherited_9", |t| {
        let mut buffer = [0_u8; 8];
        closed_if(
            raw_call(libc::SYS_read, [c_long::from(t.inherited), buffer.as_mut_ptr() as c_long, 8, 0, 0, 0])
                .is_err(),
        )
    }),
    ("env.secret", |t| closed_if(std::env::vars_os().all(|(_, value)| value != t.mark.as_str()))),
    ("proc.count_visible", |_| match fs::read_dir("/proc") {
        Ok(all) => {
            let count = all
                .flatten()
                .filter(|entry| entry.file_name().to_string_lossy().bytes().all(|byte| byte.is_ascii_digit()))
                .count();
            // Init and this program; a peer sandbox may add one helper.
            closed_if(count <= 3)
        }
        Err(error) => error.raw_os_error().unwrap_or(super::FAILED),
    }),
    ("st.CapEff", |_| {
        let mut sets = [0_u32; 6];
        let header = [0x2008_0522_u32, 0];
        let told = raw_call(libc::SYS_capget, [pointer(&header), sets.as_mut_ptr() as c_long, 0, 0, 0, 0]);
        closed_if(told.is_ok() && sets.iter().all(|set| *set == 0))
    }),
    ("st.CapBnd", |_| {
        let holds = |capability| {
            raw_call(libc::SYS_prctl, [c_long::from(libc::PR_CAPBSET_READ), capability, 0, 0, 0, 0]) == Ok(1)
        };
        closed_if(!(0..64).any(holds))
    }),
    ("st.NoNewPrivs", |_| {
        closed_if(
            raw_call(libc::SYS_prctl, [c_long::from(libc::PR_GET_NO_NEW_PRIVS), 0, 0, 0, 0, 0]) == Ok(1),
        )
    }),
    ("st.Seccomp", |_| {
        closed_if(raw_call(libc::SYS_prctl, [c_long::from(libc::PR_GET_SECCOMP), 0, 0, 0, 0, 0]) == Ok(2))
    }),
    ("st.uid", |_| closed_if(sys::ids().0 != 0)),
];

fn closed_if(closed: bool) -> i32 {
    if closed { super::FAILED } else { 0 }
}

/// Touches 700 MiB.
fn memory() {
    let mut held = Vec::new();
    for _ in 0..700 {
        held.push(vec![1_u8; 1 << 20]);
    }
    if std::hint::black_box(&held).len() == 700 {
        println!("open");
    }
}

/// Fills 700 MiB of an unmapped anonymous file, or of a System V segment if that isn't available.
fn hidden_memory() {
    const MOST: usize = 700;
    let block = vec![1_u8; 1 << 20];
    let name = c"x".as_ptr() as c_long;
    if let Ok(file) = sys::raw_call(libc::SYS_memfd_create, [name, 0, 0, 0, 0, 0]) {
        let Ok(mut file) = fs::OpenOptions::new().write(true).open(format!("/proc/self/fd/{file}")) else {
            return;
        };
        if (0..MOST).all(|_| io::Write::write_all(&mut file, &block).is_ok()) {
            std::thread::sleep(std::time::Duration::from_millis(500));
            println!("open");
        }
        return;
    }
    let size = (MOST << 20) as c_long;
    let create = c_long::from(libc::IPC_CREAT | 0o600);
    let private = c_long::from(libc::IPC_PRIVATE);
    let Ok(segment) = sys::raw_call(libc::SYS_shmget, [private, size, create, 0, 0, 0]) else { return };
    let Ok(at) = sys::raw_call(libc::SYS_shmat, [segment, 0, 0, 0, 0, 0]) else { return };
    let Ok(zeros) = fs::File::open("/dev/zero") else { return };
    let from = c_long::from(std::os::fd::AsRawFd::as_raw_fd(&zeros));
    let filled = (0..MOST as c_long)
        .all(|block| sys::raw_call(libc::SYS_read, [from, at + (block << 20), 1 << 20, 0, 0, 0]).is_ok());
    if filled {
        std::thread::sleep(std::time::Duration::from_millis(500));
        println!("open");
    }
}

/// Makes 600 children.
fn forks() {
    let mut made = 0;
    for _ in 0..600 {
        match sys::fork_into(0) {
            // Longer than making all of them takes on a busy machine.
            Ok(Forked::Child) => {
                std::thread::sleep(Duration::from_secs(15));
                sys::exit_now(0)
            }
            Ok(Forked::Parent { .. }) => made += 1,
            Err(_) => break,
        }
    }
    // Long enough to be counted where the limit is only supervised.
    std::thread::sleep(Duration::from_millis(300));
    if made == 600 {
        println!("open");
    }
}

/// Leaves a grandchild in a session of its own that shows whether it survives.
fn survive(targets: &Targets) {
    if let Ok(Forked::Child) = sys::fork_into(0) {
        let _ = sys::new_session();
        if let Ok(Forked::Child) = sys::fork_into(0) {
            for beat in 0..200 {
                let _ = fs::write(Path::new(&targets.workspace).join("heartbeat"), beat.to_string());
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        sys::exit_now(0)
    }
    std::thread::sleep(Duration::from_secs(5));
}
