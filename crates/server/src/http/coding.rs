//! Content codings: how the bytes of an answer are packed for the way.

use hyper::header::HeaderValue;

/// How the content of an answer is coded (RFC 9110, 8.4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Coding {
    /// As it is.
    Identity,
    Gzip,
}

impl Coding {
    /// What the tags of answers in this coding end with.
    pub(super) fn tag_suffix(self) -> &'static str {
        match self {
            Self::Identity => "",
            Self::Gzip => "-gzip",
        }
    }

    /// The value of Content-Encoding, which answers that are not coded do not have.
    pub(super) fn content_encoding(self) -> Option<HeaderValue> {
        match self {
            Self::Identity => None,
            Self::Gzip => Some(HeaderValue::from_static("gzip")),
        }
    }
}
