//! Tools under watch: what was approved of a server, what it lists now, and what a person says to a difference.
//!
//! The store's `pin` table has one row a tool and one, without a tool, for the server itself. A row keeps the approved
//! definition and the one that differs from it; only a person's approval, or the first sight of a server, writes the
//! former.

use std::sync::Arc;

use doorward_core::id::Digest;
use doorward_mcp::pins::{self, State};
use doorward_mcp::scan::{self, ScanFinding, ScanVerdict};
use doorward_mcp::schema::Prepared;
use doorward_mcp::{Definition, Listed};
use doorward_settings::{FirstSight, Settings};
use doorward_store::{Pin, Store, StoreError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::known::{KnownServer, KnownTool};
use super::{Refused, Seeing, Seen, Server, is_shown, told};
use crate::labels;

/// Who approved what was approved without a person: the first sight of a server.
const FIRST_SIGHT: &str = "first sight";
/// Findings that another server's tools cause. They are asked about once, where the later of two tools is new; the
/// one that was approved before isn't taken away by them.
const OF_OTHERS: &[&str] = &["name.claims_server", "name.shadow", "name.typosquat"];
/// Findings that don't keep a new tool from the client. Another server's tool of the same name is a note: every client
/// that is known names the server with the tool. What is odd about a pattern is asked about at the call.
const LISTED: &[&str] = &["name.shadow", "schema.redos"];
/// Tools of one list at most.
const MOST_TOOLS: usize = 2_000;

/// What a row's `definition` column holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Kept {
    /// What was approved; nothing for a tool that waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    approved: Option<String>,
    /// What is listed instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    current: Option<String>,
    /// What was found in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    findings: Vec<String>,
    /// The same in sentences, as far as a person has to know it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    told: String,
    /// The person who said no to what is listed instead, and the digest of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refused: Option<(String, Digest)>,
    /// Of the server itself: a prompt or a resource was read before its tools were ever listed, so that the first
    /// list is still its first sight.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unlisted: bool,
}

impl Kept {
    fn of(pin: &Pin) -> Self {
        serde_json::from_str(&pin.definition).unwrap_or_default()
    }

    /// Whether what was approved has this digest. A pin of an earlier version covered fewer members: then the definition
    /// that the person saw decides.
    fn covers(&self, pinned: Option<&Digest>, digest: &Digest) -> bool {
        let seen = || self.approved().is_some_and(|approved| approved.digest() == *digest);
        self.approved.is_some() && (pinned == Some(digest) || seen())
    }

    /// The codes of the findings, with the one that says whether a member that no pin covers isn't what was approved.
    fn with_unpinned(&self, current: &Definition) -> Vec<String> {
        let differs = self.approved().is_some_and(|approved| pins::differs_unpinned(&approved, current));
        let others = self.findings.iter().filter(|code| *code != pins::UNPINNED_CHANGED).cloned();
        others.chain(differs.then(|| pins::UNPINNED_CHANGED.to_owned())).collect()
    }

    fn approved(&self) -> Option<Definition> {
        Definition::of(self.approved.as_deref()?).ok()
    }
}

/// Rows of one server, as the gate needs them.
pub(super) fn read(rows: &[Pin]) -> KnownServer {
    let mut known = KnownServer::default();
    for pin in rows {
        if pin.tool.is_empty() {
            known.identity.clone_from(&pin.digest);
            continue;
        }
        let approved = Kept::of(pin).approved();
        let schema = approved.as_ref().and_then(|definition| definition.plain_member("inputSchema"));
        let (state, digest) = (state_of(pin), pin.digest.clone());
        let schema = schema.map(Prepared::of).map(Arc::new);
        let by_person = pin.by != FIRST_SIGHT;
        known
            .tools
            .insert(pin.tool.clone(), Arc::new(KnownTool { state, digest, approved, schema, by_person }));
    }
    known
}

fn state_of(pin: &Pin) -> State {
    match pin.state.as_str() {
        "approved" => State::Approved,
        "changed" => State::Changed,
        _ => State::Pending,
    }
}

pub(super) fn identity_digest(server: &Server) -> Digest {
    digest_of(&server.identity)
}

fn digest_of(identity: &str) -> Digest {
    Digest::of(format!("doorward-mcp-server-v1\n{identity}").as_bytes())
}

