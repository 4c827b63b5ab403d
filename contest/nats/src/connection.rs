//! The connection to the broker.

use std::fmt::{self, Display};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, bail};
use async_nats::client::RequestErrorKind;
use async_nats::connection::State;
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{self, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ClientError, ConnectError, ConnectErrorKind, ConnectOptions, Event};
use language::{log, said};
use percent_encoding::percent_decode_str;
use tokio::sync::watch;
use tokio::time::sleep;
use tracing::debug;

use super::wire::{self, TournamentStatus};

/// The oldest version of `nats-server` that suffices.
const OLDEST: (i64, i64, i64) = (2, 9, 0);
/// Timeout of a connection attempt, and interval between pings.
const PATIENCE: Duration = Duration::from_secs(5);
/// The subject on which `JetStream` answers with the state of the account.
const INFO: &str = "$JS.API.INFO";
/// Pause between two attempts to reach the broker.
const PAUSE: Duration = Duration::from_millis(250);

/// The URL of a broker, as `nats://host:4222` or `tls://host`. It is never shown whole: it may contain a password.
#[derive(Clone)]
pub struct BrokerUrl(String);

impl From<String> for BrokerUrl {
    fn from(url: String) -> Self {
        Self(url)
    }
}

impl fmt::Debug for BrokerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown())
    }
}

/// The URL of the broker and the credentials for it.
#[derive(Clone, Debug)]
pub struct BrokerAddress {
    /// The URL.
    pub url: BrokerUrl,
    /// A file of credentials.
    pub credentials: Option<PathBuf>,
    /// A file with the certificates of authorities that are trusted besides the system's.
    pub authorities: Option<PathBuf>,
    /// Longest wait for a broker that is absent at the start.
    pub patience: Duration,
}

impl BrokerUrl {
    /// The URL without its user and password.
    pub fn shown(&self) -> String {
        let (scheme, host, _) = self.parts();
        format!("{scheme}://{host}")
    }

    /// The scheme, the host, and the user with password or the token, if the URL has one.
    fn parts(&self) -> (&str, &str, Option<&str>) {
        let (scheme, rest) = self.0.split_once("://").unwrap_or(("nats", &self.0));
        let (user, host) =
            rest.rsplit_once('@').map_or((None, rest), |(user, host)| (Some(user), host));
        (scheme, host, user)
    }
}

/// A connection to a broker with `JetStream`. It connects again by itself. Clones are the same.
#[derive(Clone)]
pub struct BrokerConnection {
    client: Client,
    jetstream: Context,
    /// Number of connections made so far.
    connections: watch::Receiver<u64>,
    shown: Arc<str>,
}

