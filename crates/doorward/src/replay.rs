//! Recorded runs judged again, step by step, on a simulated world: nothing runs, and every step counts as having run,
//! because it did when the run was recorded.

use std::sync::Arc;

use doorward_core::call::{Custody, OutsideRoots, Principal, Prompt, Root, Workplace};
use doorward_core::decision::Verdict;
use doorward_core::effect::SandboxFacts;
use doorward_core::id::{DecisionId, SessionId};
use doorward_core::json::Object;
use doorward_core::mode::PermissionMode;
use doorward_core::record::{Outcome, Posture};
use doorward_core::tool::ToolName;
use doorward_gate::{Inspect, Judge, Outcomes as _, Returned, Review, Stages};
use doorward_hooks::clients::ClientMode;
use doorward_inspect::{Deed, MapWorld};
use doorward_paths::OwnFiles;
use doorward_settings::{Profile, Settings};

use crate::entrance::{Entrance, LabelDuty, own_caller};
use crate::inspecting::Inspecting;
use crate::project::Project;
use crate::reviewing;
use crate::sessions::SessionBook;
use crate::settle::ModeAndPolicy;

/// Where a replayed run takes place, and under which settings.
pub struct Replay {
    judge: Judge,
    inspecting: Arc<Inspecting>,
    sessions: Arc<SessionBook>,
    settings: Settings,
    mode: ClientMode,
    steps: u64,
}

/// One step's verdict.
#[derive(Debug, Clone)]
pub struct Replayed {
    /// Allowed, asked about or denied.
    pub verdict: Verdict,
    /// The code of the decision.
    pub code: String,
    /// Its reason.
    pub reason: String,
    /// The risk.
    pub risk: doorward_core::risk::SecurityRisk,
    /// Codes of all findings.
    pub findings: Vec<String>,
    /// Flows that the step completes.
    pub flows: Vec<String>,
    /// The staged intent score with this step.
    pub intent: i64,
}

/// One step of a run.
#[derive(Debug, Clone)]
pub struct ReplayStep {
    /// The tool, by its canonical name.
    pub tool: ToolName,
    /// Its arguments.
    pub args: Object,
    /// The folder.
    pub cwd: String,
    /// What it brought back.
    pub result: String,
    /// Where from, if the record tells; else the call tells.
    pub source: Option<String>,
    /// Whether other people can write the result, if the record tells.
    pub untrusted: Option<bool>,
}

impl Replay {
    /// Under these settings, in this sandbox, for a user with this home folder, with files that are there in the
    /// beginning.
    ///
    /// # Errors
    /// Why the policies don't load.
    pub fn new(
        settings: &Settings,
        mode: PermissionMode,
        sandbox: SandboxFacts,
        home: &str,
        files: &[(String, String)],
    ) -> Result<Self, String> {
        let world = MapWorld::new().home_at(home);
        let world = files.iter().fold(world, |world, (path, text)| world.file(path, text));
        let sessions = Arc::<SessionBook>::default();
        let inspecting = Inspecting::over(Arc::new(world), settings, OwnFiles::new(), sandbox);
        let inspecting = Arc::new(inspecting.remembering(&sessions));
        let judge = Judge::new(Stages {
            inspect: Arc::clone(&inspecting) as Arc<dyn Inspect>,
            analyzers: reviewing::without_models(settings),
            policy: Arc::new(Project::engine_of(settings, None)?),
            settle: Arc::new(ModeAndPolicy::new(settings, Posture::Personal)),
            guardian: doorward_guardian::Builtin::default().shared(),
            review: Review::Asked,
            effects_count: settings.analyzers.profile == Profile::Default,
        });
        let mode = ClientMode::from_word(mode.as_str());
        Ok(Self { judge, inspecting, sessions, settings: settings.clone(), mode, steps: 0 })
    }

    /// The person said something.
    pub fn said(&self, session: &SessionId, text: &str) {
        self.sessions.said(session, text);
    }

    /// Judges a step, and counts it as run with its result.
    ///
    /// # Errors
    /// The refusal, where a stage failed inside.
    pub async fn step(
        &mut self,
        session: &SessionId,
        roots: &[String],
        step: ReplayStep,
    ) -> Result<Replayed, String> {
        self.steps += 1;
        let ReplayStep { tool, args, cwd, result, source, untrusted } = step;
        let principal = Principal { id: "replay".to_owned(), groups: Vec::new() };
        let caller = own_caller(principal, session.to_owned(), Custody::Advised);
        let roots = roots.iter().map(|root| Root::parse(root)).collect();
        let place = Workplace { cwd, roots, outside: OutsideRoots::Ask };
        let entrance = Entrance::new(caller, tool, args, place).settled(Some(self.mode), Prompt::Queue);
        // Nobody asked for a label when the run was recorded; one that is there counts.
        let mut call = Entrance { label: LabelDuty::Volunteered, ..entrance }.call(&self.settings);
        let step = format!("replay-{}", self.steps);
        let decision = DecisionId::from(step.as_str());
        call.id = step.into();
        let mut place =
            SessionBook::enter(&self.sessions, &call).await.map_err(|denial| denial.reason.clone())?;
        let inspected = self.judge.inspect(call, place.view());
        place.under_way(Deed::of(&inspected, self.inspecting.written(&inspected)));
        let case = self.judge.judge(inspected).await.into_case();
        place.settled(Verdict::Allow, &decision);
        self.sessions.observed(session, &decision, Outcome::Ran);
        match (&source, untrusted) {
            (None, None) => self.sessions.brought(session, &decision, result.as_bytes()),
            _ => self.sessions.returned(
                session,
                &decision,
                &Returned {
                    content: result.as_bytes(),
                    source: source.as_deref().unwrap_or("a result"),
                    untrusted: untrusted.unwrap_or_default(),
                },
            ),
        }
        let (decided, inspected) = (case.decision(), case.inspected());
        Ok(Replayed {
            verdict: decided.verdict,
            code: decided.code.clone(),
            reason: decided.reason.clone(),
            risk: inspected.risk,
            findings: inspected.findings.iter().map(|finding| finding.code.to_string()).collect(),
            flows: inspected.session.flows.iter().cloned().collect(),
            intent: inspected.session.intent,
        })
    }

    /// The flows that the run's steps completed so far, oldest first.
    #[must_use]
    pub fn flows(&self, session: &SessionId) -> Vec<doorward_flows::CompletedFlow> {
        self.sessions.flows(session)
    }

    /// The session as a graph in text.
    #[must_use]
    pub fn drawn(&self, session: &SessionId) -> Option<String> {
        self.sessions.drawn(session)
    }
}
