//! A network in memory: names, addresses, and what answers there.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::io::{DuplexStream, copy_bidirectional};
use tokio::net::TcpListener;

/// What is found at an address.
#[derive(Clone)]
pub enum Place {
    /// Something that takes connections.
    Open(Arc<dyn Fn(DuplexStream) + Send + Sync>),
    /// Attempts to connect get no answer.
    BlackHole,
    /// Attempts to connect are refused, as they are everywhere else.
    Refused,
}

impl Place {
    /// A place where `take` takes connections.
    pub fn open(take: impl Fn(DuplexStream) + Send + Sync + 'static) -> Self {
        Self::Open(Arc::new(take))
    }

    /// Takes connections on a free TCP port of this computer too, at its address `host`.
    ///
    /// # Errors
    /// Where no port can be had, or nothing takes connections here.
    pub async fn listen(self, host: &str) -> io::Result<SocketAddr> {
        let Self::Open(take) = self else { return Err(io::ErrorKind::Unsupported.into()) };
        let listener = TcpListener::bind((host, 0)).await?;
        let address = listener.local_addr()?;
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (mut near, far) = tokio::io::duplex(64 * 1024);
                take(far);
                tokio::spawn(async move { copy_bidirectional(&mut stream, &mut near).await });
            }
        });
        Ok(address)
    }
}

#[derive(Default)]
struct Map {
    hosts: HashMap<String, Vec<IpAddr>>,
    places: HashMap<SocketAddr, Place>,
    lookups: usize,
    connections: Vec<SocketAddr>,
}

/// The network. Clones are the same network.
#[derive(Clone, Default)]
pub struct FakeNetwork(Arc<Mutex<Map>>);

impl FakeNetwork {
    /// A network with nothing in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives `host` these addresses; none makes its name unknown.
    pub fn name(&self, host: &str, addresses: &[&str]) {
        let addresses = addresses.iter().filter_map(|address| address.parse().ok()).collect();
        self.map().hosts.insert(host.to_owned(), addresses);
    }

    /// Puts `place` at `address`, given as `IP:PORT`.
    pub fn put(&self, address: &str, place: Place) {
        if let Ok(address) = address.parse() {
            self.map().places.insert(address, place);
        }
    }

    /// The addresses of `host`.
    ///
    /// # Errors
    /// Where the name is unknown.
    pub async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let mut map = self.map();
        map.lookups += 1;
        let known = map.hosts.get(host).filter(|addresses| !addresses.is_empty());
        known.cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// A connection to `address`.
    ///
    /// # Errors
    /// Where nothing takes connections there.
    pub async fn connect(&self, address: SocketAddr) -> io::Result<DuplexStream> {
        let place = {
            let mut map = self.map();
            map.connections.push(address);
            map.places.get(&address).cloned().unwrap_or(Place::Refused)
        };
        match place {
            Place::Open(take) => {
                let (here, there) = tokio::io::duplex(64 * 1024);
                take(there);
                Ok(here)
            }
            Place::BlackHole => std::future::pending().await,
            Place::Refused => Err(io::ErrorKind::ConnectionRefused.into()),
        }
    }

    /// How often a name was looked up.
    pub fn lookups(&self) -> usize {
        self.map().lookups
    }

    /// Every address that was connected to, in order.
    pub fn connections(&self) -> Vec<SocketAddr> {
        self.map().connections.clone()
    }

    fn map(&self) -> MutexGuard<'_, Map> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
