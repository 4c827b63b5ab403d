//! Facts about a bot, and the advice for them.

use language::{said, word};

use crate::case::GameMoment;
use crate::fact::{Ending, Fact, NoStart};
use crate::mistake::{Mistake, Suspicion};
use crate::slip::{OrderSlip, RegistrationSlip};

use super::case::object;
use super::{Told, example, plural};

/// The observation and the advice for a fact, in words.
#[expect(clippy::too_many_lines, reason = "one sentence after the other")]
pub(super) fn fact(fact: &Fact) -> Told {
    match fact {
        Fact::NotStarted { program, cause } => not_started(program, cause),
        Fact::EndedEarly { ending, connected, missing, has_port } => {
            let when = if *connected {
                word(
                    "after it had connected, but without registering",
                    "après s'être connecté, mais sans s'inscrire",
                )
            } else {
                word("without connecting", "sans s'être connecté")
            };
            let advice = match (missing, ending) {
                (Some(file), _) => said!(
                    "The file `{file}` is not in the folder where the command runs: check its \
                     name, or give the folder with --folder.",
                    "Le fichier `{file}` n'est pas dans le dossier où la commande est lancée : \
                     vérifiez son nom, ou indiquez le dossier avec --dossier.",
                ),
                (None, _) if !has_port && !connected => port_advice(false),
                (None, ending) if ending.is_success() => said!(
                    "It came to its end without playing: check that it calls its main function, \
                     and that it answers in a loop.",
                    "Il est allé au bout sans jouer : vérifiez qu'il appelle bien sa fonction \
                     principale, et qu'il répond en boucle.",
                ),
                (None, _) => said!(
                    "Fix the error below; you see it again when you run the same command by hand.",
                    "Corrigez l'erreur ci-dessous ; vous la reverrez en lançant la même commande à \
                     la main.",
                ),
            };
            told!(
                "the program {ended} {when}",
                "le programme {ended} {when}",
                ended = ended(*ending),
            )
            .advised(advice)
        }
        Fact::NoConnection { waited, has_port } => told!(
            "the program runs, but did not connect within {waited}",
            "le programme tourne, mais ne s'est pas connecté en {waited}",
        )
        .advised(port_advice(*has_port)),
        Fact::Elsewhere { port, has_port } => told!(
            "the program connected to port {port}, not to the one it is given",
            "le programme s'est connecté au port {port}, pas à celui qu'on lui donne",
        )
        .advised(port_advice(*has_port)),
        Fact::Silent { waited } => told!(
            "the program connected, then sent nothing for {waited}",
            "le programme s'est connecté, puis n'a rien envoyé en {waited}",
            "As soon as it is connected, it has to register: send joueur;NAME and a NUL byte, in \
             Python: s.sendall(f\"joueur;{{name}}\\0\".encode()).",
            "Dès qu'il est connecté, il doit s'inscrire : envoyer joueur;NOM suivi d'un octet nul, \
             en Python : s.sendall(f\"joueur;{{nom}}\\0\".encode()).",
        ),
        Fact::HungUp => told!(
            "the program connected, then closed the connection without registering",
            "le programme s'est connecté, puis a fermé la connexion sans s'inscrire",
            "Keep the connection open until the message quit, and send joueur;NAME and a NUL byte \
             first.",
            "Gardez la connexion ouverte jusqu'au message quit, et envoyez d'abord joueur;NOM \
             suivi d'un octet nul.",
        ),
        Fact::NoNul { received } => told!(
            "the registration received, “{received}”, does not end in a NUL byte",
            "l'inscription reçue, « {received} », ne se termine pas par un octet nul",
            "Every message ends in a NUL byte, not in a newline; in Python: \
             s.sendall(message.encode() + b\"\\0\").",
            "Chaque message se termine par un octet nul, pas par un retour à la ligne ; en Python \
             : s.sendall(message.encode() + b\"\\0\").",
        ),
        Fact::NoRegistration { received, slip } => {
            let advice = match slip {
                Some(RegistrationSlip::English) => word(
                    "The word expected is French: joueur;NAME.",
                    "Le mot attendu est en français : joueur;NOM.",
                ),
                Some(RegistrationSlip::Capitals) => word(
                    "joueur is in lower case: joueur;NAME.",
                    "joueur s'écrit en minuscules : joueur;NOM.",
                ),
                Some(RegistrationSlip::Space) => word(
                    "Nothing must come before the word joueur, neither a blank nor a newline.",
                    "Rien ne doit précéder le mot joueur, ni espace ni retour à la ligne.",
                ),
                Some(RegistrationSlip::Separator) => word(
                    "A semicolon, without a blank, separates joueur from the name: joueur;NAME.",
                    "Un point-virgule, sans espace, sépare joueur du nom : joueur;NOM.",
                ),
                Some(RegistrationSlip::Order) => word(
                    "That is an order: first it has to register, with joueur;NAME.",
                    "C'est un ordre : il faut d'abord s'inscrire, avec joueur;NOM.",
                ),
                None => word(
                    "The first message must be joueur;NAME, and a NUL byte.",
                    "Le premier message doit être joueur;NOM, suivi d'un octet nul.",
                ),
            };
            told!(
                "the first message, “{received}”, is no registration",
                "le premier message, « {received} », n'est pas une inscription",
            )
            .advised(advice)
        }
        Fact::Spectator => told!(
            "the program registered as afficheur: it watches, but does not play",
            "le programme s'est inscrit comme afficheur : il regarde, mais ne joue pas",
            "To play, the first message is joueur;NAME, not afficheur;NAME.",
            "Pour jouer, le premier message est joueur;NOM, pas afficheur;NOM.",
        ),
        Fact::Registered { after } => {
            told!("registered within {after}", "inscrit en {after}")
        }
        Fact::SlowStart { after, patience } => told!(
            "registered after {after} only; a tournament waits {patience}",
            "inscrit en {after} seulement ; un tournoi attend {patience}",
            "Register first, and prepare the rest (files to load, tables to compute) afterwards.",
            "Inscrivez-vous d'abord, et préparez le reste (chargements, calculs) ensuite.",
        ),
        Fact::OtherName { given, sent } => told!(
            "it registered as “{sent}” instead of “{given}”; that does not matter here, but \
             {{name}} in the command would tell it its name",
            "il s'est inscrit sous le nom « {sent} » au lieu de « {given} » ; sans importance ici, \
             mais {{nom}} dans la commande lui donnerait son nom",
        ),
        Fact::Unasked { received } => told!(
            "it sent “{received}” before the game began",
            "il a envoyé « {received} » avant que la partie commence",
            "Send an order only in answer to a message jeu: one order for each state.",
            "N'envoyez un ordre qu'en réponse à un message jeu : un ordre par état reçu.",
        ),
        Fact::DidNotWait { ending, waited } => {
            let what = match ending {
                Some(ending) => ended(*ending),
                None => said!("closed the connection", "a fermé la connexion"),
            };
            told!(
                "once registered, the program {what} without waiting for the game",
                "inscrit, le programme {what} sans attendre le début de la partie",
                "A game may begin long after the registration (here, {waited} would have been \
                 enough): wait for messages without a time limit.",
                "Une partie peut commencer bien après l'inscription (ici, {waited} auraient suffi) \
                 : attendez les messages sans limite de temps.",
            )
        }
        Fact::AllWell { games: 1 } => told!("nothing to report", "rien à signaler"),
        Fact::AllWell { games } => {
            told!("nothing to report in {games} games", "rien à signaler en {games} parties")
        }
        Fact::Times { answered, mean, median, p99, longest } => told!(
            "{answered} answers in time; on average {mean}, half of them below {median}, 99% below \
             {p99}, the longest {longest}",
            "{answered} réponses à temps ; en moyenne {mean}, la moitié sous {median}, 99 % sous \
             {p99}, la plus longue {longest}",
        ),
        Fact::Missed { missed, asked, first, deadline, latest } => {
            let s = plural(*missed);
            let latest = latest.map(|latest| said!(", up to {latest}", ", jusqu'à {latest}"));
            told!(
                "{missed} of {asked} answers missed the deadline ({deadline}{latest}), first in \
                 turn {first}",
                "{missed} réponse{s} sur {asked} hors délai ({deadline}{latest}), d'abord au tour \
                 {first}",
                "Without an answer in time, both pieces lose their turn and a point each. Limit \
                 the time for thinking, and answer with the best order found so far.",
                "Sans réponse à temps, les deux pièces perdent leur tour et un point chacune. \
                 Limitez la durée du calcul, et répondez avec le meilleur ordre trouvé jusque-là.",
                latest = latest.unwrap_or_default(),
            )
        }
        Fact::Close { longest, deadline } => told!(
            "an answer took {longest}, with a deadline of {deadline}",
            "une réponse a pris {longest}, pour un délai de {deadline}",
            "On a slower or busier machine it would come too late: leave some room.",
            "Sur une machine plus lente ou plus chargée, elle arriverait trop tard : gardez de la \
             marge.",
        ),
        Fact::Stuck { turn, moments } => told!(
            "no more answers from turn {turn} on{when}",
            "plus aucune réponse à partir du tour {turn}{when}",
            "The program still runs, but does not answer: look for an endless loop, or for a read \
             that waits for data that will not come.",
            "Le programme tourne encore, mais ne répond plus : cherchez une boucle sans fin, ou \
             une lecture qui attend des données qui ne viendront pas.",
            when = during(moments),
        ),
        Fact::OrderWithoutNul { received } => told!(
            "the order received, “{received}”, does not end in a NUL byte",
            "l'ordre reçu, « {received} », ne se termine pas par un octet nul",
            "Every message ends in a NUL byte; in Python: s.sendall(order.encode() + b\"\\0\").",
            "Chaque message se termine par un octet nul ; en Python : s.sendall(ordre.encode() + \
             b\"\\0\").",
        ),
        Fact::TooLong { turn, limit } => told!(
            "a message of more than {limit} bytes without a NUL byte, in turn {turn}",
            "un message de plus de {limit} octets sans octet nul, au tour {turn}",
            "An order is two letters and a NUL byte; the server closes the connection of a client \
             that sends more.",
            "Un ordre, c'est deux lettres et un octet nul ; le serveur ferme la connexion d'un \
             client qui envoie davantage.",
        ),
        Fact::TooMany { turn, surplus } => told!(
            "{surplus} message{s} too many, first in turn {turn}",
            "{surplus} message{s} de trop, d'abord au tour {turn}",
            "Send exactly one message for each state, both letters together: one too many may be \
             taken for the answer to the next state.",
            "Envoyez exactement un message par état reçu, les deux lettres ensemble : le message \
             de trop peut passer pour la réponse à l'état suivant.",
            s = plural(*surplus),
        ),
        Fact::Crashed { turn, ending, moments } => {
            let advice = if ending.is_success() {
                word(
                    "It has to answer every message jeu until the message quit, without stopping \
                     by itself.",
                    "Il doit répondre à chaque message jeu jusqu'au message quit, sans s'arrêter \
                     de lui-même.",
                )
            } else {
                word(
                    "Fix the error below; its pieces stand still until the end of the game, and \
                     lose a point each turn.",
                    "Corrigez l'erreur ci-dessous ; ses pièces ne bougent plus jusqu'à la fin de \
                     la partie, et perdent un point à chaque tour.",
                )
            };
            told!(
                "the program {ended} in turn {turn}{when}",
                "le programme {ended} au tour {turn}{when}",
                ended = ended(*ending),
                when = during(moments),
            )
            .advised(advice)
        }
        Fact::Left { turn, moments } => told!(
            "the program closed the connection in turn {turn}{when}",
            "le programme a fermé la connexion au tour {turn}{when}",
            "Keep the connection open, and answer every message jeu until the message quit.",
            "Gardez la connexion ouverte, et répondez à chaque message jeu jusqu'au message quit.",
            when = during(moments),
        ),
        Fact::CutShort { played, of } => told!(
            "cut short for lack of time: {played} of {of} turns played",
            "abrégé, faute de temps : {played} tours joués sur {of}",
        ),
        Fact::WellFormed { orders } => {
            told!("{orders} orders, all well formed", "{orders} ordres, tous bien formés")
        }
        Fact::Malformed { malformed, asked, turn, received, slip } => {
            let s = plural(*malformed);
            let advice = match slip {
                OrderSlip::LowerCase => word(
                    "Directions are in upper case: N, E, S or O.",
                    "Les directions s'écrivent en majuscules : N, E, S ou O.",
                ),
                OrderSlip::West => word(
                    "West is O (ouest), not W: the directions are N, E, S and O.",
                    "L'ouest s'écrit O, pas W : les directions sont N, E, S et O.",
                ),
                OrderSlip::Separator => word(
                    "The two letters follow each other, with nothing between them: NE, not N;E.",
                    "Les deux lettres se suivent, sans rien entre elles : NE, pas N;E.",
                ),
                OrderSlip::Space => word(
                    "Nothing must come before the two letters, neither a blank nor a newline; it \
                     is the NUL byte that ends a message.",
                    "Rien ne doit précéder les deux lettres, ni espace ni retour à la ligne ; \
                     c'est l'octet nul qui termine un message.",
                ),
                OrderSlip::OneLetter => word(
                    "Two letters are needed in one message: the pacman's, then the ghost's.",
                    "Il faut deux lettres dans un même message : celle du pacman, puis celle du \
                     fantôme.",
                ),
                OrderSlip::Empty | OrderSlip::Other => word(
                    "An order is two letters of N, E, S and O: the pacman's, then the ghost's.",
                    "Un ordre, c'est deux lettres parmi N, E, S et O : celle du pacman, puis celle \
                     du fantôme.",
                ),
            };
            told!(
                "{malformed} of {asked} orders malformed, first in turn {turn}: “{received}”",
                "{malformed} ordre{s} mal formé{s} sur {asked}, d'abord au tour {turn} : « \
                 {received} »",
            )
            .advised(advice)
        }
        Fact::Trailing { orders, received } => {
            let s = plural(*orders);
            told!(
                "{orders} orders of more than two characters (“{received}”): only the first two \
                 count",
                "{orders} ordre{s} de plus de deux caractères (« {received} ») : seuls les deux \
                 premiers comptent",
            )
        }
        Fact::AlwaysSame { order } => told!(
            "always the same order, “{order}”",
            "toujours le même ordre, « {order} »",
            "Does the program really read the state that it receives?",
            "Le programme lit-il vraiment l'état qu'il reçoit ?",
        ),
        Fact::Walls { pacman, ghost, blocked, suspicion } => {
            let (question, advice) = walls(suspicion.as_ref());
            told!(
                "{blocked} orders lead into a wall ({pacman}% of the pacman's, {ghost}% of the \
                 ghost's){question}",
                "{blocked} ordres dans un mur ({pacman} % de ceux du pacman, {ghost} % de ceux du \
                 fantôme){question}",
            )
            .advised(advice)
        }
        Fact::ErrorsInOutput => told!(
            "the program wrote an error message, but did not stop",
            "le programme a écrit un message d'erreur, sans s'arrêter",
            "A caught error is still an error: find out what the program leaves undone because of \
             it.",
            "Une erreur attrapée reste une erreur : regardez ce qu'elle lui fait manquer.",
        ),
        Fact::Ended { after } => told!("ended {after} after quit", "terminé {after} après quit",),
        Fact::SlowEnd { after } => told!(
            "ended {after} after quit only",
            "terminé {after} après quit seulement",
            "A tournament waits for a second, then stops the program and notes a fault.",
            "Un tournoi attend une seconde, puis arrête le programme et le note comme une faute.",
        ),
        Fact::Lingers { waited, busy: Some(true) } => told!(
            "the program still runs, and keeps the processor busy, {waited} after quit",
            "le programme tourne encore, en occupant le processeur, {waited} après quit",
            "It probably reads a closed connection in a loop: when recv returns no bytes, the \
             connection is over. Leave the loop at the message quit.",
            "Il lit sans doute en boucle une connexion fermée : quand recv renvoie des octets vides, la connexion est \
             fermée. Sortez de la boucle sur le message quit.",
        ),
        Fact::Lingers { waited, .. } => told!(
            "the program is still there {waited} after quit",
            "le programme est encore là {waited} après quit",
            "At the message quit, leave the loop and end the program, with its threads and its \
             windows.",
            "Sur le message quit, sortez de la boucle et terminez le programme, avec ses fils \
             d'exécution et ses fenêtres.",
        ),
        Fact::BadEnd { ending } => told!(
            "at the end of the game, the program {ended}",
            "à la fin de la partie, le programme {ended}",
            "That costs no points, but treat the message quit: it is no state.",
            "Cela ne coûte pas de points, mais traitez le message quit : ce n'est pas un état.",
            ended = ended(*ending),
        ),
        Fact::FinalUnanswered => told!(
            "the final state got no answer",
            "l'état final est resté sans réponse",
            "Answer every state, also the last one: otherwise the first answers of the next game \
             are taken for late ones.",
            "Répondez à tous les états, même au dernier : sinon les premières réponses de la \
             partie suivante passent pour des réponses en retard.",
        ),
        Fact::Untried { objects } => {
            let names: Vec<_> = objects.iter().copied().map(object).collect();
            told!(
                "its pacman never took: {names}",
                "son pacman n'a jamais pris : {names}",
                "The whole board was covered with them, so whether the bot copes with them is \
                 unknown. Does the pacman move?",
                "Pourtant tout le plateau en était couvert : impossible de voir si le programme s'en sort bien. Le \
                 pacman bouge-t-il ?",
                names = names.join(", "),
            )
        }
        Fact::PlaysFor { own, other, remembered: false } => told!(
            "its orders are for the pieces of {other}, but it plays {own}",
            "ses ordres vont aux pièces de {other}, alors qu'il joue {own}",
            "Your letter is in the header of every state (jeu;B: you are B): read it, do not \
             assume it.",
            "Votre lettre est dans l'en-tête de chaque état (jeu;B : vous êtes B) : lisez-la, ne \
             la supposez pas.",
        ),
        Fact::PlaysFor { own, other, remembered: true } => told!(
            "it plays {own}, but its orders are still for the pieces of {other}",
            "il joue {own}, mais ses ordres vont encore aux pièces de {other}",
            "The letter may change from one game to the next: read it in every state, instead of \
             remembering it.",
            "La lettre peut changer d'une partie à la suivante : lisez-la dans chaque état, au \
             lieu de la retenir.",
        ),
        Fact::Skips { sent, answered } => told!(
            "{answered} answer{s} to {sent} states",
            "{answered} réponse{s} pour {sent} états",
            "After a delay several states arrive together, separated by NUL bytes: answer each of \
             them, or three turns are lost until the server understands.",
            "Après un retard, plusieurs états arrivent ensemble, séparés par des octets nuls : \
             répondez à chacun, ou trois tours seront perdus avant que le serveur comprenne.",
            s = plural(*answered),
        ),
    }
}

