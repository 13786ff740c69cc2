//! Selects the policies of a set that Cedar's authorizer must evaluate for a request.
//!
//! First by tool and verb: policies whose action and resource could match. Then by literal facts: policies with a
//! necessary condition ([`super::probe`]) that doesn't hold are left out. Cedar evaluates the rest, as a set that is
//! built once and cached. Leaving a policy out never changes a verdict, an error or a reason.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, RwLock};

use cedar_policy::pst::{ActionConstraint, EntityOrSlot, EntityUID, ResourceConstraint};
use cedar_policy::{Effect, Entities, PolicySet};
use doorward_core::call::Principal;

use super::context::{self, Target, Unbuilt, action_parents};
use super::load::Entry;
use super::mention::Mentions;
use super::probe::{Fact, Literally, keys};
use crate::facts::EngineRequest;

/// Most cached slices and sets; then the cache is cleared. Bounded because callers choose the names.
const SLICES: usize = 1_024;
const SETS: usize = 4_096;
const CALLERS: usize = 256;

/// A set with its index.
#[derive(Debug)]
pub(crate) struct Index {
    pub(crate) entries: Arc<Vec<Entry>>,
    /// The entries that belong to this set.
    members: Vec<u32>,
    by_id: HashMap<String, usize>,
    whole: Arc<PreparedSet>,
    slices: RwLock<HashMap<(String, String), Arc<Slice>>>,
}

/// The policies whose action and resource match a tool and a verb.
#[derive(Debug)]
pub(crate) struct Slice {
    pub(crate) target: Target,
    /// All of them, in order.
    pub(crate) all: Vec<u32>,
    base: Vec<u32>,
    buckets: Vec<Bucket>,
    /// Permits whose action matches, whatever their resource; [`super::nearest`] searches these.
    pub(crate) permits: Vec<u32>,
    sets: RwLock<HashMap<Vec<u32>, Arc<PreparedSet>>>,
    /// Cached entities of callers: computing their closure can cost more than the evaluation.
    callers: RwLock<HashMap<Principal, Arc<Entities>>>,
}

#[derive(Debug)]
struct Bucket {
    fact: Fact,
    by: HashMap<Literally, Vec<u32>>,
    absent: Vec<u32>,
}

/// A set in the form that the authorizer takes.
#[derive(Debug)]
pub(crate) struct PreparedSet {
    pub(crate) set: PolicySet,
    pub(crate) mentions: Mentions,
    pub(crate) len: usize,
}

impl Index {
    pub(crate) fn new(entries: Arc<Vec<Entry>>, members: Vec<u32>) -> Self {
        let whole = Arc::new(PreparedSet::of(&entries, &members));
        let by_id = entries.iter().enumerate().map(|(at, entry)| (entry.id.clone(), at)).collect();
        Self { entries, members, by_id, whole, slices: RwLock::default() }
    }

    pub(crate) fn entry(&self, id: &str) -> Option<&Entry> {
        self.by_id.get(id).and_then(|at| self.entries.get(*at))
    }

    /// The whole set, for comparison with the slices.
    pub(crate) fn whole(&self) -> Arc<PreparedSet> {
        Arc::clone(&self.whole)
    }

    pub(crate) fn slice(&self, request: &EngineRequest) -> Arc<Slice> {
        let key = (request.tool.as_str().to_owned(), request.action.clone());
        if let Ok(slices) = self.slices.read()
            && let Some(slice) = slices.get(&key)
        {
            return Arc::clone(slice);
        }
        let slice = Arc::new(Slice::of(&self.entries, &self.members, request));
        if let Ok(mut slices) = self.slices.write() {
            if slices.len() >= SLICES {
                slices.clear();
            }
            slices.insert(key, Arc::clone(&slice));
        }
        slice
    }

    /// The policies that Cedar must evaluate for this request.
    pub(crate) fn prepared(&self, slice: &Slice, request: &EngineRequest) -> Arc<PreparedSet> {
        let wanted = slice.candidates(&self.entries, request);
        if let Ok(sets) = slice.sets.read()
            && let Some(prepared) = sets.get(&wanted)
        {
            return Arc::clone(prepared);
        }
        let prepared = Arc::new(PreparedSet::of(&self.entries, &wanted));
        if let Ok(mut sets) = slice.sets.write() {
            if sets.len() >= SETS {
                sets.clear();
            }
            sets.insert(wanted, Arc::clone(&prepared));
        }
        prepared
    }
}

impl PreparedSet {
    fn of(entries: &[Entry], members: &[u32]) -> Self {
        let chosen = || members.iter().filter_map(|at| entries.get(usize::try_from(*at).ok()?));
        let mut mentions = Mentions::default();
        chosen().for_each(|entry| mentions.join(&entry.mentions));
        // INVARIANT: ids are unique in a loaded set, and duplicates are the only error of `from_policies`.
        let set = PolicySet::from_policies(chosen().map(|entry| entry.policy.clone())).unwrap_or_default();
        Self { len: set.num_of_policies(), set, mentions }
    }
}

