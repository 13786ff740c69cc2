//! What a run of the tests tells: each suite's whole output when it ends, and at the end what failed and what took long.

use std::time::Duration;

use super::pool::Ended;

/// Prints what a suite said, with what it was and how long it took.
pub(crate) fn told(suite: &Ended) {
    let word = match (&suite.failed, &suite.lacked) {
        (Some(_), _) => "FAILED",
        (None, Some(_)) => "LACKING",
        (None, None) => "ok",
    };
    println!("\n=== {} ({}): {word}\n{}", suite.name, times(suite), suite.output.trim_end());
}

fn times(suite: &Ended) -> String {
    format!("{} s, {} s of processor", seconds(suite.wall), seconds(suite.busy))
}

fn seconds(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f32())
}

/// How many lines of a suite that failed are said again at the end.
const LAST: usize = 40;

/// Prints every suite's time, the longest first, and gives what failed.
///
/// # Errors
/// The suites that failed, each with the tests in it that did.
pub(crate) fn closing(suites: &mut [Ended], took: Duration) -> Result<(), String> {
    suites.sort_by_key(|suite| std::cmp::Reverse(suite.wall));
    println!("\n   wall  processor  suite");
    for suite in suites.iter() {
        println!("{:>7} {:>10}  {}", seconds(suite.wall), seconds(suite.busy), suite.name);
    }
    let busy: Duration = suites.iter().map(|suite| suite.busy).sum();
    let counted: Vec<Counted> = suites.iter().map(|suite| Counted::of(&suite.output)).collect();
    let sum = |of: fn(&Counted) -> usize| counted.iter().map(of).sum::<usize>();
    let (passed, failed, ignored) =
        (sum(|counted| counted.passed), sum(|counted| counted.failed), sum(|counted| counted.ignored));
    println!(
        "xtask: {} suites in {} s, {} s of processor: {passed} tests passed, {failed} failed, {ignored} ignored",
        suites.len(),
        seconds(took),
        seconds(busy)
    );
    let wrong: Vec<String> =
        suites.iter().zip(&counted).filter_map(|(suite, counted)| wrong(suite, counted)).collect();
    if wrong.is_empty() { Ok(()) } else { Err(format!("these failed:\n  {}", wrong.join("\n  "))) }
}

/// What is wrong with a suite, with the names of its tests that failed.
fn wrong(suite: &Ended, counted: &Counted) -> Option<String> {
    let ran = counted.passed + counted.failed + counted.ignored;
    let why = match &suite.failed {
        Some(why) => why.clone(),
        // A process that ends early with success would hide the tests that it didn't come to.
        None if suite.lacked.is_none() && ran < suite.tests => {
            format!("only {ran} of {} tests ran", suite.tests)
        }
        None => return None,
    };
    let names =
        suite.output.lines().filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
    let names: Vec<String> = names.map(|name| format!("\n    {name}")).collect();
    Some(format!("{}: {why}{}{}", suite.name, names.concat(), last_words(&suite.output)))
}

/// The end of a suite's output once more: what failed stands at the end of a run, where people look first.
fn last_words(output: &str) -> String {
    let lines: Vec<&str> = output.lines().filter(|line| !line.trim().is_empty()).collect();
    let shown = lines.get(lines.len().saturating_sub(LAST)..).unwrap_or_default();
    shown.iter().map(|line| format!("\n    | {line}")).collect()
}

/// What the lines `test result: …` of an output say together.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counted {
    passed: usize,
    failed: usize,
    ignored: usize,
}

impl Counted {
    fn of(output: &str) -> Self {
        let mut counted = Self::default();
        for line in output.lines().filter_map(|line| line.strip_prefix("test result: ")) {
            for part in line.split(['.', ';']) {
                let mut words = part.split_whitespace();
                let number = words.next().and_then(|word| word.parse::<usize>().ok());
                match (number, words.next()) {
                    (Some(number), Some("passed")) => counted.passed += number,
                    (Some(number), Some("failed")) => counted.failed += number,
                    (Some(number), Some("ignored")) => counted.ignored += number,
                    _ => {}
                }
            }
        }
        counted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(output: &str, tests: usize, failed: Option<&str>) -> Ended {
        Ended {
            name: "shell units".into(),
            output: output.into(),
            tests,
            wall: Duration::from_secs(2),
            busy: Duration::from_secs(1),
            failed: failed.map(str::to_owned),
            lacked: None,
        }
    }

    const GREEN: &str = "test a ... ok\ntest result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 5 filtered out; finished in 0.10s\n";

    #[test]
    fn failures_are_named_and_a_suite_that_ran_too_little_is_one() {
        assert_eq!(Counted::of(GREEN), Counted { passed: 2, failed: 0, ignored: 1 });
        let took = Duration::from_secs(3);
        assert!(closing(&mut [ended(GREEN, 3, None)], took).is_ok());
        let few = closing(&mut [ended(GREEN, 4, None)], took).unwrap_err();
        assert!(few.contains("only 3 of 4 tests ran"), "{few}");
        let red = "test a::b ... FAILED\ntest result: FAILED. 0 passed; 1 failed; 0 ignored;\n";
        let red =
            closing(&mut [ended(red, 1, Some("exit status: 101")), ended(GREEN, 3, None)], took).unwrap_err();
        let lines: Vec<&str> = red.lines().collect();
        assert_eq!(lines[..3], ["these failed:", "  shell units: exit status: 101", "    a::b"]);
        assert_eq!(lines[3], "    | test a::b ... FAILED", "the suite's own words once more");
    }
}
