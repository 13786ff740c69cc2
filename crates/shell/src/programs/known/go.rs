// Generated from knowledge/programs/go.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const BUILDING: &str = "\
    -C=data -a -n -p=num -race -msan -asan -cover -covermode=data -coverpkg=data -v -work -x \
    -asmflags=data -buildmode=data -buildvcs?=data -compiler=data -gccgoflags=data -gcflags=data \
    -installsuffix=data -json -ldflags=data -linkshared -mod=data -modcacherw -modfile=inplace \
    -overlay=file -pgo=read -pkgdir=dir -tags=data -trimpath -toolexec=prog -exec=prog -vettool=prog \
    -o=write";

const TESTING: &str = "\
    -bench=pat -benchmem -benchtime=data -blockprofile=write -blockprofilerate=num -c -count=num \
    -coverprofile=write -cpu=data -cpuprofile=write -failfast -fix=data -fullpath -fuzz=pat -fuzztime=data \
    -fuzzminimizetime=data -i -list=pat -memprofile=write -memprofilerate=num -mutexprofile=write \
    -mutexprofilefraction=num -outputdir=dir -parallel=num -run=pat -short -shuffle=data -skip=pat \
    -timeout=data -trace=write -vet=data -args";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "go",
        "go help, and help of each command 1.22, compared with 1.19",
        "-C=data",
        "",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    .subs(&[
        reads(
            "version",
            "go help, and help of each command 1.22, compared with 1.19",
            "-m -v -json",
            "look*",
        )
        .style(Style::Word)
        ,
        reads(
            "help",
            "go help, and help of each command 1.22, compared with 1.19",
            "",
            "data*",
        )
        .style(Style::Word)
        ,
        reads(
            "list doc",
            "go help, and help of each command 1.22, compared with 1.19",
            "\
                -f=data -json?=data -m -u -v -deps -e -find -test -versions -retracted -reuse=read \
                -compiled -mod=data -modfile=read -tags=data -src -all -c -cmd -short -C=data -a -n -p=num \
                -race -x",
            "data*",
        )
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["list"]),
                    Condition::Has(&["-u", "-versions", "-retracted"]),
                ],
                acts: &[
                    Act::Contacts("proxy.golang.org", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "env",
            "go help, and help of each command 1.22, compared with 1.19",
            "-json -changed -w -u",
            "data*",
        )
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["-w", "-u"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-w", "-u"]),
                ],
                acts: &[
                    Act::BeyondPlain,
                ],
            },
        ])
        ,
        works(
            "build test vet generate tool fix bug",
            "go help, and help of each command 1.22, compared with 1.19",
            "",
            "data*",
        )
        .also(BUILDING)
        .and(TESTING)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("go.mod", ""),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["-ldflags"], &["*-extld=*", "*-extld", "*"]),
                ],
                acts: &[
                    Act::Finding("shell.obfuscated", "names the linker that is run"),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["-gccgoflags", "-gcflags", "-asmflags"], &["*-toolexec*"]),
                ],
                acts: &[
                    Act::Finding("shell.obfuscated", "names a program that is run instead of the compiler"),
                ],
            },
        ])
        ,
        works(
            "run",
            "go help, and help of each command 1.22, compared with 1.19",
            "",
            "",
        )
        .also(BUILDING)
        .style(Style::WordPosix)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["*@*"]),
                ],
                acts: &[
                    Act::Contacts("proxy.golang.org", "https", Direction::Fetch),
                    Act::Finding("shell.remote_code", "runs {first} from the network"),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["*://*"]),
                ],
                acts: &[
                    Act::Contacts("proxy.golang.org", "https", Direction::Fetch),
                    Act::Finding("shell.remote_code", "runs {first} from the network"),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["*.go"]),
                ],
                acts: &[
                    Act::RunsProject("{first}", "go"),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("go.mod", ""),
                ],
            },
        ])
        ,
        works(
            "get install",
            "go help, and help of each command 1.22, compared with 1.19",
            "-t -u?=data -d -tool",
            "",
        )
        .also(BUILDING)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["./*", ".", "...", "/*"]),
                ],
                acts: &[
                    Act::RunsProject("go.mod", ""),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                        "proxy.golang.org", &["always"], &[], false),
                ],
            },
        ])
        ,
        works(
            "mod",
            "go help, and help of each command 1.22, compared with 1.19",
            "",
            "",
        )
        .style(Style::Word)
        .subs(&[
            reads(
                "graph why verify",
                "go help, and help of each command 1.22, compared with 1.19",
                "-m -vendor -go=data -x",
                "data*",
            )
            .style(Style::Word)
            ,
            works(
                "download tidy vendor",
                "go help, and help of each command 1.22, compared with 1.19",
                "-x -json -reuse=read -e -v -go=data -compat=data -diff -o=dir",
                "data*",
            )
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("proxy.golang.org", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
            works(
                "init edit",
                "go help, and help of each command 1.22, compared with 1.19",
                "\
                    -json -print -fmt -module=data -go=data -toolchain=data -require=data \
                    -droprequire=data -exclude=data -dropexclude=data -replace=data -dropreplace=data \
                    -retract=data -dropretract=data -tool=data -droptool=data -godebug=data \
                    -dropgodebug=data",
                "data*",
            )
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Called(&["edit"]),
                        Condition::Has(&["-json", "-print"]),
                    ],
                    acts: &[
                        Act::OnlyReads,
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "work",
            "go help, and help of each command 1.22, compared with 1.19",
            "",
            "",
        )
        .style(Style::Word)
        .subs(&[
            works(
                "init use sync edit vendor",
                "go help, and help of each command 1.22, compared with 1.19",
                "-r -json -print -fmt -go=data -use=data -dropuse=data -replace=data -v -o=dir",
                "data*",
            )
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Called(&["edit"]),
                        Condition::Has(&["-json", "-print"]),
                    ],
                    acts: &[
                        Act::OnlyReads,
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "fmt",
            "go help, and help of each command 1.22, compared with 1.19",
            "",
            "data*",
        )
        .also(BUILDING)
        .style(Style::Word)
        ,
        works(
            "clean",
            "go help, and help of each command 1.22, compared with 1.19",
            "-i -r -cache -testcache -modcache -fuzzcache",
            "data*",
        )
        .also(BUILDING)
        .style(Style::Word)
        ,
        works(
            "telemetry",
            "go help, and help of each command 1.22, compared with 1.19",
            "",
            "data*",
        )
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["on"]),
                ],
                acts: &[
                    Act::Finding("shell.upload", "sends what is measured from now on"),
                ],
            },
        ])
        ,
    ])
    ,
];
