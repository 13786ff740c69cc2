//! The engine turns a [`Spec`] into a [`Report`], through a plan and a helper process.
//!
//! It chooses the tier from what the survey found, refuses anything below the least allowed, makes the plan
//! (`view`), prepares what the run needs outside (`outside`), starts the helper (`helper`) and forwards bytes until
//! the end (`running`). It never runs anything with weaker bounds than requested.

mod helper;
mod outside;
mod running;
mod shared_tmp;
mod streams;
mod told;
mod view;

use std::collections::VecDeque;
use std::io;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use doorward_core::Tier;

pub(crate) use self::helper::HOSTED;
use self::helper::{Laid, Slot, spawn};
use self::outside::Outside;
pub(crate) use self::outside::private_folder;
pub use self::running::{Running, Stopper};
#[cfg(test)]
pub(crate) use self::streams::CUT;
use self::streams::{Pipe, sink};
use self::told::{Draft, features, gaps, held_limits};
use crate::error::SandboxError;
use crate::idmap;
use crate::report::{Missing, Report};
use crate::spec::{Network, ProgramInput, Spec};
use crate::stage::survey::Survey;
use crate::stage::{Errand, Given, Role, Tell};
use crate::sys;

/// A stream of the program's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// Receives output as it arrives.
pub type Listener = Box<dyn FnMut(Stream, &[u8]) + Send>;

/// Starts runs. One per process is enough: it caches the survey.
#[derive(Debug, Default)]
pub struct Engine {
    survey: OnceLock<Survey>,
    without_cgroup: bool,
    store: Option<PathBuf>,
    spare: Option<Arc<Slot>>,
}

/// The bounds that this machine offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The best tier.
    pub best: Tier,
    /// Landlock's ABI; 0 without Landlock.
    pub landlock_abi: u32,
    /// Everything missing for the full tier.
    pub missing: Vec<Missing>,
}

impl Engine {
    /// An engine that hasn't surveyed the machine yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the folder of collected writes (default: the system's temp folder). Must be on a real file system.
    #[must_use]
    pub fn with_store(mut self, folder: impl Into<PathBuf>) -> Self {
        self.store = Some(folder.into());
        self
    }

    /// Doesn't use control groups: the keeper supervises memory and processes.
    #[must_use]
    pub fn without_cgroup(mut self) -> Self {
        self.without_cgroup = true;
        self.spare = self.spare.map(|spare| Arc::new(Slot::new(false, spare.again)));
        self
    }

    /// Keeps a helper ready for the next run of the full tier, with namespaces and control group already made. Meant
    /// for services; it costs two sleeping processes. The first helper is made by [`Engine::prepare`], or after the
    /// first run.
    #[must_use]
    pub fn with_spare(mut self) -> Self {
        self.spare = Some(Arc::new(Slot::new(!self.without_cgroup, true)));
        self
    }

    /// Lets [`Engine::prepare`] make one helper ready, for a single run. Meant for commands that judge the call
    /// meanwhile.
    #[must_use]
    pub fn with_one_ahead(mut self) -> Self {
        self.spare = Some(Arc::new(Slot::new(!self.without_cgroup, false)));
        self
    }

    /// Makes a helper ready now, if this engine keeps one; otherwise does nothing.
    pub fn prepare(&self) {
        if let Some(spare) = &self.spare
            && self.tier(Tier::Full, Tier::Full).is_ok()
        {
            spare.fill();
        }
    }

    /// The bounds that this machine offers. Surveyed once, then cached.
    ///
    /// # Errors
    /// [`SandboxError::Helper`] if the helper can't be started.
    pub fn offer(&self) -> Result<Offer, SandboxError> {
        let survey = self.survey()?;
        Ok(Offer {
            best: survey.best(),
            landlock_abi: survey.landlock_abi,
            missing: survey.missing_for(Tier::Full),
        })
    }

    /// The tier a run that tries for `wanted` reaches, or what is missing for `least`.
    ///
    /// # Errors
    /// [`SandboxError::TierUnavailable`] lists everything that is missing.
    pub fn tier(&self, wanted: Tier, least: Tier) -> Result<Tier, SandboxError> {
        let survey = self.survey()?;
        let reached = survey.best().min(wanted);
        if reached < least {
            return Err(SandboxError::TierUnavailable {
                wanted: least,
                attained: reached,
                missing: survey.missing_for(least),
            });
        }
        Ok(reached)
    }

    /// Runs to the end. Blocks.
    pub(crate) fn run(&self, spec: Spec) -> Result<Report, SandboxError> {
        self.start(spec, None)?.wait()
    }

