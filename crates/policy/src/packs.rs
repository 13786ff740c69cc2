//! Built-in policy packs.

use doorward_settings::OnNoMatch;

use crate::cedar::Source;
use crate::shorthand::{RuleSource, RuleSources};

/// A named set of policies and rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pack {
    /// Its name in `policy.packs`.
    pub name: &'static str,
    /// Cedar text.
    pub text: &'static str,
    /// The pack's own decision for calls that nothing in it permits, if it has one.
    pub on_no_match: Option<OnNoMatch>,
    /// Commands that it asks about.
    ask: &'static [&'static str],
}

/// With one of these options, the commands of the packs' ask rules publish nothing: npm-publish(1) 10,
/// cargo-publish(1) 1.80.
const REHEARSALS: &[&str] = &["--dry-run"];

/// All packs.
pub const PACKS: &[Pack] = &[
    Pack {
        name: "coding-agent",
        text: include_str!("../../../policies/coding-agent.cedar"),
        on_no_match: Some(OnNoMatch::Mode),
        // Publishing can't be undone.
        ask: &[
            "shell(npm publish *)",
            "shell(pnpm publish *)",
            "shell(yarn publish *)",
            "shell(cargo publish *)",
            "shell(twine upload *)",
            "shell(gem push *)",
            "shell(docker push *)",
            // Actions on a forge that affect other people.
            "shell(gh pr merge *)",
            "shell(gh pr close *)",
            "shell(gh issue close *)",
            "shell(gh api -X PUT *)",
            "shell(gh api --method PUT *)",
            "shell(glab mr merge *)",
            "shell(glab mr close *)",
            "shell(glab issue close *)",
            "shell(tea pulls merge *)",
            "shell(tea pr merge *)",
        ],
    },
    Pack {
        name: "seed-contract",
        text: include_str!("../../../policies/seed-contract.cedar"),
        on_no_match: Some(OnNoMatch::Deny),
        ask: &[],
    },
];

impl Pack {
    /// The pack of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        PACKS.iter().find(|pack| pack.name == name).copied()
    }

    /// Its policies.
    #[must_use]
    pub fn source(&self) -> Source {
        Source::new(format!("pack:{}", self.name), self.text)
    }

    /// Its rules.
    #[must_use]
    pub fn rules(&self) -> Vec<RuleSource> {
        let mut rules = RuleSources::lists(&[], self.ask, &[]).rules;
        for rule in &mut rules {
            rule.unless = REHEARSALS;
            rule.of_pack = true;
        }
        rules
    }
}

/// The strictest `on_no_match` of packs and settings. A pack's own value replaces the surface's default.
#[must_use]
pub fn on_no_match(packs: &[Pack], configured: Option<OnNoMatch>, surface: OnNoMatch) -> OnNoMatch {
    let mut said = packs.iter().filter_map(|pack| pack.on_no_match).chain(configured).peekable();
    if said.peek().is_none() {
        return surface;
    }
    if said.any(|one| one == OnNoMatch::Deny) { OnNoMatch::Deny } else { OnNoMatch::Mode }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cedar::Compiled;

    #[test]
    fn every_pack_loads_without_a_warning() {
        for pack in PACKS {
            let rules = RuleSources { rules: pack.rules(), home: None };
            let set = Compiled::load(&[pack.source()], &rules, pack.on_no_match.unwrap()).unwrap();
            assert_eq!(set.lints(), [], "{}", pack.name);
        }
    }

    #[test]
    fn the_stricter_answer_to_no_match_wins() {
        let (agent, seed) = (Pack::named("coding-agent").unwrap(), Pack::named("seed-contract").unwrap());
        use OnNoMatch::{Deny, Mode};
        for (packs, configured, surface, expected) in [
            (&[][..], None, Deny, Deny),
            (&[], None, Mode, Mode),
            (&[], Some(Mode), Deny, Mode),
            (&[agent], None, Deny, Mode),
            (&[seed], Some(Mode), Mode, Deny),
            (&[agent, seed], None, Mode, Deny),
        ] {
            assert_eq!(on_no_match(packs, configured, surface), expected);
        }
    }
}
