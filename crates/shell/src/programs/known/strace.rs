// Generated from knowledge/programs/strace.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "strace ltrace",
        "strace(1) 6.5",
        "\
            -A|--output-append-mode -a|--columns=num -b|--detach-on=data -c|--summary-only -C|--summary \
            -d|--debug -D -e|--trace|--expr=data -E|--env=data -f|--follow-forks -ff -F \
            -i|--instruction-pointer -I|--interruptible=num -k|--stack-traces -o|--output=data \
            -O|--summary-syscall-overhead=num -p|--attach=num -P|--trace-path=data -q --quiet?=data -qq -r \
            --relative-timestamps?=data -s|--string-limit=num -S|--summary-sort-by=data -t -tt -ttt -T \
            --syscall-times?=data -u|--user=data -U|--summary-columns=data -v|--no-abbrev \
            -w|--summary-wall-clock -x -xx -X|--const-print-style=data -y --decode-fds?=data -yy \
            -z|--successful-only -Z|--failed-only -n|--syscall-number -L -l=data --seccomp-bpf \
            --tips?=data --inject=data --fault=data --status=data",
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
    .taken_over()
    ,
];