impl BrokerConnection {
    /// Connects to the broker, and waits for it if it is absent.
    ///
    /// # Errors
    ///
    /// When there is no broker, or the broker wants other credentials, is too old, or has no `JetStream`.
    pub async fn connect(address: &BrokerAddress, name: &str) -> anyhow::Result<Self> {
        let shown: Arc<str> = address.url.shown().into();
        let (connected, connections) = watch::channel(0);
        let events = Events { connected, ..Events::default() };
        let place = Arc::clone(&shown);
        let mut options = ConnectOptions::new()
            .name(name)
            .connection_timeout(PATIENCE)
            .ping_interval(PATIENCE)
            .reconnect_delay_callback(|attempts| if attempts > 1 { PAUSE } else { Duration::ZERO })
            .event_callback(move |event| {
                events.tell_of(&event, &place);
                std::future::ready(())
            });
        // The client logs this address: it must not contain the password.
        options = match address.url.parts().2.map(|user| (user, user.split_once(':'))) {
            Some((_, Some((user, password)))) => {
                options.user_and_password(decoded(user), decoded(password))
            }
            Some((token, None)) => options.token(decoded(token)),
            None => options,
        };
        if let Some(path) = &address.credentials {
            let cannot =
                || said!("the credentials {}", "les identifiants {}", path.display().to_string());
            let text = std::fs::read_to_string(path).with_context(cannot)?;
            options = options.credentials(&text).with_context(cannot)?;
        }
        if let Some(path) = &address.authorities {
            options = options.add_root_certificates(path.clone());
        }
        let give_up = Instant::now() + address.patience;
        let mut has_told = false;
        let connected = loop {
            match options.clone().connect(&*shown).await {
                Err(error) if is_absent(&error) && Instant::now() < give_up => {
                    if !std::mem::replace(&mut has_told, true) {
                        cli::tell!(
                            "looking for the broker {shown}",
                            "recherche du serveur de messages {shown}"
                        );
                    }
                    sleep(PAUSE).await;
                }
                connected => break connected,
            }
        };
        let client = connected.map_err(|error| {
            let why = match error.kind() {
                _ if is_about_tls(&error) => said!(
                    "its certificate is not trusted (--nats-ca FILE), or it has no TLS: {error}",
                    "son certificat n'est pas reconnu (--nats-ca FICHIER), ou il n'utilise pas TLS : {error}"
                ),
                ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
                    said!(
                        "it wants other credentials: user and password in the address, or --nats-creds FILE",
                        "il demande d'autres identifiants : nom et mot de passe dans l'adresse, ou --nats-creds \
                         FICHIER"
                    )
                }
                ConnectErrorKind::ServerParse => said!(
                    "expected an address as nats://host:4222",
                    "une adresse comme nats://machine:4222 est attendue"
                ),
                ConnectErrorKind::Dns => said!(
                    "no machine of this name is known on this network",
                    "aucune machine de ce nom n'est connue sur ce réseau"
                ),
                _ => said!(
                    "it does not answer ({error}); `nats-server -js` starts one",
                    "il ne répond pas ({error}) ; `nats-server -js` en lance un"
                ),
            };
            anyhow!(said!("the broker {shown}: {why}", "le serveur de messages {shown} : {why}"))
        })?;
        let (major, minor, patch) = OLDEST;
        if !client.is_server_compatible(major, minor, patch) {
            let version = client.server_info().version;
            bail!(said!(
                "the broker {shown} is nats-server {version}, expected {major}.{minor} or later",
                "le serveur de messages {shown} est nats-server {version}, {major}.{minor} ou plus est attendu"
            ));
        }
        let jetstream = jetstream::new(client.clone());
        if !has_jetstream(&client, give_up).await {
            bail!(said!(
                "the broker {shown} has no JetStream: start it with `nats-server -js`",
                "le serveur de messages {shown} n'a pas JetStream : lancez-le par `nats-server -js`"
            ));
        }
        Ok(Self { client, jetstream, connections, shown })
    }

    /// The client.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// `JetStream`.
    pub fn jetstream(&self) -> &Context {
        &self.jetstream
    }

    /// The address without user and password.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// The number of connections made so far, as a channel.
    pub fn connections(&self) -> watch::Receiver<u64> {
        self.connections.clone()
    }

    /// The streams of matchups and results, made if they are missing.
    ///
    /// # Errors
    ///
    /// When the streams cannot be made.
    pub async fn make_streams(&self, tournament: &str) -> anyhow::Result<(Stream, Stream)> {
        let config = |name: &str, subject: &str| stream::Config {
            name: name.to_owned(),
            subjects: vec![subject.to_owned()],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            description: Some(tournament.to_owned()),
            ..stream::Config::default()
        };
        let cannot =
            || said!("the broker {} refuses", "le serveur de messages {} refuse", self.shown);
        let matchups = config(wire::MATCHUPS, wire::ANY_MATCHUP);
        let results = config(wire::RESULTS, wire::RESULT);
        let mut made = Vec::new();
        for config in [matchups, results] {
            let found = self.jetstream.get_or_create_stream(config.clone()).await;
            let found = found.map_err(|error| anyhow!(error)).with_context(cannot)?;
            if found.cached_info().config.description.as_deref() != Some(tournament) {
                // Messages left from another tournament are deleted.
                found.purge().await.map_err(|error| anyhow!(error)).with_context(cannot)?;
                self.jetstream.update_stream(config).await.with_context(cannot)?;
            }
            made.push(found);
        }
        let [matchups, results] =
            <[Stream; 2]>::try_from(made).expect("there is one for each configuration");
        Ok((matchups, results))
    }

    /// Sends a request to the broker and waits for the answer, which follows all earlier messages to this connection.
    ///
    /// # Errors
    ///
    /// When the broker does not answer.
    pub async fn round_trip(&self) -> anyhow::Result<()> {
        self.client.request(INFO, "".into()).await?;
        Ok(())
    }

    /// Publishes news to all workers. The broker keeps the last news for workers that are not connected.
    ///
    /// # Errors
    ///
    /// When the broker does not take the news.
    pub async fn announce(&self, news: &TournamentStatus) -> anyhow::Result<()> {
        let config = stream::Config {
            name: wire::LAST_NEWS.to_owned(),
            subjects: vec![wire::NEWS.to_owned()],
            max_messages: 1,
            ..stream::Config::default()
        };
        self.jetstream.get_or_create_stream(config).await?;
        self.jetstream.publish(wire::NEWS, wire::encode(news).into()).await?.await?;
        Ok(())
    }

    /// The last news that the broker has kept, if it has any and answers.
    pub async fn last_news(&self) -> Option<TournamentStatus> {
        let news = self.jetstream.get_stream_no_info(wire::LAST_NEWS).await.ok()?;
        let last = news.get_last_raw_message_by_subject(wire::NEWS).await.ok()?;
        wire::decode(&last.payload).ok()
    }

    /// The store of packages, made if it is missing.
    ///
    /// # Errors
    ///
    /// When the store cannot be made.
    pub async fn make_files(&self) -> anyhow::Result<ObjectStore> {
        if let Ok(files) = self.files().await {
            return Ok(files);
        }
        let config = object_store::Config { bucket: wire::FILES.to_owned(), ..Default::default() };
        self.jetstream.create_object_store(config).await.map_err(|error| anyhow!(error))
    }

    /// The store of packages.
    ///
    /// # Errors
    ///
    /// When there is no such store.
    pub async fn files(&self) -> anyhow::Result<ObjectStore> {
        self.jetstream.get_object_store(wire::FILES).await.map_err(|error| anyhow!(error))
    }
}