/// Looks at what a server lists, keeps what is new, and says what a client may see. Never approves a change.
///
/// # Errors
/// [`Refused`]: the store can't be read or written, or the list is too long.
pub async fn seen(store: &Store, settings: &Settings, seeing: &Seeing) -> Result<Vec<Seen>, Refused> {
    if seeing.tools.len() > MOST_TOOLS {
        return Err(Refused::new("mcp.too_many", format!("more than {MOST_TOOLS} tools in one list")));
    }
    let server = &seeing.server;
    let rows = store.pins("").await.map_err(unkept)?;
    let own: Vec<&Pin> = rows.iter().filter(|pin| pin.server == server.name).collect();
    let others = listed_elsewhere(&rows, server, settings);
    let itself = own.iter().find(|pin| pin.tool.is_empty());
    let kept_itself = itself.map(|pin| Kept::of(pin)).unwrap_or_default();
    let other_server = itself.is_some_and(|pin| pin.digest.as_ref() != Some(&identity_digest(server)));
    // The first list of a server that was exchanged before it ever listed anything is no first sight.
    let is_first = itself.is_none() || (kept_itself.unlisted && !other_server);
    if !is_first && other_server && kept_itself.current.as_ref() != Some(&server.identity) {
        let kept = Kept { current: Some(server.identity.clone()), ..kept_itself };
        let (digest, by) = itself.map(|pin| (pin.digest.as_ref(), pin.by.as_str())).unwrap_or_default();
        put(store, server, "", State::Changed, digest, &kept, by).await?;
    }
    let trusted = settings.mcp.trusted.contains(&server.name);
    let read: Vec<Result<Definition, String>> =
        seeing.tools.iter().map(|text| Definition::of(text).map_err(|error| error.to_string())).collect();
    let tools: Vec<Definition> = read.iter().filter_map(|one| one.clone().ok()).collect();
    let listed = Listed { server: server.name.clone(), trusted, tools };
    let findings = scan::scan_beside(&listed, &others);
    let mut all = Vec::new();
    for (text, one) in seeing.tools.iter().zip(read) {
        let definition = match one {
            Ok(definition) => definition,
            Err(why) => {
                all.push(Seen {
                    name: String::new(),
                    digest: None,
                    shown: false,
                    why,
                    definition: None,
                    waits_now: false,
                });
                continue;
            }
        };
        let about: Vec<ScanFinding> =
            findings.iter().filter(|finding| finding.tool == definition.name).cloned().collect();
        let row = own.iter().find(|pin| pin.tool == definition.name).copied();
        let twice = listed.tools.iter().filter(|other| other.name == definition.name).count() > 1;
        let sight = Sight { row, is_first, other_server, trusted, twice };
        all.push(one_seen(store, settings, server, &definition, text, &about, &sight).await?);
    }
    if is_first {
        // Last: whoever lists the same server meanwhile sees it for the first time, too, or all of its tools.
        let kept = Kept { approved: Some(server.identity.clone()), ..Kept::default() };
        put(store, server, "", State::Approved, Some(&identity_digest(server)), &kept, FIRST_SIGHT).await?;
    }
    Ok(all)
}

/// Keeps the identity of a server of which a prompt or a resource is read before its tools were listed: some have no
/// tools. What is kept already stays.
///
/// # Errors
/// [`Refused`]: the store can't be written.
pub(super) async fn met(store: &Store, server: &Server) -> Result<(), Refused> {
    let kept = Kept { approved: Some(server.identity.clone()), unlisted: true, ..Kept::default() };
    let row = row(server, "", State::Approved, Some(&identity_digest(server)), &kept, FIRST_SIGHT)?;
    store.add_pin(&row).await.map_err(unkept)
}

/// What is known around one tool of a list.
struct Sight<'a> {
    row: Option<&'a Pin>,
    is_first: bool,
    other_server: bool,
    trusted: bool,
    /// The list has the name twice.
    twice: bool,
}

