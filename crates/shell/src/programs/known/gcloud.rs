// Generated from knowledge/programs/gcloud.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            gcloud gsutil-cloud bq az doctl heroku flyctl fly linode-cli hcloud vultr-cli scw oci ibmcloud \
            aliyun ovh exo civo openstack packet metal vercel netlify railway render firebase supabase \
            planetscale pscale neonctl cf eb copilot-cli sam serverless sls amplify cdk wrangler-cloud \
            turso upstash databricks snowsql-cloud cloudctl equinix kamatera upcloud atlas confluent \
            ccloud",
        "gcloud 460, az 2.57, doctl 1.104, heroku 8",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::cloud::cloud),
            ],
        },
    ])
    .taken_over()
    ,
];
