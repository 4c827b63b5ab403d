//! The checks tell good bots from bad ones, and name the faults to fix.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod orders;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use checkup::{
    self, BoardKind, Case, Check, CheckReport, CheckVerdict, Ending, Fact, Finding, GameMoment,
    NoStart, Options, RegistrationSlip, Severity, Transmission, words,
};
use clap::ValueEnum;
use game::pacman::RulesPreset;
use plan::{Program, Team, TeamLimits, team};
use programs::package::Packages;
use programs::runner::Runner;
use sandbox::{Isolation, Level};

/// Long enough for any machine.
const PATIENT: Duration = Duration::from_secs(20);

fn tests() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn options(checks: &[Check]) -> Options {
    Options {
        rules: RulesPreset::Sujet,
        turns: 40,
        deadline: PATIENT,
        limits: TeamLimits { start: PATIENT, ..TeamLimits::default() },
        map: game::pacman::maps::plan1(),
        other_maps: Vec::new(),
        checks: checks.to_vec(),
        runner: runner(Level::Auto, None),
    }
}

fn runner(level: Level, trap: Option<u16>) -> Arc<Runner> {
    let launcher = Some(launcher().to_owned());
    let settings = Isolation { level, trap, launcher, ..Isolation::default() };
    Arc::new(Runner::new(settings, Packages::new(PathBuf::new())).unwrap())
}

/// The launcher executable, which belongs to another package. The variable `BUILT` names a folder that already has
/// the executable.
fn launcher() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        if let Some(folder) = std::env::var_os("BUILT") {
            return Path::new(&folder).join("sandbox-launcher");
        }
        let own = std::env::current_exe().unwrap();
        let profile = own.ancestors().nth(2).unwrap();
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--package", "sandbox", "--bin", "sandbox-launcher"]);
        build.arg("--target-dir").arg(profile.parent().unwrap());
        assert!(build.current_dir(tests()).status().unwrap().success());
        profile.join("sandbox-launcher")
    })
}

fn command(line: &str, variables: &[(&str, &str)]) -> Team {
    let own = [("PYTHONDONTWRITEBYTECODE", "1")];
    let environment: BTreeMap<_, _> = own
        .iter()
        .chain(variables)
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    Team {
        name: "Elan".to_owned(),
        program: Program::Command(team::CommandLine {
            words: line.split(' ').map(str::to_owned).collect(),
            folder: tests().join("tests/bots"),
            environment,
        }),
        version: String::new(),
        has_given_version: false,
        files: None,
        package: None,
        generation: 0,
        disqualified: None,
    }
}

fn script(name: &str) -> Team {
    command(&format!("python3 {name}.py {{nom}} {{serveur}} {{port}}"), &[])
}

fn run(team: &Team, options: &Options) -> CheckReport {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let report = runtime.block_on(checkup::run(team, options, |_| {})).unwrap();
    for finding in report.checks.iter().flat_map(|made| &made.findings) {
        let told = words::tell(finding);
        assert!(!told.seen.is_empty(), "{finding:?}");
        let is_bad = finding.severity > Severity::Note;
        assert!(!is_bad || told.advice.is_some_and(|advice| !advice.is_empty()), "{finding:?}");
    }
    report
}

#[test]
fn a_machine_that_starts_nothing_is_no_fault_of_the_bot() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("launcher");
    fs::copy(launcher(), &copy).unwrap();
    let settings = Isolation { launcher: Some(copy.clone()), ..Isolation::default() };
    let runner = Arc::new(Runner::new(settings, Packages::new(PathBuf::new())).unwrap());
    fs::remove_file(copy).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for check in [Check::Start, Check::Answers, Check::Orders, Check::Powers] {
        let options = Options { runner: Arc::clone(&runner), ..options(&[check]) };
        let fault = runtime.block_on(checkup::run(&script("good"), &options, |_| {})).unwrap_err();
        let fault = fault.to_string();
        assert!(["try again", "réessayez"].iter().any(|word| fault.contains(word)), "{fault}");
    }
}

/// The faults found in these checks, without notes.
fn faults(name: &str, checks: &[Check]) -> Vec<Finding> {
    bad(&run(&script(name), &options(checks)))
}

