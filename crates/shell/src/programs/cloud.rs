//! Clouds and infrastructure as code: verbs that read, change, destroy or hand out credentials.

use doorward_core::intent::{Code, Direction, WriteMode};

use crate::deed::Word;

use super::call::Call;
use super::row::Nature;
use super::word;

fn plain(call: &Call<'_>) -> Vec<String> {
    call.operands.iter().filter(|word| !word.text.starts_with('-')).map(|word| word.text.clone()).collect()
}

/// Verbs inside a command name such as `describe-instances` or `apps:destroy`.
fn verb_of(word: &str) -> &str {
    word.rsplit(':').next().unwrap_or(word).split(['-', '_']).next().unwrap_or(word)
}

const READS: &[&str] = &[
    "describe", "list", "get", "show", "ls", "search", "help", "wait", "head", "lookup", "view", "info",
    "version", "query", "filter", "validate", "scan", "simulate", "check", "status", "logs", "tail", "log",
    "whoami", "account", "versions", "browse", "read", "preview", "estimate", "test", "diff", "synth",
    "print", "regions", "domains", "config", "current", "metadata",
];
const DESTROYS: &[&str] = &[
    "delete",
    "remove",
    "rm",
    "rb",
    "terminate",
    "destroy",
    "purge",
    "deregister",
    "drop",
    "reset",
    "disable",
    "detach",
    "revoke",
    "release",
    "stop",
    "deallocate",
    "empty",
    "batch_delete",
    "abort",
    "cancel",
    "teardown",
    "uninstall",
    "nuke",
    "undeploy",
    "clear",
    "truncate",
    "schedule",
];
/// Sub-commands that print a credential.
const HANDS_OUT: [&str; 6] = [
    "print-access-token",
    "print-identity-token",
    "get-access-token",
    "auth:token",
    "access-secret-version",
    "get-credentials-token",
];

/// Two words in a row that print a credential.
const HANDS_OUT_TOGETHER: [(&str, &str); 5] =
    [("versions", "access"), ("secret", "show"), ("keys", "list"), ("auth", "token"), ("secrets", "get")];

const GRANTS: &[&str] = &["attach", "put", "authorize", "add", "set"];

/// Flags that remove a question, or a safety net.
fn unasked(call: &Call<'_>) -> bool {
    call.operands.iter().any(|word| {
        matches!(
            word.text.as_str(),
            "--yes"
                | "-y"
                | "--force"
                | "-f"
                | "--auto-approve"
                | "-auto-approve"
                | "--no-input"
                | "--skip-final-snapshot"
                | "--quiet"
                | "-q"
                | "--confirm"
                | "--no-verify"
                | "--approve"
                | "--skip-preview"
                | "--non-interactive"
        )
    })
}

