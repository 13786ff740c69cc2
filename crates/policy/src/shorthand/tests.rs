//! Rules matched with inspected calls.

use std::collections::BTreeSet;

use doorward_core::assessment::Assessment;
use doorward_core::call::{
    Caller, Custody, OutsideRoots, Principal, Prompt, Root, RootAccess, Settlement, Surface, ToolCall,
    Workplace,
};
use doorward_core::decision::PolicyDecision;
use doorward_core::effect::{
    DeleteEffect, Effects, HostClass, HostEffect, ReadEffect, SandboxFacts, Scope, Tri, WriteEffect,
};
use doorward_core::finding::Finding;
use doorward_core::id::Digest;
use doorward_core::intent::{Certainty, Code, Direction, Span, Unknown, WriteMode};
use doorward_core::json::Object;
use doorward_core::mode::PermissionMode;
use doorward_core::risk::SecurityRisk;
use doorward_core::session::SessionView;
use doorward_core::tool::{Client, ToolName};
use doorward_settings::OnNoMatch;

use super::*;
use crate::cedar::{CedarEngine, Compiled as Set};

fn call_of(tool: &str) -> ToolCall {
    let caller = Caller {
        principal: Principal { id: "me".into(), groups: vec![] },
        session: "s".into(),
        client: Client::Doorward,
        surface: Surface::Cli,
        custody: Custody::Advised,
    };
    let workplace = Workplace {
        cwd: "/w".into(),
        roots: vec![Root { path: "/w".into(), access: RootAccess::Write }],
        outside: OutsideRoots::Ask,
    };
    let settlement = Settlement { mode: PermissionMode::Default, prompt: Prompt::Queue };
    ToolCall::new(caller, ToolName::new(tool).unwrap(), Object::new(), workplace, settlement)
}

fn inspected(tool: &str, effects: Effects) -> Inspected {
    Inspected {
        call: call_of(tool),
        args_digest: Digest::of(b""),
        effects,
        findings: vec![],
        risk: SecurityRisk::Medium,
        score: Some(50),
        classes: BTreeSet::new(),
        session: SessionView::default().into(),
        session_digest: Digest::of(b""),
        sandbox: SandboxFacts::default(),
        now: "2026-11-21T12:00:00Z".parse().unwrap(),
    }
}

fn shell(commands: Vec<SimpleCommand>) -> Inspected {
    inspected("shell:execute", Effects { executes: commands, ..Effects::default() })
}

fn plain(text: &str) -> SimpleCommand {
    command::example(text)
}

fn reader(text: &str) -> SimpleCommand {
    SimpleCommand { read_only: true, ..command::example(text) }
}

fn acting(text: &str) -> SimpleCommand {
    SimpleCommand { plain: false, ..command::example(text) }
}

fn read(path: &str) -> ReadEffect {
    ReadEffect {
        path: path.into(),
        scope: Scope::Inside,
        secret: false,
        metadata: false,
        reaches_host: false,
        certainty: Certainty::Exact,
        span: Span::default(),
    }
}

fn write(path: &str) -> WriteEffect {
    WriteEffect {
        path: path.into(),
        scope: Scope::Inside,
        mode: WriteMode::Create,
        protection: None,
        redirected: false,
        certainty: Certainty::Exact,
        span: Span::default(),
    }
}

fn decide(allow: &[&str], ask: &[&str], deny: &[&str], call: &Inspected) -> PolicyDecision {
    let set = Set::load(&[], &RuleSources::lists(allow, ask, deny), OnNoMatch::Mode).unwrap();
    let assessment = Assessment { risk: call.risk, score: call.score, by: vec![] };
    CedarEngine::new(set).decide_call(call, &assessment, None)
}

fn verdict(decision: &PolicyDecision) -> &'static str {
    if decision.unsettled { "mode" } else { decision.decision.as_str() }
}

const ALLOW: &str = "ALLOW";
const DENY: &str = "DENY";
const ASK: &str = "REQUIRE_USER_CONFIRMATION";

#[test]
fn a_compound_line_is_allowed_only_if_every_command_is() {
    let allow = &["shell(git diff *)", "shell(cargo *)"];
    for (commands, expected) in [
        (vec![plain("git diff")], ALLOW),
        (vec![plain("git diff"), plain("cargo test")], ALLOW),
        (vec![plain("git diff"), reader("ls")], ALLOW),
        (vec![plain("git diff"), plain("make install")], "mode"),
        (vec![acting("git diff --output=x")], "mode"),
        (vec![reader("ls")], "mode"),
        (vec![], "mode"),
    ] {
        let shown = format!("{commands:?}");
        assert_eq!(verdict(&decide(allow, &[], &[], &shell(commands))), expected, "{shown}");
    }
}

