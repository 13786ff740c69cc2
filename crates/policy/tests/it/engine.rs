//! The engine: errors of loading, trial policies, listing, and hostile input.

use doorward_core::call::Principal;
use doorward_core::decision::Verdict;
use doorward_core::json::Value;
use doorward_core::tool::ToolName;
use doorward_policy::cedar::{Compiled, Source};
use doorward_policy::facts::{EngineRequest, Facts};
use doorward_policy::shorthand::RuleSources;
use doorward_settings::OnNoMatch;

fn request(tool: &str, args: &str) -> EngineRequest {
    EngineRequest {
        principal: Principal { id: "user-123".into(), groups: vec!["editor".into()] },
        action: "tool:execute".into(),
        tool: ToolName::new(tool).unwrap(),
        args: Value::parse(args).unwrap().as_object().unwrap().clone(),
        facts: Facts::at("2026-11-21T12:00:00Z".parse().unwrap()),
        presented: None,
    }
}

fn load(text: &str) -> Compiled {
    Compiled::load(&[Source::new("t.cedar", text)], &RuleSources::default(), OnNoMatch::Deny)
        .unwrap_or_else(|error| panic!("{:?}", miette::Report::new(error)))
}

const ALL: &str = r#"@id("all") permit(principal, action, resource);"#;

#[test]
fn load_errors_point_at_the_text() {
    for (text, needle) in [
        ("@id(\"a\") permit(principal, action, resource) when { context. };", "t.cedar"),
        ("permit(principal, action, resource);", "@id"),
        (
            "@id(\"a\") permit(principal, action, resource);\n@id(\"a\") forbid(principal, action, resource);",
            "two policies",
        ),
        ("@id(\"a\") permit(principal == ?principal, action, resource);", "template"),
        ("@id(\"a\") @severity(\"huge\") permit(principal, action, resource);", "huge"),
        ("@id(\"mode.default\") permit(principal, action, resource);", "mode.default"),
        ("@id(\"rule.deny.0\") permit(principal, action, resource);", "rule."),
    ] {
        let error = Compiled::load(&[Source::new("t.cedar", text)], &RuleSources::default(), OnNoMatch::Deny)
            .unwrap_err();
        let drawn = format!("{:?}", miette::Report::new(error));
        assert!(drawn.contains(needle), "{text}\n{drawn}");
    }
}

#[test]
fn a_member_that_no_context_has_is_an_error_where_it_is_read() {
    let before = "// hostz is no member\n@id(\"hostz\") permit(principal, action, resource);\n";
    for (condition, name, help) in [
        ("when { context.effects.hostz.contains(\"x\") }", "hostz", "context.effects.hosts"),
        ("when { context . effects . Network }", "Network", "context.effects.network"),
        ("unless { context has approvals }", "approvals", "context.approval"),
        ("when { context.session[\"tainted\"].contains(\"x\") }", "tainted", "context.session"),
        ("when { context.risk.level == 3 }", "level", "one type"),
    ] {
        let text = format!("{before}@id(\"no\") forbid(principal, action, resource) {condition};\n");
        let source = Source::new("t.cedar", &text);
        let error = Compiled::load(&[source], &RuleSources::default(), OnNoMatch::Mode).unwrap_err();
        let (at, length) = (error.span.offset(), error.span.len());
        assert_eq!(text.get(at..at + length), Some(name), "{condition}: {error}");
        assert!(at > text.find("@id(\"no\")").unwrap(), "{condition}: in the policy that reads it");
        assert!(error.help.as_deref().unwrap_or_default().contains(help), "{:?}", error.help);
    }
}

#[test]
fn arguments_cannot_become_entities_or_calls() {
    let set = load(
        r#"@id("admin") permit(principal, action, resource) when { context.args.who == User::"admin" };
           @id("late") permit(principal, action, resource) when { context.args.at == datetime("2030-01-01") };"#,
    );
    for args in [
        r#"{"who":{"__entity":{"type":"User","id":"admin"}},"at":1}"#,
        r#"{"who":1,"at":{"__extn":{"fn":"datetime","arg":"2030-01-01"}}}"#,
        r#"{"who":{"__expr":"User::\"admin\""},"at":{"__expr":"datetime(\"2030-01-01\")"}}"#,
    ] {
        assert_eq!(set.decide(&request("fs:read", args)).decision, Verdict::Deny, "{args}");
    }
}

