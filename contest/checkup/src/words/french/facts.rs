//! Facts about a bot, and the advice for them, in French.

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
                "après s'être connecté, mais sans s'inscrire"
            } else {
                "sans s'être connecté"
            };
            let advice = match (missing, ending) {
                (Some(file), _) => format!(
                    "Le fichier `{file}` n'est pas dans le dossier où la commande est lancée : \
                     vérifiez son nom, ou indiquez le dossier avec --dossier."
                ),
                (None, _) if !has_port && !connected => port_advice(false),
                (None, ending) if ending.is_success() => {
                    "Il est allé au bout sans jouer : vérifiez \
                    qu'il appelle bien sa fonction principale, et qu'il répond en boucle."
                        .to_owned()
                }
                (None, _) => "Corrigez l'erreur ci-dessous ; vous la reverrez en lançant la même \
                    commande à la main."
                    .to_owned(),
            };
            (format!("le programme {} {when}", ended(*ending)), Some(advice))
        }
        Fact::NoConnection { waited, has_port } => (
            format!("le programme tourne, mais ne s'est pas connecté en {}", time(*waited)),
            Some(port_advice(*has_port)),
        ),
        Fact::Elsewhere { port, has_port } => (
            format!("le programme s'est connecté au port {port}, pas à celui qu'on lui donne"),
            Some(port_advice(*has_port)),
        ),
        Fact::Silent { waited } => with(
            format!("le programme s'est connecté, puis n'a rien envoyé en {}", time(*waited)),
            "Dès qu'il est connecté, il doit s'inscrire : envoyer joueur;NOM suivi d'un octet nul, \
             en Python : s.sendall(f\"joueur;{nom}\\0\".encode()).",
        ),
        Fact::HungUp => with(
            "le programme s'est connecté, puis a fermé la connexion sans s'inscrire".to_owned(),
            "Gardez la connexion ouverte jusqu'au message quit, et envoyez d'abord joueur;NOM suivi \
             d'un octet nul.",
        ),
        Fact::NoNul { received } => with(
            format!("l'inscription reçue, « {received} », ne se termine pas par un octet nul"),
            "Chaque message se termine par un octet nul, pas par un retour à la ligne ; en Python : \
             s.sendall(message.encode() + b\"\\0\").",
        ),
        Fact::NoRegistration { received, slip } => {
            let advice = match slip {
                Some(RegistrationSlip::English) => "Le mot attendu est en français : joueur;NOM.",
                Some(RegistrationSlip::Capitals) => "joueur s'écrit en minuscules : joueur;NOM.",
                Some(RegistrationSlip::Space) => {
                    "Rien ne doit précéder le mot joueur, ni espace ni retour à la ligne."
                }
                Some(RegistrationSlip::Separator) => {
                    "Un point-virgule, sans espace, sépare joueur du nom : joueur;NOM."
                }
                Some(RegistrationSlip::Order) => {
                    "C'est un ordre : il faut d'abord s'inscrire, avec joueur;NOM."
                }
                None => "Le premier message doit être joueur;NOM, suivi d'un octet nul.",
            };
            with(format!("le premier message, « {received} », n'est pas une inscription"), advice)
        }
        Fact::Spectator => with(
            "le programme s'est inscrit comme afficheur : il regarde, mais ne joue pas".to_owned(),
            "Pour jouer, le premier message est joueur;NOM, pas afficheur;NOM.",
        ),
        Fact::Registered { after } => (format!("inscrit en {}", time(*after)), None),
        Fact::SlowStart { after, patience } => with(
            format!(
                "inscrit en {} seulement ; un tournoi attend {}",
                time(*after),
                time(*patience)
            ),
            "Inscrivez-vous d'abord, et préparez le reste (chargements, calculs) ensuite.",
        ),
        Fact::OtherName { given, sent } => (
            format!(
                "il s'est inscrit sous le nom « {sent} » au lieu de « {given} » ; sans importance \
                 ici, mais {{nom}} dans la commande lui donnerait son nom"
            ),
            None,
        ),
        Fact::Unasked { received } => with(
            format!("il a envoyé « {received} » avant que la partie commence"),
            "N'envoyez un ordre qu'en réponse à un message jeu : un ordre par état reçu.",
        ),
        Fact::DidNotWait { ending, waited } => {
            let what = match ending {
                Some(ending) => ended(*ending),
                None => "a fermé la connexion".to_owned(),
            };
            with(
                format!("inscrit, le programme {what} sans attendre le début de la partie"),
                &format!(
                    "Une partie peut commencer bien après l'inscription (ici, {} auraient suffi) : \
                     attendez les messages sans limite de temps.",
                    time(*waited)
                ),
            )
        }

        Fact::AllWell { games: 1 } => ("rien à signaler".to_owned(), None),
        Fact::AllWell { games } => (format!("rien à signaler en {games} parties"), None),
        Fact::Times { answered, mean, median, p99, longest } => (
            format!(
                "{answered} réponses à temps ; en moyenne {}, la moitié sous {}, 99 % sous {}, la \
                 plus longue {}",
                time(*mean),
                time(*median),
                time(*p99),
                time(*longest)
            ),
            None,
        ),
        Fact::Missed { missed, asked, first, deadline, latest } => {
            let latest = latest.map(|latest| format!(", jusqu'à {}", time(latest)));
            with(
                format!(
                    "{missed} réponse{} sur {asked} hors délai ({}{}), d'abord au tour {first}",
                    plural(*missed),
                    time(*deadline),
                    latest.unwrap_or_default()
                ),
                "Sans réponse à temps, les deux pièces perdent leur tour et un point chacune. \
                 Limitez la durée du calcul, et répondez avec le meilleur ordre trouvé jusque-là.",
            )
        }
        Fact::Close { longest, deadline } => with(
            format!("une réponse a pris {}, pour un délai de {}", time(*longest), time(*deadline)),
            "Sur une machine plus lente ou plus chargée, elle arriverait trop tard : gardez de la \
             marge.",
        ),
        Fact::Stuck { turn, moments } => with(
            format!("plus aucune réponse à partir du tour {turn}{}", at(moments)),
            "Le programme tourne encore, mais ne répond plus : cherchez une boucle sans fin, ou une \
             lecture qui attend des données qui ne viendront pas.",
        ),
        Fact::OrderWithoutNul { received } => with(
            format!("l'ordre reçu, « {received} », ne se termine pas par un octet nul"),
            "Chaque message se termine par un octet nul ; en Python : \
             s.sendall(ordre.encode() + b\"\\0\").",
        ),
        Fact::TooLong { turn, limit } => with(
            format!("un message de plus de {limit} octets sans octet nul, au tour {turn}"),
            "Un ordre, c'est deux lettres et un octet nul ; le serveur ferme la connexion d'un \
             client qui envoie davantage.",
        ),
        Fact::TooMany { turn, surplus } => with(
            format!("{surplus} message{} de trop, d'abord au tour {turn}", plural(*surplus)),
            "Envoyez exactement un message par état reçu, les deux lettres ensemble : le message de \
             trop peut passer pour la réponse à l'état suivant.",
        ),
        Fact::Crashed { turn, ending, moments } => with(
            format!("le programme {} au tour {turn}{}", ended(*ending), at(moments)),
            if ending.is_success() {
                "Il doit répondre à chaque message jeu jusqu'au message quit, sans s'arrêter \
                    de lui-même."
            } else {
                "Corrigez l'erreur ci-dessous ; ses pièces ne bougent plus jusqu'à la fin \
                    de la partie, et perdent un point à chaque tour."
            },
        ),
        Fact::Left { turn, moments } => with(
            format!("le programme a fermé la connexion au tour {turn}{}", at(moments)),
            "Gardez la connexion ouverte, et répondez à chaque message jeu jusqu'au message quit.",
        ),
        Fact::CutShort { played, of } => {
            (format!("abrégé, faute de temps : {played} tours joués sur {of}"), None)
        }

        Fact::WellFormed { orders } => (format!("{orders} ordres, tous bien formés"), None),
        Fact::Malformed { malformed, asked, turn, received, slip } => {
            let advice = match slip {
                OrderSlip::LowerCase => "Les directions s'écrivent en majuscules : N, E, S ou O.",
                OrderSlip::West => "L'ouest s'écrit O, pas W : les directions sont N, E, S et O.",
                OrderSlip::Separator => {
                    "Les deux lettres se suivent, sans rien entre elles : NE, pas N;E."
                }
                OrderSlip::Space => {
                    "Rien ne doit précéder les deux lettres, ni espace ni retour à la ligne ; c'est \
                     l'octet nul qui termine un message."
                }
                OrderSlip::OneLetter => {
                    "Il faut deux lettres dans un même message : celle du pacman, puis celle du \
                     fantôme."
                }
                OrderSlip::Empty | OrderSlip::Other => {
                    "Un ordre, c'est deux lettres parmi N, E, S et O : celle du pacman, puis celle \
                     du fantôme."
                }
            };
            with(
                format!(
                    "{malformed} ordre{} mal formé{} sur {asked}, d'abord au tour {turn} : \
                     « {received} »",
                    plural(*malformed),
                    plural(*malformed)
                ),
                advice,
            )
        }
        Fact::Trailing { orders, received } => (
            format!(
                "{orders} ordre{} de plus de deux caractères (« {received} ») : seuls les deux \
                 premiers comptent",
                plural(*orders)
            ),
            None,
        ),
        Fact::AlwaysSame { order } => with(
            format!("toujours le même ordre, « {order} »"),
            "Le programme lit-il vraiment l'état qu'il reçoit ?",
        ),
        Fact::Walls { pacman, ghost, blocked, suspicion } => {
            let (question, advice) = walls(suspicion.as_ref());
            (
                format!(
                    "{blocked} ordres dans un mur ({pacman} % de ceux du pacman, {ghost} % de ceux du \
                     fantôme){question}"
                ),
                Some(advice),
            )
        }
        Fact::ErrorsInOutput => with(
            "le programme a écrit un message d'erreur, sans s'arrêter".to_owned(),
            "Une erreur attrapée reste une erreur : regardez ce qu'elle lui fait manquer.",
        ),

        Fact::Ended { after } => (format!("terminé {} après quit", time(*after)), None),
        Fact::SlowEnd { after } => with(
            format!("terminé {} après quit seulement", time(*after)),
            "Un tournoi attend une seconde, puis arrête le programme et le note comme une faute.",
        ),
        Fact::Lingers { waited, busy } => {
            let (what, advice) = match busy {
                Some(true) => (
                    "tourne encore, en occupant le processeur,",
                    "Il lit sans doute en boucle une connexion fermée : quand recv rend des octets \
                     vides, la connexion est finie. Sortez de la boucle sur le message quit.",
                ),
                _ => (
                    "est encore là",
                    "Sur le message quit, sortez de la boucle et terminez le programme, avec ses \
                     fils d'exécution et ses fenêtres.",
                ),
            };
            with(format!("le programme {what} {} après quit", time(*waited)), advice)
        }
        Fact::BadEnd { ending } => with(
            format!("à la fin de la partie, le programme {}", ended(*ending)),
            "Cela ne coûte pas de points, mais traitez le message quit : ce n'est pas un état.",
        ),
        Fact::FinalUnanswered => with(
            "l'état final est resté sans réponse".to_owned(),
            "Répondez à tous les états, même au dernier : sinon les premières réponses de la partie \
             suivante passent pour des réponses en retard.",
        ),

        Fact::Untried { objects } => {
            let names: Vec<_> = objects.iter().map(|object| self::object(*object)).collect();
            with(
                format!("son pacman n'a jamais pris : {}", names.join(", ")),
                "Pourtant tout le plateau en était couvert : il n'a pas été possible de voir s'il s'en \
                 sort bien. Le pacman bouge-t-il ?",
            )
        }
        Fact::PlaysFor { own, other, remembered: false } => with(
            format!("ses ordres vont aux pièces de {other}, alors qu'il joue {own}"),
            "Votre lettre est dans l'en-tête de chaque état (jeu;B : vous êtes B) : lisez-la, ne la \
             supposez pas.",
        ),
        Fact::PlaysFor { own, other, remembered: true } => with(
            format!("il joue {own}, mais ses ordres vont encore aux pièces de {other}"),
            "La lettre peut changer d'une partie à la suivante : lisez-la dans chaque état, au lieu \
             de la retenir.",
        ),
        Fact::Skips { sent, answered } => with(
            format!("{answered} réponse{} pour {sent} états", plural(*answered)),
            "Après un retard, plusieurs états arrivent ensemble, séparés par des octets nuls : \
             répondez à chacun, ou trois tours seront perdus avant que le serveur comprenne.",
        ),
    }
}

