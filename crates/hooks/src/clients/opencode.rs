//! OpenCode: its tool names. Its plugin asks like a hook. Documented, not measured.

use doorward_core::tool::Client;

use super::alias::{CMD, PATH, alias};
use super::{Alias, Contract};

pub(super) static CONTRACT: Contract = Contract::of(Client::Opencode, "OpenCode", TOOLS);

const TOOLS: &[Alias] = &[
    alias("bash", "shell:execute", CMD),
    alias("read", "fs:read", &[("filePath", "path")]),
    alias("list", "fs:read", PATH),
    alias("grep", "fs:read", PATH),
    alias("glob", "fs:read", PATH),
    alias("write", "fs:write", &[("filePath", "path")]),
    alias("edit", "fs:write", &[("filePath", "path")]),
    alias("patch", "fs:write", &[("patchText", "patch")]),
    alias("webfetch", "net:fetch", &[]),
    alias("todowrite", "plan:todo", &[]),
    alias("todoread", "plan:todo", &[]),
    alias("multiedit", "fs:write", &[("filePath", "path")]),
    alias("apply_patch", "fs:write", &[("patchText", "patch")]),
    alias("lsp", "fs:read", PATH),
    alias("websearch", "net:search", &[]),
    alias("codesearch", "net:search", &[]),
    alias("question", "plan:ask", &[]),
    alias("plan_enter", "plan:todo", &[]),
    alias("plan_exit", "plan:leave", &[]),
    alias("task", "plan:delegate", &[]),
    alias("skill", "plan:delegate", &[]),
];
