//! `POST /v1/tools/schemas`: tools' input schemas as the model should see them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use doorward::labels;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::{Service, problem};
use crate::body::Body;

/// Tools at most in one request.
const MOST: usize = 1_000;

/// Tools as their host offers them to the model.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Offered {
    /// The tools, each as OpenAI (`{"type": "function", "function": {…, "parameters"}}`, or without the inner object),
    /// Anthropic (`input_schema`) or MCP (`inputSchema`, `annotations`) has it.
    tools: Vec<Value>,
    /// Whose names these are, as in `context.client` of a call.
    #[serde(default)]
    client: Option<String>,
}

/// Where a tool's schema is, by format.
const PLACES: [&str; 4] = ["/function/parameters", "/parameters", "/input_schema", "/inputSchema"];

/// Answers with the same tools in the same formats; where the analyzer `llm` is on, each that isn't known or annotated
/// as reading only has the required argument `security_risk`. Calls are sent with it in their arguments: it is taken
/// out before the call is judged. A tool that can't carry it comes back as it was, and is named under `problems`.
pub(crate) async fn schemas(State(service): State<Arc<Service>>, Body(offered): Body<Offered>) -> Response {
    if offered.tools.len() > MOST {
        let why = format!("{} tools are too many: at most {MOST}", offered.tools.len());
        return problem(StatusCode::BAD_REQUEST, "tools.too_many", &why);
    }
    let settings = service.door.settings();
    let (mut tools, mut problems) = (Vec::new(), Vec::new());
    for mut tool in offered.tools {
        let own = tool.pointer("/function/name").or_else(|| tool.get("name")).and_then(Value::as_str);
        let Some(name) = own.map(str::to_owned) else {
            let why = format!("a tool has a name: {tool}");
            return problem(StatusCode::UNPROCESSABLE_ENTITY, "tools.schema", &why);
        };
        let is_reader = labels::only_reads(offered.client.as_deref(), &name);
        let annotations = tool.get("annotations").cloned();
        let place = PLACES.into_iter().find(|place| tool.pointer(place).is_some());
        match place.and_then(|place| tool.pointer_mut(place)) {
            _ if is_reader => {}
            None => problems.push(json!({"name": name, "code": "tools.schema", "message": NO_SCHEMA})),
            Some(schema) => match labels::enhanced(&settings, schema, annotations.as_ref()) {
                Ok(labelled) => *schema = labelled,
                Err(error) => {
                    problems
                        .push(json!({"name": name, "code": "tools.schema", "message": error.to_string()}));
                }
            },
        }
        tools.push(tool);
    }
    Json(json!({"tools": tools, "labelled": labels::are_read(&settings), "problems": problems}))
        .into_response()
}

const NO_SCHEMA: &str =
    "no schema of its arguments: `function.parameters`, `parameters`, `input_schema` or `inputSchema`";
