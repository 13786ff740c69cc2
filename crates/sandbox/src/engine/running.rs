//! A run in progress: forwards bytes until it ends, then makes the report.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::process::Child;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::helper::{Helper, Slot};
use super::outside::Outside;
use super::streams::{OutputSink, Pipe, readable};
use super::told::Draft;
use super::{Listener, Stream};
use crate::error::SandboxError;
use crate::idmap;
use crate::last_word;
use crate::leftover::Leftover;
use crate::observe::Seen;
use crate::overlay::Overlay;
use crate::plan::Raw;
use crate::relay::Relay;
use crate::report::{Cause, LimitHit, LimitName, Report, Status};
use crate::stage::{KeeperMessage, RunEnd, Tell};
use crate::sys::{self, PollEvents, Watch};

/// Delay before the next helper is made: with few processors, this call's record and its
/// client's exit go first.
const MAKE_READY_AFTER: Duration = Duration::from_millis(15);
/// Interval between searches for leftovers during a long run, and the least ratio of interval to search time.
const SEARCH_EVERY: Duration = Duration::from_secs(10);
const SEARCH_SHARE: u32 = 50;

/// A run in progress. Dropping it ends it.
#[must_use]
pub struct Running {
    // Field order matters when dropped: the control socket closes first, which ends the run, then the helper is waited
    // for, then what existed outside goes.
    pub(super) control: Arc<OwnedFd>,
    pub(super) child: Helper,
    pub(super) out: OutputSink,
    pub(super) err: OutputSink,
    pub(super) cwd_pipe: Option<Pipe>,
    pub(super) feed: Option<(std::fs::File, VecDeque<u8>)>,
    pub(super) listener: Option<Listener>,
    pub(super) relay_to: Option<PathBuf>,
    pub(super) relay: Option<Relay>,
    pub(super) end_on_output: bool,
    pub(super) outside: Outside,
    pub(super) draft: Draft,
    /// Keeps the next run's helper ready.
    pub(super) next: Option<Arc<Slot>>,
}

impl std::fmt::Debug for Running {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Running")
            .field("helper", &self.child.child.as_ref().map(Child::id))
            .finish_non_exhaustive()
    }
}

/// What a run tried in vain, for its last word.
#[derive(Debug, Default)]
struct InVain {
    withheld: Vec<PathBuf>,
    unseen: Vec<(PathBuf, PathBuf)>,
    made_in_tmp: Vec<PathBuf>,
}

/// Ends a run from another thread.
#[derive(Debug, Clone)]
pub struct Stopper(std::sync::Weak<OwnedFd>);

impl Stopper {
    /// Ends the run, if it is still in progress.
    pub fn stop(&self, cause: Cause) {
        if let (Some(control), Ok(text)) = (self.0.upgrade(), serde_json::to_vec(&KeeperMessage::Stop(cause)))
        {
            let _ = sys::send(control.as_fd(), &text, &[]);
        }
    }
}

impl Running {
    /// A handle that can end the run while another thread waits for it.
    #[must_use]
    pub fn stopper(&self) -> Stopper {
        Stopper(Arc::downgrade(&self.control))
    }

    /// Forwards bytes until the run ends. Blocks.
    ///
    /// # Errors
    /// [`SandboxError::Setup`] if the program never started, [`SandboxError::Helper`] if the helper was lost.
    pub fn wait(self) -> Result<Report, SandboxError> {
        self.wait_with_overlays().map(|(report, _)| report)
    }

    /// As [`Running::wait`]; also returns the writes collected beside the writable roots.
    ///
    /// # Errors
    /// As [`Running::wait`].
    pub fn wait_with_overlays(mut self) -> Result<(Report, Vec<Overlay>), SandboxError> {
        let mut output_hit = None;
        let mut next_search = Instant::now() + SEARCH_EVERY;
        let end = loop {
            if let Some(told) = self.pump(&mut output_hit)? {
                break told;
            }
            if Instant::now() >= next_search {
                let begun = Instant::now();
                self.outside.before.look();
                next_search = Instant::now() + SEARCH_EVERY.max(begun.elapsed() * SEARCH_SHARE);
            }
        };
        self.drain(&mut output_hit);
        let next = self.next.take();
        // In the background: the next run's helper.
        if let Some(next) = next {
            let _ = std::thread::Builder::new().name("sandbox-after".into()).spawn(move || {
                std::thread::sleep(MAKE_READY_AFTER);
                next.fill();
            });
        }
        end.lifted.iter().for_each(|place| self.outside.before.lift(&place.path()));
        end.moved.iter().for_each(|(place, moved)| self.outside.before.moved(&place.path(), &moved.path()));
        let leftovers = self.outside.before.search();
        let stores = std::mem::take(&mut self.outside.stores);
        let overlays: Vec<Overlay> = stores.into_iter().map(Overlay::new).collect();
        Ok((self.report(&end, output_hit, &overlays, leftovers), overlays))
    }

