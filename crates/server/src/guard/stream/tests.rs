//! What hyper sees, and when, on a paused clock.

use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::time::sleep;

use super::*;
use crate::metrics::Metrics;

const REQUEST: &[u8] = b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n";

/// A guard, the client at its other end, and the beginning of the drain.
fn guarded() -> (Guarded<DuplexStream>, DuplexStream, watch::Sender<()>) {
    let rules = Arc::new(Rules {
        requests: RequestLimits::default(),
        times: TimeLimits::default(),
        metrics: Arc::new(Metrics::new(Vec::new())),
    });
    let (server, client) = duplex(100_000);
    let drain = watch::Sender::new(());
    (Guarded::new(server, &rules, drain.subscribe()), client, drain)
}

async fn next(guard: &mut Guarded<DuplexStream>) -> Next {
    poll_fn(|context| guard.poll_request(context)).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_connection_on_which_nothing_came_has_no_buffer_and_ends_when_it_was_idle_for_too_long() {
    let (mut guard, _client, _drain) = guarded();
    let begin = Instant::now();
    assert_eq!(next(&mut guard).await, Next::End);
    assert_eq!(guard.buffer.capacity(), 0);
    assert!(begin.elapsed() >= guard.rules.times.idle_time_max, "{:?}", begin.elapsed());
}

#[tokio::test(start_paused = true)]
async fn each_read_gives_of_one_request_only() {
    let (mut guard, mut client, _drain) = guarded();
    client.write_all(&[REQUEST, REQUEST, &REQUEST[..10]].concat()).await.unwrap();
    let mut buffer = [0; 1000];
    for round in 0..2 {
        let byte_count = guard.read(&mut buffer).await.unwrap();
        assert_eq!(&buffer[..byte_count], REQUEST, "round {round}");
    }
    client.write_all(&REQUEST[10..]).await.unwrap();
    for byte in REQUEST {
        assert_eq!(guard.read_u8().await.unwrap(), *byte, "byte by byte if hyper wants that");
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_sends_a_byte_a_second_is_refused_when_the_time_is_over() {
    let (mut guard, mut client, _drain) = guarded();
    let begin = Instant::now();
    let dribbling = async {
        for byte in b"GET / HTTP/1.1\r\nHost: x\r\n" {
            client.write_all(&[*byte]).await.unwrap();
            sleep(Duration::from_secs(1)).await;
        }
    };
    tokio::select! {
        next = next(&mut guard) => assert_eq!(next, Next::Request),
        () = dribbling => panic!("it was borne with"),
    }
    assert_eq!(begin.elapsed().as_secs(), guard.rules.times.request_time_max.as_secs());
    let refusal = guard.refusal_slot().take().unwrap();
    assert_eq!((refusal.status, refusal.limit), (StatusCode::REQUEST_TIMEOUT, Some(Limit::RequestTime)));
    let mut substitute = Vec::new();
    guard.read_to_end(&mut substitute).await.unwrap();
    assert_eq!(substitute, SUBSTITUTE_GET, "and nothing after it");
}

#[tokio::test(start_paused = true)]
async fn a_drain_ends_an_idle_connection_and_waits_for_a_request_that_has_begun() {
    let (mut guard, mut client, drain) = guarded();
    client.write_all(&REQUEST[..10]).await.unwrap();
    drain.send_replace(());
    let rest = async {
        sleep(Duration::from_secs(5)).await;
        client.write_all(&REQUEST[10..]).await.unwrap();
    };
    assert_eq!(tokio::join!(next(&mut guard), rest).0, Next::Request);
    let mut requests = Vec::new();
    guard.read_to_end(&mut requests).await.unwrap();
    assert_eq!(requests, REQUEST, "then it ends");
}

#[tokio::test(start_paused = true)]
async fn what_a_refused_client_still_sends_is_dropped_for_a_while() {
    let (mut guard, mut client, _drain) = guarded();
    client.write_all(b"\0").await.unwrap();
    assert_eq!(next(&mut guard).await, Next::Request);
    guard.shutdown().await.unwrap();
    let begin = Instant::now();
    let sending = async {
        for _ in 0..100 {
            if client.write_all(b"more").await.is_err() {
                return;
            }
            sleep(Duration::from_secs(1)).await;
        }
    };
    tokio::select! {
        () = guard.linger() => {}
        () = sending => panic!("it was listened to for ever"),
    }
    assert!(begin.elapsed() >= LINGER_TIME_MAX && guard.dropped_bytes > 4, "{:?}", begin.elapsed());
}
