// Generated from knowledge/programs/hg.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const GLOBALS: &str = "\
    -R|--repository=look --cwd=look --config=data -y|--noninteractive -q|--quiet -v|--verbose --color=data \
    --debug --debugger --pager=data --encoding=data --encodingmode=data --traceback --time --profile \
    --hidden -h|--help --version";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "hg",
        "hg(1) 6.3",
        "",
        "",
    )
    .also(GLOBALS)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--version"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--config"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    .throughout(&[
        Rule {
            when: &[
                Condition::Value(&["--config"], &["hooks.*", "alias.*", "ui.ed*", "ui.ss*", "ui.mer*", "pager.p*",
                        "ext*", "merge-tools.*", "*code.*", "def*", "gpg.*"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &["--config"], fits: &["ext*"], except: &[], after: &["="] },
                    Role::File("python")),
                Act::Picked(Pick { at: &["--config"], fits: &["*=*"], except: &["ext*"],
                    after: &["=!", "="] }, Role::Shell),
                Act::Finding("shell.obfuscated", "names a program or extension that hg starts, as a setting"),
            ],
        },
    ])
    .subs(&[
        works(
            "clone",
            "hg(1) 6.3",
            "\
                -U|--noupdate -u|--updaterev=data -r|--rev=data -b|--branch=data --pull --uncompressed \
                --stream -e|--ssh=sh --remotecmd=sh --insecure",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUrls("hg", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::NoOperand(&["*://*"]),
                ],
                acts: &[
                    Act::ContactsRemote("default", "hg", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::Operands(2, usize::MAX),
                ],
                acts: &[
                    Act::Operand(1, false, Role::Dir),
                ],
            },
        ])
        ,
        works(
            "init",
            "hg(1) 6.3",
            "-e|--ssh=sh --remotecmd=sh --insecure",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::Dir),
                ],
            },
            Rule {
                when: &[
                    Condition::Operand(&["*://*"]),
                ],
                acts: &[
                    Act::ContactsUrls("hg", Direction::Both),
                ],
            },
        ])
        ,
        works(
            "incoming in outgoing out",
            "hg(1) 6.3",
            "\
                -f|--force -n|--newest-first --bundle=write -r|--rev=data -B|--bookmarks -b|--branch=data \
                -p|--patch -g|--git -l|--limit=num -M|--no-merges --stat -G|--graph --style=data \
                -T|--template=data -e|--ssh=sh --remotecmd=sh --insecure -S|--subrepos",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUrls("hg", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::NoOperand(&["*://*"]),
                ],
                acts: &[
                    Act::ContactsRemote("default", "hg", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "paths tags root version parents tip manifest branches heads files locate",
            "hg(1) 6.3",
            "\
                -T|--template=data -r|--rev=data --style=data -p|--patch -g|--git --all -a|--active \
                -c|--closed -t|--topo -0|--print0 -I|--include=pat -X|--exclude=pat -S|--subrepos \
                -f|--fullpath",
            "look*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "pull",
            "hg(1) 6.3",
            "\
                -u|--update -f|--force --confirm -r|--rev=data -B|--bookmark=data -b|--branch=data \
                -e|--ssh=sh --remotecmd=sh --insecure",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUrls("hg", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::NoOperand(&["*://*"]),
                ],
                acts: &[
                    Act::ContactsRemote("default", "hg", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "push",
            "hg(1) 6.3",
            "\
                -f|--force -r|--rev=data -B|--bookmark=data --all-bookmarks -b|--branch=data --new-branch \
                --pushvars=data --publish -e|--ssh=sh --remotecmd=sh --insecure",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUrls("hg", Direction::Send),
                ],
            },
            Rule {
                when: &[
                    Condition::NoOperand(&["*://*"]),
                ],
                acts: &[
                    Act::ContactsRemote("default", "hg", Direction::Send),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-f"]),
                ],
                acts: &[
                    Act::Loses("what the remote held", RecoverableBy::Remote),
                ],
            },
        ])
        ,
        works(
            "serve",
            "hg(1) 6.3",
            "\
                -A|--accesslog=append -d|--daemon --daemon-postexec=data -E|--errorlog=append \
                -p|--port=data -a|--address=data --prefix=data -n|--name=data --web-conf=config \
                --webdir-conf=config --pid-file=write --stdio --cmdserver=data -t|--templates=look \
                --style=data -6|--ipv6 --certificate=read --print-url -S|--subrepos",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Listens("*", "http", &["-p"]),
                ],
            },
        ])
        ,
        works(
            "commit ci",
            "hg(1) 6.3",
            "\
                -A|--addremove --close-branch --amend -s|--secret -e|--edit --force-close-branch \
                -i|--interactive -I|--include=pat -X|--exclude=pat -m|--message=data -l|--logfile=read \
                -d|--date=data -u|--user=data -S|--subrepos",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "abort",
            "hg(1) 6.3",
            "-n|--dry-run",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["-n"]),
                ],
                acts: &[
                    Act::Loses("uncommitted changes", RecoverableBy::None),
                ],
            },
        ])
        ,
        works(
            "backout",
            "hg(1) 6.3",
            "\
                --merge --commit --no-commit --parent=data -r|--rev=data -e|--edit -t|--tool=sh \
                -I|--include=pat -X|--exclude=pat -m|--message=data -l|--logfile=read -d|--date=data \
                -u|--user=data",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Loses("changes", RecoverableBy::None),
                ],
            },
        ])
        ,
        works(
            "continue",
            "hg(1) 6.3",
            "-n|--dry-run",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "graft",
            "hg(1) 6.3",
            "\
                -r|--rev=data --base=data -c|--continue --stop --abort -e|--edit --log --no-commit \
                -f|--force -D|--currentdate -U|--currentuser -d|--date=data -u|--user=data -t|--tool=sh \
                -n|--dry-run",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--abort"]),
                ],
                acts: &[
                    Act::Loses("uncommitted changes", RecoverableBy::None),
                ],
            },
        ])
        ,
        works(
            "merge",
            "hg(1) 6.3",
            "-f|--force -r|--rev=data -P|--preview --abort -t|--tool=sh",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--abort"]),
                ],
                acts: &[
                    Act::Loses("uncommitted changes", RecoverableBy::None),
                ],
            },
        ])
        ,
        works(
            "bookmarks bookmark",
            "hg(1) 6.3",
            "\
                -f|--force -r|--rev=data -d|--delete -m|--rename=data -i|--inactive -l|--list \
                -T|--template=data",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-l"]),
                    Condition::Lacks(&["-d", "-m", "-f", "-r", "-i"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "branch",
            "hg(1) 6.3",
            "-f|--force -C|--clean -r|--rev=data",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "phase",
            "hg(1) 6.3",
            "-p|--public -d|--draft -s|--secret -f|--force -r|--rev=data",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "tag",
            "hg(1) 6.3",
            "\
                -f|--force -l|--local -r|--rev=data --remove -e|--edit -m|--message=data -d|--date=data \
                -u|--user=data",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "annotate blame",
            "hg(1) 6.3",
            "\
                -r|--rev=data --follow --no-follow -a|--text -u|--user -f|--file -d|--date -n|--number \
                -c|--changeset -l|--line-number --skip=data -w|--ignore-all-space -b|--ignore-space-change \
                -B|--ignore-blank-lines -Z|--ignore-space-at-eol -I|--include=pat -X|--exclude=pat \
                -T|--template=data",
            "read*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "cat",
            "hg(1) 6.3",
            "\
                -o|--output=write -r|--rev=data --decode -I|--include=pat -X|--exclude=pat \
                -T|--template=data",
            "read*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "copy cp rename move mv",
            "hg(1) 6.3",
            "\
                --forget -A|--after --at-rev=data -f|--force -I|--include=pat -X|--exclude=pat \
                -n|--dry-run",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "diff",
            "hg(1) 6.3",
            "\
                -r|--rev=data --from=data --to=data -c|--change=data -a|--text -g|--git --binary --nodates \
                --noprefix -p|--show-function --reverse -w|--ignore-all-space -b|--ignore-space-change \
                -B|--ignore-blank-lines -Z|--ignore-space-at-eol -U|--unified=num --stat --root=data \
                -I|--include=pat -X|--exclude=pat -S|--subrepos",
            "look*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "grep",
            "hg(1) 6.3",
            "\
                -0|--print0 --all --diff -a|--text -f|--follow -i|--ignore-case -l|--files-with-matches \
                -n|--line-number -r|--rev=data --all-files -u|--user -d|--date -T|--template=data \
                -I|--include=pat -X|--exclude=pat",
            "pat read*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "bisect",
            "hg(1) 6.3",
            "-r|--reset -g|--good -b|--bad -s|--skip -e|--extend -c|--command=sh -U|--noupdate",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "identify id",
            "hg(1) 6.3",
            "\
                -r|--rev=data -n|--num -i|--id -b|--branch -t|--tags -B|--bookmarks -e|--ssh=sh \
                --remotecmd=sh --insecure -T|--template=data",
            "look*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::Operand(&["*://*"]),
                ],
                acts: &[
                    Act::Acts,
                    Act::ContactsUrls("hg", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "log history",
            "hg(1) 6.3",
            "\
                -f|--follow --follow-first -d|--date=data -C|--copies -k|--keyword=data -r|--rev=data \
                -L|--line-range=data --removed -m|--only-merges -u|--user=data --only-branch=data \
                -b|--branch=data -B|--bookmark=data -P|--prune=data -p|--patch -g|--git -l|--limit=num \
                -M|--no-merges --stat -G|--graph --style=data -T|--template=data -I|--include=pat \
                -X|--exclude=pat",
            "look*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "add addremove forget",
            "hg(1) 6.3",
            "\
                -I|--include=pat -X|--exclude=pat -S|--subrepos -n|--dry-run -s|--similarity=num \
                -i|--interactive",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "purge clean",
            "hg(1) 6.3",
            "\
                -a|--abort-on-err --all -i|--ignored --dirs --files -p|--print -0|--print0 --confirm \
                -I|--include=pat -X|--exclude=pat",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-p", "-0"]),
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
                    Act::Loses("changes", RecoverableBy::None),
                ],
            },
        ])
        ,
        works(
            "remove rm",
            "hg(1) 6.3",
            "-A|--after -f|--force -S|--subrepos -I|--include=pat -X|--exclude=pat -n|--dry-run",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                    Act::DeletesOperand(0, true, &[], &[]),
                ],
            },
        ])
        ,
        works(
            "resolve",
            "hg(1) 6.3",
            "\
                -a|--all -l|--list -m|--mark -u|--unmark -n|--no-status --re-merge -t|--tool=sh \
                -I|--include=pat -X|--exclude=pat -T|--template=data",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "revert",
            "hg(1) 6.3",
            "\
                -a|--all -d|--date=data -r|--rev=data -C|--no-backup -i|--interactive -I|--include=pat \
                -X|--exclude=pat -n|--dry-run",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-n"]),
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
                    Act::Loses("changes", RecoverableBy::None),
                ],
            },
        ])
        ,
        works(
            "shelve",
            "hg(1) 6.3",
            "\
                -A|--addremove -u|--unknown --cleanup --date=data -d|--delete -e|--edit -k|--keep \
                -l|--list -m|--message=data -n|--name=data -p|--patch -i|--interactive --stat \
                -I|--include=pat -X|--exclude=pat",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-l", "-p", "--stat"]),
                    Condition::Lacks(&["-d", "--cleanup"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-d", "--cleanup"]),
                ],
                acts: &[
                    Act::Loses("shelved changes", RecoverableBy::None),
                ],
            },
        ])
        ,
        works(
            "status st",
            "hg(1) 6.3",
            "\
                -A|--all -m|--modified -a|--added -r|--removed -d|--deleted -c|--clean -u|--unknown \
                -i|--ignored -n|--no-status -t|--terse=data -C|--copies -0|--print0 --rev=data \
                --change=data -I|--include=pat -X|--exclude=pat -S|--subrepos -T|--template=data",
            "look*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "summary sum",
            "hg(1) 6.3",
            "--remote",
            "look*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--remote"]),
                ],
                acts: &[
                    Act::Acts,
                    Act::ContactsRemote("default", "hg", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "unshelve",
            "hg(1) 6.3",
            "\
                -a|--abort -c|--continue -i|--interactive -k|--keep -n|--name=data -t|--tool=sh \
                --date=data",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "update up checkout co goto",
            "hg(1) 6.3",
            "-C|--clean -c|--check -m|--merge -d|--date=data -r|--rev=data -t|--tool=sh",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-C"]),
                ],
                acts: &[
                    Act::Loses("uncommitted changes", RecoverableBy::None),
                ],
            },
        ])
        ,
        works(
            "archive",
            "hg(1) 6.3",
            "\
                --no-decode -p|--prefix=data -r|--rev=data -t|--type=data -S|--subrepos -I|--include=pat \
                -X|--exclude=pat",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::Write),
                ],
            },
        ])
        ,
        works(
            "bundle",
            "hg(1) 6.3",
            "\
                --exact -f|--force -r|--rev=data -b|--branch=data --base=data -a|--all -t|--type=data \
                -e|--ssh=sh --remotecmd=sh --insecure",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::Write),
                    Act::ContactsUrls("hg", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::Lacks(&["-a", "--base"]),
                    Condition::NoOperand(&["*://*"]),
                ],
                acts: &[
                    Act::ContactsRemote("default", "hg", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "export",
            "hg(1) 6.3",
            "\
                -B|--bookmark=data -o|--output=write --switch-parent -r|--rev=data -a|--text -g|--git \
                --binary --nodates -T|--template=data",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "import patch",
            "hg(1) 6.3",
            "\
                -p|--strip=num -b|--base=look --secret -e|--edit -f|--force --no-commit --bypass --partial \
                --exact --prefix=data --import-branch -m|--message=data -l|--logfile=read -d|--date=data \
                -u|--user=data -s|--similarity=num",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operand(&["*://*"]),
                ],
                acts: &[
                    Act::ContactsUrls("hg", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, true, Role::Read),
                ],
            },
        ])
        ,
        works(
            "unbundle",
            "hg(1) 6.3",
            "-u|--update",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operand(&["*://*"]),
                ],
                acts: &[
                    Act::ContactsUrls("hg", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, true, Role::Read),
                ],
            },
        ])
        ,
        works(
            "recover verify",
            "hg(1) 6.3",
            "--verify --full",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "rollback",
            "hg(1) 6.3",
            "-n|--dry-run -f|--force",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-n"]),
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
                    Act::Loses("changes", RecoverableBy::None),
                ],
            },
        ])
        ,
        works(
            "config showconfig debugconfig",
            "hg(1) 6.3",
            "\
                --non-shared -u|--untrusted --exp-all-known -e|--edit -l|--local --source --shared \
                -g|--global -T|--template=data",
            "look*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-e", "-l", "-g", "--shared", "--non-shared"]),
                ],
                acts: &[
                    Act::Acts,
                    Act::WritesFile("~/.hgrc"),
                ],
            },
        ])
        ,
        works(
            "help",
            "hg(1) 6.3",
            "-e|--extension -c|--command -k|--keyword -s|--system=data",
            "look*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "strip histedit shelve-delete uncommit unamend amend rebase evolve prune",
            "hg(1) 6.3",
            "",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Loses("changes", RecoverableBy::None),
                ],
            },
        ])
        ,
        works(
            "extdiff",
            "hg(1) 6.3",
            "\
                -p|--program=prog -o|--option=data -r|--rev=data --from=data --to=data -c|--change=data \
                --per-file --confirm --patch -I|--include=pat -X|--exclude=pat -S|--subrepos",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "fetch",
            "hg(1) 6.3",
            "",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUrls("hg", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::NoOperand(&["*://*"]),
                ],
                acts: &[
                    Act::ContactsRemote("default", "hg", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "debuginstall",
            "hg(1) 6.3",
            "",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "phabsend debugcommands",
            "hg(1) 6.3",
            "",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
        ])
        ,
    ])
    ,
];
