// Generated from knowledge/programs/csvcut.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const CSV: &str = "\
    -b|--no-doublequote -d|--delimiter=data -e|--encoding=data -H|--no-header-row -h|--help \
    -I|--no-inference -K|--skip-lines=num -L|--locale=data -l|--linenumbers -p|--escapechar=data \
    -q|--quotechar=data -S|--skipinitialspace -t|--tabs -u|--quoting=num -V|--version -v|--verbose \
    -y|--snifflimit=num -z|--maxfieldsize=num --blanks --date-format=data --datetime-format=data --zero";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "csvcut csvgrep csvstat csvlook csvsort",
        "csvcut(1) csvkit 1.0.7",
        "\
            -a|--any-match -C|--not-columns=data -c|--columns=data --count --csv -f|--file=read --freq \
            --freq-count=num -i|--invert-match --len -m|--match=pat --max --max-column-width=num \
            --max-columns=num --max-rows=num --mean --median --min -n|--names --nulls --regex=pat -r=pat \
            --reverse --stdev --sum --type --unique -x|--delete-empty-rows",
        "read*",
    )
    .also(CSV)
    .prints(Output::Filtered)
    ,
    reads(
        "csvjoin csvstack",
        "csvjoin(1) csvkit 1.0.7",
        "\
            -c|--columns=data --filenames -g|--groups=data --left -n|--group-name=data --outer --right",
        "read*",
    )
    .also(CSV)
    .prints(Output::Filtered)
    ,
    reads(
        "csvjson in2csv",
        "in2csv(1) csvkit 1.0.7",
        "\
            --crs=data --encoding-xls=data -f|--format=data --geometry=data -i|--indent=num -k|--key=data \
            --lat=data --lon=data -n|--names --no-bbox -s|--schema=read --sheet=data --stream --type=data \
            --write-sheets=data",
        "read*",
    )
    .also(CSV)
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--write-sheets"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
            ],
        },
    ])
    ,
    reads(
        "mlr miller",
        "mlr(1) 6.6",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Contains(&["system", "exec"]),
                Condition::Word(&["put", "filter", "repl"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "an expression of {program} runs a command"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-f"]),
                Condition::Word(&["put", "filter"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "runs a file in the language of {program}"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["tee", "emit", "dump", "print"]),
                Condition::Word(&["put", "filter"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Word(&["tee", "split", "case", "repl"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-f"]),
                Condition::Word(&["join"]),
            ],
            acts: &[
                Act::Acts,
                Act::Mentions,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &["-*", "//*", "*␣*", "*(*",
                    "*{*", "*$*", "*://*"], after: &[] }, Role::Read),
                Act::ContactsUrls("https", Direction::Fetch),
                Act::Picked(Pick { at: &["0.."], fits: &["--o*=*"], except: &[], after: &["="] }, Role::Write),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-I", "-i", "--in-place"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["*>␣\"*", "*>␣$*", "*tee␣>*"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &["*system(*", "*exec(*", "*|␣\"*",
                    "*shell(*"], except: &[], after: &[] }, Role::Lang("awk")),
            ],
        },
    ])
    .taken_over()
    ,
    reads(
        "xsv qsv xan datamash tv visidata",
        "datamash(1) 1.8, qsv 0.123, xan 0.20",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &["-*", "//*", "*␣*", "*(*",
                    "*{*", "*$*", "*://*"], after: &[] }, Role::Read),
                Act::ContactsUrls("https", Direction::Fetch),
                Act::Picked(Pick { at: &[">-o", ">--output", ">--out", ">-O"], fits: &[],
                    except: &[], after: &[] }, Role::Write),
                Act::Picked(Pick { at: &["0.."], fits: &["--o*=*"], except: &[], after: &["="] }, Role::Write),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["visidata"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &["*system(*", "*exec(*", "*|␣\"*",
                    "*shell(*"], except: &[], after: &[] }, Role::Lang("awk")),
            ],
        },
    ])
    .taken_over()
    ,
];
