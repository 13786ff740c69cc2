// Generated from knowledge/programs/aws.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const GLOBALS: &str = "\
    --ca-bundle=read --cli-auto-prompt --cli-binary-format=data --cli-connect-timeout=num \
    --cli-input-json=data --cli-input-yaml=data --cli-read-timeout=num --color=data --debug \
    --endpoint-url=choose --generate-cli-skeleton?=data --no-cli-auto-prompt --no-cli-pager --no-paginate \
    --no-sign-request --no-verify-ssl --output=data --profile=data --query=data --region=data";

const TRANSFER: &str = "\
    --acl=data --cache-control=data --checksum-algorithm=data --checksum-mode=data \
    --content-disposition=data --content-encoding=data --content-language=data --content-type=data \
    --copy-props=data --delete --dryrun --exact-timestamps --exclude=data --expected-size=num \
    --expires=data --follow-symlinks --no-follow-symlinks --force-glacier-transfer --grants=data \
    --guess-mime-type --no-guess-mime-type --ignore-glacier-warnings --include=data --metadata=data \
    --metadata-directive=data --no-progress --only-show-errors --page-size=num --quiet --recursive \
    --request-payer=data --size-only --source-region=data --sse?=data --sse-c?=data \
    --sse-c-copy-source?=data --sse-c-copy-source-key=read --sse-c-key=read --sse-kms-key-id=data \
    --storage-class=data --website-redirect=data";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "aws awslocal",
        "aws help, and help of s3 and s3api 2.15, compared with 2.9 in part",
        "--version",
        "",
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
                Condition::FirstNot(&["help", "configure", "s3"]),
                Condition::Operands(1, usize::MAX),
            ],
            acts: &[
                Act::Contacts("{first}.amazonaws.com", "https", Direction::Both),
                Act::ReadsAfter(&["fileb://", "file://"]),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["secretsmanager/get-secret-value",
                        "secretsmanager/batch-get-secret-value", "ecr/get-login-password"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "`aws {first}` hands out credentials or decrypts a secret"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["ecr/get-authorization-token", "sts/get-session-token",
                        "sts/assume-role*", "sts/get-federation-token"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "`aws {first}` hands out credentials or decrypts a secret"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["kms/decrypt", "kms/generate-data-key*", "kms/re-encrypt"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "`aws {first}` hands out credentials or decrypts a secret"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["configure/export-credentials", "configure/get",
                        "iam/create-access-key", "iam/create-login-profile"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "`aws {first}` hands out credentials"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["rds/generate-db-auth-token", "redshift/get-cluster-credentials*",
                        "ec2/get-password-data"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "`aws {first}` hands out credentials"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["ec2/create-key-pair", "eks/get-token",
                        "codeartifact/get-authorization-token", "sso/get-role-credentials"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "`aws {first}` hands out credentials"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["lightsail/get-instance-access-details",
                        "lightsail/download-default-key-pair", "dsql/generate-db-connect*"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "`aws {first}` hands out credentials"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["codecommit/credential-helper", "ecr/get-login",
                        "sso-oidc/create-token", "cognito-idp/admin-initiate-auth"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "`aws {first}` hands out credentials"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["ssm/get-parameter*"]),
                Condition::Word(&["--with-decryption"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "`aws ssm` decrypts a stored secret"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["lambda/get-function*", "ecs/describe-task-definition",
                        "codebuild/batch-get-projects"]),
            ],
            acts: &[
                Act::Mentions,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/stop-logging", "*/delete-trail", "*/update-trail",
                        "*/disable-alarm-actions", "*/delete-flow-logs"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "stops or deletes the cloud's audit log or its guards"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/delete-detector", "*/stop-configuration-recorder",
                        "*/delete-log-group", "*/put-event-selectors"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "stops or deletes the cloud's audit log or its guards"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/disable-security-hub", "*/delete-configuration-recorder"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "stops or deletes the cloud's audit log or its guards"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/send-command", "*/execute-command", "*/start-session",
                        "*/send-ssh-public-key", "*/run-command"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "runs commands on other machines, or opens a way to them"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["emr/ssh", "emr/socks", "emr/put", "emr/get",
                        "ec2-instance-connect/ssh", "ec2-instance-connect/open-tunnel"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "runs commands on other machines, or opens a way to them"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["opsworks/register", "deploy/register", "deploy/install",
                        "deploy/uninstall"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "gives a machine to the cloud's management, or takes it back"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["deploy/push", "gamelift/upload-build",
                        "lightsail/push-container-image"]),
            ],
            acts: &[
                Act::Finding("shell.upload", "`aws {first}` sends what lies in a folder"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["codeartifact/login"]),
            ],
            acts: &[
                Act::Finding("shell.persistence", "has a package manager use another registry"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/start-automation-execution", "*/send-serial-console-ssh-public-key"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "runs commands on other machines, or opens a way to them"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["lambda/invoke*", "stepfunctions/start-execution",
                        "codebuild/start-build", "glue/start-job-run", "emr/add-steps"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "runs code in the cloud"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/delete-*", "*/terminate-*", "*/remove-*", "*/deregister-*",
                        "*/destroy-*", "*/purge-*", "*/reset-*", "*/disable-*"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "`aws {first}` takes something away"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/detach-*", "*/revoke-*", "*/release-*", "*/stop-*", "*/cancel-*",
                        "*/abort-*", "*/batch-delete-*"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "`aws {first}` takes something away"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/schedule-key-deletion", "*/empty-*", "*/undeploy-*", "*/drop-*"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "`aws {first}` takes something away"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["iam/attach-*", "iam/put-*", "iam/add-*", "iam/set-*", "iam/create-*",
                        "iam/update-*", "iam/upload-*"]),
            ],
            acts: &[
                Act::Finding("shell.privilege", "`aws {first}` changes who may do what"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["organizations/attach-*", "organizations/create-*",
                        "organizations/put-*", "organizations/move-*"]),
            ],
            acts: &[
                Act::Finding("shell.privilege", "`aws {first}` changes who may do what"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["organizations/invite-*"]),
            ],
            acts: &[
                Act::Finding("shell.privilege", "`aws {first}` changes who may do what"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/authorize-security-group-*", "*/put-*policy*", "*/set-*policy*",
                        "*/attach-*policy*", "*/create-*policy*"]),
            ],
            acts: &[
                Act::Finding("shell.privilege", "`aws {first}` changes who may do what"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/update-*policy*", "*/*public-access*", "*/modify-*-attribute",
                        "*/put-bucket-acl", "*/put-object-acl"]),
            ],
            acts: &[
                Act::Finding("shell.privilege", "`aws {first}` changes who may do what"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/create-grant", "*/add-permission", "*/share-*",
                        "*/modify-*-snapshot-attribute", "*/create-user*"]),
            ],
            acts: &[
                Act::Finding("shell.privilege", "`aws {first}` changes who may do what"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/add-*-permission", "sso-admin/create-*"]),
            ],
            acts: &[
                Act::Finding("shell.privilege", "`aws {first}` changes who may do what"),
            ],
        },
    ])
    .otherwise(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Works,
            ],
        },
    ])
    .subs(&[
        reads(
            "help",
            "aws help, and help of s3 and s3api 2.15, compared with 2.9 in part",
            "",
            "data*",
        )
        .style(Style::Lenient)
        ,
        works(
            "configure",
            "aws help, and help of s3 and s3api 2.15, compared with 2.9 in part",
            "",
            "",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .otherwise(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Works,
                ],
            },
        ])
        .subs(&[
            reads(
                "list list-profiles",
                "aws help, and help of s3 and s3api 2.15, compared with 2.9 in part",
                "",
                "data*",
            )
            .also(GLOBALS)
            .style(Style::Lenient)
            ,
            works(
                "get export-credentials",
                "aws help, and help of s3 and s3api 2.15, compared with 2.9 in part",
                "",
                "data*",
            )
            .also(GLOBALS)
            .style(Style::Lenient)
            ,
            works(
                "set import sso sso-session wizard add-model",
                "aws help, and help of s3 and s3api 2.15, compared with 2.9 in part",
                "",
                "data*",
            )
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
        works(
            "s3",
            "aws help, and help of s3 and s3api 2.15, compared with 2.9 in part",
            "",
            "",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .subs(&[
            works(
                "ls",
                "aws help, and help of s3 and s3api 2.15, compared with 2.9 in part",
                "--human-readable --summarize",
                "data*",
            )
            .also(GLOBALS)
            .and(TRANSFER)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("s3.amazonaws.com", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
            works(
                "cp mv sync",
                "aws help, and help of s3 and s3api 2.15, compared with 2.9 in part",
                "",
                "data*",
            )
            .also(GLOBALS)
            .and(TRANSFER)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Has(&["--delete"]),
                    ],
                    acts: &[
                        Act::Finding("shell.data_loss", "deletes what is extra in the target"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--acl"], &["public*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.upload", "publishes files: everybody may read them"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Called(&["mv"]),
                        Condition::First(&["s3:*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.data_loss", "moves out of a bucket"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Called(&["mv"]),
                        Condition::FirstNot(&["s3:*"]),
                    ],
                    acts: &[
                        Act::DeletesOperand(0, false, &["always"], &["always"]),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Path(&["s3:*/s3:*"]),
                    ],
                    acts: &[
                        Act::Contacts("s3.amazonaws.com", "https", Direction::Both),
                        Act::Stop,
                    ],
                },
                Rule {
                    when: &[
                        Condition::First(&["s3:*"]),
                    ],
                    acts: &[
                        Act::Contacts("s3.amazonaws.com", "https", Direction::Fetch),
                        Act::Operand(1, false, Role::Download),
                        Act::Stop,
                    ],
                },
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("s3.amazonaws.com", "https", Direction::Send),
                        Act::Sends(0, false),
                    ],
                },
            ])
            ,
            works(
                "rm rb",
                "aws help, and help of s3 and s3api 2.15, compared with 2.9 in part",
                "--force",
                "data*",
            )
            .also(GLOBALS)
            .and(TRANSFER)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("s3.amazonaws.com", "https", Direction::Both),
                        Act::Finding("shell.data_loss", "deletes in a bucket"),
                    ],
                },
            ])
            ,
            works(
                "mb presign website",
                "aws help, and help of s3 and s3api 2.15, compared with 2.9 in part",
                "--expires-in=num --index-document=data --error-document=data",
                "data*",
            )
            .also(GLOBALS)
            .and(TRANSFER)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("s3.amazonaws.com", "https", Direction::Both),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Called(&["presign"]),
                    ],
                    acts: &[
                        Act::Finding("shell.upload", "makes an address by which everybody may read the object"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "s3api",
            "aws help, and help of s3 and s3api 2.15, compared with 2.9 in part",
            "",
            "",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .otherwise(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Works,
                ],
            },
        ])
        .subs(&[
            works(
                "get-object get-object-torrent select-object-content",
                "aws help, and help of s3 and s3api 2.15, compared with 2.9 in part",
                "\
                    --bucket=data --key=data --range=data --version-id=data --if-match=data \
                    --part-number=num --request-payer=data --expected-bucket-owner=data --expression=data \
                    --expression-type=data --input-serialization=data --output-serialization=data",
                "data*",
            )
            .also(GLOBALS)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(0, false, Role::Download),
                    ],
                },
            ])
            ,
            works(
                "put-object upload-part",
                "aws help, and help of s3 and s3api 2.15, compared with 2.9 in part",
                "--bucket=data --key=data --body=read --acl=data",
                "data*",
            )
            .also(GLOBALS)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Value(&["--acl"], &["public*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.upload", "publishes files: everybody may read them"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "lambda",
            "aws help, and help of s3 and s3api 2.15, compared with 2.9 in part",
            "",
            "",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .otherwise(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Works,
                ],
            },
        ])
        .subs(&[
            works(
                "invoke",
                "aws help, and help of s3 and s3api 2.15, compared with 2.9 in part",
                "\
                    --function-name=data --payload=data --invocation-type=data --log-type=data \
                    --qualifier=data --client-context=data",
                "data*",
            )
            .also(GLOBALS)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(0, false, Role::Download),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "eks",
            "aws help, and help of s3 and s3api 2.15, compared with 2.9 in part",
            "",
            "",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .otherwise(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Works,
                ],
            },
        ])
        .subs(&[
            works(
                "update-kubeconfig",
                "aws help, and help of s3 and s3api 2.15, compared with 2.9 in part",
                "\
                    --alias=data --dry-run --kubeconfig=data --name=data --role-arn=data --user-alias=data \
                    --verbose",
                "data*",
            )
            .also(GLOBALS)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Has(&["--dry-run"]),
                    ],
                    acts: &[
                        Act::Stop,
                    ],
                },
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::WritesFile("{--kubeconfig|~/.kube/config}"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "iam",
            "aws help, and help of s3 and s3api 2.15, compared with 2.9 in part",
            "",
            "",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .otherwise(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Works,
                ],
            },
        ])
        .subs(&[
            works(
                "create-virtual-mfa-device",
                "aws help, and help of s3 and s3api 2.15, compared with 2.9 in part",
                "--bootstrap-method=data --outfile=write --path=data --virtual-mfa-device-name=data",
                "data*",
            )
            .also(GLOBALS)
            .style(Style::Lenient)
            ,
        ])
        ,
        works(
            "cloudformation deploy",
            "aws help, and help of s3 and s3api 2.15, compared with 2.9 in part",
            "",
            "",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .otherwise(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Works,
                ],
            },
        ])
        .subs(&[
            works(
                "package deploy",
                "aws help, and help of s3 and s3api 2.15, compared with 2.9 in part",
                "\
                    --template-file=read --s3-bucket=data --s3-prefix=data --stack-name=data \
                    --capabilities=data --parameter-overrides=data --output-template-file=write \
                    --force-upload --use-json --no-execute-changeset --no-fail-on-empty-changeset \
                    --role-arn=data --tags=data",
                "data*",
            )
            .also(GLOBALS)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Has(&["--capabilities"]),
                    ],
                    acts: &[
                        Act::Finding("shell.privilege", "lets a template change who may do what"),
                    ],
                },
            ])
            ,
        ])
        ,
    ])
    .taken_over()
    ,
];
