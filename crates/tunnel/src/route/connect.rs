//! Connecting to a host by name, over whichever of its addresses works first.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::time::{Instant, timeout, timeout_at};

use super::{BoxIo, Network};

/// All of resolving and connecting takes at most this long.
const LIMIT: Duration = Duration::from_secs(10);
/// The next address is tried when the one before has not answered for this long.
const HEAD_START: Duration = Duration::from_millis(250);

/// Which kind of address is tried first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    V4,
    V6,
}

/// Why no connection was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConnectError {
    NameNotFound,
    Refused,
    TimedOut,
}

/// Connects to `host`, beginning with addresses of `first`; tells which kind of address answered.
pub(super) async fn connect(
    network: &dyn Network,
    host: &str,
    port: u16,
    first: Family,
) -> Result<(BoxIo, Family), ConnectError> {
    let limit = Instant::now() + LIMIT;
    let addresses = match host.parse::<IpAddr>() {
        Ok(address) => vec![address],
        Err(_) => match timeout_at(limit, network.resolve(host)).await {
            Ok(Ok(addresses)) if !addresses.is_empty() => addresses,
            _ => return Err(ConnectError::NameNotFound),
        },
    };
    let addresses = interleave(addresses, first).into_iter().map(|address| SocketAddr::new(address, port));
    timeout_at(limit, race(network, addresses)).await.unwrap_or(Err(ConnectError::TimedOut))
}

/// First of one kind, then of the other, and so on.
fn interleave(addresses: Vec<IpAddr>, first: Family) -> Vec<IpAddr> {
    let (preferred, other): (Vec<_>, Vec<_>) =
        addresses.into_iter().partition(|address| address.is_ipv6() == (first == Family::V6));
    let (mut preferred, mut other) = (preferred.into_iter(), other.into_iter());
    let mut list = Vec::new();
    loop {
        let before = list.len();
        list.extend(preferred.next());
        list.extend(other.next());
        if list.len() == before {
            return list;
        }
    }
}

async fn race(
    network: &dyn Network,
    mut addresses: impl Iterator<Item = SocketAddr>,
) -> Result<(BoxIo, Family), ConnectError> {
    let mut attempts = FuturesUnordered::new();
    loop {
        let more = addresses.next();
        let wait = if more.is_some() { HEAD_START } else { LIMIT };
        attempts.extend(more.map(|address| async move {
            let family = if address.is_ipv6() { Family::V6 } else { Family::V4 };
            network.connect(address).await.map(|stream| (stream, family))
        }));
        match timeout(wait, attempts.next()).await {
            Ok(Some(Ok(connected))) => return Ok(connected),
            Ok(None) => return Err(ConnectError::Refused),
            // An attempt that fails makes room for the next address at once.
            Ok(Some(Err(_))) | Err(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use futures_util::future::BoxFuture;

    use super::*;

    /// IPv6 addresses swallow everything, `127.0.0.1` refuses, other IPv4 addresses connect.
    struct BlackHole(Vec<&'static str>);

    impl Network for BlackHole {
        fn resolve<'a>(&'a self, _: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
            Box::pin(async { Ok(self.0.iter().map(|address| address.parse().unwrap()).collect()) })
        }

        fn connect(&self, address: SocketAddr) -> BoxFuture<'_, io::Result<BoxIo>> {
            Box::pin(async move {
                if address.is_ipv6() {
                    std::future::pending::<()>().await;
                }
                if address.ip().is_loopback() {
                    return Err(io::ErrorKind::ConnectionRefused.into());
                }
                Ok(Box::new(tokio::io::duplex(8).0) as BoxIo)
            })
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_black_hole_costs_a_quarter_of_a_second() {
        let start = Instant::now();
        let network = BlackHole(vec!["2001:db8::1", "2001:db8::2", "127.0.0.1", "192.0.2.1"]);
        let (_, family) = connect(&network, "host", 443, Family::V6).await.ok().unwrap();
        assert_eq!(family, Family::V4);
        assert_eq!(start.elapsed(), HEAD_START * 2);
    }

    #[tokio::test(start_paused = true)]
    async fn every_attempt_ends() {
        for (addresses, expected) in [
            (vec![], ConnectError::NameNotFound),
            (vec!["127.0.0.1"], ConnectError::Refused),
            (vec!["2001:db8::1"], ConnectError::TimedOut),
            (vec!["2001:db8::1", "127.0.0.1"], ConnectError::TimedOut),
        ] {
            let network = BlackHole(addresses);
            assert_eq!(connect(&network, "host", 443, Family::V6).await.err(), Some(expected));
        }
    }
}
