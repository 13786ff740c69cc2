//! Every client's settings files: after uninstallation they equal the original, byte for byte.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use doorward_hooks::install::{HookCommand, Target, install, installed, targets, uninstall};
use serde_json::Value;

/// Realistic files: empty, on one line, oddly indented, with hooks, with numbers that a JSON library would reformat,
/// with CRLF line ends.
const FILES: &[&str] = &[
    "",
    "\n",
    "{}",
    "{ }\n",
    "{\n}\n",
    "{\"hooks\":{}}",
    "{\"hooks\": {\"PreToolUse\": [], \"preToolUse\": []}}\n",
    "{\"model\":\"x\",\"n\":1.50e3,\"text\":\"\\u00e9\\/\"}",
    "{\r\n\t\"version\": 1,\r\n\t\"zeta\": [1,2,\r\n\t3],\r\n\t\"alpha\": null\r\n}\r\n",
    "{\n    \"zeta\": 1,\n    \"hooks\": {\n        \"PreToolUse\": [\n            {\"matcher\": \"Bash\", \"hooks\": \
     [{\"type\": \"command\", \"command\": \"mine\"}]}\n        ],\n        \"preToolUse\": [ {\"command\": \
     \"mine\"} ]\n    },\n    \"alpha\": 2\n}",
];

fn command(target: &Target, program: &str) -> String {
    let program = Path::new(program);
    HookCommand { program, client: target.client, state: None, enclosed: false }.to_string()
}

struct Place {
    dir: tempfile::TempDir,
    file: PathBuf,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("config").join("settings.json");
        Self { dir, file }
    }

    fn with(content: &str) -> Self {
        let place = Self::new();
        fs::create_dir(place.file.parent().unwrap()).unwrap();
        fs::write(&place.file, content).unwrap();
        place
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.file).unwrap()
    }

    /// Every file below the folder.
    fn files(&self) -> Vec<PathBuf> {
        let folder = self.file.parent().unwrap();
        fs::read_dir(folder).map_or_else(|_| Vec::new(), |all| all.map(|one| one.unwrap().path()).collect())
    }
}

#[test]
fn what_was_there_comes_back_byte_for_byte_and_nothing_is_left_beside_it() {
    for target in targets() {
        for content in FILES {
            for upgrades in 0..3 {
                let place = Place::with(content);
                let first = install(target, &place.file, &command(target, "/usr/bin/doorward")).unwrap();
                assert_eq!(fs::read_to_string(first.backup.unwrap()).unwrap(), *content);
                assert_eq!(installed(target, &place.file).unwrap().len(), target.events.len());
                let once = place.text();
                let again = install(target, &place.file, &command(target, "/usr/bin/doorward")).unwrap();
                assert!(!again.changed && place.text() == once, "{:?}", target.client);
                for version in 0..upgrades {
                    let newer = command(target, &format!("/opt/{version}/doorward"));
                    assert!(install(target, &place.file, &newer).unwrap().changed);
                    assert_eq!(installed(target, &place.file).unwrap().len(), target.events.len());
                }
                assert!(uninstall(target, &place.file).unwrap().changed);
                assert_eq!(place.text(), *content, "{:?} after {upgrades} upgrades", target.client);
                assert_eq!(
                    place.files(),
                    std::slice::from_ref(&place.file),
                    "{:?}: only the file itself",
                    target.client
                );
                assert!(!uninstall(target, &place.file).unwrap().changed);
            }
        }
    }
}

#[test]
fn a_file_that_was_absent_is_absent_again() {
    for target in targets() {
        let place = Place::new();
        let first = install(target, &place.file, &command(target, "/usr/bin/doorward")).unwrap();
        assert_eq!(first.backup, None);
        // A second installation must not save Doorward's own hook as the original.
        let second = install(target, &place.file, &command(target, "/opt/doorward")).unwrap();
        assert_eq!(second.backup, None);
        uninstall(target, &place.file).unwrap();
        assert_eq!(fs::read_dir(place.dir.path()).unwrap().count(), 0, "{:?}", target.client);
    }
}

#[test]
fn a_copy_of_our_own_hook_that_an_earlier_release_kept_is_not_restored() {
    for target in targets() {
        let place = Place::new();
        install(target, &place.file, &command(target, "/usr/bin/doorward")).unwrap();
        let beside = format!("settings.json.{}.before-doorward", target.client.as_str());
        fs::copy(&place.file, place.file.with_file_name(beside)).unwrap();
        uninstall(target, &place.file).unwrap();
        assert_eq!(place.files(), [] as [PathBuf; 0], "{:?}", target.client);
    }
}

