// Generated from knowledge/programs/systemctl.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            systemctl service rc-service initctl svc sv launchctl supervisorctl monit loginctl timedatectl \
            hostnamectl localectl-set machinectl journalctl logrotate rsyslogd auditd syslogd logger crond \
            anacron update-rc",
        "systemctl(1) 255",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::system::services),
            ],
        },
    ])
    .taken_over()
    ,
];
