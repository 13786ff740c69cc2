//! Settings and rules: text of the user, and of a project that the agent can write to.

use doorward_policy::shorthand::{RuleSet, RuleSources, common, generalised, reach};
use doorward_settings::{Layer, LayerKind, Settings};
use miette::GraphicalReportHandler;

/// Text in every layer: it loads, or is refused with an error that can be displayed at its position.
pub(super) fn check_settings(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    for kind in [LayerKind::User, LayerKind::Project, LayerKind::Admin] {
        let layers = [Layer::new(kind, "doorward.toml", text.clone())];
        match Settings::load(&layers) {
            Ok(loaded) => {
                let again = Settings::load(&layers).expect("what loaded once loads again");
                assert_eq!(again.identity, loaded.identity);
                let _ = loaded.explain();
                let _ =
                    RuleSet::compile(&RuleSources::of(&loaded.settings.rules, Some("/home/u".to_owned())));
            }
            Err(error) => {
                let mut drawn = String::new();
                GraphicalReportHandler::new()
                    .render_report(&mut drawn, &error)
                    .expect("an error that can be drawn");
            }
        }
    }
}

/// One rule per line: it compiles in each list, or is refused.
pub(super) fn check_rules(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().collect();
    for line in &lines {
        for sources in [
            RuleSources::lists(&[line], &[], &[]),
            RuleSources::lists(&[], &[line], &[]),
            RuleSources::lists(&[], &[], &[line]),
        ] {
            let compiled = RuleSet::compile(&sources);
            assert!(
                compiled.is_err() || !compiled.is_ok_and(|set| set.is_empty()),
                "{line:?} is a rule of nothing"
            );
        }
        let _ = (reach(line), generalised(line));
    }
    if let [one, other, ..] = lines.as_slice() {
        let _ = common(one, other);
    }
}
