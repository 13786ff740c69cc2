// Generated from knowledge/programs/tree.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "tree",
        "tree(1) 2.1",
        "\
            -a -d -l -f -x -L=num -P=pat -I=pat --gitignore --gitfile=read --ignore-case --matchdirs \
            --metafirst --prune --info --infofile=read --noreport --charset=data --filelimit=num -o=write \
            -q -N -Q -p -u -g -s -h --si --du -D --timefmt=data -F --inodes --device -v -t -c -U -r \
            --dirsfirst --filesfirst --sort=data -i -A -S -n -C -X -J -H=data -T=data --nolinks \
            --hintro=read --houtro=read --fflinks --fromfile --fromtabfile -R",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--fromfile", "--fromtabfile"]),
            ],
            acts: &[
                Act::Acts,
                Act::Operand(0, true, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["--fromfile", "--fromtabfile"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::Look),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-L"]),
                Condition::Has(&["-R"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated", "writes a file 00Tree.html into folders that it finds"),
            ],
        },
    ])
    ,
];
