//! Facts about a bot, and the advice for them, in English.

use crate::case::GameMoment;
use crate::fact::{Ending, Fact, NoStart};
use crate::mistake::{Mistake, Suspicion};
use crate::slip::{OrderSlip, RegistrationSlip};

use super::super::{EXAMPLE, example};
use super::{object, plural, time};

/// The observation and the advice for a fact, in words.
#[expect(clippy::too_many_lines, reason = "one sentence after the other")]
pub(in crate::words) fn fact(fact: &Fact) -> (String, Option<String>) {
    let with = |seen: String, advice: &str| (seen, Some(advice.to_owned()));
    match fact {
        Fact::NotStarted { program, cause } => not_started(program, cause),
        Fact::EndedEarly { ending, connected, missing, has_port } => {
            let when = if *connected {
                "after it had connected, but without registering"
            } else {
                "without connecting"
            };
            let advice = match (missing, ending) {
                (Some(file), _) => format!(
                    "The file `{file}` is not in the folder where the command runs: check its name, \
                     or give the folder with --dossier."
                ),
                (None, _) if !has_port && !connected => port_advice(false),
                (None, ending) if ending.is_success() => {
                    "It came to its end without playing: check \
                    that it calls its main function, and that it answers in a loop."
                        .to_owned()
                }
                (None, _) => {
                    "Fix the error below; you see it again when you run the same command by \
                    hand."
                        .to_owned()
                }
            };
            (format!("the program {} {when}", ended(*ending)), Some(advice))
        }
        Fact::NoConnection { waited, has_port } => (
            format!("the program runs, but did not connect within {}", time(*waited)),
            Some(port_advice(*has_port)),
        ),
        Fact::Elsewhere { port, has_port } => (
            format!("the program connected to port {port}, not to the one it is given"),
            Some(port_advice(*has_port)),
        ),
        Fact::Silent { waited } => with(
            format!("the program connected, then sent nothing for {}", time(*waited)),
            "As soon as it is connected, it has to register: send joueur;NAME and a NUL byte, in \
             Python: s.sendall(f\"joueur;{name}\\0\".encode()).",
        ),
        Fact::HungUp => with(
            "the program connected, then closed the connection without registering".to_owned(),
            "Keep the connection open until the message quit, and send joueur;NAME and a NUL byte \
             first.",
        ),
        Fact::NoNul { received } => with(
            format!("the registration received, “{received}”, does not end in a NUL byte"),
            "Every message ends in a NUL byte, not in a newline; in Python: \
             s.sendall(message.encode() + b\"\\0\").",
        ),
        Fact::NoRegistration { received, slip } => {
            let advice = match slip {
                Some(RegistrationSlip::English) => "The word expected is French: joueur;NAME.",
                Some(RegistrationSlip::Capitals) => "joueur is in lower case: joueur;NAME.",
                Some(RegistrationSlip::Space) => {
                    "Nothing must come before the word joueur, neither a blank nor a newline."
                }
                Some(RegistrationSlip::Separator) => {
                    "A semicolon, without a blank, separates joueur from the name: joueur;NAME."
                }
                Some(RegistrationSlip::Order) => {
                    "That is an order: first it has to register, with joueur;NAME."
                }
                None => "The first message must be joueur;NAME, and a NUL byte.",
            };
            with(format!("the first message, “{received}”, is no registration"), advice)
        }
        Fact::Spectator => with(
            "the program registered as afficheur: it watches, but does not play".to_owned(),
            "To play, the first message is joueur;NAME, not afficheur;NAME.",
        ),
        Fact::Registered { after } => (format!("registered within {}", time(*after)), None),
        Fact::SlowStart { after, patience } => with(
            format!(
                "registered after {} only; a tournament waits {}",
                time(*after),
                time(*patience)
            ),
            "Register first, and prepare the rest (files to load, tables to compute) afterwards.",
        ),
        Fact::OtherName { given, sent } => (
            format!(
                "it registered as “{sent}” instead of “{given}”; that does not matter here, but \
                 {{nom}} in the command would tell it its name"
            ),
            None,
        ),
        Fact::Unasked { received } => with(
            format!("it sent “{received}” before the game began"),
            "Send an order only in answer to a message jeu: one order for each state.",
        ),
        Fact::DidNotWait { ending, waited } => {
            let what = match ending {
                Some(ending) => ended(*ending),
                None => "closed the connection".to_owned(),
            };
            with(
                format!("once registered, the program {what} without waiting for the game"),
                &format!(
                    "A game may begin long after the registration (here, {} would have been enough): \
                     wait for messages without a time limit.",
                    time(*waited)
                ),
            )
        }

        Fact::AllWell { games: 1 } => ("nothing to report".to_owned(), None),
        Fact::AllWell { games } => (format!("nothing to report in {games} games"), None),
        Fact::Times { answered, mean, median, p99, longest } => (
            format!(
                "{answered} answers in time; on average {}, half of them below {}, 99% below {}, \
                 the longest {}",
                time(*mean),
                time(*median),
                time(*p99),
                time(*longest)
            ),
            None,
        ),
        Fact::Missed { missed, asked, first, deadline, latest } => {
            let latest = latest.map(|latest| format!(", up to {}", time(latest)));
            with(
                format!(
                    "{missed} of {asked} answers missed the deadline ({}{}), first in turn {first}",
                    time(*deadline),
                    latest.unwrap_or_default()
                ),
                "Without an answer in time, both pieces lose their turn and a point each. Limit the \
                 time for thinking, and answer with the best order found so far.",
            )
        }
        Fact::Close { longest, deadline } => with(
            format!("an answer took {}, with a deadline of {}", time(*longest), time(*deadline)),
            "On a slower or busier machine it would come too late: leave some room.",
        ),
        Fact::Stuck { turn, moments } => with(
            format!("no more answers from turn {turn} on{}", at(moments)),
            "The program still runs, but does not answer: look for an endless loop, or for a read \
             that waits for data that will not come.",
        ),
        Fact::OrderWithoutNul { received } => with(
            format!("the order received, “{received}”, does not end in a NUL byte"),
            "Every message ends in a NUL byte; in Python: s.sendall(order.encode() + b\"\\0\").",
        ),
        Fact::TooLong { turn, limit } => with(
            format!("a message of more than {limit} bytes without a NUL byte, in turn {turn}"),
            "An order is two letters and a NUL byte; the server closes the connection of a client that \
             sends more.",
        ),
        Fact::TooMany { turn, surplus } => with(
            format!("{surplus} message{} too many, first in turn {turn}", plural(*surplus)),
            "Send exactly one message for each state, both letters together: one too many may be \
             taken for the answer to the next state.",
        ),
        Fact::Crashed { turn, ending, moments } => with(
            format!("the program {} in turn {turn}{}", ended(*ending), at(moments)),
            if ending.is_success() {
                "It has to answer every message jeu until the message quit, without stopping \
                    by itself."
            } else {
                "Fix the error below; its pieces stand still until the end of the game, and \
                    lose a point each turn."
            },
        ),
        Fact::Left { turn, moments } => with(
            format!("the program closed the connection in turn {turn}{}", at(moments)),
            "Keep the connection open, and answer every message jeu until the message quit.",
        ),
        Fact::CutShort { played, of } => {
            (format!("cut short for lack of time: {played} of {of} turns played"), None)
        }

        Fact::WellFormed { orders } => (format!("{orders} orders, all well formed"), None),
        Fact::Malformed { malformed, asked, turn, received, slip } => {
            let advice = match slip {
                OrderSlip::LowerCase => "Directions are in upper case: N, E, S or O.",
                OrderSlip::West => "West is O (ouest), not W: the directions are N, E, S and O.",
                OrderSlip::Separator => {
                    "The two letters follow each other, with nothing between them: NE, not N;E."
                }
                OrderSlip::Space => {
                    "Nothing must come before the two letters, neither a blank nor a newline; it is \
                     the NUL byte that ends a message."
                }
                OrderSlip::OneLetter => {
                    "Two letters are needed in one message: the pacman's, then the ghost's."
                }
                OrderSlip::Empty | OrderSlip::Other => {
                    "An order is two letters of N, E, S and O: the pacman's, then the ghost's."
                }
            };
            with(
                format!(
                    "{malformed} of {asked} orders malformed, first in turn {turn}: “{received}”"
                ),
                advice,
            )
        }
        Fact::Trailing { orders, received } => (
            format!(
                "{orders} orders of more than two characters (“{received}”): only the first two count"
            ),
            None,
        ),
        Fact::AlwaysSame { order } => with(
            format!("always the same order, “{order}”"),
            "Does the program really read the state that it receives?",
        ),
        Fact::Walls { pacman, ghost, blocked, suspicion } => {
            let (question, advice) = walls(suspicion.as_ref());
            (
                format!(
                    "{blocked} orders lead into a wall ({pacman}% of the pacman's, {ghost}% of the \
                     ghost's){question}"
                ),
                Some(advice),
            )
        }
        Fact::ErrorsInOutput => with(
            "the program wrote an error message, but did not stop".to_owned(),
            "A caught error is still an error: find out what the program leaves undone because of it.",
        ),

        Fact::Ended { after } => (format!("ended {} after quit", time(*after)), None),
        Fact::SlowEnd { after } => with(
            format!("ended {} after quit only", time(*after)),
            "A tournament waits for a second, then stops the program and notes a fault.",
        ),
        Fact::Lingers { waited, busy } => {
            let (what, advice) = match busy {
                Some(true) => (
                    "still runs, and keeps the processor busy,",
                    "It probably reads a closed connection in a loop: when recv returns no bytes, the \
                     connection is over. Leave the loop at the message quit.",
                ),
                _ => (
                    "is still there",
                    "At the message quit, leave the loop and end the program, with its threads and \
                     its windows.",
                ),
            };
            with(format!("the program {what} {} after quit", time(*waited)), advice)
        }
        Fact::BadEnd { ending } => with(
            format!("at the end of the game, the program {}", ended(*ending)),
            "That costs no points, but treat the message quit: it is no state.",
        ),
        Fact::FinalUnanswered => with(
            "the final state got no answer".to_owned(),
            "Answer every state, also the last one: otherwise the first answers of the next game are \
             taken for late ones.",
        ),

        Fact::Untried { objects } => {
            let names: Vec<_> = objects.iter().map(|object| self::object(*object)).collect();
            with(
                format!("its pacman never took: {}", names.join(", ")),
                "The whole board was covered with them, so whether the bot copes with them is unknown. \
                 Does the pacman move?",
            )
        }
        Fact::PlaysFor { own, other, remembered: false } => with(
            format!("its orders are for the pieces of {other}, but it plays {own}"),
            "Your letter is in the header of every state (jeu;B: you are B): read it, do not assume \
             it.",
        ),
        Fact::PlaysFor { own, other, remembered: true } => with(
            format!("it plays {own}, but its orders are still for the pieces of {other}"),
            "The letter may change from one game to the next: read it in every state, instead of \
             remembering it.",
        ),
        Fact::Skips { sent, answered } => with(
            format!("{answered} answer{} to {sent} states", plural(*answered)),
            "After a delay several states arrive together, separated by NUL bytes: answer each of \
             them, or three turns are lost until the server understands.",
        ),
    }
}

