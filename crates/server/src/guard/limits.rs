//! What a client may take: bytes, time and connections.

use std::time::Duration;

/// How large a request may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestLimits {
    /// From the first byte of the request line to the empty line that ends the head.
    pub head_bytes_max: usize,
    /// The target, as it stands in the request line.
    pub target_bytes_max: usize,
    /// Lines of the head after the first; those after a chunked body are as many again.
    pub header_fields_max: usize,
    /// The body as it comes over the wire: of a chunked one with the chunks' sizes and ends.
    pub body_bytes_max: usize,
}

/// How long a connection may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimits {
    /// From the first byte of a request to its last, body and all.
    pub request_time_max: Duration,
    /// Between two requests, and before the first.
    pub idle_time_max: Duration,
    /// For which the client takes none of the bytes that wait for it.
    pub write_time_max: Duration,
    /// For a whole response, from when the client is first waited for until it has taken all.
    pub response_time_max: Duration,
}

/// A limit that a client can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`RequestLimits::head_bytes_max`], or what a part of a head or the trailer section may have.
    HeadBytes,
    /// [`RequestLimits::target_bytes_max`].
    TargetBytes,
    /// [`RequestLimits::header_fields_max`].
    HeaderFields,
    /// [`RequestLimits::body_bytes_max`], or what the lines between chunks may have.
    BodyBytes,
    /// [`TimeLimits::request_time_max`].
    RequestTime,
    /// [`TimeLimits::idle_time_max`].
    IdleTime,
    /// [`TimeLimits::write_time_max`].
    WriteTime,
    /// [`TimeLimits::response_time_max`].
    ResponseTime,
    /// Connections in all; reached when the last one is taken.
    Connections,
    /// Connections of one address.
    ConnectionsPerAddress,
}

impl Limit {
    /// Every limit, in the order of the discriminants.
    pub const ALL: [Self; 10] = [
        Self::HeadBytes,
        Self::TargetBytes,
        Self::HeaderFields,
        Self::BodyBytes,
        Self::RequestTime,
        Self::IdleTime,
        Self::WriteTime,
        Self::ResponseTime,
        Self::Connections,
        Self::ConnectionsPerAddress,
    ];

    /// The limit's name in the metrics; the option that sets it is called alike.
    pub fn label(self) -> &'static str {
        match self {
            Self::HeadBytes => "head_bytes",
            Self::TargetBytes => "target_bytes",
            Self::HeaderFields => "header_fields",
            Self::BodyBytes => "body_bytes",
            Self::RequestTime => "request_time",
            Self::IdleTime => "idle_time",
            Self::WriteTime => "write_time",
            Self::ResponseTime => "response_time",
            Self::Connections => "connections",
            Self::ConnectionsPerAddress => "connections_per_address",
        }
    }
}

impl Default for RequestLimits {
    fn default() -> Self {
        Self { head_bytes_max: 16 << 10, target_bytes_max: 8 << 10, header_fields_max: 100, body_bytes_max: 64 << 10 }
    }
}

impl Default for TimeLimits {
    fn default() -> Self {
        Self {
            request_time_max: Duration::from_secs(10),
            idle_time_max: Duration::from_secs(60),
            write_time_max: Duration::from_secs(30),
            response_time_max: Duration::from_secs(600),
        }
    }
}
