//! Who is calling, what they may do, and how it is known that a person is there.
//!
//! Socket callers are known by the kernel's word, port callers by a token or by the cookie of a signed-in console. A
//! credential alone never counts as a person: that takes the approver's passphrase, which unlocks one console for a
//! while, or another user of this machine.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use doorward::Door;
use doorward_core::approval::Presence;
use doorward_store::{Role, Store, StoreError};
use jiff::{SignedDuration, Timestamp};

use crate::api::{Caller, problem};

/// Name of the console's cookie.
pub(crate) const COOKIE: &str = "doorward";
/// Header that every changing request of a console carries.
pub(crate) const CSRF: &str = "x-doorward-csrf";
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
    /// Digest of the token or cookie; empty for the socket.
    pub(crate) credential: String,
    /// What the CSRF header must say, for cookies.
    pub(crate) csrf: Option<String>,
}

/// Consoles that a passphrase unlocked, until when.
#[derive(Debug, Default)]
pub(crate) struct Unlocked {
    until: Mutex<HashMap<String, Timestamp>>,
}

impl Unlocked {
    pub(crate) fn unlock(&self, credential: &str) -> Timestamp {
        let now = Timestamp::now();
        let until = now.checked_add(UNLOCKED).unwrap_or(now);
        let mut all = self.until.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, until| *until > now);
        all.insert(credential.to_owned(), until);
        until
    }

    pub(crate) fn lock(&self, credential: &str) {
        self.until.lock().unwrap_or_else(PoisonError::into_inner).remove(credential);
    }

    fn is(&self, credential: &str) -> bool {
        let all = self.until.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(credential).is_some_and(|until| *until > Timestamp::now())
    }
}

/// Finds out who is calling. `None`: nobody we know.
pub(crate) async fn identify(
    door: &Door,
    store: Option<&Store>,
    unlocked: &Unlocked,
    caller: Caller,
    headers: &HeaderMap,
) -> Result<Option<Who>, StoreError> {
    if let Caller::Local(peer) = caller {
        let own = peer.uid == rustix::process::getuid().as_raw();
        let name = doorward::hook::user_name(peer.uid);
        let known = match store {
            Some(store) => store.accounts().await,
            None => Ok(Vec::new()),
        };
        // A store that can't be read takes roles away; what only asks for decisions is still answered, with a no.
        let lost = known.is_err();
        let account = known.unwrap_or_default().into_iter().find(|account| account.name == name);
        if account.as_ref().is_some_and(|account| account.disabled) {
            return Ok(None);
        }
        let role = account.as_ref().map(|account| account.role);
        return Ok(Some(Who {
            role: role.unwrap_or(if own && !lost { Role::Admin } else { Role::Agent }),
            groups: account.as_ref().map(|account| account.groups.clone()).unwrap_or_default(),
            presence: if own { Presence::PeerUid } else { Presence::OtherUid },
            via: "socket",
            has_passphrase: account.is_some_and(|account| account.has_passphrase),
            name,
            credential: String::new(),
            csrf: None,
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
            credential: String::new(),
            csrf: None,
        }));
    }
    let cookie = cookie(headers);
    let (Some(secret), Some(store)) = (bearer.or(cookie), store) else { return Ok(None) };
    let Some(account) = store.authenticate(secret, Timestamp::now()).await? else { return Ok(None) };
    let credential = doorward_core::json::digest(secret.as_bytes());
    let present = unlocked.is(&credential);
    Ok(Some(Who {
        name: account.name,
        role: account.role,
        groups: account.groups,
        presence: if present { Presence::Passphrase } else { Presence::PeerUid },
        via: if bearer.is_some() { "http" } else { "console" },
        has_passphrase: account.has_passphrase,
        csrf: bearer.is_none().then(|| csrf_of(secret)),
        credential,
    }))
}

/// Lets in whoever has at least this role. A cookie counts only together with the header that pages of other origins
/// can't set.
pub(crate) async fn require(State(role): State<Role>, request: Request, next: Next) -> Response {
    let Some(who) = request.extensions().get::<Who>() else {
        let why =
            "sign in, or give a token: Authorization: Bearer … (`doorward status --token` for decisions)";
        return problem(StatusCode::UNAUTHORIZED, "service.unauthorized", why);
    };
    if who.role < role {
        let why = format!("{} may not do this: it takes the role {role:?}", who.name).to_lowercase();
        return problem(StatusCode::FORBIDDEN, "service.forbidden", &why);
    }
    let safe = matches!(*request.method(), Method::GET | Method::HEAD);
    let told = request.headers().get(CSRF).and_then(|value| value.to_str().ok());
    if let Some(csrf) = &who.csrf
        && !safe
        && told != Some(csrf)
    {
        return problem(
            StatusCode::FORBIDDEN,
            "service.csrf",
            "the header x-doorward-csrf is missing or wrong",
        );
    }
    next.run(request).await
}

/// Follows from the cookie, which no page can read.
pub(crate) fn csrf_of(secret: &str) -> String {
    doorward_core::json::digest(format!("csrf:{secret}").as_bytes())
}

/// Whether a request brings a credential, good or bad.
pub(crate) fn has_credential(headers: &HeaderMap) -> bool {
    headers.contains_key(header::AUTHORIZATION) || cookie(headers).is_some()
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

pub(crate) fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies.flat_map(|line| line.split(';')).find_map(|pair| {
        let (name, value) = pair.trim().split_once('=')?;
        (name == COOKIE).then_some(value)
    })
}
