// Generated from knowledge/programs/screen.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const TARGET: &str = "\
    -a -A -b -B -c|--start-directory=data -C -d -D -e=data -E -f -F=data -h -H -k -l=data -L -M -n=data -N \
    -p=data -P -q -R -s=data -t=data -v -x=data -X -y=data -Z";

static TMUX_COMMANDS: &[ProgramRow] = &[
    reads(
        "\
            ls list-sessions list-windows lsw list-panes lsp list-keys lsk list-clients lsc list-commands \
            lscm list-buffers lsb capture-pane capturep show-options show show-window-options showw \
            show-hooks show-messages showmsgs show-buffer showb display-message display display-panes \
            displayp info has-session has",
        "tmux(1) 3.4",
        "-t=data -a -b=data -e -E=data -f=data -F=data -g -J -p -q -s -S=data -v -w",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::PickedBare(Pick { at: &["0.."], fits: &[], except: &[], after: &["#("] },
                    Role::Shell, ["", ")"]),
                Act::PickedBare(Pick { at: &["-F"], fits: &[], except: &[], after: &["#("] },
                    Role::Shell, ["", ")"]),
                Act::PickedBare(Pick { at: &["-f"], fits: &[], except: &[], after: &["#("] },
                    Role::Shell, ["", ")"]),
            ],
        },
    ])
    ,
    works(
        "show-environment showenv",
        "tmux(1) 3.4",
        "",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Environment(true),
            ],
        },
    ])
    ,
    works(
        "send-keys send",
        "tmux(1) 3.4",
        "-c=data -F -H -K -l -M -N=num -R -t=data -X",
        "data*",
    )
    .style(Style::LenientPosix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsCode(Pick { at: &["0.."], fits: &[], except: &["Enter", "C-m", "KPEnter"],
                    after: &[] }, ""),
            ],
        },
    ])
    ,
    works(
        "\
            new-session new new-window neww split-window splitw run-shell run if-shell if respawn-pane \
            respawnp respawn-window respawnw pipe-pane pipep popup display-popup",
        "tmux(1) 3.4",
        "",
        "data*",
    )
    .also(TARGET)
    .style(Style::LenientPosix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::PickedBare(Pick { at: &["-F"], fits: &[], except: &[], after: &["#("] },
                    Role::Shell, ["", ")"]),
                Act::RunsShell(0),
            ],
        },
    ])
    ,
    works(
        "source-file source",
        "tmux(1) 3.4",
        "-F -n -q -v -t=data",
        "config*",
    )
    .style(Style::LenientPosix)
    ,
    works(
        "kill-server kill-session kill-window killw kill-pane killp",
        "tmux(1) 3.4",
        "-a -C -t=data",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.resource", "ends sessions by name"),
            ],
        },
    ])
    ,
    works(
        "load-buffer loadb",
        "tmux(1) 3.4",
        "-b=data -t=data -w",
        "read*",
    )
    .style(Style::Lenient)
    ,
    works(
        "save-buffer saveb",
        "tmux(1) 3.4",
        "-a -b=data",
        "write",
    )
    .style(Style::Lenient)
    ,
    works(
        "bind-key bind set-hook command-prompt confirm-before confirm display-menu menu",
        "tmux(1) 3.4",
        "",
        "data*",
    )
    .style(Style::LenientPosix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
    ])
    ,
    works(
        "set-option set set-window-option setw",
        "tmux(1) 3.4",
        "-a -F -g -o -p -q -s -t=data -u -U -w",
        "data*",
    )
    .style(Style::LenientPosix)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["default-command", "default-shell", "lock-command", "copy-command",
                        "editor"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::Program),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::PickedBare(Pick { at: &["0.."], fits: &[], except: &[], after: &["#("] },
                    Role::Shell, ["", ")"]),
            ],
        },
    ])
    ,
    works(
        "\
            attach-session attach a at att detach-client detach lock-client lockc lock-server lock \
            lock-session locks refresh-client refresh rename-session rename server-access start-server \
            start suspend-client suspendc switch-client switchc break-pane breakp choose-buffer \
            choose-client choose-tree clock-mode copy-mode customize-mode find-window findw join-pane \
            joinp last-pane lastp last-window last link-window linkw move- pane movep move-window movew \
            next-layout nextl next-window next previous-layout prevl previous-window prev rename-window \
            renamew resize-pane resizep resize-window resizew rotate-window rotatew select-layout selectl \
            select-pane selectp select-window selectw swap-pane swapp swap-window swapw unlink-window \
            unlinkw send- prefix unbind-key unbind set-environment setenv clear-history clearhist \
            clear-prompt-history delete-buffer deleteb paste-buffer pasteb set-buffer setb \
            show-prompt-history wait-for wait",
        "tmux(1) 3.4",
        "",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Contains(&["#("]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated", "a format runs shell text"),
            ],
        },
    ])
    ,
];

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "tmux byobu",
        "tmux(1) 3.4",
        "-2 -c=sh -C -D -f=config -l -L=data -N -S=data -T=data -u -U -v -V",
        "",
    )
    .style(Style::LenientPosix)
    .shares(&[TMUX_COMMANDS])
    .taken_over()
    ,
    works(
        "zellij",
        "zellij --help 0.40",
        "\
            -c|--config=config --config-dir=config -d|--debug --data-dir=data -l|--layout=config \
            -n|--new-session-with-layout=config --max-panes=num -s|--session=data",
        "",
    )
    .style(Style::LenientPosix)
    .subs(&[
        works(
            "run r",
            "zellij --help 0.40",
            "\
                -c|--close-on-exit --cwd=data -d|--direction=data -f|--floating -h -i|--in-place \
                -n|--name=data -s|--start-suspended -x=data -y=data --height=data --width=data",
            "data*",
        )
        .style(Style::LenientPosix)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Runs(0),
                ],
            },
        ])
        ,
        reads(
            "list-sessions ls list-aliases la",
            "zellij --help 0.40",
            "",
            "data*",
        )
        .style(Style::Lenient)
        ,
        works(
            "kill-session k kill-all-sessions ka delete-session d delete-all-sessions da",
            "zellij --help 0.40",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.resource", "ends sessions by name"),
                ],
            },
        ])
        ,
        works(
            "attach a edit e convert-config convert-layout convert-theme options plugin p setup",
            "zellij --help 0.40",
            "",
            "data*",
        )
        .style(Style::Lenient)
        ,
        works(
            "action ac",
            "zellij --help 0.40",
            "",
            "data*",
        )
        .style(Style::LenientPosix)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["write-chars", "write"]),
                ],
                acts: &[
                    Act::RunsShell(1),
                ],
            },
        ])
        ,
    ])
    .taken_over()
    ,
    works(
        "screen",
        "screen(1) 4.9",
        "\
            -a -A -c=config -d -D -e=data -h=num -i -l -ls|-list -L -Logfile=write -m -O -p=data -q -Q -r \
            -R -s=file -S=data -t=data -T=data -U -v -w -wipe -x -X",
        "data*",
    )
    .style(Style::LenientPosix)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-ls", "-v"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["stuff", "exec", "screen", "eval"]),
                Condition::Has(&["-X"]),
            ],
            acts: &[
                Act::RunsShell(1),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["bind", "bindkey", "hardcopy", "readbuf", "writebuf", "readreg", "log",
                        "logfile"]),
                Condition::Has(&["-X"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-X", "-Q", "-r", "-x", "-wipe"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-R"]),
                Condition::Operands(0, 1),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Runs(0),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "dtach abduco",
        "dtach(1) 0.9, abduco(1) 0.6",
        "-a -A -c -e=data -E -f -l -n -N -p -q -r -z",
        "data*",
    )
    .style(Style::LenientPosix)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["dtach"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::Look),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(1, 1),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Runs(1),
            ],
        },
    ])
    .taken_over()
    ,
];
