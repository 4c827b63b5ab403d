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

/// Bytes of a package in a message, at most.
const CHUNK: usize = 128 * 1024;

/// The longest time without any bytes of a package that is fetched.
const STALL: Duration = Duration::from_secs(5);

/// Why a package is not where it is to be.
pub enum TransferError {
    /// The broker does not take it, or does not give it. It may do so later.
    Broker(anyhow::Error),
    /// It cannot be read or written on this machine, or is not what its hash stands for.
    Package(anyhow::Error),
}

/// Gives the broker the packages of these teams that it does not have.
///
/// # Errors
///
/// When one cannot be read, or the broker does not take it.
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
        // Less than the broker takes at once, and no more than is usual.
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
/// When the broker does not have it, or gives something else.
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
    // Of an object that a broker has lost nothing comes, for ever.
    while timeout(STALL, object.read_buf(&mut archive)).await?? > 0 {}
    Ok(archive)
}
