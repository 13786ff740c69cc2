// Generated from knowledge/programs/nmap.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const SCANNER: &str = "\
    -oN|-oX|-oG|-oA|-o=write -iL=read --script=data -p|--top-ports|-T|--max-rate|-w|-u|-l|-P|-L=data";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "nmap",
        "nmap(1) 7.94",
        "",
        "data*",
    )
    .also(SCANNER)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
                Condition::Contains(&["--excludefile", "--script-args-file", "--resume", "--datadir",
                        "--servicedb", "--versiondb"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Mentions,
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["-oN", "-oX", "-oG", "-oA", "-oS", "-oM"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--script-updatedb"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["--script"], fits: &["*/*"], except: &[], after: &[] }, Role::File("lua")),
                Act::ContactsAt(Pick { at: &["0.."], fits: &[], except: &[], after: &[] }, "scan",
                    Direction::Both, &[], "", false),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "rustscan",
        "rustscan 2",
        "",
        "data*",
    )
    .also(SCANNER)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["--script"], fits: &["*/*"], except: &[], after: &[] }, Role::File("lua")),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "\
            masscan zmap nikto gobuster ffuf dirb wfuzz sqlmap hydra medusa john hashcat msfconsole \
            msfvenom crackmapexec enum4linux responder aircrack-ng ettercap bettercap mimikatz linpeas.sh \
            searchsploit",
        "their manual pages",
        "",
        "data*",
    )
    .also(SCANNER)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["--script"], fits: &["*/*"], except: &[], after: &[] }, Role::File("lua")),
                Act::Finding("shell.tamper", "{program} attacks passwords, hosts or services"),
            ],
        },
    ])
    .taken_over()
    ,
];
