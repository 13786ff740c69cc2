// Generated from knowledge/programs/claude.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            claude codex gemini cursor-agent aider opencode goose copilot droid amp qwen crush ollama llm \
            sgpt hermes agy",
        "their manual pages claude 2.1, codex 0.50, gemini 0.20, aider 0.86",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["--version", "-v", "--help", "-h", "list", "ls", "ps", "show",
                        "doctor"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Word(&["--dangerously-skip-permissions", "--yolo", "-y", "--full-auto",
                        "--yes-always", "--yes", "--allow-all-tools", "--force"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "starts {program} without its own questions"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Word(&["--auto-approve", "--skip-permissions-unsafe", "--trust-all-tools",
                        "--auto", "--allow-all", "--approval-mode=yolo"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "starts {program} without its own questions"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Word(&["--allowedTools", "--allowed-tools", "--allow-tool"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "lets {program} use tools without its own questions"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--allowedTools=", "--allowed-tools=", "--allow-tool="]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "lets {program} use tools without its own questions"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["never"]),
                Condition::Word(&["-a", "--ask-for-approval"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "starts {program} without its own questions"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["yolo", "auto_edit"]),
                Condition::Word(&["--approval-mode"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "starts {program} without its own questions"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["acceptEdits", "dontAsk", "auto"]),
                Condition::Word(&["--permission-mode"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "starts {program} without its own questions"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Word(&["--mcp-config", "--settings", "--plugin-dir", "--agents"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "gives {program} settings that name programs"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--mcp-config=", "--settings=", "--plugin-dir=", "mcp_servers.",
                        "notify=[", "hooks."]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "gives {program} settings that name programs"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--test-cmd", "--lint-cmd", "--notifications-command", "--editor",
                        "--load"]),
                Condition::Program(&["aider"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "names a command that {program} runs"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["serve"]),
                Condition::Program(&["ollama"]),
            ],
            acts: &[
                Act::Listens("127.0.0.1", "http", &[]),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["llm"]),
                Condition::Word(&["--functions", "--ft"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "gives {program} code that it runs"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["bypassPermissions", "danger", "approval_policy=never"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "starts {program} without its own questions"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["mcp/list", "mcp/get", "mcp/ls", "config/list", "config/get",
                        "config/ls", "plugin/list", "plugin/get", "plugin/ls"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["hooks/list", "hooks/get", "hooks/ls"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["mcp", "config", "plugin", "hooks", "settings", "extensions"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "changes the settings of {program}"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Both),
            ],
        },
    ])
    .taken_over()
    ,
];
