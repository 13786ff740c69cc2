// Generated from knowledge/programs/ansible.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const CONNECTION: &str = "\
    -i|--inventory|--inventory-file=config -l|--limit|--subset=data --list-hosts -M|--module-path=file \
    --playbook-dir=look -u|--user=data -c|--connection=data -T|--timeout=num -k|--ask-pass \
    --connection-password-file|--conn-pass-file=read --private-key|--key-file=read --scp-extra-args=sh \
    --sftp-extra-args=sh --ssh-common-args=sh --ssh-extra-args=sh -b|--become --become-method=data \
    --become-user=data --become-password-file|--become-pass-file=file -K|--ask-become-pass \
    -e|--extra-vars=data --vault-id=data --vault-password-file|--vault-pass-file=file \
    -J|--ask-vault-password|--ask-vault-pass -v|--verbose --version -h|--help";

const PLAYING: &str = "\
    -f|--forks=num -C|--check -D|--diff --syntax-check --list-tags --list-tasks --skip-tags=data \
    --start-at-task=data --step -t|--tags=data --flush-cache --force-handlers";

const PUPPET: &str = "\
    --confdir=config --config=config -d|--debug --environment=data --extra=data -h|--help \
    --modulepath=file --render-as=data --server=choose --terminus=data -V|--version -v|--verbose";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "ansible",
        "ansible(1) 2.16, compared with 2.14",
        "\
            -a|--args=data -m|--module-name=data -B|--background=num -C|--check -D|--diff -f|--forks=num \
            -o|--one-line -P|--poll=num -t|--tree=dir --task-timeout=num",
        "data*",
    )
    .also(CONNECTION)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--version"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-e"], &["*interpreter*", "*executable*", "*_exe=*", "*_args=*",
                        "*proxy_command*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "names a program in a variable of `{program}`"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-b", "-K"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "becomes root on other machines"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsUnknown("ssh", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--list-hosts"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-m"]),
                Condition::Operand(&["localhost", "127.0.0.1"]),
            ],
            acts: &[
                Act::Value("-a", Role::Shell),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-m"]),
                Condition::Value(&["-c"], &["local"]),
            ],
            acts: &[
                Act::Value("-a", Role::Shell),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-m"]),
            ],
            acts: &[
                Act::RunsRemoteValue("-a", "inventory"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["localhost", "127.0.0.1"]),
                Condition::Value(&["-m"], &["shell", "*.shell", "command", "*.command", "raw", "*.raw", "script",
                        "*.script", "expect", "*.expect", "win_shell", "*.win_shell"]),
            ],
            acts: &[
                Act::Value("-a", Role::Shell),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-m"], &["shell", "*.shell", "command", "*.command", "raw", "*.raw", "script",
                        "*.script", "expect", "*.expect", "win_shell", "*.win_shell"]),
                Condition::Word(&["local", "-clocal", "--connection=local"]),
            ],
            acts: &[
                Act::Value("-a", Role::Shell),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-m"], &["shell", "*.shell", "command", "*.command", "raw", "*.raw", "script",
                        "*.script", "expect", "*.expect", "win_shell", "*.win_shell"]),
            ],
            acts: &[
                Act::RunsRemoteValue("-a", "inventory"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-a"], &["*{{*pipe*", "*pipe*{{*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "runs a command through a template"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-a"], &["*state=absent*"]),
            ],
            acts: &[
                Act::Finding("shell.delete", "the module {-m} takes something away"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Part("-a", &["src"], Role::Read, false),
                Act::Part("-a", &["mode"], Role::Mode, false),
            ],
        },
    ])
    ,
    works(
        "ansible-playbook",
        "ansible-playbook(1) 2.16, compared with 2.14",
        "",
        "data*",
    )
    .also(CONNECTION)
    .and(PLAYING)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--version"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-e"], &["*interpreter*", "*executable*", "*_exe=*", "*_args=*",
                        "*proxy_command*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "names a program in a variable of `{program}`"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, true, Role::File("recipe")),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-C", "--syntax-check", "--list-tags", "--list-tasks", "--list-hosts"]),
            ],
            acts: &[
                Act::ContactsUnknown("ssh", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::RunsProject("playbook", ""),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-b", "-K"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "becomes root on other machines"),
            ],
        },
    ])
    ,
    works(
        "ansible-pull",
        "ansible-pull(1) 2.16, compared with 2.14",
        "\
            --accept-host-key -C|--checkout=data --check --clean -d|--directory=dir --diff -f|--force \
            --full -m|--module-name=data -o|--only-if-changed --purge -s|--sleep=num --skip-tags=data \
            -t|--tags=data --track-subs -U|--url=url --verify-commit",
        "data*",
    )
    .also(CONNECTION)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--version"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-e"], &["*interpreter*", "*executable*", "*_exe=*", "*_args=*",
                        "*proxy_command*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "names a program in a variable of `{program}`"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, true, Role::File("recipe")),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["--check", "--list-hosts"]),
            ],
            acts: &[
                Act::ContactsUnknown("ssh", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::RunsProject("playbook", ""),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-b", "-K"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "becomes root on other machines"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-d"]),
                Condition::Has(&["-f", "--purge"]),
            ],
            acts: &[
                Act::DeletesValue("-d"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.remote_code", "runs what a repository holds"),
            ],
        },
    ])
    ,
    reads(
        "ansible-doc ansible-config ansible-inventory",
        "ansible-doc(1) 2.16, compared with 2.14",
        "\
            -c|--config=config --disabled -e|--entry-point|--extra-vars=data --export -F|--list_files \
            -f|--format=data --graph -h|--help --host=data -i|--inventory|--inventory-file=config \
            -J|--ask-vault-password|--ask-vault-pass -j|--json -l|--list --limit=data \
            -M|--module-path=file --metadata-dump --no-fail-on-errors --only-changed --output=write \
            --playbook-dir=look -r|--roles-path=look -s|--snippet -t|--type=data --toml -v|--verbose \
            --vars --vault-id=data --vault-password-file|--vault-pass-file=file --version -y|--yaml",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["init"]),
                Condition::Program(&["ansible-config"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["edit"]),
                Condition::Program(&["ansible-config"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    ,
    works(
        "ansible-vault",
        "ansible-vault(1) 2.16, compared with 2.14",
        "\
            --output=write --encrypt-vault-id=data --new-vault-id=data --new-vault-password-file=file \
            -n|--name=data --stdin-name=data -p|--prompt --show-input --skip-tty-check",
        "data*",
    )
    .also(CONNECTION)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--version"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["view"]),
            ],
            acts: &[
                Act::Operand(1, true, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["create", "decrypt", "edit", "encrypt", "rekey"]),
            ],
            acts: &[
                Act::Operand(1, true, Role::InPlace),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["view", "decrypt"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "prints or stores decrypted secrets"),
            ],
        },
    ])
    ,
    works(
        "ansible-galaxy",
        "ansible-galaxy(1) 2.16, compared with 2.14",
        "\
            -r|--role-file|--requirements-file=read -p|--roles-path|--collections-path=dir \
            -s|--server=choose --token|--api-key=secret -c|--ignore-certs -f|--force -i|--ignore-errors \
            -n|--no-deps --author=data --branch=data --clear-response-cache \
            --collection-skeleton|--role-skeleton=look --disable-gpg-verify --download-path=dir \
            --force-with-deps --format=data -g|--keep-scm-meta --galaxy-tags=data \
            --ignore-signature-status-code=data --import-timeout=num --init-path=dir --keyring=read --list \
            --no-cache --no-wait --offline --output-path=dir --platforms=data --pre --remove=data \
            --required-valid-signature-count=data --role-name=data --signature=data --status --timeout=num \
            --type=data -U|--upgrade --version -v|--verbose -h|--help",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--version"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["role/delete", "delete"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "takes a role away for everybody"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Contacts("galaxy.ansible.com", "https", Direction::Fetch),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["*://*", "git@*", "git+*"]),
            ],
            acts: &[
                Act::Finding("shell.remote_code", "installs what an address holds"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/publish", "collection/publish"]),
            ],
            acts: &[
                Act::Operand(2, false, Role::Read),
                Act::Finding("shell.upload", "publishes a collection"),
            ],
        },
    ])
    ,
    works(
        "ansible-console",
        "ansible-console(1) 2.16, compared with 2.14",
        "--task-timeout=num",
        "data*",
    )
    .also(CONNECTION)
    .and(PLAYING)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsUnknown("ssh", Direction::Both),
                Act::RunsStdin("ftp"),
            ],
        },
    ])
    ,
    works(
        "puppet",
        "puppet(8) 7.23",
        "",
        "",
    )
    .also(PUPPET)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-V", "-h"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
    ])
    .otherwise(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Works,
                Act::Mentions,
            ],
        },
    ])
    .subs(&[
        works(
            "apply script",
            "puppet(8) 7.23",
            "\
                --catalog=file:recipe --detailed-exitcodes -e|--execute=lang:recipe -L|--loadclasses \
                -l|--logdest=write --noop -t|--test --write-catalog-summary",
            "data*",
        )
        .also(PUPPET)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, true, Role::File("recipe")),
                ],
            },
            Rule {
                when: &[
                    Condition::Lacks(&["-e", "--catalog"]),
                    Condition::Operands(0, 0),
                    Condition::Stdin(Arrives::Given),
                ],
                acts: &[
                    Act::RunsStdin("recipe"),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["-e"], &["*absent*"]),
                ],
                acts: &[
                    Act::Finding("shell.delete", "a manifest that takes something away"),
                ],
            },
        ])
        ,
        works(
            "resource",
            "puppet(8) 7.23",
            "-e|--edit -p|--param=data -t|--types -y|--to_yaml",
            "data*",
        )
        .also(PUPPET)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["exec"]),
                    Condition::Operand(&["*=*"]),
                ],
                acts: &[
                    Act::Finding("shell.obfuscated", "runs a command as a resource"),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Operand(&["ensure=absent", "ensure=purged"]),
                ],
                acts: &[
                    Act::Finding("shell.delete", "takes something away from this machine"),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Operand(&["*=*"]),
                ],
                acts: &[
                    Act::Privilege(PrivilegeKind::Root, "changes this machine"),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Lacks(&["-e"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "agent device",
            "puppet(8) 7.23",
            "-l|--logdest=write --noop -t|--test",
            "data*",
        )
        .also(PUPPET)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Both),
                    Act::Finding("shell.remote_code", "does what a server of recipes says"),
                ],
            },
        ])
        ,
        works(
            "config",
            "puppet(8) 7.23",
            "--section=data",
            "data*",
        )
        .also(PUPPET)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["print"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["set", "delete"]),
                ],
                acts: &[
                    Act::Finding("shell.persistence", "changes what later runs of puppet do"),
                ],
            },
        ])
        ,
        works(
            "module",
            "puppet(8) 7.23",
            "",
            "data*",
        )
        .also(PUPPET)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["list", "changes"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["install", "upgrade"]),
                ],
                acts: &[
                    Act::Contacts("forgeapi.puppet.com", "https", Direction::Fetch),
                    Act::Finding("shell.remote_code", "installs modules that later runs apply"),
                ],
            },
        ])
        ,
        works(
            "ssl",
            "puppet(8) 7.23",
            "",
            "data*",
        )
        .also(PUPPET)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["show", "verify"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["clean"]),
                ],
                acts: &[
                    Act::Finding("shell.data_loss", "deletes keys and certificates"),
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["submit_request", "download_cert", "bootstrap"]),
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Both),
                ],
            },
        ])
        ,
        reads(
            "parser describe doc help facts",
            "puppet(8) 7.23",
            "",
            "data*",
        )
        .also(PUPPET)
        .style(Style::Lenient)
        ,
    ])
    ,
    works(
        "chef-client chef-solo cf-agent pyinfra capistrano cap",
        "chef, pyinfra chef 18, pyinfra 3",
        "\
            -e|--execute=lang:recipe -c|--config=config -j|--json-attributes=read \
            -o|--override-runlist=data -z|--local-mode -W|--why-run --noop --check --dry --modulepath=file \
            --confdir=config --logdest=write -l|--log_level=data -E|--environment=data --version -V \
            -h|--help",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--version", "-V"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-e"]),
                Condition::Value(&["-e"], &["*absent*"]),
            ],
            acts: &[
                Act::Finding("shell.delete", "a manifest that takes something away"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-e"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["*.*"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::File("recipe")),
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["*.*"]),
            ],
            acts: &[
                Act::RunsProject("playbook", ""),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["--check", "--noop", "-W", "--dry"]),
            ],
            acts: &[
                Act::ContactsUnknown("ssh", Direction::Both),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "salt-call",
        "salt-call 3006",
        "\
            -c|--config-dir=config -m|--module-dirs=file --file-root=look --pillar-root=look \
            -l|--log-level=data --log-file=write --out|--output=data --out-file|--output-file=write \
            --local --version",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Path(&["cmd.run", "cmd.shell", "cmd.run_all", "cmd.run_stdout"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::Shell),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["cmd.script"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::File("shell")),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["file.remove"]),
            ],
            acts: &[
                Act::DeletesOperand(1, true, &["always"], &["always"]),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsProject("playbook", ""),
                Act::ContactsUnknown("ssh", Direction::Both),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "pdsh",
        "pdsh(1) 2.34",
        "\
            -A -a -b -d -F=read -f=num -g=data -h -i -j=data -L -l=data -M=data -N -P=data -q -R=data -S \
            -s -t=num -u=num -V -v -w=data -X=data -x=data",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-h", "-L", "-q", "-V"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-R"], &["exec"]),
            ],
            acts: &[
                Act::WrapsShell(0),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsUnknown("ssh", Direction::Both),
                Act::RunsRemote(0, "inventory"),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::RunsStdin("shell"),
            ],
        },
    ])
    ,
    works(
        "clush",
        "clush(1) 1.9.1",
        "\
            -a|--all -B -b|--dshbak -c|--copy=read --color=data --conf=config -d|--debug --dest=data \
            --diff --errdir=write -f|--fanout=num -G|--groupbase -g|--group=data --groupsconf=config \
            -h|--help --hostfile|--machinefile=read -L -l|--user=data -m|--mode=data -N -n|--nostdin \
            -O|--option=data -o|--options=sh --outdir=write -P|--progress -p --pick=num -q|--quiet \
            -R|--worker=data -r|--regroup --rcopy=data --remote=data -S|--maxrc -s|--groupsource=data \
            --sudo -t|--connect_timeout=num --topology=read -u|--command_timeout=num -v|--verbose \
            --version -w=data -X=data -x=data",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-h", "--version"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-O"], &["*path=*", "*options=*", "*sudo*", "*command*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "names a program that {program} runs"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-R"], &["exec"]),
            ],
            acts: &[
                Act::WrapsShell(0),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsUnknown("ssh", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--sudo"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "becomes root on other machines"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-c"]),
            ],
            acts: &[
                Act::Finding("shell.upload", "puts a file on other machines"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--rcopy"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsRemote(0, "inventory"),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::RunsStdin("shell"),
            ],
        },
    ])
    ,
    works(
        "salt salt-ssh pssh dsh mco knife bolt fab",
        "salt 3006, pssh 2.3",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsUnknown("ssh", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--config", "--transport=", "proxycommand", "ProxyCommand"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "`{program}` may run a program of this machine"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsRemote(FROM_COMMAND, "inventory"),
            ],
        },
    ])
    .taken_over()
    ,
];
