//! The table of endpoints: what the router serves, who may call it and what the API's document says are one list, so
//! that none of them can be forgotten.

use std::sync::Arc;

use axum::Router;
use axum::middleware;
use axum::routing::{MethodFilter, MethodRouter, on};
use doorward::rooms::store::Role;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::api::Service;
use crate::who::require;

/// One endpoint.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// `GET`, `POST` or `DELETE`.
    pub method: &'static str,
    /// Its path, with `{names}`.
    pub path: &'static str,
    /// The least role; `None` for whoever reaches it.
    pub role: Option<Role>,
    summary: &'static str,
    query: Option<Value>,
    body: Option<Value>,
    answers: &'static str,
    success: &'static str,
}

impl Endpoint {
    /// `GET path`, for a role.
    pub(crate) fn get(path: &'static str, role: impl Into<Option<Role>>, summary: &'static str) -> Self {
        Self {
            method: "GET",
            path,
            role: role.into(),
            summary,
            query: None,
            body: None,
            answers: "application/json",
            success: "200",
        }
    }

    /// `POST path`, for a role.
    pub(crate) fn post(path: &'static str, role: impl Into<Option<Role>>, summary: &'static str) -> Self {
        Self { method: "POST", ..Self::get(path, role, summary) }
    }

    /// `DELETE path`, for a role.
    pub(crate) fn delete(path: &'static str, role: impl Into<Option<Role>>, summary: &'static str) -> Self {
        Self { method: "DELETE", success: "204", answers: "", ..Self::get(path, role, summary) }
    }

    /// What the query may hold.
    pub(crate) fn query<T: JsonSchema>(mut self) -> Self {
        self.query = Some(schema::<T>());
        self
    }

    /// What the body holds.
    pub(crate) fn body<T: JsonSchema>(mut self) -> Self {
        self.body = Some(schema::<T>());
        self
    }

    /// What the body holds, where it isn't a type of ours.
    pub(crate) fn body_of(mut self, schema: Value) -> Self {
        self.body = Some(schema);
        self
    }

    /// The media type of the answer, where it isn't JSON.
    pub(crate) fn answers(mut self, kind: &'static str) -> Self {
        self.answers = kind;
        self
    }

    /// The status of success, where it isn't 200.
    pub(crate) fn success(mut self, status: &'static str) -> Self {
        self.success = status;
        self
    }

    fn operation(&self) -> Value {
        let mut parameters: Vec<Value> = self
            .path
            .split('/')
            .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
            .map(|name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string", "minLength": 1}}))
            .collect();
        if let Some(properties) = self.query.as_ref().and_then(|query| query.get("properties")?.as_object()) {
            parameters.extend(properties.iter().map(
                |(name, schema)| json!({"name": name, "in": "query", "required": false, "schema": schema}),
            ));
        }
        let content = if self.answers.is_empty() {
            json!({})
        } else {
            json!({self.answers: {"schema": if self.answers == "application/json" { json!({"type": "object"}) } else { json!({}) }}})
        };
        let success = if content == json!({}) {
            json!({"description": "Done"})
        } else {
            json!({"description": "Done", "content": content})
        };
        let mut operation = json!({
            "summary": self.summary,
            "operationId": format!("{} {}", self.method.to_lowercase(), self.path),
            "x-role": self.role.map_or_else(|| json!("public"), |role| json!(role)),
            "parameters": parameters,
            "responses": {
                self.success: success,
                "default": {
                    "description": "It wasn't done: a stable code and the reason",
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/Problem"}},
                        "application/problem+json": {"schema": {"type": "object"}},
                    },
                },
            },
        });
        if let Some(operation) = operation.as_object_mut() {
            if let Some(body) = &self.body {
                let body = json!({"required": true, "content": {"application/json": {"schema": body}}});
                operation.insert("requestBody".to_owned(), body);
            }
            if self.role.is_some() {
                operation.insert("security".to_owned(), json!([{"bearer": []}]));
            }
        }
        operation
    }
}

/// Endpoints with what answers them.
#[derive(Default)]
pub(crate) struct Routes {
    router: Router<Arc<Service>>,
    endpoints: Vec<Endpoint>,
}

impl Routes {
    /// Adds an endpoint. Its role is asked for before its handler runs.
    pub(crate) fn add<H, T>(mut self, endpoint: Endpoint, handler: H) -> Self
    where
        H: axum::handler::Handler<T, Arc<Service>>,
        T: 'static,
    {
        let method = match endpoint.method {
            "GET" => MethodFilter::GET,
            "DELETE" => MethodFilter::DELETE,
            _ => MethodFilter::POST,
        };
        let mut routed: MethodRouter<Arc<Service>> = on(method, handler);
        if let Some(role) = endpoint.role {
            routed = routed.route_layer(middleware::from_fn_with_state(role, require));
        }
        self.router = self.router.route(endpoint.path, routed);
        self.endpoints.push(endpoint);
        self
    }

    pub(crate) fn split(self) -> (Router<Arc<Service>>, Vec<Endpoint>) {
        (self.router, self.endpoints)
    }
}

/// The document of the API, OpenAPI 3.1.
pub(crate) fn document(endpoints: &[Endpoint]) -> Value {
    let mut paths = Map::new();
    for endpoint in endpoints {
        let operations = paths.entry(endpoint.path).or_insert_with(|| json!({}));
        if let Some(operations) = operations.as_object_mut() {
            operations.insert(endpoint.method.to_lowercase(), endpoint.operation());
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Doorward",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "The service's API. x-role: the least role that may call.",
            "license": {"name": "Apache-2.0 OR MIT", "identifier": "Apache-2.0 OR MIT"},
        },
        "components": {
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
            },
            "schemas": {
                "Problem": {
                    "type": "object",
                    "required": ["code", "message"],
                    "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
                },
            },
        },
        "paths": paths,
    })
}

fn schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    settings.into_generator().into_root_schema_for::<T>().to_value()
}
