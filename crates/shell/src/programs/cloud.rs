//! Commands that tools of configuration run on other machines, and tests of the descriptions of clouds.

use doorward_core::intent::Place;

use super::call::Call;
use super::word;

/// `ansible -m MODULE -a TEXT`: the text is a command, or settings of the module.
pub(in crate::programs) fn module(call: &mut Call<'_>) {
    const COMMANDS: [&str; 6] = ["shell", "command", "raw", "script", "expect", "win_shell"];
    let module = call.value("-m").map_or_else(|| "command".to_owned(), |module| module.text);
    let is_local = call.operands.iter().any(|host| matches!(host.text.as_str(), "localhost" | "127.0.0.1"))
        || call.value("-c").is_some_and(|connection| connection.text == "local");
    for text in call.values("-a") {
        if COMMANDS.contains(&module.rsplit('.').next().unwrap_or_default()) {
            let here = call.argv.place.clone();
            let place = if is_local { here } else { Place::Remote("inventory".to_owned()) };
            call.run_shell_in(text, Vec::new(), place);
            continue;
        }
        // A template may run a program on this machine: `{{ lookup('pipe', 'COMMAND') }}`.
        if text.text.contains("{{") && text.text.contains("pipe") {
            call.finding("shell.obfuscated", "runs a command through a template");
        }
        if text.text.contains("state=absent") {
            call.finding("shell.delete", format!("the module {module} takes something away"));
        }
        for setting in word::fields(&text) {
            // `copy` and kin send it to every machine.
            if let Some(file) = word::after(&setting, "src=") {
                call.read(&file);
            }
            if let Some(mode) = word::after(&setting, "mode=") {
                super::coreutils::judge_mode(call, &mode);
            }
        }
    }
}

/// The command of `pdsh` and kin: what follows the options, joined by spaces.
pub(in crate::programs) fn on_many(call: &mut Call<'_>) {
    let words = call.operands.clone();
    let from = words
        .iter()
        .position(|word| word.text == "--" || super::is_known(&word.text))
        .unwrap_or(words.len().saturating_sub(1));
    let command: Vec<_> = words.into_iter().skip(from).filter(|word| word.text != "--").collect();
    if let Some(text) = word::join(&command) {
        call.run_shell_in(text, Vec::new(), Place::Remote("inventory".to_owned()));
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
            ("aws s3 rm --recursive s3://b", "both s3.amazonaws.com; data_loss"),
            (
                "aws secretsmanager get-secret-value --secret-id x",
                "both secretsmanager.amazonaws.com; secret_read",
            ),
            ("gcloud projects delete p -q", "both servers of gcloud; infra"),
            ("gcloud auth print-access-token", "both servers of gcloud; secret_read"),
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
