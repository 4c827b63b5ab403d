//! Advice for a failure to listen on a port.

use std::io::{self, ErrorKind};

use anyhow::{Error, anyhow};
use language::{colon, said};
use listeners::{Protocol, SocketState};

/// Adds advice to a failure to listen on this port; `flag` is the flag for another port.
pub(crate) fn explained(failure: io::Error, port: u16, flag: &str) -> Error {
    let advice = match failure.kind() {
        ErrorKind::AddrInUse => {
            let who =
                listening(port).unwrap_or_else(|| said!("another program", "un autre programme"));
            // No port follows the last one.
            let other = port.checked_add(1).unwrap_or(port - 1);
            said!(
                "{who} listens there already; stop it, or choose another port, as {flag} {other}",
                "{who} y écoute déjà ; arrêtez-le, ou choisissez un autre port, comme {flag} {other}"
            )
        }
        ErrorKind::PermissionDenied => said!(
            "the ports below 1024 are the system's: choose another one, as {flag} 1111",
            "les ports au-dessous de 1024 sont au système : choisissez-en un autre, comme {flag} 1111"
        ),
        ErrorKind::AddrNotAvailable => said!(
            "this machine has no such address: 127.0.0.1 is for programs on this machine, 0.0.0.0 lets other machines in",
            "cette machine n'a pas cette adresse : 127.0.0.1 est pour les programmes de cette machine, 0.0.0.0 laisse \
             entrer les autres machines"
        ),
        // Errors of the resolver have no error number of the system.
        _ if failure.raw_os_error().is_none() => said!(
            "expected an address of this machine, 127.0.0.1 for programs on it or 0.0.0.0 to let other machines in",
            "une adresse de cette machine est attendue, 127.0.0.1 pour ses programmes ou 0.0.0.0 pour laisser entrer \
             les autres machines"
        ),
        _ => return failure.into(),
    };
    anyhow!("{failure}{}{advice}", colon())
}

/// The program that listens on this port; `None` if the system does not tell.
fn listening(port: u16) -> Option<String> {
    let all = listeners::get_all().ok()?;
    let found = all.into_iter().find(|listener| {
        listener.socket.port() == port
            && listener.protocol == Protocol::TCP
            && listener.state == SocketState::Listen
    })?;
    match found.process.pid {
        own if own == std::process::id() => {
            Some(said!("this server itself", "ce serveur lui-même"))
        }
        pid => Some(said!(
            "the program {:?} (process {pid})",
            "le programme {:?} (processus {pid})",
            found.process.name
        )),
    }
}
