//! Behaviour of the bots in situations that tell them apart, and robustness against every readable state.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::cell::Cell;
use std::fmt::Write;
use std::fs;

use bots::{Bot, Budget, Evaluation, HouseGame, Situation, by_name, pyrat, registry};
use game::pacman::{
    Colour, ColourSet, Direction, Event, Map, Orders, Rules, Seeded, State, StateReader, StateText,
    View, maps,
};
use game::pyrat::{Action, Recipe, Start};
use graph::Distances;

const ME: usize = 0;

/// A drawing of a board: `A` to `D` are pacmans, `a` to `d` ghosts, each on an empty cell; powers
/// are glutton, freeze and wall-pass by player.
fn scene(rows: &[&str], powers: &[(char, [u32; 3])], false_moves: i32) -> View {
    let place = |letter: char| {
        let row = rows.iter().position(|row| row.contains(letter))?;
        Some((row, rows[row].find(letter)?))
    };
    let players: Vec<char> = ('A'..='D').filter(|&letter| place(letter).is_some()).collect();
    let mut text = format!("10;200\n{0}\n{1};{2}\n", "-".repeat(20), rows.len(), rows[0].len());
    for row in rows {
        let cell = |c: char| if c.is_ascii_alphabetic() { ' ' } else { c };
        text.extend(row.chars().map(cell).chain(['\n']));
    }
    for case in [char::to_ascii_uppercase, char::to_ascii_lowercase] {
        writeln!(text, "{}", players.len()).unwrap();
        for letter in players.iter().map(case) {
            let (row, col) = place(letter).unwrap();
            writeln!(text, "{letter};{row};{col}").unwrap();
        }
    }
    writeln!(text, "{}", "-".repeat(20)).unwrap();
    for letter in &players {
        let (pacman, ghost) =
            (place(*letter).unwrap(), place(letter.to_ascii_lowercase()).unwrap());
        let power = powers.iter().find(|(owner, _)| owner == letter);
        let [glutton, freeze, wall_pass] = power.map_or([0; 3], |(_, power)| *power);
        let counter = if *letter == 'A' { false_moves } else { 0 };
        writeln!(
            text,
            "{letter};0;{counter};{};{};{};{};{glutton};{freeze};{wall_pass};x",
            pacman.0, pacman.1, ghost.0, ghost.1
        )
        .unwrap();
    }
    StateReader::new().read(text.as_bytes()).unwrap().view.clone()
}

fn orders_of(bot: &str, view: &View, rules: &Rules) -> Orders {
    let mut bot = by_name(bot).unwrap().make(1);
    let situation = Situation::new(view, Colour::new(ME).unwrap(), rules);
    bot.new_game(&situation);
    bot.play(&situation)
}

fn good_bots(view: &View, check: impl Fn(Orders)) {
    for bot in ["glouton", "dijkstra", "champion"] {
        check(orders_of(bot, view, &Rules::SUJET));
    }
}

#[test]
fn the_nearer_of_two_equal_objects_is_taken() {
    let view = scene(&["#############", "#&    A   & #", "####### #####", "#######a#####"], &[], 0);
    good_bots(&view, |orders| assert_eq!(orders.pacman, Some(Direction::East)));
}

#[test]
fn a_cherry_further_away_is_worth_more_than_a_vitamin() {
    let view = scene(&["#############", "#   .A   &  #", "####### #####", "#######a#####"], &[], 0);
    good_bots(&view, |orders| assert_eq!(orders.pacman, Some(Direction::East)));
}

#[test]
fn the_way_across_the_edge_is_known() {
    let view = scene(&["#############", "  A   a    & ", "#############"], &[], 0);
    good_bots(&view, |orders| assert_eq!(orders.pacman, Some(Direction::West)));
}

#[test]
fn the_wall_pass_is_used() {
    let walls = ["#########", "#A#&#   #", "# ### # #", "#     #a#", "#########"];
    let through = scene(&walls, &[('A', [0, 0, 9])], 0);
    good_bots(&through, |orders| assert_eq!(orders.pacman, Some(Direction::East)));
}

/// The turns after a teleport bring points too: a walk that ends there is not compared with whole walks as it is.
#[test]
fn champion_takes_a_teleporter_rather_than_vitamins_that_do_not_run_away() {
    let line = [
        "#################################",
        "#......................A !      #",
        "############### #################",
        "#              B      b       a #",
        "#################################",
    ];
    let orders = orders_of("champion", &scene(&line, &[], 0), &Rules::SUJET);
    assert_eq!(orders.pacman, Some(Direction::East));
}

