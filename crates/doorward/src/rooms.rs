//! What the service and the command line use of the rooms below, name by name, so that they depend on this crate alone
//! and what they can reach of a room can be read in one place. `cargo test -p xtask` holds that.

pub use doorward_core as core;

/// Judging and permits.
pub mod gate {
    pub use doorward_gate::{Admission, Case, Done, Notice, Pending, Permit, ReportError};
}

/// What the guardian learnt.
pub mod guardian {
    pub use doorward_guardian::client::ModelInquiry;
    pub use doorward_guardian::experiences;
}

/// Names that the hooks and their service share.
pub mod hooks {
    pub use doorward_hooks::clients::ClientMode;
    pub use doorward_hooks::{jsonc, ticket};

    /// The thin hook.
    pub mod thin {
        pub use doorward_hooks::thin::TIME_LEFT;
    }
}

/// Descriptions of programs.
pub mod knowledge {
    pub use doorward_shell::knowledge::{draft, parse_own};
    pub use doorward_shell::programs::{ToolFile, Tools, example, show};
}

/// Reading and checking the log.
pub mod ledger {
    pub use doorward_ledger::{Filter, Reader, Stored, VerifyOptions, verify};
}

/// The gateway's relay, its definitions and its scan.
pub mod mcp {
    pub use doorward_mcp::frame::Sink;
    pub use doorward_mcp::relay::{
        Answer, CallEnding, Came, Conversation, Ended, Gated, Keeper, Offer, Options, Outlet, Pair, Pipes,
        Relay, Side, ToolStanding, Via, Waited,
    };
    pub use doorward_mcp::scan::{ScanFinding, verdict};
    pub use doorward_mcp::{Definition, Listed, ScanVerdict, message, scan};
}

/// The gateway over HTTP.
pub mod mcp_http {
    pub use doorward_mcp_http::{
        Bridge, Front, Link, Links, Listening, Proxy, ServerKey, Sessions, Upstream, user_at,
    };
}

/// Requests that reach nothing but what the guard permits.
pub mod net {
    pub use doorward_net::{ClientLimits, FetchRequest, GuardedClient, LiveGuard};
}

/// Policies as texts, to be tried and tested.
pub mod policy {
    pub use doorward_policy::{cedar, packs, request, shorthand, testing};
}

/// What a bound call writes.
pub mod sandbox {
    pub use doorward_sandbox::Stream;
}

/// The settings.
pub mod settings {
    pub use doorward_settings::{
        ConfirmPolicy, Explore, Layer, LayerKind, Loaded, Notify, OnNoMatch, Only, Policy, Rule, Sandbox,
        Settings, SettingsError, Webhook, WebhookFormat, nearest, without_credentials,
    };
}

/// Questions, answers, people.
pub mod store {
    pub use doorward_store::{
        Answered, Answering, AskRecord, AskState, GrantRequest, PersonAccount, Redemption, Requested, Role,
        Store, StoreError, TokenLabel,
    };
}
