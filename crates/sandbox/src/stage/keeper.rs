//! The keeper stands between the gate and the run: it enforces limits that the kernel doesn't, ends the whole tree, and
//! reports how it ended and why.
//!
//! If the engine goes away, the control socket closes and the run ends.

use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use doorward_core::Tier;

use super::restore::{Mounts, Restored};
use super::{At, Fault, KeeperMessage, RunEnd, Tell, tell, verdict};
use crate::absent::{AbsentNames, Appeared, NameWatch};
use crate::cgroup::Measured;
use crate::git::broker::Broker;
use crate::observe::Watcher;
use crate::plan::{Plan, Raw};
use crate::report::{Cause, LimitHit, LimitName};
use crate::sys::{self, PollEvents, Waited, Watch};
use crate::tree;

/// Interval of measuring the tree, if the keeper enforces memory and processes, and if a control group does.
const SUPERVISE_EVERY: Duration = Duration::from_millis(10);
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Names of the private temp folder that are told.
const MOST_NAMES: usize = 64;
const SET_UP_LOOK: Duration = Duration::from_secs(1);

/// A run whose process waits for the plan.
pub(super) struct Keeper<'a> {
    pub(super) control: &'a OwnedFd,
    pub(super) plan: &'a Plan,
    /// Init in the full tier, else the program.
    pub(super) pid: i32,
    pub(super) pidfd: OwnedFd,
    pub(super) link: Option<OwnedFd>,
    pub(super) channel: Option<(File, Vec<u8>)>,
    pub(super) scratch: Option<OwnedFd>,
    /// System V's segments of the run (`/proc/sysvipc/shm`).
    pub(super) segments: Option<File>,
    pub(super) mounts: Option<Mounts>,
    /// Protected names that don't exist.
    pub(super) absent: Arc<AbsentNames>,
    pub(super) names: NameWatch,
    pub(super) watcher: Option<Watcher>,
    pub(super) started: Instant,
    pub(super) running: bool,
    pub(super) killed_by: Option<Cause>,
    pub(super) terminate_at: Option<Instant>,
    /// The program's wait status, reported by init.
    pub(super) told: Option<i32>,
    /// Memory of the largest process, for runs whose tree isn't measured.
    pub(super) largest: u64,
    pub(super) end: RunEnd,
}

