//! Times of repeated work.

use std::time::Instant;

use anyhow::Result;

/// Times in microseconds.
#[derive(Debug, Default)]
pub(crate) struct Samples(Vec<f64>);

impl Samples {
    /// Adds the time that `work` takes.
    pub(crate) async fn time<T>(&mut self, work: impl Future<Output = Result<T>>) -> Result<T> {
        let started = Instant::now();
        let done = work.await?;
        self.push(started.elapsed().as_secs_f64() * 1e6);
        Ok(done)
    }

    /// Adds a time in microseconds.
    pub(crate) fn push(&mut self, microseconds: f64) {
        self.0.push(microseconds);
    }

    /// Adds all times of another.
    pub(crate) fn append(&mut self, mut other: Samples) {
        self.0.append(&mut other.0);
    }

    /// The time that half of the samples stay below.
    pub(crate) fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// The time that 99 of 100 samples stay below.
    pub(crate) fn p99(&self) -> f64 {
        self.quantile(0.99)
    }

    fn quantile(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().saturating_sub(1);
        sorted.get((last as f64 * share).round() as usize).copied().unwrap_or(f64::NAN)
    }
}

/// Times of the product and of its floor, taken in turns.
#[derive(Debug, Default)]
pub(crate) struct Pair {
    pub(crate) product: Samples,
    pub(crate) floor: Samples,
}

/// Measures both `rounds` times after one round that does not count. Which goes first changes from round to round,
/// so that neither always finds what the other has left in the caches.
pub(crate) async fn race(
    rounds: usize,
    mut product: impl AsyncFnMut(&mut Samples) -> Result<()>,
    mut floor: impl AsyncFnMut(&mut Samples) -> Result<()>,
) -> Result<Pair> {
    let mut warm = Pair::default();
    product(&mut warm.product).await?;
    floor(&mut warm.floor).await?;
    let mut pair = Pair::default();
    for round in 0..rounds {
        if round % 2 == 0 {
            product(&mut pair.product).await?;
            floor(&mut pair.floor).await?;
        } else {
            floor(&mut pair.floor).await?;
            product(&mut pair.product).await?;
        }
    }
    Ok(pair)
}
