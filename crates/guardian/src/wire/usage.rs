//! Tokens and their cost, in the same form for every provider.

use std::collections::BTreeMap;

use doorward_core::evaluation::Spent;
use serde::{Deserialize, Serialize};

/// Tokens of one response. `cached_read` and the writes are part of `input_total`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Input tokens, including cached ones.
    pub input_total: u64,
    /// Tokens read from a cache.
    pub cached_read: u64,
    /// Tokens written to a short-lived cache.
    pub cache_write_5m: u64,
    /// Tokens written to a long-lived cache.
    pub cache_write_1h: u64,
    /// Output tokens, including reasoning.
    pub output_total: u64,
    /// Reasoning tokens.
    pub reasoning: u64,
    /// Whether the counts are estimates.
    pub estimated: bool,
}

impl Usage {
    /// The provider's counts, or an estimate if there are none; parts never exceed the whole.
    #[must_use]
    pub fn or_estimate(mut self, input: usize, output: usize) -> Self {
        if self.input_total == 0 && self.output_total == 0 {
            self.input_total = u64::try_from(input).unwrap_or(u64::MAX);
            self.output_total = u64::try_from(output).unwrap_or(u64::MAX);
            self.estimated = true;
        }
        self.cached_read = self.cached_read.min(self.input_total);
        let rest = self.input_total - self.cached_read;
        self.cache_write_5m = self.cache_write_5m.min(rest);
        self.cache_write_1h = self.cache_write_1h.min(rest - self.cache_write_5m);
        self
    }

    /// Adds it to the totals of an evaluation.
    pub fn add_to(self, spent: &mut Spent) {
        spent.input_total = spent.input_total.saturating_add(self.input_total);
        spent.cached_read = spent.cached_read.saturating_add(self.cached_read);
        spent.cache_write_5m = spent.cache_write_5m.saturating_add(self.cache_write_5m);
        spent.cache_write_1h = spent.cache_write_1h.saturating_add(self.cache_write_1h);
        spent.output_total = spent.output_total.saturating_add(self.output_total);
        spent.reasoning = spent.reasoning.saturating_add(self.reasoning);
        spent.estimated |= self.estimated;
    }
}

/// Prices of one model in micro-USD per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Input that is neither read from nor written to a cache.
    pub input: u64,
    /// Input read from a cache.
    pub cached_read: u64,
    /// Input written to a short-lived cache.
    #[serde(default)]
    pub cache_write_5m: u64,
    /// Input written to a long-lived cache.
    #[serde(default)]
    pub cache_write_1h: u64,
    /// Output.
    pub output: u64,
}

/// The operator's price list with its date: `{"date": "2026-11-01", "models": {"anthropic/x": {…}}}`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    /// Date of the prices.
    pub date: String,
    /// Prices by `provider/model`.
    pub models: BTreeMap<String, Price>,
}

impl Prices {
    /// Cost in micro-USD, rounded up; `None`, never 0, if the model isn't on the list.
    #[must_use]
    pub fn cost(&self, model: &str, spent: &Spent) -> Option<u64> {
        let price = self.models.get(model)?;
        let written = spent.cache_write_5m.saturating_add(spent.cache_write_1h);
        let plain = spent.input_total.saturating_sub(spent.cached_read).saturating_sub(written);
        let parts = [
            (plain, price.input),
            (spent.cached_read, price.cached_read),
            (spent.cache_write_5m, price.cache_write_5m),
            (spent.cache_write_1h, price.cache_write_1h),
            (spent.output_total, price.output),
        ];
        let millionths: u128 =
            parts.into_iter().map(|(tokens, price)| u128::from(tokens) * u128::from(price)).sum();
        u64::try_from(millionths.div_ceil(1_000_000)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cost_counts_every_class_once_and_an_unknown_model_costs_null() {
        let price = Price {
            input: 3_000_000,
            cached_read: 300_000,
            cache_write_5m: 3_750_000,
            cache_write_1h: 6_000_000,
            output: 15_000_000,
        };
        let prices = Prices { date: "2026-11-01".into(), models: [("p/m".to_owned(), price)].into() };
        let spent = Spent {
            input_total: 1000,
            cached_read: 600,
            cache_write_5m: 200,
            cache_write_1h: 100,
            output_total: 50,
            ..Spent::default()
        };
        // 100 * 3 + 600 * 0.3 + 200 * 3.75 + 100 * 6 + 50 * 15
        assert_eq!(prices.cost("p/m", &spent), Some(300 + 180 + 750 + 600 + 750));
        assert_eq!(prices.cost("p/other", &spent), None);
    }

    #[test]
    fn parts_never_exceed_the_whole_and_missing_counts_are_marked() {
        let odd = Usage { input_total: 10, cached_read: 50, cache_write_5m: 50, ..Usage::default() };
        let usage = odd.or_estimate(1, 1);
        assert!(usage.cached_read + usage.cache_write_5m + usage.cache_write_1h <= usage.input_total);
        assert!(!usage.estimated && Usage::default().or_estimate(7, 3).estimated);
    }
}
