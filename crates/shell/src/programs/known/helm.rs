// Generated from knowledge/programs/helm.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            helm helmfile kustomize argocd flux istioctl linkerd velero k9s kubectx kubens stern kind \
            minikube k3d k3s kubeadm eksctl kops rancher nomad consul tkn argo crossplane cmctl kubeseal \
            calicoctl cilium etcdctl docker-credential-helper swarm",
        "helm(1) 3.14",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::containers::cluster),
            ],
        },
    ])
    .taken_over()
    ,
];