pub(in crate::programs) fn aws(call: &mut Call<'_>) {
    let words = plain_without_values(
        call,
        &[
            "--region",
            "--profile",
            "--output",
            "--query",
            "--endpoint-url",
            "--ca-bundle",
            "--cli-input-json",
        ],
    );
    let (service, operation) =
        (words.first().cloned().unwrap_or_default(), words.get(1).cloned().unwrap_or_default());
    if matches!(service.as_str(), "" | "help") || call.operands.iter().all(|word| word.text == "--version") {
        call.nature = Nature::Reads;
        return;
    }
    let local: Vec<Word> = call
        .operands
        .iter()
        .filter(|word| word.text.contains("file://") || word.text.contains("fileb://"))
        .cloned()
        .collect();
    for file in local {
        let path = word::instead(
            &file,
            file.text
                .rsplit("file://")
                .next()
                .unwrap_or_default()
                .rsplit("fileb://")
                .next()
                .unwrap_or_default()
                .to_owned(),
        );
        call.read(&path);
    }
    let handed_out = match (service.as_str(), operation.as_str()) {
        ("secretsmanager", "get-secret-value" | "batch-get-secret-value")
        | ("ecr", "get-login-password" | "get-authorization-token")
        | ("sts", "get-session-token" | "assume-role" | "get-federation-token")
        | ("kms", "decrypt" | "generate-data-key")
        | ("configure", "export-credentials" | "get")
        | ("iam", "create-access-key" | "create-login-profile")
        | ("rds", "generate-db-auth-token")
        | ("ec2", "get-password-data" | "create-key-pair")
        | ("eks", "get-token")
        | ("codeartifact", "get-authorization-token") => true,
        ("ssm", "get-parameter" | "get-parameters" | "get-parameters-by-path") => {
            call.operands.iter().any(|word| word.text == "--with-decryption")
        }
        _ => false,
    };
    if handed_out {
        call.secret(format!("`aws {service} {operation}` hands out credentials"));
        return;
    }
    if service == "s3" {
        return s3(call, &operation, &words);
    }
    call.contact_named(&format!("{service}.amazonaws.com"), "https", Direction::Both);
    let verb = verb_of(&operation);
    if DESTROYS.contains(&verb) || matches!(operation.as_str(), "delete-bucket") {
        call.finding("shell.infra", format!("`aws {service} {operation}` takes something away"));
    } else if matches!(service.as_str(), "iam" | "organizations" | "sts")
        && (GRANTS.contains(&verb) || verb == "create" || verb == "update")
        || operation.contains("policy") && !READS.contains(&verb)
        || operation.starts_with("authorize-security-group")
        || operation.contains("public-access")
    {
        call.finding("shell.privilege", format!("`aws {service} {operation}` changes who may do what"));
    } else if operation == "send-command" || operation == "execute-command" || operation == "start-session" {
        call.finding("shell.infra", "runs commands on other machines");
    } else if matches!(
        operation.as_str(),
        "stop-logging" | "delete-trail" | "update-trail" | "disable-alarm-actions"
    ) {
        call.finding("shell.tamper", "stops the cloud's audit log");
    }
}

fn plain_without_values(call: &Call<'_>, takes: &[&str]) -> Vec<String> {
    let mut words = Vec::new();
    let mut iter = call.operands.iter();
    while let Some(word) = iter.next() {
        if takes.contains(&word.text.as_str()) {
            iter.next();
        } else if !word.text.starts_with('-') {
            words.push(word.text.clone());
        }
    }
    words
}

fn s3(call: &mut Call<'_>, operation: &str, words: &[String]) {
    let paths: Vec<Word> = call
        .operands
        .iter()
        .filter(|word| !word.text.starts_with('-') && words.iter().skip(2).any(|own| *own == word.text))
        .cloned()
        .collect();
    let sends = paths.get(1).is_some_and(|target| target.text.starts_with("s3://"));
    let mut body = Vec::new();
    for (at, path) in paths.iter().enumerate() {
        if path.text.starts_with("s3://") {
            continue;
        }
        if at == 0 {
            body.push(path.text.clone());
            call.read(path);
        } else {
            call.download(path);
        }
    }
    if let Some(bucket) = paths.iter().find(|path| path.text.starts_with("s3://")) {
        let bucket = bucket.clone();
        call.contact(&bucket, "s3", if sends { Direction::Send } else { Direction::Fetch }, body);
    } else {
        call.contact_named("s3.amazonaws.com", "https", Direction::Both);
    }
    match operation {
        "rm" | "rb" => call.finding("shell.data_loss", "deletes in a bucket"),
        "mv" => {
            if let Some(source) = paths.first() {
                if source.text.starts_with("s3://") {
                    call.finding("shell.data_loss", "moves out of a bucket")
                } else {
                    call.delete(&source.clone(), true, true)
                }
            }
        }
        "sync" if call.operands.iter().any(|word| word.text == "--delete") => {
            call.finding("shell.data_loss", "deletes what is extra in the target")
        }
        _ => {}
    }
}

