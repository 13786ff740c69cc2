// Generated from knowledge/programs/mksquashfs.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "mksquashfs",
        "mksquashfs(1) 4.5.1",
        "\
            -tar -no-strip -tarstyle -cpiostyle -cpiostyle0 -comp=data -b=num -reproducible \
            -not-reproducible -mkfs-time|-fstime=data -all-time=data -no-exports -exports -no-sparse \
            -no-xattrs -xattrs -noI|-noInodeCompression -noId|-noIdTableCompression \
            -noD|-noDataCompression -noF|-noFragmentCompression -noX|-noXattrCompression -no-tailends \
            -tailends -no-fragments -always-use-fragments -no-duplicates -no-hardlinks \
            -all-root|-root-owned -root-time=data -root-mode=data -root-uid=data -root-gid=data \
            -force-uid=data -force-gid=data -keep-as-directory -action=data -log-action=data \
            -true-action=data -false-action=data -action-file=read -log-action-file=read \
            -true-action-file=read -false-action-file=read -p=data -pf=file:pseudo -sort=read -ef=read -e \
            -wildcards -regex -one-file-system -noappend -root-becomes=data -version -exit-on-error \
            -recover=read -no-recovery -recovery-path=dir -quiet -info -no-progress -progress \
            -throttle=num -limit=num -processors=num -mem=data -nopad -offset=num -o=num -help|-h -Xhelp \
            -Xcompression-level=num -Xwindow-size=num -Xstrategy=data -Xalgorithm=data -Xhc -Xbcj=data \
            -Xdict-size=data",
        "read write",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-p"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "may name a command whose output becomes a file"),
            ],
        },
    ])
    ,
    named(
        "unsquashfs",
        "unsquashfs(1) 4.5.1",
        "\
            -v|-version -cat -d|-dest=write -max|-max-depth=num -excludes -ex|-exclude-list \
            -follow|-follow-symlinks|-L -missing|-missing-symlinks -q|-quiet -n|-no-progress \
            -no|-no-xattrs -x|-xattrs -u|-user-xattrs -p|-processors=num -i|-info -li|-linfo -l|-ls \
            -ll|-lls -lln|-llnumeric -lc -llc -o|-offset=num -f|-force -ig|-ignore-errors \
            -st|-strict-errors -no-exit|-no-exit-code -s|-stat -UTC -mkfs-time|-fstime \
            -extract-file|-e|-ef=read -exclude-file|-exc|-excf=read -pf|-pseudo-file=write \
            -da|-data-queue=num -fr|-frag-queue=num -no-wild|-no-wildcards -r|-regex -h|-help",
        "",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-l", "-ll", "-lln", "-lc", "-llc", "-s", "-cat", "-mkfs-time", "-v",
                        "-h"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-d", "-pf"]),
            ],
            acts: &[
                Act::WritesFile("squashfs-root"),
            ],
        },
    ])
    ,
    named(
        "genisoimage mkisofs xorriso",
        "genisoimage(1) 1.1.11",
        "-o=write -R -J -r -V=data -d -f -l -s -b=data -n",
        "read write",
    )
    .style(Style::Word)
    .taken_over()
    ,
];
