//! Why a port cannot be listened on, and what to do.

use std::io::{self, ErrorKind};

use anyhow::{Error, anyhow};
use listeners::{Protocol, SocketState};

/// A failure to listen on this port with advice; `flag` is the one that chooses another port.
pub(crate) fn explained(failure: io::Error, port: u16, flag: &str) -> Error {
    let advice = match failure.kind() {
        ErrorKind::AddrInUse => {
            let who = listening(port).unwrap_or_else(|| "another program".to_owned());
            // Beyond the last port there is none.
            let other = port.checked_add(1).unwrap_or(port - 1);
            format!(
                "{who} listens there already; stop it, or choose another port, as {flag} {other}"
            )
        }
        ErrorKind::PermissionDenied => {
            format!("the ports below 1024 are the system's: choose another one, as {flag} 1111")
        }
        ErrorKind::AddrNotAvailable => {
            "this machine has no such address: 127.0.0.1 is for programs on \
             this machine, 0.0.0.0 lets other machines in"
                .to_owned()
        }
        // The resolver's errors have no number of the system.
        _ if failure.raw_os_error().is_none() => {
            "expected an address of this machine, 127.0.0.1 for \
             programs on it or 0.0.0.0 to let other machines in"
                .to_owned()
        }
        _ => return failure.into(),
    };
    anyhow!("{failure}: {advice}")
}

/// The program that listens on this port, if the system tells.
fn listening(port: u16) -> Option<String> {
    let all = listeners::get_all().ok()?;
    let found = all.into_iter().find(|listener| {
        listener.socket.port() == port
            && listener.protocol == Protocol::TCP
            && listener.state == SocketState::Listen
    })?;
    match found.process.pid {
        own if own == std::process::id() => Some("this server itself".to_owned()),
        pid => Some(format!("the program {:?} (process {pid})", found.process.name)),
    }
}
