//! A small random world of policies and requests, in which all combinations occur and some of them err.

use std::fmt::Write as _;

use doorward_core::approval::{Grant, Presence, Reach};
use doorward_core::call::Principal;
use doorward_core::json::{Object, Value};
use doorward_core::risk::SecurityRisk;
use doorward_core::tool::ToolName;
use doorward_policy::facts::{EngineRequest, Facts, Presented};

/// A small seeded random generator.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end).unwrap()).unwrap()
    }

    pub(crate) fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

pub(crate) fn request(tool: ToolName, dice: &mut Dice) -> EngineRequest {
    let mut facts = Facts::at("2026-11-21T12:00:00Z".parse().unwrap());
    facts.risk = dice.one(&SecurityRisk::ALL);
    facts.score = facts.risk.band().map(|(low, _)| low);
    EngineRequest {
        principal: Principal { id: format!("user-{}", dice.below(50)), groups: vec![] },
        action: "tool:execute".to_owned(),
        tool,
        args: Object::new(),
        facts,
        presented: None,
    }
}

const NAMES: [&str; 6] =
    ["shell:execute", "python:execute", "fs:read", "fs:write", "mcp:files/read", "net:fetch"];
const CONDITIONS: [&str; 34] = [
    "context.args.env == \"a\"",
    "context.args.env == 1",
    "1 == context.args.n",
    "context.args has env",
    "context.args has env && context.args.env == \"a\"",
    "context.args has n && context.args.n > 1",
    "context.args.n > 1",
    "context.args.env like \"a*\"",
    "context.args has env && context.args.env like \"b*\"",
    "context.args.env == \"a\" || context.args.env == \"b\"",
    "context.args has env && (context.args.env == \"a\" || context.args.env == \"b\")",
    "[\"a\", \"b\"].contains(context.args.env)",
    "[1, true].contains(context.args.n)",
    "context.effects.executes.contains(\"ls\")",
    "context.effects.executes.containsAny([\"ls\", \"rm\"])",
    "[\"ls\", \"rm\"].containsAll(context.effects.executes)",
    "context.effects.executes.contains(\"ls\") || context.effects.executes.contains(\"rm\")",
    "!context.effects.executes.isEmpty()",
    "context.effects.executes.isEmpty()",
    "context.effects.network",
    "!context.effects.network",
    "!(context.effects.network || context.effects.privilege)",
    "context.effects.outside.reads.contains(\"/x\")",
    "context.risk.level == \"HIGH\"",
    "!context.risk.known",
    "context.risk.score > 50",
    "context.risk has score && context.risk.score > 50",
    "context.session.turn > 3 && context.args.env == \"a\"",
    "context.session.taints.contains(\"t\")",
    "principal in Group::\"g1\"",
    "principal == User::\"u1\"",
    "context.count.c >= 2",
    "context.args.n + 9223372036854775807 > 0",
    "if context.effects.network then context.args.env == \"a\" else true",
];
const APPROVALS: [&str; 5] = [
    "context has approval",
    "context has approval && context.approval.level >= 2",
    "context has approval && context.approval.by != principal",
    "context has approval && context.approval.by in Group::\"g2\"",
    "context.approval.level >= 1",
];
const PRINCIPALS: [&str; 5] = [
    "principal",
    "principal == User::\"u1\"",
    "principal in Group::\"g1\"",
    "principal in User::\"u2\"",
    "principal is User in Group::\"g2\"",
];
const ACTIONS: [&str; 7] = [
    "action",
    "action == Action::\"shell:execute\"",
    "action in Action::\"tool:execute\"",
    "action in Action::\"code:execute\"",
    "action in [Action::\"fs:read\", Action::\"tool:list\"]",
    "action == Action::\"tool:execute\"",
    "action == Action::\"mcp:files/read\"",
];
const RESOURCES: [&str; 7] = [
    "resource",
    "resource == Tool::\"fs:read\"",
    "resource in ToolClass::\"Execute\"",
    "resource in ToolClass::\"Mcp\"",
    "resource in Server::\"files\"",
    "resource is Tool",
    "resource is Tool in ToolClass::\"Edit\"",
];

