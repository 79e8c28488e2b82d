//! Where to listen, as it stands in an argument or in the environment.

use std::net::{Ipv4Addr, SocketAddr};

/// An address and a port; `localhost` is 127.0.0.1, which no table of names is asked for.
pub(super) fn read_listen_address(text: &str) -> Result<SocketAddr, String> {
    let local = text.strip_prefix("localhost:").and_then(|port| port.parse().ok());
    let local = local.map(|port| SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port));
    local.or_else(|| text.parse().ok()).ok_or_else(|| {
        "expected ADDRESS:PORT, such as 127.0.0.1:4000, or [::]:4000 for all the world to reach it".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_port() {
        for (text, address) in [
            ("127.0.0.1:4000", "127.0.0.1:4000"),
            ("localhost:4000", "127.0.0.1:4000"),
            ("localhost:0", "127.0.0.1:0"),
            ("0.0.0.0:80", "0.0.0.0:80"),
            ("[::1]:65535", "[::1]:65535"),
        ] {
            assert_eq!(read_listen_address(text), Ok(address.parse().unwrap()), "{text}");
        }
        for text in ["", "4000", ":4000", "localhost", "localhost:", "localhost:65536", "::1:4000", "a.example:80"] {
            let error = read_listen_address(text).unwrap_err();
            assert!(error.contains("ADDRESS:PORT, such as 127.0.0.1:4000"), "{text}: {error}");
        }
    }
}
