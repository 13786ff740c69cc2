//! The console's files, built from `console/` and embedded. They are the same for everyone: what a page shows comes
//! over the API, which asks who is calling.

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use doorward::rooms::core::id::Digest;

/// What the pages may do: load our own script and style, talk to us, nothing else.
pub(crate) const CSP: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'";

pub(crate) const PAGE: Asset =
    Asset { kind: "text/html; charset=utf-8", bytes: include_bytes!("../console/index.html") };
pub(crate) const SCRIPT: Asset =
    Asset { kind: "text/javascript; charset=utf-8", bytes: include_bytes!("../console/app.js") };
pub(crate) const STYLE: Asset =
    Asset { kind: "text/css; charset=utf-8", bytes: include_bytes!("../console/app.css") };

/// A file of the console.
#[derive(Clone, Copy)]
pub(crate) struct Asset {
    kind: &'static str,
    bytes: &'static [u8],
}

impl Asset {
    pub(crate) fn answer(self, headers: &HeaderMap) -> Response {
        let tag = format!("\"{}\"", Digest::of(self.bytes));
        let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
        let common = [(header::CACHE_CONTROL, "no-cache".to_owned()), (header::ETAG, tag.clone())];
        if known == Some(&tag) {
            return (StatusCode::NOT_MODIFIED, common).into_response();
        }
        (common, [(header::CONTENT_TYPE, self.kind)], self.bytes).into_response()
    }
}
