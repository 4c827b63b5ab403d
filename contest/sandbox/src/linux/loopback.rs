//! The loopback interface of a new network namespace.

use std::io::{self, ErrorKind};

use rustix::io::Errno;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType};

/// Index of the loopback interface, the first interface of every network namespace.
const INDEX: i32 = 1;

/// Brings the loopback interface up, which gives it the address 127.0.0.1.
///
/// # Errors
///
/// If the kernel refuses.
pub(crate) fn bring_up() -> io::Result<()> {
    let socket = rustix::net::socket_with(
        AddressFamily::NETLINK,
        SocketType::RAW,
        SocketFlags::CLOEXEC,
        None,
    )?;
    rustix::net::send(&socket, &request(), SendFlags::empty())?;
    let mut answer = [0; 256];
    let (_, length) = rustix::net::recv(&socket, &mut answer[..], RecvFlags::empty())?;
    // A header of 16 bytes, then the error number, negative.
    let error = answer.get(16..20).and_then(|bytes| bytes.try_into().ok()).map(i32::from_ne_bytes);
    match error {
        _ if length < 20 => Err(ErrorKind::InvalidData.into()),
        Some(0) => Ok(()),
        Some(error) => Err(io::Error::from_raw_os_error(-error)),
        None => Err(Errno::INVAL.into()),
    }
}

/// A netlink message: `struct nlmsghdr`, then `struct ifinfomsg`.
fn request() -> [u8; 32] {
    let (length, kind) = (32u32, libc::RTM_NEWLINK);
    // Both constants are small.
    let flags = (libc::NLM_F_REQUEST | libc::NLM_F_ACK) as u16;
    let up = libc::IFF_UP as u32;
    let mut bytes = [0; 32];
    bytes[0..4].copy_from_slice(&length.to_ne_bytes());
    bytes[4..6].copy_from_slice(&kind.to_ne_bytes());
    bytes[6..8].copy_from_slice(&flags.to_ne_bytes());
    bytes[8..12].copy_from_slice(&1u32.to_ne_bytes());
    bytes[20..24].copy_from_slice(&INDEX.to_ne_bytes());
    bytes[24..28].copy_from_slice(&up.to_ne_bytes());
    bytes[28..32].copy_from_slice(&up.to_ne_bytes());
    bytes
}
