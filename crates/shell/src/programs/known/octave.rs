// Generated from knowledge/programs/octave.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            octave matlab scilab sage maxima gnuplot gp csharp ghc runghc runhaskell ghci ocaml ocamlrun \
            utop scala sbt-shell groovy kotlin kotlinc clojure clj lein bb elixir iex erl escript mix-run \
            swift crystal nim racket guile scheme csi sbcl clisp ecl emacs-lisp janet io forth gforth \
            factor-vm prolog swipl dart raku perl6 osascript jshell cling root fsi fsharpi amm ammonite \
            scala-cli gprolog chez chezscheme rust-script hy nix-repl autohotkey vlang zx jsc rhino qjs d8",
        "their manual pages",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::interpreters::other),
            ],
        },
    ])
    .taken_over()
    ,
];
