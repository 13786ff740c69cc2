//! The probes' outside part: sets up the targets, and checks afterwards whether they were reached.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::net::{TcpListener, UdpSocket};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use doorward_core::Tier;

use super::{PROGRAM, Probe, ProbeConfig, ProbeReport, ProbeState, Targets, answer};
use crate::error::SandboxError;
use crate::report::Report;
use crate::spec::{Limits, ProgramInput, Root, Spec, clean_environment};
use crate::{Engine, engine, sys};

/// The targets outside while the suite runs.
pub(super) struct ProbeTargets {
    folder: PathBuf,
    targets: Targets,
    canary: Child,
    udp: UdpSocket,
    _tcp: TcpListener,
    _sockets: [UnixListener; 2],
    _inherited: OwnedFd,
    before: fs::Metadata,
}

impl Drop for ProbeTargets {
    fn drop(&mut self) {
        let _ = self.canary.kill();
        let _ = self.canary.wait();
        for place in ["/tmp", "/dev/shm"] {
            let _ = fs::remove_file(Path::new(place).join(&self.targets.mark));
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl ProbeTargets {
    pub(super) fn set(limits: &Limits) -> Result<Self, SandboxError> {
        let _ = limits;
        let folder = engine::private_folder(None)?;
        Self::set_in(folder).map_err(SandboxError::Helper)
    }

    fn set_in(folder: PathBuf) -> io::Result<Self> {
        // Accessible to all users: the sandbox must close the door, not a file mode.
        fs::set_permissions(&folder, PermissionsExt::from_mode(0o755))?;
        let (workspace, outside) = (folder.join("workspace"), folder.join("outside"));
        fs::create_dir(&workspace)?;
        for part in ["objects", "refs"] {
            fs::create_dir_all(workspace.join(".git").join(part))?;
        }
        fs::write(workspace.join(".git/HEAD"), "ref: refs/heads/main\n")?;
        fs::create_dir(&outside)?;
        fs::set_permissions(&outside, PermissionsExt::from_mode(0o777))?;
        for name in ["secret", "delete", "truncate", "target"] {
            fs::write(outside.join(name), "safe")?;
            fs::set_permissions(
                outside.join(name),
                PermissionsExt::from_mode(if name == "target" { 0o644 } else { 0o666 }),
            )?;
        }
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let mark = format!("doorward-probe-{:016x}", u64::from_ne_bytes(bytes));
        let by_path = UnixListener::bind(outside.join("socket"))?;
        fs::set_permissions(outside.join("socket"), PermissionsExt::from_mode(0o777))?;
        let abstract_one = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&mark)?)?;
        let tcp = TcpListener::bind("127.0.0.1:0")?;
        let udp = UdpSocket::bind("127.0.0.1:0")?;
        udp.set_nonblocking(true)?;
        let canary = Command::new("/bin/sleep")
            .arg("120")
            .env("CANARY", &mark)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let inherited = sys::inheritable(fs::File::open(outside.join("secret"))?.as_fd(), 9)?;
        let targets = Targets {
            workspace: workspace.display().to_string(),
            outside: outside.display().to_string(),
            disk: block_device().unwrap_or_default(),
            cgroups: cgroup_roots(),
            tcp_port: tcp.local_addr()?.port(),
            udp_port: udp.local_addr()?.port(),
            canary: i32::try_from(canary.id()).map_err(io::Error::other)?,
            inherited: inherited.as_raw_fd(),
            mark,
        };
        let before = fs::metadata(outside.join("target"))?;
        Ok(Self {
            folder,
            targets,
            canary,
            udp,
            _tcp: tcp,
            _sockets: [by_path, abstract_one],
            _inherited: inherited,
            before,
        })
    }

    /// Puts the program into the workspace: a link to this binary, or a copy if `copy`.
    fn program(&self, copy: bool) -> io::Result<(PathBuf, PathBuf)> {
        let own = fs::read_link("/proc/self/exe")?;
        let program = Path::new(&self.targets.workspace).join(PROGRAM);
        let _ = fs::remove_file(&program);
        if copy {
            fs::copy("/proc/self/exe", &program)?;
        } else {
            std::os::unix::fs::symlink(&own, &program)?;
        }
        Ok((program, own))
    }

    pub(super) fn run_in(
        &self,
        engine: &Engine,
        config: &ProbeConfig,
        part: &str,
        wall: Duration,
    ) -> Result<Report, SandboxError> {
        let restricted = config.tier == Tier::Restricted;
        let (program, own) = self.program(restricted).map_err(SandboxError::Helper)?;
        let mut spec = Spec::new(program.as_os_str().as_encoded_bytes(), &self.targets.workspace).arg(part);
        if restricted && sys::ids().0 == 0 {
            // Without id-mapped mounts uid 0 can only run it as the workspace's owner.
            let git = Path::new(&self.targets.workspace).join(".git");
            let (objects, refs) = (git.join("objects"), git.join("refs"));
            for place in [Path::new(&self.targets.workspace), &program, &git, &objects, &refs] {
                std::os::unix::fs::chown(place, Some(1000), Some(1000)).map_err(SandboxError::Helper)?;
            }
        }
        if config.tier >= Tier::Restricted && !restricted {
            spec.roots.push(Root::read(own));
        }
        (spec.tier, spec.min_tier) = (config.tier, config.tier);
        spec.limits = Limits { wall: wall.min(config.limits.wall), ..config.limits.clone() };
        // The host's variables and a secret, filtered as in any run.
        let with_secret = std::env::vars().chain([("PROBE_SECRET".to_owned(), self.targets.mark.clone())]);
        spec.env = clean_environment(with_secret, &[]);
        spec.stdin = ProgramInput::Bytes(serde_json::to_vec(&self.targets).unwrap_or_default());
        engine.run(spec)
    }

    /// Combines the results from inside with the effects seen outside.
    pub(super) fn judge(&self, told: &[u8]) -> Result<BTreeMap<String, Probe>, SandboxError> {
        let told: BTreeMap<String, i32> = serde_json::from_slice(told).map_err(|_| {
            SandboxError::Helper(io::Error::other("the probe program said nothing that can be read"))
        })?;
        let mut probes: BTreeMap<String, Probe> =
            told.iter().map(|(name, code)| (name.clone(), answer(name, *code))).collect();
        let outside = |name: &str| Path::new(&self.targets.outside).join(name);
        let workspace = |name: &str| Path::new(&self.targets.workspace).join(name);
        let is = |name: &str, text: &str| fs::read_to_string(outside(name)).is_ok_and(|found| found == text);
        let after = fs::metadata(outside("target")).ok();
        let same = |field: fn(&fs::Metadata) -> i64| after.as_ref().map(field) == Some(field(&self.before));
        let arrived = {
            let mut buffer = [0; 64];
            self.udp.recv(&mut buffer).is_ok()
        };
        // Effects seen outside decide: true means unharmed.
        let seen: &[(&str, bool)] = &[
            ("fs.write_outside", !outside("written").exists()),
            ("fs.unlink_outside", outside("delete").exists()),
            ("fs.truncate_outside", is("truncate", "safe")),
            ("fs.rename_out", !outside("renamed").exists()),
            ("fs.write_via_symlink", is("target", "safe")),
            ("fs.hardlink_then_write", is("target", "safe")),
            ("fs.chmod_outside", same(|found| i64::from(found.mode()))),
            ("fs.chown_outside", same(|found| i64::from(found.uid()))),
            ("fs.utime_outside", same(MetadataExt::mtime_nsec)),
            ("fs.write_agent_settings", !workspace(".claude/settings.json").exists()),
            ("fs.write_git_commondir", !workspace(".git/commondir").exists()),
            ("fs.write_git_config", !workspace(".git/config").exists()),
            ("fs.write_git_hook", !workspace(".git/hooks/x").exists()),
            ("fs.write_tmp", !Path::new("/tmp").join(&self.targets.mark).exists()),
            ("fs.write_shm", !Path::new("/dev/shm").join(&self.targets.mark).exists()),
            ("net.udp_loopback_host", !arrived),
            ("lim.core_dump", !has_core(Path::new(&self.targets.workspace))),
        ];
        for (name, unharmed) in seen {
            let errno = probes.get(*name).map_or(0, |probe| probe.errno);
            // Writing to a private place is harmless. A metadata call that succeeded counts as open even if it
            // changed nothing.
            let went_through = probes.get(*name).is_some_and(|probe| probe.state == ProbeState::Open);
            let private = matches!(
                *name,
                "fs.write_tmp"
                    | "fs.write_shm"
                    | "net.udp_loopback_host"
                    | "fs.write_via_symlink"
                    | "fs.write_outside"
            );
            probes.insert((*name).to_owned(), state(*unharmed && (private || !went_through), errno));
        }
        let wrote = workspace("probe-wrote").exists();
        probes.insert("fs.write_ws".to_owned(), state(!wrote, 0));
        Ok(probes)
    }

    pub(super) fn heart_beats(&self) -> bool {
        let beat = || fs::read(Path::new(&self.targets.workspace).join("heartbeat")).ok();
        let first = beat();
        std::thread::sleep(Duration::from_millis(150));
        beat() != first
    }
}

pub(super) fn state(closed: bool, errno: i32) -> Probe {
    Probe { state: if closed { ProbeState::Closed } else { ProbeState::Open }, errno }
}

pub(super) fn kernel() -> String {
    fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default().trim().to_owned()
}

fn has_core(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("core"))
}

