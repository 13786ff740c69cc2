// Generated from knowledge/programs/watchexec.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "watchexec",
        "watchexec(1) 2.3",
        "\
            --bell -c|--clear?=data --color=data --completions=data -d|--debounce=data --delay-run=data \
            -E|--env=data -e|--exts=data --emit-events-to=data -F|--watch-file=list -f|--filter=data \
            --filter-file=read --fs-events=data -i|--ignore=data --ignore-file=read --ignore-nothing \
            -j|--filter-prog=data --log-file?=write --manual --map-signal=data -N|--notify -n \
            --no-default-ignore --no-discover-ignore --no-global-ignore --no-meta --no-process-group \
            --no-project-ignore --no-vcs-ignore -o|--on-busy-update=data --only-emit-events -p|--postpone \
            --poll|--force-poll?=data --print-events --project-origin=look -q|--quiet -r|--restart \
            -s|--signal=data --shell=prog --socket=data --stdin-quit --stop-signal=data \
            --stop-timeout=data --timings -v|--verbose -W|--watch-non-recursive=look -w|--watch=look \
            --workdir=data --wrap-process=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--manual", "--completions"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-E"], &["LD_*", "DYLD_*", "BASH_ENV=*", "ENV=*", "PATH=*", "*OPTIONS=*",
                        "*OPTS=*", "PYTHON*", "PERL5*", "RUBY*", "GIT_*", "*EDITOR=*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "sets a variable by which the command runs something else"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--socket"]),
            ],
            acts: &[
                Act::Listens("localhost", "tcp", &["--socket"]),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--socket"], &["*0.0.0.0*", "*[::]*"]),
            ],
            acts: &[
                Act::Listens("*", "tcp", &["--socket"]),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["@*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "takes its words from a file"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-n"]),
            ],
            acts: &[
                Act::Wraps(0),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::WrapsShell(0),
            ],
        },
    ])
    ,
];
