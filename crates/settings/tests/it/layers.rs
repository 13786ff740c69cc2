//! Merging of realistic layers.

use doorward_core::PermissionMode;
use doorward_settings::{Layer, LayerKind, OnNoMatch, Settings, SettingsError};

fn load(layers: &[(LayerKind, &str)]) -> Result<Settings, SettingsError> {
    let layers: Vec<Layer> =
        layers.iter().map(|(kind, text)| Layer::new(*kind, "doorward.toml", *text)).collect();
    Settings::load(&layers).map(|loaded| loaded.settings)
}

use LayerKind::{Admin, Project, User};

#[test]
fn no_layer_is_the_default() {
    assert_eq!(load(&[]).unwrap(), Settings::default());
}

#[test]
fn later_layers_win_and_lists_of_rules_join() {
    let settings = load(&[
        (Admin, "[modes]\ndisable_bypass = true\n[rules]\ndeny = ['shell(curl *)']"),
        (User, "[modes]\ndefault = 'acceptEdits'\n[rules]\nallow = ['Read']\ndeny = ['shell(rm *)']"),
        (Project, "[rules]\nask = ['shell(git push *)']\ndeny = ['shell(rm *)', 'Edit(ci/**)']"),
    ])
    .unwrap();
    assert_eq!(settings.modes.default, PermissionMode::AcceptEdits);
    assert!(settings.modes.disable_bypass);
    let denied: Vec<&str> = settings.rules.deny.iter().map(doorward_settings::Rule::text).collect();
    assert_eq!(denied, ["shell(rm *)", "Edit(ci/**)", "shell(curl *)"]);
}

#[test]
fn a_project_can_tighten_and_nothing_else() {
    for (text, allowed) in [
        ("[modes]\ndefault = 'plan'", true),
        ("[modes]\ndefault = 'dontAsk'", false),
        ("[modes]\nmax = 'default'", true),
        ("[modes]\ndisable_bypass = true", true),
        ("[modes]\ndisableBypass = true", true),
        ("[modes]\ndont_ask = 'deny'", true),
        ("[modes]\nobserve_until = '2026-01-01T00:00:00Z'", false),
        ("[rules]\nallow = ['shell(*)']", false),
        ("[rules]\ndeny = ['shell(*)']", true),
        ("[confirm]\npolicy = { kind = 'AlwaysConfirm' }", true),
        ("[confirm]\npolicy = { kind = 'NeverConfirm' }", false),
        ("[confirm]\npolicy = { kind = 'ConfirmRisky', threshold = 'MEDIUM' }", true),
        ("[confirm]\npolicy = { kind = 'ConfirmRisky', confirm_unknown = false }", false),
        ("[policy]\non_no_match = 'deny'", true),
        ("[policy]\non_no_match = 'mode'", false),
        ("[policy]\npacks = ['seed-contract']", false),
        ("[policy]\nfiles = ['x.cedar']", false),
        ("[net]\nallowed_hosts = ['localhost:80=127.0.0.0/8']", false),
        ("[net]\nallowedHosts = ['localhost:80=127.0.0.0/8']", false),
        ("[net]\nextraBlockedHosts = ['evil.test']", true),
        ("[net]\ndangerously_allow_metadata = true", false),
        ("[net]\nmax_redirects = 3", true),
        ("[net]\nmax_redirects = 30", false),
        ("[paths]\nextra_roots = ['/etc']", false),
        ("[paths]\nroots = 'ask'", false),
        ("[paths]\nroots = 'strict'", true),
        ("[sandbox]\nmin_tier = 'full'", true),
        ("[sandbox]\nmin_tier = 'none'", false),
        ("[sandbox]\nwall_s = 30", true),
        ("[sandbox]\nwall_s = 31", false),
        ("[sandbox]\nmemory_mb = 512", true),
        ("[sandbox]\nmemory_mb = 513", false),
        ("[hooks]\nrelieve = 'proven'", false),
        ("[guardian]\nmodel = 'evil/yes'", false),
        ("[guardian]\nbase_url = 'http://127.0.0.1:1'", false),
        ("[guardian]\ndeny_at = 90", true),
        ("[guardian]\nprompt_at = 95", false),
        ("[ledger]\noutcome_s = 172800", false),
        ("[service]\nhttp_port = 1", false),
        ("[store]\nurl = 'postgres://elsewhere'", false),
    ] {
        match load(&[(Project, text)]) {
            Ok(_) => assert!(allowed, "{text} was let through"),
            Err(error) => {
                assert!(!allowed, "{text}: {error}");
                assert_eq!(error.code_word(), "settings.loosens", "{text}: {error}");
            }
        }
    }
}

