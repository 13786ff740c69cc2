//! What a request brings: bodies and queries that are read strictly, and refused with a problem that names the fault.

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::Response;
use serde::de::DeserializeOwned;

use crate::api::problem;

/// A JSON body.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        if !kind.is_some_and(is_json) {
            let why = "the body is application/json";
            return Err(problem(StatusCode::UNSUPPORTED_MEDIA_TYPE, "request.type", why));
        }
        let bytes = Bytes::from_request(request, state)
            .await
            .map_err(|rejection| problem(rejection.status(), "request.body", &rejection.body_text()))?;
        serde_json::from_slice(&bytes)
            .map(Self)
            .map_err(|error| problem(StatusCode::BAD_REQUEST, "request.invalid", &error.to_string()))
    }
}

/// `application/json`, with whatever parameters.
pub(crate) fn is_json(kind: &str) -> bool {
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// The query.
pub(crate) struct Params<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Params<T> {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        Query::from_request_parts(parts, state)
            .await
            .map(|Query(query)| Self(query))
            .map_err(|rejection| problem(StatusCode::BAD_REQUEST, "request.query", &rejection.body_text()))
    }
}

/// A number in the path; what isn't one names nothing.
pub(crate) fn number(text: &str) -> Result<u64, Box<Response>> {
    text.parse().map_err(|_| {
        Box::new(problem(StatusCode::BAD_REQUEST, "request.path", "the path names a record by its number"))
    })
}
