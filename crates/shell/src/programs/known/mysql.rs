// Generated from knowledge/programs/mysql.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "mysql mariadb mycli",
        "mysql(1) 8.0",
        "\
            -A|--no-auto-rehash -b -B|--batch -C|--compress -D|--database=data -e|--execute=lang:mysql \
            -E|--vertical -f|--force -G -h|--host=data -H|--html -i -L -N|--skip-column-names -n -o \
            -p?=secret --password?=secret -P|--port=num --protocol=data -q|--quick -r|--raw -s|--silent \
            -S|--socket=data -t|--table -T -u|--user=data -U|--safe-updates --i-am-a-dummy -v|--verbose \
            -V|--version -w -X|--xml --defaults-file=config --defaults-extra-file=config --login-path=data \
            --ssl-mode=data --ssl-ca=read --ssl-cert=read --ssl-key=read --tee=write --pager=prog \
            --init-command=lang:sql --delimiter=data --local-infile?=data --default-character-set=data \
            --connect-timeout=num --max-allowed-packet=num --plugin-dir=file --default-auth=data \
            --column-names --no-defaults --skip-ssl",
        "",
    )
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-V"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["-h", "://"], fits: &[], except: &[], after: &[] },
                    "mysql", Direction::Both, &["-p", "-P"], "localhost", false),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-e"]),
                Condition::Stdin(Arrives::Given),
            ],
            acts: &[
                Act::RunsStdin("mysql"),
            ],
        },
    ])
    .taken_over()
    ,
];
