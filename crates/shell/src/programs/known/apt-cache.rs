// Generated from knowledge/programs/apt-cache.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const APT_SETTINGS: &str = "-c|--config-file=config -o|--option=data -h|--help -v|--version";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "apt-cache",
        "apt-cache(8) 2.6",
        "\
            --all-names -a|--all-versions -f|--full -g|--generate --implicit -i|--important --installed \
            -n|--names-only --no-all-versions --no-breaks --no-conflicts --no-depends --no-enhances \
            --no-generate --no-pre-depends --no-recommends --no-replaces --no-suggests \
            -p|--pkg-cache=write -q|--quiet?=num --recurse -s|--src-cache=write --with-source=read",
        "data*",
    )
    .also(APT_SETTINGS)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-o"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-o"], &["*dir*::*", "*Dir*::*", "*DIR*::*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "`-o` names programs and folders that `{program}` uses"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["gencaches"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    ,
    reads(
        "apt-file",
        "apt-file(1) 3.3",
        "\
            -a|--architecture=data -c|--config-file=config -D|--from-deb -F|--fixed-string -f|--from-file \
            --filter-origins=data --filter-suites=data -h|--help -I|--index-names=data -i|--ignore-case \
            -l|--package-only -o|--option=data --stream-results --substring-match -v|--verbose -x|--regexp",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["update"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
                Act::ContactsUnknown("https", Direction::Fetch),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-D", "-f"]),
            ],
            acts: &[
                Act::Operand(1, true, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-o"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-o"], &["*dir*::*", "*Dir*::*", "*DIR*::*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "`-o` names programs and folders that `{program}` uses"),
            ],
        },
    ])
    ,
    reads(
        "apt-config",
        "apt-config(8) 2.6",
        "--empty --no-empty --format=data",
        "data*",
    )
    .also(APT_SETTINGS)
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
    ,
    reads(
        "dpkg-query",
        "dpkg-query(1) 1.21",
        "\
            --admindir=look -c|--control-path --control-list --control-show -f|--showformat=data -?|--help \
            -L|--listfiles -l|--list --load-avail --no-pager -p|--print-avail --root=look -S|--search \
            -s|--status -W|--show --version",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--admindir", "--root"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    ,
    reads(
        "debsums",
        "debsums(1) 3.0",
        "\
            -a|--all -c|--changed -d|--admindir=look -e|--config -g|--generate?=data --ignore-obsolete \
            --ignore-permissions --help -l|--list-missing -m|--md5sums=read --no-locale-purge --no-prelink \
            -p|--deb-path=look -r|--root=look -s|--silent --version",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-g"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
                Act::Finding("shell.tamper", "writes the sums that the files of packages are checked with"),
            ],
        },
    ])
    ,
    reads(
        "deborphan",
        "deborphan(1) 1.7",
        "\
            -A|--add-keep -a|--all-packages -d|--show-deps -e|--exclude=data -f|--status-file=read \
            --find-config -H|--force-hold -h|--help --ignore-recommends --ignore-suggests \
            -k|--keep-file=read -L|--list-keep --libdevel -n|--nice-mode --no-show-section \
            -P|--show-priority -p|--priority=data -R|--del-keep -s|--show-section -v|--version \
            -Z|--zero-keep -z|--show-size",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-A", "-R", "-Z"]),
            ],
            acts: &[
                Act::Acts,
                Act::Value("-k", Role::Write),
            ],
        },
    ])
    ,
    reads(
        "apt-listchanges",
        "apt-listchanges(1) 3.24",
        "\
            --apt -a|--show-all -c|--confirm --debug --dump-seen --email-address=data --email-format=data \
            --filter=prog -f|--frontend=data -h|--headers --help --ignore-apt-assume \
            --ignore-debian-frontend --latest=num --log=append -n|--no-network --profile=data --reverse \
            --save-seen=write --select-frontend --since=data --titled --untitled -v|--verbose --which=data",
        "read*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-n", "--dump-seen"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Fetch),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--email-address", "--select-frontend"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-f"], &["mail", "log"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    ,
    reads(
        "rpmquery",
        "rpm(8) 4.18",
        "\
            -A|--artifactfiles -a|--all -c|--configfiles --changelog --changes --conflicts -D|--define=sh \
            -d|--docfiles --dbpath=look --dump --dupes -E|--eval=sh --enhances -f|--file --filecaps \
            --fileclass --filecolor --fileprovide --filerequire --filesbypkg --filetriggers -g|--group \
            --hdrid=data --httpport=num --httpproxy=choose -i|--info -?|--help -L|--licensefiles -l|--list \
            --last --load=config --macros=config --noartifact --noconfig --nodigest --noghost \
            --nosignature --obsoletes -p|--package --path --pipe=sh --pkgid=data --provides -q|--query \
            --qf|--queryformat=data --querybynumber=num --quiet -R|--requires --rcfile=config --recommends \
            --root=look -s|--state --scripts --specfile=file --suggests --supplements --tid=num \
            --triggeredby --triggers|--triggerscripts --undefine=data -v|--verbose --version \
            --whatconflicts --whatenhances --whatobsoletes --whatprovides --whatrecommends --whatrequires \
            --whatsuggests --whatsupplements",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-p"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
                Act::ContactsUrls("https", Direction::Fetch),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-f", "--path"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::Look),
            ],
        },
    ])
    ,
    reads(
        "repoquery",
        "dnf(8) 4.14",
        "\
            -a|--all --alldeps --arch|--archlist=data --available -C|--cacheonly -c|--config=config \
            --changelogs --conflicts --depends --deplist --disable-modular-filtering --disablerepo=data \
            --duplicates --enablerepo=data --enhances --exactdeps --extras -f|--file=data -i|--info \
            --installed --installonly --installroot=choose -l|--list --latest-limit=num --location --nevra \
            --nvr --envra --obsoletes --provides --qf|--queryformat=data -q|--quiet --recent --recommends \
            --recursive --repo|--repoid=data --requires --requires-pre --resolve -s|--source --srpm \
            --suggests --supplements --tree --unneeded --unsatisfied --upgrades --userinstalled \
            --whatconflicts=data --whatdepends=data --whatenhances=data --whatobsoletes=data \
            --whatprovides=data --whatrecommends=data --whatrequires=data --whatsuggests=data \
            --whatsupplements=data",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-C", "--installed"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Fetch),
            ],
        },
    ])
    ,
    reads(
        "pkg-config pkgconf",
        "pkgconf(1) 1.8",
        "\
            --atleast-pkgconfig-version=data --atleast-version=data --cflags --cflags-only-I \
            --cflags-only-other --define-prefix --define-variable=data --digraph --dont-define-prefix \
            --dont-relocate-paths --env=data --env-only --errors-to-stdout --exact-version=data --exists \
            --fragment-filter=data --help --ignore-conflicts --keep-system-cflags --keep-system-libs \
            --libs --libs-only-L --libs-only-l --libs-only-other --list-all --max-version=data \
            --maximum-traverse-depth=num --modversion --no-cache --no-provides --no-uninstalled --path \
            --prefix-variable=data --print-errors --print-provides --print-requires \
            --print-requires-private --print-variables --pure --relocate=data --shared --short-errors \
            --silence-errors --simulate --static --uninstalled --validate --variable=data --version \
            --with-path=look",
        "data*",
    )
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--with-path"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    ,
    reads(
        "equery",
        "equery(1) gentoolkit 0.6",
        "",
        "data*",
    )
    .style(Style::Raw)
    .taken_over()
    ,
];