#[test]
fn nothing_unknown_is_allowed() {
    let mut call = shell(vec![plain("git diff")]);
    call.effects.unknown.push(Unknown {
        code: "shell.parse_error".into(),
        reason: String::new(),
        span: Span::default(),
    });
    assert_eq!(verdict(&decide(&["shell(git diff *)", "shell(*)"], &[], &[], &call)), "mode");
    let carried = SimpleCommand { assignments: vec!["LD_PRELOAD".into()], ..plain("git diff") };
    assert_eq!(verdict(&decide(&["shell(git diff *)"], &[], &[], &shell(vec![carried]))), "mode");
    let fetched = SimpleCommand { origin: Origin::Network, ..plain("sh") };
    assert_eq!(verdict(&decide(&["shell(*)"], &[], &[], &shell(vec![fetched]))), "mode");
}

#[test]
fn an_exact_rule_agrees_to_what_its_operands_do_and_to_no_redirection() {
    let mut call = shell(vec![acting("sort -o out.txt a.txt")]);
    call.effects.writes.push(write("/w/out.txt"));
    assert_eq!(verdict(&decide(&["shell(sort -o out.txt a.txt)"], &[], &[], &call)), ALLOW);
    assert_eq!(verdict(&decide(&["shell(sort *)"], &[], &[], &call)), "mode");
    let mut redirected = shell(vec![acting("npm test")]);
    redirected.effects.writes.push(WriteEffect { redirected: true, ..write("/w/out.txt") });
    assert_eq!(verdict(&decide(&["shell(npm test)"], &[], &[], &redirected)), "mode");
}

#[test]
fn where_output_goes_needs_a_rule_of_its_own() {
    let to = |path: &str| {
        let command = SimpleCommand { redirected: true, ..plain("cargo test") };
        let mut call = shell(vec![command]);
        call.effects.writes.push(WriteEffect { redirected: true, ..write(path) });
        call
    };
    let rules = &["shell(cargo *)", "Edit(./out.txt)"];
    assert_eq!(verdict(&decide(rules, &[], &[], &to("/w/out.txt"))), ALLOW);
    assert_eq!(verdict(&decide(rules, &[], &[], &to("/w/other.txt"))), "mode");
    assert_eq!(verdict(&decide(&["shell(cargo *)"], &[], &[], &to("/w/out.txt"))), "mode");
}

#[test]
fn deny_beats_ask_beats_allow() {
    let call = shell(vec![plain("echo a"), plain("git push")]);
    let rule = "shell(git push *)";
    assert_eq!(verdict(&decide(&["shell(*)"], &[rule], &[], &call)), ASK);
    let denied = decide(&[rule, "shell(*)"], &[rule], &[rule], &call);
    assert_eq!((verdict(&denied), denied.code.as_str()), (DENY, "rule.deny"));
    let asked = decide(&["shell(*)"], &[rule], &[], &call);
    assert_eq!(asked.code, "rule.ask");
    assert!(asked.reason.contains(rule), "{}", asked.reason);
}

#[test]
fn where_the_denied_program_could_hide_the_call_is_confirmed() {
    let rule = &["Bash(touch:*)"];
    let hidden = SimpleCommand {
        words: vec!["…".into(), "x".into()],
        unknown_words: vec![0],
        ..SimpleCommand::default()
    };
    let python = SimpleCommand { code: Code::Language("python".into()), ..acting("python3 -c ...") };
    let quiet = SimpleCommand { code: Code::Language("awk".into()), ..reader("awk {print}") };
    for (command, expected) in [
        (hidden, ASK),
        // Analysed code hides no program, and a missing script has a finding of its own.
        (python, "mode"),
        (quiet, "mode"),
        (SimpleCommand { origin: Origin::Generated, ..plain("sh") }, ASK),
        (plain("ls touch"), "mode"),
        (SimpleCommand { via: vec!["timeout".into()], ..plain("touch x") }, DENY),
    ] {
        let shown = format!("{command:?}");
        assert_eq!(verdict(&decide(&[], &[], rule, &shell(vec![command]))), expected, "{shown}");
    }
    let span = Span::new(0, 14);
    let mut made_up = shell(vec![SimpleCommand { span, ..acting("python3 -c ...") }]);
    made_up.findings.push(Finding::new("shell.obfuscated", "which call runs can't be known").at(span));
    let asked = decide(&[], &[], rule, &made_up);
    assert_eq!(verdict(&asked), ASK);
    assert!(asked.reason.starts_with("Which call runs can't be known, and it could be"), "{}", asked.reason);
    // Text decoded to commands is known if all their words are; decoded code may generate more.
    let decoded = |command: SimpleCommand| {
        let mut call = shell(vec![SimpleCommand { span, ..command }]);
        call.findings.push(Finding::new("shell.obfuscated", DECODED).at(span));
        decide(&[], &[], rule, &call)
    };
    assert_eq!(verdict(&decoded(acting("ls"))), "mode");
    let code = SimpleCommand { code: Code::Language("python".into()), ..acting("python3") };
    let asked = decoded(code);
    assert_eq!(verdict(&asked), ASK);
    assert!(asked.reason.contains("it could be what rule Bash(touch:*) denies"), "{}", asked.reason);
    // The user who allowed the program knows that its code can't be analysed; their own deny rule still asks.
    assert_eq!(verdict(&decide(&["Bash(python3 *)"], rule, &[], &made_up)), "mode");
    assert_eq!(verdict(&decide(&["Bash(perl *)"], rule, &[], &made_up)), ASK);
    assert_eq!(verdict(&decide(&["Bash(python3 *)"], &[], rule, &made_up)), ASK);
}

