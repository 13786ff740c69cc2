// Generated from knowledge/programs/strace.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "strace",
        "strace(1) 6.5, compared with 6.1",
        "\
            -A|--output-append-mode -a|--columns=num --abbrev=data \
            --absolute-timestamps|--timestamps?=data -b|--detach-on=data -C|--summary -c|--summary-only -D \
            --daemonize?=data -d|--debug --decode-fds?=data --decode-pids=data -E|--env=data \
            -e|--trace=data -F -f|--follow-forks --fault=data -I|--interruptible=num \
            -i|--instruction-pointer --inject=data -k|--stack-traces --kvm=data -n|--syscall-number \
            -O|--summary-syscall-overhead=num -o|--output=data --output-separately -P|--trace-path=data \
            -p|--attach=num --pidns-translation -q --quiet|--silent|--silence?=data -r --raw=data \
            --read=data --relative-timestamps?=data -S|--summary-sort-by=data -s|--string-limit=num \
            --seccomp-bpf --signal=data --status=data --strings-in-hex?=data --syscall-times?=data -T -t \
            --tips?=data -U|--summary-columns=data -u|--user=data -v|--no-abbrev --verbose=data \
            -w|--summary-wall-clock --write=data -X|--const-print-style=data -x -Y -y -Z|--failed-only \
            -z|--successful-only",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-p"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Capability, "attaches to another process"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["-o"], fits: &["|*", "!*"], except: &[], after: &["|",
                    "!"] }, Role::Shell),
                Act::Picked(Pick { at: &["-o"], fits: &[], except: &["|*", "!*"], after: &[] }, Role::Write),
                Act::Wraps(0),
            ],
        },
    ])
    ,
    wraps(
        "ltrace",
        "ltrace(1) 0.7",
        "\
            -A=num -a|--align=num -b|--no-signals -C|--demangle -c -D|--debug=num -e=data \
            -F|--config=config -f -i -L -l|--library=data -n|--indent=num -o|--output=data -p=num -r -S \
            -s=num -T -t -u=data -w|--where=num -x=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-p"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Capability, "attaches to another process"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["-o"], fits: &["|*", "!*"], except: &[], after: &["|",
                    "!"] }, Role::Shell),
                Act::Picked(Pick { at: &["-o"], fits: &[], except: &["|*", "!*"], after: &[] }, Role::Write),
                Act::Wraps(0),
            ],
        },
    ])
    ,
];
