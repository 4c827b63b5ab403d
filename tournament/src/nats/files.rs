//! Packages at the broker, by their hashes.

use std::time::Duration;

use anyhow::Context as _;
use async_nats::jetstream::object_store::ObjectMetadata;
use language::said;
use plan::Team;
use programs::package::Packages;
use tokio::io::AsyncReadExt as _;
use tokio::time::timeout;

use super::link::Link;

/// Greatest number of bytes of a package in a message.
const CHUNK: usize = 128 * 1024;

/// Longest wait for the next bytes of a package.
const STALL: Duration = Duration::from_secs(5);

/// The reason why the transfer of a package failed.
pub enum TransferError {
    /// The broker does not take or deliver the package; another attempt may succeed.
    Broker(anyhow::Error),
    /// The package cannot be read or written on this machine, or does not match its hash.
    Package(anyhow::Error),
}

/// Sends the packages of these teams that the broker lacks.
///
/// # Errors
///
/// When a package cannot be read, or the broker does not take it.
pub async fn send_packages(
    link: &Link,
    teams: &[Team],
    packages: &Packages,
) -> Result<(), TransferError> {
    let files = link.make_files().await.map_err(TransferError::Broker)?;
    for team in teams {
        let Some(hash) = team.package.as_deref() else { continue };
        if files.info(hash).await.is_ok() {
            continue;
        }
        let archive = packages
            .archive(hash)
            .with_context(|| said!("the package of {}", "le paquet de {}", team.name));
        let archive = archive.map_err(TransferError::Package)?;
        // At most half the broker's limit for a message.
        let chunk_size = Some((link.client().max_payload() / 2).clamp(1, CHUNK));
        let name = hash.to_owned();
        let metadata = ObjectMetadata { name, chunk_size, ..ObjectMetadata::default() };
        let put = files.put(metadata, &mut archive.as_slice()).await.with_context(|| {
            said!(
                "the broker does not take the package of {}",
                "le serveur de messages ne prend pas le paquet de {}",
                team.name
            )
        });
        put.map_err(TransferError::Broker)?;
    }
    Ok(())
}

/// Fetches the package of this hash, and checks it.
///
/// # Errors
///
/// When the broker lacks the package, or delivers other bytes.
pub async fn fetch_package(
    link: &Link,
    hash: &str,
    packages: &Packages,
) -> Result<(), TransferError> {
    let archive = fetch(link, hash).await.map_err(TransferError::Broker)?;
    let (packages, hash) = (packages.clone(), hash.to_owned());
    let unpacked = tokio::task::spawn_blocking(move || packages.unpack(&hash, &archive)).await;
    let unpacked = unpacked.map_err(anyhow::Error::from).and_then(|it| Ok(it?));
    unpacked.map_err(TransferError::Package)
}

async fn fetch(link: &Link, hash: &str) -> anyhow::Result<Vec<u8>> {
    let mut object = link.files().await?.get(hash).await?;
    let mut archive = Vec::new();
    // An object whose bytes the broker has lost would stall for ever.
    while timeout(STALL, object.read_buf(&mut archive)).await?? > 0 {}
    Ok(archive)
}