/// The suspected reason for orders that lead into walls, as the end of a sentence, and the advice against it.
fn walls(suspicion: Option<&Suspicion>) -> (String, String) {
    let Some(Suspicion { mistake, explained, blocked }) = suspicion else {
        let advice = "Each costs a point, and the fourth teleports the piece. Check that rows go from top \
                      to bottom and columns from left to right, and that the board is the one of the \
                      state received.";
        return (String::new(), advice.to_owned());
    };
    let (question, advice) = match mistake {
        Mistake::NorthSouth => (
            "N and S swapped?",
            "N leads to the row above (row − 1), S to the row below (row + 1).",
        ),
        Mistake::EastWest => (
            "E and O swapped?",
            "E leads to the column on the right (column + 1), O to the one on the left (column − 1).",
        ),
        Mistake::Transposed => (
            "rows and columns swapped?",
            "A position is ROW;COLUMN, and the board is read row by row: board[row][column]. N and S \
             change the row, E and O the column.",
        ),
        Mistake::Exchanged => (
            "orders of the pacman and of the ghost swapped?",
            "The first letter is the pacman's order, the second one the ghost's.",
        ),
        Mistake::Previous => (
            "answers to the state before?",
            "Each order has to follow from the state that was just received: read it first, then \
             think, then answer.",
        ),
    };
    let advice = format!(
        "Without that mistake, {explained} of {blocked} different blocked orders would have led into a corridor. {advice}"
    );
    (format!(": {question}"), advice)
}

