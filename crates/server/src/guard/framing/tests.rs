//! Verdicts on requests, whole and in pieces, and httparse as a second reader.

use proptest::prelude::*;

use super::*;

const LIMITS: RequestLimits =
    RequestLimits { head_bytes_max: 200, target_bytes_max: 30, header_fields_max: 4, body_bytes_max: 100 };

fn look(request: &[u8]) -> Verdict {
    Framing::new(LIMITS).look(request)
}

/// The verdict when the bytes come in pieces of these lengths, over and over; with all that had come by then.
fn look_in_pieces(request: &[u8], lengths: &[usize]) -> Verdict {
    let mut framing = Framing::new(LIMITS);
    let mut end = 0;
    for length in lengths.iter().cycle() {
        end = request.len().min(end + length);
        let verdict = framing.look(&request[..end]);
        if verdict != Verdict::NeedMore || end == request.len() {
            return verdict;
        }
    }
    unreachable!("the lengths never end")
}

/// Asserts that the bytes are refused with this status, and for this reason.
fn assert_refused(request: &str, status: u16, words: &str) {
    let Verdict::Refused(refusal) = look(request.as_bytes()) else {
        panic!("{request:?}: {:?}", look(request.as_bytes()));
    };
    assert_eq!(refusal.status.as_u16(), status, "{request:?}: {refusal:?}");
    assert!(refusal.detail.contains(words), "{request:?}: {refusal:?}");
    assert!(refusal.detail.contains("found") && refusal.detail.contains("expected"), "{request:?}: {refusal:?}");
    for length in 1..=3 {
        let in_pieces = look_in_pieces(request.as_bytes(), &[length]);
        assert_eq!(in_pieces, Verdict::Refused(refusal.clone()), "{request:?} in pieces of {length}");
    }
}

/// Asserts that the bytes are a whole request, and that no part of them is.
fn assert_whole(request: &str) {
    let request = request.as_bytes();
    assert_eq!(look(request), Verdict::Whole(request.len()), "{:?}", request.escape_ascii().to_string());
    for end in 0..request.len() {
        assert_eq!(look(&request[..end]), Verdict::NeedMore, "{end} bytes of {:?}", request.escape_ascii().to_string());
    }
    let followed = [request, b"GET /next HTTP/1.1\r\n"].concat();
    assert_eq!(look(&followed), Verdict::Whole(request.len()), "what follows is left alone");
}

#[test]
fn a_right_request_is_whole_at_its_last_byte() {
    for request in [
        "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        "\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
        "GET / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n",
        "GET / HTTP/1.1\r\nhOST:x:80\r\nX:\r\nY: \t a b\tc \r\n\r\n",
        "GET / HTTP/1.1\r\nHost:\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: [::1]:80\r\nX: \u{e9}\r\n\r\n",
        "BREW /%20?a=%zz&b HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /é HTTP/1.1\r\nHost: x\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET http://x HTTP/1.1\r\nHost: y\r\n\r\n",
        "GET HTTPS://[::1]:80/a?b HTTP/1.1\r\nHost: y\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n\r\n\0\n\r",
        "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 0005\r\n\r\nabcde",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\na\r\n\0b\r\n00A ;x=\"y\"\r\n0123456789\r\n0\r\nT: u\r\n\r\n",
    ] {
        assert_whole(request);
    }
}

