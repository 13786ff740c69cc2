// Generated from knowledge/programs/windows-files.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "find.exe",
        "find /? Windows 11",
        "-c -i -n -off|-offline -v",
        "pat read*",
    )
    .style(Style::Windows)
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Word(&["-delete", "-exec", "-execdir", "-ok", "-okdir", "-fls", "-fprint",
                        "-fprint0", "-fprintf"]),
            ],
            acts: &[
                Act::Acts,
                Act::Finding("shell.delete", "deletes, writes or runs something for each file that is found"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    reads(
        "findstr",
        "findstr /? Windows 11",
        "\
            -a=data -b -c=pat -d=look -e -f=list -g=read -i -l -m -n -o -off|-offline -p -r -s -v -x",
        "pat!-c,-g read*",
    )
    .style(Style::Windows)
    .prints(Output::Filtered)
    .taken_over()
    .any_case()
    ,
    reads(
        "sort.exe",
        "sort /? Windows 11",
        "\
            -c|-case_sensitive -l|-locale=data -m|-memory=num -o|-output=write -r|-reverse \
            -rec|-record_maximum=num -t|-temporary=data -u|-uniq|-unique",
        "read*",
    )
    .style(Style::Windows)
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-o"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    reads(
        "more.com",
        "more /? Windows 11",
        "-c -e -p -s",
        "read*",
    )
    .style(Style::Windows)
    .prints(Output::Filtered)
    .taken_over()
    .any_case()
    ,
    reads(
        "fc.exe comp.exe",
        "fc /?, comp /? Windows 11",
        "-a -b -c -d -l -m -n -off|-offline -t -u -w",
        "read*",
    )
    .style(Style::Windows)
    .prints(Output::Filtered)
    .taken_over()
    .any_case()
    ,
    reads(
        "tree.com",
        "tree /? Windows 11",
        "-a -f",
        "look*",
    )
    .style(Style::Windows)
    .taken_over()
    .any_case()
    ,
    reads(
        "where.exe",
        "where /? Windows 11",
        "-f -q -r=look -t",
        "data*",
    )
    .style(Style::Windows)
    .taken_over()
    .any_case()
    ,
    works(
        "xcopy",
        "xcopy /? Windows 11",
        "\
            -a -b -c -compress -d?=data -e -exclude=list -f -g -h -i -j -k -l -m -n -noclone -o -p -q -r \
            -s -sparse|-nosparse -t -u -v -w -x -y -z",
        "",
    )
    .style(Style::Windows)
    .prints(Output::Nothing)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(1, 1),
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
                Act::WritesFile("."),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Copies(&Copying {
                        kind: Copies::Content,
                        into: &[],
                        whole: &[],
                        pick: Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                    }),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    works(
        "replace.exe",
        "replace /? Windows 11",
        "-a -p -r -s -u -w",
        "",
    )
    .style(Style::Windows)
    .prints(Output::Nothing)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(1, 1),
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
                Act::WritesFile("."),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Copies(&Copying {
                        kind: Copies::Content,
                        into: &[],
                        whole: &[],
                        pick: Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                    }),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    works(
        "robocopy",
        "robocopy /? Windows 11",
        "\
            -b -copy=data -copyall -create -dcopy=data -e -eta -fft -if -is -it -j -l -lev?=num -log=write \
            -log+=append -max?=num -maxage?=data -min?=num -minage?=data -mir -mon?=num -mot?=num -mov \
            -move -mt?=num -nc -ndl -nfl -njh -njs -np -ns -purge -r?=num -s -sec -sl -tee -unilog=write \
            -v -w?=num -xa?=data -xc -xd=data -xf=data -xj -xl -xn -xo -xx -z -zb",
        "",
    )
    .style(Style::Windows)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
                Act::Operand(1, false, Role::Write),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-mir", "-purge"]),
            ],
            acts: &[
                Act::DeletesOperand(1, false, &["always"], &["always"]),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-mov", "-move"]),
            ],
            acts: &[
                Act::DeletesOperand(0, false, &["always"], &["always"]),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    reads(
        "attrib",
        "attrib /? Windows 11",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::At(Pick { at: &["0.."], fits: &["+*", "-*"], except: &[], after: &[] }),
            ],
            acts: &[
                Act::Works,
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &["+*", "-*", "/s", "/S", "/d",
                    "/D", "/l", "/L", "/?"], after: &[] }, Role::Meta),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &["/s", "/S", "/d", "/D", "/l",
                    "/L", "/?"], after: &[] }, Role::Look),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    reads(
        "icacls cacls",
        "icacls /? Windows 11",
        "\
            -c -deny=data -e -findsid=data -g=data -grant=data -inheritance?=data -l -p=data -q -r=data \
            -remove=data -reset -restore=read -save=write -setintegritylevel=data -setowner=data \
            -substitute=data -t -verify",
        "look data*",
    )
    .style(Style::Windows)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-grant", "-deny", "-remove", "-reset", "-setowner", "-inheritance",
                        "-restore", "-setintegritylevel", "-g", "-p", "-r", "-e"]),
            ],
            acts: &[
                Act::Works,
                Act::Privilege(PrivilegeKind::Root, "changes who may reach files"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-save"]),
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
        "takeown",
        "takeown /? Windows 11",
        "-a -d=data -f=meta -p=secret -r -s=host -skipsl -u=data",
        "",
    )
    .style(Style::Windows)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "takes over the ownership of files"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    works(
        "forfiles",
        "forfiles /? Windows 11",
        "-c=data -d=data -m=data -p=look -s",
        "",
    )
    .style(Style::Windows)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::windows::for_files),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
];
