//! The notation of token formats (`gh(p|o)_ N{36}`) and its matcher.
//!
//! Elements are separated by one space: a class letter with a count (`N{36}`, `W{20,70}`, `D{1,}`), or a literal
//! with at most one group of alternatives. `\s` is a space, `UUID` a lower- or upper-case UUID. A shape is anchored
//! at its first literal; at most one class may come before it. Classes match greedily without backtracking: a
//! format that needs it gets its own check.

use crate::charset::{self, Set, at, is, run, run_back};

/// Upper limit of an open count (`{20,}`). The longest rule, and therefore the overlap of scan windows, depends on
/// it.
pub(crate) const LONGEST_RUN: usize = 8192;

/// A compiled shape.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    lead: Option<Repeat>,
    anchors: Vec<Vec<u8>>,
    rest: Vec<Element>,
}

#[derive(Debug, Clone)]
enum Element {
    Literal(Vec<Vec<u8>>),
    Repeat(Repeat),
}

/// A class and its count.
#[derive(Debug, Clone, Copy)]
struct Repeat {
    set: Set,
    min: usize,
    max: usize,
}

/// Position of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Matched {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// End of the literal at the beginning of the token (its public prefix).
    pub(crate) body: usize,
    /// Whether the last run continued beyond its maximum.
    pub(crate) overlong: bool,
}

impl Shape {
    /// Parses the notation. `None` if it is malformed; a test parses every shipped row.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.replace("UUID", "X{8} - X{4} - X{4} - X{4} - X{12}");
        let mut elements = text.split(' ').map(element).collect::<Option<Vec<_>>>()?.into_iter().peekable();
        let lead = match elements.peek()? {
            Element::Repeat(repeat) => Some(*repeat),
            Element::Literal(_) => None,
        };
        if lead.is_some() {
            elements.next();
        }
        match elements.next()? {
            Element::Literal(anchors) => Some(Self { lead, anchors, rest: elements.collect() }),
            Element::Repeat(_) => None,
        }
    }

    /// A shape of one class only, for values whose context was already found (`H{32}`).
    pub(crate) fn parse_value(text: &str) -> Option<Self> {
        Self::parse(text).or_else(|| match element(text)? {
            Element::Repeat(repeat) => Some(Self { lead: Some(repeat), anchors: vec![vec![]], rest: vec![] }),
            Element::Literal(_) => None,
        })
    }

    /// For the sieve: four byte sets that every match has at each of its anchors.
    pub(crate) fn quads(&self) -> Vec<[Set2; 4]> {
        self.anchors.iter().map(|anchor| self.quad(anchor)).collect()
    }

    fn quad(&self, anchor: &[u8]) -> [Set2; 4] {
        let mut quad = [Set2::Any; 4];
        let mut slots = quad.iter_mut();
        for byte in anchor {
            let Some(slot) = slots.next() else { return quad };
            *slot = Set2::Byte(*byte);
        }
        for element in &self.rest {
            match element {
                Element::Literal(words) => {
                    let [word] = words.as_slice() else { return quad };
                    for byte in word {
                        let Some(slot) = slots.next() else { return quad };
                        *slot = Set2::Byte(*byte);
                    }
                }
                Element::Repeat(repeat) => {
                    for _ in 0..repeat.min {
                        let Some(slot) = slots.next() else { return quad };
                        *slot = Set2::Class(repeat.set);
                    }
                    if repeat.min != repeat.max {
                        return quad;
                    }
                }
            }
        }
        quad
    }

    /// Matches with the anchor at `pos`.
    pub(crate) fn match_at(&self, text: &[u8], pos: usize) -> Option<Matched> {
        let anchor = self.anchors.iter().find(|word| starts(text, pos, word))?;
        let start = match self.lead {
            None => pos,
            Some(lead) => {
                let count = run_back(text, pos, lead.set, lead.max + 1);
                if count < lead.min || count > lead.max {
                    return None;
                }
                pos - count
            }
        };
        let body = if self.lead.is_some() { start } else { pos + anchor.len() };
        let mut end = pos + anchor.len();
        let mut overlong = false;
        for element in &self.rest {
            overlong = false;
            match element {
                Element::Literal(words) => {
                    end += words.iter().find(|word| starts(text, end, word))?.len();
                }
                Element::Repeat(repeat) => {
                    let count = run(text, end, repeat.set, repeat.max);
                    if count < repeat.min {
                        return None;
                    }
                    end += count;
                    overlong = is(at(text, end), repeat.set);
                }
            }
        }
        Some(Matched { start, end, body, overlong })
    }

    /// Whether the whole of `value` has this shape.
    pub(crate) fn fits(&self, value: &[u8]) -> bool {
        if self.rest.is_empty() && self.anchors.iter().all(Vec::is_empty) {
            return self.lead.is_some_and(|lead| {
                (lead.min..=lead.max).contains(&value.len()) && value.iter().all(|byte| is(*byte, lead.set))
            });
        }
        let span =
            |pos| self.match_at(value, pos).is_some_and(|found| found.start == 0 && found.end == value.len());
        match self.lead {
            None => span(0),
            Some(lead) => (lead.min..=lead.max.min(value.len())).any(span),
        }
    }

    /// Generates a token of this shape from a source of random numbers. Tests and examples build their tokens at
    /// run time with it.
    pub(crate) fn generate(&self, random: &mut dyn FnMut(usize) -> usize) -> Vec<u8> {
        let mut out = Vec::new();
        if let Some(lead) = self.lead {
            lead.generate(random, &mut out);
        }
        pick(&self.anchors, random, &mut out);
        for element in &self.rest {
            match element {
                Element::Literal(words) => pick(words, random, &mut out),
                Element::Repeat(repeat) => repeat.generate(random, &mut out),
            }
        }
        out
    }
}

