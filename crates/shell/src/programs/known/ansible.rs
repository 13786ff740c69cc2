// Generated from knowledge/programs/ansible.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const CONNECTION: &str = "\
    -i|--inventory|--inventory-file=config -l|--limit=data --list-hosts -M|--module-path=file \
    --playbook-dir=look -u|--user=data -c|--connection=data -T|--timeout=num -k|--ask-pass \
    --connection-password-file|--conn-pass-file=read --private-key|--key-file=read --scp-extra-args=data \
    --sftp-extra-args=data --ssh-common-args=sh --ssh-extra-args=sh -b|--become --become-method=data \
    --become-user=data --become-password-file|--become-pass-file=file -K|--ask-become-pass \
    -e|--extra-vars=data --vault-id=data --vault-password-file|--vault-pass-file=file \
    -J|--ask-vault-password|--ask-vault-pass -f|--forks=num -C|--check -D|--diff --syntax-check \
    --list-tags --list-tasks --skip-tags=data --start-at-task=data --step -t|--tags=data --flush-cache \
    --force-handlers -v|--verbose -o|--one-line --version -h|--help";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "ansible",
        "ansible(1) 2.16",
        "\
            -a|--args=data -m|--module-name=data -B|--background=num -P|--poll=num --tree=dir \
            --task-timeout=num",
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
    .taken_over()
    ,
    works(
        "ansible-playbook ansible-pull",
        "ansible-playbook(1) 2.16",
        "\
            -U|--url=url -d|--directory=dir --purge --full --accept-host-key --verify-commit \
            -s|--sleep=num",
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
                Condition::Has(&["-b"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "becomes root on other machines"),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["ansible-pull"]),
            ],
            acts: &[
                Act::Finding("shell.remote_code", "runs what a repository holds"),
            ],
        },
    ])
    .taken_over()
    ,
    reads(
        "ansible-doc ansible-config ansible-inventory",
        "ansible-doc(1) 2.16",
        "\
            -F|--list_files -s|--snippet -j|--json --metadata-dump --list --host=data --graph -y|--yaml \
            --toml --vars --export --output=write --only-changed --format=data --disabled",
        "data*",
    )
    .also(CONNECTION)
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
    ])
    .taken_over()
    ,
    works(
        "ansible-vault",
        "ansible-vault(1) 2.16",
        "\
            --output=write --encrypt-vault-id=data --new-vault-id=data --new-vault-password-file=file \
            -n|--name=data --stdin-name=data -p|--prompt",
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
    .taken_over()
    ,
    works(
        "ansible-galaxy",
        "ansible-galaxy(1) 2.16",
        "\
            -r|--role-file|--requirements-file=read -p|--roles-path|--collections-path=dir \
            -s|--server=choose --token|--api-key=secret -c|--ignore-certs -f|--force -i|--ignore-errors \
            -n|--no-deps --version -v|--verbose -h|--help",
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
    .taken_over()
    ,
    works(
        "ansible-console",
        "ansible-console(1) 2.16",
        "",
        "data*",
    )
    .also(CONNECTION)
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
    .taken_over()
    ,
    works(
        "puppet chef-client chef-solo cf-agent pyinfra capistrano cap",
        "puppet, chef, pyinfra puppet 8, chef 18",
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
        "salt salt-ssh pdsh pssh clush dsh mco knife bolt fab",
        "salt, pdsh(1), clush(1) 3006, 2.35, 1.9",
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
                Act::RunsRemote(FROM_COMMAND, "inventory"),
            ],
        },
    ])
    .taken_over()
    ,
];
