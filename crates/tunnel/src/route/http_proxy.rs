//! Getting through an HTTP proxy.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use zeroize::Zeroizing;

use super::{BoxIo, ProxyAddress};
use crate::status::Reason;

/// No proxy says more before the connection begins.
const MAX_HEAD: usize = 8 * 1024;

/// Asks the proxy at the other end of `stream` for a connection to `host`.
pub(super) async fn connect(
    mut stream: BoxIo,
    proxy: &ProxyAddress,
    host: &str,
    port: u16,
) -> Result<BoxIo, Reason> {
    let target = if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") };
    let mut request = Zeroizing::new(format!("CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n"));
    if let Some(user) = &proxy.user {
        let password = proxy.password.as_ref().map_or("", |password| password.expose());
        let login = Zeroizing::new(format!("{user}:{password}"));
        let login = Zeroizing::new(STANDARD.encode(login.as_bytes()));
        request.push_str("Proxy-Authorization: Basic ");
        request.push_str(&login);
        request.push_str("\r\n");
    }
    request.push_str("\r\n");
    stream.write_all(request.as_bytes()).await.map_err(|_| Reason::ProxyFailed)?;
    stream.flush().await.map_err(|_| Reason::ProxyFailed)?;
    match read_status(&mut stream).await? {
        200..=299 => Ok(stream),
        407 => Err(Reason::ProxyAuthNeeded),
        _ => Err(Reason::ProxyRefuses),
    }
}

/// Reads the head of the answer byte by byte: what follows belongs to somebody else.
async fn read_status(stream: &mut BoxIo) -> Result<u16, Reason> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() == MAX_HEAD {
            return Err(Reason::ProxyFailed);
        }
        head.push(stream.read_u8().await.map_err(|_| Reason::ProxyFailed)?);
    }
    let line = head.split(|byte| *byte == b'\r').next().unwrap_or_default();
    let mut words = std::str::from_utf8(line).unwrap_or_default().split(' ');
    let is_http = words.next().is_some_and(|version| version.starts_with("HTTP/1."));
    let status = words.next().and_then(|status| status.parse().ok());
    status.filter(|_| is_http).ok_or(Reason::ProxyFailed)
}
