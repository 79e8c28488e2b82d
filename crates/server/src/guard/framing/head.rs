//! The lines of a head, and what they say together (RFC 9112, 3, 5 and 6).

use hyper::{StatusCode, Uri};

use super::is_token_byte;
use crate::guard::refusal::{Refusal, excerpt};

/// The versions that this server speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Version {
    Http10,
    #[default]
    Http11,
}

/// What has been seen of a head.
#[derive(Debug, Default)]
pub(super) struct HeadSoFar {
    pub(super) method_bytes: usize,
    pub(super) target_bytes: usize,
    pub(super) version: Version,
    pub(super) field_count: usize,
    has_host: bool,
    pub(super) content_length: Option<u64>,
    pub(super) is_chunked: bool,
    /// What Expect says.
    expectation: Option<String>,
    /// All of the head, once it is there.
    pub(super) byte_count: usize,
}

impl Version {
    pub(super) fn read(text: &[u8]) -> Result<Self, Refusal> {
        match text {
            b"HTTP/1.1" => Ok(Self::Http11),
            b"HTTP/1.0" => Ok(Self::Http10),
            [b'H', b'T', b'T', b'P', b'/', major, b'.', minor] if major.is_ascii_digit() && minor.is_ascii_digit() => {
                let detail = format!("found {}, expected HTTP/1.1 or HTTP/1.0", text.escape_ascii());
                Err(Refusal::new(StatusCode::HTTP_VERSION_NOT_SUPPORTED, detail))
            }
            _ => Err(not_a_version(text)),
        }
    }
}

pub(super) fn not_a_version(found: &[u8]) -> Refusal {
    Refusal::bad(format!("found {} after the target, expected HTTP/1.1 and the end of the line", excerpt(found)))
}

impl HeadSoFar {
    /// Judges a request line, whose parts have been measured.
    pub(super) fn on_request_line(&self, line: &[u8]) -> Result<(), Refusal> {
        let method = &line[..self.method_bytes];
        let target = &line[self.method_bytes + 1..][..self.target_bytes];
        if method == b"CONNECT" {
            return Err(Refusal::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "found CONNECT, expected GET, HEAD or OPTIONS: this is no proxy",
            ));
        }
        if target == b"*" {
            // RFC 9112, 3.2.4. It also keeps `GET *` free for the guard itself.
            if method != b"OPTIONS" {
                let detail = format!("found {} *, expected * with OPTIONS only", method.escape_ascii());
                return Err(Refusal::bad(detail));
            }
            return Ok(());
        }
        let is_absolute = [&b"http://"[..], b"https://"]
            .iter()
            .any(|scheme| target.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
        let is_form = target.starts_with(b"/") || is_absolute;
        if is_form && Uri::try_from(target).is_ok_and(|uri| uri.authority().is_some() == is_absolute) {
            return Ok(());
        }
        let detail = format!("found the target {}, expected /PATH or http://HOST/PATH", excerpt(target));
        Err(Refusal::bad(detail))
    }

    /// Judges a line after the first.
    pub(super) fn on_field(&mut self, line: &[u8]) -> Result<(), Refusal> {
        let (name, value) = read_field(line)?;
        match name.len() {
            4 if name.eq_ignore_ascii_case(b"host") => self.on_host(value),
            6 if name.eq_ignore_ascii_case(b"expect") => {
                self.expectation = Some(excerpt(value));
                Ok(())
            }
            14 if name.eq_ignore_ascii_case(b"content-length") => self.on_content_length(value),
            17 if name.eq_ignore_ascii_case(b"transfer-encoding") => self.on_transfer_encoding(value),
            _ => Ok(()),
        }
    }

    /// RFC 9112, 3.2: one Host, and no other value than a name or an address, perhaps with a port; it may be empty.
    fn on_host(&mut self, value: &[u8]) -> Result<(), Refusal> {
        if std::mem::replace(&mut self.has_host, true) {
            return Err(Refusal::bad("found two Host fields, expected one"));
        }
        let is_host_byte = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=:[]".contains(byte);
        if !value.iter().all(is_host_byte) {
            return Err(Refusal::bad(format!("found the Host {}, expected NAME or NAME:PORT", excerpt(value))));
        }
        Ok(())
    }

    fn on_content_length(&mut self, value: &[u8]) -> Result<(), Refusal> {
        // Two that are alike are refused as well: a list of them is what a proxy makes of two requests glued together.
        if self.content_length.is_some() {
            return Err(Refusal::bad("found two Content-Length fields, expected one"));
        }
        // `parse` would take a sign.
        let is_digits = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
        let digits = std::str::from_utf8(value).ok().filter(|_| is_digits);
        let length = digits.and_then(|digits| digits.parse().ok());
        if length.is_none() {
            let found = excerpt(value);
            return Err(Refusal::bad(format!("found the Content-Length {found}, expected a number of bytes")));
        }
        self.content_length = length;
        Ok(())
    }

    fn on_transfer_encoding(&mut self, value: &[u8]) -> Result<(), Refusal> {
        if std::mem::replace(&mut self.is_chunked, true) {
            return Err(Refusal::bad("found two Transfer-Encoding fields, expected one"));
        }
        if !value.eq_ignore_ascii_case(b"chunked") {
            let detail = format!("found the Transfer-Encoding {}, expected chunked", excerpt(value));
            return Err(Refusal::new(StatusCode::NOT_IMPLEMENTED, detail));
        }
        Ok(())
    }

    /// Judges what the lines say together.
    pub(super) fn judge(&self) -> Result<(), Refusal> {
        if self.is_chunked && self.version == Version::Http10 {
            return Err(Refusal::bad("found Transfer-Encoding in HTTP/1.0, expected it in HTTP/1.1 only"));
        }
        if self.is_chunked && self.content_length.is_some() {
            return Err(Refusal::bad("found Transfer-Encoding and Content-Length, expected one of them"));
        }
        if !self.has_host && self.version == Version::Http11 {
            return Err(Refusal::bad("found no Host, expected one in HTTP/1.1"));
        }
        // RFC 9110, 10.1.1: in HTTP/1.0 it is not to be heeded.
        if let (Some(found), Version::Http11) = (&self.expectation, self.version) {
            let detail = format!("found Expect: {found}, expected no body that one has to ask for");
            return Err(Refusal::new(StatusCode::EXPECTATION_FAILED, detail));
        }
        Ok(())
    }
}

/// Name and value of a field, without the space around the value (RFC 9112, 5.1).
pub(super) fn read_field(line: &[u8]) -> Result<(&[u8], &[u8]), Refusal> {
    if line.starts_with(b" ") || line.starts_with(b"\t") {
        let detail = format!("found {}, expected no line that goes on with the one before", excerpt(line));
        return Err(Refusal::bad(detail));
    }
    let colon = line.iter().position(|byte| *byte == b':');
    let Some(colon) = colon.filter(|colon| *colon > 0) else {
        return Err(Refusal::bad(format!("found {}, expected NAME: VALUE", excerpt(line))));
    };
    let name = &line[..colon];
    if name.ends_with(b" ") || name.ends_with(b"\t") {
        return Err(Refusal::bad(format!("found {}, expected no space before the colon", excerpt(line))));
    }
    if !name.iter().copied().all(is_token_byte) {
        return Err(Refusal::bad(format!("found {}, expected letters, digits and hyphens in a name", excerpt(name))));
    }
    Ok((name, line[colon + 1..].trim_ascii()))
}
