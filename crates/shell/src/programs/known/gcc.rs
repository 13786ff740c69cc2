// Generated from knowledge/programs/gcc.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            gcc g++ cc c++ clang clang++ tcc icc icx rustc javac gfortran gdc ldc2 dmd nasm yasm as ld \
            ld.lld lld mold gold nvcc emcc em++ swiftc ghdl iverilog verilator protoc flatc thrift cython \
            mypyc gccgo fpc valac cl ccache distcc sccache cpp bison yacc flex lex gperf swig tsc-c",
        "gcc(1) 13, clang(1) 17",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::build::compiler),
            ],
        },
    ])
    .taken_over()
    ,
];
