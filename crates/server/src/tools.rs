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
pub(crate) struct Offered {
    /// The tools.
    tools: Vec<Tool>,
}

/// One tool. Members that aren't named here come back as they were.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Tool {
    /// Its name.
    name: String,
    /// JSON Schema of its arguments: an object's.
    #[serde(alias = "inputSchema", alias = "parameters")]
    input_schema: Value,
    /// MCP annotations; a tool with `readOnlyHint` gets no label.
    annotations: Option<Value>,
}

/// Answers with the same tools; where the analyzer `llm` is on, each that isn't annotated as reading only has the
/// required argument `security_risk`. Calls are sent with it in their arguments: it is taken out before the call is
/// judged.
pub(crate) async fn schemas(State(service): State<Arc<Service>>, Body(offered): Body<Offered>) -> Response {
    if offered.tools.len() > MOST {
        let why = format!("{} tools are too many: at most {MOST}", offered.tools.len());
        return problem(StatusCode::BAD_REQUEST, "tools.too_many", &why);
    }
    let settings = service.door.settings();
    let mut tools = Vec::new();
    for tool in offered.tools {
        match labels::enhanced(&settings, &tool.input_schema, tool.annotations.as_ref()) {
            Ok(schema) => tools.push(json!({"name": tool.name, "input_schema": schema})),
            Err(error) => {
                let why = format!("{}: {error}", tool.name);
                return problem(StatusCode::UNPROCESSABLE_ENTITY, "tools.schema", &why);
            }
        }
    }
    Json(json!({"tools": tools, "labelled": labels::are_read(&settings)})).into_response()
}