#[test]
fn a_project_cannot_unset_what_is_set_above_it() {
    let error =
        load(&[(User, "[modes]\ndisable_bypass = true"), (Project, "[modes]\ndisable_bypass = false")]);
    assert_eq!(error.unwrap_err().code_word(), "settings.loosens");
}

#[test]
fn mistakes_point_at_the_text() {
    for (text, code, needle) in [
        ("[modes]\nmaxx = 'plan'", "settings.unknown_key", "modes.maxx"),
        ("[rules]\ndenied = []", "settings.unknown_key", "rules.denied"),
        ("[hook]\nask = 'client'", "settings.unknown_key", "hook"),
        ("[modes]\ndefault = 'yolo'", "settings.value", "modes.default"),
        (
            "[confirm]\npolicy = { kind = 'ConfirmRisky', treshold = 'LOW' }",
            "settings.unknown_key",
            "treshold",
        ),
        (
            "[confirm]\npolicy = { kind = 'ConfirmRisky', threshold = 'UNKNOWN' }",
            "settings.conflict",
            "UNKNOWN",
        ),
        ("[rules]\nallow = [{ rule = 'Read', mach = [] }]", "settings.unknown_key", "mach"),
        // Keys that are planned but not implemented are refused.
        ("[counters.m]\ntool = 'mcp:a/b'\nwindow = '1h'", "settings.unknown_key", "counters"),
        ("[ledger]\nhmac = true", "settings.unknown_key", "hmac"),
        ("[ledger]\nrequired = true", "settings.unknown_key", "required"),
        ("modes = 3", "settings.value", "modes"),
        ("[modes", "settings.syntax", ""),
    ] {
        let error = load(&[(User, text)]).unwrap_err();
        assert_eq!(error.code_word(), code, "{text}: {error}");
        assert!(error.to_string().contains(needle), "{text}: {error}");
        let drawn = format!("{:?}", miette::Report::new(error));
        assert!(code == "settings.conflict" || drawn.contains("doorward.toml"), "{drawn}");
    }
    let error = load(&[(User, "[modes]\ndisable_bypas = true")]).unwrap_err();
    assert!(format!("{:?}", miette::Report::new(error)).contains("disable_bypass"));
}

#[test]
fn managed_only_leaves_no_allow_but_the_admins() {
    let settings = load(&[
        (User, "[rules]\nallow = ['shell(*)']"),
        (Admin, "[rules]\nmanaged_only = true\nallow = ['Read']"),
    ])
    .unwrap();
    assert_eq!(settings.rules.allow.len(), 1);
    assert_eq!(settings.rules.allow[0].text(), "Read");
}

#[test]
fn callers_vouch_for_obligations_by_name() {
    let text = "[obligations]\nrunner = ['sandbox', 'redact_output']\n\"*\" = ['log_output']";
    let settings = load(&[(User, text)]).unwrap();
    assert_eq!(settings.obligations.of("runner"), ["sandbox", "redact_output", "log_output"]);
    assert_eq!(settings.obligations.of("somebody"), ["log_output"]);
    assert!(load(&[(User, "[obligations]\nrunner = ['sandboxx']")]).is_err());
}

#[test]
fn explain_names_the_layer_of_every_key() {
    let loaded = Settings::load(&[
        Layer::new(User, "u.toml", "[policy]\non_no_match = 'mode'"),
        Layer::new(Admin, "a.toml", "[policy]\non_no_match = 'deny'"),
    ])
    .unwrap();
    assert_eq!(loaded.settings.policy.on_no_match, Some(OnNoMatch::Deny));
    let rows = loaded.explain();
    let row = rows.iter().find(|row| row.key == "policy.on_no_match").unwrap();
    assert_eq!(row.layers, [(Admin, "a.toml".to_owned())]);
    let built_in = rows.iter().find(|row| row.key == "net.max_redirects").unwrap();
    assert!(built_in.layers.is_empty());
}

#[test]
fn the_identity_follows_the_content() {
    let of = |text: &str| Settings::load(&[Layer::new(User, "u.toml", text)]).unwrap().identity;
    assert_eq!(of("[modes]\nmax = 'plan'"), of("[modes]\nmax = 'plan'"));
    assert_ne!(of("[modes]\nmax = 'plan'"), of("[modes]\nmax = 'default'"));
}

#[test]
fn the_schema_for_editors_knows_every_section() {
    let schema = Settings::schema().json_schema();
    let own = serde_json::to_value(Settings::default()).unwrap();
    for section in own.as_object().unwrap().keys() {
        assert!(schema["properties"][section].is_object(), "{section}");
    }
}
