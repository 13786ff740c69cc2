// Generated from knowledge/programs/drush.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "drush drupal",
        "drush 12",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &[">ev", ">eval", ">php:eval", ">php-eval"], fits: &[],
                    except: &[], after: &[] }, Role::Lang("php")),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["sql:drop", "sql-drop", "site:install"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "destroys the site's database"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["php:script", "php-script", "scr"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::File("php")),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["sql:query", "sql-query", "sqlq"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::Lang("sql")),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["sql:sync", "sql-sync", "sql:create", "sql-create", "entity:delete",
                        "edel", "archive:restore"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "replaces or deletes what the site holds"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["site:ssh", "site-ssh", "ssh"]),
            ],
            acts: &[
                Act::RunsRemote(1, "the site's machine"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["user:login", "user-login", "uli"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "prints a link that signs in as the administrator"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["user:role:add", "user-add-role", "urol", "user:create", "ucrt",
                        "user:password", "upwd"]),
            ],
            acts: &[
                Act::Finding("shell.privilege", "changes who may do what on the site"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["core:rsync", "core-rsync", "rsync"]),
            ],
            acts: &[
                Act::ContactsUnknown("ssh", Direction::Both),
                Act::BeyondPlain,
            ],
        },
    ])
    .taken_over()
    ,
];