fn bad(report: &CheckReport) -> Vec<Finding> {
    let all = report.checks.iter().flat_map(|made| made.findings.clone());
    all.filter(|finding| finding.severity > Severity::Note).collect()
}

/// The only fault.
#[track_caller]
fn only(mut faults: Vec<Finding>) -> (Severity, Option<Case>, Fact) {
    assert_eq!(faults.len(), 1, "{faults:#?}");
    let Finding { severity, case, fact, .. } = faults.remove(0);
    (severity, case, fact)
}

/// Judges all cases in parallel, as they mostly wait.
fn at_once<T: Send, const N: usize>(cases: [T; N], judge: impl Fn(T) + Sync) {
    let judge = &judge;
    std::thread::scope(|scope| {
        for case in cases {
            scope.spawn(move || judge(case));
        }
    });
}

#[test]
fn the_python_example_passes() {
    let mut team = command("python3 bot.py {nom} {serveur} {port}", &[]);
    if let Program::Command(command) = &mut team.program {
        command.folder = tests().join("../../exemples");
    }
    let report = run(&team, &options(Check::value_variants()));
    assert_eq!(bad(&report), [], "{report:#?}");
    assert_eq!(report.with(CheckVerdict::Passed).count(), Check::value_variants().len());
    assert!(report.is_ready());
    let [Finding { fact: Fact::Times { answered: 40, longest, median, .. }, .. }] =
        report.findings(Check::Answers)
    else {
        panic!("{report:#?}");
    };
    assert!(median <= longest);
}

#[test]
fn a_bot_of_the_house_passes() {
    // The bot gives a piece no direction when that is best: once, at the cost of a point, which is no fault.
    let bot = "dijkstra".to_owned();
    let team = Team { program: Program::House(bot), ..script("good") };
    let report = run(&team, &options(Check::value_variants()));
    assert_eq!(bad(&report), []);
}

#[test]
fn a_game_may_be_shorter_than_the_answers_expected_of_a_good_bot() {
    let options = Options { turns: 2, ..options(&[Check::Answers, Check::Twins]) };
    let report = run(&script("good"), &options);
    assert_eq!(report.with(CheckVerdict::Passed).count(), 2, "{report:#?}");
}

#[test]
fn programs_that_do_not_start() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plain"), "hello").unwrap();
    std::fs::write(folder.path().join("fast"), "hello").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(folder.path().join("fast"), mode).unwrap();
    let start = |line: &str| {
        let mut team = command(line, &[]);
        if let Program::Command(command) = &mut team.program {
            command.folder = folder.path().to_owned();
        }
        only(bad(&run(&team, &options(&[Check::Start])))).2
    };
    for (line, cause) in [
        ("no-such-program", NoStart::NotFound),
        ("./none", NoStart::NotFound),
        ("./plain", NoStart::NotExecutable),
        ("./fast", NoStart::NoProgram),
    ] {
        let program = line.to_owned();
        assert_eq!(start(line), Fact::NotStarted { program, cause });
    }
    // A file that is not there is named; a module is no file.
    for (line, code, missing) in [
        ("python3 bott.py {nom} {port}", 2, Some("bott.py".to_owned())),
        ("python3 -m bott.py {nom} {port}", 1, None),
    ] {
        let ending = Ending::Code(code);
        let ended = Fact::EndedEarly { ending, connected: false, missing, has_port: true };
        assert_eq!(start(line), ended);
    }
    let Fact::EndedEarly { ending: Ending::Signal(11), has_port: false, .. } = start(
        "python3 -c import(os);os.kill(os.getpid(),11)"
            .replace("import(os)", "os=__import__('os')")
            .as_str(),
    ) else {
        panic!("it was ended by a signal");
    };
}

#[test]
fn programs_that_do_not_register() {
    let no_registration = |received: &str, slip| Fact::NoRegistration {
        received: received.to_owned(),
        slip: Some(slip),
    };
    let exits = Fact::EndedEarly {
        ending: Ending::Code(0),
        connected: false,
        missing: None,
        has_port: true,
    };
    let cases = [
        ("exits", exits),
        ("hangs_up", Fact::HungUp),
        ("no_nul", Fact::NoNul { received: "joueur;Elan\\n".to_owned() }),
        ("watches", Fact::Spectator),
        ("english", no_registration("player;Elan", RegistrationSlip::English)),
        ("capitals", no_registration("Joueur;Elan", RegistrationSlip::Capitals)),
        ("talks_first", Fact::Unasked { received: "NE".to_owned() }),
    ];
    at_once(cases, |(name, fact)| {
        assert_eq!(only(faults(name, &[Check::Start])).2, fact, "{name}");
    });
}

