//! Asks a model over the network, with one deadline, few attempts, a breaker, and a hidden key.
//!
//! The request goes through the guarded client: the base URL is judged like any other address (except that a loopback
//! address written by the operator is allowed) and redirects aren't followed. Kinds of failure stay distinct:
//! unreachable, late and invalid.

use std::collections::VecDeque;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use doorward_core::evaluation::Spent;
use doorward_net::{ClientLimits, FetchError, FetchRequest, GuardConfig, GuardedClient, LiveGuard};
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep};

use crate::fence::tokens;
use crate::wire::{Answer, Format, PROVIDERS, Prices, WireQuestion, Without};

/// Why there is no answer. No text quotes a key, a prompt or a reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// No connection, an HTTP error status, or an open breaker.
    #[error("the reviewer could not be reached: {0}")]
    Unavailable(String),
    /// No answer before the deadline.
    #[error("the reviewer gave no answer in time")]
    TimedOut,
    /// An answer that is a refusal, cut, filtered or unreadable.
    #[error("the reviewer's answer is no verdict: {0}")]
    Invalid(String),
}

/// The configuration of a model is invalid: the key in its section, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

/// An API key. Debug and Display hide it.
#[derive(Clone, PartialEq, Eq)]
struct Key(String);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(hidden)")
    }
}

/// Configuration of a model.
#[derive(Debug, Clone, Default)]
pub struct ModelConfig {
    /// `provider/model`.
    pub model: String,
    /// URL of its API; the provider's default if unset.
    pub base_url: Option<String>,
    /// Name of the environment variable with its key, or `file:/path`. The provider's usual variable if unset.
    pub api_key_env: Option<String>,
    /// Reachable addresses. A loopback `base_url` is added.
    pub net: GuardConfig,
    /// Prices of tokens.
    pub prices: Prices,
    /// Most output tokens; 0 for the default.
    pub max_output: u32,
    /// Pause after too many failures; zero for the default of half a minute.
    pub rest: Duration,
}

/// A model, ready to be asked.
pub struct Model {
    name: String,
    model: String,
    base: String,
    format: Format,
    key: Option<Key>,
    http: GuardedClient,
    prices: Prices,
    max_output: u32,
    without: Mutex<Without>,
    breaker: Mutex<Breaker>,
    seats: Semaphore,
    total: Mutex<Spent>,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("name", &self.name).field("base", &self.base).finish_non_exhaustive()
    }
}

