//! How many connections each address has.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// The bits of an IPv6 address that tell one network from another: whoever has one such network has all of its 2^64
/// addresses (RFC 6177).
const IPV6_NETWORK: u128 = !0 << 64;

/// The connections that are open, by address; no more addresses than connections.
#[derive(Debug)]
pub(crate) struct Addresses {
    connections_max: u32,
    counts: Mutex<HashMap<IpAddr, u32, foldhash::quality::RandomState>>,
}

/// A place among the connections of an address, free again when this is dropped.
#[derive(Debug)]
pub(crate) struct AddressPlace {
    addresses: Arc<Addresses>,
    counted_as: IpAddr,
}

impl Addresses {
    /// Lets each address have so many connections.
    pub(crate) fn new(connections_max: u32) -> Arc<Self> {
        Arc::new(Self { connections_max, counts: Mutex::default() })
    }

    /// A place for a connection from `address`; none if all of them are taken.
    pub(crate) fn take(self: &Arc<Self>, address: IpAddr) -> Option<AddressPlace> {
        let counted_as = counted_as(address);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(counted_as).or_default();
        if *count >= self.connections_max {
            return None;
        }
        *count += 1;
        Some(AddressPlace { addresses: Arc::clone(self), counted_as })
    }

    /// How many connections an address may have.
    pub(crate) fn connections_max(&self) -> u32 {
        self.connections_max
    }
}

impl Drop for AddressPlace {
    fn drop(&mut self) {
        let mut counts = self.addresses.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.get_mut(&self.counted_as).expect("an address with a place is counted");
        *count -= 1;
        if *count == 0 {
            counts.remove(&self.counted_as);
        }
    }
}

/// The address that stands for all that belong to the same client.
fn counted_as(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() & IPV6_NETWORK).into()),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(addresses: &Arc<Addresses>, address: &str) -> Option<AddressPlace> {
        addresses.take(address.parse().unwrap())
    }

    #[test]
    fn an_address_has_as_many_places_as_it_may_and_gets_them_back() {
        let addresses = Addresses::new(2);
        let first = take(&addresses, "192.0.2.1").unwrap();
        let _second = take(&addresses, "192.0.2.1").unwrap();
        assert!(take(&addresses, "192.0.2.1").is_none());
        assert!(take(&addresses, "192.0.2.2").is_some(), "another address has places of its own");
        drop(first);
        assert!(take(&addresses, "192.0.2.1").is_some());
    }

    #[test]
    fn an_ipv6_network_counts_as_one_and_an_ipv4_address_as_itself_however_written() {
        for (one, other, is_same) in [
            ("2001:db8:0:1::1", "2001:db8:0:1:ffff:ffff:ffff:ffff", true),
            ("2001:db8:0:1::1", "2001:db8:0:2::1", false),
            ("192.0.2.1", "::ffff:192.0.2.1", true),
            ("::ffff:192.0.2.1", "::ffff:192.0.2.2", false),
        ] {
            let addresses = Addresses::new(1);
            let _place = take(&addresses, one).unwrap();
            assert_eq!(take(&addresses, other).is_none(), is_same, "{one} and {other}");
        }
    }

    #[test]
    fn addresses_without_connections_are_forgotten() {
        let addresses = Addresses::new(1);
        for number in 0..1000_u32 {
            drop(addresses.take(IpAddr::V4(number.into())).unwrap());
        }
        assert!(addresses.counts.lock().unwrap().is_empty());
    }
}
