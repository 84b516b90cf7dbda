//! A proxy that speaks HTTP `CONNECT` and SOCKS 5 at the same door.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, copy_bidirectional};
use tokio::time::timeout;

use super::{FakeNetwork, Place};

/// How a proxy behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProxyMood {
    /// As it should.
    Good,
    /// It lets nobody through.
    Refuses,
    /// It takes the connection and says nothing.
    Silent,
    /// It answers with nonsense.
    Babbles,
    /// It ends every connection after this time.
    CutsAfter(Duration),
}

/// A proxy into a [`FakeNetwork`].
#[derive(Clone)]
pub struct FakeProxy {
    /// Where it connects to.
    pub network: FakeNetwork,
    /// The login it wants, as name and password.
    pub login: Option<(&'static str, &'static str)>,
    /// The same login as HTTP writes it.
    pub basic: &'static str,
    /// How it behaves.
    pub mood: ProxyMood,
}

impl FakeProxy {
    /// A good proxy without a login.
    pub fn new(network: &FakeNetwork) -> Self {
        Self { network: network.clone(), login: None, basic: "", mood: ProxyMood::Good }
    }

    /// The place where it takes connections.
    pub fn place(self) -> Place {
        Place::open(move |stream| {
            let proxy = self.clone();
            tokio::spawn(async move { proxy.serve(stream).await });
        })
    }

    async fn serve(&self, mut client: DuplexStream) -> io::Result<()> {
        match self.mood {
            ProxyMood::Silent => std::future::pending::<()>().await,
            ProxyMood::Babbles => return client.write_all(b"\x00\x01 hello?\r\n\r\n").await,
            _ => {}
        }
        let first = client.read_u8().await?;
        let target = if first == 5 {
            self.greet_socks(&mut client).await?
        } else {
            self.greet_http(first, &mut client).await?
        };
        let Some((host, port)) = target else { return Ok(()) };
        let addresses = self.network.resolve(&host).await.unwrap_or_default();
        let server = match addresses.first() {
            Some(address) => self.network.connect((*address, port).into()).await,
            None => Err(io::ErrorKind::NotFound.into()),
        };
        let Ok(mut server) = server else {
            return client
                .write_all(if first == 5 {
                    &[5, 4, 0, 1, 0, 0, 0, 0, 0, 0]
                } else {
                    b"HTTP/1.1 502 Bad Gateway\r\n\r\n"
                })
                .await;
        };
        client
            .write_all(if first == 5 {
                &[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]
            } else {
                b"HTTP/1.1 200 OK\r\nVia: test\r\n\r\n"
            })
            .await?;
        let copy = copy_bidirectional(&mut client, &mut server);
        match self.mood {
            ProxyMood::CutsAfter(time) => drop(timeout(time, copy).await),
            _ => drop(copy.await),
        }
        Ok(())
    }

    async fn greet_http(&self, first: u8, client: &mut DuplexStream) -> io::Result<Option<(String, u16)>> {
        let mut head = vec![first];
        while !head.ends_with(b"\r\n\r\n") {
            head.push(client.read_u8().await?);
        }
        let head = String::from_utf8_lossy(&head).into_owned();
        let authorized =
            self.login.is_none() || head.contains(&format!("Proxy-Authorization: Basic {}\r\n", self.basic));
        if self.mood == ProxyMood::Refuses {
            client.write_all(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n").await?;
            return Ok(None);
        }
        if !authorized {
            client
                .write_all(b"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n")
                .await?;
            return Ok(None);
        }
        let target =
            head.strip_prefix("CONNECT ").and_then(|rest| rest.split(' ').next()).unwrap_or_default();
        let (host, port) = target.rsplit_once(':').unwrap_or_default();
        Ok(port.parse().ok().map(|port| (host.to_owned(), port)))
    }

    async fn greet_socks(&self, client: &mut DuplexStream) -> io::Result<Option<(String, u16)>> {
        let count = client.read_u8().await?;
        let mut methods = vec![0; count.into()];
        client.read_exact(&mut methods).await?;
        let wanted = if self.login.is_some() { 2 } else { 0 };
        if !methods.contains(&wanted) {
            client.write_all(&[5, 255]).await?;
            return Ok(None);
        }
        client.write_all(&[5, wanted]).await?;
        if let Some((name, password)) = self.login {
            client.read_u8().await?;
            let given = (read_text(client).await?, read_text(client).await?);
            let good = given == (name.to_owned(), password.to_owned());
            client.write_all(&[1, u8::from(!good)]).await?;
            if !good {
                return Ok(None);
            }
        }
        let mut head = [0; 4];
        client.read_exact(&mut head).await?;
        if self.mood == ProxyMood::Refuses || head[3] != 3 {
            client.write_all(&[5, 2, 0, 1, 0, 0, 0, 0, 0, 0]).await?;
            return Ok(None);
        }
        let host = read_text(client).await?;
        Ok(Some((host, client.read_u16().await?)))
    }
}

async fn read_text(client: &mut DuplexStream) -> io::Result<String> {
    let mut text = vec![0; client.read_u8().await?.into()];
    client.read_exact(&mut text).await?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
