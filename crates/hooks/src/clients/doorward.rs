//! Doorward's own tool names (HTTP, library, command line), and the names that other harnesses use there.

use doorward_core::tool::Client;

use super::alias::{CMD, CODE, PATH, alias, windows};
use super::{Alias, Contract};

pub(super) static CONTRACT: Contract = Contract::of(Client::Doorward, "Doorward", TOOLS);

const TOOLS: &[Alias] = &[
    alias("shell_interpreter", "shell:execute", CMD),
    alias("python_interpreter", "python:execute", CODE),
    alias("execute_bash", "shell:execute", CMD),
    alias("bash", "shell:execute", CMD),
    windows("powershell", "powershell"),
    windows("PowerShell", "powershell"),
    windows("pwsh", "powershell"),
    windows("cmd", "cmd"),
    alias("read_file", "fs:read", PATH),
    alias("view_file", "fs:read", PATH),
    alias("list_files", "fs:read", PATH),
    alias("search", "fs:read", PATH),
    alias("create_file", "fs:write", PATH),
    alias("edit_file", "fs:write", PATH),
    alias("multi_edit", "fs:write", PATH),
    alias("write_file", "fs:write", PATH),
    alias("str_replace_editor", "fs:write", PATH),
    alias("delete_file", "fs:delete", PATH),
    alias("rm", "fs:delete", PATH),
    alias("web_fetch", "net:fetch", &[]),
    alias("web_search", "net:search", &[]),
    alias("submit_plan", "plan:submit", &[]),
    alias("exit_plan_mode", "plan:leave", &[]),
    alias("plan", "plan:submit", &[]),
    alias("ask_human", "plan:ask", &[]),
    alias("think", "plan:think", &[]),
    alias("todo_update", "plan:todo", &[]),
];