pub(in crate::programs) fn cloud(call: &mut Call<'_>) {
    let words = plain(call);
    let has = |names: &[&str]| {
        words.iter().any(|word| names.contains(&word.as_str()) || names.contains(&verb_of(word)))
    };
    if words.is_empty()
        || words
            .first()
            .is_some_and(|first| matches!(first.as_str(), "version" | "help" | "info" | "--version"))
    {
        call.nature = Nature::Reads;
        return;
    }
    let pair_of = |(first, second): &(&str, &str)| words.windows(2).any(|pair| pair == [*first, *second]);
    if has(&HANDS_OUT) || HANDS_OUT_TOGETHER.iter().any(pair_of) {
        return call.secret(format!("{} hands out credentials", call.program));
    }
    // `bq query`, `firebase deploy` and kin end up at the provider.
    call.contact_named(call.program.clone().as_str(), "https", Direction::Both);
    let destroys = words.iter().any(|word| {
        DESTROYS.contains(&word.as_str())
            || DESTROYS.contains(&verb_of(word))
            || word.contains(":destroy")
            || word.contains(":delete")
            || word.contains(":reset")
    });
    let reads = words.iter().any(|word| READS.contains(&word.as_str())) && !destroys;
    if destroys {
        call.finding("shell.infra", format!("`{} {}` takes something away", call.program, words.join(" ")));
    } else if has(&["ssh", "run", "exec", "ssh-into"])
        && !reads
        && matches!(call.program.as_str(), "heroku" | "fly" | "flyctl" | "gcloud" | "railway")
    {
        if let Some(at) = call
            .operands
            .iter()
            .position(|word| matches!(word.text.as_str(), "--" | "--command" | "-C" | "run"))
        {
            let rest = call.operands_from(at + 1);
            if let Some(text) = word::join(&rest) {
                call.run_shell_in(
                    text,
                    Vec::new(),
                    doorward_core::intent::Place::Remote(call.program.clone()),
                );
            }
        }
    } else if words
        .iter()
        .any(|word| word.contains("iam-policy") || word.contains("role") || word.contains("policy-binding"))
        && !reads
    {
        call.finding("shell.privilege", "changes who may do what");
    } else if !reads && unasked(call) {
        call.finding("shell.infra", "changes infrastructure without asking");
    }
}

pub(in crate::programs) fn iac(call: &mut Call<'_>) {
    let words = plain(call);
    let flag = |names: &[&str]| {
        call.operands.iter().any(|word| {
            names.iter().any(|name| word.text == *name || word.text.starts_with(&format!("{name}=")))
        })
    };
    let verb = words.first().cloned().unwrap_or_default();
    let destroy = flag(&["-destroy", "--destroy"]);
    let unasked = unasked(call);
    match verb.as_str() {
        "version" | "validate" | "fmt" | "show" | "output" | "providers" | "graph" | "console"
        | "workspace" | "stack" | "status" | "global-status" | "box" | "port" | "ssh-config" | "config"
        | "state" | "whoami" | "logs" | "about" | "get" | "inspect" | "history" | "" => {
            let second = words.get(1).map(String::as_str).unwrap_or_default();
            if verb == "state" && matches!(second, "rm" | "push" | "replace-provider" | "delete")
                || matches!(
                    (verb.as_str(), second),
                    ("workspace" | "stack", "delete" | "rm") | ("box", "remove")
                )
            {
                call.finding(
                    "shell.infra",
                    format!("`{} {verb} {second}` forgets infrastructure", call.program),
                );
            } else if verb == "output" && flag(&["-json", "-raw", "--show-secrets"])
                || flag(&["--show-secrets"])
                || verb == "state" && second == "pull"
            {
                call.secret("prints outputs that may be secret");
            } else if verb != "fmt" {
                call.nature = Nature::Reads;
            }
        }
        "plan" | "preview" | "init" | "refresh" | "import" | "build" | "test" | "up" | "apply" | "update"
        | "reload" | "provision" | "ssh" | "halt" | "suspend" | "resume" | "new" | "login" | "taint"
        | "untaint" | "force-unlock" | "run-all" | "snapshot" | "install" | "upgrade" => {
            if verb == "ssh" {
                if let Some(at) =
                    call.operands.iter().position(|word| matches!(word.text.as_str(), "-c" | "--command"))
                    && let Some(text) = call.operand(at + 1)
                {
                    call.run_shell_in(
                        text,
                        Vec::new(),
                        doorward_core::intent::Place::Remote("vagrant".to_owned()),
                    );
                }
                return;
            }
            call.run_own("main.tf", Code::None);
            if destroy
                || matches!(verb.as_str(), "apply" | "up" | "update" | "run-all")
                    && unasked
                    && call.program != "vagrant"
                || verb == "force-unlock"
            {
                call.finding("shell.infra", "changes infrastructure without a person's look at the plan");
            }
        }
        "destroy" | "down" | "cancel" => call.finding("shell.infra", "destroys infrastructure"),
        _ => {
            let word = call.operands.first().cloned().unwrap_or_default();
            call.unknown_sub(&word);
        }
    }
}