#[test]
fn programs_that_do_not_wait_or_say_nothing() {
    let (_, _, fact) = only(faults("impatient", &[Check::Start]));
    assert!(matches!(fact, Fact::DidNotWait { ending: Some(Ending::Code(1)), .. }), "{fact:?}");
    let mut options = options(&[Check::Start]);
    options.limits.start = Duration::from_secs(2);
    let (_, _, fact) = only(bad(&run(&script("silent"), &options)));
    let Fact::Silent { waited } = fact else { panic!("{fact:?}") };
    assert!(waited.0 >= options.limits.start);
}

#[test]
fn failed_registration_skips_all_other_checks() {
    let report = run(&script("exits"), &options(Check::value_variants()));
    assert_eq!(report.with(CheckVerdict::Failed).collect::<Vec<_>>(), [Check::Start]);
    assert_eq!(report.with(CheckVerdict::Skipped).count(), Check::value_variants().len() - 1);
    assert_eq!(report.findings(Check::Start)[0].output, ["nothing to do"]);
}

#[test]
fn connection_to_a_fixed_port_is_reported() {
    // The checkup listens there itself. The system gives ports like this one, below 32768, to no program that does not ask for it.
    let port = 20_000 + (std::process::id() % 10_000) as u16;
    let options = Options { runner: runner(Level::Auto, Some(port)), ..options(&[Check::Start]) };
    for (line, has_port) in
        [("python3 fixed_port.py", false), ("python3 fixed_port.py {port}", true)]
    {
        let team = command(line, &[("USUAL_PORT", &port.to_string())]);
        assert_eq!(only(bad(&run(&team, &options))).2, Fact::Elsewhere { port, has_port });
    }
}

#[test]
fn missing_connection_is_reported_with_the_port_argument() {
    let mut options = options(&[Check::Start]);
    options.limits.start = Duration::from_millis(200);
    let (_, _, fact) = only(bad(&run(&command("sleep 60", &[]), &options)));
    assert_eq!(fact, Fact::NoConnection { waited: options.limits.start.into(), has_port: false });
}

#[test]
fn another_name_is_a_note() {
    let team = command("python3 good.py Inconnu {serveur} {port}", &[]);
    let report = run(&team, &options(&[Check::Start]));
    let names = Fact::OtherName { given: "Elan".to_owned(), sent: "Inconnu".to_owned() };
    assert!(report.findings(Check::Start).contains(&Finding {
        severity: Severity::Note,
        case: None,
        fact: names,
        output: Vec::new()
    }));
    assert_eq!(bad(&report), []);
}

#[test]
fn late_answers_are_counted() {
    let late = |pause: &str, deadline: u64| {
        let team = command("python3 late.py {nom} {serveur} {port}", &[("PAUSE", pause)]);
        let deadline = Duration::from_millis(deadline);
        only(bad(&run(&team, &Options { deadline, ..options(&[Check::Answers]) })))
    };
    let (severity, _, fact) = late("1.2", 800);
    assert_eq!(severity, Severity::Failure);
    let Fact::Missed { missed: 1, asked: 40, first: 4, latest: Some(latest), .. } = fact else {
        panic!("{fact:?}");
    };
    assert!(latest.0 >= Duration::from_millis(1200));
    // In time, but only just.
    let (severity, _, fact) = late("1.2", 2200);
    assert!(severity == Severity::Warning && matches!(fact, Fact::Close { .. }), "{fact:?}");
}

#[test]
fn silent_bot_skips_the_remaining_checks() {
    let deadline = Duration::from_millis(600);
    let report = run(&script("stops"), &Options { deadline, ..options(Check::value_variants()) });
    let (_, _, fact) = only(bad(&report));
    assert!(matches!(fact, Fact::Stuck { turn: 6, .. }), "{fact:?}");
    assert_eq!(report.with(CheckVerdict::Skipped).count(), 8);
}

