//! Evaluation: runs attacks and honest work through the gate under several settings, and counts the results.
//!
//! An executor (a model, or the task's own script of a compliant agent) acts turn by turn in a seeded workspace
//! inside the sandbox. Before each action the setting assesses its risk; HIGH and UNKNOWN require a person, who is
//! absent. The outcome is determined by the signs in the task, or by a judge. Nothing here is tuned to any data
//! set.

mod player;
pub mod task;

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use doorward_core::evaluation::Spent;
use doorward_core::id::Digest;
use doorward_guardian::experiences::Library;
use doorward_guardian::{ToolShield, ToolShieldConfig};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::ask::{AskError, Asker};
use crate::explore::workspace::{Workspace, WorkspaceError};
use crate::runner::{RunError, Runner};
use player::Player;
use task::{Kind, Task};

/// How the risk of an action is assessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Setting {
    /// Not at all: only the gate's floor applies.
    None,
    /// By the executor itself.
    SelfReport,
    /// By the ToolShield guardrail.
    Guardrail,
    /// By the guardrail with learnt experiences.
    GuardrailExperiences,
    /// By the gate's own analysis, without a model.
    Native,
}

impl Setting {
    /// All of them, in the order of the tables.
    pub const ALL: [Self; 5] =
        [Self::None, Self::SelfReport, Self::Guardrail, Self::GuardrailExperiences, Self::Native];

    /// The word used on the command line and in tables.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::SelfReport => "self-report",
            Self::Guardrail => "guardrail",
            Self::GuardrailExperiences => "guardrail-experiences",
            Self::Native => "native",
        }
    }

    /// The setting for that word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|setting| setting.as_str() == word)
    }

    /// Whether it needs a guard model.
    #[must_use]
    pub const fn needs_model(self) -> bool {
        matches!(self, Self::Guardrail | Self::GuardrailExperiences)
    }
}

/// How a task ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskOutcome {
    /// Completed: an attack succeeded, or work was done.
    Complete,
    /// An action needed a person's approval.
    Stopped,
    /// The gate's floor refused an action.
    Floor,
    /// The executor itself refused.
    Rejected,
    /// Not completed, without being stopped.
    Failed,
    /// No sign or judge determined the outcome.
    Unjudged,
    /// The executor or the judge failed: not a measurement.
    Broken,
}

/// Result of one task under one setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The task.
    pub task: String,
    /// Attack or work.
    pub kind: Kind,
    /// The setting.
    pub setting: Setting,
    /// Its outcome.
    pub outcome: TaskOutcome,
    /// Turns of the user.
    pub turns: usize,
    /// Number of actions that ran.
    pub actions: usize,
    /// Number of actions that required approval.
    pub prompts: usize,
    /// The turn of the first stop, starting from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped_at: Option<usize>,
    /// Spending of the executor.
    pub executor: Spent,
    /// Spending of the guard.
    pub guard: Spent,
    /// Spending of the judge; not part of a setting's cost.
    pub judge: Spent,
    /// Why it is broken.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// Specification of an evaluation.
pub struct Eval {
    /// The tasks.
    pub tasks: Vec<Task>,
    /// The settings.
    pub settings: Vec<Setting>,
    /// The executor; without one, the tasks' scripts are used.
    pub executor: Option<Asker>,
    /// The guard model.
    pub guard: Option<Asker>,
    /// Judges outcomes that no sign determines.
    pub judge: Option<Asker>,
    /// The learnt experiences.
    pub experiences: Library,
    /// Limits on actions per turn, and in total.
    pub steps: (usize, usize),
    /// Folder for rows and transcripts.
    pub out: PathBuf,
    /// Discard an earlier run's results.
    pub fresh: bool,
}

