//! Settings that Mercurial's `--config` gives, and tests of the descriptions of forges.

use super::call::Call;
use super::word;

/// `hg --config hooks.x=COMMAND`, `alias.x=!COMMAND`, `extensions.x=FILE`.
pub(in crate::programs) fn setting(call: &mut Call<'_>) {
    for setting in call.values("--config") {
        let Some((name, text)) = word::halves(&setting, '=') else { continue };
        if name.text.starts_with("extensions.") {
            call.run_file(&text, "python", Vec::new());
        } else {
            let text = word::after(&text, "!").unwrap_or(text);
            call.run_shell(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn forges() {
        check(&[
            ("gh pr list", "fetch api.github.com; plain"),
            ("gh pr create --title x --body 'rm -rf /'", "both api.github.com; plain"),
            ("gh auth token", "secret_read"),
            ("gh repo delete x --yes", "both api.github.com; history_loss"),
            ("glab repo delete acme/app", "both gitlab.com; history_loss"),
            ("gh api -X DELETE /repos/x", "both api.github.com; history_loss"),
            ("svn delete -m x https://svn.example.net/trunk", "send svn.example.net; loses remote"),
            ("svn status", "read-only"),
            ("hg log", "read-only"),
        ]);
    }
}
