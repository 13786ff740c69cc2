// Generated from knowledge/programs/less.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "less more most zless zmore bzless xzless pg",
        "less(1) 643",
        "\
            -# -a -A -b=num -B -c -C -d -D=data -e -E -f -F -g -G -h=num -i -I -j=num -J \
            -k|--lesskey-file=config --lesskey-src=config -K -L -m -M -n -N -o|--log-file=write \
            -O|--LOG-FILE=write -p|--pattern=pat -P=data -q -Q -r -R -s -S -t=data -T=read -u -U -V -w -W \
            -x=num -X -y=num -z=num -~ -l --no-init --quit-if-one-screen --RAW-CONTROL-CHARS \
            --chop-long-lines",
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