#[test]
fn a_ghost_in_the_way_is_avoided_but_by_a_glutton() {
    let maze = ["###########", "#.  A b  .#", "# ####### #", "#        B#", "#####a#####"];
    good_bots(&scene(&maze, &[], 0), |orders| assert_eq!(orders.pacman, Some(Direction::West)));
    // A glutton has nothing to fear: the cherry is behind the ghost.
    let maze = ["###########", "#   A b & #", "# ####### #", "#B        #", "#####a#####"];
    let glutton = scene(&maze, &[('A', [20, 0, 0])], 0);
    good_bots(&glutton, |orders| assert_eq!(orders.pacman, Some(Direction::East)));
}

#[test]
fn the_ghost_goes_for_a_pacman_beside_it() {
    let maze = ["###########", "#  a B   .#", "# ####### #", "#A       b#", "###########"];
    good_bots(&scene(&maze, &[], 0), |orders| assert_eq!(orders.ghost, Some(Direction::East)));
}

#[test]
fn dijkstras_ghost_flees_a_glutton() {
    let maze = ["###########", "#   aB   .#", "# ####### #", "#A       b#", "###########"];
    let orders = orders_of("dijkstra", &scene(&maze, &[('B', [9, 0, 0])], 0), &Rules::SUJET);
    assert_eq!(orders.ghost, Some(Direction::West));
}

#[test]
fn dijkstras_ghost_cuts_off_rather_than_follows() {
    // The pacman walks to the cherry. A ghost that follows would never catch up.
    let maze =
        ["#############", "#B         &#", "# ######### #", "#    a      #", "#A#########b#"];
    let view = scene(&maze, &[], 0);
    let [follower, good] = ["glouton", "dijkstra"].map(|bot| orders_of(bot, &view, &Rules::SUJET));
    assert_eq!((follower.ghost, good.ghost), (Some(Direction::West), Some(Direction::East)));
}

#[test]
fn dijkstra_leaves_a_trap_by_a_false_move_where_that_teleports() {
    // A dead end, and a ghost at its mouth. The original's first false move teleports.
    let trap = ["#########", "####Ab  #", "####### #", "####### #", "#B     a#", "#########"];
    let escape = orders_of("dijkstra", &scene(&trap, &[], 0), &Rules::ORLEANS_2024);
    assert_eq!(escape.pacman, None, "a false move");
    // With three false moves left, the next one does not teleport; by the subject's rules, the fourth one does.
    let vain = orders_of("dijkstra", &scene(&trap, &[], 3), &Rules::ORLEANS_2024);
    let fourth = orders_of("dijkstra", &scene(&trap, &[], 3), &Rules::SUJET);
    assert_eq!((vain.pacman, fourth.pacman), (Some(Direction::East), None));
}

#[test]
fn the_last_state_is_answered_by_directions() {
    let mut view =
        scene(&["#############", "#   A     & #", "####### #####", "#######a#####"], &[], 0);
    let mut state = State::from_view(view, Rules::SUJET, ColourSet::EMPTY);
    while !state.view().is_over() {
        state.play_turn(&[], &mut Seeded::new(1), |_, _| {});
    }
    view = state.view().clone();
    good_bots(&view, |orders| {
        assert!(orders.pacman.is_some() && orders.ghost.is_some(), "{orders:?}");
    });
}

#[test]
fn a_ghost_does_not_wait_where_that_teleports_it() {
    for (bot, rules) in [("dijkstra", Rules::ORLEANS_2024), ("champion", Rules::SUJET)] {
        let mut would_teleport = 0;
        for file in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../cartes")).unwrap() {
            let map = Map::parse(&fs::read(file.unwrap().path()).unwrap()).unwrap();
            let bots = (0..4).map(|seed| by_name(bot).unwrap().make(seed)).collect();
            let mut game = HouseGame::start(&map, rules, 60, 5, bots);
            while !game.state().view().is_over() {
                let view = game.state().view().clone();
                for me in Colour::first(4) {
                    let orders = game.ask(me, Budget::default());
                    let mut player = view.players()[me.index()];
                    let teleports = rules.false_moves.count(&mut player.false_moves);
                    let open = |&way: &Direction| view.board().is_open(player.ghost, way);
                    let is_waiting = !orders.ghost.as_ref().is_some_and(open);
                    assert!(!(is_waiting && teleports), "{bot}, turn {}", view.elapsed());
                    would_teleport += u32::from(teleports);
                }
                game.play_asked(|_, _| {});
            }
        }
        assert!(would_teleport > 10, "{bot}: {would_teleport}");
    }
}