#[test]
fn long_messages_and_closed_connections_are_reported() {
    let (_, _, fact) = only(faults("too_long", &[Check::Answers]));
    assert_eq!(fact, Fact::TooLong { turn: 3, limit: protocol::CLIENT_FRAME_LIMIT });
    let (_, _, fact) = only(faults("leaves", &[Check::Answers]));
    assert!(matches!(fact, Fact::Left { turn: 3, .. }), "{fact:?}");
}

#[test]
fn caught_errors_in_the_output_are_a_warning() {
    let found = faults("catches_all", &[Check::Answers]);
    assert!(found[0].output.iter().any(|line| line.starts_with("Traceback")), "{found:?}");
    assert_eq!(only(found), (Severity::Warning, None, Fact::ErrorsInOutput));
}

#[test]
fn programs_that_do_not_end() {
    at_once([("busy_after_quit", Some(true)), ("lingers", Some(false))], |(name, expected)| {
        let (severity, _, fact) = only(faults(name, &[Check::End]));
        let Fact::Lingers { busy, .. } = fact else { panic!("{fact:?}") };
        assert_eq!(severity, Severity::Failure);
        if cfg!(target_os = "linux") {
            assert_eq!(busy, expected, "{name}");
        }
    });
    let found = faults("crash_at_quit", &[Check::Answers, Check::End]);
    assert!(found[0].output.last().unwrap().starts_with("ValueError"), "{found:?}");
    let bad_end = Fact::BadEnd { ending: Ending::Code(1) };
    assert_eq!(only(found), (Severity::Warning, None, bad_end));
}

#[test]
fn crash_with_the_pacman_inside_a_wall_is_reported() {
    let found = faults("crash_in_wall", &[Check::Powers]);
    let cases: Vec<_> = found.iter().map(|finding| finding.case.clone()).collect();
    assert_eq!(cases, [Some(Case::InsideWall), Some(Case::WallPassEnds)]);
    for finding in &found {
        assert_eq!(finding.severity, Severity::Failure);
        let Fact::Crashed { turn: 1, ending: Ending::Code(1), moments } = &finding.fact else {
            panic!("{finding:?}");
        };
        assert!(matches!(moments[..], [GameMoment::InWall(1 | 2)]), "{moments:?}");
        assert!(finding.output.last().unwrap().starts_with("KeyError"), "{finding:?}");
    }
}

#[test]
fn crash_with_a_negative_score_is_reported() {
    let found = faults("crash_at_negative", &[Check::Powers]);
    let bitten = found.iter().find(|finding| finding.case == Some(Case::Bitten)).unwrap();
    let Fact::Crashed { turn: 1, moments, .. } = &bitten.fact else { panic!("{bitten:?}") };
    assert_eq!(*moments, [GameMoment::Negative]);
}

