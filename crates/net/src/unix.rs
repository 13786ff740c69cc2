//! One HTTP request over a local Unix socket, for services that the operator runs beside Doorward.

use std::io;
use std::path::Path;

use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use tokio::net::UnixStream;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum UnixError {
    /// The request has a header or path that HTTP doesn't allow.
    #[error("the request can't be written: {0}")]
    Invalid(String),
    /// There is no listener, or the connection ended.
    #[error("{0}")]
    Broken(io::Error),
    /// The answer is longer than the limit.
    #[error("the answer is longer than {0} bytes")]
    TooLarge(usize),
}

/// A response.
#[derive(Debug, Clone)]
pub struct UnixAnswer {
    /// Status.
    pub status: u16,
    /// Header names in lower case; values that aren't UTF-8 are read lossily.
    pub headers: Vec<(String, String)>,
    /// Body.
    pub body: Vec<u8>,
}

/// Posts a body and reads at most `limit` bytes of the answer. The caller sets the time limit.
pub async fn post(
    socket: &Path,
    path: &str,
    headers: &[(String, String)],
    body: Vec<u8>,
    limit: usize,
) -> Result<UnixAnswer, UnixError> {
    let broken = |error: hyper::Error| UnixError::Broken(io::Error::other(error));
    let stream = UnixStream::connect(socket).await.map_err(UnixError::Broken)?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(broken)?;
    let driven = tokio::spawn(connection);
    let mut request = hyper::Request::post(path).header("host", "localhost");
    for (name, value) in headers {
        request = request.header(name, value);
    }
    let request =
        request.body(Full::new(Bytes::from(body))).map_err(|error| UnixError::Invalid(error.to_string()))?;
    let answer = sender.send_request(request).await.map_err(broken)?;
    let status = answer.status().as_u16();
    let headers = answer
        .headers()
        .iter()
        .map(|(name, value)| {
            (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
        })
        .collect();
    let body = Limited::new(answer.into_body(), limit).collect().await.map_err(|error| {
        if error.is::<http_body_util::LengthLimitError>() {
            UnixError::TooLarge(limit)
        } else {
            UnixError::Broken(io::Error::other(error))
        }
    })?;
    driven.abort();
    Ok(UnixAnswer { status, headers, body: body.to_bytes().to_vec() })
}