/// The suspected reason for orders that lead into walls, as the end of a sentence, and the advice against it.
fn walls(suspicion: Option<&Suspicion>) -> (String, String) {
    let Some(Suspicion { mistake, explained, blocked }) = suspicion else {
        let advice = "Chacun coûte un point, et au quatrième la pièce est téléportée. Vérifiez que les \
                      lignes vont de haut en bas, les colonnes de gauche à droite, et que le plateau \
                      vient bien de l'état reçu.";
        return (String::new(), advice.to_owned());
    };
    let (question, advice) = match mistake {
        Mistake::NorthSouth => (
            "N et S inversés ?",
            "N mène à la ligne du dessus (ligne − 1), S à celle du dessous (ligne + 1).",
        ),
        Mistake::EastWest => (
            "E et O inversés ?",
            "E mène à la colonne de droite (colonne + 1), O à celle de gauche (colonne − 1).",
        ),
        Mistake::Transposed => (
            "lignes et colonnes inversées ?",
            "Une position est LIGNE;COLONNE, et le plateau se lit ligne par ligne : \
             plateau[ligne][colonne]. N et S changent la ligne, E et O la colonne.",
        ),
        Mistake::Exchanged => (
            "ordres du pacman et du fantôme échangés ?",
            "La première lettre est l'ordre du pacman, la seconde celui du fantôme.",
        ),
        Mistake::Previous => (
            "réponses à l'état précédent ?",
            "Chaque ordre doit suivre de l'état qui vient d'être reçu : lisez-le d'abord, \
             réfléchissez ensuite, puis répondez.",
        ),
    };
    let advice = format!(
        "Sans cette erreur, {explained} des {blocked} ordres bloqués différents auraient mené dans un couloir. \
         {advice}"
    );
    (format!(" : {question}"), advice)
}

