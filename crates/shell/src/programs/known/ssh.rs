// Generated from knowledge/programs/ssh.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const SSH: &str = "\
    -4 -6 -A -a -B=data -b=data -C -c=data -D=data -E=append -e=data -F=config -f -G -g -I=file:native \
    -i=read -J=data -K -k -L=data -l=data -m=data -N -n -O=data -o=ssh-setting -P=data -p=num -Q=data -q \
    -R=data -S=data -s -T -t -V -v -W=host -w=data -X -x -Y -y";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "ssh slogin",
        "ssh(1), ssh_config(5) OpenSSH 9.6, compared with 9.2",
        "-M",
        "",
    )
    .also(SSH)
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::ssh::ssh),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-A", "-K", "-X", "-Y"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-o"], &["ForwardAgent*", "forwardagent*", "ForwardX11*", "forwardx11*",
                        "GSSAPIDelegateCredentials*"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-o"], &["UserKnownHostsFile*", "userknownhostsfile*", "GlobalKnownHostsFile*",
                        "HostKeyAlias*"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-o"], &["HostName*", "Hostname*", "hostname*", "HOSTNAME*"]),
            ],
            acts: &[
                Act::ContactsUnknown("ssh", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-o"], &["SendEnv*", "sendenv*", "SENDENV*"]),
            ],
            acts: &[
                Act::Finding("shell.upload", "sends variables of the environment"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsAfter("RemoteCommand="),
                Act::RunsAfter("remotecommand="),
                Act::RunsAfter("-oRemoteCommand="),
                Act::RunsAfter("-oremotecommand="),
            ],
        },
    ])
    ,
    works(
        "autossh",
        "autossh(1) 1.4g",
        "-M=data -1 -2",
        "",
    )
    .also(SSH)
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::ssh::ssh),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-A", "-K", "-X", "-Y"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-o"], &["ForwardAgent*", "forwardagent*", "ForwardX11*", "forwardx11*",
                        "GSSAPIDelegateCredentials*"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-o"], &["UserKnownHostsFile*", "userknownhostsfile*", "GlobalKnownHostsFile*",
                        "HostKeyAlias*"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-o"], &["HostName*", "Hostname*", "hostname*", "HOSTNAME*"]),
            ],
            acts: &[
                Act::ContactsUnknown("ssh", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-o"], &["SendEnv*", "sendenv*", "SENDENV*"]),
            ],
            acts: &[
                Act::Finding("shell.upload", "sends variables of the environment"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsAfter("RemoteCommand="),
                Act::RunsAfter("remotecommand="),
                Act::RunsAfter("-oRemoteCommand="),
                Act::RunsAfter("-oremotecommand="),
            ],
        },
    ])
    ,
];