/// The consumer of matchups that all workers share. The broker delivers a matchup again if no worker renews its lease
/// in time. The broker counts deliveries; the coordinator limits them.
pub fn workers(lease: Duration) -> pull::Config {
    pull::Config {
        durable_name: Some(wire::WORKERS.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: lease,
        max_deliver: -1,
        max_ack_pending: 100_000,
        max_waiting: 100_000,
        ..pull::Config::default()
    }
}

pub(crate) fn results() -> pull::Config {
    pull::Config {
        durable_name: Some(wire::COORDINATOR.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: Duration::from_secs(30),
        max_deliver: -1,
        max_ack_pending: 10_000,
        ..pull::Config::default()
    }
}

/// Decodes the percent-encoding of a part of a URL: `%40` stands for `@`.
fn decoded(part: &str) -> String {
    percent_decode_str(part).decode_utf8_lossy().into_owned()
}

/// Tests if the broker may appear later. So may its host name, if the broker is a job of a computing cluster.
fn is_absent(error: &ConnectError) -> bool {
    let may_come = matches!(
        error.kind(),
        ConnectErrorKind::Io | ConnectErrorKind::TimedOut | ConnectErrorKind::Dns
    );
    may_come && !is_about_tls(error)
}

/// Tests if TLS failed. The client gives most of these errors as network errors.
fn is_about_tls(error: &ConnectError) -> bool {
    let text = error.to_string();
    error.kind() == ConnectErrorKind::Tls
        || text.contains("certificate")
        || text.contains("corrupt message")
}

/// Tests if the broker has `JetStream` for this account. Asks again until `give_up` if the broker goes away meanwhile.
async fn has_jetstream(client: &Client, give_up: Instant) -> bool {
    loop {
        match client.request(INFO, "".into()).await {
            Ok(answer) => {
                let answer = serde_json::from_slice::<serde_json::Value>(&answer.payload);
                return answer.is_ok_and(|answer| answer.get("error").is_none());
            }
            Err(error) if error.kind() == RequestErrorKind::NoResponders => return false,
            Err(_) if Instant::now() < give_up => sleep(PAUSE).await,
            Err(_) => return false,
        }
    }
}

/// Reports the events of a connection.
#[derive(Default)]
struct Events {
    connected: watch::Sender<u64>,
    /// True from the loss of a connection to the next one.
    is_away: AtomicBool,
    /// True if the broker has refused the credentials since the last connection.
    has_refused: AtomicBool,
}

impl Events {
    fn tell_of(&self, event: &Event, place: &str) {
        match event {
            Event::Connected => {
                self.has_refused.store(false, Ordering::Relaxed);
                self.is_away.store(false, Ordering::Relaxed);
                self.connected.send_modify(|count| *count += 1);
                if *self.connected.borrow() > 1 {
                    cli::tell!(
                        "the broker {place} is back",
                        "le serveur de messages {place} est revenu"
                    );
                }
            }
            Event::Disconnected => {
                self.is_away.store(true, Ordering::Relaxed);
                cli::tell!(
                    "the broker {place} is away; waiting for it",
                    "le serveur de messages {place} est absent ; attente de son retour"
                );
            }
            Event::ClientError(ClientError::Other(error))
                if *error == ConnectErrorKind::AuthorizationViolation.to_string() =>
            {
                if !self.has_refused.swap(true, Ordering::Relaxed) {
                    cli::tell!(
                        "the broker {place} does not take these credentials any more; trying again",
                        "le serveur de messages {place} n'accepte plus ces identifiants ; nouvel essai"
                    );
                }
            }
            // Each attempt to connect again fails, and there are four in a second.
            Event::ClientError(error) if self.is_away.load(Ordering::Relaxed) => {
                debug!("broker {place}: {error}");
            }
            Event::Closed => debug!("broker {place}: closed"),
            other => log!(warn, "broker {place}: {other}", "serveur de messages {place} : {other}"),
        }
    }
}

/// Counts refusals of the connected broker in succession, and reports each succession once.
#[derive(Debug, Default)]
pub(crate) struct Refusals(AtomicU32);

impl Refusals {
    /// Number of refusals in succession before the report.
    const SILENT: u32 = 20;

    /// Records that the broker has accepted a request.
    pub(crate) fn end(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Records that the broker has refused a request, or has not answered.
    pub(crate) fn count(&self, connection: &BrokerConnection, why: &dyn Display) {
        // The absence of the broker is reported elsewhere.
        if connection.client.connection_state() != State::Connected {
            return;
        }
        if self.0.fetch_add(1, Ordering::Relaxed) + 1 == Self::SILENT {
            let shown = &connection.shown;
            cli::tell!(
                "the broker {shown} refuses, trying again: {why}",
                "le serveur de messages {shown} refuse, nouvel essai : {why}"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_password() {
        for (url, shown) in [
            ("nats://ada:secret@host:4222", "nats://host:4222"),
            ("tls://token@host", "tls://host"),
            ("ada:s@cret@host", "nats://host"),
            ("127.0.0.1:4222", "nats://127.0.0.1:4222"),
        ] {
            let url = BrokerUrl::from(url.to_owned());
            assert_eq!(url.shown(), shown);
            assert_eq!(format!("{url:?}"), shown);
        }
    }
}