fn not_started(program: &str, cause: &NoStart) -> (String, Option<String>) {
    match cause {
        NoStart::NotFound => (
            format!("there is no program `{program}`"),
            Some(if program.contains('/') {
                "Check the path, and the folder (--dossier).".to_owned()
            } else {
                format!(
                    "Check its name, and the folder (--dossier). A program of the folder is started \
                     as ./{program}, a Python script by a command as: {}",
                    example(program)
                )
            }),
        ),
        NoStart::NotExecutable => (
            format!("`{program}` is not executable"),
            Some(format!(
                "Make it executable (chmod +x {program}), or name its language, as: {}",
                example(program)
            )),
        ),
        NoStart::NoProgram => (
            format!("`{program}` is no program that the system knows how to start"),
            Some(format!(
                "Name its language, as: {}, or give it a first line as: #!/usr/bin/env python3",
                example(program)
            )),
        ),
        NoStart::Other(why) => (format!("the program `{program}` does not start: {why}"), None),
        NoStart::Machine(why) => (
            format!("this machine cannot start a program now: {}", why.en),
            Some("It is no fault of the bot: try again.".to_owned()),
        ),
    }
}

fn port_advice(has_port: bool) -> String {
    if has_port {
        "The command gives it the port in place of {port}: read it (in Python, from sys.argv) \
                 and connect to that one, right at the start. The port must not be written in the \
                 program."
            .to_owned()
    } else {
        format!(
            "The command does not give the port: add {{port}} to it, as: {EXAMPLE}, and read it in \
             the program (in Python, from sys.argv)."
        )
    }
}