impl Keeper<'_> {
    /// Waits for the end of the run. No process of it is left on return.
    pub(super) fn watch(mut self) -> Result<RunEnd, Fault> {
        match self.hold() {
            Ok(()) => self.finish(),
            Err(fault) => {
                self.kill();
                if self.plan.tier < Tier::Full {
                    self.reap_everybody();
                } else {
                    let _ = sys::wait(self.pid, 0);
                }
                Err(fault)
            }
        }
    }

    /// Enforces the limits until the program has ended and init has reaped everything or ended too.
    fn hold(&mut self) -> Result<(), Fault> {
        let supervised = self.supervises_memory() || self.supervises_processes();
        let tick = if supervised { SUPERVISE_EVERY } else { LOOK_EVERY };
        let mut next_look = Instant::now() + tick;
        loop {
            let now = Instant::now();
            if self.running && now >= next_look {
                let crowded = self.look();
                next_look = Instant::now() + if crowded { tick / 5 } else { tick };
            }
            self.keep_time();
            if !self.running {
                // No limit needs measuring yet; other events wake us.
                next_look = Instant::now() + SET_UP_LOOK;
            }
            let until = [Some(next_look), self.terminate_at, self.wall_end()];
            let until = until.into_iter().flatten().min().unwrap_or(next_look);
            let mut watches = [
                Watch::read(Some(self.control.as_fd())),
                Watch::read(Some(self.pidfd.as_fd())),
                Watch::read(self.link.as_ref().map(AsFd::as_fd)),
                Watch::read(self.channel.as_ref().map(|(file, _)| file.as_fd())),
                Watch {
                    fd: self.mounts.as_ref().map(|mounts| mounts.list.as_fd()),
                    events: PollEvents::Exceptional,
                    ready: false,
                },
            ];
            sys::poll(&mut watches, Some(until.saturating_duration_since(Instant::now()))).at("poll")?;
            let [control, ended, link, channel, mounts] = watches.map(|watch| watch.ready);
            if link {
                self.hear_link()?;
            }
            if mounts && self.told.is_none() && !ended {
                self.restore_mounts();
            }
            // Init reports the end once only init is left; after that it does nothing more.
            let ended = ended || (self.told.is_some() && self.plan.tier == Tier::Full);
            if channel {
                let before = self.running;
                self.hear_channel()?;
                if self.running != before {
                    next_look = Instant::now() + tick;
                }
            }
            if control {
                self.hear_engine();
            }
            if ended {
                while self.channel.is_some() {
                    self.hear_channel()?;
                }
                return Ok(());
            }
        }
    }

    fn wall_end(&self) -> Option<Instant> {
        (self.running && self.killed_by.is_none()).then(|| self.started + self.plan.limits.wall)
    }

    /// SIGTERM when the time is over, SIGKILL after the grace period.
    fn keep_time(&mut self) {
        let now = Instant::now();
        if self.wall_end().is_some_and(|end| now >= end) {
            self.hit(LimitName::Wall, self.elapsed_ms(), self.plan.limits.wall.as_millis() as u64);
            self.killed_by = Some(Cause::Wall);
            self.terminate();
            self.terminate_at = Some(now + self.plan.limits.grace);
        }
        if self.terminate_at.is_some_and(|end| now >= end) {
            self.terminate_at = None;
            self.kill();
        }
    }

    fn elapsed_ms(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    fn terminate(&self) {
        match (&self.link, self.plan.tier) {
            (Some(link), Tier::Full) => drop(sys::send(link.as_fd(), b"term", &[])),
            _ => tree::descendants(own_pid()).into_iter().for_each(|pid| drop(sys::kill(pid, libc::SIGTERM))),
        }
    }

    /// Kills the whole tree now.
    fn kill(&self) {
        if self.plan.tier < Tier::Full {
            if let Some(group) = &self.plan.cgroup {
                group.kill();
            }
            // Stopped first, so that no process can fork while the list is processed.
            for signal in [libc::SIGSTOP, libc::SIGKILL] {
                tree::descendants(own_pid()).into_iter().for_each(|pid| drop(sys::kill(pid, signal)));
            }
        }
        let _ = sys::signal_pidfd(self.pidfd.as_fd(), libc::SIGKILL);
    }

    fn end_for(&mut self, cause: Cause) {
        if self.killed_by.is_none_or(|before| before == Cause::Wall) {
            self.killed_by.get_or_insert(cause);
            self.kill();
        }
    }

    fn hit(&mut self, limit: LimitName, peak: u64, allowed: u64) {
        match self.end.hits.iter_mut().find(|hit| hit.limit == limit) {
            Some(hit) => hit.peak = hit.peak.max(peak),
            None => self.end.hits.push(LimitHit { limit, peak, allowed }),
        }
    }

    fn supervises_memory(&self) -> bool {
        self.plan.tier > Tier::None
            && self.plan.cgroup.as_ref().and_then(crate::cgroup::Group::memory_by).is_none()
    }

    fn supervises_processes(&self) -> bool {
        self.plan.tier > Tier::None
            && self.plan.cgroup.as_ref().and_then(crate::cgroup::Group::pids_by).is_none()
    }

    /// Measures everything that causes no event. True if the next measurement should follow soon.
    fn look(&mut self) -> bool {
        if self.plan.tier == Tier::None {
            return false;
        }
        self.look_for_names();
        let limits = &self.plan.limits;
        let pids = self.members();
        let supervised = self.supervises_processes();
        // Before slower measurements, during which a fork bomb would grow.
        if supervised && pids.len() > limits.processes as usize {
            self.hit(LimitName::Pids, pids.len() as u64, u64::from(self.plan.limits.processes));
            self.end_for(Cause::Pids);
            self.end.peak_processes =
                self.end.peak_processes.max(u32::try_from(pids.len()).unwrap_or(u32::MAX));
            return false;
        }
        let load = tree::load(&pids);
        self.end.peak_processes = self.end.peak_processes.max(load.tasks);
        if load.open_files >= limits.open_files {
            self.hit(LimitName::Files, u64::from(load.open_files), u64::from(limits.open_files));
        }
        if self.supervises_memory() {
            // Memory that belongs to no process or to several: files of the private file system, and segments.
            let apart = self.scratch_use().map_or(0, |(used, _)| used).saturating_add(self.segments_use());
            let mut held = load.memory.saturating_add(apart);
            if held > limits.memory {
                held = tree::proportional_memory(&pids).saturating_add(apart);
            }
            self.end.peak_memory = self.end.peak_memory.max(held);
            if held > limits.memory {
                self.hit(LimitName::Memory, held, limits.memory);
                self.end_for(Cause::Memory);
            }
        }
        if supervised && load.tasks > limits.processes {
            self.hit(LimitName::Pids, u64::from(load.tasks), u64::from(limits.processes));
            self.end_for(Cause::Pids);
        }
        if let Some(group) = &self.plan.cgroup {
            let measured = group.measure();
            self.judge_group(measured);
        }
        if let Some((used, 0)) = self.scratch_use() {
            self.hit(LimitName::Disk, used, limits.disk);
            self.end_for(Cause::Disk);
        }
        supervised && load.tasks > limits.processes / 4
    }

    fn judge_group(&mut self, measured: Measured) {
        let limits = &self.plan.limits;
        if let Some(peak) = measured.memory_peak {
            self.end.peak_memory = self.end.peak_memory.max(peak);
        }
        self.end.peak_processes = self.end.peak_processes.max(measured.pids_peak.unwrap_or(0));
        self.end.oom_kills = self.end.oom_kills.max(measured.oom_kills);
        if measured.oom_kills > 0 {
            self.hit(LimitName::Memory, self.end.peak_memory, limits.memory);
            self.end_for(Cause::Memory);
        }
        if measured.pids_refused {
            self.hit(LimitName::Pids, u64::from(limits.processes), u64::from(limits.processes));
            self.end_for(Cause::Pids);
        }
    }

    fn members(&self) -> Vec<i32> {
        tree::descendants(if self.plan.tier == Tier::Full { self.pid } else { own_pid() })
    }

    /// The first names in the private temp folder.
    fn names_in_tmp(&self) -> Vec<Raw> {
        let flags = libc::O_RDONLY | libc::O_DIRECTORY;
        let folder = self.scratch.as_ref().and_then(|scratch| {
            sys::open_at(Some(scratch.as_fd()), std::path::Path::new("tmp"), flags, libc::RESOLVE_BENEATH)
                .ok()
        });
        let names = folder.and_then(|folder| sys::read_directory(folder.as_fd()).ok()).unwrap_or_default();
        names.iter().take(MOST_NAMES).map(|(name, _)| Raw::from(std::path::Path::new(name))).collect()
    }

    fn scratch_use(&self) -> Option<(u64, u64)> {
        sys::file_system_use(self.scratch.as_ref()?.as_fd()).ok()
    }

    fn restore_mounts(&mut self) {
        let Some(mounts) = &self.mounts else { return };
        match mounts.restore(self.plan) {
            Ok(Restored { lost, gone }) => {
                self.end.lifted.extend(lost.iter().map(|path| Raw::from(path.as_path())));
                gone.iter().for_each(|place| self.names.add(place, false));
            }
            Err(_) => {
                self.mounts = None;
                self.end_for(Cause::ProtectionLost);
            }
        }
    }

    /// Looks for protected names that appeared. One that isn't the run's is held from now on.
    fn look_for_names(&mut self) {
        for appeared in self.names.look(&self.absent) {
            match appeared {
                Appeared::Moved(place, moved) => {
                    self.end.moved.push((Raw::from(place.as_path()), Raw::from(moved.as_path())));
                }
                Appeared::Stays(place) => {
                    self.end.lifted.push(Raw::from(place.as_path()));
                    self.restore_mounts();
                }
            }
        }
    }

    fn segments_use(&self) -> u64 {
        let Some(file) = &self.segments else { return 0 };
        let mut text = vec![0; 64 << 10];
        let length = std::os::unix::fs::FileExt::read_at(file, &mut text, 0).unwrap_or(0);
        tree::segments(&String::from_utf8_lossy(text.get(..length).unwrap_or_default()))
    }

    fn hear_engine(&mut self) {
        let mut buffer = [0; 256];
        match sys::receive(self.control.as_fd(), &mut buffer, libc::MSG_DONTWAIT) {
            Ok(Some((length, _))) => {
                if let Ok(KeeperMessage::Stop(cause)) =
                    serde_json::from_slice(buffer.get(..length).unwrap_or_default())
                {
                    self.end_for(cause);
                }
            }
            // The gate is gone, so the run must end.
            _ => self.end_for(Cause::GateStopped),
        }
    }

    fn hear_link(&mut self) -> Result<(), Fault> {
        let mut buffer = [0; 256];
        let Some(link) = &self.link else { return Ok(()) };
        let (length, mut fds) = match sys::receive(link.as_fd(), &mut buffer, libc::MSG_DONTWAIT) {
            Ok(Some(message)) => message,
            Ok(None) | Err(_) => {
                self.link = None;
                return Ok(());
            }
        };
        let text = String::from_utf8_lossy(buffer.get(..length).unwrap_or_default()).into_owned();
        let mut words = text.split(' ');
        match (words.next(), fds.pop()) {
            (Some("scratch"), Some(fd)) => self.scratch = Some(fd),
            (Some("mounts"), Some(fd)) => {
                fds.push(fd);
                self.mounts = Mounts::new(fds);
            }
            (Some("segments"), Some(fd)) => self.segments = Some(File::from(fd)),
            (Some("watch"), Some(fd)) => {
                let broker = Broker::open(&self.plan.served, self.plan.held());
                self.watcher = Some(Watcher::start(fd, broker, Arc::clone(&self.absent)).at("watch")?);
            }
            (Some("listener"), Some(fd)) => {
                let text = serde_json::to_vec(&Tell::Listener).unwrap_or_default();
                sys::send(self.control.as_fd(), &text, &[fd.as_fd()]).at("relay")?;
            }
            (Some("status"), _) => {
                let numbers: Vec<u64> = words.filter_map(|word| word.parse().ok()).collect();
                if let [status, left, user, system, largest] = numbers.as_slice() {
                    self.told = i32::try_from(*status).ok();
                    self.end.left_behind = u32::try_from(*left).unwrap_or(u32::MAX);
                    (self.end.user_us, self.end.system_us) = (*user, *system);
                    self.largest = self.largest.max(*largest);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn hear_channel(&mut self) -> Result<(), Fault> {
        let Some((file, heard)) = &mut self.channel else { return Ok(()) };
        let mut buffer = [0; 512];
        match file.read(&mut buffer) {
            Ok(0) | Err(_) => {
                let heard = String::from_utf8_lossy(heard).into_owned();
                self.channel = None;
                match verdict(&heard) {
                    Ok(exec_errno) => {
                        self.end.exec_errno = exec_errno;
                        self.running = true;
                        self.started = Instant::now();
                        // If the engine is gone, the closed socket is noticed next.
                        let _ = tell(self.control, &Tell::Started);
                        Ok(())
                    }
                    // We killed it before it began: not a set-up failure.
                    Err(fault) if self.killed_by.is_some() && fault.stage == "silent" => Ok(()),
                    Err(fault) => {
                        self.kill();
                        let _ = sys::wait(self.pid, 0);
                        Err(fault)
                    }
                }
            }
            Ok(length) => {
                heard.extend(buffer.get(..length).unwrap_or_default());
                Ok(())
            }
        }
    }

    /// Init or the program has ended: makes sure that no process is left, then makes the report.
    fn finish(mut self) -> Result<RunEnd, Fault> {
        while self.link.is_some() {
            self.hear_link()?;
        }
        if self.plan.tier < Tier::Full {
            self.reap_everybody();
        } else if self.told.is_none()
            && let Ok(Some(waited)) = sys::wait(self.pid, 0)
        {
            // Init was killed before its report: its own usage includes all processes it had reaped.
            self.account(&waited);
        }
        self.end.wall_us = self.started.elapsed().as_micros() as u64;
        if let Some(measured) = self.plan.cgroup.as_ref().map(crate::cgroup::Group::measure) {
            self.judge_group(measured);
        }
        if let Some((used, 0)) = self.scratch_use() {
            self.hit(LimitName::Disk, used, self.plan.limits.disk);
        }
        // A program can reach the backstop between two measurements and exit: the number of processes left shows
        // it.
        if self.supervises_processes() && self.end.left_behind > self.plan.limits.processes {
            self.hit(LimitName::Pids, u64::from(self.end.left_behind), u64::from(self.plan.limits.processes));
            self.killed_by.get_or_insert(Cause::Pids);
        }
        if self.end.peak_memory == 0 {
            self.end.peak_memory = self.largest;
        }
        if let Some(watcher) = self.watcher.take() {
            self.end.observed.extend(watcher.seen());
        }
        self.end.in_tmp = self.names_in_tmp();
        // Nothing of the run is left that could change a mount's place.
        let mounts = self.mounts.take();
        self.look_for_names();
        // Dropping the last handle on a mount namespace takes the kernel milliseconds: left to the end of this
        // process.
        std::mem::forget(mounts);
        self.end.status = self.told;
        self.end.killed_by = self.killed_by.or_else(|| self.cause_from_status());
        Ok(self.end)
    }

    fn account(&mut self, waited: &Waited) {
        self.end.user_us += waited.user.as_micros() as u64;
        self.end.system_us += waited.system.as_micros() as u64;
        self.largest = self.largest.max(waited.max_rss);
    }

    /// Waits for the program and ends all it left. The keeper is their subreaper and inherits every orphan, so "no
    /// children" means that none is left.
    fn reap_everybody(&mut self) {
        let mut left = None;
        loop {
            match sys::wait(-1, libc::WNOHANG) {
                Ok(Some(waited)) => {
                    if waited.pid == self.pid {
                        self.told = Some(waited.status);
                    }
                    self.account(&waited);
                }
                Ok(None) => {
                    let others = tree::descendants(own_pid());
                    left.get_or_insert(others.len());
                    for signal in [libc::SIGSTOP, libc::SIGKILL] {
                        others.iter().for_each(|pid| drop(sys::kill(*pid, signal)));
                    }
                    std::thread::sleep(Duration::from_millis(1));
                }
                Err(_) => break,
            }
        }
        self.end.left_behind = u32::try_from(left.unwrap_or(0)).unwrap_or(u32::MAX);
    }

    /// The cause, if the kernel enforced a limit by a signal.
    fn cause_from_status(&mut self) -> Option<Cause> {
        let status = self.told?;
        let signal = libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status))?;
        let limits = &self.plan.limits;
        let cpu = Duration::from_micros(self.end.user_us + self.end.system_us);
        match signal {
            libc::SIGXCPU => {
                self.hit(LimitName::Cpu, cpu.as_millis() as u64, limits.cpu.as_millis() as u64);
                Some(Cause::Cpu)
            }
            // Beyond the hard limit the kernel sends SIGKILL.
            libc::SIGKILL if cpu >= limits.cpu && self.plan.tier > Tier::None => {
                self.hit(LimitName::Cpu, cpu.as_millis() as u64, limits.cpu.as_millis() as u64);
                Some(Cause::Cpu)
            }
            libc::SIGXFSZ => {
                self.hit(LimitName::Disk, limits.file_size, limits.file_size);
                Some(Cause::Disk)
            }
            _ => None,
        }
    }
}

fn own_pid() -> i32 {
    i32::try_from(std::process::id()).unwrap_or(i32::MAX)
}