    fn survey(&self) -> Result<&Survey, SandboxError> {
        if let Some(survey) = self.survey.get() {
            return Ok(survey);
        }
        let (_helper, control) = spawn(&Errand::Survey)?;
        let mut buffer = vec![0; 64 << 10];
        let heard = sys::receive(control.as_fd(), &mut buffer, 0).map_err(SandboxError::Helper)?;
        let (length, _) = heard.ok_or_else(|| SandboxError::Helper(io::ErrorKind::UnexpectedEof.into()))?;
        match serde_json::from_slice(buffer.get(..length).unwrap_or_default()) {
            Ok(Tell::Survey(survey)) => Ok(self.survey.get_or_init(|| survey)),
            _ => Err(SandboxError::Helper(io::ErrorKind::InvalidData.into())),
        }
    }

    /// Starts a run. Dropping the returned value ends it.
    pub(crate) fn start(&self, mut spec: Spec, listener: Option<Listener>) -> Result<Running, SandboxError> {
        let least = match spec.network {
            Network::None => spec.min_tier,
            // Without a network namespace a program can bypass any proxy.
            Network::Relay { .. } => Tier::Full,
        };
        if spec.argv.first().is_none_or(Vec::is_empty) {
            return Err(SandboxError::Spec("no program"));
        }
        let proxied = least > spec.min_tier;
        let tier = self.tier(spec.tier.max(least), least).map_err(|error| said_by_proxy(error, proxied))?;
        let (stdout, out) = sink(spec.stdout, Stream::Out, spec.limits.output)?;
        let (stderr, err) = sink(spec.stderr, Stream::Err, spec.limits.output)?;
        let with_group = !self.without_cgroup;
        let spare = self.spare.as_ref().filter(|_| tier == Tier::Full);
        let laid = match spare.and_then(|spare| spare.take(with_group)) {
            Some(laid) => laid,
            // The helper prepares while the plan is made; if no plan follows, it ends when the socket closes.
            None => Laid::lay(tier, with_group)?,
        };
        let mut outside = Outside::default();
        outside.group.clone_from(&laid.ground.cgroup);
        let plan = self.plan(&mut spec, &laid.ground, &mut outside)?;
        let ruleset = plan.ruleset();
        let features = features(&plan, spec.network != Network::None);
        let limits = held_limits(&plan);
        let gaps = gaps(&plan, &outside.gaps);
        let uid = plan.outside.0;
        let view = (plan.tier == Tier::Full).then(|| (plan.cwd.path(), plan.shown()));
        let end_on_output = plan.limits.end_on_output;

        let mut given: Given = idmap::known(&plan);
        given.extend(stdout.map(|stdout| (Role::Stdout, stdout)));
        given.extend(stderr.map(|stderr| (Role::Stderr, stderr)));
        let feed = feed(std::mem::take(&mut spec.stdin), &mut given)?;
        let mut cwd_pipe = None;
        if spec.final_cwd {
            let (read, write) = sys::pipe().map_err(SandboxError::Helper)?;
            given.push((Role::FinalCwd, write));
            cwd_pipe = Some(Pipe::new(read, 4096)?);
        }
        let relay_to = match &spec.network {
            Network::Relay { socket, .. } => Some(socket.clone()),
            Network::None => None,
        };
        laid.order(&plan, given)?;
        let Laid { control, helper, .. } = laid;
        Ok(Running {
            child: helper,
            control: Arc::new(control),
            out,
            err,
            cwd_pipe,
            feed,
            listener,
            relay_to,
            relay: None,
            end_on_output,
            outside,
            draft: Draft {
                tier,
                least_tier: spec.min_tier,
                features,
                gaps,
                uid,
                ruleset,
                limits,
                observe: spec.observe,
                argv: spec.argv,
                view,
            },
            next: self.spare.clone().filter(|spare| spare.again),
        })
    }
}

/// Adds to a missing tier that only the proxy needs it, if that is so.
fn said_by_proxy(error: SandboxError, proxied: bool) -> SandboxError {
    match error {
        SandboxError::TierUnavailable { wanted, attained, mut missing } if proxied => {
            let hint = "only the full tier holds a run to the hosts of [egress] or --allow; without hosts \
                        (--no-network) a lower one can do";
            let feature = "hosts".to_owned();
            missing.push(Missing { feature, errno: libc::EOPNOTSUPP, hint: hint.to_owned() });
            SandboxError::TierUnavailable { wanted, attained, missing }
        }
        other => other,
    }
}

/// Bytes for the program's input, and the pipe that they are written to.
type Feed = (std::fs::File, VecDeque<u8>);

/// Gives the program its input. Returns the bytes that have to be written while it runs.
fn feed(stdin: ProgramInput, given: &mut Given) -> Result<Option<Feed>, SandboxError> {
    match stdin {
        ProgramInput::Null => Ok(None),
        ProgramInput::Descriptor(fd) => {
            given.push((Role::Stdin, fd));
            Ok(None)
        }
        ProgramInput::Bytes(bytes) => {
            let (read, write) = sys::pipe().map_err(SandboxError::Helper)?;
            sys::set_nonblocking(write.as_fd()).map_err(SandboxError::Helper)?;
            given.push((Role::Stdin, read));
            Ok(Some((std::fs::File::from(write), VecDeque::from(bytes))))
        }
    }
}
