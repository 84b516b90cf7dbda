//! Encryption, and knowing who is at the other end.

use std::io;
use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{AlertDescription, CertificateError, ClientConfig, Error};
use rustls_platform_verifier::Verifier;
use tokio_rustls::TlsConnector;

use super::BoxIo;
use crate::status::Reason;

/// Checks certificates against what the operating system trusts and, in addition, a file of the user's.
///
/// There is no switch that turns the check off.
#[derive(Clone)]
pub struct Tls(TlsConnector);

impl Tls {
    /// Reads what is trusted.
    ///
    /// # Errors
    /// [`Reason::CertificateFileUnusable`] where `ca_file` is not a PEM file with certificates, [`Reason::TlsFailed`]
    /// where the operating system's own list cannot be used.
    pub fn new(ca_file: Option<&Path>) -> Result<Self, Reason> {
        let added = ca_file.map(read_certificates).transpose()?.unwrap_or_default();
        let has_file = !added.is_empty();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let unusable = if has_file { Reason::CertificateFileUnusable } else { Reason::TlsFailed };
        let verifier = Verifier::new_with_extra_roots(added, Arc::clone(&provider)).map_err(|_| unusable)?;
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|_| Reason::TlsFailed)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self(TlsConnector::from(Arc::new(config))))
    }

    /// Encrypts `stream`, whose other end must be `host`.
    ///
    /// # Errors
    /// The reason why that end is not to be trusted or does not answer.
    pub async fn secure(&self, stream: BoxIo, host: &str) -> Result<BoxIo, Reason> {
        let name = ServerName::try_from(host.to_owned()).map_err(|_| Reason::AddressInvalid)?;
        match self.0.connect(name, stream).await {
            Ok(stream) => Ok(Box::new(stream)),
            Err(error) => Err(reason_of(&error)),
        }
    }
}

fn read_certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, Reason> {
    let unusable = |_| Reason::CertificateFileUnusable;
    let certificates: Vec<_> =
        CertificateDer::pem_file_iter(file).map_err(unusable)?.collect::<Result<_, _>>().map_err(unusable)?;
    if certificates.is_empty() { Err(Reason::CertificateFileUnusable) } else { Ok(certificates) }
}

/// What a failed handshake means. One that just ends is typical of a network that blocks by name.
fn reason_of(error: &io::Error) -> Reason {
    match tls_error(error) {
        Some(Error::InvalidCertificate(
            CertificateError::Expired
            | CertificateError::ExpiredContext { .. }
            | CertificateError::NotValidYet
            | CertificateError::NotValidYetContext { .. },
        )) => Reason::CertificateExpired,
        Some(Error::InvalidCertificate(_) | Error::NoCertificatesPresented) => Reason::CertificateUntrusted,
        Some(error) if wants_client_certificate(error) => Reason::ClientCertificateNeeded,
        Some(_) => Reason::TlsFailed,
        None => Reason::NetworkBlocked,
    }
}

/// The error of the encryption inside an error of a stream.
fn tls_error(error: &io::Error) -> Option<&Error> {
    error.get_ref()?.downcast_ref::<Error>()
}

/// Whether the other end ended the connection because we have no certificate.
fn wants_client_certificate(error: &Error) -> bool {
    matches!(error, Error::AlertReceived(AlertDescription::CertificateRequired))
}

/// Whether any error behind `error` says that a client certificate is demanded.
pub(crate) fn demands_client_certificate(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        let inner = error.downcast_ref::<io::Error>().and_then(tls_error);
        if inner.or(error.downcast_ref()).is_some_and(wants_client_certificate) {
            return true;
        }
        next = error.source();
    }
    false
}