fn block_device() -> Option<String> {
    use std::os::unix::fs::FileTypeExt;
    let entries = fs::read_dir("/dev").ok()?;
    let device =
        entries.flatten().find(|entry| entry.file_type().is_ok_and(|kind| kind.is_block_device()))?;
    Some(device.path().display().to_string())
}

fn cgroup_roots() -> Vec<String> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    mounts
        .lines()
        .filter_map(|line| line.split_once(" - "))
        .filter(|(_, after)| after.starts_with("cgroup"))
        .filter_map(|(before, _)| before.split(' ').nth(4).map(str::to_owned))
        .collect()
}

/// Another sandbox that runs the same probe program, for comparison. Benchmarks only.
#[derive(Debug, Clone)]
pub struct Peer {
    /// Its name in the table.
    pub name: &'static str,
    /// Its command line up to the program; `{workspace}`, `{outside}`, `{self}` and `{settings}` are replaced by
    /// paths.
    pub argv: &'static [&'static str],
    /// Content of its settings file, if it needs one.
    pub settings: &'static str,
}

impl Peer {
    /// The peers in the comparison table.
    pub const KNOWN: &'static [Self] = &[
        Self { name: "nothing", argv: &[], settings: "" },
        Self {
            name: "bubblewrap",
            argv: &[
                "bwrap",
                "--unshare-all",
                "--die-with-parent",
                "--new-session",
                "--clearenv",
                "--proc",
                "/proc",
                "--dev",
                "/dev",
                "--tmpfs",
                "/tmp",
                "--ro-bind",
                "/usr",
                "/usr",
                "--symlink",
                "usr/bin",
                "/bin",
                "--symlink",
                "usr/lib",
                "/lib",
                "--symlink",
                "usr/lib64",
                "/lib64",
                "--bind",
                "{workspace}",
                "{workspace}",
                "--ro-bind",
                "{self}",
                "{self}",
                "--chdir",
                "{workspace}",
            ],
            settings: "",
        },
        Self {
            name: "firejail",
            argv: &[
                "firejail",
                "--quiet",
                "--noprofile",
                "--net=none",
                "--caps.drop=all",
                "--seccomp",
                "--nonewprivs",
                "--noroot",
                "--private-dev",
                "--private-cwd={workspace}",
                "--read-only=/",
                "--read-write={workspace}",
            ],
            settings: "",
        },
        Self {
            name: "codex",
            argv: &[
                "codex",
                "sandbox",
                "-c",
                "sandbox_mode=\"workspace-write\"",
                "-c",
                "sandbox_workspace_write.exclude_tmpdir_env_var=true",
                "-c",
                "sandbox_workspace_write.exclude_slash_tmp=true",
                "--",
            ],
            settings: "",
        },
        Self {
            name: "srt",
            argv: &["srt", "-s", "{settings}"],
            // It allows all reads that aren't denied, so the secrets are named.
            settings: r#"{"network":{"allowedDomains":[],"deniedDomains":[]},
                "filesystem":{"denyRead":["/etc/shadow","{outside}"],"allowWrite":["{workspace}"],"denyWrite":[]}}"#,
        },
    ];

    /// Its command line with paths filled in. The settings file is written below `folder`.
    pub(crate) fn words(&self, folder: &Path, workspace: &str, outside: &str, own: &str) -> Vec<String> {
        let settings = folder.join("settings.json");
        let fill = |word: &str| {
            word.replace("{workspace}", workspace)
                .replace("{outside}", outside)
                .replace("{self}", own)
                .replace("{settings}", &settings.display().to_string())
        };
        let _ = fs::write(&settings, fill(self.settings));
        self.argv.iter().map(|word| fill(word)).collect()
    }

    /// Runs the suite under it. `None` if it isn't installed or can't run here.
    #[must_use]
    pub fn probe(&self) -> Option<ProbeReport> {
        let stage = ProbeTargets::set(&Limits::default()).ok()?;
        let output = stage.run_under(self, "all", Duration::from_secs(20))?;
        let mut probes = stage.judge(&output).ok()?;
        for (name, part) in [("lim.mem_700MB", "memory"), ("lim.forks_600", "forks")] {
            let open = stage.run_under(self, part, Duration::from_secs(20))?.starts_with(b"open");
            probes.insert(name.to_owned(), state(!open, 0));
        }
        stage.run_under(self, "survive", Duration::from_millis(300));
        probes.insert("lim.survivor".to_owned(), state(!stage.heart_beats(), 0));
        Some(ProbeReport { tier: Tier::None, uid: sys::ids().0, kernel: kernel(), probes })
    }
}

impl ProbeTargets {
    fn run_under(&self, peer: &Peer, part: &str, wall: Duration) -> Option<Vec<u8>> {
        let (program, own) = self.program(false).ok()?;
        let own = own.display().to_string();
        let mut words = peer.words(&self.folder, &self.targets.workspace, &self.targets.outside, &own);
        words.extend([program.display().to_string(), part.to_owned()]);
        let (first, rest) = words.split_first()?;
        let mut child = Command::new(first)
            .args(rest)
            .env("PROBE_SECRET", &self.targets.mark)
            .current_dir(&self.targets.workspace)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut stdin = child.stdin.take()?;
        let _ = io::Write::write_all(&mut stdin, &serde_json::to_vec(&self.targets).ok()?);
        drop(stdin);
        let started = std::time::Instant::now();
        while child.try_wait().ok()?.is_none() {
            if started.elapsed() > wall {
                let _ = child.kill();
                let _ = child.wait();
                return Some(Vec::new());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let mut output = Vec::new();
        io::Read::read_to_end(&mut child.stdout.take()?, &mut output).ok()?;
        Some(output)
    }
}
