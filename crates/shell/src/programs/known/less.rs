// Generated from knowledge/programs/less.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "less zless bzless xzless",
        "less(1), zless(1) 590, newer options too",
        "\
            -#|--shift=num -a|--search-skip-screen -A|--SEARCH-SKIP-SCREEN -b|--buffers=num \
            -B|--auto-buffers -c|--clear-screen -C|--CLEAR-SCREEN -d|--dumb -D|--color=data \
            -e|--quit-at-eof -E|--QUIT-AT-EOF -f|--force -F|--quit-if-one-screen -g|--hilite-search \
            -G|--HILITE-SEARCH -h|--max-back-scroll=num -i|--ignore-case -I|--IGNORE-CASE \
            -j|--jump-target=num -J|--status-column -k|--lesskey-file=config --lesskey-src=config \
            --lesskey-content=data -K|--quit-on-intr -L|--no-lessopen -m|--long-prompt -M|--LONG-PROMPT \
            -n|--line-numbers -N|--LINE-NUMBERS -o|--log-file=write -O|--LOG-FILE=write -p|--pattern=pat \
            -P|--prompt=data -q|--quiet|--silent -Q|--QUIET|--SILENT -r|--raw-control-chars \
            -R|--RAW-CONTROL-CHARS -s|--squeeze-blank-lines -S|--chop-long-lines -t|--tag=data \
            -T|--tag-file=read -u|--underline-special -U|--UNDERLINE-SPECIAL -V|--version \
            -w|--hilite-unread -W|--HILITE-UNREAD -x|--tabs=num -X|--no-init -y|--max-forw-scroll=num \
            -z|--window=num --quotes=data -~|--tilde -l --file-size --follow-name --incsearch \
            --line-num-width=num --mouse --MOUSE --no-keypad --no-histdups --rscroll=data --save-marks \
            --status-col-width=num --use-backslash --use-color --wheel-lines=num --exit-follow-on-close \
            --header=data --modelines=num --no-number-headers --no-search-headers --no-vbell \
            --proc-backspace --proc-return --proc-tab --redraw-on-quit --search-options=data \
            --show-preproc-errors --status-line --intr=data --match-shift=data",
        "read*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["+:e*", "+E*", "+s*", "+v*"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &["+*"], except: &["+/*", "+?*"],
                    after: &["!", "|"] }, Role::Shell),
            ],
        },
    ])
    ,
    reads(
        "more zmore",
        "more(1) util-linux 2.38",
        "\
            -# -d|--silent -l|--logical -e|--exit-on-eof -f|--no-pause -p|--print-over -c|--clean-print \
            -s|--squeeze -u|--plain -n|--lines=num -h|--help -V|--version",
        "read*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &["+*"], except: &["+/*", "+?*"],
                    after: &["!", "|"] }, Role::Shell),
            ],
        },
    ])
    ,
    reads(
        "most",
        "most(1) 5.2",
        "-# -b -C -d -M -s -z -v -t -c -u -w",
        "read*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &["+*"], except: &["+/*", "+?*"],
                    after: &["!", "|"] }, Role::Shell),
            ],
        },
    ])
    ,
    reads(
        "pg",
        "pg(1) util-linux 2.26",
        "-# -c -e -f -n -p=data -r -s",
        "read*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &["+*"], except: &["+/*", "+?*"],
                    after: &["!", "|"] }, Role::Shell),
            ],
        },
    ])
    .taken_over()
    ,
];