#[test]
fn every_bot_plays_legally_on_every_map() {
    for file in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../cartes")).unwrap() {
        let map = Map::parse(&fs::read(file.unwrap().path()).unwrap()).unwrap();
        for entry in registry::ALL.iter().filter(|entry| entry.name != "aleatoire") {
            let rules = Rules::SUJET;
            let mut chance = Seeded::new(3);
            let mut state = State::start(&map, rules, 40, 4, &mut chance);
            let mut false_moves = 0;
            let mut bots: Vec<Box<dyn Bot>> = (0..4).map(|seed| entry.make(seed)).collect();
            while !state.view().is_over() {
                let view = state.view();
                let orders: Vec<_> = Colour::first(4)
                    .zip(&mut bots)
                    .map(|(me, bot)| bot.play(&Situation::new(view, me, &rules)))
                    .collect();
                state.play_turn(&orders, &mut chance, |event, _| {
                    false_moves += u32::from(matches!(event, Event::FalseMove { .. }));
                });
            }
            // Of 320 orders. Only the good bots make false moves on purpose, to wait for a prey or to let a ghost pass.
            let most = if ["dijkstra", "champion"].contains(&entry.name) { 32 } else { 0 };
            assert!(false_moves <= most, "{}: {false_moves} false moves", entry.name);
        }
    }
}

#[test]
fn points_may_change_by_any_number() {
    let state = |points: i32| {
        let text = format!(
            "10;200\n{0}\n3;3\n###\n   \n###\n1\nA;1;0\n1\na;1;1\n{0}\nA;{points};0;1;0;1;1;0;0;0;Ada\n",
            "-".repeat(20)
        );
        StateReader::new().read(text.as_bytes()).unwrap().view.clone()
    };
    let (before, view) = (state(i32::MAX), state(i32::MIN));
    let situation = Situation::new(&view, Colour::new(ME).unwrap(), &Rules::ORLEANS_2024);
    assert_eq!(Situation { before: Some(&before), ..situation }.events(), []);
}

#[test]
fn false_moves_may_be_counted_from_any_number() {
    let trap = ["#########", "####Ab  #", "####### #", "####### #", "#B     a#", "#########"];
    for counter in [i32::MIN, i32::MAX] {
        for rules in [Rules::SUJET, Rules::ORLEANS_2024] {
            for bot in ["glouton", "dijkstra", "champion"] {
                let orders = orders_of(bot, &scene(&trap, &[], counter), &rules);
                assert!(orders.ghost.is_some(), "{bot}: {orders:?}");
            }
        }
    }
}

/// A map of the largest size: a lattice of corridors, with an object on every fifth corridor cell.
fn largest_map() -> Map {
    let mut text = String::from("500;500\n");
    for row in 0..500 {
        let cell = |col: usize| match (row % 2, col % 2) {
            (1, 1) => '#',
            _ if (row * 7 + col).is_multiple_of(5) => {
                ['.', '&', '$', '@', '~'][(row + col / 5) % 5]
            }
            _ => ' ',
        };
        text.extend((0..500).map(cell).chain(['\n']));
    }
    text.parse().unwrap()
}

#[test]
fn boards_of_the_largest_size_are_answered() {
    let map = largest_map();
    for entry in registry::ALL {
        for rules in [Rules::SUJET, Rules::ORLEANS_2024] {
            let bots = ["glouton", "dijkstra"].map(|bot| by_name(bot).unwrap());
            let bots = [entry, bots[0], bots[1]].map(|bot| bot.make(1));
            let mut game = HouseGame::start(&map, rules, 2, 5, bots.into());
            game.play_turn(|_, _| {});
            game.play_turn(|_, _| {});
            let players = game.state().view().players();
            assert!(players.iter().all(|player| player.pacman != player.ghost), "{}", entry.name);
        }
    }
}