#[test]
fn hostile_arguments_are_denied_not_fatal() {
    let set = load(r#"@id("x") permit(principal, action, resource) when { context.args has a };"#);
    let deep = format!("{{\"a\":{}1{}}}", "[".repeat(60), "]".repeat(60));
    let wide = format!("{{\"a\":[{}]}}", vec!["\"x\""; 20_000].join(","));
    let odd = "{\"a\":\"\\u0000\\u202e\\uFFFF\",\"\":1,\" \":2,\"when { true }\":3}";
    for args in [deep.as_str(), wide.as_str(), odd] {
        assert_eq!(set.decide(&request("mcp:a/b", args)).decision, Verdict::Allow);
    }
    let mut strange = request("mcp:a/b", "{\"a\":1}");
    strange.action = "\"; permit".into();
    strange.principal.id = "\u{1}someone".into();
    strange.principal.groups = vec!["\"".into(), "\u{1}someone".into()];
    strange.facts.ip = Some("::ffff:10.0.0.1".into());
    assert_eq!(set.decide(&strange).decision, Verdict::Allow);
    // An action that equals its tool isn't a cycle.
    strange.action = "mcp:a/b".into();
    assert_eq!(set.decide(&strange).decision, Verdict::Allow);
}

#[test]
fn the_hypothetical_approver_is_nobody_who_calls() {
    let set = load(
        r#"@id("all") permit(principal, action, resource);
           @id("second") @confirm("second_person") forbid(principal, action, resource)
           unless { context has approval && context.approval.by != principal
                    && context.approval.by in Group::"ops" };"#,
    );
    for id in ["\u{1}someone", "\u{1}someone else", "user"] {
        let mut call = request("fs:read", "{}");
        call.principal.id = id.into();
        let decision = set.decide(&call);
        assert_eq!(decision.decision, Verdict::Confirm, "{id:?}");
        assert_eq!(decision.confirm.unwrap().level, 3);
    }
}

#[test]
fn the_level_asked_for_is_at_least_what_the_rule_checks() {
    let set = load(
        r#"@id("all") permit(principal, action, resource);
           @id("says.click") @confirm("click") forbid(principal, action, resource)
           unless { context has approval && context.approval.level >= 2 };"#,
    );
    let confirm = set.decide(&request("fs:read", "{}")).confirm.unwrap();
    assert_eq!(confirm.level, 2);
    assert!(!confirm.delegable);
}

#[test]
fn delegable_only_if_every_asking_rule_is() {
    let rule = |id: &str, marks: &str| {
        format!(
            "@id(\"{id}\") @confirm(\"click\") {marks} forbid(principal, action, resource) \
             unless {{ context has approval }};"
        )
    };
    let delegated = rule("a", "@delegate(\"guardian\")");
    let both = format!("{ALL}{delegated}{}", rule("b", ""));
    let one = format!("{ALL}{delegated}");
    assert!(load(&one).decide(&request("fs:read", "{}")).confirm.unwrap().delegable);
    assert!(!load(&both).decide(&request("fs:read", "{}")).confirm.unwrap().delegable);
}

#[test]
fn with_the_mode_only_what_no_rule_settles_is_unsettled() {
    let text = r#"@id("read") permit(principal, action, resource in ToolClass::"ReadOnly");
                  @id("no") forbid(principal, action == Action::"fs:delete", resource);
                  @id("ask") @confirm("click") forbid(principal, action == Action::"fs:write", resource)
                  unless { context has approval };"#;
    let set = Compiled::load(&[Source::new("t", text)], &RuleSources::default(), OnNoMatch::Mode).unwrap();
    for (tool, unsettled, code) in [
        ("fs:read", false, "policy.permit"),
        ("fs:delete", false, "policy.forbid"),
        ("fs:write", false, "policy.confirm"),
        ("shell:execute", true, "policy.no_permit"),
    ] {
        let decision = set.decide(&request(tool, "{}"));
        assert_eq!((decision.unsettled, decision.code.as_str()), (unsettled, code), "{tool}");
        assert!(decision.mode_applies);
        assert!(!decision.policies.contains(&"mode.default".to_owned()), "{tool}");
    }
}

#[test]
fn lints_say_what_cannot_work() {
    for (text, code) in [
        (
            r#"@id("x") permit(principal, action == Action::"tool:execute", resource);"#,
            "policy.never_matches",
        ),
        (r#"@id("x") permit(principal, action, resource in ToolClass::"Exec");"#, "policy.never_matches"),
        (r#"@id("x") permit(principal, action, resource == Server::"files");"#, "policy.never_matches"),
        (
            r#"@id("x") permit(principal, action == Action::"fs:read", resource in ToolClass::"Edit");"#,
            "policy.never_matches",
        ),
        (r#"@id("x") @reson("y") permit(principal, action, resource);"#, "policy.unknown_annotation"),
        (r#"@id("x") @confirm("click") forbid(principal, action, resource);"#, "policy.never_lifted"),
        (
            r#"@id("x") @confirm("click") forbid(principal, action, resource) unless { context has approval };"#,
            "policy.no_permit_behind",
        ),
        (
            r#"@id("a") permit(principal, action, resource); @id("x") forbid(principal, action, resource);"#,
            "policy.shadowed",
        ),
        (
            r#"@id("x") permit(principal, action, resource) when { context.args.path == "a" };"#,
            "policy.unguarded",
        ),
        (
            r#"@id("x") permit(principal, action, resource) when { context.args has p && context.args.p in ["a"] };"#,
            "policy.wrong_type",
        ),
    ] {
        let set = load(text);
        assert!(set.lints().iter().any(|lint| lint.code == code), "{text}: {:?}", set.lints());
    }
    let clean = r#"@id("a") permit(principal in Group::"g", action in Action::"tool:execute", resource)
                   when { context.args has path && context.args.path like "/w/*" };"#;
    assert_eq!(load(clean).lints(), []);
}

#[test]
fn the_identity_is_of_names_contents_rules_and_default() {
    let of = |sources: &[(&str, &str)], deny: &[&str], on_no_match| {
        let sources: Vec<Source> = sources.iter().map(|(name, text)| Source::new(*name, *text)).collect();
        Compiled::load(&sources, &RuleSources::lists(&[], &[], deny), on_no_match)
            .unwrap()
            .identity()
            .to_owned()
    };
    let other = r#"@id("b") permit(principal, action, resource);"#;
    let base = of(&[("a", ALL), ("b", other)], &[], OnNoMatch::Deny);
    assert!(base.starts_with("sha256:"));
    assert_eq!(base, of(&[("b", other), ("a", ALL)], &[], OnNoMatch::Deny), "order doesn't count");
    assert_ne!(base, of(&[("a", ALL), ("c", other)], &[], OnNoMatch::Deny));
    assert_ne!(base, of(&[("a", ALL), ("b", other)], &["shell(rm *)"], OnNoMatch::Deny));
    assert_ne!(base, of(&[("a", ALL), ("b", other)], &[], OnNoMatch::Mode));
}