/// Parses the URL of an API.
fn place(base: &str) -> Result<url::Url, ConfigError> {
    let wrong = |why: &str| ConfigError(format!("base_url: {base:?} {why}"));
    let url = url::Url::parse(base).map_err(|error| wrong(&format!("isn't a URL: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("has to begin with http:// or https://"));
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err(wrong("names no host"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("is the beginning of addresses, so it has no query and no fragment"));
    }
    Ok(url)
}

/// A question to the model, independent of the wire format.
#[derive(Debug, Clone, Copy)]
pub struct ModelInquiry<'a> {
    /// The static prefix.
    pub system: &'a str,
    /// The beginning that the conversation's next prompt will repeat, split where it grows.
    pub stays: &'a [String],
    /// The rest, in turns.
    pub user: &'a [&'a str],
    /// The schema of the answer; `None` for plain text.
    pub schema: Option<&'a Value>,
    /// When the answer is no longer needed.
    pub deadline: Instant,
}

const ATTEMPTS: u32 = 3;
const WAITS: [Duration; 2] = [Duration::from_millis(200), Duration::from_millis(400)];
const LONGEST_ATTEMPT: Duration = Duration::from_secs(60);
const CONNECT: Duration = Duration::from_secs(10);
const LARGEST_ANSWER: usize = 4 << 20;
const SEATS: usize = 4;
const DEFAULT_OUTPUT: u32 = 1024;

impl Model {
    /// Creates a model. Reads the key once, here.
    ///
    /// # Errors
    /// [`ConfigError`] if the name isn't `provider/model`, the provider is unknown and has no URL, the URL isn't
    /// valid for an API, or a key is missing although `api_key_env` names it or the provider's default URL needs one.
    pub fn new(config: ModelConfig) -> Result<Self, ConfigError> {
        let (provider, model) = config
            .model
            .split_once('/')
            .filter(|(provider, model)| !provider.is_empty() && !model.is_empty())
            .ok_or_else(|| ConfigError(format!("model: {:?} isn't provider/model", config.model)))?;
        let row = PROVIDERS.iter().find(|row| row.name == provider);
        let base = config
            .base_url
            .clone()
            .or_else(|| row.map(|row| row.base_url.to_owned()).filter(|base| !base.is_empty()))
            .ok_or_else(|| {
                let known: Vec<&str> = PROVIDERS.iter().map(|row| row.name).collect();
                ConfigError(format!(
                    "model: {provider:?} isn't one of {}, and base_url isn't set",
                    known.join(", ")
                ))
            })?;
        let usable = |c: char| c.is_ascii_alphanumeric() || "-_.:/@".contains(c);
        if !model.chars().all(usable) || model.contains("..") {
            return Err(ConfigError("model: a model's name has letters, digits and - _ . : / @".to_owned()));
        }
        let url = place(&base)?;
        let named = config
            .api_key_env
            .clone()
            .or_else(|| row.map(|row| row.key_env.to_owned()).filter(|name| !name.is_empty()));
        let key = named.as_deref().and_then(key);
        // An operator's own URL may need no key; the provider's default URL always does.
        let needed = config.api_key_env.as_ref().or(named.as_ref().filter(|_| config.base_url.is_none()));
        if let (Some(named), None) = (needed, &key) {
            return Err(ConfigError(format!(
                "api_key_env: {named} isn't set where the service runs, or is empty"
            )));
        }
        let mut net = config.net;
        net.max_redirects = 0;
        net.allowed_hosts.extend(loopback_entry(&url));
        if net.allowed_only
            && let Some(host) = url.host_str()
        {
            net.allowed_hosts.push(host.to_owned());
        }
        let guard = Arc::new(LiveGuard::from_config(net));
        if let Err(refusal) = guard.load().judge_url(&base) {
            let why = format!("base_url: {base} may not be reached: {refusal}");
            return Err(ConfigError(why + "; an entry in net.allowed_hosts allows it"));
        }
        let http = GuardedClient::new(guard)
            .map_err(|error| ConfigError(format!("TLS can't be set up: {error}")))?;
        Ok(Self {
            name: config.model.clone(),
            model: model.to_owned(),
            base: base.trim_end_matches('/').to_owned(),
            format: row.map_or(Format::OpenAiChat, |row| row.format),
            key,
            http,
            prices: config.prices,
            max_output: if config.max_output == 0 { DEFAULT_OUTPUT } else { config.max_output },
            without: Mutex::default(),
            breaker: Mutex::new(Breaker::resting(config.rest)),
            seats: Semaphore::new(SEATS),
            total: Mutex::default(),
        })
    }

    /// `provider/model`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Asks, within the deadline. Adds time, tokens and cost to `spent`, even on failure.
    pub async fn ask(&self, ask: ModelInquiry<'_>, spent: &mut Spent) -> Result<String, Fault> {
        if !lock(&self.breaker).lets_through(Instant::now()) {
            return Err(Fault::Unavailable("too many failures just now, the next try waits".to_owned()));
        }
        let before = *spent;
        let within = tokio::time::timeout_at(ask.deadline, self.seated(ask, spent)).await;
        let asked = within.unwrap_or(Err(Fault::TimedOut));
        lock(&self.breaker)
            .learn(Instant::now(), matches!(asked, Err(Fault::Unavailable(_) | Fault::TimedOut)));
        spent.cost_micro_usd = self.prices.cost(&self.name, spent);
        self.count(&before, spent);
        asked
    }

    /// Totals of all questions so far.
    #[must_use]
    pub fn total(&self) -> Spent {
        *lock(&self.total)
    }

    fn count(&self, before: &Spent, after: &Spent) {
        let mut total = lock(&self.total);
        let more = |sum: &mut u64, before: u64, after: u64| {
            *sum = sum.saturating_add(after.saturating_sub(before));
        };
        total.attempts = total.attempts.saturating_add(after.attempts.saturating_sub(before.attempts));
        more(&mut total.input_total, before.input_total, after.input_total);
        more(&mut total.cached_read, before.cached_read, after.cached_read);
        more(&mut total.cache_write_5m, before.cache_write_5m, after.cache_write_5m);
        more(&mut total.cache_write_1h, before.cache_write_1h, after.cache_write_1h);
        more(&mut total.output_total, before.output_total, after.output_total);
        more(&mut total.reasoning, before.reasoning, after.reasoning);
        total.estimated |= after.estimated;
        total.cost_micro_usd = self.prices.cost(&self.name, &total);
    }

    async fn seated(&self, ask: ModelInquiry<'_>, spent: &mut Spent) -> Result<String, Fault> {
        let Ok(_seat) = self.seats.acquire().await else {
            return Err(Fault::Unavailable("closing".to_owned()));
        };
        let mut tries = 0;
        loop {
            let without = *lock(&self.without);
            let outcome = self.attempt(ask, without, spent).await;
            let failed = match outcome {
                AttemptOutcome::Text(text) => return Ok(text),
                AttemptOutcome::Final(fault) => return Err(fault),
                AttemptOutcome::Adapt(learnt) => {
                    // Each field can be dropped only once, so this terminates.
                    *lock(&self.without) = learnt;
                    continue;
                }
                AttemptOutcome::Again(failed) => failed,
            };
            let wait = failed.after.unwrap_or_else(|| {
                jittered(WAITS.get(usize::try_from(tries).unwrap_or(0)).copied().unwrap_or_default())
            });
            tries += 1;
            let left = ask.deadline.saturating_duration_since(Instant::now());
            if tries >= ATTEMPTS || wait > left / 2 {
                return Err(if failed.late { Fault::TimedOut } else { Fault::Unavailable(failed.why) });
            }
            sleep(wait).await;
        }
    }

    async fn attempt(&self, ask: ModelInquiry<'_>, without: Without, spent: &mut Spent) -> AttemptOutcome {
        let question = WireQuestion {
            model: &self.model,
            system: ask.system,
            stays: ask.stays,
            user: ask.user,
            max_output: self.max_output,
            schema: ask.schema,
            without,
        };
        let posted = self.format.request(question);
        let mut headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        headers.extend(posted.headers.into_iter().map(|(name, value)| (name.to_owned(), value)));
        if let Some(key) = &self.key {
            let (name, value) = self.format.key_header(&key.0);
            headers.push((name.to_owned(), value));
        }
        let request = FetchRequest {
            method: "POST".to_owned(),
            url: format!("{}{}", self.base, posted.path),
            headers,
            body: posted.body.to_string().into_bytes(),
        };
        let left = ask.deadline.saturating_duration_since(Instant::now());
        let limits =
            ClientLimits { total: left.min(LONGEST_ATTEMPT), connect: CONNECT, body: LARGEST_ANSWER };
        spent.attempts = spent.attempts.saturating_add(1);
        let response = match self.http.clone().with_limits(limits).fetch(request).await {
            Ok(response) => response,
            Err(error) => return of_error(&error),
        };
        if response.status != 200 {
            return of_status(
                response.status,
                &response.headers,
                &response.body,
                without,
                ask.schema.is_some(),
            );
        }
        let input = question.tokens();
        match self.format.read(&response.body) {
            Answer::Text(_, usage) if self.format.cuts_prompt(question, usage) => {
                usage.add_to(spent);
                AttemptOutcome::Final(Fault::Invalid("the prompt did not fit the model's context".to_owned()))
            }
            Answer::Text(text, usage) => {
                usage.or_estimate(input, tokens(&text)).add_to(spent);
                AttemptOutcome::Text(text)
            }
            Answer::Void(why, usage) => {
                usage.or_estimate(input, 0).add_to(spent);
                AttemptOutcome::Final(Fault::Invalid(why.to_owned()))
            }
            Answer::Foreign(why) => AttemptOutcome::Final(Fault::Unavailable(why.to_owned())),
        }
    }
}

/// The result of one attempt.
enum AttemptOutcome {
    Text(String),
    Final(Fault),
    Adapt(Without),
    Again(FailedAttempt),
}

struct FailedAttempt {
    why: String,
    late: bool,
    after: Option<Duration>,
}

fn of_error(error: &FetchError) -> AttemptOutcome {
    let again = |late| AttemptOutcome::Again(FailedAttempt { why: error.code(), late, after: None });
    match error {
        FetchError::Unreachable(_) => again(false),
        FetchError::Timeout => again(true),
        _ => AttemptOutcome::Final(Fault::Unavailable(error.code())),
    }
}

/// HTTP statuses that are worth another attempt.
const TRANSIENT: &[u16] = &[408, 429, 500, 502, 503, 504, 529];

fn of_status(
    status: u16,
    headers: &[(String, String)],
    body: &[u8],
    without: Without,
    structured: bool,
) -> AttemptOutcome {
    let why = format!("HTTP {status}");
    let text = String::from_utf8_lossy(body.get(..body.len().min(8192)).unwrap_or_default());
    let text = text.to_ascii_lowercase();
    if status == 400
        && let Some(learnt) = learnt(&text, without, structured)
    {
        return AttemptOutcome::Adapt(learnt);
    }
    let spent = status == 429 && (text.contains("insufficient_quota") || text.contains("current quota"));
    if !TRANSIENT.contains(&status) || spent {
        return AttemptOutcome::Final(Fault::Unavailable(why));
    }
    let after = headers
        .iter()
        .find(|(name, _)| name == "retry-after")
        .and_then(|(_, value)| value.trim().parse::<u64>().ok())
        .map(Duration::from_secs);
    AttemptOutcome::Again(FailedAttempt { why, late: false, after })
}

/// The unsupported feature that a 400 response names, unless it is left out already.
fn learnt(text: &str, without: Without, structured: bool) -> Option<Without> {
    if text.contains("temperature") && !without.temperature {
        return Some(Without { temperature: true, ..without });
    }
    if text.contains("max_completion_tokens") && !without.new_limit {
        return Some(Without { new_limit: true, ..without });
    }
    let about_schema =
        ["response_format", "json_schema", "output_config", "responsejsonschema", "text.format"];
    if structured && !without.schema && about_schema.iter().any(|word| text.contains(word)) {
        return Some(Without { schema: true, ..without });
    }
    None
}

/// Opens after five failures within a minute, for half a minute; then allows one probe at a time.
#[derive(Debug, Default)]
struct Breaker {
    failures: VecDeque<Instant>,
    open_until: Option<Instant>,
    rest: Option<Duration>,
}

const FAILURES: usize = 5;
const WITHIN: Duration = Duration::from_secs(60);
const OPEN: Duration = Duration::from_secs(30);

impl Breaker {
    fn resting(rest: Duration) -> Self {
        Self { rest: Some(rest).filter(|rest| !rest.is_zero()), ..Self::default() }
    }

    fn rest(&self) -> Duration {
        self.rest.unwrap_or(OPEN)
    }

    fn lets_through(&mut self, now: Instant) -> bool {
        match self.open_until {
            None => true,
            Some(until) if now < until => false,
            Some(_) => {
                // This is the probe; later callers wait for its result.
                self.open_until = Some(now + self.rest());
                true
            }
        }
    }

    fn learn(&mut self, now: Instant, failed: bool) {
        if !failed {
            self.failures.clear();
            self.open_until = None;
            return;
        }
        self.failures.push_back(now);
        while self.failures.front().is_some_and(|first| now.duration_since(*first) > WITHIN) {
            self.failures.pop_front();
        }
        if self.failures.len() >= FAILURES {
            self.open_until = Some(now + self.rest());
        }
    }
}

/// A wait with 10 % random variation, so that clients don't retry in step.
fn jittered(wait: Duration) -> Duration {
    let mut byte = [128_u8];
    let _ = getrandom::fill(&mut byte);
    let [byte] = byte;
    wait.mul_f64(0.9 + 0.2 * f64::from(byte) / 255.0)
}

/// The exception for a loopback URL; `None` for any other.
#[must_use]
pub fn loopback_entry(url: &url::Url) -> Option<String> {
    let port = url.port_or_known_default()?;
    match url.host()? {
        url::Host::Domain("localhost") => Some(format!("localhost:{port}=127.0.0.0/8")),
        url::Host::Ipv4(address) if address.is_loopback() => Some(format!("{address}:{port}")),
        url::Host::Ipv6(address) if address.is_loopback() => Some(format!("[{address}]:{port}")),
        _ => None,
    }
}

/// The key from an environment variable, or from a file named by the operator.
fn key(named: &str) -> Option<Key> {
    let text = match named.strip_prefix("file:") {
        Some(path) => std::fs::read_to_string(Path::new(path)).ok()?,
        None => std::env::var(named).ok()?,
    };
    let text = text.trim();
    (!text.is_empty()).then(|| Key(text.to_owned()))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_breaker_opens_at_the_fifth_failure_and_lets_one_probe_through_after_half_a_minute() {
        let mut breaker = Breaker::default();
        let start = Instant::now();
        for at in 0..4 {
            breaker.learn(start + Duration::from_secs(at), true);
        }
        assert!(breaker.lets_through(start + Duration::from_secs(4)));
        breaker.learn(start + Duration::from_secs(4), true);
        assert!(!breaker.lets_through(start + Duration::from_secs(33)));
        assert!(breaker.lets_through(start + Duration::from_secs(35)));
        assert!(!breaker.lets_through(start + Duration::from_secs(36)), "one probe at a time");
        breaker.learn(start + Duration::from_secs(37), false);
        assert!(breaker.lets_through(start + Duration::from_secs(38)));
    }

    #[test]
    fn old_failures_are_forgotten() {
        let mut breaker = Breaker::default();
        let start = Instant::now();
        for at in 0..20 {
            breaker.learn(start + Duration::from_secs(at * 20), true);
            assert!(breaker.lets_through(start + Duration::from_secs(at * 20)));
        }
    }

    #[test]
    fn a_key_is_never_in_a_debug_text() {
        assert!(!format!("{:?}", Key("hidden-value".into())).contains("hidden-value"));
    }

    #[test]
    fn a_model_needs_a_place_and_a_plain_name() {
        let model = |model: &str, base_url: Option<&str>| {
            Model::new(ModelConfig {
                model: model.into(),
                base_url: base_url.map(str::to_owned),
                // A variable that every process has, with a value that isn't secret.
                api_key_env: Some("PATH".to_owned()),
                ..ModelConfig::default()
            })
        };
        assert!(model("anthropic/claude", None).is_ok());
        assert!(model("someone/m", Some("http://127.0.0.1:1/v1")).is_ok());
        for (name, base) in [
            ("claude", None),
            ("someone/m", None),
            ("gemini/../../x", None),
            ("gemini/x?key=1", None),
            ("openai/m", Some("not a url")),
            ("openai/m", Some("localhost:11434/v1")),
            ("openai/m", Some("http://10.0.0.1/v1")),
            ("openai/m", Some("http://127.0.0.1/v1?key=1")),
        ] {
            assert!(model(name, base).is_err(), "{name} {base:?}");
        }
    }

    #[test]
    fn the_providers_own_place_takes_a_key_and_a_place_of_ones_own_may_do_without() {
        let model = |base_url: Option<&str>| {
            let base_url = base_url.map(str::to_owned);
            Model::new(ModelConfig { model: "openai/m".into(), base_url, ..ModelConfig::default() })
        };
        assert!(model(Some("http://127.0.0.1:9/v1")).is_ok());
        match std::env::var("OPENAI_API_KEY") {
            Ok(_) => assert!(model(None).is_ok()),
            Err(_) => assert!(model(None).unwrap_err().to_string().contains("OPENAI_API_KEY")),
        }
    }

    #[test]
    fn a_server_is_learnt_field_by_field_and_each_once() {
        let text = "unsupported parameter: 'temperature', 'response_format'";
        let first = learnt(text, Without::default(), true).unwrap();
        assert!(first.temperature && !first.schema);
        let second = learnt(text, first, true).unwrap();
        assert!(second.schema);
        assert_eq!(learnt(text, second, true), None);
    }
}
