// Generated from knowledge/programs/zip.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "zip",
        "zip(1) 3.0",
        "\
            -# -a -A -b=dir -B -c -d|--delete -D -db -dc -dd -df -dg -ds=num -du -dv -e|--encrypt -E -f \
            -F|--fix -FF -FI -fd -FS -g -h -h2 -i=pat -I -j|--junk-paths -J -k -l -la -lf=write -li -ll -L \
            -m|--move -MM -n=data -nw -N -o -O|--out=write -p -P=secret -q|--quiet -r|--recurse-paths -R \
            -s=data -sb -sc -sd -sf -so -sp -sv -S -t=data -tt=data -T|--test -TT|--unzip-command=sh \
            -u|--update -U -UN=data -v|--verbose -V -w -ws -x=pat -X -y|--symlinks -z -Z=data -@",
        "",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::archives::zip),
            ],
        },
    ])
    .taken_over()
    ,
];
