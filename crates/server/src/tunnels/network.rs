//! Notices that this computer stands in another network.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};
use std::time::Duration;

/// How often it is looked; a look is a few system calls and sends nothing.
pub(super) const LOOK_EVERY: Duration = Duration::from_secs(4);
/// Addresses that only the default route leads to; nobody has them.
const FAR_V4: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 1);
const FAR_V6: Ipv6Addr = Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1);

/// Where this computer stands: how packets would leave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// From these addresses; none without a route.
    from: [Option<IpAddr>; 2],
    /// By these routers, where the system lists them in a file: two networks may hand out the same address.
    routers: Vec<String>,
}

impl Place {
    /// The place of now.
    pub(super) fn now() -> Self {
        let from = [
            source(Ipv4Addr::UNSPECIFIED.into(), FAR_V4.into()),
            source(Ipv6Addr::UNSPECIFIED.into(), FAR_V6.into()),
        ];
        Self { from, routers: routers(&std::fs::read_to_string("/proc/net/route").unwrap_or_default()) }
    }
}

/// From which address packets to `far` would be sent. Connecting a datagram socket asks for the route and no more.
fn source(any: IpAddr, far: IpAddr) -> Option<IpAddr> {
    let socket = UdpSocket::bind((any, 0)).ok()?;
    socket.connect((far, 9)).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

/// Interface and router of every default route in Linux' table.
fn routers(table: &str) -> Vec<String> {
    let default = |line: &str| {
        let mut columns = line.split_whitespace();
        let (interface, destination, router) = (columns.next()?, columns.next()?, columns.next()?);
        (destination == "00000000").then(|| format!("{interface} {router}"))
    };
    table.lines().filter_map(default).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_default_routes_count() {
        let table = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\n\
                     wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\n\
                     docker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\n";
        assert_eq!(routers(table), ["wlan0 0101A8C0"]);
    }

    #[test]
    fn the_same_network_looks_the_same() {
        assert_eq!(Place::now(), Place::now());
    }
}
