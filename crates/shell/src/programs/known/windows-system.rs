// Generated from knowledge/programs/windows-system.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const REGISTRY: &str = "\
    -c -d=data -e -f=data -k -oa -od -on -os -reg:32 -reg:64 -s -se=data -t=data -v=data -va -ve -y -z";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "whoami.exe",
        "whoami /? Windows 11",
        "-all -claims -fo=data -fqdn -groups -logonid -nh -priv -upn -user",
        "",
    )
    .style(Style::Windows)
    .taken_over()
    .any_case()
    ,
    reads(
        "hostname.exe chcp mode.com help.exe doskey netstat.exe",
        "hostname /?, chcp /?, mode /?, help /?, doskey /?, netstat /? Windows 11",
        "\
            -a -b -e -exename=data -f -history -i -insert -macros|-macros:all -n -o -overstrike -p=data -q \
            -r -reinstall -s -sta|-status -t -x -y",
        "data*",
    )
    .style(Style::Windows)
    .taken_over()
    .any_case()
    ,
    reads(
        "tasklist systeminfo getmac driverquery",
        "tasklist /?, systeminfo /?, getmac /?, driverquery /? Windows 11",
        "-apps -fi=data -fo=data -m -nh -p=secret -s=host -si -svc -u=data -v",
        "data*",
    )
    .style(Style::Windows)
    .taken_over()
    .any_case()
    ,
    reads(
        "timeout.exe",
        "timeout /? Windows 11",
        "-nobreak -t=num",
        "data*",
    )
    .style(Style::Windows)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::Acts,
                Act::Runs(1),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    reads(
        "query.exe quser gpresult choice.exe waitfor.exe clip.exe nbtstat",
        "NAME /? Windows 11",
        "\
            -a=data -c=data -cs -d=data -f -fo=data -h=write -m=data -mode -n -nobreak -p=secret -r \
            -s=host -scope=data -server?=host -si -t=num -u=data -user=data -v -vm -x=write -z",
        "data*",
    )
    .style(Style::Windows)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-h", "-x", "-si"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    works(
        "reg",
        "reg /? Windows 11",
        "",
        "",
    )
    .style(Style::Windows)
    .otherwise(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "changes the registry of Windows"),
            ],
        },
    ])
    .subs(&[
        reads(
            "query compare",
            "reg /? Windows 11",
            "",
            "data*",
        )
        .also(REGISTRY)
        .style(Style::Windows)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::windows::registry_key),
                ],
            },
        ])
        ,
        works(
            "export save",
            "reg /? Windows 11",
            "",
            "data write",
        )
        .also(REGISTRY)
        .style(Style::Windows)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::windows::registry_key),
                ],
            },
        ])
        ,
        works(
            "add delete copy load unload restore import flags",
            "reg /? Windows 11",
            "",
            "data*",
        )
        .also(REGISTRY)
        .style(Style::Windows)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::windows::registry_key),
                    Act::Privilege(PrivilegeKind::Root, "changes the registry of Windows"),
                ],
            },
        ])
        ,
    ])
    .taken_over()
    .any_case()
    ,
    reads(
        "schtasks",
        "schtasks /? Windows 11",
        "\
            -change -create -delete -end -query -run -showsid -fo=data -hresult -nh -p=secret -s=host \
            -tn=data -u=data -v -xml -d=data -delay=data -disable -du=data -ec=data -ed=data -enable \
            -et=data -f -i=num -it -k -m=data -mo=data -np -rl=data -ri=num -rp=secret -ru=data -sc=data \
            -sd=data -st=data -tr=data",
        "data*",
    )
    .style(Style::Windows)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-change", "-create", "-delete", "-end", "-run"]),
            ],
            acts: &[
                Act::Works,
                Act::Finding("shell.persistence", "changes tasks, which Windows starts by itself"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    reads(
        "at.exe",
        "at /? Windows 10",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::At(Pick { at: &["0"], fits: &[], except: &["/?"], after: &[] }),
            ],
            acts: &[
                Act::Works,
                Act::Finding("shell.persistence", "makes a task, which Windows starts by itself"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    reads(
        "sc.exe",
        "sc /? Windows 11",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::At(Pick { at: &["0.."], fits: &["~query", "~queryex", "~qc",
                    "~qdescription", "~qfailure", "~enumdepend", "~sdshow"], except: &[], after: &[] }),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::At(Pick { at: &["0"], fits: &[], except: &["/?"], after: &[] }),
            ],
            acts: &[
                Act::Works,
                Act::Finding("shell.persistence", "changes a service of Windows"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    reads(
        "wmic",
        "wmic /? Windows 10",
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
                Act::Rust(crate::programs::windows::wmic),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    reads(
        "vssadmin wbadmin",
        "vssadmin /?, wbadmin /? Windows 11",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::FirstNot(&["~list", "~get", "/?"]),
            ],
            acts: &[
                Act::Works,
                Act::Finding("shell.data_loss", "deletes or changes backups or shadow copies"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    reads(
        "wevtutil",
        "wevtutil /? Windows 11",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::FirstNot(&["~qe", "~query-events", "~el", "~enum-logs", "~gl", "~get-log", "~gli",
                        "~ep", "~gp", "/?"]),
            ],
            acts: &[
                Act::Works,
                Act::Finding("shell.tamper", "wipes or changes logs"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    reads(
        "auditpol",
        "auditpol /? Windows 11",
        "\
            -backup -category?=data -clear -failure?=data -file?=data -get -list -option?=data -r -remove \
            -resourcesacl -restore -sd -set -subcategory?=data -success?=data -user?=data -v",
        "",
    )
    .style(Style::Windows)
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-get", "-list"]),
            ],
            acts: &[
                Act::Works,
                Act::Finding("shell.tamper", "changes what is logged"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    reads(
        "bcdedit",
        "bcdedit /? Windows 11",
        "\
            -bootsequence -copy -create -createstore -debug -default -delete -deletevalue -displayorder \
            -enum -export -import -set -store=data -timeout -v",
        "data*",
    )
    .style(Style::Windows)
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-enum", "-v"]),
                Condition::Words(1, usize::MAX),
            ],
            acts: &[
                Act::Works,
                Act::Finding("shell.data_loss", "changes how Windows starts"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    works(
        "diskpart format.com format diskshadow sdelete",
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
                Act::Finding("shell.data_loss", "{program} destroys disks, backups or files"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    reads(
        "cipher.exe",
        "cipher /? Windows 11",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::At(Pick { at: &["0"], fits: &[], except: &["/?"], after: &[] }),
            ],
            acts: &[
                Act::Works,
                Act::Finding("shell.data_loss", "wipes free space or encrypts files"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    reads(
        "fsutil",
        "fsutil /? Windows 11",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::NoOperand(&["~fsinfo", "~query", "~queryinfo", "~queryfree",
                        "~querycasesensitiveinfo", "/?"]),
            ],
            acts: &[
                Act::Works,
                Act::Finding("shell.data_loss", "changes a file system"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    works(
        "shutdown.exe logoff taskkill tskill",
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
                Act::Finding("shell.resource", "{program} ends processes, the session or Windows"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    works(
        "setx",
        "setx /? Windows 11",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.persistence", "changes the environment of every program"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    works(
        "vaultcmd ntdsutil esentutl procdump",
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
                Act::Finding("shell.secret_read", "{program} reads credentials, accounts or the memory of a program"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    works(
        "\
            rundll32 regsvr32 regsvcs regasm mshta cscript wscript msiexec installutil pcalua hh.exe \
            control.exe cmstp odbcconf presentationhost ieexec mavinject xwizard infdefaultinstall \
            msbuild-win",
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
                Act::Privilege(PrivilegeKind::Root, "runs code through a program of Windows"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    reads(
        "dism sfc pnputil manage-bde gpupdate w32tm",
        "NAME /? Windows 11",
        "\
            -enum-devices -enum-drivers -get-currentedition -get-drivers -get-features -get-packages \
            -image?=data -online -query -status -verifyonly",
        "data*",
    )
    .style(Style::Windows)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-enum-devices", "-enum-drivers", "-get-currentedition",
                        "-get-drivers", "-get-features"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-get-packages", "-query", "-status", "-verifyonly"]),
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
                Act::Privilege(PrivilegeKind::Root, "changes Windows"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    works(
        "regedit",
        "regedit /? Windows 11",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "changes the registry of Windows"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    reads(
        "subst.exe",
        "subst /? Windows 11",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::At(Pick { at: &["0"], fits: &[], except: &["/?"], after: &[] }),
            ],
            acts: &[
                Act::Works,
                Act::Privilege(PrivilegeKind::Root, "makes a drive"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
];