/// A function that returns `true` this often.
fn count(parts: u32) -> impl Fn() -> bool {
    let left = Cell::new(parts);
    move || left.replace(left.get().saturating_sub(1)) > 0
}

/// Bites and points of `champion` in a game against three `glouton`, with this budget, counted in parts of its work.
fn hunts(parts: Option<u32>, seed: u64) -> (u32, i32) {
    let map = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cartes/petit.txt");
    let map = Map::parse(&fs::read(map).unwrap()).unwrap();
    let bots = ["champion", "glouton", "glouton", "glouton"];
    let bots = bots.map(|bot| by_name(bot).unwrap().make(1));
    let mut game = HouseGame::start(&map, Rules::SUJET, 40, seed, bots.into());
    let mut bites = 0;
    while !game.state().view().is_over() {
        let go_on = count(parts.unwrap_or_default());
        let budget = parts.map_or_else(Budget::default, |_| Budget::new(&go_on));
        game.ask(Colour::new(ME).unwrap(), budget);
        for other in Colour::first(4).filter(|other| other.index() != ME) {
            game.ask(other, Budget::default());
        }
        game.play_asked(|event, _| {
            let bite = matches!(event, Event::Battle { pacman, ghost, bitten: true }
                if ghost.index() == ME && pacman != ghost);
            bites += u32::from(bite);
        });
    }
    (bites, game.state().view().players()[ME].points)
}

#[test]
fn a_budget_is_kept_and_used() {
    let bites = |parts| (0..3).map(|seed| hunts(parts, seed).0).sum::<u32>();
    let (hurried, unhurried) = (bites(Some(0)), bites(None));
    assert!(hurried < unhurried, "{hurried} and {unhurried} bites");
    assert_eq!(hunts(Some(70), 3), hunts(Some(70), 3), "a budget that is a count is reproducible");
}

/// Checks `champion` in some turns with each of these budgets, counted in parts of its work, all too small for a full decision:
/// it must answer a legal order each time, and not ask again after the first no.
fn interrupt(map: &Map, players: usize, turns: u32, budgets: &[usize]) {
    let bots = (0..players).map(|_| by_name("glouton").unwrap().make(1)).collect();
    let mut game = HouseGame::start(map, Rules::SUJET, 40, 2, bots);
    for _ in 0..turns {
        let view = game.state().view();
        let (me, player) = (Colour::new(ME).unwrap(), view.players()[ME]);
        let situation = Situation::new(view, me, &Rules::SUJET);
        for &allowed in budgets {
            let asked = Cell::new(0);
            let go_on = || asked.replace(asked.get() + 1) < allowed;
            let hurried = Situation { budget: Budget::new(&go_on), ..situation };
            let orders = by_name("champion").unwrap().make(1).play(&hurried);
            assert_eq!(asked.get(), allowed + 1, "it asks no more after the first no");
            let exits = player.powers.exits(view.board(), player.pacman);
            assert!(orders.pacman.is_none_or(|pacman| exits.contains(&pacman)));
            assert!(orders.ghost.is_some());
        }
        game.play_turn(|_, _| {});
    }
}

#[test]
fn a_decision_ends_at_the_first_no() {
    let map = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cartes/petit.txt");
    let small = Map::parse(&fs::read(map).unwrap()).unwrap();
    interrupt(&small, 4, 16, &[0, 1, 3, 10, 30, 100, 300, 1000]);
    interrupt(&largest_map(), 26, 1, &[0, 1, 10, 60]);
}

#[test]
fn no_state_that_can_be_read_stops_a_bot() {
    let map = Map::parse(b"5;6\n######\n#..$ #\n .##. \n#.  &#\n######\n").unwrap();
    let state = State::start(&map, Rules::SUJET, 9, 2, &mut Seeded::new(1));
    let mut text = StateText::new(vec!["Ada".to_owned(), "Bob".to_owned()]);
    let text = text.write(state.view()).to_vec();
    bolero::check!().with_type::<Vec<(u16, u8)>>().for_each(|changes: &Vec<(u16, u8)>| {
        const LETTERS: &[u8] = b"0123456789;#. $@~&!-\n9999";
        let mut text = text.clone();
        for (at, letter) in changes.iter().take(6) {
            let at = usize::from(*at) % text.len();
            text[at] = LETTERS[usize::from(*letter) % LETTERS.len()];
        }
        let mut reader = StateReader::new();
        let Ok(reading) = reader.read(&text) else { return };
        for rules in [Rules::SUJET, Rules::ORLEANS_2024] {
            for me in Colour::first(reading.view.players().len()) {
                let situation = Situation::new(&reading.view, me, &rules);
                for before in [None, Some(state.view())] {
                    for entry in registry::ALL {
                        entry.make(1).play(&Situation { before, ..situation });
                    }
                }
            }
        }
    });
}