/// One of the four sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Set2 {
    /// Any byte.
    Any,
    /// This byte.
    Byte(u8),
    /// This letter in either case.
    Letter(u8),
    /// A byte of this class.
    Class(Set),
}

impl Set2 {
    pub(crate) fn holds(self, byte: u8) -> bool {
        match self {
            Self::Any => true,
            Self::Byte(own) => own == byte,
            Self::Letter(own) => own == byte.to_ascii_lowercase(),
            Self::Class(set) => is(byte, set),
        }
    }
}

impl Repeat {
    fn generate(self, random: &mut dyn FnMut(usize) -> usize, out: &mut Vec<u8>) {
        let members: Vec<u8> = (0..=255).filter(|byte| is(*byte, self.set)).collect();
        let span = self.max.min(self.min + 8) - self.min;
        for _ in 0..self.min + random(span + 1) {
            out.extend(members.get(random(members.len())));
        }
    }
}

fn pick(words: &[Vec<u8>], random: &mut dyn FnMut(usize) -> usize, out: &mut Vec<u8>) {
    out.extend(words.get(random(words.len())).into_iter().flatten());
}

fn starts(text: &[u8], pos: usize, word: &[u8]) -> bool {
    text.get(pos..).is_some_and(|rest| rest.starts_with(word))
}

fn element(text: &str) -> Option<Element> {
    if let [letter, b'{', ..] = text.as_bytes()
        && let Some(set) = charset::class(*letter)
    {
        let counts = text.get(2..)?.strip_suffix('}')?;
        let (min, max) = match counts.split_once(',') {
            None => (counts.parse().ok()?, counts.parse().ok()?),
            Some((min, "")) => (min.parse().ok()?, LONGEST_RUN),
            Some((min, max)) => (min.parse().ok()?, max.parse().ok()?),
        };
        return Some(Element::Repeat(Repeat { set, min, max }));
    }
    let text = text.replace("\\s", " ");
    let Some((head, rest)) = text.split_once('(') else {
        return Some(Element::Literal(vec![text.into_bytes()]));
    };
    let (group, tail) = rest.split_once(')')?;
    let mut words: Vec<Vec<u8>> =
        group.split('|').map(|word| format!("{head}{word}{tail}").into_bytes()).collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    Some(Element::Literal(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_match_what_they_say() {
        for (shape, text, found) in [
            ("ab(c|d)_ D{3}", "abd_123", Some((0, 7))),
            ("ab(c|d)_ D{3}", "abe_123", None),
            ("H{4} -us D{1,2}", "ffff-us12", Some((0, 9))),
            ("H{4} -us D{1,2}", "fffff-us12", None),
            ("x- D{2,3} - D{2}", "x-123-45", Some((0, 8))),
        ] {
            let shape = Shape::parse(shape).unwrap();
            let hit = (0..text.len()).find_map(|pos| shape.match_at(text.as_bytes(), pos));
            assert_eq!(hit.map(|hit| (hit.start, hit.end)), found, "{text}");
        }
        assert!(Shape::parse_value("H{4}").unwrap().fits(b"12ab"));
        assert!(!Shape::parse_value("H{4}").unwrap().fits(b"12abc"));
        assert!(Shape::parse_value("UUID").unwrap().fits(b"00000000-0000-0000-0000-000000000000"));
    }
}
