//! Services of the machine, which answer every program.

use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;

pub(crate) fn answer(mut connection: impl Read + Write) {
    let mut bytes = [0; 16];
    if connection.read(&mut bytes).is_ok_and(|read| read > 0) {
        let _ = connection.write_all(b"come in");
    }
}

/// Services of the machine, for all worlds.
pub(crate) struct Services {
    pub(crate) tcp: u16,
    pub(crate) tcp6: u16,
    pub(crate) udp: u16,
    pub(crate) abstract_name: String,
}

pub(crate) fn services() -> &'static Services {
    static SERVICES: OnceLock<Services> = OnceLock::new();
    SERVICES.get_or_init(|| Services {
        tcp: serve_tcp("127.0.0.1:0"),
        tcp6: serve_tcp("[::1]:0"),
        udp: serve_udp(),
        abstract_name: serve_abstract(),
    })
}

fn serve_tcp(address: &str) -> u16 {
    let listener = TcpListener::bind(address).unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || listener.incoming().flatten().for_each(answer));
    port
}

fn serve_udp() -> u16 {
    let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
    let port = socket.local_addr().unwrap().port();
    thread::spawn(move || {
        let mut bytes = [0; 64];
        while let Ok((_, from)) = socket.recv_from(&mut bytes) {
            let _ = socket.send_to(b"come in", from);
        }
    });
    port
}

fn serve_abstract() -> String {
    let name = format!("pacman-{}", std::process::id());
    let listener =
        UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    thread::spawn(move || listener.incoming().flatten().for_each(answer));
    name
}

pub(crate) fn serve_path(folder: &Path) -> PathBuf {
    let path = folder.join("socket");
    let listener = UnixListener::bind(&path).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o777)).unwrap();
    thread::spawn(move || listener.incoming().flatten().for_each(answer));
    path
}
