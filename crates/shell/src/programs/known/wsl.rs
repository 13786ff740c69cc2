// Generated from knowledge/programs/wsl.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "wsl",
        "basic commands of WSL, wsl --help 2.6",
        "\
            --all --bare --cd=data -d|--distribution=data --debug-shell -e|--exec --enable-wsl1 \
            --export=data --fixed-vhd --format=data --from-file=read --import=data --import-in-place=data \
            --inbox --install -l|--list --legacy --location=dir --manage=data --mount=data --name=data \
            --no-distribution --no-launch -o|--online --options=data --partition=num --pre-release \
            -q|--quiet --running -s|--set-default=data --set-default-version=data --set-version=data \
            --shell-type=data --shutdown --status --system -t|--terminate=data --type=data -u|--user=data \
            --uninstall --unmount?=data --unregister=data --update -v|--verbose|--version --vhd \
            --vhd-size=data --web-download",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--unregister", "--uninstall"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "deletes a distribution"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--shutdown", "-t"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "stops what runs in a distribution"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-l", "--status", "-v"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--install", "--update"]),
            ],
            acts: &[
                Act::Works,
                Act::ContactsUnknown("https", Direction::Fetch),
                Act::Finding("shell.remote_code", "installs a system, or a new version of this one"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--export"]),
            ],
            acts: &[
                Act::Works,
                Act::Operand(0, false, Role::Write),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--import"]),
            ],
            acts: &[
                Act::Works,
                Act::Operand(0, false, Role::Dir),
                Act::Operand(1, false, Role::Read),
                Act::Finding("shell.persistence", "adds a system"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--import-in-place"]),
            ],
            acts: &[
                Act::Works,
                Act::Operand(0, false, Role::Read),
                Act::Finding("shell.persistence", "adds a system"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--mount", "--unmount"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes disks or mounts"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--manage", "-s", "--set-default-version", "--set-version"]),
            ],
            acts: &[
                Act::Works,
                Act::Mentions,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--debug-shell"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "opens a shell beside all distributions"),
                Act::Transparent,
                Act::RunsStdin("shell"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-u"], &["root"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "becomes root in a distribution"),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Transparent,
                Act::RunsStdin("shell"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-e"]),
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-e"]),
            ],
            acts: &[
                Act::WrapsShell(0),
            ],
        },
    ])
    ,
];
