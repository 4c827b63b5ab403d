//! The live page of a tournament in progress.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;

use crate::scoreboard::{FileResults, Scoreboard};
use anyhow::Context;
use language::said;
use plan::OrganiserAction;
use report::About;
use report::live::{self, Embedders, LiveState, Organiser};
use server::page::PageSettings;
use tokio::sync::{mpsc, watch};
use tournament::featured::FeaturedGame;
use tournament::tournament::Tournament;
use web::Players;

/// The page of a tournament for its spectators: the featured game, the scoreboard, and the addresses of the page.
pub(crate) struct Broadcast {
    pub(crate) featured: FeaturedGame,
    pub(crate) board: Scoreboard,
    pub(crate) addresses: Vec<String>,
}

/// Listens on the address of the page; `None` without a page.
pub(crate) fn listen(page: Option<SocketAddr>) -> anyhow::Result<Option<TcpListener>> {
    let listen = |wanted| {
        TcpListener::bind(wanted).with_context(|| {
            said!(
                "cannot serve the page on {wanted}",
                "la page ne peut pas être servie sur {wanted}"
            )
        })
    };
    page.map(listen).transpose()
}

/// Serves the page if there is a listener. The `embedders` may show its games in frames. The organiser has buttons if there is a
/// channel for their actions, and browsers play if there are `players`, who take them in.
pub(crate) fn serve(
    tournament: &Tournament,
    listener: Option<TcpListener>,
    embedders: Embedders,
    actions: Option<mpsc::Sender<OrganiserAction>>,
    players: Option<Players>,
) -> anyhow::Result<Broadcast> {
    let about = About::of(tournament.plan());
    let (told, shown) = watch::channel(Arc::new(LiveState::lobby(about)));
    let Some(listener) = listener else {
        let featured = FeaturedGame::new(None);
        let board = Scoreboard::new(tournament, featured.clone(), told);
        return Ok(Broadcast { featured, board, addresses: Vec::new() });
    };
    let cannot = || said!("cannot serve the page", "la page ne peut pas être servie");
    let address = listener.local_addr().with_context(cannot)?;
    let source = Arc::new(FileResults::new(tournament));
    let organiser = match actions {
        Some(actions) => Some(Organiser { token: super::draw_mark()?, actions }),
        None => None,
    };
    let token = organiser.as_ref().map(|organiser| organiser.token.clone());
    let direct = PageSettings { embedders: embedders.clone(), ..PageSettings::default() };
    let direct = || server::page::routes(direct);
    let observer = live::serve(listener, shown, source, organiser, embedders, players, direct);
    let observer = observer.with_context(cannot)?;
    let featured = FeaturedGame::new(Some(observer));
    let mut board = Scoreboard::new(tournament, featured.clone(), told);
    let addresses: Vec<_> =
        server::addresses(address).iter().map(|at| format!("http://{at}/")).collect();
    for page in &addresses {
        cli::tell!("live page: {page}", "page en direct : {page}");
    }
    if let Some(token) = token {
        let mut here = address;
        if here.ip().is_unspecified() {
            here.set_ip(IpAddr::V4(Ipv4Addr::LOCALHOST));
        }
        cli::tell!(
            "for the organiser only: http://{here}/#jeton={token}",
            "pour l'organisateur seulement : http://{here}/#jeton={token}"
        );
    }
    board.addresses(Vec::new(), addresses.clone());
    Ok(Broadcast { featured, board, addresses })
}
