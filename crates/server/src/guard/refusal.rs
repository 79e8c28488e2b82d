//! Why a request is not passed on.

use hyper::StatusCode;

use super::limits::Limit;

/// How much of what a client sent is shown to it.
const EXCERPT_BYTES_MAX: usize = 40;

/// What is told to a client whose bytes are no request that this server takes; its connection ends with that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The status: a 4xx, 501 or 505.
    pub status: StatusCode,
    /// What was found and what was expected.
    pub detail: String,
    /// The limit that was reached, if that is why.
    pub limit: Option<Limit>,
}

impl Refusal {
    /// Bytes that are no request.
    pub(super) fn bad(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }

    pub(super) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self { status, detail: detail.into(), limit: None }
    }

    /// A request for which a limit is too low.
    pub(super) fn over(limit: Limit, status: StatusCode, detail: impl Into<String>) -> Self {
        Self { limit: Some(limit), ..Self::new(status, detail) }
    }

    /// More connections than one address may have.
    pub(crate) fn too_many_connections(connections_max: u32) -> Self {
        let detail = format!("found more connections from one address, expected at most {connections_max} at a time");
        Self::over(Limit::ConnectionsPerAddress, StatusCode::TOO_MANY_REQUESTS, detail)
    }
}

/// The beginning of `bytes` in quotes, as plain ASCII.
pub(super) fn excerpt(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(EXCERPT_BYTES_MAX)];
    let dots = if shown.len() < bytes.len() { "…" } else { "" };
    format!("\"{}{dots}\"", shown.escape_ascii())
}