pub(in crate::programs) fn ansible(call: &mut Call<'_>) {
    let words = call.operands.clone();
    let flag = |names: &[&str]| words.iter().any(|word| names.contains(&word.text.as_str()));
    let value = |names: &[&str]| {
        words
            .iter()
            .enumerate()
            .find(|(_, word)| names.contains(&word.text.as_str()))
            .and_then(|(at, _)| words.get(at + 1))
            .cloned()
    };
    match call.program.as_str() {
        "ansible-doc" | "ansible-config" | "ansible-inventory" => call.nature = Nature::Reads,
        "ansible-vault" => {
            if words.first().is_some_and(|verb| matches!(verb.text.as_str(), "view" | "decrypt")) {
                call.secret("prints or stores decrypted secrets");
            }
        }
        "ansible-galaxy" => call.contact_named("galaxy.ansible.com", "https", Direction::Fetch),
        "ansible" => {
            if flag(&["-b", "--become", "-K"]) {
                call.privilege(doorward_core::intent::PrivilegeKind::Root, "becomes root on other machines");
            }
            call.contact_unknown("ssh", Direction::Both);
            let module =
                value(&["-m", "--module-name"]).map_or_else(|| "command".to_owned(), |module| module.text);
            if let Some(text) = value(&["-a", "--args"])
                && matches!(
                    module.as_str(),
                    "shell"
                        | "command"
                        | "raw"
                        | "script"
                        | "ansible.builtin.shell"
                        | "ansible.builtin.command"
                        | "expect"
                        | "win_shell"
                )
            {
                let local = words.iter().any(|word| matches!(word.text.as_str(), "localhost" | "127.0.0.1"))
                    || flag(&["--connection=local"])
                    || value(&["-c"]).is_some_and(|connection| connection.text == "local");
                let place = if local {
                    call.argv.place.clone()
                } else {
                    doorward_core::intent::Place::Remote("inventory".to_owned())
                };
                call.run_shell_in(text, Vec::new(), place);
            } else if let Some(text) = value(&["-a", "--args"]) {
                if text.text.contains("state=absent") {
                    call.finding("shell.delete", format!("the module {module} takes something away"));
                }
                for setting in word::fields(&text) {
                    if let Some(mode) = word::after(&setting, "mode=") {
                        super::coreutils::judge_mode(call, &mode);
                    }
                }
            }
        }
        "salt-call" if words.iter().any(|word| word.text == "cmd.run") => {
            let at = words.iter().position(|word| word.text == "cmd.run").unwrap_or_default();
            if let Some(text) = words.get(at + 1) {
                call.run_shell(text.clone());
            }
        }
        "ansible-console" => {
            call.contact_unknown("ssh", Direction::Both);
            call.run_stdin("ftp", Vec::new());
        }
        "puppet" if flag(&["-e", "--execute"]) => {
            if let Some(manifest) = value(&["-e", "--execute"]) {
                let text = manifest.text.replace("=>", " ");
                if text.contains("absent") {
                    call.finding("shell.delete", "a manifest that takes something away");
                }
                call.run_language("recipe", word::instead(&manifest, text.replace('\'', "\"")));
            }
        }
        "pdsh" | "pssh" | "clush" | "dsh" | "salt" | "salt-ssh" | "mco" | "knife" | "bolt" | "fab" => {
            call.contact_unknown("ssh", Direction::Both);
            // The command is what follows the options, joined by spaces.
            let from = words
                .iter()
                .position(|word| word.text == "--" || super::is_known(&word.text))
                .unwrap_or(words.len().saturating_sub(1));
            if let Some(text) = word::join(
                &words.iter().skip(from).filter(|word| word.text != "--").cloned().collect::<Vec<_>>(),
            ) {
                call.run_shell_in(
                    text,
                    Vec::new(),
                    doorward_core::intent::Place::Remote("inventory".to_owned()),
                );
            }
        }
        _ => {
            let file =
                words.iter().find(|word| !word.text.starts_with('-') && word.text.contains('.')).cloned();
            match file {
                Some(file) => call.run_file(&file, "recipe", Vec::new()),
                None => call.run_own("playbook", Code::None),
            }
            if !flag(&["--check", "-C", "--syntax-check", "--list-tasks", "--list-hosts", "--noop"]) {
                call.contact_unknown("ssh", Direction::Both);
            }
        }
    }
}

