//! Who is calling, what they may do, and how it is known that a person is there.
//!
//! Socket callers are known by the kernel's word, port callers by a token. A console's token belongs to the origin of
//! its page, port included: no cookie is set, because browsers send cookies to every port of a host. A credential
//! alone never counts as a person: that takes a terminal that no agent runs in, another user of this machine, or the
//! approver's passphrase. The passphrase unlocks one page for a while by a second secret that only the page's memory
//! holds.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use doorward::rooms::core::approval::Presence;
use doorward::rooms::core::id::{Digest, QuestionId};
use doorward::rooms::store::{Role, StoreError, TokenLabel};
use doorward::{Broker, Door, served};
use jiff::{SignedDuration, Timestamp};

use crate::api::{Caller, problem};

/// Header of an unlocked console: the word that unlocking gave, kept in the page's memory.
pub(crate) const UNLOCKED_BY: &str = "x-doorward-unlocked";
/// How long a request waits for a shared store to say whose token it brings.
const SOON: std::time::Duration = std::time::Duration::from_secs(1);
/// How long a passphrase unlocks a console.
const UNLOCKED: SignedDuration = SignedDuration::from_mins(10);

/// An authenticated caller.
#[derive(Debug, Clone)]
pub(crate) struct Who {
    /// Account.
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) groups: Vec<String>,
    /// How it is known that a person is there.
    pub(crate) presence: Presence,
    /// Channel, for the record.
    pub(crate) via: &'static str,
    pub(crate) has_passphrase: bool,
    /// Digest of the token; empty for the socket.
    pub(crate) credential: Option<Digest>,
    /// Signed in by a link that was shown on a person's terminal.
    pub(crate) from_terminal: bool,
    /// Signed in by the link that a denial printed: this question is all that may be answered.
    pub(crate) only: Option<QuestionId>,
}

impl Who {
    /// The role on a path. A console for one question looks at everything else and changes nothing there.
    fn role_at(&self, path: &str) -> Role {
        let Some(question) = &self.only else { return self.role };
        let own = path.strip_prefix("/v1/approvals/").and_then(|rest| rest.strip_prefix(question.as_str()));
        match own.is_some_and(|rest| rest.starts_with('/')) || path == "/v1/unlock" || path == "/v1/logout" {
            true => self.role,
            false => self.role.min(Role::Viewer),
        }
    }
}

/// Pages that a passphrase unlocked: by the digest of the second secret, whose page it is and until when it counts.
#[derive(Debug, Default)]
pub(crate) struct Unlocked {
    until: Mutex<HashMap<Digest, (Digest, Timestamp)>>,
}

impl Unlocked {
    /// Unlocks a console; the secret that its page sends with what takes a person.
    pub(crate) fn unlock(&self, credential: &Digest) -> Option<(String, Timestamp)> {
        let now = Timestamp::now();
        let until = now.checked_add(UNLOCKED).unwrap_or(now);
        let secret = random_word()?;
        let mut all = self.lock_all();
        all.retain(|_, (_, until)| *until > now);
        all.insert(Digest::of(secret.as_bytes()), (credential.clone(), until));
        Some((secret, until))
    }

    pub(crate) fn lock(&self, credential: &Digest) {
        self.lock_all().retain(|_, (own, _)| own != credential);
    }

    fn is(&self, credential: &Digest, headers: &HeaderMap) -> bool {
        let told = headers.get(UNLOCKED_BY).and_then(|value| value.to_str().ok()).unwrap_or_default();
        // Looked up by its digest, so that the time it takes tells nothing about the secret.
        let all = self.lock_all();
        all.get(&Digest::of(told.as_bytes()))
            .is_some_and(|(own, until)| own == credential && *until > Timestamp::now())
    }