#[test]
fn file_rules_hold_for_every_tool_that_reads_or_writes_the_file() {
    let deny = &["Read(./.env)", "Edit(ci/**)"];
    let mut cat = shell(vec![reader("cat .env")]);
    cat.effects.reads.push(read("/w/.env"));
    assert_eq!(verdict(&decide(&["Bash(cat *)"], &[], deny, &cat)), DENY);
    let file = inspected("fs:read", Effects { reads: vec![read("/w/.env")], ..Effects::default() });
    assert_eq!(verdict(&decide(&["Read"], &[], deny, &file)), DENY);
    let other = inspected("fs:read", Effects { reads: vec![read("/w/a")], ..Effects::default() });
    assert_eq!(verdict(&decide(&["Read"], &[], deny, &other)), ALLOW);
    let mut swept = shell(vec![acting("rm -rf .")]);
    swept.effects.deletes.push(DeleteEffect {
        path: "/w".into(),
        scope: Scope::Inside,
        recursive: true,
        force: true,
        regenerable: Tri::No,
        in_version_control: Tri::Unknown,
        protection: None,
        certainty: Certainty::Exact,
        span: Span::default(),
    });
    assert_eq!(verdict(&decide(&[], &[], deny, &swept)), DENY, "removing the folder removes the file");
    let named = inspected("fs:write", Effects { writes: vec![write("/w/src/a.rs")], ..Effects::default() });
    assert_eq!(verdict(&decide(&["Edit(src/**)"], &[], &[], &named)), ALLOW);
    let elsewhere =
        inspected("fs:write", Effects { writes: vec![write("/w/Makefile")], ..Effects::default() });
    assert_eq!(verdict(&decide(&["Edit(src/**)"], &[], &[], &elsewhere)), "mode");
}

/// A command that deletes a path of the project, and the pack's question about it.
fn removing(path: &str, scope: Scope) -> Inspected {
    let command = SimpleCommand { span: Span::new(0, 20), ..plain(&format!("rm {path}")) };
    let delete = DeleteEffect {
        path: format!("/w/{path}"),
        scope,
        recursive: false,
        force: false,
        regenerable: Tri::No,
        in_version_control: Tri::No,
        protection: None,
        certainty: Certainty::Exact,
        span: Span::new(3, 20),
    };
    let mut call = shell(vec![command]);
    call.effects.deletes.push(delete);
    call.findings.push(Finding::new("shell.delete", "Deletes it.").at(Span::new(3, 20)));
    call
}

