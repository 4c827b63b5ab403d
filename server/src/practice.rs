//! The practice table (`--exercice`): games stop at breakpoints; who runs the server looks, changes orders, and goes on.

use std::collections::BTreeSet;
use std::str::FromStr;
use std::thread;

use arena::practice::{PATIENCE, PendingTurn};
use arena::{Observation, Settings};
use game::colour::Colour;
use game::pacman::Orders;
use game::pyrat::Action;
use language::{colon, said};
use replay::film::Film;
use replay::{Answer, Given, Marks, Recorder, Setup, Thought, Turn};
use serde_json::Value;
use tokio::sync::mpsc;

/// Capacity of the queue of turns, which the operator takes one by one.
const WAITING: usize = 64;
/// The events of a turn at which a game may stop, as films name them.
const EVENTS: [&str; 8] =
    ["took", "battle", "teleport", "false", "frozen", "digest", "appear", "ate"];

/// A condition that stops a game before a turn is played.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Breakpoint {
    /// Before this turn.
    Turn(u32),
    /// After a turn with this event.
    Event(&'static str),
}

impl FromStr for Breakpoint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(turn) = text.parse().ok().filter(|turn| *turn > 0) {
            return Ok(Self::Turn(turn));
        }
        let event = EVENTS.into_iter().find(|event| *event == text);
        event.map(Self::Event).ok_or_else(|| {
            let events = EVENTS.join(", ");
            said!(
                "expected a turn from 1 on, or one of: {events}",
                "un tour à partir de 1, ou l'un de : {events}, est attendu"
            )
        })
    }
}

/// The flags of a practice table.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct PracticeArgs {
    #[arg(long, visible_alias = "practice", conflicts_with_all = ["attendre_entree", "delai"], help = said!(
        "Practice: an order may take an hour, so that a debugger can stop its program, and the game stops before turns, as \
         this terminal decides; `?` there tells how to step, to change orders and to go on",
        "S'exercer : un ordre peut prendre une heure, ce qui laisse un débogueur arrêter un programme, et la partie \
         s'arrête avant chaque tour, ou avant ceux que l'on choisit dans ce terminal ; `?` y explique comment avancer \
         d'un tour, changer des ordres et continuer"
    ))]
    exercice: bool,

    #[arg(long, visible_alias = "break", value_name = "TURN|EVENT", requires = "exercice", help = said!(
        "Stop before this turn only, or after turns with this event, as `battle`; may be repeated, and a bot stops \
         with the item `pause` in a thought [default: each turn]",
        "Ne s'arrêter qu'avant ce tour, ou après les tours avec cet événement, comme `battle` ; peut se répéter, et une IA \
         s'arrête avec `pause` dans une pensée [défaut : chaque tour]"
    ))]
    pause: Vec<Breakpoint>,
}

impl PracticeArgs {
    /// Makes a practice table of a server that is asked to be one, and returns the observer of its games.
    pub(crate) fn set_up(&self, settings: &mut Settings) -> Option<mpsc::Sender<Observation>> {
        let (observer, practice) = self.exercice.then(|| Operator::start(&self.pause))?;
        settings.deadline = PATIENCE;
        settings.practice = Some(practice);
        Some(observer)
    }
}

/// The part of the practice mode that stops games at breakpoints and lets them go on.
struct Operator {
    breakpoints: BTreeSet<Breakpoint>,
    /// True if the next turn stops, too.
    steps: bool,
    game: Option<Practised>,
    /// The events of the last turn.
    events: Vec<String>,
    /// The lines typed into the terminal; `None` once the input is closed.
    lines: Option<mpsc::Receiver<String>>,
}

/// The game that is played.
struct Practised {
    setup: Setup,
    film: Film,
    recorder: Recorder,
    /// Its recording so far.
    bytes: Vec<u8>,
}

impl Practised {
    fn begin(setup: Setup) -> Self {
        let (recorder, bytes) = Recorder::start(setup.clone());
        Self { film: Film::start(&setup), setup, recorder, bytes }
    }

    /// The recording of the game with a turn as it would have been, had nobody changed its orders.
    fn original(&self, pending: &PendingTurn) -> Vec<u8> {
        let mut film = self.film.clone();
        let game = film.game();
        let answer = |message: &Option<Vec<u8>>| {
            let answer = match (message, &self.setup) {
                (None, _) => Answer::Missed,
                (Some(message), Setup::Pacman(_)) => Answer::Orders(Orders::decode(message)),
                (Some(message), Setup::PyRat(_)) => Answer::Action(Action::decode(message)),
            };
            Given::nothing(answer)
        };
        let answers = pending.messages.iter().map(answer).collect();
        let mut turn = Turn { answers, marks: Marks::default() };
        game.play(&turn);
        turn.marks = game.marks();
        let turn = self.recorder.clone().turn(turn, replay::hash(game.text()));
        [&self.bytes[..], &turn].concat()
    }
}

