// Generated from knowledge/programs/bwrap.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "bwrap",
        "bwrap(1) 0.9, compared with 0.8",
        "\
            --unshare-all --share-net --unshare-user --unshare-user-try --unshare-ipc --unshare-pid \
            --unshare-net --unshare-uts --unshare-cgroup --unshare-cgroup-try --die-with-parent \
            --new-session --as-pid-1 --clearenv --disable-userns --assert-userns-disabled --args=data \
            --argv0=data --userns=data --userns2=data --pidns=data --uid=data --gid=data --hostname=data \
            --chdir=data --unsetenv=data --lock-file=data --sync-fd=data --remount-ro=data \
            --exec-label=data --file-label=data --proc=data --dev=data --tmpfs=data --mqueue=data \
            --dir=data --seccomp=data --add-seccomp-fd=data --block-fd=data --userns-block-fd=data \
            --info-fd=data --json-status-fd=data --cap-add=data --cap-drop=data --perms=data --size=data \
            --overlay-src=data --tmp-overlay=data --ro-overlay=data --setenv=data,data --bind=data,data \
            --bind-try=data,data --dev-bind=data,data --dev-bind-try=data,data --ro-bind=data,data \
            --ro-bind-try=data,data --file=data,data --bind-data=data,data --ro-bind-data=data,data \
            --symlink=data,data --chmod=data,data --bind-fd=data,data --ro-bind-fd=data,data \
            --overlay=data,data,data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
];
