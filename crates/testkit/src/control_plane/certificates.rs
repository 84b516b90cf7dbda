//! Certificates of an authority nobody knows.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::io::DuplexStream;
use tokio_rustls::TlsAcceptor;

use super::{FakeControlPlane, Place};

/// An authority that issues certificates for tests.
pub struct Certificates(CertifiedIssuer<'static, KeyPair>);

impl Certificates {
    /// A new authority.
    ///
    /// # Errors
    /// Where no key can be made.
    pub fn new() -> Result<Self> {
        let mut params = CertificateParams::new(Vec::new())?;
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Ok(Self(CertifiedIssuer::self_signed(params, KeyPair::generate()?)?))
    }

    /// Writes the authority's own certificate to `file`.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn write(&self, file: &Path) -> Result<()> {
        Ok(std::fs::write(file, self.0.pem())?)
    }

    /// A place where `plane` is served behind a certificate for `host` that is valid.
    ///
    /// # Errors
    /// Where no certificate can be made.
    pub fn serve(&self, plane: &FakeControlPlane, host: &str) -> Result<Place> {
        self.place(plane, CertificateParams::new(vec![host.to_owned()])?)
    }

    /// The same behind a certificate that is out of date.
    ///
    /// # Errors
    /// Where no certificate can be made.
    pub fn serve_expired(&self, plane: &FakeControlPlane, host: &str) -> Result<Place> {
        let mut params = CertificateParams::new(vec![host.to_owned()])?;
        (params.not_before, params.not_after) = (date_time_ymd(2001, 1, 1), date_time_ymd(2002, 1, 1));
        self.place(plane, params)
    }

    fn place(&self, plane: &FakeControlPlane, params: CertificateParams) -> Result<Place> {
        let key = KeyPair::generate()?;
        let certificate = params.signed_by(&key, &self.0)?;
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)?;
        let (acceptor, plane) = (TlsAcceptor::from(Arc::new(config)), plane.clone());
        Ok(Place::open(move |stream: DuplexStream| {
            let (acceptor, plane) = (acceptor.clone(), plane.clone());
            tokio::spawn(async move {
                if let Ok(stream) = acceptor.accept(stream).await {
                    plane.serve(stream);
                }
            });
        }))
    }
}
