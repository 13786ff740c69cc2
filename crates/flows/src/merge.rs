//! Merges two memories of one session, made independently by instances that share a store.

use crate::memory::Memory;
use crate::values::Values;

impl Memory {
    /// Adds everything from another memory of the same session and key. Nothing is forgotten.
    pub fn absorb(&mut self, other: Self) {
        let Self { values, events, marks, pieces, flows, allowed, newest, .. } = other;
        self.allowed.extend(allowed);
        self.newest = self.newest.max(newest);
        let (sources, secrets) = self.values.absorb(&values);
        let source = |number: u16| sources.get(usize::from(number)).copied().flatten();
        for (kind, theirs) in events {
            let own = self.events.entry(kind).or_default();
            let known: Vec<_> = own.iter().cloned().collect();
            own.extend(theirs.into_iter().filter(|event| !known.contains(event)));
            own.make_contiguous().sort_by_key(|event| event.turn);
            let surplus = own.len().saturating_sub(crate::memory::MOST_OF_A_KIND);
            own.drain(..surplus);
        }
        for (path, numbers) in marks {
            let own = self.marks.entry(path).or_default();
            for number in numbers.into_iter().filter_map(source) {
                if !own.contains(&number) {
                    own.push(number);
                }
            }
        }
        for (turn, mut piece) in pieces {
            let Some(secret) = secrets.get(usize::from(piece.secret)).copied().flatten() else { continue };
            piece.secret = secret;
            if !self.pieces.contains(&(turn, piece)) {
                self.pieces.push_back((turn, piece));
            }
        }
        for flow in flows {
            if !self.flows.contains(&flow) {
                self.flows.push_back(flow);
            }
        }
    }
}

impl Values {
    /// Adds fingerprints; returns the numbers here of the other's sources and secrets.
    fn absorb(&mut self, other: &Self) -> (Vec<Option<u16>>, Vec<Option<u16>>) {
        let sources: Vec<Option<u16>> =
            other.sources.iter().map(|source| self.add_source(source.clone())).collect();
        let of = |number: u16| sources.get(usize::from(number)).copied().flatten();
        let mut secrets = Vec::new();
        for held in &other.secrets {
            let known = self.secrets.iter().position(|own| own.whole == held.whole);
            let number = match known {
                Some(at) => u16::try_from(at).ok(),
                None => of(held.source).and_then(|source| {
                    let number = u16::try_from(self.secrets.len()).ok()?;
                    self.secrets.push(crate::held::HeldForm { source, ..held.clone() });
                    Some(number)
                }),
            };
            secrets.push(number);
        }
        for (print, (secret, place)) in &other.grams {
            let Some(secret) = secrets.get(usize::from(*secret)).copied().flatten() else { continue };
            self.grams.entry(*print).or_insert((secret, *place));
        }
        for (print, source) in &other.shingles {
            if let Some(source) = of(*source) {
                self.shingles.entry(*print).or_insert(source);
            }
        }
        for (print, source) in &other.atoms {
            if let Some(source) = of(*source) {
                self.atoms.entry(*print).or_insert(source);
            }
        }
        for (print, (source, suffices)) in &other.private {
            if let Some(source) = of(*source) {
                self.private.entry(*print).or_insert((source, *suffices));
            }
        }
        self.endorsed.extend(&other.endorsed);
        self.full |= other.full;
        self.refill();
        (sources, secrets)
    }
}
