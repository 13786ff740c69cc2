//! The guardian's evaluations as metrics, as they are when asked for. A failure is counted apart from a denial.

use std::sync::atomic::Ordering;

use doorward::reviewing::reviews;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric as _};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;

/// Reads what [`reviews`] counted.
#[derive(Debug)]
pub(crate) struct Counters;

impl Collector for Counters {
    fn encode(&self, mut encoder: DescriptorEncoder) -> Result<(), std::fmt::Error> {
        let reviews = reviews();
        let help = "Evaluations of the guardian, by how they ended and what followed";
        let mut family =
            encoder.encode_descriptor("guardian_evaluations", help, None, MetricType::Counter)?;
        let mut ended: Vec<(String, String, u64)> = reviews
            .ended()
            .into_iter()
            .map(|(status, decision, count)| (word(status), word(decision), count))
            .collect();
        ended.sort();
        for (status, decision, count) in ended {
            let labels = [("status", status), ("decision", decision)];
            ConstCounter::new(count).encode(family.encode_family(&labels)?)?;
        }
        for (name, help, counter) in [
            ("guardian_requests", "Requests to models", &reviews.requests),
            ("guardian_tokens_in", "Tokens read by models, cached ones included", &reviews.tokens_in),
            ("guardian_tokens_cached", "Tokens read from a provider's cache", &reviews.tokens_cached),
            ("guardian_tokens_out", "Tokens written by models", &reviews.tokens_out),
            ("guardian_cost_micro_usd", "Millionths of a dollar, where prices are known", &reviews.cost),
        ] {
            let counter = ConstCounter::new(counter.load(Ordering::Relaxed));
            counter.encode(encoder.encode_descriptor(name, help, None, MetricType::Counter)?)?;
        }
        Ok(())
    }
}

/// The word of the wire.
fn word(value: impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_counted_under_its_own_name() {
        use doorward::rooms::core::evaluation::{GuardianDecision, GuardianStatus};
        assert_eq!(word(GuardianStatus::TimedOut), "timed_out");
        assert_eq!(word(GuardianDecision::PromptUser), "prompt_user");
        let mut registry = prometheus_client::registry::Registry::with_prefix("doorward");
        registry.register_collector(Box::new(Counters));
        let mut text = String::new();
        prometheus_client::encoding::text::encode(&mut text, &registry).unwrap();
        assert!(text.contains("doorward_guardian_requests_total 0"), "{text}");
    }
}
