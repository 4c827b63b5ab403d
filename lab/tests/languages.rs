//! The whole output of `lab` is in the chosen language.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::path::Path;

use language::testing::{assert_languages, mixed};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

const CORRIDOR: &str = "┏━━━┳━━━┓\n┃       ┃\n┣━━━╋   ┫\n┃       ┃\n┗━━━┻━━━┛\n";

#[test]
fn nothing_is_said_in_another_language() {
    let lines = [
        "rencontres --ia nobody",
        "rencontres --parties 1 --duree 5",
        "labyrinthe generer --hauteur 99999 --largeur 99999",
        "labyrinthe generer --algo x",
        "labyrinthe image --svg x.png",
        "labyrinthe image --png no/such/folder.png",
        "labyrinthe resoudre nowhere",
        "labyrinthe resoudre Cargo.toml",
        "labyrinthe carte --murs x",
        "labyrinthe carte --murs 99999",
        "labyrinthe carte --objets 99999",
        "labyrinthe stats --labyrinthes 2 --hauteur 4 --largeur 4",
        "chemins resoudre --graphe nowhere --source 0",
        "chemins resoudre --graphe Cargo.toml --source 0",
        "chemins resoudre --graphe exemples/graphe.json --source 99",
        "chemins resoudre --graphe exemples/graphe.json --source 0",
        "chemins resoudre --graphe exemples/graphe.json --source 0 --cible 3",
        "chemins comparer --sommets 20",
        "hexapawn valeur nowhere",
        "hexapawn valeur Cargo.toml",
        "hexapawn valeur exemples/configuration.txt --ligne",
        "hexapawn table --lignes 3..4 --colonnes 3 --limite 1s",
        "hexapawn table --lignes 0",
        "hexapawn table --lignes 60 --colonnes 60",
        "flaques resoudre --taille x",
        "flaques resoudre --taille 99",
        "flaques resoudre --depart 9,9",
        "flaques resoudre --depart x",
        "flaques resoudre --taille 2 --valeur 3",
        "flaques resoudre --taille 2 --valeur 1",
        "flaques resoudre --etats 1",
        "flaques table --taille 2 --valeur 1..3",
        "flaques table --valeur x",
        "pyrat comparer --joueurs bfs,nobody",
        "pyrat comparer --joueurs bfs,bfs",
        "pyrat comparer --joueurs bfs,dijkstra --parties 3",
        "pyrat comparer --joueurs bfs,dijkstra --parties 3 --boue 0..10",
        "pyrat comparer --boue x",
        "pyrat comparer --boue 0..50:0",
        "pyrat duel --parties 2",
        "pyrat somme --graines x",
        "nouveau-bot Ada",
        "nouveau-bot cartes",
        "nouveau-bot no/such_folder",
        "nouveau-bot mon_ia --source nowhere",
    ];
    assert_languages(env!("CARGO_BIN_EXE_lab"), ROOT, &lines, |language, run| {
        let scratch = tempfile::tempdir().unwrap();
        let corridor = scratch.path().join("corridor.txt");
        fs::write(&corridor, CORRIDOR).unwrap();
        run(&["labyrinthe", "resoudre", "--algo", "main_droite", corridor.to_str().unwrap()]);
        let folder = scratch.path().join("ada_2");
        let new_bot = |folder: &Path, source| {
            run(&["nouveau-bot", folder.to_str().unwrap(), "--source", source])
        };
        new_bot(&folder, ".");
        let bot = fs::read_to_string(folder.join("main.rs")).unwrap();
        let comments: String = bot.lines().filter(|line| line.starts_with("//")).collect();
        assert_eq!(mixed(&["main.rs"], &comments, language), None);
        new_bot(&folder, ".");
        new_bot(&folder.join("no/such/folder"), ".");
        new_bot(&scratch.path().join("Ada"), ".");
        new_bot(&scratch.path().join("ada"), "lab");
    });
}
