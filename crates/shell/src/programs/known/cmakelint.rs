// Generated from knowledge/programs/cmakelint.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "cmakelint",
        "cmakelint 1.4.3",
        "--config=read --filter=data --linelength=num --quiet --spaces=num --version",
        "read*",
    )
    ,
    reads(
        "compdb",
        "compdb 0.2.0",
        "--debug=data -h|--help -p=look --trace",
        "",
    )
    .subs(&[
        reads(
            "list",
            "compdb 0.2.0",
            "-1|--unique",
            "look*",
        )
        ,
        reads(
            "help version",
            "compdb 0.2.0",
            "--short",
            "data*",
        )
        ,
    ])
    ,
    works(
        "gcov",
        "gcov(1) 12",
        "",
        "read*",
    )
    .taken_over()
    ,
    reads(
        "readtags",
        "readtags(1) universal-ctags 5.9",
        "\
            -D|--list-pseudo-tags -d|--debug -E|--escape-output -e|--extension-fields -H=data -h|--help \
            -i|--icase-match -l|--list -n|--line-number -p|--prefix-match -Q|--filter=data \
            -S|--sorter=data -s?=data --override-sort-detection=data -t|--tag-file=read -v|--version",
        "data*",
    )
    .prints(Output::Filtered)
    ,
    reads(
        "semver",
        "semver --help 7.8",
        "\
            -c|--coerce -h|--help -i|--inc|--increment?=data -l|--loose --ltr -n=data \
            -p|--include-prerelease --preid=data -r|--range=data --rtl -v|--version",
        "data*",
    )
    ,
    reads(
        "checkbashisms",
        "checkbashisms(1) devscripts 2.23",
        "\
            -e|--early-fail -f|--force -h|--help -l|--lint -n|--newline -p|--posix -v|--version -x|--extra",
        "read*",
    )
    .prints(Output::Filtered)
    ,
    reads(
        "desktop-file-validate",
        "desktop-file-validate(1) desktop-file-utils 0.26",
        "--no-hints --no-warn-deprecated --warn-kde --help --version",
        "read*",
    )
    ,
    reads(
        "xmlwf",
        "xmlwf(1) expat 2.5",
        "-a=num -b=num -c -d=write -e=data -g=num -h -k -m -n -N -p -q -r -s -t -v -w -x",
        "read*",
    )
    ,
    reads(
        "jsonlint",
        "jsonlint --help 1.6.3",
        "\
            -c|--compact -e|--environment=data -h|--help -i|--in-place -p|--pretty-print -q|--quiet \
            -s|--sort-keys -t|--indent=data -v|--version -V|--validate=read",
        "",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-i"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
            ],
        },
    ])
    ,
    reads(
        "json_reformat json_verify",
        "json_reformat(1) yajl 2.1",
        "-c -e -m -q -s -u",
        "",
    )
    .prints(Output::Filtered)
    ,
    reads(
        "json_pp",
        "json_pp(1) JSON::PP 4.07",
        "-f=data -t=data -json_opt=data -v -V",
        "",
    )
    .style(Style::Word)
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["-f"], &["e*"]),
            ],
            acts: &[
                Act::RunsStdin("perl"),
            ],
        },
    ])
    ,
    reads(
        "json_xs",
        "json_xs(1) JSON::XS 4.03",
        "-e=lang:perl -f=data -t=data -v",
        "",
    )
    .style(Style::Word)
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["-f"], &["e*", "stor*", "yaml*"]),
            ],
            acts: &[
                Act::RunsStdin("perl"),
            ],
        },
    ])
    ,
    reads(
        "uuidgen",
        "uuidgen(1) util-linux 2.38",
        "\
            -h|--help -m|--md5 -n|--namespace=data -N|--name=data -r|--random -s|--sha1 -t|--time \
            -V|--version -x|--hex",
        "data*",
    )
    .takes(StdinRole::Ignored)
    ,
    reads(
        "uuid",
        "uuid(1) ossp-uuid 1.6",
        "-1 -d -F=data -m -n=num -o=write -v=data",
        "data*",
    )
    ,
    reads(
        "mcookie",
        "mcookie(1) util-linux 2.38",
        "-f|--file=read -h|--help -m|--max-size=num -v|--verbose -V|--version",
        "",
    )
    ,
];