#[test]
fn wrong_request_lines_are_refused() {
    for (line, status, words) in [
        ("\r\n", 400, "method"),
        ("GET\r\n", 400, "method"),
        (" GET / HTTP/1.1\r\n", 400, "method"),
        ("G@T / HTTP/1.1\r\n", 400, "G@"),
        ("GÉT / HTTP/1.1\r\n", 400, "method"),
        ("\0GET / HTTP/1.1\r\n", 400, "\\x00"),
        ("{\"method\"", 400, "{"),
        ("ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZ", 400, "method"),
        ("\u{16}\u{3}\u{1}", 400, "TLS"),
        ("GET  / HTTP/1.1\r\n", 400, "target"),
        ("GET /\r\n", 400, "version"),
        ("GET /\n", 400, "version"),
        ("GET / \r\n", 400, "after the target"),
        ("GET /a b HTTP/1.1\r\n", 400, "after the target"),
        ("GET / HTTP/1.1 x\r\n", 400, "after the target"),
        ("GET / HTTP/1.1\t\r\n", 400, "after the target"),
        ("GET / HTTP/1.12\r\n", 400, "after the target"),
        ("GET / http/1.1\r\n", 400, "http/1.1"),
        ("GET / HTTP/1\r\n", 400, "HTTP/1"),
        ("GET / HTTP/1.2\r\n", 505, "HTTP/1.2"),
        ("GET / HTTP/0.9\r\n", 505, "HTTP/0.9"),
        ("PRI * HTTP/2.0\r\n", 505, "HTTP/2.0"),
        ("GET / HTTP/1.1\n", 400, "after the target"),
        ("GET / HTTP/1.1\r\r", 400, "CR LF"),
        ("GET /\0 HTTP/1.1\r\n", 400, "\\x00"),
        ("GET /\u{7f} HTTP/1.1\r\n", 400, "percent-encoded"),
        ("GET /\t HTTP/1.1\r\n", 400, "percent-encoded"),
        ("GET /#a HTTP/1.1\r\n", 400, "#"),
        ("GET schedules/Red HTTP/1.1\r\n", 400, "schedules/Red"),
        ("GET * HTTP/1.1\r\n", 400, "OPTIONS"),
        ("HEAD * HTTP/1.1\r\n", 400, "OPTIONS"),
        ("GET x:80 HTTP/1.1\r\n", 400, "x:80"),
        ("GET ftp://x/ HTTP/1.1\r\n", 400, "ftp"),
        ("GET http:// HTTP/1.1\r\n", 400, "http://"),
        ("GET http://[ HTTP/1.1\r\n", 400, "http://["),
        ("GET http:///a HTTP/1.1\r\n", 400, "http:///a"),
        ("CONNECT x:80 HTTP/1.1\r\n", 405, "CONNECT"),
        ("CONNECT / HTTP/1.1\r\n", 405, "CONNECT"),
    ] {
        println!("{line:?}");
        assert_refused(&format!("{line}\r\nHost: x\r\n\r\n"), status, words);
    }
}

