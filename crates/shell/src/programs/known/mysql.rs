// Generated from knowledge/programs/mysql.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "mysql mariadb",
        "mariadb(1) 10.11, and options of MySQL 8.0",
        "\
            --abort-source-on-error --auto-rehash -A|--no-auto-rehash|--skip-auto-rehash \
            --auto-vertical-output -b|--no-beep -B|--batch --binary-mode --character-sets-dir=look \
            --column-names -m|--column-type-info -c|--comments -C|--compress --connect-timeout=num \
            -D|--database=data -#|--debug?=data --debug-check -T|--debug-info --default-auth=data \
            --default-character-set=data --defaults-extra-file=config --defaults-file=config \
            --defaults-group-suffix=data --delimiter=data --disable-named-commands \
            --enable-cleartext-plugin -e|--execute=lang:mysql -E|--vertical -f|--force -G|--named-commands \
            -h|--host=data -H|--html -i|--ignore-spaces -I --init-command=lang:sql --line-numbers \
            -L|--skip-line-numbers --local-infile?=data --login-path=data --max-allowed-packet=num \
            --max-join-size=num -N|--skip-column-names -n|--unbuffered --net-buffer-length=num \
            --no-defaults -o|--one-database --pager=sh -p?=secret --password?=secret -P|--port=num \
            --plugin-dir=file --print-defaults --progress-reports --prompt=data --protocol=data -q|--quick \
            -r|--raw --reconnect -s|--silent -S|--socket=data --safe-updates|--i-am-a-dummy|-U \
            --secure-auth --select-limit=num --server-arg=data --show-warnings --sigint-ignore --skip-ssl \
            --ssl --ssl-ca=read --ssl-capath=look --ssl-cert=read --ssl-cipher=data --ssl-crl=read \
            --ssl-crlpath=look --ssl-key=read --ssl-mode=data --ssl-verify-server-cert -t|--table \
            --tee=append -u|--user=data -v|--verbose -V|--version -w|--wait -W|--pipe -X|--xml",
        "",
    )
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--print-defaults"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "shows what the files of settings say"),
            ],
        },
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
    ,
    works(
        "mycli",
        "mycli --help 2.30.1",
        "\
            -h|--host|--hostname=data -P|--port=num -u|--user|--username=data -S|--socket=data \
            -p|--pass|--password=secret --password-file=read --vault-address=choose --vault-mount=data \
            --vault-secret=data --vault-password-field=data --vault-username-field=data --ssl-mode=data \
            --ssl-ca=read --ssl-capath=look --ssl-cert=read --ssl-key=read --ssl-cipher=data \
            --tls-version=data --ssl-verify-server-cert -v|--verbose -q|--quiet -D|--database=data \
            -d|--dsn=data --list-dsn --completions=data -R|--prompt=data --toolbar=data \
            -l|--logfile=append --checkpoint=append --resume --myclirc=config --auto-vertical-output \
            --show-warnings --no-show-warnings -t|--table --csv --warn --no-warn --warn-batch \
            --local-infile=data -g|--login-path=data -e|--execute=lang:mysql --init-command=lang:sql \
            --unbuffered --charset|--character-set=data --batch=file:mysql --format=data --throttle=num \
            --progress --use-keyring=data --keepalive-ticks=num --ssh-jump=host --ssh-options=data \
            --kubectl-resource=data --kubectl-options=data --boundary-id=data --checkup -V|--version",
        "",
    )
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--ssh-options", "--kubectl-options"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "gives options to ssh or kubectl, which may start programs"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--kubectl-resource", "--boundary-id"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Both),
            ],
        },
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
    ,
];