async fn one_seen(
    store: &Store,
    settings: &Settings,
    server: &Server,
    definition: &Definition,
    text: &str,
    findings: &[ScanFinding],
    sight: &Sight<'_>,
) -> Result<Seen, Refused> {
    let digest = definition.digest();
    let counts = |finding: &&ScanFinding| !LISTED.contains(&finding.code.as_str());
    let clean = findings.iter().filter(counts).all(|finding| finding.severity == ScanVerdict::Ok);
    let at_first =
        sight.is_first && (sight.trusted || (settings.mcp.first_sight == FirstSight::Clean && clean));
    let before = sight.row.map(|pin| (state_of(pin), pin.digest.clone(), Kept::of(pin)));
    let codes: Vec<String> = findings.iter().map(|finding| finding.code.clone()).collect();
    let told = told(findings);
    let told_now = told.clone();
    let (state, kept) = match &before {
        None if at_first => {
            let kept = Kept { approved: Some(text.to_owned()), findings: codes, told, ..Kept::default() };
            (State::Approved, kept)
        }
        None => {
            let kept = Kept { current: Some(text.to_owned()), findings: codes, told, ..Kept::default() };
            (State::Pending, kept)
        }
        // What isn't pinned may change, but for what a person would have been shown: a finding that wasn't there when
        // the tool was approved makes it another tool.
        Some((_, pinned, kept))
            if kept.covers(pinned.as_ref(), &digest)
                && codes
                    .iter()
                    .all(|code| kept.findings.contains(code) || OF_OTHERS.contains(&code.as_str())) =>
        {
            let findings = kept.with_unpinned(definition);
            (State::Approved, Kept { current: None, refused: None, findings, ..kept.clone() })
        }
        Some((_, _, kept)) => {
            let state = if kept.approved.is_some() { State::Changed } else { State::Pending };
            (state, Kept { current: Some(text.to_owned()), findings: codes, told, ..kept.clone() })
        }
    };
    // A changed tool keeps the digest of what was approved.
    let pinned = match (&before, state) {
        (_, State::Approved) => Some(digest.clone()),
        (Some((_, pinned, _)), _) => pinned.clone(),
        (None, _) => None,
    };
    let same = before
        .as_ref()
        .is_some_and(|(was, had, had_kept)| *was == state && *had == pinned && *had_kept == kept);
    if !same {
        let by = sight.row.map_or(FIRST_SIGHT, |pin| pin.by.as_str());
        put(store, server, &definition.name, state, pinned.as_ref(), &kept, by).await?;
    }
    let why = match state {
        _ if sight.twice => "is listed twice under one name".to_owned(),
        _ if sight.other_server => {
            format!("the server `{}` isn't started as it was when it was approved", server.name)
        }
        State::Approved => told_now,
        State::Pending => waits("is new", &told_now),
        State::Changed => waits("isn't what was approved", &told_now),
    };
    let shown = is_shown(state) && !sight.other_server && !sight.twice;
    let definition = if shown { enhanced(settings, definition, text) } else { None };
    let name = kept_name(text);
    let waits_now = !shown && !same;
    Ok(Seen { name, digest: Some(digest), shown, why, definition, waits_now })
}

fn waits(what: &str, found: &str) -> String {
    if found.is_empty() { what.to_owned() } else { format!("{what}: {found}") }
}

fn kept_name(text: &str) -> String {
    Definition::of(text).map(|definition| definition.name).unwrap_or_default()
}

/// The definition as the model should see it, where that differs: with the label `security_risk` to fill in.
fn enhanced(settings: &Settings, definition: &Definition, text: &str) -> Option<String> {
    if !labels::are_read(settings) {
        return None;
    }
    let schema = definition.plain_member("inputSchema")?;
    let annotations = definition.plain_member("annotations");
    let changed =
        labels::enhanced(settings, &schema, annotations.as_ref()).ok().filter(|new| *new != schema)?;
    doorward_mcp::message::with_member(text, &["inputSchema"], Some(&changed.to_string())).ok()
}

/// Approved tools of the other servers, for names that could be taken for theirs.
fn listed_elsewhere(rows: &[Pin], own: &Server, settings: &Settings) -> Vec<Listed> {
    let mut others: Vec<Listed> = Vec::new();
    for pin in rows.iter().filter(|pin| pin.server != own.name && !pin.tool.is_empty()) {
        let Some(definition) = Kept::of(pin).approved() else { continue };
        match others.iter_mut().find(|listed| listed.server == pin.server) {
            Some(listed) => listed.tools.push(definition),
            None => others.push(Listed {
                server: pin.server.clone(),
                trusted: settings.mcp.trusted.contains(&pin.server),
                tools: vec![definition],
            }),
        }
    }
    others
}

async fn put(
    store: &Store,
    server: &Server,
    tool: &str,
    state: State,
    digest: Option<&Digest>,
    kept: &Kept,
    by: &str,
) -> Result<(), Refused> {
    store.put_pin(&row(server, tool, state, digest, kept, by)?).await.map_err(unkept)
}

fn row(
    server: &Server,
    tool: &str,
    state: State,
    digest: Option<&Digest>,
    kept: &Kept,
    by: &str,
) -> Result<Pin, Refused> {
    Ok(Pin {
        server: server.name.clone(),
        tool: tool.to_owned(),
        state: state.as_str().to_owned(),
        digest: digest.cloned(),
        definition: serde_json::to_string(kept)
            .map_err(|error| Refused::new("mcp.pin", error.to_string()))?,
        by: by.to_owned(),
    })
}

