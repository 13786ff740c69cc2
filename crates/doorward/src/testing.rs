//! Whole-way rows of `policy test`: the product's own analysis, the row's policies, nothing of this machine.

use std::path::Path;
use std::sync::Arc;

use doorward_core::decision::{Decision, PolicyDecision};
use doorward_core::effect::SandboxFacts;
use doorward_core::mode::PermissionMode;
use doorward_gate::{Judge, Review, Stages};
use doorward_hooks::clients::ClientMode;
use doorward_inspect::EmptyWorld;
use doorward_paths::OwnFiles;
use doorward_policy::cedar::{CedarEngine, Compiled};
use doorward_policy::request::SeedRequest;
use doorward_policy::testing::Row;
use doorward_settings::Settings;

use crate::contract::call_in_workspace;
use crate::inspecting::Inspecting;
use crate::settle::ModeAndPolicy;

/// Judges a whole-way row: working folder and only root `/workspace`, empty; home `/home/user`; no git configuration.
pub fn whole(row: &Row, compiled: Compiled, request: &SeedRequest) -> PolicyDecision {
    let sandbox = row.facts.as_ref().map(|facts| facts.sandbox.clone()).unwrap_or_default();
    let decision = judge(row.mode.unwrap_or(ClientMode::Default), sandbox, compiled, request);
    PolicyDecision {
        decision: decision.verdict,
        code: decision.code,
        reason: decision.reason,
        obligations: decision.obligations,
        confirm: decision.confirm,
        ..decision.policy
    }
}

fn judge(mode: ClientMode, sandbox: SandboxFacts, compiled: Compiled, request: &SeedRequest) -> Decision {
    let settings = Settings::default();
    let world = Arc::new(EmptyWorld::at_home("/home/user"));
    let inspecting = Arc::new(Inspecting::over(world, &settings, OwnFiles::new(), sandbox));
    let judge = Judge::new(Stages {
        inspect: inspecting,
        analyzers: Vec::new(),
        policy: Arc::new(CedarEngine::new(compiled)),
        settle: Arc::new(ModeAndPolicy::new(&settings, doorward_core::record::Posture::Personal)),
        guardian: doorward_guardian::Builtin::default().shared(),
        review: Review::Asked,
        effects_count: true,
    });
    let call = call_in_workspace(request, mode, Path::new("/workspace"), &settings);
    // Every room here answers at once, so one poll is the whole way.
    match futures_util::FutureExt::now_or_never(judge.simulate(call, Arc::default())) {
        Some(Ok(judged)) => judged.case().decision().clone(),
        Some(Err(denial)) => fault(&denial.code, &denial.reason, mode.permission()),
        None => fault("internal.panic", "a room did not answer at once", mode.permission()),
    }
}

fn fault(code: &str, reason: &str, mode: PermissionMode) -> Decision {
    Decision {
        verdict: doorward_core::Verdict::Deny,
        code: code.to_owned(),
        reason: reason.to_owned(),
        basis: doorward_core::Basis::Finding,
        obligations: Vec::new(),
        confirm: None,
        warning: None,
        policy: PolicyDecision::deny(code, reason),
        mode,
    }
}
