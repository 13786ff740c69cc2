//! Compares the index with the whole set: same verdict, same reasons, same errors. The benchmark does a million
//! pairs.

use crate::world;
use doorward_policy::cedar::{Compiled, Source};
use doorward_policy::shorthand::RuleSources;
use doorward_settings::OnNoMatch;

#[test]
fn leaving_policies_out_changes_nothing() {
    let mut dice = world::Dice(0x0dd_ba11);
    let mut codes = std::collections::BTreeMap::new();
    for round in 0..150 {
        let text = world::random_set(&mut dice);
        let on_no_match = if round % 2 == 0 { OnNoMatch::Mode } else { OnNoMatch::Deny };
        let set =
            Compiled::load(&[Source::new("random", text.clone())], &RuleSources::default(), on_no_match)
                .unwrap();
        for _ in 0..40 {
            let request = world::random_request(&mut dice);
            let whole = set.decide_unsliced(&request);
            assert_eq!(set.decide(&request), whole, "{request:?}\n{text}");
            *codes.entry(whole.code).or_insert(0) += 1;
        }
    }
    // The test is meaningful only if each of these outcomes occurs.
    for code in ["policy.permit", "policy.forbid", "policy.confirm", "policy.no_permit", "policy.error"] {
        assert!(codes.get(code).is_some_and(|count| *count > 50), "{code}: {codes:?}");
    }
}