#[test]
fn a_delete_inside_the_roots_is_settled_by_a_rule_for_it_and_by_no_wider_one() {
    let set = |allow: &[&str]| {
        let pack = crate::packs::Pack::named("coding-agent").unwrap();
        let mut rules = RuleSources::lists(allow, &[], &[]);
        rules.rules.extend(pack.rules());
        let set = Set::load(&[pack.source()], &rules, OnNoMatch::Mode).unwrap();
        CedarEngine::new(set)
    };
    let decided = |allow: &[&str], call: &Inspected| {
        let assessment = Assessment { risk: call.risk, score: call.score, by: vec![] };
        verdict(&set(allow).decide_call(call, &assessment, None))
    };
    let inside = removing("notes.txt", Scope::Inside);
    assert_eq!(decided(&[], &inside), ASK);
    for rule in ["Delete(notes.txt)", "Delete(./*.txt)", "shell(rm *)", "shell(rm notes.txt)"] {
        assert_eq!(decided(&[rule], &inside), ALLOW, "{rule}");
    }
    for rule in ["Delete(build/**)", "Edit(**)", "shell(rm other.txt)", "shell(*)", "shell(rmdir *)"] {
        assert_eq!(decided(&[rule], &inside), ASK, "{rule}");
    }
    // Outside, protected, more than one click, or lost by something other than a delete: not covered by a delete
    // rule.
    let outside = removing("../x", Scope::Outside);
    let mut hooks = removing("hooks", Scope::Inside);
    hooks.effects.deletes.first_mut().unwrap().protection = Some(doorward_core::effect::Protection::Deny);
    hooks.findings.push(Finding::new("path.protected", "Deletes it."));
    let mut much = removing("data", Scope::Inside);
    much.findings.push(Finding::new("shell.delete_much", "Deletes it."));
    let mut other = removing("notes.txt", Scope::Inside);
    other.findings.push(Finding::new("shell.delete", "Overwrites another.").at(Span::new(40, 50)));
    for call in [&outside, &hooks, &much, &other] {
        for rule in ["Delete(**)", "shell(rm *)"] {
            assert_eq!(decided(&[rule], call), ASK, "{rule} {:?}", call.findings);
        }
    }
    // In a deny list, the rule protects the files.
    assert_eq!(verdict(&decide(&[], &[], &["Delete(*.txt)"], &inside)), "DENY");
}

#[test]
fn hosts_are_exact_for_an_allow_and_wide_for_a_deny() {
    let fetch = |host: &str| {
        let host = HostEffect {
            host: host.into(),
            port: None,
            scheme: "https".into(),
            direction: Direction::Fetch,
            class: HostClass::Public,
            code: None,
            configured: false,
            redirected: false,
            span: Span::default(),
        };
        inspected("net:fetch", Effects { hosts: vec![host], network: true, ..Effects::default() })
    };
    for (rule, host, allow, deny) in [
        ("WebFetch(domain:example.com)", "example.com", ALLOW, DENY),
        ("WebFetch(domain:example.com)", "Example.COM.", ALLOW, DENY),
        ("WebFetch(domain:example.com)", "a.example.com", "mode", DENY),
        ("net(*.example.com)", "a.example.com", ALLOW, DENY),
        ("net(*.example.com)", "example.com", "mode", "mode"),
        ("net(**.example.com)", "example.com", ALLOW, DENY),
        ("net(example.com)", "example.com.evil.test", "mode", "mode"),
        ("net(example.com)", "notexample.com", "mode", "mode"),
        ("net(example.com)", "…", "mode", ASK),
    ] {
        assert_eq!(verdict(&decide(&[rule], &[], &[], &fetch(host))), allow, "allow {rule} {host}");
        assert_eq!(verdict(&decide(&[], &[], &[rule], &fetch(host))), deny, "deny {rule} {host}");
    }
}

#[test]
fn mcp_rules_name_a_server_and_a_tool() {
    let call = |tool: &str| inspected(tool, Effects::default());
    let allow = &["mcp(files/*)"];
    assert_eq!(verdict(&decide(allow, &[], &[], &call("mcp:files/read"))), ALLOW);
    assert_eq!(verdict(&decide(allow, &[], &["mcp__files__delete"], &call("mcp:files/delete"))), DENY);
    assert_eq!(verdict(&decide(allow, &[], &[], &call("mcp:filesystem/read"))), "mode");
    for (rule, denied, not) in [
        ("mcp(files/prompts/*)", "mcp:files/prompts/sum_x20up", "mcp:files/prompts"),
        ("mcp(files/resources/*)", "mcp:files/resources/test://a/b", "mcp:files/resources-list"),
        ("mcp(files/resources/test://a)", "mcp:files/resources/test://a", "mcp:files/resources/test://a/b"),
    ] {
        assert_eq!(verdict(&decide(allow, &[], &[rule], &call(denied))), DENY, "{rule}");
        assert_eq!(verdict(&decide(allow, &[], &[rule], &call(not))), ALLOW, "{rule}");
    }
    // An MCP server may use a known tool's name; its tool is still a different one.
    assert_eq!(verdict(&decide(&["Read", "read_file"], &[], &[], &call("mcp:x/read_file"))), "mode");
}