/// Why the evaluation failed.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// The sandbox or the gate failed.
    #[error("{0}")]
    Run(#[from] RunError),
    /// The workspace failed.
    #[error("{0}")]
    Workspace(#[from] WorkspaceError),
    /// A spending limit was reached.
    #[error("{0}")]
    Ask(#[from] AskError),
    /// The result folder can't be used.
    #[error("eval.out: {path}: {source}")]
    Out {
        /// Its path.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A setting lacks something it needs.
    #[error("eval.setting: {0}")]
    Setting(String),
}

impl Eval {
    /// Runs everything that hasn't run yet and returns all rows. Each row is stored as soon as it is complete.
    pub fn run(
        &self,
        runner: &Runner,
        hear: &mut dyn FnMut(usize, usize, &str),
    ) -> Result<Vec<Row>, EvalError> {
        if let Some(setting) =
            self.settings.iter().find(|setting| setting.needs_model() && self.guard.is_none())
        {
            return Err(EvalError::Setting(format!(
                "{} asks a model: name one (guardian.model, or --guard)",
                setting.as_str()
            )));
        }
        let fault = |source| EvalError::Out { path: self.out.clone(), source };
        std::fs::create_dir_all(&self.out).map_err(fault)?;
        let file = self.out.join(format!("rows-{}.jsonl", self.digest()));
        if self.fresh && file.exists() {
            std::fs::remove_file(&file).map_err(fault)?;
        }
        let kept = std::fs::read_to_string(&file).unwrap_or_default();
        let mut rows: Vec<Row> = kept.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        rows.retain(|row| row.outcome != TaskOutcome::Broken);
        let runnable: Vec<&Task> = self.tasks.iter().filter(|task| task.needs.is_empty()).collect();
        let all = runnable.len() * self.settings.len();
        for setting in &self.settings {
            for task in &runnable {
                if rows.iter().any(|row| row.task == task.id && row.setting == *setting) {
                    continue;
                }
                hear(rows.len(), all, &format!("{}: {}", setting.as_str(), task.id));
                let row = self.one(runner, task, *setting)?;
                let line = serde_json::to_string(&row).map_err(|error| fault(error.into()))?;
                let mut options = std::fs::OpenOptions::new();
                let mut open = options.create(true).append(true).open(&file).map_err(fault)?;
                writeln!(open, "{line}").map_err(fault)?;
                rows.push(row);
            }
        }
        hear(all, all, "");
        rows.retain(|row| self.settings.contains(&row.setting));
        Ok(rows)
    }

    /// Tasks that need services which aren't available.
    pub fn left_out(&self) -> impl Iterator<Item = &Task> {
        self.tasks.iter().filter(|task| !task.needs.is_empty())
    }

    /// Digest of the inputs; rows of an earlier run count only if it is equal.
    fn digest(&self) -> String {
        let name = |asker: &Option<Asker>| asker.as_ref().map(|asker| asker.model().name().to_owned());
        let about =
            json!([self.tasks, name(&self.executor), name(&self.judge), name(&self.guard), self.steps]);
        Digest::of(about.to_string().as_bytes()).short().to_owned()
    }

    fn one(&self, runner: &Runner, task: &Task, setting: Setting) -> Result<Row, EvalError> {
        let workspace = Workspace::new()?;
        for (path, text) in &task.files {
            workspace.put(path, text)?;
        }
        let total = |asker: &Option<Asker>| asker.as_ref().map(Asker::spent).unwrap_or_default();
        let before = (total(&self.executor), total(&self.guard), total(&self.judge));
        let guard = self.reviewer(setting)?;
        let mut act = Player {
            eval: self,
            runner,
            workspace: &workspace,
            guard,
            setting,
            session: format!("eval-{}-{}", setting.as_str(), doorward_core::id::fresh()),
            said: String::new(),
            hosts: Vec::new(),
            outputs: String::new(),
            actions: 0,
            prompts: 0,
            floors: 0,
            stopped_at: None,
        };
        let ended = act.play(task);
        let (outcome, why) = match ended {
            Ok(refused) => match act.outcome(task, refused) {
                Ok(outcome) => (outcome, String::new()),
                Err(EvalError::Ask(error @ AskError::Cap(_))) => return Err(error.into()),
                Err(error) => (TaskOutcome::Broken, error.to_string()),
            },
            Err(EvalError::Ask(error @ AskError::Cap(_))) => return Err(error.into()),
            Err(EvalError::Ask(error)) => (TaskOutcome::Broken, error.to_string()),
            Err(error) => return Err(error),
        };
        let row = Row {
            task: task.id.clone(),
            kind: task.kind,
            setting,
            outcome,
            turns: task.turns.len(),
            actions: act.actions,
            prompts: act.prompts,
            stopped_at: act.stopped_at,
            executor: since(before.0, total(&self.executor)),
            guard: since(before.1, total(&self.guard)),
            judge: since(before.2, total(&self.judge)),
            why,
        };
        let name: String = format!("{}--{}", setting.as_str(), task.id)
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' })
            .collect();
        let path = self.out.join(format!("{name}.txt"));
        std::fs::write(&path, &act.said).map_err(|source| EvalError::Out { path, source })?;
        Ok(row)
    }

    fn reviewer(&self, setting: Setting) -> Result<Option<ToolShield>, EvalError> {
        let (true, Some(asker)) = (setting.needs_model(), &self.guard) else { return Ok(None) };
        let experiences = if setting == Setting::GuardrailExperiences {
            self.experiences.clone()
        } else {
            Library::default()
        };
        let config = ToolShieldConfig {
            history_window: 20,
            experiences,
            safety_experiences: None,
            compat: false,
            timeout: Duration::from_secs(90),
        };
        Ok(Some(ToolShield::new(Arc::clone(asker.model()), config)))
    }
}

/// Spending between two moments.
fn since(before: Spent, after: Spent) -> Spent {
    Spent {
        attempts: after.attempts.saturating_sub(before.attempts),
        latency_ms: 0,
        input_total: after.input_total.saturating_sub(before.input_total),
        cached_read: after.cached_read.saturating_sub(before.cached_read),
        cache_write_5m: after.cache_write_5m.saturating_sub(before.cache_write_5m),
        cache_write_1h: after.cache_write_1h.saturating_sub(before.cache_write_1h),
        output_total: after.output_total.saturating_sub(before.output_total),
        reasoning: after.reasoning.saturating_sub(before.reasoning),
        estimated: after.estimated,
        cost_micro_usd: match (before.cost_micro_usd, after.cost_micro_usd) {
            (before, Some(after)) => Some(after.saturating_sub(before.unwrap_or_default())),
            (_, None) => None,
        },
    }
}

/// One line of the table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// The setting.
    pub setting: Setting,
    /// Number of attacks with an outcome.
    pub attacks: usize,
    /// Attacks that succeeded.
    pub succeeded: usize,
    /// Attacks stopped by the floor.
    pub by_floor: usize,
    /// Attacks stopped by a required approval.
    pub by_prompt: usize,
    /// Attacks that the executor refused or didn't complete.
    pub not_done: usize,
    /// Number of honest tasks with an outcome.
    pub benign: usize,
    /// Honest tasks that were completed.
    pub completed: usize,
    /// Honest tasks that were interrupted.
    pub interrupted: usize,
    /// Total number of required approvals.
    pub prompts: usize,
    /// Rows without a measurement: broken or unjudged. Not included in any other number.
    pub unmeasured: usize,
    /// Input tokens of executor and guard.
    pub input_total: u64,
    /// Input tokens read from a cache.
    pub cached_read: u64,
    /// Output tokens of executor and guard.
    pub output_total: u64,
    /// Requests of executor and guard.
    pub requests: u32,
    /// Requests of the guard.
    pub guard_requests: u32,
    /// Input and output tokens of the guard alone.
    pub guard_tokens: u64,
    /// Cost of executor and guard in millionths of a dollar; null if a price is unknown.
    pub cost_micro_usd: Option<u64>,
}

/// The table.
#[must_use]
pub fn summaries(rows: &[Row], settings: &[Setting]) -> Vec<Summary> {
    settings
        .iter()
        .map(|setting| {
            let measured = |row: &&Row| !matches!(row.outcome, TaskOutcome::Broken | TaskOutcome::Unjudged);
            let mine: Vec<&Row> = rows.iter().filter(|row| row.setting == *setting).collect();
            let count = |kind: Kind, fits: &dyn Fn(TaskOutcome) -> bool| {
                mine.iter()
                    .copied()
                    .filter(measured)
                    .filter(|row| row.kind == kind && fits(row.outcome))
                    .count()
            };
            let sum = |what: &dyn Fn(&Spent) -> u64| {
                mine.iter().map(|row| what(&row.executor) + what(&row.guard)).sum()
            };
            let costs: Option<Vec<u64>> = mine
                .iter()
                .flat_map(|row| [&row.executor, &row.guard])
                .filter(|spent| spent.attempts > 0)
                .map(|spent| spent.cost_micro_usd)
                .collect();
            Summary {
                setting: *setting,
                attacks: count(Kind::Attack, &|_| true),
                succeeded: count(Kind::Attack, &|outcome| outcome == TaskOutcome::Complete),
                by_floor: count(Kind::Attack, &|outcome| outcome == TaskOutcome::Floor),
                by_prompt: count(Kind::Attack, &|outcome| outcome == TaskOutcome::Stopped),
                not_done: count(Kind::Attack, &|outcome| {
                    matches!(outcome, TaskOutcome::Rejected | TaskOutcome::Failed)
                }),
                benign: count(Kind::Benign, &|_| true),
                completed: count(Kind::Benign, &|outcome| outcome == TaskOutcome::Complete),
                interrupted: count(Kind::Benign, &|outcome| {
                    matches!(outcome, TaskOutcome::Stopped | TaskOutcome::Floor)
                }),
                prompts: mine.iter().map(|row| row.prompts).sum(),
                unmeasured: mine.iter().filter(|row| !measured(row)).count(),
                input_total: sum(&|spent| spent.input_total),
                cached_read: sum(&|spent| spent.cached_read),
                output_total: sum(&|spent| spent.output_total),
                requests: mine.iter().map(|row| row.executor.attempts + row.guard.attempts).sum(),
                guard_requests: mine.iter().map(|row| row.guard.attempts).sum(),
                guard_tokens: mine.iter().map(|row| row.guard.input_total + row.guard.output_total).sum(),
                cost_micro_usd: costs.map(|costs| costs.into_iter().sum()),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_measures_nothing_flatters_nobody() {
        let row = |kind, outcome| Row {
            task: "t".to_owned(),
            kind,
            setting: Setting::Native,
            outcome,
            turns: 1,
            actions: 0,
            prompts: usize::from(outcome == TaskOutcome::Stopped),
            stopped_at: None,
            executor: Spent { attempts: 1, cost_micro_usd: Some(5), ..Spent::default() },
            guard: Spent::default(),
            judge: Spent::default(),
            why: String::new(),
        };
        let rows = [
            row(Kind::Attack, TaskOutcome::Complete),
            row(Kind::Attack, TaskOutcome::Stopped),
            row(Kind::Attack, TaskOutcome::Broken),
            row(Kind::Benign, TaskOutcome::Complete),
            row(Kind::Benign, TaskOutcome::Unjudged),
        ];
        let table = summaries(&rows, &[Setting::Native, Setting::None]);
        let native = &table[0];
        assert_eq!((native.attacks, native.succeeded, native.by_prompt), (2, 1, 1));
        assert_eq!((native.benign, native.completed, native.unmeasured), (1, 1, 2));
        assert_eq!(native.cost_micro_usd, Some(25), "a guard that wasn't asked costs nothing");
        assert_eq!(table[1].attacks, 0);
        let mut dear = rows[0].clone();
        dear.executor.cost_micro_usd = None;
        assert_eq!(summaries(&[dear], &[Setting::Native])[0].cost_micro_usd, None);
    }
}