#[test]
fn wrong_header_fields_are_refused() {
    for (fields, status, words) in [
        ("no colon\r\n", 400, "no colon"),
        (": no name\r\n", 400, "NAME: VALUE"),
        ("a b: c\r\n", 400, "in a name"),
        ("Host : x\r\n", 400, "before the colon"),
        ("Host\t: x\r\n", 400, "before the colon"),
        (" Host: x\r\n", 400, "goes on"),
        ("X: y\r\n z\r\n", 400, "goes on"),
        ("X: y\r\n\tz\r\n", 400, "goes on"),
        ("X: y\n", 400, "LF alone"),
        ("X: y\rz\r\n", 400, "CR and then"),
        ("X: y\r\r\n", 400, "CR and then"),
        ("X: \0\r\n", 400, "control character"),
        ("X\u{1}: y\r\n", 400, "control character"),
        ("X: \u{7f}\r\n", 400, "control character"),
        ("X-é: y\r\n", 400, "in a name"),
        ("Host: y\r\n", 400, "two Host"),
        ("host: x\r\n", 400, "two Host"),
        ("Content-Length: -1\r\n", 400, "\"-1\""),
        ("Content-Length: +1\r\n", 400, "+1"),
        ("Content-Length: 0x1\r\n", 400, "0x1"),
        ("Content-Length:\r\n", 400, "\"\""),
        ("Content-Length: 1, 1\r\n", 400, "1, 1"),
        ("Content-Length: 18446744073709551616\r\n", 400, "number"),
        ("Content-Length: 1\r\nContent-Length: 2\r\n", 400, "two Content-Length"),
        ("Content-Length: 1\r\ncontent-length: 1\r\n", 400, "two Content-Length"),
        ("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", 400, "one of them"),
        ("Transfer-Encoding: chunked\r\nContent-Length: 0\r\n", 400, "one of them"),
        ("Transfer-Encoding: gzip\r\n", 501, "gzip"),
        ("Transfer-Encoding: gzip, chunked\r\n", 501, "chunked"),
        ("Transfer-Encoding: chunked, chunked\r\n", 501, "chunked"),
        ("Transfer-Encoding: xchunked\r\n", 501, "xchunked"),
        ("Transfer-Encoding: identity\r\n", 501, "identity"),
        ("Transfer-Encoding:\r\n", 501, "\"\""),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", 400, "two Transfer-Encoding"),
        ("Expect: 100-continue\r\n", 417, "100-continue"),
        ("Expect: wonders\r\n", 417, "wonders"),
    ] {
        println!("{fields:?}");
        assert_refused(&format!("POST / HTTP/1.1\r\nHost: x\r\n{fields}\r\n"), status, words);
    }
    assert!(matches!(look(b"GET /\xff HTTP/1.1\r\n"), Verdict::Refused(_)), "the target is no UTF-8");
    assert_refused("GET / HTTP/1.1\r\n\r\n", 400, "no Host");
    assert_refused("GET http://x/ HTTP/1.1\r\n\r\n", 400, "no Host");
    assert_refused("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400, "a b");
    assert_refused("GET / HTTP/1.1\r\nHost: <b>\r\n\r\n", 400, "<b>");
    assert_refused("GET / HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n", 400, "two Host");
    assert_refused("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400, "HTTP/1.0");
}

#[test]
fn wrong_chunks_are_refused() {
    for (chunks, status, words) in [
        ("\r\n", 400, "size"),
        ("x\r\n", 400, "\"x\""),
        ("-1\r\n", 400, "-1"),
        ("+1\r\n", 400, "+1"),
        ("0x1\r\n", 400, "0x1"),
        (" 1\r\na\r\n", 400, "size"),
        ("1 \r\na\r\n", 400, "size"),
        ("1 a\r\n", 400, "size"),
        ("1\na\r\n", 400, "LF alone"),
        ("1\ra", 400, "CR and then"),
        ("1;\0", 400, "control character"),
        ("1;x=\n", 400, "LF alone"),
        ("10000000000000000\r\n", 400, "size"),
        ("FFFFFFFFFFFFFFFF\r\n", 413, "18446744073709551615"),
        ("1\r\nab\r\n", 400, "end of a chunk"),
        ("1\r\na\n", 400, "end of a chunk"),
        ("1\r\na\rb", 400, "end of a chunk"),
        ("0\r\nT\r\n", 400, "NAME: VALUE"),
        ("0\r\nT : u\r\n", 400, "before the colon"),
        ("0\r\nT: u\n", 400, "LF alone"),
        ("0\r\n\n", 400, "LF alone"),
        ("0\r\nA: b\r\nA: b\r\nA: b\r\nA: b\r\nA: b\r\n", 431, "header fields"),
    ] {
        println!("{chunks:?}");
        assert_refused(
            &format!("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}"),
            status,
            words,
        );
    }
}

#[test]
fn the_lines_between_chunks_have_limits_of_their_own() {
    let limits = RequestLimits { body_bytes_max: 1 << 20, header_fields_max: 1000, ..LIMITS };
    let look = |chunks: String| {
        let head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
        Framing::new(limits).look(format!("{head}{chunks}").as_bytes())
    };
    let status = |verdict| match verdict {
        Verdict::Refused(Refusal { status, limit, .. }) => Some((status.as_u16(), limit)),
        _ => None,
    };
    println!("endless extensions of one chunk, then of many");
    assert_eq!(look(format!("1;{}", "x".repeat(254))), Verdict::NeedMore);
    assert_eq!(status(look(format!("1;{}", "x".repeat(255)))), Some((400, Some(Limit::BodyBytes))));
    assert_eq!(look("1;xxx\r\na\r\n".repeat(256)), Verdict::NeedMore);
    assert_eq!(status(look("1;xxx\r\na\r\n".repeat(257))), Some((400, Some(Limit::BodyBytes))));
    println!("endless trailers");
    assert_eq!(look(format!("0\r\nT: {}", "x".repeat(4093))), Verdict::NeedMore);
    assert_eq!(status(look(format!("0\r\nT: {}", "x".repeat(4094)))), Some((431, Some(Limit::HeadBytes))));
    assert_eq!(status(look(format!("0\r\n{}", "T: xxxx\r\n".repeat(500)))), Some((431, Some(Limit::HeadBytes))));
}

#[test]
fn each_limit_is_held_at_the_byte() {
    let refused = |request: String| match look(request.as_bytes()) {
        Verdict::Refused(Refusal { status, limit, .. }) => Some((status.as_u16(), limit)),
        Verdict::Whole(byte_count) => {
            assert_eq!(byte_count, request.len());
            None
        }
        Verdict::NeedMore => panic!("{request:?} is whole"),
    };
    let padded = |byte_count: usize| {
        let without = "GET / HTTP/1.1\r\nHost: x\r\nX: \r\n\r\n".len();
        format!("GET / HTTP/1.1\r\nHost: x\r\nX: {}\r\n\r\n", "x".repeat(byte_count - without))
    };
    assert_eq!((refused(padded(199)), refused(padded(200))), (None, None));
    assert_eq!(refused(padded(201)), Some((431, Some(Limit::HeadBytes))));

    let by_method = |byte_count: usize| format!("{} / HTTP/1.1\r\nHost: x\r\n\r\n", "X".repeat(byte_count));
    assert_eq!((refused(by_method(31)), refused(by_method(32))), (None, None));
    assert_eq!(refused(by_method(33)), Some((400, Some(Limit::HeadBytes))));

    let to_target = |byte_count: usize| format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "x".repeat(byte_count - 1));
    assert_eq!((refused(to_target(29)), refused(to_target(30))), (None, None));
    assert_eq!(refused(to_target(31)), Some((414, Some(Limit::TargetBytes))));

    let of_fields = |count: usize| format!("GET / HTTP/1.1\r\nHost: x\r\n{}\r\n", "X: y\r\n".repeat(count - 1));
    assert_eq!((refused(of_fields(3)), refused(of_fields(4))), (None, None));
    assert_eq!(refused(of_fields(5)), Some((431, Some(Limit::HeaderFields))));

    let with_body = |byte_count: usize| {
        format!("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: {byte_count}\r\n\r\n{}", "x".repeat(byte_count))
    };
    assert_eq!((refused(with_body(99)), refused(with_body(100))), (None, None));
    assert_eq!(refused(with_body(101)), Some((413, Some(Limit::BodyBytes))));

    let chunked = |byte_count: usize| {
        let data = byte_count - "5a\r\n\r\n0\r\n\r\n".len();
        format!(
            "GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n{data:x}\r\n{}\r\n0\r\n\r\n",
            "x".repeat(data)
        )
    };
    assert_eq!((refused(chunked(99)), refused(chunked(100))), (None, None));
    assert_eq!(refused(chunked(101)), Some((413, Some(Limit::BodyBytes))));
}

#[test]
fn a_limit_is_held_before_the_line_ends() {
    for (request, limit) in [
        (format!("GET /{}", "x".repeat(30)), Limit::TargetBytes),
        (format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(200)), Limit::HeadBytes),
        (format!("GET / HTTP/1.1\r\n{}", "X".repeat(200)), Limit::HeadBytes),
    ] {
        let Verdict::Refused(refusal) = look(request.as_bytes()) else { panic!("{request:?} goes on") };
        assert_eq!(refusal.limit, Some(limit), "{refusal:?}");
    }
}