    /// One step: waits for any event and forwards it.
    fn pump(&mut self, output_hit: &mut Option<LimitHit>) -> Result<Option<RunEnd>, SandboxError> {
        let mut watches = [
            Watch::read(Some(self.control.as_fd())),
            Watch::read(readable(self.out.pipe.as_ref())),
            Watch::read(readable(self.err.pipe.as_ref())),
            Watch::read(readable(self.cwd_pipe.as_ref())),
            Watch {
                fd: self.feed.as_ref().map(|(file, _)| file.as_fd()),
                events: PollEvents::Write,
                ready: false,
            },
        ];
        sys::poll(&mut watches, Some(Duration::from_secs(1))).map_err(SandboxError::Helper)?;
        let [control, out, err, cwd, feed] = watches.map(|watch| watch.ready);
        if out {
            self.take(Stream::Out, output_hit);
        }
        if err {
            self.take(Stream::Err, output_hit);
        }
        if cwd && let Some(pipe) = &mut self.cwd_pipe {
            pipe.take(true, |_| {});
        }
        if feed {
            self.feed();
        }
        if control { self.hear() } else { Ok(None) }
    }

    fn hear(&mut self) -> Result<Option<RunEnd>, SandboxError> {
        let mut buffer = vec![0; 256 << 10];
        let heard = sys::receive(self.control.as_fd(), &mut buffer, 0).map_err(SandboxError::Helper)?;
        let Some((length, mut fds)) = heard else {
            return Err(SandboxError::Helper(io::ErrorKind::UnexpectedEof.into()));
        };
        match serde_json::from_slice(buffer.get(..length).unwrap_or_default()) {
            Ok(Tell::Ended(end)) => {
                self.over();
                Ok(Some(*end))
            }
            Ok(Tell::Failed { stage, errno }) => {
                self.over();
                Err(SandboxError::Setup { stage, errno })
            }
            Ok(Tell::IdMap { owner, outside }) => {
                if let Some(fd) = fds.pop() {
                    idmap::keep(owner, outside, fd);
                }
                Ok(None)
            }
            Ok(Tell::Listener) => {
                if let (Some(fd), Some(proxy)) = (fds.pop(), self.relay_to.clone()) {
                    let relay = Relay::start(std::net::TcpListener::from(fd), proxy);
                    self.relay = Some(relay.map_err(SandboxError::Helper)?);
                }
                Ok(None)
            }
            Ok(Tell::Started) => Ok(None),
            _ => Err(SandboxError::Helper(io::ErrorKind::InvalidData.into())),
        }
    }

    /// All processes of the run have ended; the helper removes the control group.
    fn over(&mut self) {
        self.child.over = true;
        self.outside.group = None;
    }

    fn take(&mut self, stream: Stream, output_hit: &mut Option<LimitHit>) {
        let sink = if stream == Stream::Out { &mut self.out } else { &mut self.err };
        let Some(pipe) = &mut sink.pipe else { return };
        let listener = &mut self.listener;
        let passed = pipe.take(sink.keep, |bytes| {
            if let Some(listener) = listener {
                listener(sink.stream, bytes);
            }
        });
        if pipe.cut {
            let peak = pipe.total.max(output_hit.map_or(0, |hit| hit.peak));
            *output_hit = Some(LimitHit { limit: LimitName::Output, peak, allowed: pipe.cap });
        }
        if passed && self.end_on_output {
            self.stopper().stop(Cause::Output);
        }
    }

    fn feed(&mut self) {
        let Some((file, bytes)) = &mut self.feed else { return };
        let (front, _) = bytes.as_slices();
        match file.write(front) {
            Ok(length) => drop(bytes.drain(..length)),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(_) => bytes.clear(),
        }
        if bytes.is_empty() {
            self.feed = None;
        }
    }