impl Slice {
    /// Caller, action and resource of a request with their parents, without an approval.
    pub(crate) fn entities(&self, request: &EngineRequest) -> Result<Arc<Entities>, Unbuilt> {
        if let Ok(callers) = self.callers.read()
            && let Some(known) = callers.get(&request.principal)
        {
            return Ok(Arc::clone(known));
        }
        let made = Arc::new(context::entities(request, &self.target, None)?);
        if let Ok(mut callers) = self.callers.write() {
            if callers.len() >= CALLERS {
                callers.clear();
            }
            callers.insert(request.principal.clone(), Arc::clone(&made));
        }
        Ok(made)
    }

    fn of(entries: &[Entry], members: &[u32], request: &EngineRequest) -> Self {
        let scope = Scope::of(request);
        let mut slice = Self {
            target: Target::of(request),
            all: Vec::new(),
            base: Vec::new(),
            buckets: Vec::new(),
            permits: Vec::new(),
            sets: RwLock::default(),
            callers: RwLock::default(),
        };
        for at in members {
            let Some(entry) = usize::try_from(*at).ok().and_then(|at| entries.get(at)) else { continue };
            if !scope.action(&entry.action) {
                continue;
            }
            if entry.effect == Effect::Permit {
                slice.permits.push(*at);
            }
            if scope.resource(&entry.resource) {
                slice.all.push(*at);
                slice.place(*at, entry);
            }
        }
        slice
    }

    /// Whether a policy's action and resource match.
    pub(crate) fn holds(&self, at: u32) -> bool {
        self.all.binary_search(&at).is_ok()
    }

    fn place(&mut self, at: u32, entry: &Entry) {
        // Prefer a fact about the call to the caller's identity, and few literals to many: both leave out more
        // policies.
        let best =
            entry.probes.iter().filter_map(|probe| Some((probe, probe.bucket()?))).min_by_key(
                |(probe, (values, absent))| (*absent, probe.fact == Fact::Principal, values.len()),
            );
        let Some((probe, (values, or_absent))) = best else {
            self.base.push(at);
            return;
        };
        let known = self.buckets.iter().position(|bucket| bucket.fact == probe.fact);
        let bucket = match known.and_then(|known| self.buckets.get_mut(known)) {
            Some(bucket) => bucket,
            None => {
                let fact = probe.fact.clone();
                self.buckets.push(Bucket { fact, by: HashMap::new(), absent: Vec::new() });
                let Some(last) = self.buckets.last_mut() else { return };
                last
            }
        };
        for value in values {
            let places = bucket.by.entry(value).or_default();
            if places.last() != Some(&at) {
                places.push(at);
            }
        }
        if or_absent {
            bucket.absent.push(at);
        }
    }

    fn candidates(&self, entries: &[Entry], request: &EngineRequest) -> Vec<u32> {
        let mut found = self.base.clone();
        for bucket in &self.buckets {
            match keys(&bucket.fact, request) {
                None => found.extend_from_slice(&bucket.absent),
                Some(keys) => {
                    for key in keys {
                        found.extend(bucket.by.get(&key).into_iter().flatten());
                    }
                }
            }
        }
        found.retain(|at| {
            let entry = usize::try_from(*at).ok().and_then(|at| entries.get(at));
            entry.is_none_or(|entry| entry.probes.iter().all(|probe| probe.may_hold(request)))
        });
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The action and resource of a request, with their parents.
struct Scope<'r> {
    tool: &'r str,
    verbs: Vec<&'r str>,
    class: &'static str,
    server: Option<&'r str>,
}

impl<'r> Scope<'r> {
    fn of(request: &'r EngineRequest) -> Self {
        Self {
            tool: request.tool.as_str(),
            verbs: action_parents(request),
            class: request.class().as_str(),
            server: request.tool.mcp_parts().map(|(server, _)| server),
        }
    }

    fn action(&self, constraint: &ActionConstraint) -> bool {
        let own = |uid: &EntityUID| is(uid, "Action", self.tool);
        match constraint {
            ActionConstraint::Any => true,
            ActionConstraint::Eq(uid) => own(uid),
            ActionConstraint::In(uids) => {
                uids.iter().any(|uid| own(uid) || self.verbs.iter().any(|verb| is(uid, "Action", verb)))
            }
        }
    }

    fn resource(&self, constraint: &ResourceConstraint) -> bool {
        let own = |uid: &EntityUID| is(uid, "Tool", self.tool);
        let within = |uid: &EntityUID| {
            own(uid)
                || is(uid, "ToolClass", self.class)
                || self.server.is_some_and(|server| is(uid, "Server", server))
        };
        match constraint {
            ResourceConstraint::Any => true,
            ResourceConstraint::Eq(EntityOrSlot::Entity(uid)) => own(uid),
            ResourceConstraint::In(EntityOrSlot::Entity(uid)) => within(uid),
            ResourceConstraint::Is(kind) => kind.to_string() == "Tool",
            ResourceConstraint::IsIn(kind, EntityOrSlot::Entity(uid)) => {
                kind.to_string() == "Tool" && within(uid)
            }
            // Slots don't occur in a loaded set. In doubt, keep the policy.
            _ => true,
        }
    }
}

fn is(uid: &EntityUID, kind: &str, id: &str) -> bool {
    uid.eid == id && uid.ty.to_string() == kind
}

/// All groups named in the set, for a hypothetical approver.
pub(crate) fn groups(mentions: &Mentions) -> Vec<String> {
    let named: &BTreeSet<String> = &mentions.groups;
    named.iter().cloned().collect()
}
