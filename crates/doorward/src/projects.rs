//! The projects of a service: settings, policies and gate of each, kept while the files they were loaded from stay as
//! they are.
//!
//! A call never reads these files. A thread asks them for their stamps every [`LOOK_EVERY`] and loads a project anew
//! when one changed, so that an edit is in force within a second; where the thread is late or there is none, the next
//! call asks itself. What doesn't load leaves the last good set in force and says so; with none, every call is denied.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use doorward_core::Approver;
use doorward_settings::{Layer, OnNoMatch};

use crate::client_rules::ClientSettings;
use crate::elsewhere::Engines;
use crate::hook::Pinned;
use crate::installation::Installation;
use crate::notices::NoticeBoard;
use crate::placeholders::Placeholders;
use crate::project::Project;
use crate::records::Records;
use crate::reviewing;
use crate::sessions::SessionBook;
use crate::stamps::Stamps;
use crate::stops::Stops;

/// Projects whose rooms are kept.
const MOST_PROJECTS: usize = 256;
/// How often the files of a project are asked for their stamps.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// A look that is older than this no longer counts: the call looks itself.
const LATE: Duration = Duration::from_millis(500);

/// What the rooms of all projects have in common.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) installation: Arc<Installation>,
    pub(crate) records: Option<Arc<Records>>,
    pub(crate) sessions: Arc<SessionBook>,
    pub(crate) approver: Arc<dyn Approver>,
    pub(crate) stops: Arc<Stops>,
    pub(crate) notices: Arc<NoticeBoard>,
    pub(crate) placeholders: Arc<Placeholders>,
    /// Policy engines elsewhere.
    pub(crate) engines: Arc<Engines>,
}

/// The projects, by their root and by what their callers get where nothing permits a call.
pub struct Projects {
    shared: Shared,
    slots: Mutex<HashMap<Place, Arc<Slot>>>,
    /// Roots of hook sessions.
    pinned: Pinned,
    clients: ClientSettings,
    /// Held while a settings file is rewritten.
    rewriting: Mutex<()>,
}

/// A project's root, what its callers get where nothing permits a call, and further layers by name.
type Place = (Option<PathBuf>, OnNoMatch, Vec<String>);

/// Where one project is kept.
#[derive(Default)]
struct Slot {
    loaded: Mutex<Option<Loaded>>,
    /// Held while its files are looked at, so that calls that come at once load it once. One that hangs, on a file
    /// system that doesn't answer, holds up nobody else's project.
    looking: Mutex<()>,
}

#[derive(Clone)]
struct Loaded {
    project: Arc<Project>,
    /// Layers beside the files'.
    further: Vec<Layer>,
    stamps: Stamps,
    /// When the files were last found unchanged; `None` if they have to be looked at.
    looked: Option<Instant>,
}

impl Projects {
    pub(crate) fn new(shared: Shared) -> Arc<Self> {
        let projects = Self {
            shared,
            slots: Mutex::default(),
            pinned: Pinned::default(),
            clients: ClientSettings::default(),
            rewriting: Mutex::default(),
        };
        let projects = Arc::new(projects);
        // What only judges is asked once or twice and needs no watch.
        if projects.shared.records.is_some() {
            watch(&projects);
        }
        projects
    }

    /// What all of them have in common.
    pub(crate) const fn shared(&self) -> &Shared {
        &self.shared
    }

    /// The rooms of a project, with what it says about calls that nothing permits left to it.
    pub fn get(&self, root: Option<&Path>) -> Arc<Project> {
        self.get_for(root, OnNoMatch::Mode)
    }

    /// As [`Projects::get`], for callers whose calls are denied when nothing permits them.
    pub fn get_for(&self, root: Option<&Path>, on_no_match: OnNoMatch) -> Arc<Project> {
        self.get_with(root, on_no_match, Vec::new())
    }

    /// As [`Projects::get_for`], with layers that only tighten beside the files'.
    pub(crate) fn get_with(
        &self,
        root: Option<&Path>,
        on_no_match: OnNoMatch,
        further: Vec<Layer>,
    ) -> Arc<Project> {
        let names = further.iter().map(|layer| layer.name.clone()).collect();
        let place = (root.map(Path::to_owned), on_no_match, names);
        let fresh = |loaded: &Loaded| {
            loaded.looked.is_some_and(|looked| looked.elapsed() < LATE) && same(&loaded.further, &further)
        };
        let slot = self.slot(&place);
        if let Some(loaded) = slot.get().filter(fresh) {
            return loaded.project;
        }
        self.look(&slot, &place, further)
    }

