//! Asks a model for one JSON object: strict parsing, one retry, limits on spending.

use std::sync::Arc;
use std::time::Duration;

use doorward_core::evaluation::Spent;
use doorward_guardian::Model;
use doorward_guardian::client::{Fault, ModelInquiry};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Spending limits for models; a missing limit doesn't limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cap {
    /// Requests.
    pub requests: Option<u32>,
    /// Tokens, input and output.
    pub tokens: Option<u64>,
    /// Millionths of a dollar. With such a limit, a model of unknown price can't be asked at all.
    pub micro_usd: Option<u64>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// The model failed.
    #[error("lab.model: {0}")]
    Fault(#[from] Fault),
    /// A spending limit was reached.
    #[error("lab.cap: {0}; earlier results are kept, and the same command continues from there")]
    Cap(String),
    /// Two answers in a row weren't the expected object.
    #[error("lab.answer: {0}")]
    Answer(String),
}

/// A model with spending limits.
#[derive(Debug, Clone)]
pub struct Asker {
    model: Arc<Model>,
    cap: Cap,
    timeout: Duration,
}

impl Asker {
    /// For a model.
    #[must_use]
    pub fn new(model: Arc<Model>, cap: Cap) -> Self {
        Self { model, cap, timeout: Duration::from_secs(180) }
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Spending so far.
    #[must_use]
    pub fn spent(&self) -> Spent {
        self.model.total()
    }

    /// Checks that another question is within the limits.
    ///
    /// # Errors
    /// [`AskError::Cap`].
    pub fn check(&self) -> Result<(), AskError> {
        let spent = self.spent();
        let reached = |what: String| Err(AskError::Cap(what));
        if self.cap.requests.is_some_and(|most| spent.attempts >= most) {
            return reached(format!("{} requests were made", spent.attempts));
        }
        let tokens = spent.input_total.saturating_add(spent.output_total);
        if self.cap.tokens.is_some_and(|most| tokens >= most) {
            return reached(format!("{tokens} tokens were used"));
        }
        match (self.cap.micro_usd, spent.cost_micro_usd) {
            (Some(most), Some(cost)) if cost >= most => {
                reached(format!("{cost} millionths of a dollar were spent"))
            }
            (Some(_), None) if spent.attempts > 0 => {
                reached("the model's price isn't known, so its cost can't be bounded".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// Asks for an object of a given shape. If the answer has another shape, asks once more, without quoting it.
    pub async fn object<T: DeserializeOwned>(
        &self,
        system: &str,
        user: &str,
        schema: &Value,
    ) -> Result<T, AskError> {
        let mut problem = String::new();
        for attempt in 0..2 {
            self.check()?;
            let again = format!(
                "Your last answer could not be read ({problem}). Answer with one JSON object of the stated shape \
                 and nothing else."
            );
            let turns: Vec<&str> = if attempt == 0 { vec![user] } else { vec![user, &again] };
            let mut spent = Spent::default();
            let deadline = tokio::time::Instant::now() + self.timeout;
            let ask = ModelInquiry { system, stays: &[], user: &turns, schema: Some(schema), deadline };
            match self.model.ask(ask, &mut spent).await {
                Ok(text) => match read(&text) {
                    Ok(value) => return Ok(value),
                    Err(why) => problem = why,
                },
                Err(Fault::Invalid(why)) => problem = why,
                Err(fault) => return Err(fault.into()),
            }
        }
        Err(AskError::Answer(problem))
    }
}

/// Parses one object, optionally in one Markdown fence; it isn't extracted from a longer text.
fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let text = text.trim();
    let inner = text
        .strip_prefix("```json")
        .or_else(|| text.strip_prefix("```"))
        .and_then(|rest| rest.strip_suffix("```"))
        .unwrap_or(text)
        .trim();
    doorward_core::json::Value::parse(inner).map_err(|error| error.to_string())?;
    serde_json::from_str(inner).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_object_is_read_and_nothing_else() {
        assert!(read::<Value>("{\"a\": 1}").is_ok());
        assert!(read::<Value>("```json\n{\"a\": 1}\n```").is_ok());
        for text in ["so: {\"a\": 1}", "{\"a\": 1} {\"b\": 2}", "{\"a\": 1, \"a\": 2}", ""] {
            assert!(read::<Value>(text).is_err(), "{text}");
        }
    }
}