/// The suspected reason for orders that lead into walls, as the end of a sentence, and the advice against it.
fn walls(suspicion: Option<&Suspicion>) -> (String, String) {
    let Some(Suspicion { mistake, explained, blocked }) = suspicion else {
        let advice = word(
            "Each costs a point, and the fourth teleports the piece. Check that rows go from top \
             to bottom and columns from left to right, and that the board is the one of the state \
             received.",
            "Chacun coûte un point, et au quatrième la pièce est téléportée. Vérifiez que les \
             lignes vont de haut en bas, les colonnes de gauche à droite, et que le plateau vient \
             bien de l'état reçu.",
        );
        return (String::new(), advice.to_owned());
    };
    let Told { seen: question, advice } = match mistake {
        Mistake::NorthSouth => told!(
            "N and S swapped?",
            "N et S inversés ?",
            "N leads to the row above (row − 1), S to the row below (row + 1).",
            "N mène à la ligne du dessus (ligne − 1), S à celle du dessous (ligne + 1).",
        ),
        Mistake::EastWest => told!(
            "E and O swapped?",
            "E et O inversés ?",
            "E leads to the column on the right (column + 1), O to the one on the left (column − \
             1).",
            "E mène à la colonne de droite (colonne + 1), O à celle de gauche (colonne − 1).",
        ),
        Mistake::Transposed => told!(
            "rows and columns swapped?",
            "lignes et colonnes inversées ?",
            "A position is ROW;COLUMN, and the board is read row by row: board[row][column]. N and \
             S change the row, E and O the column.",
            "Une position est LIGNE;COLONNE, et le plateau se lit ligne par ligne : \
             plateau[ligne][colonne]. N et S changent la ligne, E et O la colonne.",
        ),
        Mistake::Exchanged => told!(
            "orders of the pacman and of the ghost swapped?",
            "ordres du pacman et du fantôme échangés ?",
            "The first letter is the pacman's order, the second one the ghost's.",
            "La première lettre est l'ordre du pacman, la seconde celui du fantôme.",
        ),
        Mistake::Previous => told!(
            "answers to the state before?",
            "réponses à l'état précédent ?",
            "Each order has to follow from the state that was just received: read it first, then \
             think, then answer.",
            "Chaque ordre doit répondre à l'état qui vient d'être reçu : lisez-le d'abord, réfléchissez ensuite, puis \
             répondez.",
        ),
    };
    let advice = advice.unwrap_or_default();
    let advice = said!(
        "Without that mistake, {explained} of {blocked} different blocked orders would have led \
         into a corridor. {advice}",
        "Sans cette erreur, {explained} des {blocked} ordres bloqués différents auraient mené dans \
         un couloir. {advice}",
    );
    (said!(": {question}", " : {question}"), advice)
}