pub(crate) fn random_set(dice: &mut Dice) -> String {
    let mut text = String::new();
    for nth in 0..1 + dice.below(12) {
        let forbid = dice.chance(50);
        let mut clauses = String::new();
        for _ in 0..dice.below(3) {
            let mut condition = dice.one(&CONDITIONS).to_owned();
            if dice.chance(40) {
                let op = dice.one(&["&&", "||"]);
                condition = format!("({condition}) {op} ({})", dice.one(&CONDITIONS));
            }
            write!(clauses, " {} {{ {condition} }}", dice.one(&["when", "unless"])).unwrap();
        }
        let mut marks = String::new();
        if dice.chance(30) {
            write!(clauses, " unless {{ {} }}", dice.one(&APPROVALS)).unwrap();
            if forbid {
                marks.push_str("@confirm(\"click\") ");
            }
        }
        if dice.chance(10) {
            marks.push_str("@mode(\"log_only\") ");
        }
        let scope = [dice.one(&PRINCIPALS), dice.one(&ACTIONS), dice.one(&RESOURCES)].join(", ");
        let effect = if forbid { "forbid" } else { "permit" };
        writeln!(
            text,
            "@id(\"p{nth}\") {marks}@obligations(\"notify(to=n{nth})\") {effect}({scope}){clauses};"
        )
        .unwrap();
    }
    text
}

pub(crate) fn random_request(dice: &mut Dice) -> EngineRequest {
    let mut request = request(ToolName::new(dice.one(&NAMES)).unwrap(), dice);
    request.action = dice.one(&["tool:execute", "tool:execute", "tool:list"]).to_owned();
    request.principal.id = dice.one(&["u1", "u2", "u3"]).to_owned();
    request.principal.groups =
        ["g1", "g2"].iter().filter(|_| dice.chance(50)).map(|group| (*group).to_owned()).collect();
    let values = [
        "\"a\"",
        "\"b\"",
        "\"ab\"",
        "1",
        "2",
        "1.5",
        "1e300",
        "true",
        "null",
        "[1]",
        "{\"x\":1}",
        "\"1e+300\"",
    ];
    for name in ["env", "n"] {
        if dice.chance(70) {
            request.args.insert(name.to_owned(), Value::parse(dice.one(&values)).unwrap());
        }
    }
    let effects = &mut request.facts.effects;
    for program in ["ls", "rm", "cat"] {
        if dice.chance(35) {
            effects.executes.insert(program.to_owned());
        }
    }
    effects.network = dice.chance(50);
    effects.privilege = dice.chance(20);
    if dice.chance(30) {
        effects.outside.reads.insert("/x".to_owned());
    }
    request.facts.session.turn = i64::try_from(dice.below(8)).unwrap();
    if dice.chance(40) {
        request.facts.session.taints.insert("t".to_owned());
    }
    if dice.chance(60) {
        request.facts.count.insert("c".to_owned(), i64::try_from(dice.below(4)).unwrap());
    }
    if dice.chance(25) {
        let binding = doorward_testing::binding();
        let grant = Grant {
            nonce: "n".to_owned(),
            binding: binding.clone(),
            level: u8::try_from(1 + dice.below(3)).unwrap(),
            by: dice.one(&["u1", "u2", "boss"]).to_owned(),
            by_groups: vec![dice.one(&["g1", "g2"]).to_owned()],
            presence: Presence::Passphrase,
            at: request.facts.now,
            expires: if dice.chance(80) { jiff::Timestamp::MAX } else { request.facts.now },
            reach: Reach::Once,
            uses_left: Some(1),
        };
        request.presented = Some(Presented { grant, binding: Some(binding) });
    }
    request
}
