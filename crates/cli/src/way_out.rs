//! The way out of a run: through the running service's egress proxy, or through one of our own for as long as we live.
//! With neither there is none.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use doorward::Door;
use doorward::egress::{Egress, Errand, hosts_of};
use doorward::rooms::core::call::ToolCall;
use doorward_hooks::thin::SOCKET;
use doorward_net::egress::{EgressConfig, Mode};
use doorward_sandbox::{Manner, Network};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::output::Failure;
use crate::service;
use crate::state::StateOption;

/// Where the proxy is found inside the sandbox.
const PORT: u16 = 3128;

#[derive(Debug, clap::Args)]
// Every set of arguments is a group by the name of its type, and this one is part of others called `Args`.
#[group(skip)]
pub(crate) struct Args {
    /// Let it reach this: `host[:port][=cidr]`; nothing else then, whatever the settings say
    #[arg(long, value_name = "HOST")]
    allow: Vec<String>,
    /// Keep it from this, whatever else is permitted
    #[arg(long, value_name = "HOST", requires = "allow")]
    deny: Vec<String>,
    /// No way out at all
    #[arg(long, conflicts_with = "allow")]
    no_network: bool,
}

impl Args {
    /// These hosts and no others; no way out without any.
    pub(crate) fn only(hosts: &[String]) -> Self {
        Self { allow: hosts.to_vec(), deny: Vec::new(), no_network: hosts.is_empty() }
    }

    /// The hosts that a run under these options can reach, as the policy is told: the options', or the settings'.
    pub(crate) fn hosts(&self, settings: &EgressConfig) -> Option<BTreeSet<String>> {
        match (self.no_network, self.allow.is_empty()) {
            (true, _) => Some(BTreeSet::new()),
            (false, false) => {
                hosts_of(&EgressConfig { allow: self.allow.clone(), ..EgressConfig::default() })
            }
            (false, true) => hosts_of(settings),
        }
    }

    /// Whether any of them was given.
    pub(crate) fn is_given(&self) -> bool {
        self.no_network || !self.allow.is_empty()
    }
}

/// An open way out. It ends when this is dropped.
pub(crate) struct WayOut {
    socket: PathBuf,
    readable: Option<PathBuf>,
    environment: BTreeMap<String, String>,
    holder: Holder,
}

/// Who keeps it open.
enum Holder {
    /// The service, which is told when it is over.
    Service { state: PathBuf, id: String },
    /// A proxy of our own, with its runtime and the folder of its socket.
    Own { way: doorward::egress::WayOut, _runtime: tokio::runtime::Runtime, folder: PathBuf },
}

/// The service's answer.
#[derive(Deserialize)]
struct Given {
    id: String,
    socket: PathBuf,
    readable: Option<PathBuf>,
    environment: BTreeMap<String, String>,
}

impl WayOut {
    /// The way out of a call's command; `None` for none.
    pub(crate) fn of(
        args: &Args,
        call: &ToolCall,
        only: Option<&[String]>,
        wall: Duration,
        state: &StateOption,
        door: &Arc<Door>,
    ) -> Result<Option<Self>, Failure> {
        if args.no_network {
            return Ok(None);
        }
        if !args.allow.is_empty() {
            let config = EgressConfig {
                allow: args.allow.clone(),
                deny: args.deny.clone(),
                ..EgressConfig::default()
            };
            return Self::own(Some(config), call, only, door).map(Some);
        }
        // The service's proxy isn't told of rules that this process was judged by, so what they narrow goes through
        // our own.
        if only.is_none()
            && let Some(way) = Self::of_service(call, wall, state.folder())
        {
            return Ok(Some(way));
        }
        let settings = state.settings()?.egress;
        let opens =
            settings.mode != Mode::Enforce || !settings.allow.is_empty() || !settings.rules.is_empty();
        if opens { Self::own(None, call, only, door).map(Some) } else { Ok(None) }
    }

    /// Through the service that runs for the usual state, if one does and has a proxy.
    fn of_service(call: &ToolCall, wall: Duration, state: PathBuf) -> Option<Self> {
        let body = json!({
            "session": call.session,
            "command": call.id,
            "root": call.cwd,
            "authority": authority(),
            "seconds": wall.as_secs().saturating_add(60),
        });
        let answer = service::expect(&state.join(SOCKET), "POST", "/v1/egress/ways-out", Some(&body)).ok()?;
        let Given { id, socket, readable, environment } = serde_json::from_value::<Given>(answer).ok()?;
        Some(Self { socket, readable, environment, holder: Holder::Service { state, id } })
    }

    /// Through a proxy of our own, which writes into the record that the run itself has and asks nobody.
    fn own(
        config: Option<EgressConfig>,
        call: &ToolCall,
        only: Option<&[String]>,
        door: &Arc<Door>,
    ) -> Result<Self, Failure> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let folder = private_folder()?;
        let settings = door.settings();
        let config = EgressConfig { tcp: false, ..config.unwrap_or(settings.egress) };
        let opened = runtime.block_on(Egress::open_with(door, settings.net, config, folder.join("s")));
        let errand =
            Errand { only: only.map(<[String]>::to_vec), ..Errand::new(&call.session, call.id.as_str()) };
        let way = opened.map_err(Failure::from).and_then(|egress: Arc<Egress>| Ok(egress.way_out(&errand)?));
        let way = match way {
            Ok(way) => way,
            Err(failure) => {
                let _ = std::fs::remove_dir_all(&folder);
                return Err(failure);
            }
        };
        Ok(Self {
            socket: way.socket().to_owned(),
            readable: way.readable().map(PathBuf::from),
            environment: way.environment(&authority()),
            holder: Holder::Own { way, _runtime: runtime, folder },
        })
    }

    /// Hosts that the run was refused, where the proxy is our own.
    pub(crate) fn refused(&self) -> Vec<String> {
        match &self.holder {
            Holder::Own { way, .. } => way.refused(),
            Holder::Service { .. } => Vec::new(),
        }
    }

    /// Puts a run behind it.
    pub(crate) fn give(&self, manner: &mut Manner) {
        manner.network = Network::Relay { socket: self.socket.clone(), token: String::new(), port: PORT };
        manner.env.extend(self.environment.clone());
        manner.readable.extend(self.readable.clone());
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        match self {
            Self::Service { state, id } => {
                let path = format!("/v1/egress/ways-out/{id}");
                // A service that is gone has taken it back already.
                let _ = service::call(&state.join(SOCKET), "DELETE", &path, None::<&Value>);
            }
            Self::Own { folder, .. } => drop(std::fs::remove_dir_all(folder)),
        }
    }
}

fn authority() -> String {
    format!("127.0.0.1:{PORT}")
}

/// A folder of mode 0700 for the socket.
fn private_folder() -> std::io::Result<PathBuf> {
    use std::os::unix::fs::DirBuilderExt as _;
    let folder = std::env::temp_dir().join(format!("doorward-{}", doorward::rooms::core::id::fresh()));
    std::fs::DirBuilder::new().mode(0o700).create(&folder)?;
    Ok(folder)
}