fn unkept(error: StoreError) -> Refused {
    Refused::new("mcp.pin", format!("the pins can't be read or kept: {error}"))
}

/// A pin, for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PinShown {
    /// The server.
    pub server: String,
    /// The tool; empty for the server itself.
    pub tool: String,
    /// `approved`, `pending` or `changed`.
    pub state: String,
    /// Who approved it, or `first sight`.
    pub by: String,
    /// Codes of what was found in its definition.
    pub findings: Vec<String>,
    /// The same in sentences, as far as a person has to know it; empty where nothing was found.
    #[serde(default)]
    pub told: String,
    /// Who said no to what is shown here. It stays hidden and can't be called, and asks for nobody's attention.
    #[serde(default)]
    pub refused: Option<String>,
    /// What differs from what was approved: each member with its parts, word by word. For a tool that waits, all of it.
    #[schemars(with = "serde_json::Value")]
    pub differences: serde_json::Value,
    /// What an approval approves: digest of what is shown here.
    pub shown: Option<Digest>,
}

/// Pins of one server, or of all with an empty name.
///
/// # Errors
/// [`Refused`]: the store can't be read.
pub async fn pins(store: &Store, server: &str) -> Result<Vec<PinShown>, Refused> {
    let rows = store.pins(server).await.map_err(unkept)?;
    Ok(rows.iter().map(pin_shown).collect())
}

fn pin_shown(pin: &Pin) -> PinShown {
    let kept = Kept::of(pin);
    if pin.tool.is_empty() {
        return server_shown(pin, kept);
    }
    let nothing = || Definition::of(r#"{"name":"-"}"#).ok();
    let before = kept.approved().or_else(nothing);
    let current = kept.current.as_deref().and_then(|text| Definition::of(text).ok());
    let differences = match (&before, &current) {
        (Some(before), Some(current)) => serde_json::json!(pins::differences(before, current)),
        _ => serde_json::json!([]),
    };
    let shown = current.map(|current| current.digest()).or_else(|| pin.digest.clone());
    PinShown { tool: pin.tool.clone(), ..shown_of(pin, kept, differences, shown) }
}

fn shown_of(pin: &Pin, kept: Kept, differences: serde_json::Value, shown: Option<Digest>) -> PinShown {
    let refused = kept.refused.filter(|(_, digest)| shown.as_ref() == Some(digest) && kept.current.is_some());
    PinShown {
        server: pin.server.clone(),
        tool: String::new(),
        state: pin.state.clone(),
        by: pin.by.clone(),
        findings: kept.findings,
        told: kept.told,
        refused: refused.map(|(by, _)| by),
        differences,
        shown,
    }
}

/// How the server itself is started, beside how it was when it was approved.
fn server_shown(pin: &Pin, kept: Kept) -> PinShown {
    let differences = match (&kept.approved, &kept.current) {
        (before, Some(now)) => {
            serde_json::json!([["started as", pins::words(before.as_deref().unwrap_or_default(), now)]])
        }
        (_, None) => serde_json::json!([]),
    };
    let shown = kept.current.as_deref().map(digest_of).or_else(|| pin.digest.clone());
    shown_of(pin, kept, differences, shown)
}

/// What a person says yes or no to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Approved {
    /// The server.
    pub server: String,
    /// The tool; empty for the server itself, as it was started last.
    #[serde(default)]
    pub tool: String,
    /// Digest of what the person was shown, as [`PinShown::shown`] gave it.
    pub shown: Digest,
}

/// Approves what a person was shown. Whatever came between is refused.
///
/// # Errors
/// [`Refused`]: there is no such pin, it isn't what was shown, or it can't be kept.
pub async fn approve(store: &Store, approved: &Approved, by: &str) -> Result<(), Refused> {
    let Some((row, current, digest)) = waiting(store, approved).await? else { return Ok(()) };
    let kept = Kept { approved: Some(current), current: None, refused: None, ..Kept::of(&row) };
    let server = Server { name: approved.server.clone(), identity: String::new() };
    put(store, &server, &approved.tool, State::Approved, Some(&digest), &kept, by).await
}

