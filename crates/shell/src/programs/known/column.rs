// Generated from knowledge/programs/column.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "column",
        "column(1) util-linux 2.39, compared with 2.38",
        "\
            -c|--output-width=num -d|--table-noheadings -E|--table-noextreme=data -e|--table-header-repeat \
            -H|--table-hide=data -h|--help -i|--tree-id=data -J|--json -L|--keep-empty-lines \
            -l|--table-columns-limit=num -N|--table-columns=data -n|--table-name=data \
            -O|--table-order=data -o|--output-separator=data -p|--tree-parent=data -R|--table-right=data \
            -r|--tree=data -s|--separator=data -T|--table-truncate=data -t|--table -V|--version \
            -W|--table-wrap=data -x|--fillrows",
        "read*",
    )
    .prints(Output::Filtered)
    ,
    reads(
        "col colrm colcrt ul",
        "col(1) util-linux 2.38",
        "\
            -2|--half-lines -b|--no-backspaces -f|--fine -h|--tabs --help -i|--indicated -l|--lines=num \
            --no-underlining -p|--pass -t|-T|--terminal=data -V|--version -x|--spaces",
        "data*",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Program(&["colcrt", "ul"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
                Act::Stop,
            ],
        },
    ])
    ,
    reads(
        "look",
        "look(1) util-linux 2.38",
        "\
            -a|--alternative -b -d|--alphanum -f|--ignore-case -h|--help -t|--terminate=data -V|--version",
        "pat read*",
    )
    .prints(Output::Filtered)
    ,
    reads(
        "strings gstrings",
        "strings(1) binutils 2.40",
        "\
            -# -a|--all -d|--data -e|--encoding=data -f|--print-file-name -h|--help -n|--bytes=num -o \
            -s|--output-separator=data -T|--target=data -t|--radix=data -U|--unicode=data -v|-V|--version \
            -w|--include-all-whitespace",
        "read*",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ReadsAfter(&["@"]),
            ],
        },
    ])
    ,
    reads(
        "iconv",
        "iconv(1) glibc 2.36",
        "\
            -?|--help -c -f|--from-code=data -l|--list -o|--output=write -s|--silent -t|--to-code=data \
            --usage -V|--version --verbose",
        "read*",
    )
    .prints(Output::Filtered)
    ,
    reads(
        "ts",
        "ts(1) moreutils 0.67",
        "-i -m -r -s",
        "data*",
    )
    .prints(Output::Filtered)
    ,
    works(
        "vis",
        "vis(1) vis 0.8",
        "-v",
        "read*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["+*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "gives `vis` a command for its editor"),
            ],
        },
    ])
    ,
    reads(
        "aha",
        "aha(1) 0.5",
        "\
            -b|--black -c|--css=data -f=read -h|-?|--help -i|--iso=data -L|--lang=data -l|--line-fix \
            -n|--no-header -p|--pink -r|--ignore-cr -s|--stylesheet -t|--title=data -v|--version \
            -w|--word-wrap -x|--no-xml -y|--style=data",
        "read*",
    )
    .prints(Output::Filtered)
    ,
    reads(
        "lolcat",
        "lolcat(6) 42.0",
        "\
            -a|--animate -d|--duration=num -F|--freq=num -f|--force -h|--help -i|--invert -p|--spread=num \
            -S|--seed=num -s|--speed=num -t|--truecolor -v|--version",
        "read*",
    )
    .prints(Output::Filtered)
    ,
    reads(
        "ccze",
        "ccze(1) 0.2.1",
        "\
            -A|--raw-ansi -a|--argument=data -C|--convert-date -c|--color=data -F|--rcfile=read -h|--html \
            --help -l|--list-plugins -m|--mode=data -o|--options=data -p|--plugin=data \
            -r|--remove-facility -V|--version",
        "data*",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["-p"], &["*/*"]),
            ],
            acts: &[
                Act::Value("-p", Role::File("")),
            ],
        },
    ])
    ,
    reads(
        "figlet toilet",
        "figlet(6), toilet(1) 2.2.5, 0.3",
        "\
            -C=read -c -D -d|--directory=look -E|--export?=data -F|--filter=data -f|--font=read \
            --gay|--metal -h|--help --html -I|--infocode=data --irc -k -L -l -m=data -N -n -o -p -R -r -S \
            -s -t|--termwidth -v|--version -W -w|--width=num -X -x",
        "data*",
    )
    ,
    reads(
        "pv",
        "pv(1) 1.6",
        "\
            -0|--null -A|--last-written=num -a|--average-rate -B|--buffer-size=num -b|--bytes \
            -C|--no-splice -c|--cursor -D|--delay-start=num -d|--watchfd=data -E|--skip-errors -e|--eta \
            -F|--format=data -f|--force -H|--height=num -h|--help -I|--fineta -i|--interval=num \
            -L|--rate-limit=data -l|--line-mode -N|--name=data -n|--numeric -P|--pidfile=write \
            -p|--progress -q|--quiet -R|--remote=num -r|--rate -S|--stop-at-size -s|--size=data \
            -T|--buffer-percent -t|--timer -V|--version -W|--wait -w|--width=num",
        "read*",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-R"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    ,
    reads(
        "antiword",
        "antiword(1) 0.37",
        "-a=data -f -h -i=num -L -m=data -p=data -r -s -t -w=num -x=data",
        "read*",
    )
    .prints(Output::Filtered)
    ,
    reads(
        "fortune",
        "fortune(6) fortune-mod 1.99",
        "-a -c -e -f -i -l -m=pat -n=num -o -s -u -w",
        "read*",
    )
    ,
    reads(
        "banner",
        "banner(1) sysvbanner 1.0",
        "",
        "data*",
    )
    .style(Style::Raw)
    .answers()
    ,
    reads(
        "unvis rs lam ansi2txt",
        "their manual pages FreeBSD 14, colorized-logs 2.6",
        "-b -c=num -e -f -h -s=data -t -w=num",
        "read*",
    )
    .prints(Output::Filtered)
    .taken_over()
    ,
];