#[test]
fn what_the_user_changed_in_between_stays_and_only_our_entries_go() {
    for target in targets() {
        for content in FILES.iter().filter(|content| content.contains("alpha") || content.contains("model")) {
            let place = Place::with(content);
            install(target, &place.file, &command(target, "/usr/bin/doorward")).unwrap();
            let edited = place.text().replacen('{', "{\"mine\" : [ 1 ,2.0 ],", 1);
            fs::write(&place.file, &edited).unwrap();
            // An upgrade keeps the user's change too.
            install(target, &place.file, &command(target, "/opt/doorward")).unwrap();
            uninstall(target, &place.file).unwrap();
            let now = place.text();
            assert!(now.starts_with("{\"mine\" : [ 1 ,2.0 ],"), "{now}");
            let without: Value =
                serde_json::from_str(&now.replacen("\"mine\" : [ 1 ,2.0 ],", "", 1)).unwrap();
            let mut before: Value = serde_json::from_str(content).unwrap();
            before["version"] = without["version"].clone();
            let mut without = without;
            without["version"] = before["version"].clone();
            assert_eq!(without, before, "{:?}", target.client);
            assert_eq!(place.files(), std::slice::from_ref(&place.file));
        }
        let place = Place::new();
        install(target, &place.file, &command(target, "/usr/bin/doorward")).unwrap();
        fs::write(&place.file, place.text().replacen('{', "{\"mine\": 1,", 1)).unwrap();
        uninstall(target, &place.file).unwrap();
        let now: Value = serde_json::from_str(&place.text()).unwrap();
        assert_eq!(now["mine"], 1, "{:?}", target.client);
        assert!(now.get("hooks").is_none(), "{:?}", target.client);
    }
}

#[test]
fn a_later_installation_keeps_what_it_found_and_not_what_an_earlier_one_found() {
    let target = targets().next().unwrap();
    let place = Place::with("{\"first\": 1}");
    install(target, &place.file, &command(target, "/usr/bin/doorward")).unwrap();
    // The user removed the hook by hand and wrote other settings.
    fs::write(&place.file, "{\"second\":2}").unwrap();
    let second = install(target, &place.file, &command(target, "/usr/bin/doorward")).unwrap();
    assert_eq!(fs::read_to_string(second.backup.unwrap()).unwrap(), "{\"second\":2}");
    uninstall(target, &place.file).unwrap();
    assert_eq!(place.text(), "{\"second\":2}");
}

#[test]
fn layout_links_and_permissions_stay_while_the_hook_is_in() {
    let target = targets().next().unwrap();
    let place = Place::with("{\n\t\"zeta\" : 1.50e3,\n\t\"alpha\": [ 1,2 ]\n}\n");
    fs::set_permissions(&place.file, fs::Permissions::from_mode(0o600)).unwrap();
    let link = place.dir.path().join("link.json");
    std::os::unix::fs::symlink(&place.file, &link).unwrap();
    install(target, &link, &command(target, "/usr/bin/doorward")).unwrap();
    assert!(
        place.text().starts_with("{\n\t\"zeta\" : 1.50e3,\n\t\"alpha\": [ 1,2 ],\n\t\"hooks\""),
        "{}",
        place.text()
    );
    let kept = link.with_file_name(format!("link.json.{}.before-doorward", target.client.as_str()));
    for file in [&place.file, &kept] {
        assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600, "{}", file.display());
    }
    uninstall(target, &link).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&place.file).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_file_that_cannot_be_read_as_settings_is_left_alone() {
    for target in targets() {
        for content in
            ["{ // comment\n}", "[1]", "{\"hooks\": 3}", "{\"hooks\": {\"PreToolUse\": 1, \"preToolUse\": 1"]
        {
            // Gemini's settings may contain comments.
            if content.contains("//") && target.client == doorward_core::tool::Client::GeminiCli {
                continue;
            }
            let place = Place::with(content);
            let error = install(target, &place.file, &command(target, "/usr/bin/doorward")).unwrap_err();
            assert!(error.to_string().starts_with("install."), "{error}");
            assert_eq!(place.text(), content);
            assert_eq!(place.files(), std::slice::from_ref(&place.file), "nothing beside it");
        }
    }
}
