//! Any bytes as they come in from a socket, in pieces of any length: the pieces change nothing, what is refused is told
//! why, and what passes is the same request to httparse, which hyper reads it with.

#![no_main]

use libfuzzer_sys::fuzz_target;
use linespeed::guard::framing::{Framing, Verdict};
use linespeed::guard::limits::RequestLimits;

/// Small, so that every limit is within reach.
const LIMITS: RequestLimits =
    RequestLimits { head_bytes_max: 300, target_bytes_max: 40, header_fields_max: 6, body_bytes_max: 200 };

fuzz_target!(|data: &[u8]| {
    // The first byte says how the others are parted.
    let Some((length, bytes)) = data.split_first() else { return };
    let length = usize::from(*length).max(1);
    let mut rest = bytes;
    loop {
        let verdict = Framing::new(LIMITS).look(rest);
        assert_eq!(look_in_pieces(rest, length), verdict, "pieces of {length}");
        assert_eq!(look_in_pieces(rest, 1), verdict, "byte by byte");
        match verdict {
            Verdict::Whole(byte_count) => {
                assert!((1..=rest.len()).contains(&byte_count));
                assert_same_to_httparse(&rest[..byte_count]);
                rest = &rest[byte_count..];
            }
            Verdict::Refused(refusal) => {
                assert!(refusal.status.is_client_error() || [501, 505].contains(&refusal.status.as_u16()));
                assert!(refusal.detail.contains("found") && refusal.detail.contains("expected"), "{refusal:?}");
                return;
            }
            Verdict::NeedMore => {
                let RequestLimits { head_bytes_max, body_bytes_max, .. } = LIMITS;
                assert!(rest.len() <= head_bytes_max + body_bytes_max, "{} bytes are waited for", rest.len());
                return;
            }
        }
    }
});

fn look_in_pieces(bytes: &[u8], length: usize) -> Verdict {
    let mut framing = Framing::new(LIMITS);
    let mut end = 0;
    loop {
        end = bytes.len().min(end + length);
        let verdict = framing.look(&bytes[..end]);
        if verdict != Verdict::NeedMore || end == bytes.len() {
            return verdict;
        }
    }
}

/// Asserts that the head is one to httparse as well, and that there are not two ways to find the end of the body.
fn assert_same_to_httparse(request: &[u8]) {
    let mut fields = [httparse::EMPTY_HEADER; LIMITS.header_fields_max];
    let mut head = httparse::Request::new(&mut fields);
    let head_bytes = head.parse(request).expect("httparse reads what passes").unwrap();
    let target = head.path.expect("a whole head has a target");
    target.parse::<http::Uri>().expect("hyper takes the target");
    let of_name = |name: &'static str| head.headers.iter().filter(move |field| field.name.eq_ignore_ascii_case(name));
    let (lengths, encodings) = (of_name("content-length").count(), of_name("transfer-encoding").count());
    assert!(lengths + encodings <= 1, "{lengths} lengths and {encodings} encodings passed");
    if encodings == 0 {
        let length =
            of_name("content-length").next().map_or("0", |field| std::str::from_utf8(field.value).expect("digits"));
        assert_eq!(length.parse(), Ok(request.len() - head_bytes));
    } else {
        assert!(request.ends_with(b"\r\n\r\n") && request.len() > head_bytes);
    }
}
