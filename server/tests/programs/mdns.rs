//! Clients find announced servers on this machine.

use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, UdpSocket};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use client::discovery::{Announced, DiscoveryError, find};
use protocol::{Name, service};
use server::announce::{Announcement, Service};
use simple_dns::rdata::RData;
use simple_dns::{CLASS, Packet, Question, TYPE};
use socket2::{Domain, Socket, Type};

use crate::{Server, client_program, ended_well};

const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const PATIENCE: Duration = Duration::from_secs(10);

/// A port for multicast DNS that no other program on this machine uses, and on which a client of this machine hears answers.
///
/// Questions from another port than 5353 are answered to the port that asks, here that of the server, too: the kernel gives the answer
/// to one of the two sockets, which it chooses by a hash of the addresses.
fn mdns_port() -> u16 {
    static HELD: Mutex<Vec<TcpListener>> = Mutex::new(Vec::new());
    let shared = |port| {
        let socket = Socket::new(Domain::IPV4, Type::DGRAM, None).unwrap();
        socket.set_reuse_address(true).unwrap();
        socket.set_reuse_port(true).unwrap();
        socket.bind(&SocketAddr::from((Ipv4Addr::UNSPECIFIED, port)).into()).unwrap();
        UdpSocket::from(socket)
    };
    let reaches_the_second = |port: &u16| {
        let _first = shared(*port);
        let second = shared(*port);
        second.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
        second.send_to(b"?", (LOOPBACK, *port)).unwrap();
        second.recv(&mut [0]).is_ok()
    };
    // The system gives ports like these, below 32768, to no program that does not ask for one. Every test holds the port for TCP, too,
    // so that no other test takes the same one.
    let mut held = HELD.lock().unwrap();
    let held_by_this_test = |port: &u16| {
        TcpListener::bind((LOOPBACK, *port)).map(|listener| held.push(listener)).is_ok()
    };
    let ports = 10_000 + (std::process::id() % 100) as u16 * 100..20_000;
    ports.filter(held_by_this_test).find(reaches_the_second).expect("half of the ports do")
}

fn service(name: &str, port: u16, mdns_port: u16) -> Service {
    Service {
        name: Name::new(name),
        game: service::GameKind::Pacman,
        is_hall: false,
        address: SocketAddr::from((LOOPBACK, port)),
        mdns_port,
    }
}

fn announced(service: &Service) -> Announcement {
    service.announce().expect("this machine has a loopback interface")
}

#[tokio::test]
async fn a_server_is_found_until_it_is_gone() {
    let mdns_port = mdns_port();
    let server = service("Tournoi n°1 (a.b)", 4242, mdns_port);
    let announcement = announced(&server);
    let found = find(Some(service::GameKind::Pacman), PATIENCE, mdns_port).await.unwrap();
    let expected = Announced {
        name: Name::new("Tournoi n°1 (a.b)"),
        game: Some(service::GameKind::Pacman),
        is_hall: false,
        address: LOOPBACK,
        port: 4242,
    };
    assert_eq!(found, expected);
    let other_game = find(Some(service::GameKind::PyRat), Duration::ZERO, mdns_port).await;
    assert!(matches!(other_game, Err(DiscoveryError::Nobody(_))), "{other_game:?}");
    drop(announcement);
    let gone = find(None, Duration::ZERO, mdns_port).await;
    assert!(matches!(gone, Err(DiscoveryError::Nobody(_))), "{gone:?}");
}

#[test]
fn a_server_that_only_listens_to_ipv4_announces_no_other_addresses() {
    let mdns_port = mdns_port();
    let address = SocketAddr::from((Ipv4Addr::UNSPECIFIED, 4242));
    let _announcement = announced(&Service { address, ..service("one", 4242, mdns_port) });
    let found = [announced_addresses(mdns_port), answered_addresses(mdns_port)];
    assert!(found.iter().flatten().all(IpAddr::is_ipv4), "{found:?}");
    assert!(found.iter().all(|addresses| !addresses.is_empty()), "{found:?}");
}

/// The addresses with which the server answers. The questions come from a port of its own, to which alone answers go (RFC 6762,
/// section 6.7).
fn answered_addresses(mdns_port: u16) -> Vec<IpAddr> {
    let socket = UdpSocket::bind((LOOPBACK, 0)).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(1))).unwrap();
    let ask = |name: &str, types: &[TYPE]| {
        let mut asked = Packet::new_query(0);
        let name = simple_dns::Name::new(name).unwrap();
        let question =
            |&kind: &TYPE| Question::new(name.clone(), kind.into(), CLASS::IN.into(), false);
        asked.questions = types.iter().map(question).collect();
        let (asked, mut answer) = (asked.build_bytes_vec().unwrap(), [0; 9000]);
        let once = |_| {
            socket.send_to(&asked, (LOOPBACK, mdns_port)).unwrap();
            socket.recv(&mut answer).ok()
        };
        let len = (0..10).find_map(once).expect("the server answers");
        let answer = Packet::parse(&answer[..len]).unwrap();
        let records = answer.answers.into_iter().chain(answer.additional_records);
        records.map(|record| record.rdata.into_owned()).collect::<Vec<_>>()
    };
    let host = ask(service::TYPE, &[TYPE::PTR]).into_iter().find_map(|record| match record {
        RData::SRV(server) => Some(server.target.to_string()),
        _ => None,
    });
    let addresses = ask(&host.expect("its host"), &[TYPE::A, TYPE::AAAA]).into_iter();
    let addresses = addresses.filter_map(|record| match record {
        RData::A(address) => Some(IpAddr::from(Ipv4Addr::from(address.address))),
        RData::AAAA(address) => Some(IpAddr::from(Ipv6Addr::from(address.address))),
        _ => None,
    });
    addresses.collect()
}

