//! What a request asks for: the path of its target, taken apart and decoded.

use percent_encoding::percent_decode_str;

/// The decoded parts of a path between its slashes; one slash at the end, if any, is as good as none.
///
/// A part is taken apart before it is decoded, so `%2F` is a slash within an id. `Err` holds a part that is not
/// percent-encoded UTF-8.
pub(super) fn read_path(path: &str) -> Result<Vec<String>, String> {
    let path = path.strip_prefix('/').unwrap_or(path);
    let path = path.strip_suffix('/').unwrap_or(path);
    if path.is_empty() {
        return Ok(Vec::new());
    }
    path.split('/').map(decode).collect()
}

/// A part of a target without its percent-encoding; `Err` holds one that is not percent-encoded UTF-8.
pub(super) fn decode(part: &str) -> Result<String, String> {
    let is_escaped_right = part.match_indices('%').all(|(position, _)| {
        let digits = part.as_bytes().get(position + 1..position + 3);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    });
    let text = percent_decode_str(part).decode_utf8().ok().filter(|_| is_escaped_right);
    text.map(|text| text.into_owned()).ok_or_else(|| part.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_taken_apart_and_decoded() {
        for (path, parts) in [
            ("/", vec![]),
            ("/schedules/Red", vec!["schedules", "Red"]),
            ("/schedules/Red/", vec!["schedules", "Red"]),
            ("/schedules/Ligne%20%C3%89", vec!["schedules", "Ligne É"]),
            ("/schedules/a%2Fb+c", vec!["schedules", "a/b+c"]),
            ("//x", vec!["", "x"]),
            ("*", vec!["*"]),
        ] {
            assert_eq!(read_path(path).unwrap(), parts, "{path}");
        }
    }

    #[test]
    fn wrong_escapes_are_named() {
        for path in ["/schedules/%", "/schedules/%2", "/schedules/%zz", "/schedules/%ff"] {
            assert_eq!(read_path(path).unwrap_err(), path["/schedules/".len()..], "{path}");
        }
    }
}