fn ended(ending: Ending) -> String {
    match ending {
        Ending::Code(code) => format!("ended (code {code})"),
        Ending::Signal(signal) => {
            let why = match signal {
                6 => ", abort",
                9 => ", killed, perhaps for lack of memory",
                11 => ", segmentation fault",
                24 => ", too much processor time",
                _ => "",
            };
            format!("was stopped (signal {signal}{why})")
        }
    }
}

/// The special circumstances as the end of a sentence; empty if there are none.
fn at(moments: &[GameMoment]) -> String {
    let said: Vec<_> = moments.iter().map(|moment| self::moment(*moment)).collect();
    if said.is_empty() { String::new() } else { format!("; at that moment, {}", said.join(", ")) }
}

fn moment(moment: GameMoment) -> String {
    match moment {
        GameMoment::Final => "it was the final state".to_owned(),
        GameMoment::InWall(0) => "its pacman was inside a wall, without wall-pass".to_owned(),
        GameMoment::InWall(left) => format!("its pacman was inside a wall (wall-pass: {left})"),
        GameMoment::Took(object) => format!("it had just taken {}", self::object(object)),
        GameMoment::Teleported => "one of its pieces had just been teleported".to_owned(),
        GameMoment::Lost => "one of its pieces had just lost a battle".to_owned(),
        GameMoment::Won => "one of its pieces had just won a battle".to_owned(),
        GameMoment::Frozen => "its ghost was frozen".to_owned(),
        GameMoment::Negative => "its score was negative".to_owned(),
    }
}
