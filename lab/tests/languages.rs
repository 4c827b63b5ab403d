//! The whole output of `lab` is in the chosen language, and each line of arguments ends with the exit code that it should.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::path::Path;

use language::testing::{assert_languages, mixed};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

const CORRIDOR: &str = "┏━━━┳━━━┓\n┃       ┃\n┣━━━╋   ┫\n┃       ┃\n┗━━━┻━━━┛\n";

#[test]
fn nothing_is_said_in_another_language() {
    let lines = [
        (2, "rencontres --ia nobody"),
        (
            0,
            "rencontres --ia glouton --contre prudent --cartes cartes/petit.txt --parties 1 --duree 5",
        ),
        (2, "labyrinthe generer --hauteur 99999 --largeur 99999"),
        (2, "labyrinthe generer --algo x"),
        (2, "labyrinthe image --svg x.png"),
        (2, "labyrinthe image --png no/such/folder.png"),
        (2, "labyrinthe resoudre nowhere"),
        (2, "labyrinthe resoudre Cargo.toml"),
        (2, "labyrinthe carte --boucles x"),
        (2, "labyrinthe carte --boucles 99999"),
        (2, "labyrinthe carte --objets 99999"),
        (0, "labyrinthe stats --labyrinthes 2 --hauteur 4 --largeur 4"),
        (2, "chemins resoudre --graphe nowhere --source 0"),
        (2, "chemins resoudre --graphe Cargo.toml --source 0"),
        (2, "chemins resoudre --graphe exemples/graphe.json --source 99"),
        (0, "chemins resoudre --graphe exemples/graphe.json --source 0"),
        (0, "chemins resoudre --graphe exemples/graphe.json --source 0 --cible 3"),
        (0, "chemins comparer --tailles 20"),
        (2, "hexapawn valeur nowhere"),
        (2, "hexapawn valeur Cargo.toml"),
        (0, "hexapawn valeur exemples/configuration.txt --trace"),
        (0, "hexapawn table --lignes 3..4 --colonnes 3 --limite 1s"),
        (2, "hexapawn table --lignes 0"),
        (2, "hexapawn table --lignes 60 --colonnes 60"),
        (2, "flaques resoudre --taille x"),
        (2, "flaques resoudre --taille 99"),
        (2, "flaques resoudre --depart 9,9"),
        (2, "flaques resoudre --depart x"),
        (0, "flaques resoudre --taille 2 --valeur 3"),
        (0, "flaques resoudre --taille 2 --valeur 1"),
        (2, "flaques resoudre --etats 1"),
        (0, "flaques table --taille 2 --valeur 1..3"),
        (2, "flaques table --valeur x"),
        (2, "pyrat comparer --ia bfs nobody"),
        (2, "pyrat comparer --ia bfs bfs"),
        (0, "pyrat comparer --ia bfs dijkstra --parties 3"),
        (0, "pyrat comparer --ia bfs dijkstra --parties 3 --boue 0..10"),
        (2, "pyrat comparer --boue x"),
        (2, "pyrat comparer --boue 0..50:0"),
        (2, "pyrat duel --parties 2"),
        (0, "pyrat duel --ia bfs --contre dijkstra --parties 2"),
        (2, "pyrat somme --graines x"),
        (2, "nouveau-bot Ada"),
        (2, "nouveau-bot cartes"),
        (2, "nouveau-bot no/such_folder"),
        (2, "nouveau-bot mon_ia --source nowhere"),
    ];
    assert_languages(env!("CARGO_BIN_EXE_lab"), ROOT, &lines, |language, run| {
        let scratch = tempfile::tempdir().unwrap();
        let corridor = scratch.path().join("corridor.txt");
        fs::write(&corridor, CORRIDOR).unwrap();
        run(0, &["labyrinthe", "resoudre", "--algo", "main_droite", corridor.to_str().unwrap()]);
        let folder = scratch.path().join("ada_2");
        let new_bot = |code, folder: &Path, source| {
            run(code, &["nouveau-bot", folder.to_str().unwrap(), "--source", source]);
        };
        new_bot(0, &folder, ".");
        let bot = fs::read_to_string(folder.join("main.rs")).unwrap();
        let comments: String = bot.lines().filter(|line| line.starts_with("//")).collect();
        assert_eq!(mixed(&["main.rs"], &comments, language), None);
        new_bot(2, &folder, ".");
        new_bot(2, &folder.join("no/such/folder"), ".");
        new_bot(2, &scratch.path().join("Ada"), ".");
        new_bot(2, &scratch.path().join("ada"), "lab");
    });
}
