// Generated from knowledge/programs/bat.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "bat batcat",
        "bat --help 0.26, main branch",
        "\
            -A|--show-all --acknowledgements -b|--number-nonblank --binary=data --color=data \
            --completion=data -d|--diff --decorations=data --diagnostic --diff-context=num \
            -E|--quiet-empty --fallback-syntax|--fallback-language=data -f|--force-colorization \
            --file-name=data -H|--highlight-line=data -h|--help --ignored-suffix=data --italic-text=data \
            -L|--list-languages -l|--language=data --list-themes -m|--map-syntax=data -n|--number \
            --nonprintable-notation=data -P|--no-paging -p|--plain --pager=prog --paging=data \
            -r|--line-range=data -S|--chop-long-lines -s|--squeeze-blank --sanitize=data \
            --set-terminal-title --squeeze-limit=num --strip-ansi=data --style=data --tabs=num \
            --terminal-width=num --theme=data --theme-dark=data --theme-light=data -u|--unbuffered \
            -V|--version --wrap=data",
        "read*",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["cache"]),
                Condition::Operands(1, 1),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    ,
    reads(
        "pygmentize",
        "pygmentize --help 2.14",
        "\
            -a=data -C -F=data -f=data -g -H=data -h|--help --json -L -l=data -N=data -O=data -o=write \
            -P=data -S=data -s -V -v -x",
        "read*",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-x"]),
            ],
            acts: &[
                Act::Value("-l", Role::File("python")),
                Act::Value("-f", Role::File("python")),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-O"], &["*cssfile*"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-P"], &["*cssfile*"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
            ],
        },
    ])
    ,
    reads(
        "highlight",
        "highlight(1) 3.56",
        "\
            -a|--anchors -B|--batch-recursive=pat -b|--babel --beamer -C|--print-index \
            -c|--style-outfile=write --char-styles --class-name=data --config-file=file:lua \
            -D|--data-dir=choose -d|--outdir=write --delim-cr -e|--style-infile=read --enclose-pre \
            -F|--reformat=data -f|--fragment --force?=data -h|--help --height=num -I|--include-style \
            -i|--input=read --inline-css -J|--line-length=num -j|--line-number-length=num \
            -K|--font-size=data -k|--font=data --keep-injections --kw-case=data -l|--line-numbers \
            --list-scripts=data -m|--line-number-start=num -N|--anchor-filename -n|--ordered-list \
            --no-trailing-nl?=data --no-version-info -O|--out-format=data -o|--output=write -P|--progress \
            --page-color --plug-in=file:lua --plug-in-param=data --pretty-symbols --print-config \
            --print-style -q|--quiet -r|--replace-quotes -S|--syntax=data -s|--style=data --skip=data \
            --start-nested=data --stdout -T|--doc-title=data -t|--replace-tabs=num -u|--encoding=data \
            -V|--wrap-simple -v|--verbose --validate-input --version -W|--wrap --width=data \
            --wrap-no-numbers -x|--page-size=data -y|--anchor-prefix=data -z|--zeroes",
        "read*",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-B"]),
                Condition::Lacks(&["--stdout"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["--stdout"]),
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-s"], &["*/*"]),
            ],
            acts: &[
                Act::Value("-s", Role::File("lua")),
            ],
        },
    ])
    ,
    reads(
        "source-highlight",
        "source-highlight(1) 3.1.9",
        "\
            --binary-output --check-lang=read --check-outlang=read -c|--css=data --ctags=prog \
            --ctags-file=read -d|--doc --data-dir=look --detailed-help -F|--footer=read \
            -f|--out-format=data --failsafe -g|--debug-langdef?=data --gen-references=data --gen-version \
            -H|--header=read -h|--help -i|--input=read --infer-lang --lang-def=read --lang-list \
            --lang-map=read --line-number-ref?=data --line-range=data -n|--line-number?=data --no-doc \
            -o|--output=write --output-dir=write --outlang-def=read --outlang-list --outlang-map=read \
            -q|--quiet --range-context=num --range-separator=data --regex-range=data -s|--src-lang=data \
            --show-lang-elements=read --show-regex=read --statistics --style-css-file=read \
            --style-defaults=read --style-file=read -T|--title=data -t|--tab=num -V|--version -v|--verbose",
        "read*",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-o"]),
                Condition::Operands(1, usize::MAX),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--gen-references"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    ,
    reads(
        "nroff",
        "nroff(1) groff 1.22.4",
        "\
            -C -c -d?=data -h -i -M?=choose -m?=data -n?=num -o?=data -p -r?=data -S -s -T?=data -t -U -v \
            -W?=data -w?=data",
        "read*",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-U"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::File("roff")),
            ],
        },
    ])
    ,
    reads(
        "glow mdcat ccat",
        "their help texts glow 1.5, mdcat 2.1",
        "\
            -A|--show-all -p|--plain -l|--language=data -n|--number --color=data -P -s --style=data -t",
        "read*",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsUrls("https", Direction::Fetch),
            ],
        },
    ])
    .taken_over()
    ,
];