    fn lock_all(&self) -> std::sync::MutexGuard<'_, HashMap<Digest, (Digest, Timestamp)>> {
        self.until.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// 128 random bits as hexadecimal digits.
fn random_word() -> Option<String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Finds out who is calling. `None`: nobody we know.
pub(crate) async fn identify(
    door: &Door,
    broker: Option<&Broker>,
    unlocked: &Unlocked,
    caller: Caller,
    headers: &HeaderMap,
) -> Result<Option<Who>, StoreError> {
    if let Caller::Local(peer) = caller {
        let own = peer.uid == served::own_uid();
        // Root may do anything to the service anyway, and is no agent's user where the service has one of its own.
        let admin = own || (peer.uid == 0 && served::is_another());
        let name = doorward::hook::user_name(peer.uid);
        let known = match broker {
            Some(broker) => broker.accounts().await,
            None => Ok(Arc::default()),
        };
        // A store that can't be read takes roles away; what only asks for decisions is still answered, with a no.
        let lost = known.is_err();
        let known = known.unwrap_or_default();
        let account = known.iter().find(|account| account.name == name);
        if account.is_some_and(|account| account.disabled) {
            return Ok(None);
        }
        let role = account.map(|account| account.role);
        return Ok(Some(Who {
            role: role.unwrap_or(if admin && !lost { Role::Admin } else { Role::Agent }),
            groups: account.map(|account| account.groups.clone()).unwrap_or_default(),
            presence: if door.is_at_terminal(peer) {
                Presence::Terminal
            } else if own || peer.uid == served::uid() {
                Presence::PeerUid
            } else {
                Presence::OtherUid
            },
            via: "socket",
            has_passphrase: account.is_some_and(|account| account.has_passphrase),
            name,
            credential: None,
            from_terminal: false,
            only: None,
        }));
    }
    let bearer = bearer(headers);
    if let Some(token) = bearer
        && door.knows_token(token)
    {
        return Ok(Some(Who {
            name: "agent".to_owned(),
            role: Role::Agent,
            groups: Vec::new(),
            presence: Presence::PeerUid,
            via: "http",
            has_passphrase: false,
            credential: None,
            from_terminal: false,
            only: None,
        }));
    }
    let (Some(secret), Some(broker)) = (bearer, broker) else { return Ok(None) };
    let store = broker.store();
    let Some((account, label)) = store.promptly(SOON, store.authenticate(secret, Timestamp::now())).await?
    else {
        return Ok(None);
    };
    let credential = Digest::of(secret.as_bytes());
    let present = unlocked.is(&credential, headers);
    let console = !matches!(label, TokenLabel::Program);
    let from_terminal = matches!(label, TokenLabel::ConsoleFromTerminal);
    Ok(Some(Who {
        name: account.name,
        role: account.role,
        groups: account.groups,
        presence: if present { Presence::Passphrase } else { Presence::PeerUid },
        via: if console { "console" } else { "http" },
        has_passphrase: account.has_passphrase,
        from_terminal,
        only: label.only(),
        credential: Some(credential),
    }))
}

/// Lets in whoever has at least this role.
pub(crate) async fn require(State(role): State<Role>, request: Request, next: Next) -> Response {
    let Some(who) = request.extensions().get::<Who>() else {
        let why =
            "sign in, or give a token: Authorization: Bearer … (`doorward status --token` for decisions)";
        return problem(StatusCode::UNAUTHORIZED, "service.unauthorized", why);
    };
    if who.only.is_some() && who.role_at(request.uri().path()) < role {
        let why = "this link answers its own question only; `doorward console` opens the whole console";
        return problem(StatusCode::FORBIDDEN, "service.forbidden", why);
    }
    if who.role < role {
        let why = format!("{} may not do this: it takes the role {role:?}", who.name).to_lowercase();
        return problem(StatusCode::FORBIDDEN, "service.forbidden", &why);
    }
    next.run(request).await
}

/// Whether a request brings a credential, good or bad.
pub(crate) fn has_credential(headers: &HeaderMap) -> bool {
    headers.contains_key(header::AUTHORIZATION)
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}