fn not_started(program: &str, cause: &NoStart) -> (String, Option<String>) {
    match cause {
        NoStart::NotFound => (
            format!("le programme `{program}` est introuvable"),
            Some(if program.contains('/') {
                "Vérifiez le chemin, et le dossier (--dossier).".to_owned()
            } else {
                format!(
                    "Vérifiez son nom, et le dossier (--dossier). Un programme du dossier se lance \
                     par ./{program}, un script Python par une commande comme : {}",
                    example(program)
                )
            }),
        ),
        NoStart::NotExecutable => (
            format!("`{program}` n'est pas exécutable"),
            Some(format!(
                "Rendez-le exécutable (chmod +x {program}), ou nommez son langage, comme : {}",
                example(program)
            )),
        ),
        NoStart::NoProgram => (
            format!("`{program}` n'est pas un programme que le système sait lancer"),
            Some(format!(
                "Nommez son langage, comme : {}, ou ajoutez-lui une première ligne comme : \
                 #!/usr/bin/env python3",
                example(program)
            )),
        ),
        NoStart::Other(why) => (format!("le programme `{program}` ne démarre pas : {why}"), None),
        NoStart::Machine(why) => (
            format!("cette machine ne peut pas lancer de programme maintenant : {}", why.fr),
            Some("Le bot n'y est pour rien : réessayez.".to_owned()),
        ),
    }
}