fn not_started(program: &str, cause: &NoStart) -> Told {
    let example = example(program);
    match cause {
        NoStart::NotFound if program.contains('/') => told!(
            "there is no program `{program}`",
            "le programme `{program}` est introuvable",
            "Check the path, and the folder (--folder).",
            "Vérifiez le chemin, et le dossier (--dossier).",
        ),
        NoStart::NotFound => told!(
            "there is no program `{program}`",
            "le programme `{program}` est introuvable",
            "Check its name, and the folder (--folder). A program of the folder is started as \
             ./{program}, a Python script by a command as: {example}",
            "Vérifiez son nom, et le dossier (--dossier). Un programme du dossier se lance par \
             ./{program}, un script Python par une commande comme : {example}",
        ),
        NoStart::NotExecutable => told!(
            "`{program}` is not executable",
            "`{program}` n'est pas exécutable",
            "Make it executable (chmod +x {program}), or name its language, as: {example}",
            "Rendez-le exécutable (chmod +x {program}), ou donnez aussi son interpréteur, comme : {example}",
        ),
        NoStart::NoProgram => told!(
            "`{program}` is no program that the system knows how to start",
            "`{program}` n'est pas un programme que le système sait lancer",
            "Name its language, as: {example}, or give it a first line as: #!/usr/bin/env python3",
            "Donnez aussi son interpréteur, comme : {example}, ou ajoutez-lui une première ligne comme : \
             #!/usr/bin/env python3",
        ),
        NoStart::Other(why) => told!(
            "the program `{program}` does not start: {why}",
            "le programme `{program}` ne démarre pas : {why}",
        ),
        NoStart::Machine(why) => told!(
            "this machine cannot start a program now: {why}",
            "cette machine ne peut pas lancer de programme maintenant : {why}",
            "It is no fault of the bot: try again.",
            "Le bot n'y est pour rien : réessayez.",
        ),
    }
}

