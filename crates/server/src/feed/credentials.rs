//! The user and the password that stand in a URL, as a server is told them.

use http::uri::{Authority, Parts};
use http::{HeaderValue, Uri};
use percent_encoding::percent_decode_str;

/// The digits of base 64 (RFC 4648, 4).
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Parts a URL from its user and password, which become the value of Authorization (RFC 7617).
///
/// Here rather than left to the library, which sends `%40` as it stands, where the user means an `@`. None when the URL
/// makes no sense without them.
pub(super) fn part(uri: Uri) -> Option<(Uri, Option<HeaderValue>)> {
    let Some((user_and_password, host)) = uri.authority().and_then(|authority| authority.as_str().rsplit_once('@'))
    else {
        return Some((uri, None));
    };
    let (user, password) = user_and_password.split_once(':').unwrap_or((user_and_password, ""));
    let decoded: Vec<u8> = percent_decode_str(user).chain([b':']).chain(percent_decode_str(password)).collect();
    let mut authorization = HeaderValue::try_from(format!("Basic {}", base64(&decoded))).ok()?;
    authorization.set_sensitive(true);
    let host: Authority = host.parse().ok()?;
    let mut parts: Parts = uri.into_parts();
    parts.authority = Some(host);
    Some((Uri::from_parts(parts).ok()?, Some(authorization)))
}

/// RFC 4648, 4: three bytes are four digits, and what is missing of them at the end is padded.
fn base64(bytes: &[u8]) -> String {
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let number = (0..3).fold(0, |number, place| number << 8 | u32::from(three.get(place).copied().unwrap_or(0)));
        for place in 0..4 {
            let digit = DIGITS[(number >> (18 - 6 * place)) as usize & 63];
            text.push(if place <= three.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_64_is_as_the_rfc_has_it() {
        // RFC 4648, 10.
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xbf]), "+/+/");
    }

    #[test]
    fn a_user_and_a_password_are_told_in_a_header_and_decoded() {
        for (url, without, told) in [
            ("https://a.example/x?y=@", "https://a.example/x?y=@", None),
            ("https://user:secret@a.example:81/x?y", "https://a.example:81/x?y", Some("user:secret")),
            ("https://key@[::1]/", "https://[::1]/", Some("key:")),
            ("https://a%40b.example:p%40s%2Fs%3a%25@a.example/x", "https://a.example/x", Some("a@b.example:p@s/s:%")),
            ("https://user:p@ss@a.example/x", "https://a.example/x", Some("user:p@ss")),
            ("https://:a:b@a.example/x", "https://a.example/x", Some(":a:b")),
        ] {
            let (uri, authorization) = part(url.parse().unwrap()).unwrap();
            assert_eq!(uri.to_string(), without);
            let expected = told.map(|told| format!("Basic {}", base64(told.as_bytes())));
            assert_eq!(authorization.as_ref().map(|value| value.to_str().unwrap()), expected.as_deref(), "{url}");
            assert!(authorization.is_none_or(|value| value.is_sensitive()), "{url}: a log may show it");
        }
    }
}
