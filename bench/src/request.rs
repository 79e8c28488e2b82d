//! The requests the bench makes, and a single GET that waits for its answer.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context, bail};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::response::{Encoding, Head, ResponseReader};

/// A server that says nothing for so long is taken to hang.
pub(crate) const SILENCE_MAX: Duration = Duration::from_secs(60);

/// All but the unreserved characters, RFC 3986, section 2.3.
const NOT_UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The path segment of a route id, percent-encoded. It is a file name too: it holds no `/`.
pub(crate) fn path_segment(route_id: &str) -> String {
    utf8_percent_encode(route_id, NOT_UNRESERVED).to_string()
}

/// The target of a route's schedules.
pub(crate) fn schedules_target(segment: &str) -> String {
    format!("/schedules/{segment}")
}

/// The bytes of `GET /schedules/<segment>`.
pub(crate) fn schedules_request(segment: &str, address: SocketAddr, encoding: Encoding) -> Vec<u8> {
    request(&schedules_target(segment), address, encoding)
}

/// The bytes of `GET <target>`.
pub(crate) fn request(target: &str, address: SocketAddr, encoding: Encoding) -> Vec<u8> {
    let accept = match encoding {
        Encoding::Identity => "",
        Encoding::Gzip => "Accept-Encoding: gzip\r\n",
    };
    format!("GET {target} HTTP/1.1\r\nHost: {address}\r\n{accept}\r\n").into_bytes()
}

/// Sends `request` over `socket` and waits for the whole answer.
///
/// Fails when the connection does, when nothing comes for [`SILENCE_MAX`], and on what is no response.
pub(crate) fn exchange(socket: &mut TcpStream, request: &[u8]) -> anyhow::Result<(Head, Vec<u8>)> {
    socket.set_read_timeout(Some(SILENCE_MAX))?;
    socket.set_nodelay(true)?;
    socket.write_all(request).context("cannot send the request")?;
    let mut reader = ResponseReader::default();
    let mut body = Vec::new();
    let mut buffer = vec![0; 256 * 1024];
    loop {
        let received = socket.read(&mut buffer).context("cannot read the response")?;
        if received == 0 {
            bail!("the server closed the connection after {} bytes of the body", body.len());
        }
        body.extend_from_slice(reader.read(&buffer[..received])?);
        if let Some(head) = reader.take_finished() {
            return Ok((head, body));
        }
    }
}

/// The body of `GET /schedules/<segment>` over `socket`, in the encoding asked for.
///
/// Fails as [`exchange`] does, and on any other status than 200 and any other encoding.
pub(crate) fn get_schedules(
    socket: &mut TcpStream,
    address: SocketAddr,
    segment: &str,
    encoding: Encoding,
) -> anyhow::Result<Vec<u8>> {
    let (head, body) = exchange(socket, &schedules_request(segment, address, encoding))
        .with_context(|| format!("GET /schedules/{segment} of {address}"))?;
    if head.status != 200 {
        bail!("GET /schedules/{segment} of {address}: expected status 200, found {}", head.status);
    }
    if head.encoding != encoding {
        bail!("GET /schedules/{segment} of {address}: expected encoding {encoding:?}, found {:?}", head.encoding);
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_id_is_encoded_as_one_path_segment() {
        assert_eq!(path_segment("Green-B"), "Green-B");
        assert_eq!(path_segment("a b/ü?"), "a%20b%2F%C3%BC%3F");
    }

    #[test]
    fn gzip_is_asked_for_only_when_wanted() {
        let address = SocketAddr::from(([127, 0, 0, 1], 4000));
        assert_eq!(
            schedules_request("1", address, Encoding::Identity),
            b"GET /schedules/1 HTTP/1.1\r\nHost: 127.0.0.1:4000\r\n\r\n"
        );
        assert_eq!(
            schedules_request("1", address, Encoding::Gzip),
            b"GET /schedules/1 HTTP/1.1\r\nHost: 127.0.0.1:4000\r\nAccept-Encoding: gzip\r\n\r\n"
        );
    }
}