/// Says no to what a person was shown: it stays hidden and can't be called, and no longer waits for anybody. What was
/// approved before stays approved, and counts again once the server lists it again.
///
/// # Errors
/// As [`approve`]; also where nothing waits.
pub async fn refuse(store: &Store, refused: &Approved, by: &str) -> Result<(), Refused> {
    let Some((row, _, digest)) = waiting(store, refused).await? else {
        return Err(Refused::new("mcp.shown", "it is approved, and nothing else waits"));
    };
    let kept = Kept { refused: Some((by.to_owned(), digest)), ..Kept::of(&row) };
    let server = Server { name: refused.server.clone(), identity: String::new() };
    put(store, &server, &refused.tool, state_of(&row), row.digest.as_ref(), &kept, &row.by).await
}

/// The row of what a person was shown, what waits in it, and the digest of that; `None` where nothing waits.
async fn waiting(store: &Store, about: &Approved) -> Result<Option<(Pin, String, Digest)>, Refused> {
    let rows = store.pins(&about.server).await.map_err(unkept)?;
    let unknown = || Refused::new("mcp.unknown", format!("no pin of {}/{}", about.server, about.tool));
    let row = rows.into_iter().find(|pin| pin.tool == about.tool).ok_or_else(unknown)?;
    let Some(current) = Kept::of(&row).current else { return Ok(None) };
    let digest = if row.tool.is_empty() {
        digest_of(&current)
    } else {
        Definition::of(&current).map_err(|error| Refused::new("mcp.pin", error.to_string()))?.digest()
    };
    if digest != about.shown {
        return Err(Refused::new(
            "mcp.shown",
            "the definition changed again since it was shown; look at it once more",
        ));
    }
    Ok(Some((row, current, digest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn several_first_lists_at_once_leave_no_clean_tool_waiting() {
        for round in 0..10 {
            let folder = tempfile::tempdir().unwrap();
            let store = Arc::new(Store::open_file(&folder.path().join("store.db")).await.unwrap());
            let sights: Vec<_> = (0..8)
                .map(|_| {
                    let store = Arc::clone(&store);
                    tokio::spawn(async move {
                        let tool = |number: usize| {
                            format!(
                                r#"{{"name":"tool{number}","description":"Adds two numbers.","inputSchema":{{"type":"object"}}}}"#
                            )
                        };
                        let server = Server { name: "s".to_owned(), identity: "command x".to_owned() };
                        let seeing = Seeing { server, tools: (0..12).map(tool).collect(), cwd: "/".to_owned() };
                        seen(&store, &Settings::default(), &seeing).await.unwrap()
                    })
                })
                .collect();
            for sight in sights {
                for tool in sight.await.unwrap() {
                    assert!(tool.shown, "round {round}: {} waits: {}", tool.name, tool.why);
                }
            }
            // What is listed later for the first time waits for a person.
            let server = Server { name: "s".to_owned(), identity: "command x".to_owned() };
            let late = r#"{"name":"late","description":"Adds.","inputSchema":{"type":"object"}}"#;
            let seeing = Seeing { server, tools: vec![late.to_owned()], cwd: "/".to_owned() };
            assert!(!seen(&store, &Settings::default(), &seeing).await.unwrap()[0].shown);
        }
    }

    #[tokio::test]
    async fn a_pin_covers_every_member_and_a_change_of_the_others_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_file(&folder.path().join("store.db")).await.unwrap();
        let server = Server { name: "s".to_owned(), identity: "command x".to_owned() };
        let sees = async |more: &str| {
            let tool = format!(
                r#"{{"name":"add","description":"Adds two numbers.","inputSchema":{{"type":"object"}}{more}}}"#
            );
            let seeing = Seeing { server: server.clone(), tools: vec![tool], cwd: "/".to_owned() };
            let shown = seen(&store, &Settings::default(), &seeing).await.unwrap()[0].shown;
            let shown_pin =
                pins(&store, "s").await.unwrap().into_iter().find(|pin| pin.tool == "add").unwrap();
            (shown, shown_pin.findings)
        };
        let told = vec![pins::UNPINNED_CHANGED.to_owned()];
        assert_eq!(sees("").await, (true, vec![]));
        assert_eq!(sees(r#","_meta":{"build":2}"#).await, (true, told.clone()));
        assert_eq!(sees(r#","icons":[{"src":"https://x.example/i.png"}]"#).await, (true, told));
        assert_eq!(sees("").await, (true, vec![]), "what was approved is back");
        for more in [r#","execution":{"taskSupport":"required"}"#, r#","x-vendor":{"mode":"fast"}"#] {
            assert!(!sees(more).await.0, "{more}");
        }
    }
}