pub(in crate::programs) fn vault(call: &mut Call<'_>) {
    let words = plain(call);
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    if has(&["status", "version", "list", "help", "--version"]) && !has(&["kv"]) || words.is_empty() {
        call.nature = Nature::Reads;
        return;
    }
    if matches!(
        call.program.as_str(),
        "aws-vault" | "doppler" | "chamber" | "infisical" | "teller" | "saml2aws" | "granted"
    ) && let Some(at) = call.operands.iter().position(|word| word.text == "--")
    {
        call.env_read("secrets");
        return super::wrappers::tail(call, at + 1);
    }
    if has(&["delete", "destroy", "purge", "disable", "revoke", "seal", "remove", "rm", "metadata"])
        && !has(&["get"])
    {
        return call.finding("shell.data_loss", "destroys stored secrets or access to them");
    }
    if has(&["write", "put", "patch", "enable", "login", "policy", "import", "upload", "set"]) {
        call.contact_named("vault", "https", Direction::Send);
        for file in
            call.operands.clone().iter().filter_map(|word| word::halves(word, '@').map(|(_, file)| file))
        {
            call.read(&file);
        }
        return;
    }
    call.secret(format!("{} prints secrets", call.program));
    if let Some(at) = call.operands.iter().position(|word| matches!(word.text.as_str(), "-o" | "--output"))
        && let Some(file) = call.operand(at + 1)
    {
        call.write(&file, WriteMode::Create);
    }
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn verbs_tell_reading_from_destroying() {
        check(&[
            ("aws ec2 describe-instances", "both ec2.amazonaws.com; plain"),
            ("aws ec2 terminate-instances --instance-ids i", "both ec2.amazonaws.com; infra"),
            ("aws s3 cp x s3://b/y", "read x; send s3.amazonaws.com <x"),
            ("aws s3 rm --recursive s3://b", "fetch s3.amazonaws.com; data_loss"),
            ("aws secretsmanager get-secret-value --secret-id x", "secret_read"),
            ("gcloud projects delete p -q", "both servers of gcloud; infra"),
            ("gcloud auth print-access-token", "secret_read"),
            ("doctl compute droplet delete 1 -f", "both servers of doctl; infra"),
            ("heroku apps:destroy a --confirm a", "both servers of heroku; infra"),
            ("terraform plan", "file main.tf; plain"),
            ("terraform apply -auto-approve", "infra; file main.tf"),
            ("terraform destroy", "infra"),
            ("pulumi destroy -y", "infra"),
            ("vagrant destroy -f", "infra"),
            ("vault kv metadata delete secret/x", "data_loss"),
            ("vault kv get secret/x", "secret_read"),
            ("ansible all -m shell -a 'rm x'", "both …; sh rm x"),
        ]);
    }
}
