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
    ])
    .taken_over()
    ,
];