    /// Looks at the files of a project now, and loads it if they changed.
    fn look(&self, slot: &Slot, place: &Place, further: Vec<Layer>) -> Arc<Project> {
        let _alone = slot.looking.lock().unwrap_or_else(PoisonError::into_inner);
        let known = slot.get();
        let root = place.0.as_deref();
        let now = Instant::now();
        let keep = |loaded: Loaded| {
            let project = Arc::clone(&loaded.project);
            *slot.lock() = Some(loaded);
            project
        };
        let experiences = self.shared.installation.experiences();
        // Before the content is read: what is written in between has another stamp at the next look.
        let stamps_of = |named: &[PathBuf]| {
            let layers = self.shared.installation.places().files(root);
            let known = reviewing::files_of(experiences.as_deref());
            Stamps::of(layers.into_iter().chain(named.iter().cloned()).chain(known))
        };
        let named = known.as_ref().map(|known| known.project.named_files()).unwrap_or_default();
        let stamps = stamps_of(&named);
        if let Some(known) = &known
            && known.stamps.unchanged(&stamps)
            && known.project.problem().is_none()
            && same(&known.further, &further)
        {
            return keep(Loaded { looked: Some(now), ..known.clone() });
        }
        let layers = self.shared.installation.places().read(root).map(|mut layers| {
            layers.extend(further.iter().cloned());
            layers
        });
        if let Some(known) = &known
            && known.project.is_current(&layers, experiences.as_deref())
        {
            let project = Arc::clone(&known.project);
            return keep(Loaded { project, further, stamps, looked: Some(now) });
        }
        let before = known.map(|known| known.project);
        let fresh = Arc::new(Project::load(&self.shared, root, place.1, layers, before.as_deref()));
        self.tell(&fresh, before.map(|before| before.bundle()).unwrap_or_default());
        // Files that the settings name only now were read without a stamp of before; looked at again soon.
        let all_stamped = fresh.named_files() == named;
        let stamps = if all_stamped { stamps } else { Stamps::never(stamps_of(&fresh.named_files())) };
        keep(Loaded { project: fresh, further, stamps, looked: Some(now) })
    }

    /// Whoever changed a settings file says so: every project looks at its files before it answers again.
    pub fn look_again(&self) {
        for slot in self.lock().values() {
            if let Some(loaded) = &mut *slot.lock() {
                loaded.looked = None;
            }
        }
    }

    /// Held while a settings file is rewritten.
    pub(crate) fn rewriting(&self) -> MutexGuard<'_, ()> {
        // What it guards is a file that is replaced whole.
        self.rewriting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the clients' own settings say.
    pub(crate) const fn clients(&self) -> &ClientSettings {
        &self.clients
    }

    /// Roots of hook sessions.
    pub(crate) const fn pinned(&self) -> &Pinned {
        &self.pinned
    }

    fn tell(&self, project: &Project, previous: String) {
        let failed = project.problem();
        if let Some(problem) = failed {
            tracing::error!("{}", problem.text());
        }
        for fault in project.faults() {
            tracing::error!("{fault}");
        }
        for note in project.notes() {
            tracing::warn!("{note}");
        }
        if let Some(records) = &self.shared.records {
            records.policies(failed.is_some(), project.bundle(), previous);
        }
    }

    /// Looks at the files of all projects.
    fn look_at_all(&self) {
        let all: Vec<(Place, Arc<Slot>)> =
            self.lock().iter().map(|(place, slot)| (place.clone(), Arc::clone(slot))).collect();
        for (place, slot) in all {
            if let Some(loaded) = slot.get() {
                let _ = self.look(&slot, &place, loaded.further);
            }
        }
    }

    fn slot(&self, place: &Place) -> Arc<Slot> {
        let mut slots = self.lock();
        if let Some(slot) = slots.get(place) {
            return Arc::clone(slot);
        }
        if slots.len() >= MOST_PROJECTS {
            slots.clear();
        }
        Arc::clone(slots.entry(place.clone()).or_default())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Place, Arc<Slot>>> {
        // Every critical section is one map operation, so a poisoned map is still whole.
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slot {
    fn get(&self) -> Option<Loaded> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Loaded>> {
        // It is replaced whole.
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn same(one: &[Layer], other: &[Layer]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.name == b.name && a.text == b.text)
}

/// Looks at all projects every now and then, on a thread of its own, as long as they are there. Without it calls look
/// themselves, so that it isn't fatal if it can't be started.
fn watch(projects: &Arc<Projects>) {
    let watched: Weak<Projects> = Arc::downgrade(projects);
    let started = std::thread::Builder::new().name("settings".to_owned()).spawn(move || {
        while let Some(projects) = watched.upgrade() {
            projects.look_at_all();
            drop(projects);
            std::thread::sleep(LOOK_EVERY);
        }
    });
    if let Err(error) = started {
        tracing::warn!("no thread watches the settings: {error}; each call looks at them instead");
    }
}