fn port_advice(has_port: bool) -> String {
    if has_port {
        said!(
            "The command gives it the port in place of {{port}}: read it (in Python, from \
             sys.argv) and connect to that one, right at the start. The port must not be written \
             in the program.",
            "La commande lui donne le port à la place de {{port}} : lisez-le (en Python, dans \
             sys.argv) et connectez-vous à celui-là, dès le démarrage. Le port ne doit pas être \
             écrit dans le programme.",
        )
    } else {
        let example = example("bot.py");
        said!(
            "The command does not give the port: add {{port}} to it, as: {example}, and read it in \
             the program (in Python, from sys.argv).",
            "La commande ne donne pas le port : ajoutez-y {{port}}, comme : {example}, et lisez-le \
             dans le programme (en Python, dans sys.argv).",
        )
    }
}

fn ended(ending: Ending) -> String {
    match ending {
        Ending::Code(code) => said!("ended (code {code})", "s'est terminé (code {code})"),
        Ending::Signal(signal) => {
            let why = match signal {
                6 => word(", abort", ", abandon"),
                9 => word(
                    ", killed, perhaps for lack of memory",
                    ", tué, peut-être faute de mémoire",
                ),
                11 => word(", segmentation fault", ", erreur de segmentation"),
                24 => word(", too much processor time", ", trop de temps de calcul"),
                _ => "",
            };
            said!("was stopped (signal {signal}{why})", "a été arrêté (signal {signal}{why})")
        }
    }
}