/// A client that forgets to announce a game gets answers all the same: legal ones in any maze, larger or another of the same size.
#[test]
fn players_of_pyrat_answer_without_being_told_of_a_new_game() {
    let me = Colour::new(ME).unwrap();
    for entry in pyrat::ALL {
        let mut player = entry.make(1);
        for (width, seed) in [(15, 1), (15, 2), (25, 3), (9, 4)] {
            let maze = Recipe { width, ..Recipe::default() }.make(seed).unwrap();
            let start = game::pyrat::State::start(&maze, 1, &Start::Centre, 9, seed, None);
            let mut state = start.unwrap();
            for _ in 0..40 {
                let rat = state.rats()[0];
                let step = match rat.mud {
                    Some(_) => None,
                    None => player.play(&pyrat::Situation { state: &state, me }),
                };
                let is_legal = step.is_none_or(|step| maze.weight(rat.cell, step) > 0);
                assert!(is_legal || entry.name == "aleatoire1", "{entry:?} in maze {seed}");
                state.play_turn(&[step.map_or(Action::Nothing, Action::Go)]);
            }
        }
    }
}

#[test]
fn bots_of_pacman_answer_in_their_first_game_without_being_told_of_it() {
    for entry in registry::ALL {
        for map in ["petit", "plan1"] {
            let mut bot = entry.make(1);
            let map = fs::read(format!("{}/../../cartes/{map}.txt", env!("CARGO_MANIFEST_DIR")));
            let map = Map::parse(&map.unwrap()).unwrap();
            let mut chance = Seeded::new(1);
            let mut state = State::start(&map, Rules::SUJET, 20, 3, &mut chance);
            while !state.view().is_over() {
                let me = Colour::new(ME).unwrap();
                let orders = bot.play(&Situation::new(state.view(), me, &Rules::SUJET));
                state.play_turn(&[orders; 3], &mut chance, |_, _| {});
            }
        }
    }
}

/// A player that stands still: its pacman stays unless that would teleport it, and false moves teleport its ghost.
struct Standing;

impl Bot for Standing {
    fn play(&mut self, situation: &Situation<'_>) -> Orders {
        let player = situation.view.players()[situation.me.index()];
        let mut counter = player.false_moves;
        let teleports = situation.rules.false_moves.count(&mut counter);
        let exits = situation.view.board().exits(player.pacman);
        Orders { pacman: exits.first().copied().filter(|_| teleports), ghost: None }
    }
}

#[test]
fn champion_stays_on_a_pacman_that_stands_still() {
    let map: Map = maps::text_of("impasses").unwrap().parse().unwrap();
    // A bite in each second turn, or in each third one where ghosts digest.
    for (rules, turns_a_bite) in [(Rules::SUJET, 2), (Rules::ORLEANS_2024, 3)] {
        let others = ["champion", "prudent", "prudent"].map(|bot| by_name(bot).unwrap().make(1));
        let standing: Box<dyn Bot> = Box::new(Standing);
        let mut game =
            HouseGame::start(&map, rules, 120, 5, others.into_iter().chain([standing]).collect());
        let mut bites = 0;
        while !game.state().view().is_over() {
            game.play_turn(|event, _| {
                let is_bite = matches!(event, Event::Battle { pacman, ghost, bitten: true }
                    if ghost.index() == 0 && pacman.index() == 3);
                bites += u32::from(is_bite);
            });
        }
        // It has to find out that the pacman stands, and to get there.
        assert!(bites * turns_a_bite >= 50, "{bites} bites");
    }
}

/// Sends its ghost after the first player's pacman, by shortest paths; its own pacman stays.
struct Chaser;

impl Bot for Chaser {
    fn play(&mut self, situation: &Situation<'_>) -> Orders {
        let (board, players) = (situation.view.board(), situation.view.players());
        let mut distances = Distances::new();
        distances.fill(board, players[ME].pacman);
        let ghost = players[situation.me.index()].ghost;
        let steps = |exit: &Direction| distances.to(board.neighbour(ghost, *exit));
        Orders { pacman: None, ghost: board.exits(ghost).iter().copied().min_by_key(steps) }
    }
}