impl Operator {
    /// Starts the operator, which reads the standard input. Returns the senders of observations and of turns.
    fn start(breakpoints: &[Breakpoint]) -> (mpsc::Sender<Observation>, mpsc::Sender<PendingTurn>) {
        let (observer, mut observations) = mpsc::channel(WAITING);
        let (practice, mut turns) = mpsc::channel(1);
        let (typed, lines) = mpsc::channel(1);
        thread::spawn(move || {
            for line in std::io::stdin().lines() {
                if line.is_err() || typed.blocking_send(line.unwrap_or_default()).is_err() {
                    break;
                }
            }
        });
        let mut operator = Self {
            breakpoints: breakpoints.iter().cloned().collect(),
            // Without a breakpoint, the first turn stops: how else would one begin to step?
            steps: breakpoints.is_empty(),
            game: None,
            events: Vec::new(),
            lines: Some(lines),
        };
        tokio::spawn(async move {
            loop {
                // `biased`: events before a turn are handled before the turn.
                tokio::select! {
                    biased;
                    Some(observation) = observations.recv() => operator.observe(observation),
                    Some(turn) = turns.recv() => operator.decide(turn).await,
                    else => break,
                }
            }
        });
        (observer, practice)
    }

    fn observe(&mut self, observation: Observation) {
        match observation {
            Observation::Begin { setup, .. } => {
                self.game = Some(Practised::begin(setup));
                self.events.clear();
            }
            Observation::Turn { turn, hash } => {
                let Some(game) = &mut self.game else { return };
                let frame = game.film.next(&turn);
                game.bytes.extend(game.recorder.turn(turn, hash));
                let events = frame["e"].as_array().into_iter().flatten();
                let kinds = events.filter_map(|event| event.get(0).and_then(Value::as_str));
                self.events = kinds.map(str::to_owned).collect();
            }
            Observation::Gathering { .. } | Observation::Thoughts(_) | Observation::End { .. } => {}
        }
    }

    /// The reason to stop before a turn, if there is one.
    fn reason(&self, pending: &PendingTurn) -> Option<String> {
        let pauses = |message: &Option<Vec<u8>>| {
            let thought = message.as_deref().and_then(Thought::of);
            thought.is_some_and(|text| text.split(';').any(|item| item.trim() == "pause"))
        };
        let bot = self.names().into_iter().zip(&pending.messages).find(|(_, sent)| pauses(sent));
        if let Some((name, _)) = bot {
            return Some(said!("{name} asks for it", "{name} le demande"));
        }
        let event = self.breakpoints.iter().find_map(|breakpoint| match breakpoint {
            Breakpoint::Event(event) if self.events.iter().any(|it| it == event) => Some(*event),
            _ => None,
        });
        if let Some(event) = event {
            return Some(event.to_owned());
        }
        let is_due = self.breakpoints.contains(&Breakpoint::Turn(pending.turn));
        (is_due || self.steps).then(String::new)
    }

    fn names(&self) -> Vec<String> {
        let names = self.game.as_ref().map(|game| game.setup.names()).unwrap_or_default();
        names.iter().map(|name| cli::printable(name)).collect()
    }

    async fn decide(&mut self, pending: PendingTurn) {
        let Some(reason) = self.reason(&pending).filter(|_| self.lines.is_some()) else {
            let _ = pending.resume.send(Vec::new());
            return;
        };
        let mut changes: Vec<Option<String>> = vec![None; pending.messages.len()];
        self.tell(&pending, &changes, &reason);
        loop {
            let line = match &mut self.lines {
                Some(lines) => lines.recv().await,
                None => None,
            };
            let Some(line) = line else {
                // Nobody can type any more: the games go on.
                self.lines = None;
                break;
            };
            let words: Vec<_> = line.split_whitespace().collect();
            match words[..] {
                [] => {
                    self.steps = true;
                    break;
                }
                ["c"] => {
                    self.steps = false;
                    break;
                }
                ["e"] => cli::say!("{}", cli::printable(&String::from_utf8_lossy(&pending.state))),
                ["p", place] => match place.parse() {
                    Ok(breakpoint) => {
                        self.breakpoints.insert(breakpoint);
                    }
                    Err(error) => cli::say!("{error}"),
                },
                ["?"] => help(),
                [ref name @ .., order] if !name.is_empty() => {
                    let name = name.join(" ");
                    if let Some(player) =
                        self.player(&name).filter(|player| *player < changes.len())
                    {
                        changes[player] = Some(order.to_owned());
                        self.tell(&pending, &changes, "");
                        self.tell_flaw(order);
                    } else {
                        cli::tell!(
                            "there is no player {name:?}, expected one of {}",
                            "il n'y a pas de joueur {name:?} ; attendu : {}",
                            self.names().join(", ")
                        );
                    }
                }
                _ => help(),
            }
        }
        if changes.iter().any(Option::is_some) {
            self.keep_original(&pending);
        }
        let changes = changes.into_iter().enumerate();
        let changes = changes.filter_map(|(player, order)| Some((player, order?.into_bytes())));
        let _ = pending.resume.send(changes.collect());
    }