/// The special circumstances as the end of a sentence; empty if there are none.
fn during(moments: &[GameMoment]) -> String {
    if moments.is_empty() {
        return String::new();
    }
    let moments: Vec<_> = moments.iter().copied().map(moment).collect();
    let moments = moments.join(", ");
    said!("; at that moment, {moments}", " ; à ce moment, {moments}")
}

fn moment(moment: GameMoment) -> String {
    match moment {
        GameMoment::Final => said!("it was the final state", "c'était l'état final"),
        GameMoment::InWall(0) => said!(
            "its pacman was inside a wall, without wall-pass",
            "son pacman était dans un mur, sans passe-muraille",
        ),
        GameMoment::InWall(left) => said!(
            "its pacman was inside a wall (wall-pass: {left})",
            "son pacman était dans un mur (passe-muraille : {left})",
        ),
        GameMoment::Took(object) => said!(
            "it had just taken {object}",
            "il venait de prendre {object}",
            object = self::object(object),
        ),
        GameMoment::Teleported => said!(
            "one of its pieces had just been teleported",
            "une de ses pièces venait d'être téléportée",
        ),
        GameMoment::Lost => said!(
            "one of its pieces had just lost a battle",
            "une de ses pièces venait de perdre un combat",
        ),
        GameMoment::Won => said!(
            "one of its pieces had just won a battle",
            "une de ses pièces venait de gagner un combat",
        ),
        GameMoment::Frozen => said!("its ghost was frozen", "son fantôme était immobilisé"),
        GameMoment::Negative => said!("its score was negative", "son score était négatif"),
    }
}
