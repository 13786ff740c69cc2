// Generated from knowledge/programs/xset.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "xset",
        "xset(1) 1.2.5",
        "-version",
        "data*",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["q", "-q", "-version"]),
                Condition::Operands(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    ,
    works(
        "xhost",
        "xhost(1) 1.0.8",
        "",
        "data*",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::FirstNot(&["-*"]),
                Condition::Operands(1, usize::MAX),
            ],
            acts: &[
                Act::Finding("shell.tamper", "lets others draw on and read this display"),
            ],
        },
    ])
    ,
    works(
        "xrandr",
        "xrandr(1) 1.5.2",
        "\
            --above=data --addmode=data --auto --below=data --brightness=num --crtc=num --current \
            -d|--display=data --delmode=data --delmonitor=data --dpi=data --dryrun --fb=data --fbmm=data \
            --filter=data --gamma=data --left-of=data --listactivemonitors --listmonitors --listproviders \
            --mode=data --newmode=data --nograb --noprimary -o|--orientation=data --off --output=data \
            --panning=data --pos=data --preferred --primary --prop|--properties -q|--query --q1 --q12 \
            -r|--rate|--refresh=num --reflect=data --right-of=data --rmmode=data --rotate=data \
            -s|--size=data --same-as=data --scale=data --scale-from=data --screen=num --set=data \
            --setmonitor=data --setprovideroffloadsink=data --setprovideroutputsource=data \
            --transform=data -v|--version --verbose -x -y",
        "data*",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
                Condition::Options(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-q", "--listmonitors", "--listactivemonitors", "--listproviders",
                        "--prop", "-v"]),
                Condition::Lacks(&["--output", "--newmode", "-s", "-o", "-r"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    ,
    works(
        "xmodmap",
        "xmodmap(1) 1.0.11",
        "-display=data -e=data -grammar -n -pk -pke -pm -pp -quiet -verbose",
        "read",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-n", "-pk", "-pke", "-pm", "-pp", "-grammar"]),
                Condition::Lacks(&["-e"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    ,
    works(
        "xrdb",
        "xrdb(1) 1.2.1",
        "\
            -all -backup=data -cpp=prog -D=data -display=data -E -edit=inplace -get=data -global -I=look \
            -load -merge -n -nocpp -override -query -quiet -remove -retain -screen -screens -symbols \
            -U=data -undef",
        "read",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-query", "-get", "-symbols"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    ,
    works(
        "setxkbmap",
        "setxkbmap(1) 1.3.3",
        "\
            -compat=data -config=read -device=data -display=data -geometry=data -I=look -keycodes=data \
            -keymap=data -layout=data -model=data -option=data -print -query -rules=data -symbols=data \
            -synch -types=data -v|-verbose -variant=data",
        "data*",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-query", "-print"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    ,
    works(
        "xinput",
        "xinput(1) 1.6.3",
        "",
        "data*",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["list", "list-props", "query-state", "get-feedbacks", "get-button-map"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    ,
    works(
        "xbacklight",
        "xbacklight(1) 1.2.3",
        "-dec=num -display=data -get -inc=num -set=num -steps=num -time=num",
        "data*",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-get"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    ,
    works(
        "loadkeys",
        "loadkeys(1) kbd 2.5",
        "\
            -a|--ascii -b|--bkeymap -C|--console=look -c|--clearcompose -d|--default -m|--mktable \
            -p|--parse -q|--quiet -s|--clearstrings -u|--unicode -v|--verbose",
        "read*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-b", "-m", "-p"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    ,
    works(
        "gsettings",
        "gsettings(1) glib 2.74",
        "--schemadir=choose",
        "",
    )
    .subs(&[
        reads(
            "\
                get monitor writable range describe list-schemas list-relocatable-schemas list-keys \
                list-children list-recursively help",
            "gsettings(1) glib 2.74",
            "--print-paths",
            "data*",
        )
        ,
        works(
            "set reset reset-recursively",
            "gsettings(1) glib 2.74",
            "",
            "data*",
        )
        ,
    ])
    ,
    works(
        "dconf",
        "dconf(1) 0.40",
        "",
        "",
    )
    .subs(&[
        reads(
            "read",
            "dconf(1) 0.40",
            "-d",
            "data*",
        )
        ,
        reads(
            "list dump watch help",
            "dconf(1) 0.40",
            "",
            "data*",
        )
        ,
        works(
            "write",
            "dconf(1) 0.40",
            "",
            "data*",
        )
        ,
        works(
            "reset",
            "dconf(1) 0.40",
            "-f",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-f"]),
                ],
                acts: &[
                    Act::Finding("shell.data_loss", "forgets all settings below a path"),
                ],
            },
        ])
        ,
        works(
            "load",
            "dconf(1) 0.40",
            "-f",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.persistence", "loads settings of the desktop, its commands among them"),
                ],
            },
        ])
        ,
        works(
            "compile",
            "dconf(1) 0.40",
            "",
            "write read",
        )
        ,
        works(
            "update",
            "dconf(1) 0.40",
            "",
            "dir",
        )
        ,
    ])
    ,
    works(
        "defaults",
        "defaults(1) macOS 14",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["read", "find"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    .taken_over()
    ,
];