    /// All processes of the run have ended: reads what is left in the pipes.
    fn drain(&mut self, output_hit: &mut Option<LimitHit>) {
        for stream in [Stream::Out, Stream::Err] {
            loop {
                let sink = if stream == Stream::Out { &self.out } else { &self.err };
                let before = sink.pipe.as_ref().map(|pipe| (pipe.file.is_some(), pipe.total));
                if !before.is_some_and(|(open, _)| open) {
                    break;
                }
                self.take(stream, output_hit);
                let sink = if stream == Stream::Out { &self.out } else { &self.err };
                if sink.pipe.as_ref().map(|pipe| (pipe.file.is_some(), pipe.total)) == before {
                    break;
                }
            }
        }
        if let Some(pipe) = &mut self.cwd_pipe {
            while pipe.file.is_some() {
                let before = pipe.total;
                pipe.take(true, |_| {});
                if pipe.total == before {
                    break;
                }
            }
        }
    }

    /// What the run tried and the view withheld.
    fn tried_in_vain(&self, end: &RunEnd, failed: bool) -> InVain {
        let withheld = end.observed.iter().filter_map(|seen| match seen {
            Seen::Withheld(place) => Some(place.path()),
            _ => None,
        });
        let Some((cwd, shown)) = &self.draft.view else {
            return InVain { withheld: withheld.collect(), ..InVain::default() };
        };
        let named = withheld.map(|place| match place.strip_prefix(cwd) {
            Ok(below) if !below.as_os_str().is_empty() => below.to_owned(),
            _ => place,
        });
        let in_tmp: Vec<PathBuf> = end.in_tmp.iter().map(Raw::path).collect();
        InVain {
            withheld: named.collect(),
            unseen: if failed { last_word::unseen(cwd, shown, &end.observed) } else { Vec::new() },
            made_in_tmp: last_word::made_in_tmp(&in_tmp, &self.draft.argv, shown),
        }
    }

    fn report(
        self,
        end: &RunEnd,
        output_hit: Option<LimitHit>,
        overlays: &[Overlay],
        leftovers: Vec<Leftover>,
    ) -> Report {
        let status = match (end.killed_by, end.exec_errno, end.status) {
            (_, Some(errno), _) => Status::NotExecutable { errno },
            (Some(by), ..) => Status::Killed { by },
            (None, None, Some(status)) if libc::WIFEXITED(status) => {
                Status::Exited { code: libc::WEXITSTATUS(status) }
            }
            (None, None, Some(status)) => Status::Signaled { signal: libc::WTERMSIG(status) },
            // Init was killed without a message, and not by us.
            (None, None, None) => Status::Signaled { signal: libc::SIGKILL },
        };
        let mut hits = end.hits.clone();
        hits.extend(output_hit);
        if let Status::Killed { by } = status {
            hits.sort_by_key(|hit| Cause::from(hit.limit) != by);
        }
        let final_cwd = self.cwd_pipe.as_ref().and_then(|pipe| {
            let text = pipe.kept.strip_suffix(b"\n")?;
            Some(Raw(text.to_vec()).path()).filter(|path| path.is_absolute())
        });
        let observed = self.draft.observe.then(|| {
            let mut effects = crate::observe::effects(&end.observed);
            for overlay in overlays {
                overlay.add_effects(&mut effects);
            }
            Box::new(effects)
        });
        let failed = !matches!(status, Status::Exited { code: 0 } | Status::Killed { .. });
        let InVain { withheld, unseen, made_in_tmp } = self.tried_in_vain(end, failed);
        let total = |sink: &OutputSink| sink.pipe.as_ref().map_or(0, |pipe| pipe.total);
        let (stdout_bytes, stderr_bytes) = (total(&self.out), total(&self.err));
        let kept = |sink: OutputSink| sink.pipe.map(|pipe| pipe.kept).unwrap_or_default();
        Report {
            tier: self.draft.tier,
            least_tier: self.draft.least_tier,
            features: self.draft.features,
            gaps: self.draft.gaps,
            uid: self.draft.uid,
            ruleset: self.draft.ruleset,
            limits: self.draft.limits,
            status,
            limits_hit: hits,
            wall: Duration::from_micros(end.wall_us),
            cpu_user: Duration::from_micros(end.user_us),
            cpu_system: Duration::from_micros(end.system_us),
            peak_memory: end.peak_memory,
            peak_processes: end.peak_processes,
            oom_kills: end.oom_kills,
            stdout_bytes,
            stderr_bytes,
            stdout: kept(self.out),
            stderr: kept(self.err),
            left_behind: end.left_behind,
            final_cwd,
            observed,
            leftovers,
            withheld,
            unseen,
            refused: Vec::new(),
            unreached: last_word::unreached(&end.observed, self.relay.is_some()),
            made_in_tmp,
        }
    }
}