#[test]
fn champion_shakes_off_the_ghosts_on_its_tail() {
    let map: Map = maps::text_of("impasses").unwrap().parse().unwrap();
    let mut bites = 0;
    for seed in 0..6 {
        let mut bots: Vec<Box<dyn Bot>> = vec![by_name("champion").unwrap().make(1)];
        bots.extend((0..2).map(|_| Box::new(Chaser) as Box<dyn Bot>));
        let mut game = HouseGame::start(&map, Rules::SUJET, 100, seed, bots);
        while !game.state().view().is_over() {
            game.play_turn(|event, _| {
                let is_bite = matches!(event, Event::Battle { pacman, ghost, bitten: true }
                    if pacman.index() == ME && ghost.index() != ME);
                bites += u32::from(is_bite);
            });
        }
    }
    // By false moves, the fourth of which teleports it; by walking alone it was bitten 19 times.
    assert!(bites <= 10, "{bites} bites in six games");
}

/// Plays a game, and calls `each` before each turn with the bot of the first seat and what it sees.
fn watch(bots: [&str; 4], mut each: impl FnMut(u32, &dyn Bot, &Situation<'_>)) {
    let map: Map = maps::text_of("plan1").unwrap().parse().unwrap();
    let all: Vec<_> = bots.iter().map(|bot| by_name(bot).unwrap().make(1)).collect();
    let mut game = HouseGame::start(&map, Rules::SUJET, 60, 5, all);
    let mut bot = by_name(bots[0]).unwrap().make(1);
    let me = Colour::new(0).unwrap();
    while !game.state().view().is_over() {
        let situation = Situation::new(game.state().view(), me, &Rules::SUJET);
        each(game.state().view().elapsed(), &*bot, &situation);
        bot.play(&situation);
        game.play_turn(|_, _| {});
    }
}

#[test]
fn a_fork_plays_on_as_the_bot_does() {
    for bots in [
        ["champion", "glouton", "dijkstra", "champion"],
        ["champion", "dijkstra", "prudent", "dijkstra"],
        ["dijkstra", "glouton", "champion", "prudent"],
        ["glouton", "champion", "champion", "champion"],
    ] {
        let mut forks: Vec<Box<dyn Bot>> = Vec::new();
        watch(bots, |turn, bot, situation| {
            if turn % 12 == 5 {
                forks.push(bot.fork().unwrap());
            }
            let orders = bot.fork().unwrap().play(situation);
            for fork in &mut forks {
                assert_eq!(fork.play(situation), orders, "{bots:?}, turn {turn}");
            }
        });
        assert_eq!(forks.len(), 5);
    }
}

#[test]
fn the_moves_that_champion_plays_are_those_that_it_values_most() {
    // In the last turns, the first place counts rather than points.
    const LAST: u32 = 16;
    // Against `glouton`, the ghost pursues in a simulation; against `prudent`, it hunts a forecast.
    for other in ["glouton", "prudent"] {
        let mut asked = 0;
        watch(["champion", other, other, other], |turn, bot, situation| {
            assert_eq!(by_name("prudent").unwrap().make(1).evaluation(situation), None);
            let mut bot = bot.fork().unwrap();
            let Orders { pacman, ghost } = bot.play(situation);
            let Evaluation { pacman: pacmans, ghost: ghosts, line } =
                bot.evaluation(situation).unwrap();
            for (order, moves) in [(pacman, &pacmans), (ghost, &ghosts)] {
                let best = moves.iter().map(|(_, points)| *points).fold(f32::MIN, f32::max);
                let played = moves.iter().find(|(other, _)| *other == order);
                let left = situation.view.total() - turn;
                if left > LAST {
                    let played = played.map(|(_, points)| *points);
                    assert_eq!(played, Some(best), "turn {turn}: {moves:?}");
                }
                assert!(best.abs() < 2000.0, "{best}");
                asked += moves.len();
            }
            let from = situation.view.players()[0].pacman;
            assert_eq!(situation.view.board().direction(from, line[0]), pacman);
        });
        assert!(asked > 120, "{asked} moves in 60 turns");
    }
}