/// The announced addresses, until no event arrives for 3 s.
fn announced_addresses(mdns_port: u16) -> Vec<IpAddr> {
    let daemon = mdns_sd::ServiceDaemon::new_with_port(mdns_port).unwrap();
    let events = daemon.browse(service::TYPE).unwrap();
    let mut addresses = Vec::new();
    while let Ok(event) = events.recv_timeout(Duration::from_secs(3)) {
        if let mdns_sd::ServiceEvent::ServiceResolved(service) = event {
            addresses.extend(service.get_addresses().iter().map(mdns_sd::ScopedIp::to_ip_addr));
        }
    }
    daemon.shutdown().unwrap();
    addresses
}

#[tokio::test]
async fn among_several_the_only_tournament_is_found() {
    let mdns_port = mdns_port();
    let (one, two) = (service("one", 1001, mdns_port), service("two", 1002, mdns_port));
    let both = [announced(&one), announced(&two)];
    let several = find_until(mdns_port, Result::is_err).await.unwrap_err().to_string();
    let expected = "several servers announce themselves, choose one:\
        \n  --host 127.0.0.1:1001 (one)\n  --host 127.0.0.1:1002 (two)";
    assert_eq!(several, expected);
    let hall = Service { is_hall: true, ..service("hall", 1003, mdns_port) };
    let all = (both, announced(&hall));
    let Announced { is_hall, port, .. } = find_until(mdns_port, Result::is_ok).await.unwrap();
    assert_eq!((is_hall, port), (true, 1003));
    drop(all);
}

/// Searches until the outcome is as expected, because one of several servers may be announced a moment later.
async fn find_until(
    mdns_port: u16,
    expected: impl Fn(&Result<Announced, DiscoveryError>) -> bool,
) -> Result<Announced, DiscoveryError> {
    let mut found = find(None, PATIENCE, mdns_port).await;
    for _ in 0..20 {
        if expected(&found) {
            break;
        }
        found = find(None, PATIENCE, mdns_port).await;
    }
    found
}

#[test]
fn a_client_finds_the_server_by_itself() {
    let mdns_port = mdns_port().to_string();
    let auto = |name: &str| {
        let mut client = Command::new(client_program());
        client.args(["--equipe", name, "--serveur", "auto", "--port-mdns", &mdns_port]);
        client.args(["--journal", "warn"]).stderr(Stdio::piped());
        client
    };
    let output = auto("early").args(["--insister", "0"]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(error.starts_with("error: no server announces itself on this network"), "{error}");
    // Clients may also start before the server.
    let clients = ["Ada", "Bob"].map(|name| auto(name).spawn().unwrap());
    let flags = ["--joueurs", "2", "--serveur", "0.0.0.0", "--port-mdns", &mdns_port];
    let mut server = Server::start(&flags);
    for client in clients {
        ended_well(&client.wait_with_output().unwrap());
    }
    assert_eq!(server.end().0, Some(0));
    let mut names: Vec<_> = server.scores().lines().map(|line| line[..3].to_owned()).collect();
    names.sort_unstable();
    assert_eq!(names, ["Ada", "Bob"]);
}

#[test]
fn a_secret_goes_to_a_server_that_was_named_and_to_no_other() {
    let listener = TcpListener::bind((LOOPBACK, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    for secret in ["--secret=hunter2hunter2", "--secret"] {
        let mdns_port = mdns_port();
        let announcement = announced(&service("Trap", port, mdns_port));
        let output = Command::new(client_program())
            .args(["--equipe", "Ada", secret, "--serveur", "auto", "--journal", "off"])
            .args(["--port-mdns", &mdns_port.to_string()])
            .output()
            .unwrap();
        drop(announcement);
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(&format!("type\n  --host 127.0.0.1:{port} (Trap)\n")), "{error}");
    }
    listener.set_nonblocking(true).unwrap();
    let connected = listener.accept().map_err(|failure| failure.kind());
    assert_eq!(connected.unwrap_err(), ErrorKind::WouldBlock, "nobody has connected");
    listener.set_nonblocking(false).unwrap();
    let client = Command::new(client_program())
        .args(["Ada", "--secret=hunter2hunter2", "--serveur", &format!("127.0.0.1:{port}")])
        .args(["--journal", "off"])
        .spawn()
        .unwrap();
    let (mut stream, _) = listener.accept().unwrap();
    let mut registration = [0; 26];
    stream.read_exact(&mut registration).unwrap();
    assert_eq!(&registration, b"joueur;Ada#hunter2hunter2\0");
    stream.write_all(b"quit\n\0").unwrap();
    ended_well(&client.wait_with_output().unwrap());
}
