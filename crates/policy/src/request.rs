//! Requests of the seed contract: parsed strictly and validated once, or refused with a code.

use doorward_core::assessment::Assessment;
use doorward_core::call::Principal;
use doorward_core::effect::{Inspected, SandboxBounds};
use doorward_core::json::{JsonError, Limits, Object, Value};
use doorward_core::tool::{CANONICAL, ToolName, ToolNameError, confusable};
use doorward_settings::nearest;

/// A valid request of the seed contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedRequest {
    /// Who makes the call.
    pub principal: Principal,
    /// The verb.
    pub action: String,
    /// `resource.type`
    pub resource_type: String,
    /// The tool.
    pub tool: ToolName,
    /// Its arguments.
    pub args: Object,
    /// `resource.attributes.schema`: the JSON Schema of the arguments, as the caller knows it.
    pub schema: Option<Object>,
    /// `resource.attributes.sandbox`: the executor's claims about its sandbox.
    pub sandbox: Option<SandboxBounds>,
    /// `context.ip_address`
    pub ip: Option<String>,
    /// `context.session_id`
    pub session: Option<String>,
    /// The rest of `context`: policies read it under `context.request` only.
    pub context: Object,
}

/// Why a request is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct RefusedRequest {
    /// `request.invalid`, `json.*`, `tool.name_invalid`, `tool.name_confusable`.
    pub code: &'static str,
    /// Text for people.
    pub message: String,
}

impl From<JsonError> for RefusedRequest {
    fn from(error: JsonError) -> Self {
        Self { code: error.code(), message: error.to_string() }
    }
}

impl From<ToolNameError> for RefusedRequest {
    fn from(error: ToolNameError) -> Self {
        Self { code: error.code(), message: error.to_string() }
    }
}

fn invalid(message: impl Into<String>) -> RefusedRequest {
    RefusedRequest { code: "request.invalid", message: message.into() }
}

impl SeedRequest {
    /// The request to a remote engine about a call: the caller's own context, and Doorward's facts under
    /// `context.doorward` (`cwd`, `roots`, `mode`, `surface`, `risk`, `effects`, `sandbox`, `findings`).
    #[must_use]
    pub fn of_call(inspected: &Inspected, assessment: &Assessment) -> Self {
        let call = &inspected.call;
        let plain = |value: serde_json::Result<serde_json::Value>| {
            value.ok().and_then(|value| Value::parse(&value.to_string()).ok())
        };
        let mut known = Object::new();
        known.insert("cwd".to_owned(), call.cwd.as_str().into());
        known.insert(
            "roots".to_owned(),
            Value::from(call.roots.iter().map(ToString::to_string).collect::<Vec<_>>()),
        );
        known.insert("mode".to_owned(), call.mode.as_str().into());
        known.insert("risk".to_owned(), assessment.risk.as_str().into());
        let codes: Vec<String> = inspected.findings.iter().map(|finding| finding.code.to_string()).collect();
        known.insert("findings".to_owned(), Value::from(codes));
        known
            .extend(plain(serde_json::to_value(call.surface)).map(|surface| ("surface".to_owned(), surface)));
        known.extend(
            plain(serde_json::to_value(inspected.effects.facts())).map(|facts| ("effects".to_owned(), facts)),
        );
        known.extend(
            plain(serde_json::to_value(&inspected.sandbox)).map(|facts| ("sandbox".to_owned(), facts)),
        );
        let mut context = call.context.clone();
        let ip = context.remove("ip_address").and_then(|ip| ip.as_str().map(str::to_owned));
        context.insert("doorward".to_owned(), Value::Object(known));
        Self {
            principal: call.principal.clone(),
            action: call.action.clone(),
            resource_type: "tool".to_owned(),
            tool: call.tool.clone(),
            args: call.args.clone(),
            schema: None,
            sandbox: None,
            ip,
            session: Some(call.session.to_string()),
            context,
        }
    }

    /// Parses a request. `known`: tool names besides the canonical ones that no other name may imitate.
    pub fn parse(text: &[u8], known: &[String]) -> Result<Self, RefusedRequest> {
        Self::of(&Value::parse_bytes(text, Limits::default())?, known)
    }

