// Generated from knowledge/programs/octave.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const CODE: &str = "\
    -e=lang:* -eval|--eval|-c|-E|-x|-r|--execute|-g|-t|--expr|-ne|-pe|-batch|--command=lang:* \
    --query-goal|--script-expr=lang:* --batch-string?=lang:* -v";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            octave matlab scilab sage maxima gnuplot gp csharp ghc runghc runhaskell ghci ocaml ocamlrun \
            utop scala sbt-shell groovy kotlin kotlinc clojure clj bb swift racket guile scheme csi sbcl \
            clisp ecl emacs-lisp janet io forth gforth factor-vm prolog swipl dart raku perl6 osascript \
            jshell cling root fsi fsharpi amm ammonite scala-cli gprolog chez chezscheme rust-script hy \
            nix-repl autohotkey vlang zx jsc rhino qjs d8",
        "their manual pages",
        "",
        "data*",
    )
    .also(CODE)
    .style(Style::LenientWordPosix)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-v"]),
                Condition::Words(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(1, usize::MAX),
            ],
            acts: &[
                Act::Interprets("*", &[]),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-e", "-eval", "--query-goal", "--batch-string"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::RunsStdin("*"),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "elixir iex erl escript mix-run",
        "elixir(1), erl(1) 1.16, 26",
        "",
        "data*",
    )
    .also(CODE)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-v"]),
                Condition::Words(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0"], fits: &[], except: &["+*"], after: &[] }, Role::File("*")),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["+*"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &["1.."], fits: &[], except: &["+*", "#"], after: &[] }, Role::File("*")),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-e", "-eval", "--query-goal", "--batch-string"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::RunsStdin("*"),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "crystal nim",
        "crystal, nim 1.11, 2.0",
        "",
        "data*",
    )
    .also(CODE)
    .style(Style::LenientWordPosix)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-v"]),
                Condition::Words(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["eval", "e"]),
                Condition::Program(&["crystal"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::Lang("*")),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["eval", "e"]),
                Condition::Program(&["nim"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::File("nim")),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(1, usize::MAX),
            ],
            acts: &[
                Act::Interprets("*", &[]),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-e", "-eval", "--query-goal", "--batch-string"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::RunsStdin("*"),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "lein",
        "lein 2.11",
        "",
        "data*",
    )
    .also(CODE)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-v"]),
                Condition::Words(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["exec"]),
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::Operand(1, false, Role::File("lein")),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["exec"]),
                Condition::Has(&["-e", "-eval", "--query-goal", "--batch-string"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(1, usize::MAX),
            ],
            acts: &[
                Act::Interprets("*", &[]),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-e", "-eval", "--query-goal", "--batch-string"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::RunsStdin("*"),
            ],
        },
    ])
    .taken_over()
    ,
];
