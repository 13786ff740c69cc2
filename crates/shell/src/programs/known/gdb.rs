// Generated from knowledge/programs/gdb.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            gdb lldb cgdb gdbserver rr dlv valgrind ltrace-debug heaptrack kcachegrind callgrind_annotate \
            massif-visualizer perf-debug uftrace sysdig dtrace dtruss stap systemtap radare2 r2 rizin \
            frida frida-trace ghidra ida objection apktool jdb pdb3 ipdb afl-fuzz honggfuzz",
        "gdb(1) 14",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::debug::debugger),
            ],
        },
    ])
    .taken_over()
    ,
];
