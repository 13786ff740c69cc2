// Generated from knowledge/programs/lxc-execute.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "lxc-execute lxc-attach",
        "lxc-execute(1), lxc-attach(1) 5.0",
        "\
            -n|--name=data -f|--rcfile=config -P|--lxcpath=config -o|--logfile=append \
            -l|--logpriority=data -q|--quiet -s|--define|--namespaces=data -d|--daemon -u|--uid=num \
            -g|--gid=num -a|--arch=data -e?=data --elevated-privileges?=data -R|--remount-sys-proc \
            --keep-env --clear-env -v|--set-var=env --keep-var=data -h|--help --usage --version",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-h", "--usage", "--version"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "enters a container"),
                Act::Transparent,
                Act::RunsInsideOf(0, &["-n", "-D", "-M"]),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-e", "--elevated-privileges"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::ContainerEscape, "enters a container with rights over the host"),
            ],
        },
    ])
    ,
    wraps(
        "systemd-nspawn",
        "systemd-nspawn(1) 252",
        "\
            -q|--quiet --settings=data -D|--directory=data --template=look -x|--ephemeral -i|--image=data \
            --oci-bundle=config --read-only --volatile?=data --root-hash=data --root-hash-sig=read \
            --verity-data=read --pivot-root=data -a|--as-pid2 -b|--boot --chdir=data -E|--setenv=env \
            -u|--user=data --kill-signal=data --notify-ready=data --suppress-sync=data -M|--machine=data \
            --hostname=data --uuid=data -S|--slice=data --property=data --register=data --keep-unit \
            --private-users=data --private-users-ownership=data --private-users-chown -U --private-network \
            --network-interface=data --network-macvlan=data --network-ipvlan=data -n|--network-veth \
            --network-veth-extra=data --network-bridge=data --network-zone=data \
            --network-namespace-path=data -p|--port=data --capability=data --drop-capability=data \
            --ambient-capability=data --no-new-privileges=data --system-call-filter=data \
            -Z|--selinux-context=data -L|--selinux-apifs-context=data --rlimit=data --oom-score-adjust=num \
            --cpu-affinity=data --personality=data --resolv-conf=data --timezone=data --link-journal=data \
            -j --bind|--bind-ro=mount --bind-user=data --inaccessible=data --tmpfs=data \
            --overlay|--overlay-ro=mount --console=data -P|--pipe --load-credential=data \
            --set-credential=data --no-pager -h|--help --version",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-h", "--version"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "enters a container"),
                Act::Transparent,
                Act::RunsInsideOf(0, &["-n", "-D", "-M"]),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--capability"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::ContainerEscape, "keeps rights over the host in the container"),
            ],
        },
    ])
    ,
    wraps(
        "machinectl-shell",
        "machinectl(1) 252",
        "-M|--machine=data -q|--quiet -E|--setenv=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "enters a container"),
                Act::Transparent,
                Act::RunsInsideOf(0, &["-n", "-D", "-M"]),
            ],
        },
    ])
    .taken_over()
    ,
];
