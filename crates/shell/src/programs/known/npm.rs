// Generated from knowledge/programs/npm.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const COMMON: &str = "\
    --_auth=secret --access=data --allow-directory=data --allow-file=data --allow-git=data \
    --allow-remote=data --allow-scripts=data --also=data --audit-level=data --auth-type=data \
    --before|--enjoy-by=data --browser=prog --ca=data --cache=dir --cafile=read --cert=data --cidr=data \
    --cpu=data --depth=data --diff=data --diff-dst-prefix=data --diff-src-prefix=data --diff-unified=num \
    --editor=prog --expect-result-count=num --expires=num --fetch-retries=num --fetch-retry-factor=num \
    --fetch-retry-maxtimeout=num --fetch-retry-mintimeout=num --fetch-timeout=num --git=prog \
    --global-pnpmfile|--pnpmfile=file --globalconfig=config --heading=data --https-proxy|--proxy=choose \
    --include=data --init-author-email=data --init-author-name=data --init-author-url=data \
    --init-license=data --init-module=file --init-type=data --init-version=data --install-strategy=data \
    --key=secret --level=data --libc=data --local-address=data --location=data --lockfile-version=data \
    --logs-dir=dir --logs-max=num --maxsockets=num --message=data --min-release-age=num \
    --min-release-age-exclude=data --node-gyp=file --node-options=data --noproxy=data --omit=data \
    --only=data --onload-script=file --orgs=data --orgs-permission=data --os=data --otp=data \
    --pack-destination=dir --packages=data --packages-and-scopes-permission=data --password=secret \
    --pattern=pat --preid=data --provenance-file=read --replace-registry-host=data --save-prefix=data \
    --sbom-format=data --sbom-type=data --scope=data --scopes=data --searchexclude=data --searchlimit=num \
    --searchopts=data --searchstaleness=num --shell=prog --tag-version-prefix=data \
    --token-description=data --umask=data --user-agent=data --userconfig=config --viewer=prog --which=num \
    -C|--dir=data --cwd=data -F|--filter=data -g|--global --ignore-scripts --loglevel=data --prefix=data \
    --registry|--reg=data --script-shell=prog --tag=data -w|--workspace=data \
    --cache-folder|--preferred-cache-folder=dir --changed-files-ignore-pattern=pat \
    --child-concurrency|--network-concurrency|--workspace-concurrency=num --edit-dir=dir \
    --filter-prod=data --format=data --global-bin-dir|--global-dir|--global-folder=dir \
    --hoist-pattern|--public-hoist-pattern=pat --link-folder=dir --lockfile-dir=dir \
    --modules-dir|--modules-folder=dir --mutex=data --network-timeout=num \
    --node-version|--use-node-version=data --package-import-method=data --port=num --protocol=data \
    --publish-branch=data --reporter=data --resume-from=data --sort-by=data \
    --store-dir|--virtual-store-dir=dir --test-pattern=pat --use-yarnrc=config --workspace-dir=look";

const READING: &str = "\
    -a --all --description --dev --diff-ignore-all-space --diff-name-only --diff-no-prefix --diff-text \
    --dry-run --expect-results --if-present --include-staged --include-workspace-root|--iwr --json --link \
    --lockfile-only -l|--long --no-audit --no-progress --no-unicode --offline --package-lock-only \
    -p|--parseable|--porcelain --prefer-offline --prefer-online --prod|--production -q|--quiet \
    -r|--recursive -s|--silent --timing --unicode --verbose --versions -ws|--workspaces|--ws";

