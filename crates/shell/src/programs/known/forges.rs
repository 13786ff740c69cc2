// Generated from knowledge/programs/forges.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "glab tea hub-cli bb-cli jira linear circleci travis buildkite-agent act-cli",
        "their manuals glab 1.36, tea 0.9",
        "\
            -R|--repo=data -X|--method=data -f|--raw-field=data -F|--field|--body-file|--notes-file=data \
            --input|--description-file|--env-file=read -H|--header=data -m|--message=data \
            -t|--show-token|--title=data -d|--description=data -b|--body=data -g|--group=data \
            --hostname=choose --path=write --shell|-s --url=choose --kubeconfig=inplace -h|--help \
            --version",
        "data*",
    )
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
                Condition::Lacks(&["-t"]),
                Condition::Path(&["version", "help", "completion", "auth/status", "config/get",
                        "config/list", "alias/list", "extension/list"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-t"]),
                Condition::Path(&["auth/status"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "prints the forge's token"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["auth/token", "config/get-token", "token/*", "*/token"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "prints the forge's token"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["auth"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--shell"]),
                Condition::Path(&["alias/set"]),
            ],
            acts: &[
                Act::Operand(3, false, Role::Shell),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["alias/set"]),
            ],
            acts: &[
                Act::RunsAfter("!"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["editor", "visual", "browser", "glab_pager"]),
                Condition::Path(&["config/set"]),
                Condition::Program(&["glab"]),
            ],
            acts: &[
                Act::Operand(3, false, Role::Shell),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["dependency-firewall"]),
                Condition::Program(&["glab"]),
            ],
            acts: &[
                Act::Contacts("gitlab.com", "https", Direction::Both),
                Act::Runs(1),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["duo/cli"]),
                Condition::Program(&["glab"]),
            ],
            acts: &[
                Act::Finding("shell.remote_code", "installs or runs an agent that acts by itself"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["cluster/agent/get-token", "variable/get", "variable/export",
                        "securefile/download"]),
                Condition::Program(&["glab"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "hands out what the project keeps secret"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["extension/install", "extension/upgrade", "extension/exec",
                        "plugin/install", "update"]),
            ],
            acts: &[
                Act::Finding("shell.remote_code", "installs or runs an extension"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["glab"]),
            ],
            acts: &[
                Act::Contacts("gitlab.com", "https", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["tea", "hub-cli", "bb-cli", "jira", "linear", "circleci", "travis",
                        "buildkite-agent", "act-cli"]),
            ],
            acts: &[
                Act::Contacts("{program}", "https", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-F"]),
                Condition::Value(&["-F"], &["*=@*"]),
            ],
            acts: &[
                Act::ReadsAfter(&["=@"]),
            ],
        },
        Rule {
            when: &[
                Condition::FirstNot(&["api"]),
                Condition::Has(&["-F"]),
            ],
            acts: &[
                Act::SendsValue("-F"),
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["delete", "remove", "archive", "rename", "transfer", "disable",
                        "unlink", "purge"]),
            ],
            acts: &[
                Act::Finding("shell.history_loss", "`{program} {first}` takes away what others use"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-X"], &["DELETE", "delete"]),
            ],
            acts: &[
                Act::Finding("shell.history_loss", "`{program} {first}` takes away what others use"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["repo/edit", "secret/set", "secret/add", "variable/set", "ssh-key/add",
                        "gpg-key/add", "deploy-key/add"]),
            ],
            acts: &[
                Act::Finding("shell.privilege", "changes who may do what on the forge"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/protect", "*/members", "members/*", "token/create"]),
            ],
            acts: &[
                Act::Finding("shell.privilege", "changes who may do what on the forge"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["snippet/create", "gist/create", "release/create", "release/upload",
                        "sourcemaps/upload", "files/upload", "*/upload"]),
            ],
            acts: &[
                Act::Sends(2, true),
                Act::Finding("shell.upload", "publishes files"),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "sentry-cli",
        "sentry-cli help, and help of each command 3.8",
        "\
            --all-image-file-names=data --all-image-file-names-file=read \
            --allow-xcode-infoplist-preprocessing --app-id=data --auth-token=secret --auto --base-ref=data \
            --base-repo-name=data --base-sha=data --branch=data -b|--build-id=data \
            --build-configuration=data --bundle=read --bundle-sourcemap=read -C|--show-commits \
            -c|--commit|--column=data --check-in-margin=num --clear --config-status-json --confirm \
            -D|--delimiter=data -d|--dist=data --debug-id-reference --decompress --default-branch=data \
            --derived-data --diff-threshold=num --dry-run -E=data -e|--env|--environment|--extra=data \
            --fail-on-diff --failure-issue-threshold=num --finalize --finished=data -f|--fingerprint=data \
            --force-git-metadata -g|--global --head-ref=data --head-repo-name=data --head-sha=data \
            --header=data -h|--help -I|--ignore-file=read -i|--id|--ignore=data --ignore-missing \
            --il2cpp-mapping --include-sources --initial-depth=num --install-group=data --json \
            -l|--level|--line=data --live --local --log-level=data --logfile=read -m|--message=data \
            --max-rows=num --max-runtime=num -n|--name=data --next-release --no-antialiasing --no-cwd \
            --no-debug --no-defaults --no-environ --no-git-metadata --no-rewrite --no-sourcemap-reference \
            --no-sources --no-unwind --no-upload --no-well-known --no-zips --note=data -o|--org=data \
            --output=write -P|--show-projects -p|--project|--path|--platform=data --pages=num \
            --poll-interval=num --pr-number=num --query=data --quiet|--silent -R|--raw -r|--release=data \
            --recovery-threshold=num --release-notes=data --released=data --repo=data --require-all \
            --require-one -s|--schedule|--status=data --selective --snapshot-id=data --sourcemap=read \
            --started=data --strict --strip-common-prefix --strip-prefix=data --symbol-maps=read \
            -T|--show-tags -t|--type|--tag|--time=data --threshold=num --timestamp=data --timezone=data \
            -U|--show-user -u|--url-prefix|--user=data --url=choose -V|--version --validate \
            --vcs-provider=data --wait --wait-for=num --with-categories --write-properties=write \
            -x|--ext=data",
        "data*",
    )
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
                Condition::First(&["help", "completions"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["debug-files/check", "debug-files/print-sources", "proguard/uuid"]),
            ],
            acts: &[
                Act::Operand(2, false, Role::Read),
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["debug-files/find", "releases/propose-version"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["debug-files/bundle-sources", "snapshots/diff"]),
            ],
            acts: &[
                Act::Operand(2, true, Role::Read),
                Act::Value("-o", Role::Write),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["--dry-run"]),
                Condition::Path(&["sourcemaps/inject"]),
            ],
            acts: &[
                Act::Operand(2, true, Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["uninstall"]),
            ],
            acts: &[
                Act::Finding("shell.delete", "deletes sentry-cli itself"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Contacts("sentry.io", "https", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["monitors/run"]),
            ],
            acts: &[
                Act::Runs(AFTER_DASHES),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["delete", "archive", "mute"]),
            ],
            acts: &[
                Act::Finding("shell.history_loss", "`{program} {first}` takes away what others use"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["--no-upload"]),
                Condition::Path(&["*/upload"]),
            ],
            acts: &[
                Act::Sends(2, true),
                Act::Finding("shell.upload", "publishes files"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["upload-proguard", "send-event", "send-envelope", "react-native"]),
                Condition::Lacks(&["--no-upload"]),
            ],
            acts: &[
                Act::Sends(1, true),
                Act::Finding("shell.upload", "publishes files, or an event with what is in the environment"),
            ],
        },
    ])
    ,
];
