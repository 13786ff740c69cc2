//! OpenHands 1.58: the names of its tools. It asks over HTTP (docs/openhands.md) and has no hooks.

use doorward_core::tool::Client;

use super::alias::{CMD, CODE, PATH, alias};
use super::{Alias, Contract};

pub(super) static CONTRACT: Contract = Contract::of(Client::Openhands, "OpenHands", TOOLS);

const TOOLS: &[Alias] = &[
    alias("terminal", "shell:execute", CMD),
    alias("execute_bash", "shell:execute", CMD),
    alias("execute_ipython_cell", "python:execute", CODE),
    alias("file_editor", "fs:write", PATH),
    alias("str_replace_editor", "fs:write", PATH),
    alias("think", "plan:think", &[]),
    alias("finish", "plan:submit", &[]),
    alias("task_tracker", "plan:todo", &[]),
    alias("glob", "fs:read", PATH),
    alias("grep", "fs:read", PATH),
    alias("delegate", "plan:delegate", &[]),
    alias("invoke_skill", "plan:delegate", &[]),
];