static VERBS_COMMANDS: &[ProgramRow] = &[
    works(
        "install i add in ins isntall install-test it",
        "npm(1), npm-config(7) 11.19",
        "",
        "data*",
    )
    .also(COMMON)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                    "registry.npmjs.org", &["--ignore-scripts"], &["-g"], false),
            ],
        },
    ])
    ,
    works(
        "global",
        "npm(1), npm-config(7) 11.19",
        "",
        "data*",
    )
    .also(COMMON)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Program(&["yarn"]),
            ],
            acts: &[
                Act::Installs(Pick { at: &["0.."], fits: &[], except: &["add", "install"],
                    after: &[] }, "registry.npmjs.org", &["--ignore-scripts"], &["always"], false),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Installs(Pick { at: &["0.."], fits: &[], except: &["add", "install"],
                    after: &[] }, "registry.npmjs.org", &["--ignore-scripts"], &["-g"], false),
            ],
        },
    ])
    ,
    works(
        "ci clean-install rebuild rb dedupe import",
        "npm(1), npm-config(7) 11.19",
        "",
        "data*",
    )
    .also(COMMON)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Installs(Pick { at: &["lock"], fits: &[], except: &[], after: &[] },
                    "registry.npmjs.org", &["--ignore-scripts"], &[], false),
            ],
        },
    ])
    ,
    works(
        "update up upgrade outdated-fix upgrade-interactive",
        "npm(1), npm-config(7) 11.19",
        "",
        "data*",
    )
    .also(COMMON)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                    "registry.npmjs.org", &["--ignore-scripts"], &["-g"], true),
            ],
        },
    ])
    ,
    works(
        "set-script",
        "npm(1), npm-config(7) 11.19",
        "",
        "data*",
    )
    .also(COMMON)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(1, false, Role::Shell),
            ],
        },
    ])
    ,
    works(
        "uninstall remove rm r un unlink prune link ln pack shrinkwrap fund patch store",
        "npm(1), npm-config(7) 11.19",
        "",
        "data*",
    )
    .also(COMMON)
    .style(Style::Lenient)
    ,
    works(
        "version",
        "npm(1), npm-config(7) 11.19",
        "",
        "data*",
    )
    .also(COMMON)
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
    ])
    ,
    works(
        "init create",
        "npm(1), npm-config(7) 11.19",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::packages::remote_tool),
            ],
        },
    ])
    ,
    works(
        "exec x dlx",
        "npm(1), npm-config(7) 11.19",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::packages::remote_tool),
            ],
        },
    ])
    ,
    works(
        "run run-script",
        "npm(1), npm-config(7) 11.19",
        "",
        "data*",
    )
    .also(COMMON)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["env"]),
                Condition::Word(&["--"]),
            ],
            acts: &[
                Act::Runs(AFTER_DASHES),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["rm", "rimraf", "node", "sh", "bash"]),
                Condition::Program(&["yarn", "pnpm"]),
            ],
            acts: &[
                Act::Runs(0),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsProject("package.json", ""),
            ],
        },
    ])
    ,
    works(
        "\
            test t tst start stop restart build lint format dev typecheck check watch serve compile e2e \
            coverage",
        "npm(1), npm-config(7) 11.19",
        "",
        "data*",
    )
    .also(COMMON)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsProject("package.json", ""),
            ],
        },
    ])
    ,
    works(
        "clean prepare generate workspaces recursive workspace",
        "npm(1), npm-config(7) 11.19",
        "",
        "data*",
    )
    .also(COMMON)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsProject("package.json", ""),
            ],
        },
    ])
    ,
    works(
        "\
            publish unpublish deprecate dist-tag owner access team hook token login logout adduser profile \
            org",
        "npm(1), npm-config(7) 11.19",
        "",
        "data*",
    )
    .also(COMMON)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Word(&["--dry-run", "-n", "--help", "-h"]),
            ],
            acts: &[
                Act::Contacts("registry.npmjs.org", "https", Direction::Fetch),
            ],
        },
        Rule {
            when: &[
                Condition::Called(&["unpublish", "deprecate", "dist-tag", "owner", "access", "team",
                        "hook", "token", "login", "logout", "adduser", "profile", "org"]),
                Condition::Word(&["--list", "-l"]),
            ],
            acts: &[
                Act::Contacts("registry.npmjs.org", "https", Direction::Fetch),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Called(&["unpublish", "deprecate", "dist-tag", "owner", "access", "team",
                        "hook", "token", "login", "logout", "adduser", "profile", "org"]),
                Condition::Operand(&["ls", "list", "get", "ls-packages", "ls-collaborators", "info",
                        "status"]),
            ],
            acts: &[
                Act::Contacts("registry.npmjs.org", "https", Direction::Fetch),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Called(&["publish"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &[".", "./", "-*"], after: &[] }, Role::Choose),
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &[".", "./", "-*"], after: &[] }, Role::Source),
            ],
        },
        Rule {
            when: &[
                Condition::Word(&["--dry-run", "-n", "--help", "-h"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Contacts("registry.npmjs.org", "https", Direction::Send),
                Act::Finding("shell.upload", "`{program} {command}` changes what others get from the registry"),
            ],
        },
    ])
    ,
    works(
        "plugin policies",
        "npm(1), npm-config(7) 11.19",
        "",
        "data*",
    )
    .also(COMMON)
    .and(READING)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["import", "set-version"]),
            ],
            acts: &[
                Act::Finding("shell.persistence", "loads this file in later runs"),
                Act::Operand(1, true, Role::File("")),
            ],
        },
    ])
    ,
    works(
        "config c set get pkg",
        "npm(1), npm-config(7) 11.19",
        "",
        "data*",
    )
    .also(COMMON)
    .and(READING)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Called(&["set"]),
                Condition::First(&["version"]),
            ],
            acts: &[
                Act::Operand(1, true, Role::File("")),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Called(&["config", "c", "get", "pkg"]),
                Condition::FirstNot(&["set", "delete", "edit", "rm", "fix"]),
                Condition::Operand(&["~*_auth*", "~*_password*", "~*token*"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "prints a stored login"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Called(&["config", "c", "get", "pkg"]),
                Condition::FirstNot(&["set", "delete", "edit", "rm", "fix"]),
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
                Act::Picked(Pick { at: &["0.."], fits: &["scripts.*=*"], except: &[], after: &["="] }, Role::Shell),
                Act::Picked(Pick { at: &["0.."], fits: &["script-shell=*", "git=*", "editor=*",
                    "shell=*"], except: &[], after: &["="] }, Role::File("")),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["strict-ssl=false"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "switches certificate checks off"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/strict-ssl/false", "strict-ssl/false"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "switches certificate checks off"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &[">node-options"], fits: &[], except: &[],
                    after: &["--require=", "--require␣", "-r␣", "--import=", "--import␣",
                    "--loader=", "--loader␣"] }, Role::File("javascript")),
                Act::Picked(Pick { at: &[">script-shell", ">git", ">editor", ">shell",
                    ">init-module", ">viewer", ">browser", ">onload-script"], fits: &[],
                    except: &["true", "false"], after: &[] }, Role::Program),
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["true", "false"]),
                Condition::Operand(&["script-shell", "git", "editor", "shell", "init-module", "viewer",
                        "browser", "onload-script"]),
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::Finding("shell.persistence", "`{program}` runs what this setting names from now on"),
            ],
        },
    ])
    ,
    works(
        "cache",
        "npm(1), npm-config(7) 11.19",
        "",
        "data*",
    )
    .also(COMMON)
    .and(READING)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["ls", "list", "dir"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["npx/ls", "npx/info"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["add"]),
            ],
            acts: &[
                Act::Contacts("registry.npmjs.org", "https", Direction::Fetch),
                Act::ContactsUrls("https", Direction::Fetch),
            ],
        },
    ])
    ,
    works(
        "audit",
        "npm(1), npm-config(7) 11.19",
        "",
        "data*",
    )
    .also(COMMON)
    .and(READING)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Word(&["fix", "--fix"]),
            ],
            acts: &[
                Act::Installs(Pick { at: &["lock"], fits: &[], except: &[], after: &[] },
                    "registry.npmjs.org", &["--ignore-scripts"], &[], false),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Contacts("registry.npmjs.org", "https", Direction::Fetch),
            ],
        },
    ])
    ,
    works(
        "outdated view v info show search s ping whoami doctor docs repo bugs home",
        "npm(1), npm-config(7) 11.19",
        "",
        "data*",
    )
    .also(COMMON)
    .and(READING)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Contacts("registry.npmjs.org", "https", Direction::Fetch),
            ],
        },
    ])
    ,
    reads(
        "ls list la ll why explain root prefix bin help query licenses completion",
        "npm(1), npm-config(7) 11.19",
        "",
        "data*",
    )
    .also(COMMON)
    .and(READING)
    .style(Style::Lenient)
    ,
    works(
        "edit",
        "npm(1), npm-config(7) 11.19",
        "",
        "data*",
    )
    .also(COMMON)
    .style(Style::Lenient)
    ,
    works(
        "env explore",
        "npm(1), npm-config(7) 11.19",
        "",
        "data*",
    )
    .also(COMMON)
    .and(READING)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Called(&["env"]),
                Condition::First(&["use", "add", "remove", "rm"]),
            ],
            acts: &[
                Act::Contacts("nodejs.org", "https", Direction::Fetch),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Word(&["--"]),
            ],
            acts: &[
                Act::Runs(AFTER_DASHES),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Called(&["explore"]),
            ],
            acts: &[
                Act::RunsProject("package.json", ""),
            ],
        },
        Rule {
            when: &[
                Condition::Called(&["env"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    ,
    works(
        "node",
        "npm(1), npm-config(7) 11.19",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsAs("node", 0),
            ],
        },
    ])
    ,
];

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "npm cnpm",
        "npm(1), npm-config(7) 11.19",
        "",
        "",
    )
    .also(COMMON)
    .and(READING)
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
    ])
    .throughout(&[
        Rule {
            when: &[
                Condition::Has(&["--node-options"]),
            ],
            acts: &[
                Act::Part("--node-options", &["-r", "--require", "--import", "--loader"],
                    Role::File("javascript"), false),
            ],
        },
    ])
    .subs(&[
        works(
            "inst insta instal isnt isnta isntal",
            "npm(1), npm-config(7) 11.19",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                        "registry.npmjs.org", &["--ignore-scripts"], &["-g"], false),
                ],
            },
        ])
        ,
        works(
            "ic install-clean isntall-clean ddp",
            "npm(1), npm-config(7) 11.19",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Installs(Pick { at: &["lock"], fits: &[], except: &[], after: &[] },
                        "registry.npmjs.org", &["--ignore-scripts"], &[], false),
                ],
            },
        ])
        ,
        works(
            "install-ci-test cit clean-install-test sit",
            "npm(1), npm-config(7) 11.19",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Installs(Pick { at: &["lock"], fits: &[], except: &[], after: &[] },
                        "registry.npmjs.org", &["--ignore-scripts"], &[], false),
                    Act::RunsProject("package.json", ""),
                ],
            },
        ])
        ,
        works(
            "u udpate",
            "npm(1), npm-config(7) 11.19",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                        "registry.npmjs.org", &["--ignore-scripts"], &["-g"], true),
                ],
            },
        ])
        ,
        works(
            "rum urn",
            "npm(1), npm-config(7) 11.19",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::OnlyReads,
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["env"]),
                    Condition::Word(&["--"]),
                ],
                acts: &[
                    Act::Runs(AFTER_DASHES),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("package.json", ""),
                ],
            },
        ])
        ,
        works(
            "innit",
            "npm(1), npm-config(7) 11.19",
            "",
            "",
        )
        .style(Style::Raw)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::remote_tool),
                ],
            },
        ])
        ,
        works(
            "verison",
            "npm(1), npm-config(7) 11.19",
            "",
            "data*",
        )
        .also(COMMON)
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
        ])
        ,
        works(
            "undeprecate star unstar add-user dist-tags ogr author",
            "npm(1), npm-config(7) 11.19",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("registry.npmjs.org", "https", Direction::Both),
                ],
            },
        ])
        ,
        works(
            "stage",
            "npm(1), npm-config(7) 11.19",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("registry.npmjs.org", "https", Direction::Both),
                ],
            },
            Rule {
                when: &[
                    Condition::FirstNot(&["list", "view"]),
                ],
                acts: &[
                    Act::Finding("shell.upload", "publishes a package, or prepares that"),
                ],
            },
        ])
        ,
        works(
            "trust",
            "npm(1), npm-config(7) 11.19",
            "",
            "data*",
        )
        .also(COMMON)
        .and(READING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("registry.npmjs.org", "https", Direction::Both),
                ],
            },
            Rule {
                when: &[
                    Condition::FirstNot(&["list"]),
                ],
                acts: &[
                    Act::Finding("shell.persistence", "changes which machines may publish the package"),
                ],
            },
        ])
        ,
        works(
            "approve-scripts deny-scripts install-scripts",
            "npm(1), npm-config(7) 11.19",
            "--allow-scripts-pending --allow-scripts-pin --no-allow-scripts-pin",
            "data*",
        )
        .also(COMMON)
        .and(READING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--allow-scripts-pending"]),
                ],
                acts: &[
                    Act::OnlyReads,
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["install-scripts"]),
                    Condition::First(&["ls"]),
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
                    Act::WritesFile("package.json"),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["approve-scripts"]),
                ],
                acts: &[
                    Act::Finding("shell.persistence", "lets packages run scripts when they are installed"),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["install-scripts"]),
                    Condition::First(&["approve"]),
                ],
                acts: &[
                    Act::Finding("shell.persistence", "lets packages run scripts when they are installed"),
                ],
            },
        ])
        ,
        works(
            "diff",
            "npm(1), npm-config(7) 11.19",
            "",
            "look*",
        )
        .also(COMMON)
        .and(READING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("registry.npmjs.org", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "stars find se issues find-dupes",
            "npm(1), npm-config(7) 11.19",
            "",
            "data*",
        )
        .also(COMMON)
        .and(READING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("registry.npmjs.org", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        reads(
            "sbom help-search hlep",
            "npm(1), npm-config(7) 11.19",
            "",
            "data*",
        )
        .also(COMMON)
        .and(READING)
        .style(Style::Lenient)
        ,
    ])
    .shares(&[VERBS_COMMANDS])
    ,
    works(
        "pnpm",
        "pnpm help, and help of each command 9.15.9",
        "",
        "",
    )
    .also(COMMON)
    .and(READING)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Contains(&["--config.script-shell", "--config.scriptShell",
                        "--config.node-options", "--config.nodeOptions"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated", "says which program runs the scripts, or what it loads"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--config.registry", "--config.pnpmfile", "--config.global-pnpmfile",
                        "--config.git"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated", "says where packages come from, or what code is loaded"),
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
    ])
    .otherwise(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsProject("package.json", ""),
                Act::Mentions,
            ],
        },
    ])
    .throughout(&[
        Rule {
            when: &[
                Condition::Has(&["--node-options"]),
            ],
            acts: &[
                Act::Part("--node-options", &["-r", "--require", "--import", "--loader"],
                    Role::File("javascript"), false),
            ],
        },
    ])
    .subs(&[
        works(
            "fetch",
            "pnpm help, and help of each command 9.15.9",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Installs(Pick { at: &["lock"], fits: &[], except: &[], after: &[] },
                        "registry.npmjs.org", &["--ignore-scripts"], &[], false),
                ],
            },
        ])
        ,
        works(
            "deploy",
            "pnpm help, and help of each command 9.15.9",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::Dir),
                    Act::Installs(Pick { at: &["lock"], fits: &[], except: &[], after: &[] },
                        "registry.npmjs.org", &["--ignore-scripts"], &[], false),
                ],
            },
        ])
        ,
        works(
            "server",
            "pnpm help, and help of each command 9.15.9",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["start"]),
                ],
                acts: &[
                    Act::Listens("127.0.0.1", "http", &["--port"]),
                ],
            },
        ])
        ,
        works(
            "setup",
            "pnpm help, and help of each command 9.15.9",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.persistence", "changes the start file of the shell"),
                ],
            },
        ])
        ,
        works(
            "self-update",
            "pnpm help, and help of each command 9.15.9",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("registry.npmjs.org", "https", Direction::Fetch),
                    Act::Finding("shell.persistence", "puts another pnpm in the place of this one"),
                ],
            },
        ])
        ,
        works(
            "approve-builds",
            "pnpm help, and help of each command 9.15.9",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::WritesFile("package.json"),
                    Act::Finding("shell.persistence", "lets packages run scripts when they are installed"),
                ],
            },
        ])
        ,
        works(
            "patch-commit patch-remove",
            "pnpm help, and help of each command 9.15.9",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::Look),
                    Act::WritesFile("package.json"),
                ],
            },
        ])
        ,
        reads(
            "ignored-builds cat-file cat-index find-hash",
            "pnpm help, and help of each command 9.15.9",
            "",
            "data*",
        )
        .also(COMMON)
        .and(READING)
        .style(Style::Lenient)
        ,
    ])
    .shares(&[VERBS_COMMANDS])
    ,
    works(
        "yarn lerna nx-npm rush",
        "yarn 1.22",
        "",
        "",
    )
    .also(COMMON)
    .and(READING)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
                Condition::Program(&["yarn"]),
            ],
            acts: &[
                Act::Installs(Pick { at: &["lock"], fits: &[], except: &[], after: &[] },
                    "registry.npmjs.org", &["--ignore-scripts"], &[], false),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["yarn-path*", "yarnPath*"]),
                Condition::Program(&["yarn"]),
            ],
            acts: &[
                Act::Finding("shell.persistence", "names the file that later runs are"),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
                Condition::Program(&["lerna", "nx-npm", "rush"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    .otherwise(&[
        Rule {
            when: &[
                Condition::Program(&["yarn"]),
            ],
            acts: &[
                Act::RunsProject("package.json", ""),
                Act::Mentions,
            ],
        },
    ])
    .throughout(&[
        Rule {
            when: &[
                Condition::Has(&["--node-options"]),
            ],
            acts: &[
                Act::Part("--node-options", &["-r", "--require", "--import", "--loader"],
                    Role::File("javascript"), false),
            ],
        },
    ])
    .shares(&[VERBS_COMMANDS])
    .taken_over()
    ,
];