    /// Writes the game up to the turn as it would have been: who changes orders plays another game from there on.
    fn keep_original(&self, pending: &PendingTurn) {
        let Some(game) = &self.game else { return };
        let name = format!("original-{}-{}.rejeu", game.setup.seed(), pending.turn);
        match std::fs::write(&name, game.original(pending)) {
            Ok(()) => cli::tell!(
                "the game as it was up to this turn: {name}",
                "la partie telle qu'elle était jusqu'à ce tour : {name}"
            ),
            Err(failure) => cli::tell!(
                "the game as it was cannot be kept in {name}: {failure}",
                "la partie telle qu'elle était ne peut pas être gardée dans {name} : {failure}"
            ),
        }
    }

    /// The seat of a player with this name or letter.
    fn player(&self, wanted: &str) -> Option<usize> {
        let names = self.names();
        let by_name = names.iter().position(|name| name == wanted);
        by_name.or_else(|| Colour::first(names.len()).position(|colour| colour.as_str() == wanted))
    }

    /// Says that an order is false, if it is: whoever changes an order may want that.
    fn tell_flaw(&self, order: &str) {
        let Some(game) = &self.game else { return };
        let is_pacman = matches!(game.setup, Setup::Pacman(_));
        let is_false = if is_pacman {
            let Orders { pacman, ghost } = Orders::decode(order.as_bytes());
            pacman.is_none() || ghost.is_none()
        } else {
            Action::decode(order.as_bytes()) == Action::Malformed
        };
        let expected = if is_pacman {
            said!(
                "two letters of N, E, S, O are expected",
                "deux lettres parmi N, E, S, O sont attendues"
            )
        } else {
            said!("N, E, S, O or X is expected", "N, E, S, O ou X est attendu")
        };
        if is_false {
            cli::tell!(
                "{order} is a false move: {expected}",
                "{order} est un faux mouvement : {expected}"
            );
        }
    }

    fn tell(&self, pending: &PendingTurn, changes: &[Option<String>], reason: &str) {
        let order = |((name, sent), change): ((String, &Option<Vec<u8>>), &Option<String>)| {
            let sent = sent.as_deref().map_or("—".into(), |sent| {
                let order = sent.split(|&byte| byte == b';').next().unwrap_or_default();
                cli::printable(&String::from_utf8_lossy(order))
            });
            match change {
                Some(change) => format!("{name} {change} ({sent})"),
                None => format!("{name} {sent}"),
            }
        };
        let orders = self.names().into_iter().zip(&pending.messages).zip(changes).map(order);
        let orders = orders.collect::<Vec<_>>().join(", ");
        let (turn, colon) = (pending.turn, colon());
        let reason = if reason.is_empty() { String::new() } else { format!(" [{reason}]") };
        cli::tell!(
            "turn {turn}{reason}{colon}{orders}   (? for help)",
            "tour {turn}{reason}{colon}{orders}   (? : aide)"
        );
    }
}

fn help() {
    let events = EVENTS.join(", ");
    cli::tell!(
        "Enter plays the turn, and stops before the next one; c goes on to the next breakpoint\n\
         NAME ORDER, as Ada NE, changes the order of a player in this turn; a letter will do for a name; \
         the game as it was is kept in a file\n\
         p 80 stops before turn 80, too; p battle after each turn with that event: {events}\n\
         e shows the state that the players have answered; Ctrl-C ends the game",
        "Entrée joue le tour et s'arrête avant le suivant ; c continue jusqu'au prochain point d'arrêt\n\
         NOM ORDRE, comme Ada NE, change l'ordre d'un joueur à ce tour ; une lettre suffit pour un nom ; \
         la partie telle qu'elle était est gardée dans un fichier\n\
         p 80 s'arrête aussi avant le tour 80 ; p battle après chaque tour avec cet événement : {events}\n\
         e montre l'état auquel les joueurs ont répondu ; Ctrl-C termine la partie"
    );
}
