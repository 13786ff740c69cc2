// Generated from knowledge/programs/windows-network.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "arp.exe",
        "arp /? Windows 11",
        "-a -d -g -n=data -s -v",
        "data*",
    )
    .style(Style::Windows)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-d", "-s"]),
            ],
            acts: &[
                Act::Works,
                Act::Privilege(PrivilegeKind::Root, "changes the network"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    reads(
        "nltest dsquery",
        "nltest /?, dsquery /? Windows Server 2022",
        "\
            -d=data -dclist?=data -domain=data -domain_trusts -dsgetdc?=data -dsgetsite -inactive=num \
            -limit=num -name=data -o=data -parentdomain -query -s=host -samid=data -server?=host \
            -trusted_domains",
        "data*",
    )
    .style(Style::Windows)
    .taken_over()
    .any_case()
    ,
    reads(
        "ipconfig",
        "ipconfig /? Windows 11",
        "\
            -all -allcompartments -displaydns -flushdns -registerdns -release -release6 -renew -renew6 \
            -setclassid -setclassid6 -showclassid -showclassid6",
        "data*",
    )
    .style(Style::Windows)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-release", "-release6", "-renew", "-renew6", "-registerdns",
                        "-setclassid", "-setclassid6"]),
            ],
            acts: &[
                Act::Works,
                Act::Privilege(PrivilegeKind::Root, "changes the network"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-flushdns"]),
            ],
            acts: &[
                Act::Works,
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    works(
        "ping.exe tracert pathping",
        "ping /?, tracert /?, pathping /? Windows 11",
        "\
            -4 -6 -a -c=data -d -f -g=host -h=num -i=num -j=host -k=host -l=num -n=num -p=num -q=num \
            -r=num -s=num -t -v=num -w=num",
        "host*",
    )
    .style(Style::Windows)
    .taken_over()
    .any_case()
    ,
    works(
        "net net1",
        "net help Windows 11",
        "",
        "",
    )
    .style(Style::Windows)
    .otherwise(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "changes users, groups, shares or services of Windows"),
            ],
        },
    ])
    .subs(&[
        reads(
            "view config statistics help helpmsg",
            "net help Windows 11",
            "-all -cache -domain",
            "data*",
        )
        .style(Style::Windows)
        ,
        reads(
            "use",
            "net help Windows 11",
            "-d|-delete -p|-persistent=data -savecred -u|-user=data -y",
            "data*",
        )
        .style(Style::Windows)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-d"]),
                ],
                acts: &[
                    Act::Works,
                ],
            },
            Rule {
                when: &[
                    Condition::Operands(1, usize::MAX),
                ],
                acts: &[
                    Act::Works,
                ],
            },
        ])
        ,
        reads(
            "start",
            "net help Windows 11",
            "",
            "data*",
        )
        .style(Style::Windows)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(1, usize::MAX),
                ],
                acts: &[
                    Act::Works,
                    Act::Privilege(PrivilegeKind::Root, "changes users, groups, shares or services of Windows"),
                ],
            },
        ])
        ,
        reads(
            "user localgroup group accounts share session file",
            "net help Windows 11",
            "\
                -active=data -add -close -comment=data -d|-del|-delete -domain -expires=data \
                -forcelogoff=data -fullname=data -grant=data -lockoutduration=data -lockoutthreshold=data \
                -lockoutwindow=data -logonpasswordchg=data -maxpwage=data -minpwage=data -minpwlen=data \
                -passwordchg=data -passwordreq=data -remark=data -times=data -uniquepw=data -unlimited \
                -users=data -y",
            "data*",
        )
        .style(Style::Windows)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(2, usize::MAX),
                ],
                acts: &[
                    Act::Works,
                    Act::Privilege(PrivilegeKind::Root, "changes users, groups, shares or services of Windows"),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-add", "-d", "-active", "-close", "-expires", "-forcelogoff",
                        "-grant", "-maxpwage", "-minpwage", "-minpwlen", "-times"]),
                ],
                acts: &[
                    Act::Works,
                    Act::Privilege(PrivilegeKind::Root, "changes users, groups, shares or services of Windows"),
                ],
            },
            Rule {
                when: &[
                    Condition::Operand(&["*=*"]),
                ],
                acts: &[
                    Act::Works,
                    Act::Privilege(PrivilegeKind::Root, "changes users, groups, shares or services of Windows"),
                ],
            },
        ])
        ,
        works(
            "\
                ads rpc rap sam status lookup groupmap idmap conf join leave testjoin changesecretpw \
                getlocalsid",
            "net help Windows 11",
            "-h=data -i=data -k -p=num -s=data -u=data",
            "data*",
        )
        .style(Style::Windows)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsAt(Pick { at: &["-s", "-i", "-h"], fits: &[], except: &[],
                        after: &[] }, "smb", Direction::Both, &[], "", false),
                ],
            },
            Rule {
                when: &[
                    Condition::Lacks(&["-s", "-i", "-h"]),
                ],
                acts: &[
                    Act::ContactsUnknown("smb", Direction::Both),
                ],
            },
            Rule {
                when: &[
                    Condition::Operand(&["shutdown", "leave", "delete", "remove", "stop", "start", "add",
                        "addmem", "delmem", "revoke", "grant"]),
                ],
                acts: &[
                    Act::BeyondPlain,
                    Act::Finding("shell.infra", "changes accounts, services or machines of a network"),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["join", "leave", "changesecretpw"]),
                ],
                acts: &[
                    Act::Finding("shell.infra", "changes accounts, services or machines of a network"),
                ],
            },
        ])
        ,
    ])
    .taken_over()
    .any_case()
    ,
    reads(
        "netsh route.exe",
        "netsh /?, route /? Windows 11",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::At(Pick { at: &["0.."], fits: &["~show", "~dump", "~print"], except: &[], after: &[] }),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Works,
                Act::Privilege(PrivilegeKind::Root, "changes the network or the firewall"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    reads(
        "cmdkey",
        "cmdkey /? Windows 11",
        "\
            -add?=data -delete?=data -generic?=data -list?=data -pass?=secret -ras -smartcard -user?=data",
        "",
    )
    .style(Style::Windows)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-add", "-delete", "-generic"]),
            ],
            acts: &[
                Act::Works,
                Act::Privilege(PrivilegeKind::Root, "changes stored credentials"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    works(
        "runas psexec paexec winrs",
        "NAME /? Windows 11",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "runs a program on another host or as another user"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    reads(
        "certutil",
        "certutil /? Windows 11",
        "",
        "",
    )
    .style(Style::Raw)
    .answers()
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::windows::certutil),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    reads(
        "bitsadmin",
        "bitsadmin /? Windows 11",
        "",
        "",
    )
    .style(Style::Raw)
    .answers()
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::windows::bitsadmin),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
];
