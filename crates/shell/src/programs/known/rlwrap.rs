// Generated from knowledge/programs/rlwrap.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "rlwrap",
        "rlwrap(1) 0.46",
        "\
            -a|--always-readline?=data -A|--ansi-colour-aware?=data -b|--break-chars=data \
            -c|--complete-filenames -C|--command-name=data -D|--history-no-dupes=num \
            -e|--extra-char-after-completion=data -E|--always-echo -f|--file=read -F=data \
            -g|--forget-matching=data -h|--help -H|--history-filename=write -i|--case-insensitive \
            -I|--pass-sigint-as-sigterm -l|--logfile=append -m|--multi-line?=data -M|--multi-line-ext=data \
            -n|--no-warnings -N|--no-children -o|--one-shot -O|--only-cook=data -p|--prompt-colour?=data \
            -P|--pre-given=data -q|--quote-characters=data -r|--remember -R|--renice -s|--histsize=num \
            -S|--substitute-prompt=data -t|--set-term-name=data -U|--mirror-arguments -v|--version \
            -w|--wait-before-prompt=num -W|--polling -z|--filter=sh",
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
    wraps(
        "ledit",
        "ledit(1) 2.04",
        "-h=write -l=num -t -x -u -a -v",
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