fn port_advice(has_port: bool) -> String {
    if has_port {
        "La commande lui donne le port à la place de {port} : lisez-le (en Python, dans \
                 sys.argv) et connectez-vous à celui-là, dès le démarrage. Le port ne doit pas être \
                 écrit dans le programme."
            .to_owned()
    } else {
        format!(
            "La commande ne donne pas le port : ajoutez-y {{port}}, comme : {EXAMPLE}, et lisez-le \
             dans le programme (en Python, dans sys.argv)."
        )
    }
}

fn ended(ending: Ending) -> String {
    match ending {
        Ending::Code(code) => format!("s'est terminé (code {code})"),
        Ending::Signal(signal) => {
            let why = match signal {
                6 => ", abandon",
                9 => ", tué, peut-être faute de mémoire",
                11 => ", erreur de segmentation",
                24 => ", trop de temps de calcul",
                _ => "",
            };
            format!("a été arrêté (signal {signal}{why})")
        }
    }
}

/// The special circumstances as the end of a sentence; empty if there are none.
fn at(moments: &[GameMoment]) -> String {
    let said: Vec<_> = moments.iter().map(|moment| self::moment(*moment)).collect();
    if said.is_empty() { String::new() } else { format!(" ; à ce moment, {}", said.join(", ")) }
}

fn moment(moment: GameMoment) -> String {
    match moment {
        GameMoment::Final => "c'était l'état final".to_owned(),
        GameMoment::InWall(0) => "son pacman était dans un mur, sans passe-muraille".to_owned(),
        GameMoment::InWall(left) => {
            format!("son pacman était dans un mur (passe-muraille : {left})")
        }
        GameMoment::Took(object) => format!("il venait de prendre {}", self::object(object)),
        GameMoment::Teleported => "une de ses pièces venait d'être téléportée".to_owned(),
        GameMoment::Lost => "une de ses pièces venait de perdre un combat".to_owned(),
        GameMoment::Won => "une de ses pièces venait de gagner un combat".to_owned(),
        GameMoment::Frozen => "son fantôme était immobilisé".to_owned(),
        GameMoment::Negative => "son score était négatif".to_owned(),
    }
}
