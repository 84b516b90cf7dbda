//! Several clients at once, each with a connection of its own.

use anyhow::{Result, ensure};
use bytes::Bytes;
use tokio::task::JoinSet;
use webcodex_testkit::ToolClient;

use crate::samples::Samples;

/// What one client does again and again.
pub(crate) trait Act: Send + 'static {
    /// Does it once.
    fn act(&mut self) -> impl Future<Output = Result<()>> + Send;
}

/// Clients that act at the same time.
pub(crate) struct Crowd<A>(Vec<A>);

impl<A: Act> Crowd<A> {
    /// These clients.
    pub(crate) fn new(clients: Vec<A>) -> Self {
        Self(clients)
    }

    /// Every client acts `each` times in a row; all clients at the same time.
    pub(crate) async fn burst(&mut self, each: usize, samples: &mut Samples) -> Result<()> {
        let mut running = JoinSet::new();
        for client in self.0.drain(..) {
            running.spawn(repeat(client, each));
        }
        while let Some(ended) = running.join_next().await {
            let (client, own) = ended??;
            self.0.push(client);
            samples.append(own);
        }
        Ok(())
    }
}

async fn repeat<A: Act>(mut client: A, times: usize) -> Result<(A, Samples)> {
    let mut samples = Samples::default();
    for _ in 0..times {
        samples.time(client.act()).await?;
    }
    Ok((client, samples))
}

/// Posts the same body each time.
pub(crate) struct Post {
    pub(crate) client: ToolClient,
    pub(crate) path: &'static str,
    pub(crate) body: Bytes,
}

impl Act for Post {
    async fn act(&mut self) -> Result<()> {
        let answer = self.client.post(self.path, self.body.clone()).await?;
        ensure!(answer.status.is_success(), "{}: {} {:?}", self.path, answer.status, answer.body);
        Ok(())
    }
}

impl Crowd<Post> {
    /// What the server answers to the first client.
    pub(crate) async fn one_answer(&mut self) -> Result<Bytes> {
        let Some(Post { client, path, body }) = self.0.first_mut() else { return Ok(Bytes::new()) };
        let answer = client.post(path, body.clone()).await?;
        ensure!(answer.status.is_success(), "{path}: {} {:?}", answer.status, answer.body);
        Ok(answer.body)
    }
}
