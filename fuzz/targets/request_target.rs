//! Any method, target and headers, asked of the built-in city: an answer comes, whole, and with a status that fits.

#![no_main]

use std::sync::{Arc, LazyLock};

use http::{Request, Response, StatusCode, header};
use http_body_util::BodyExt;
use libfuzzer_sys::fuzz_target;
use linespeed::http::{Body, Handler, measured};
use linespeed::metrics::Metrics;
use tokio::runtime::Runtime;

/// Kept small, so that compressed answers are forgotten as well.
const COMPRESSED_BYTES_MAX: usize = 20_000;

static HANDLER: LazyLock<Handler> = LazyLock::new(|| {
    let loaded = linespeed::feed::built_in_city().expect("the built-in city is a feed");
    Handler::new(loaded, COMPRESSED_BYTES_MAX, Arc::new(Metrics::new(measured::endpoint_names())))
});

static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| tokio::runtime::Builder::new_current_thread().build().expect("a runtime without sockets"));

fuzz_target!(|data: &[u8]| {
    let Some(request) = read_request(data) else { return };
    let response = RUNTIME.block_on(HANDLER.answer(&request));
    let (status, headers) = (response.status(), response.headers().clone());
    let is_head = request.method() == "HEAD";
    let declared = headers.get(header::CONTENT_LENGTH).map(|length| length.to_str().expect("digits").parse::<usize>());
    let body = collect(response);
    match declared {
        Some(length) if !is_head => assert_eq!(length, Ok(body.len()), "{request:?}"),
        _ => assert!(body.is_empty(), "{request:?}"),
    }
    match status {
        StatusCode::OK | StatusCode::NOT_MODIFIED => assert!(is_head || request.method() == "GET"),
        StatusCode::NO_CONTENT => assert_eq!(request.method(), "OPTIONS"),
        _ => {
            assert!(status.is_client_error(), "{status} to {request:?}");
            assert_eq!(headers[header::CONTENT_TYPE], "application/problem+json");
            if !is_head {
                serde_json::from_slice::<serde_json::Value>(&body).expect("a problem is JSON");
            }
        }
    }
});

/// The lines of `data`: method, target, Accept-Encoding, If-None-Match; `None` when the library takes them for none.
fn read_request(data: &[u8]) -> Option<Request<()>> {
    let mut lines = data.split(|byte| *byte == b'\n');
    let mut request = Request::builder().method(lines.next()?).uri(lines.next()?);
    for name in [header::ACCEPT_ENCODING, header::IF_NONE_MATCH] {
        if let Some(value) = lines.next() {
            request = request.header(name, value);
        }
    }
    request.body(()).ok()
}

fn collect(response: Response<Body>) -> Vec<u8> {
    let body = RUNTIME.block_on(response.into_body().collect()).expect("bodies cannot fail");
    body.to_bytes().to_vec()
}
