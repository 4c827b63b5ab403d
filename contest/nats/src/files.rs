//! Packages at the broker, by their hashes.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use anyhow::Context as _;
use async_nats::jetstream::object_store::ObjectMetadata;
use language::said;
use programs::package::{PackageError, Packages};
use tokio::io::AsyncReadExt as _;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::connection::BrokerConnection;

/// Greatest number of bytes of a package in a message.
const CHUNK: usize = 128 * 1024;

/// Longest wait for the next bytes of a package.
const STALL: Duration = Duration::from_secs(5);

/// The reason why the transfer of a package failed.
pub(crate) enum TransferError {
    /// The broker does not take or deliver the package; another attempt may succeed.
    Broker(anyhow::Error),
    /// The broker has another object under the hash of the package.
    Replaced(anyhow::Error),
    /// The package cannot be read or written on this machine.
    Package(anyhow::Error),
}

impl From<TransferError> for anyhow::Error {
    fn from(error: TransferError) -> Self {
        let (TransferError::Broker(error)
        | TransferError::Replaced(error)
        | TransferError::Package(error)) = error;
        error
    }
}

/// Sends the packages that the broker lacks, given by their hashes and the sizes of their archives, and those of the hashes
/// in `anew` in any case.
///
/// # Errors
///
/// When a package cannot be read, or the broker does not take it.
pub(crate) async fn send_packages(
    connection: &BrokerConnection,
    sizes: &BTreeMap<String, u64>,
    packages: &Packages,
    anew: &BTreeSet<String>,
) -> Result<(), TransferError> {
    let files = connection.make_files().await.map_err(TransferError::Broker)?;
    for (hash, &size) in sizes {
        if !anew.contains(hash)
            && let Ok(info) = files.info(hash).await
            && info.size as u64 == size
        {
            continue;
        }
        let (packages, own) = (packages.clone(), hash.clone());
        let archive = spawn_blocking(move || packages.archive(&own)).await;
        let archive = archive.map_err(anyhow::Error::from).and_then(|packed| Ok(packed?));
        let archive = archive.with_context(|| said!("the package {hash}", "le paquet {hash}"));
        let archive = archive.map_err(TransferError::Package)?;
        // At most half the broker's limit for a message.
        let chunk_size = Some((connection.client().max_payload() / 2).clamp(1, CHUNK));
        let name = hash.clone();
        let metadata = ObjectMetadata { name, chunk_size, ..ObjectMetadata::default() };
        let put = files.put(metadata, &mut archive.as_slice()).await.with_context(|| {
            said!(
                "the broker does not take the package {hash}",
                "le serveur de messages refuse le paquet {hash}"
            )
        });
        put.map_err(TransferError::Broker)?;
    }
    Ok(())
}

/// Fetches the package of this hash, whose archive has `size` bytes, and checks it. Reads nothing of an object of another
/// size.
///
/// # Errors
///
/// When the broker lacks the package, or has other bytes.
pub(crate) async fn fetch_package(
    connection: &BrokerConnection,
    hash: &str,
    size: u64,
    packages: &Packages,
) -> Result<(), TransferError> {
    let archive = fetch(connection, hash, size).await?;
    let (packages, hash) = (packages.clone(), hash.to_owned());
    let unpacked = spawn_blocking(move || packages.unpack(&hash, &archive)).await;
    match unpacked {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error @ (PackageError::Damaged(_) | PackageError::TooMuch(_)))) => {
            Err(TransferError::Replaced(error.into()))
        }
        Ok(Err(error)) => Err(TransferError::Package(error.into())),
        Err(error) => Err(TransferError::Package(error.into())),
    }
}

async fn fetch(
    connection: &BrokerConnection,
    hash: &str,
    size: u64,
) -> Result<Vec<u8>, TransferError> {
    let files = connection.files().await.map_err(TransferError::Broker)?;
    let object = files.get(hash).await.map_err(|error| TransferError::Broker(error.into()))?;
    let found = object.info.size;
    let replaced = || {
        TransferError::Replaced(anyhow::anyhow!(said!(
            "the package {hash} has {found} bytes at the broker instead of {size}",
            "le paquet {hash} fait {found} octets sur le serveur de messages au lieu de {size}"
        )))
    };
    if found as u64 != size {
        return Err(replaced());
    }
    // The object may have more bytes than it says.
    let mut object = object.take(size + 1);
    let mut archive = Vec::new();
    let read = async {
        // An object whose bytes the broker has lost would stall for ever.
        while timeout(STALL, object.read_buf(&mut archive)).await?? > 0 {}
        Ok(())
    };
    read.await.map_err(TransferError::Broker)?;
    if archive.len() as u64 > size { Err(replaced()) } else { Ok(archive) }
}