    /// Validates a parsed request.
    pub fn of(value: &Value, known: &[String]) -> Result<Self, RefusedRequest> {
        let request = value.as_object().ok_or_else(|| invalid("a request is an object"))?;
        let principal = member(request, "principal")?;
        let resource = member(request, "resource")?;
        only(request, "", &["principal", "action", "resource", "context"])?;
        only(principal, "principal.", &["id", "groups"])?;
        only(resource, "resource.", &["type", "name", "attributes"])?;
        let name = text(resource, "resource", "name")?;
        let resource_type = text(resource, "resource", "type")?.to_owned();
        let groups = match principal.get("groups") {
            None => Vec::new(),
            Some(Value::Array(items)) => items
                .iter()
                .map(|item| item.as_str().map(str::to_owned))
                .collect::<Option<Vec<_>>>()
                .ok_or_else(|| invalid("principal.groups is a list of strings"))?,
            Some(_) => return Err(invalid("principal.groups is a list of strings")),
        };
        let id = text(principal, "principal", "id")?.to_owned();
        let action = match request.get("action") {
            Some(Value::String(action)) if !action.is_empty() => action.clone(),
            _ => return Err(invalid("action is a string, and not empty")),
        };
        let attributes = optional(resource, "attributes", "resource.attributes")?;
        if let Some(attributes) = &attributes {
            only(attributes, "resource.attributes.", &["args", "sandbox", "schema"])?;
        }
        let attributes = attributes.unwrap_or_default();
        let args = optional(&attributes, "args", "resource.attributes.args")?.unwrap_or_default();
        let schema = optional(&attributes, "schema", "resource.attributes.schema")?;
        let sandbox = declared(attributes.get("sandbox"))?;
        let mut context = optional(request, "context", "context")?.unwrap_or_default();
        let mut string = |name: &str| match context.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(invalid(format!("context.{name} is a string"))),
        };
        let ip = string("ip_address")?;
        let session = string("session_id")?.filter(|id| !id.is_empty());
        let tool = ToolName::new(name)?;
        let own = CANONICAL.iter().map(|(name, _)| *name).chain(known.iter().map(String::as_str));
        if let Some(known) = confusable(tool.as_str(), own) {
            return Err(ToolNameError::Confusable { known: known.to_owned() }.into());
        }
        Ok(Self {
            principal: Principal { id, groups },
            action,
            resource_type,
            tool,
            args,
            schema,
            sandbox,
            ip,
            session,
            context,
        })
    }
}

/// A declared sandbox: `true`, or its limits. A malformed declaration is refused, not taken for a weaker one.
fn declared(said: Option<&Value>) -> Result<Option<SandboxBounds>, RefusedRequest> {
    match said {
        None | Some(Value::Null | Value::Bool(false)) => Ok(None),
        Some(Value::Bool(true)) => Ok(Some(SandboxBounds::default())),
        Some(bounds) => {
            let shape = "resource.attributes.sandbox is true, or an object with tier, wall_s, memory_mb, hosts, \
                reads, writes";
            let bounds: SandboxBounds = serde_json::from_value(bounds.into())
                .map_err(|error| invalid(format!("{shape}: {error}")))?;
            let lists = [&bounds.hosts, &bounds.reads, &bounds.writes].into_iter().flatten();
            if lists.clone().any(|list| list.len() > MOST_DECLARED)
                || lists.flatten().any(|text| text.len() > LONGEST_DECLARED)
            {
                return Err(invalid(format!(
                    "{shape}; a list has at most {MOST_DECLARED} entries of {LONGEST_DECLARED} bytes"
                )));
            }
            Ok(Some(bounds))
        }
    }
}

/// Most entries of a declared list.
const MOST_DECLARED: usize = 64;
/// Most bytes of an entry, which is a path or a host.
const LONGEST_DECLARED: usize = 4096;

fn member<'v>(object: &'v Object, name: &str) -> Result<&'v Object, RefusedRequest> {
    object
        .get(name)
        .and_then(Value::as_object)
        .ok_or_else(|| invalid(format!("{name} is required, an object")))
}

fn text<'v>(object: &'v Object, of: &str, name: &str) -> Result<&'v str, RefusedRequest> {
    object
        .get(name)
        .and_then(Value::as_str)
        .filter(|text| !text.is_empty())
        .ok_or_else(|| invalid(format!("{of}.{name} is required, a string that isn't empty")))
}

/// What other systems call the arguments of a tool. In another place than ours the call would be judged without them.
const ARGUMENTS: &[&str] = &["args", "arguments", "input", "parameters", "params", "tool_input"];

/// Refuses a misspelled member, which would be missing without a word, and arguments in another place. A member that
/// resembles none is the caller's own and is ignored.
fn only(object: &Object, of: &str, known: &[&str]) -> Result<(), RefusedRequest> {
    let unknown = object.keys().filter(|name| !known.contains(&name.as_str()));
    if let Some(name) = unknown.clone().find(|name| ARGUMENTS.contains(&name.as_str())) {
        return Err(invalid(format!(
            "`{of}{name}` isn't read: the arguments stand in `resource.attributes.args`"
        )));
    }
    let mut slips = unknown.filter_map(|name| Some((name, nearest(name, known.iter().copied())?)));
    match slips.next() {
        Some((name, meant)) => {
            Err(invalid(format!("unknown member `{of}{name}`; did you mean `{of}{meant}`?")))
        }
        None => Ok(()),
    }
}

fn optional(object: &Object, name: &str, shown: &str) -> Result<Option<Object>, RefusedRequest> {
    match object.get(name) {
        None => Ok(None),
        Some(Value::Object(members)) => Ok(Some(members.clone())),
        Some(_) => Err(invalid(format!("{shown} is an object"))),
    }
}