#[test]
fn fixed_board_size_is_reported() {
    let found = faults("fixed_board", &[Check::Powers, Check::Letters, Check::Boards]);
    let kinds: Vec<_> = found
        .iter()
        .map(|finding| match &finding.case {
            Some(Case::Board(board, ..)) => (board.clone(), finding.severity),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        kinds,
        [
            (BoardKind::Wide, Severity::Failure),
            (BoardKind::Tall, Severity::Failure),
            (BoardKind::Open, Severity::Failure),
            (BoardKind::Bare, Severity::Failure),
            (BoardKind::Tiny, Severity::Warning)
        ]
    );
}

#[test]
fn own_maps_are_among_the_boards() {
    let mut options = options(&[Check::Boards]);
    options.other_maps.push(plan::plan::NamedMap {
        name: "mine".to_owned(),
        text: String::new(),
        map: "3;8\n        \n        \n        \n".parse().unwrap(),
    });
    let found = bad(&run(&script("fixed_board"), &options));
    let own = Some(Case::Board(BoardKind::Own("mine".to_owned()), 3, 8));
    assert!(found.iter().any(|finding| finding.case == own), "{found:?}");
}

#[test]
fn names_that_cause_a_fault_are_reported_alone() {
    let found = faults("ascii_name", &[Check::Answers, Check::Names]);
    let cases: Vec<_> = found.iter().filter_map(|finding| finding.case.clone()).collect();
    assert_eq!(cases.len(), found.len());
    let is_ascii = |case: &Case| match case {
        Case::OwnName(name) | Case::Opponent(name) => name.is_ascii(),
        other => panic!("{other:?}"),
    };
    assert!(cases.len() >= 4 && !cases.iter().any(is_ascii), "{cases:?}");
}

#[test]
fn no_name_is_to_blame_for_a_bot_that_fails_with_every_name() {
    let found = faults("leaves", &[Check::Names]);
    let is_group = |finding: &Finding| matches!(&finding.case, Some(Case::Names(_)));
    assert!(found.iter().all(is_group) && !found.is_empty(), "{found:#?}");
}

#[test]
fn bot_that_ends_after_one_game_is_reported() {
    let found = faults("one_game", &[Check::Answers, Check::End, Check::Series]);
    let [left, unanswered] = &found[..] else { panic!("{found:?}") };
    let gone = Fact::Crashed { turn: 1, ending: Ending::Code(0), moments: Vec::new() };
    assert_eq!((left.severity, &left.fact), (Severity::Failure, &gone));
    assert!(matches!(left.case, Some(Case::Game(2, 'A', 7, 9))));
    assert_eq!(
        (unanswered.severity, &unanswered.fact),
        (Severity::Warning, &Fact::FinalUnanswered)
    );
}

#[test]
fn split_and_joined_messages_are_delivered() {
    let found = faults("one_recv", &[Check::Answers, Check::Stream]);
    let cases: Vec<_> = found.iter().map(|finding| finding.case.clone()).collect();
    assert_eq!(cases, Transmission::ALL.map(|delivery| Some(Case::Transmission(delivery))));
    assert!(found.iter().all(|finding| finding.severity == Severity::Failure));

    let deadline = Duration::from_millis(800);
    let report = run(
        &script("latest_only"),
        &Options { deadline, ..options(&[Check::Answers, Check::Stream]) },
    );
    let (severity, case, fact) = only(bad(&report));
    assert_eq!(
        (severity, case, fact),
        (
            Severity::Warning,
            Some(Case::Transmission(Transmission::Together)),
            Fact::Skips { sent: 3, answered: 1 }
        )
    );
}

#[test]
fn the_time_for_an_answer_begins_when_its_message_is_complete() {
    // A name of emoji is cut so often that the check sends a state for longer than the time for its answer.
    let program = Program::House("prudent".to_owned());
    let team = Team { name: "🎮".repeat(64), program, ..script("good") };
    let deadline = Duration::from_millis(500);
    let report = run(&team, &Options { deadline, ..options(&[Check::Stream]) });
    assert_eq!(bad(&report), []);
}

#[test]
fn two_copies_that_share_a_file_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let lock = folder.path().join("lock");
    let team = command(
        "python3 fixed_file.py {nom} {serveur} {port}",
        &[("LOCK", lock.to_str().unwrap())],
    );
    // Isolated copies would have separate files.
    let checks = [Check::Answers, Check::Twins];
    let options = Options { runner: runner(Level::None, None), ..options(&checks) };
    let report = run(&team, &options);
    let (severity, case, fact) = only(bad(&report));
    assert!(matches!(fact, Fact::EndedEarly { ending: Ending::Code(1), .. }), "{fact:?}");
    assert!(severity == Severity::Failure && matches!(case, Some(Case::Twin(1 | 2))));
}

#[test]
fn processes_left_behind_are_ended() {
    let mark = format!("checkup-{}", std::process::id());
    let team = command("python3 daemon.py {nom} {serveur} {port}", &[("MARK", &mark)]);
    // The program leaves behind a process in a group of its own.
    for level in [Level::Auto, Level::None] {
        let options = Options { runner: runner(level, None), ..options(&[Check::Start]) };
        assert_eq!(bad(&run(&team, &options)), []);
        let has_mark = |process: fs::DirEntry| {
            let environment = fs::read(process.path().join("environ")).unwrap_or_default();
            let text = String::from_utf8_lossy(&environment).into_owned();
            text.split('\0').any(|variable| variable.ends_with(&mark))
        };
        assert!(!fs::read_dir("/proc").unwrap().flatten().any(has_mark), "{level}");
    }
}