/// Bytes that are near a request: its parts, some of them wrong, in any order.
fn nearly_a_request() -> impl Strategy<Value = Vec<u8>> {
    let line = prop::sample::select(vec![
        "GET / HTTP/1.1\r\n",
        "POST /a HTTP/1.1\r\n",
        "POST / HTTP/1.0\r\n",
        "OPTIONS * HTTP/1.1\r\n",
        "GET http://x/ HTTP/1.1\r\n",
        "\r\nGET / HTTP/1.1\r\n",
        "GET /\" HTTP/1.1\r\n",
    ]);
    let part = prop::sample::select(vec![
        "Host: x\r\n",
        "X: y\r\n",
        "Content-Length: 3\r\n",
        "Transfer-Encoding: chunked\r\n",
        "\r\n",
        "\r\n",
        "3\r\nabc\r\n",
        "0\r\n",
        "abc",
        "1;x=y\r\nz\r\n",
        " ",
        "\n",
        "\r",
        ":",
        "\0",
    ]);
    (line, prop::collection::vec(part, 0..12), prop::collection::vec(any::<u8>(), 0..3), any::<prop::sample::Index>())
        .prop_map(|(line, parts, noise, place)| {
            let mut bytes = [line.as_bytes(), b"Host: x\r\n", parts.concat().as_bytes()].concat();
            let place = place.index(bytes.len());
            bytes.splice(place..place, noise);
            bytes
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_pieces_in_which_bytes_come_change_nothing(
        request in prop_oneof![nearly_a_request(), prop::collection::vec(any::<u8>(), 0..50)],
        lengths in prop::collection::vec(1..20_usize, 1..10),
    ) {
        prop_assert_eq!(look_in_pieces(&request, &lengths), look(&request));
        prop_assert_eq!(look_in_pieces(&request, &[1]), look(&request));
    }

    #[test]
    fn what_passes_is_the_same_request_to_httparse(request in nearly_a_request()) {
        if let Verdict::Whole(byte_count) = look(&request) {
            let mut fields = [httparse::EMPTY_HEADER; 10];
            let mut head = httparse::Request::new(&mut fields);
            let head_bytes = head.parse(&request).unwrap().unwrap();
            prop_assert!(head_bytes <= byte_count);
            let field = |name: &str| head.headers.iter().find(|field| field.name.eq_ignore_ascii_case(name));
            let body_bytes = match (field("Content-Length"), field("Transfer-Encoding")) {
                (None, None) => 0,
                (Some(length), None) => std::str::from_utf8(length.value).unwrap().parse().unwrap(),
                (None, Some(_)) => chunked_bytes(&request[head_bytes..]),
                (Some(_), Some(_)) => panic!("both lengths passed"),
            };
            prop_assert_eq!(byte_count, head_bytes + body_bytes);
        }
    }
}

/// The length of a chunked body, as httparse reads the sizes.
fn chunked_bytes(body: &[u8]) -> usize {
    let mut end = 0;
    loop {
        let (line_bytes, chunk_bytes) = httparse::parse_chunk_size(&body[end..]).unwrap().unwrap();
        end += line_bytes + chunk_bytes as usize;
        if chunk_bytes == 0 {
            let mut fields = [httparse::EMPTY_HEADER; 10];
            let (trailer_bytes, _) = httparse::parse_headers(&body[end..], &mut fields).unwrap().unwrap();
            return end + trailer_bytes;
        }
        end += 2;
    }
}
