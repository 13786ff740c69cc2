// Generated from knowledge/programs/xmllint.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "xmllint",
        "xmllint(1) libxml2 2.12, compared with 2.9.14",
        "\
            --auto --c14n|--c14n11|--exc-c14n --catalogs --chkregister --compress --copy --debug \
            --debugent --dropdtd --dtdattr --dtdvalid=source --dtdvalidfpi=data --encode=data --format \
            --html --htmlout --huge --insert --load-trace --loaddtd --maxmem=num --memory --nocatalogs \
            --nocdata --nodefdtd --nodict --noblanks --noenc --noent --nonet --noout --nowarning --nowrap \
            --noxincludenode --nsclean --oldxml10 --output|-o=write --path=choose --pattern=pat --pedantic \
            --postvalid --pretty=num --push --quiet --recover --relaxng=source --repeat --sax \
            --schema=source --schematron=source --shell --stream --testIO --timing --valid --walker \
            --xinclude --xmlout --xpath=pat",
        "source*",
    )
    .style(Style::Word)
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--valid", "--loaddtd", "--dtdattr", "--noent", "--xinclude"]),
                Condition::Lacks(&["--nonet"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Fetch),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--shell"]),
            ],
            acts: &[
                Act::Works,
            ],
        },
    ])
    ,
    works(
        "xmlstarlet xml",
        "xmlstarlet --help of each command 1.6.1",
        "",
        "",
    )
    .subs(&[
        reads(
            "sel select",
            "xmlstarlet --help of each command 1.6.1",
            "\
                -a|--attr=data -B|--noblanks -b|--break -C|--comp -c|--copy-of=pat -D|--xml-decl \
                -E|--encode=data -e|--elem=data --elif=pat --else -f|--inp-name -I|--indent -i|--if=pat \
                -m|--match=pat -N=data -n|--nl --net -o|--output=data -Q|--quiet -R|--root -s|--sort=data \
                -T|--text -t|--template -v|--value-of=pat --var=data",
            "source*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--net"]),
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "ed edit",
            "xmlstarlet --help of each command 1.6.1",
            "\
                -a|--append=pat -d|--delete=pat -i|--insert=pat -L|--inplace -m|--move=pat -N=data \
                -n|--name=data --net -O|--omit-decl -P|--pf -r|--rename=pat -S|--ps -s|--subnode=pat \
                -t|--type=data -u|--update=pat -v|--value=data --var=data -x|--expr=pat",
            "",
        )
        .prints(Output::Filtered)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-L"]),
                ],
                acts: &[
                    Act::Operand(0, true, Role::InPlace),
                ],
            },
            Rule {
                when: &[
                    Condition::Lacks(&["-L"]),
                ],
                acts: &[
                    Act::OnlyReads,
                    Act::Operand(0, true, Role::Source),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--net"]),
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "tr transform",
            "xmlstarlet --help of each command 1.6.1",
            "\
                -E|--embed --html --maxdepth=num --net --omit-decl -p=data -s=data --show-ext --val \
                --xinclude",
            "file source*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--net"]),
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Fetch),
                ],
            },
        ])
        ,
        reads(
            "val validate",
            "xmlstarlet --help of each command 1.6.1",
            "\
                -b|--list-bad -d|--dtd=source -E|--embed -e|--err -g|--list-good --net -q|--quiet \
                -r|--relaxng=source -S|--stop -s|--xsd=source -w|--well-formed",
            "source*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--net"]),
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Fetch),
                ],
            },
        ])
        ,
        reads(
            "fo format",
            "xmlstarlet --help of each command 1.6.1",
            "\
                -C|--nocdata -D|--dropdtd -e|--encode=data -H|--html -N|--nsclean -n|--noindent --net \
                -o|--omit-decl -R|--recover -s|--indent-spaces=num -t|--indent-tab",
            "source*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--net"]),
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Fetch),
                ],
            },
        ])
        ,
        reads(
            "el elements",
            "xmlstarlet --help of each command 1.6.1",
            "-a -d?=num -u -v",
            "source*",
        )
        ,
        reads(
            "c14n canonic",
            "xmlstarlet --help of each command 1.6.1",
            "--exc-with-comments --exc-without-comments --net --with-comments --without-comments",
            "source read data",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--net"]),
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Fetch),
                ],
            },
        ])
        ,
        reads(
            "ls list",
            "xmlstarlet --help of each command 1.6.1",
            "",
            "look",
        )
        ,
        reads(
            "esc escape unesc unescape",
            "xmlstarlet --help of each command 1.6.1",
            "",
            "data*",
        )
        ,
        reads(
            "pyx xmln p2x depyx",
            "xmlstarlet --help of each command 1.6.1",
            "",
            "read*",
        )
        ,
    ])
    ,
    reads(
        "tidy",
        "tidy(1) 5.6",
        "\
            -access=num --accessibility-check=data --add-meta-charset=data --add-xml-decl=data \
            --add-xml-space=data --alt-text=data --anchor-as-name=data -ascii --ascii-chars=data -ashtml \
            --assume-xml-procins=data -asxml|-asxhtml -bare|-b -big5 --break-before-br=data \
            --char-encoding=data -clean|-c --coerce-endtags=data -config=read --css-prefix=data \
            --custom-tags=data --decorate-inferred-ul=data --doctype=data --drop-empty-elements=data \
            --drop-empty-paras=data --drop-proprietary-attributes=data --enclose-block-text=data \
            --enclose-text=data --error-file=write -errors|-e --escape-cdata=data --escape-scripts=data \
            -export-config -export-default-config -f=write -file=write --fix-backslash=data \
            --fix-bad-comments=data --fix-style-tags=data --fix-uri=data --force-output=data -gdoc|-g \
            --gnu-emacs=data -help-config -help-env -help-option=data --hide-comments=data -ibm858 \
            -indent|-i --indent-attributes=data --indent-cdata=data --indent-spaces=data \
            --indent-with-tabs=data --input-encoding=data --input-xml=data -iso2022 --join-classes=data \
            --join-styles=data --keep-tabs=data --keep-time=data -language|-lang=data -latin0 -latin1 \
            --literal-attributes=data --logical-emphasis=data --lower-literals=data -mac --markup=data \
            --merge-divs=data --merge-emphasis=data --merge-spans=data -modify|-m --mute=data \
            --mute-id=data --ncr=data --new-blocklevel-tags=data --new-empty-tags=data \
            --new-inline-tags=data --new-pre-tags=data --newline=data -numeric|-n --numeric-entities=data \
            -o=write -omit --omit-optional-tags=data -output=write --output-bom=data \
            --output-encoding=data --output-file=write --output-html=data --output-xhtml=data \
            --output-xml=data --preserve-entities=data --priority-attributes=data --punctuation-wrap=data \
            -quiet|-q --quote-ampersand=data --quote-marks=data --quote-nbsp=data -raw \
            --repeated-attributes=data --replace-color=data -shiftjis --show-body-only=data -show-config \
            --show-errors=data --show-info=data --show-meta-change=data --show-warnings=data \
            --skip-nested=data --sort-attributes=data --strict-tags-attributes=data --tab-size=data \
            --tidy-mark=data -upper|-u --uppercase-attributes=data --uppercase-tags=data -utf16 -utf16be \
            -utf16le -utf8 -v --vertical-space=data -w=num --warn-proprietary-attributes=data -win1252 \
            --word-2000=data -wrap=num --wrap-asp=data --wrap-attributes=data --wrap-jste=data \
            --wrap-php=data --wrap-script-literals=data --wrap-sections=data -xml -xml-config \
            -xml-error-strings -xml-help -xml-options-strings -xml-strings --write-back=data",
        "",
    )
    .style(Style::Word)
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-modify"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--write-back"], &["yes", "y", "true", "t", "1"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Word(&["-im", "-mi", "-qm", "-mq", "-iqm", "-imq", "-qim", "-qmi", "-miq",
                        "-mqi", "-imu", "-mu", "-um", "-mc", "-cm", "-mn", "-nm"]),
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
        "html2text",
        "html2text(1) 1.3.2",
        "\
            -ascii -check -debug-parser -debug-scanner -nobs -nometa -o=write -rcfile=read -style=data \
            -unparse -utf8 -width=num",
        "source*",
    )
    .style(Style::Word)
    .prints(Output::Filtered)
    ,
    reads(
        "pdfinfo",
        "pdfinfo(1) poppler 22.12",
        "\
            -box -custom -dests -enc=data -f=num -isodates -js -l=num -listenc -meta -opw=secret -rawdates \
            -struct -struct-text -upw=secret -url -v",
        "read",
    )
    .style(Style::Word)
    ,
    reads(
        "xpath",
        "xpath(1p) XML::XPath 1.48",
        "-e=pat -n -p=data -q -s=data",
        "read*",
    )
    .style(Style::Word)
    .prints(Output::Filtered)
    ,
    reads(
        "mediainfo",
        "mediainfo(1) 23.04",
        "\
            -f|--Full --Info-Parameters --Help-AnOption --Help-Inform --Inform?=data --Language?=data \
            --LogFile?=write --Output?=data",
        "source*",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ReadsAfter(&["--Inform=file://"]),
            ],
        },
    ])
    ,
    reads(
        "pup htmlq w3m-dump exiftool-read identify ffprobe",
        "pup(1), identify(1), ffprobe(1) 0.4, 6.9, 5.1",
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
                Act::Picked(Pick { at: &[">-o", ">--output", ">--out", ">-O", ">-modify"], fits: &[],
                    except: &[], after: &[] }, Role::Write),
                Act::Picked(Pick { at: &["0.."], fits: &["--o*=*"], except: &[], after: &["="] }, Role::Write),
            ],
        },
    ])
    .taken_over()
    ,
];