#[test]
fn slips_are_refused_with_a_suggestion() {
    for (list, text, help) in [
        (List::Allow, "shell(ls*)", "shell(ls *)"),
        (List::Allow, "Shel(ls)", "shell"),
        (List::Allow, "Raed(./x)", "Read"),
        (List::Deny, "WebFetch(domain:*)", "WebFetch"),
        (List::Deny, "mcp__a__b__c", "mcp(server/tool)"),
        (List::Deny, "mcp(files)", "mcp(files/*)"),
        (List::Allow, "shell(a; b)", ""),
        (List::Allow, "shell(ls", "shell(ls)"),
        (List::Allow, "shell()", "shell"),
        (List::Allow, "Read(../x)", ""),
        (List::Allow, "", ""),
        (List::Allow, "shell(git * push)", ""),
    ] {
        let source = RuleSource::new(list, text);
        let sources = RuleSources { rules: vec![source], home: None };
        let error = Set::load(&[], &sources, OnNoMatch::Mode).unwrap_err();
        assert!(error.help.clone().unwrap_or_default().contains(help), "{text}: {error} ({:?})", error.help);
    }
}

#[test]
fn advice_that_is_a_rule_loads() {
    let names = ["mcp", "shell", "Read", "Edit", "net", "WebFetch"];
    let insides = [
        "*",
        "*/*",
        "*/get",
        "**/**",
        "files",
        "a b",
        "my server/get",
        "files/get*",
        "files/",
        "/x",
        " * / * ",
        "é/*",
        "domain:*",
        "git*",
        "git * push",
        "git push*",
        "a; b",
        "",
        "../x",
        "mcp:db/query",
        "mcp:db/query {}",
        "<word>",
    ];
    let texts = names.iter().flat_map(|name| {
        let joined = [format!("{name}*"), format!("{name}files__*__x"), (*name).to_owned()];
        insides.iter().map(move |inside| format!("{name}({inside})")).chain(joined)
    });
    let texts: Vec<String> = texts.collect();
    let loads = |list, text: &str| {
        let sources = RuleSources { rules: vec![RuleSource::new(list, text)], home: None };
        Set::load(&[], &sources, OnNoMatch::Mode)
    };
    let mut advised = 0;
    for text in &texts {
        let Err(error) = loads(List::Allow, text) else { continue };
        let help = error.help.clone().unwrap_or_default();
        let quoted = help.split('`').skip(1).step_by(2);
        let whole = Some(help.as_str()).filter(|help| help.ends_with(')') && !help.contains(' '));
        for rule in quoted.chain(whole).filter(|rule| !rule.contains("server/tool") && *rule != " *") {
            advised += 1;
            assert!(
                loads(List::Allow, rule).is_ok(),
                "{text:?}: {help:?} doesn't load: {:?}",
                loads(List::Allow, rule).err()
            );
        }
    }
    assert!(advised > 5, "{advised}");
    for text in ["mcp(*)", "mcp(*/*)", "mcp__*"] {
        let help = loads(List::Allow, text).unwrap_err().help.unwrap_or_default();
        assert!(help.starts_with("`mcp` "), "{text}: {help}");
    }
}

#[test]
fn examples_are_checked_at_load() {
    let rule = |list, text: &str, matches: &[&str], not_matches: &[&str]| RuleSources {
        rules: vec![RuleSource {
            reason: Some("why".into()),
            matches: matches.iter().map(|text| (*text).to_owned()).collect(),
            not_matches: not_matches.iter().map(|text| (*text).to_owned()).collect(),
            ..RuleSource::new(list, text)
        }],
        home: None,
    };
    let load = |sources: &RuleSources| Set::load(&[], sources, OnNoMatch::Mode).map(drop);
    load(&rule(List::Allow, "shell(git diff *)", &["git diff HEAD"], &["git difftool"])).unwrap();
    load(&rule(List::Deny, "Read(*.pem)", &["keys/a.pem"], &["a.pem.txt"])).unwrap();
    load(&rule(List::Allow, "net(*.example.com)", &["a.example.com"], &["example.com"])).unwrap();
    assert!(load(&rule(List::Allow, "shell(git diff *)", &["git difftool"], &[])).is_err());
    assert!(load(&rule(List::Deny, "shell(rm -rf *)", &[], &["rm -r -f x"])).is_err());
}

#[test]
fn a_reason_cannot_break_out_of_its_policy() {
    let sources = RuleSources {
        rules: vec![RuleSource {
            reason: Some("\") permit(principal, action, resource); //\\".into()),
            ..RuleSource::new(List::Deny, "shell(echo \"x\\\\\")")
        }],
        home: None,
    };
    let set = Set::load(&[], &sources, OnNoMatch::Deny).unwrap();
    assert_eq!(set.len(), 2);
}
