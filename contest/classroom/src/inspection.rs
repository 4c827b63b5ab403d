//! Checks of the versions that teams hand in, one after the other; comparisons of versions go on between them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use checkup::Check;
use clap::ValueEnum as _;
use course::{BotVersion, Course, CourseError, Sealed, VersionId};
use language::{Language, said, word};
use programs::build::{BuildFault, BuildJob, Builder};
use programs::runner::Runner;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::about::{self, About};
use crate::comparer::Comparing;
use crate::room::{Room, Work, unblocked};

/// Longest time for a build and a check together.
const LONGEST_CHECK: Duration = Duration::from_secs(300);
/// Number of attempts at a check that this machine cannot make.
const ATTEMPTS: u32 = 3;
/// Pause after a check that this machine could not make.
const PAUSE: Duration = Duration::from_secs(10);
/// Maximum number of bytes of a verdict in one language.
const BYTES: usize = 30_000;

/// The inspector: checks and builds versions one at a time.
pub(crate) struct Inspector {
    pub(crate) room: Arc<Room>,
    /// Starts the programs that are checked.
    pub(crate) runner: Arc<Runner>,
    pub(crate) builder: Builder,
}

/// A verdict as JSON, and whether the version may play.
type Verdict = (String, bool);

impl Inspector {
    /// Checks versions until the course is closed. A check that is under way then is made again when the course is opened.
    pub(crate) async fn check_versions(self, stop: CancellationToken) {
        let checks = async {
            let (mut comparing, mut attempts) = (None, BTreeMap::new());
            loop {
                let done = match self.check_next(&mut attempts).await {
                    Ok(false) => self.compare(&mut comparing, &stop).await,
                    checked => checked,
                };
                match done {
                    Ok(true) => self.room.forget_trouble(Work::Checks),
                    Ok(false) => self.room.handed_in.notified().await,
                    Err(trouble) => {
                        self.room.note_trouble(Work::Checks, &trouble);
                        comparing = None;
                        sleep(PAUSE).await;
                    }
                }
            }
        };
        tokio::select! {
            () = checks => {}
            () = stop.cancelled() => {}
        }
    }

    /// Plays some games of a comparison; false if none was asked for.
    async fn compare(
        &self,
        comparing: &mut Option<Comparing>,
        stop: &CancellationToken,
    ) -> Result<bool, String> {
        if comparing.is_none() {
            *comparing = Comparing::next(&self.room, &self.runner, stop).await?;
        }
        let Some(now) = comparing else { return Ok(false) };
        if now.go_on(&self.room).await? {
            *comparing = None;
        }
        Ok(true)
    }

    /// Checks the next version; false if none waits. A version that this machine cannot check in several attempts has failed, so
    /// that it does not keep others waiting for ever.
    async fn check_next(&self, attempts: &mut BTreeMap<VersionId, u32>) -> Result<bool, String> {
        let room = &self.room;
        let Some(version) = told(room.write(Course::next_check).await)? else {
            return Ok(false);
        };
        let id = version.id;
        room.now.send_modify(|now| now.checking = Some((id, Instant::now())));
        let checked = timeout(LONGEST_CHECK, self.check(version)).await;
        let checked = checked.unwrap_or_else(|_| Ok((too_slow(), false)));
        let attempt = attempts.entry(id).or_default();
        *attempt += 1;
        let checked = match checked {
            Err(trouble) if *attempt >= ATTEMPTS => {
                self.room.note_trouble(Work::Checks, &trouble);
                Ok((in_both(false, || failed(&trouble)), false))
            }
            checked => checked,
        };
        room.now.send_modify(|now| now.checking = None);
        let judged = match checked {
            Ok((verdict, is_ready)) => {
                told(room.write(move |course| course.judge(id, &verdict, is_ready)).await)
            }
            Err(trouble) => Err(trouble),
        };
        room.resumed.notify_one();
        if judged.is_ok() {
            attempts.remove(&id);
        } else {
            told(room.write(move |course| course.release(id)).await)?;
        }
        judged.map(|()| true)
    }

    /// The verdict of a version; an error if this machine could not find out.
    async fn check(&self, version: BotVersion) -> Result<Verdict, String> {
        let settings = &self.room.settings;
        let (id, team, first) = (version.id, version.team, &settings.maps[0]);
        let about = About::of(&version);
        if let Some(build) = &about.build
            && let Some(verdict) = self.build(&version, &about, build).await?
        {
            return Ok(verdict);
        }
        let known: Result<_, CourseError> = self
            .room
            .read(move |reader| {
                let folder = reader.versions_folder().to_owned();
                // A build has changed its content.
                Ok((reader.team(team)?, reader.version(id)?, folder))
            })
            .await;
        let (known, version, folder) = told(known)?;
        let options = checkup::Options {
            rules: settings.rules,
            turns: settings.turns,
            deadline: settings.deadline,
            limits: settings.programs.clone(),
            map: first.map.clone(),
            other_maps: settings.maps[1..].to_vec(),
            checks: Check::value_variants().to_vec(),
            runner: Arc::clone(&self.runner),
        };
        let team = about::team(known.public_name().to_owned(), &version, &folder);
        let report = checkup::run(&team, &options, |_| {}).await;
        let report = report.map_err(|fault| fault.to_string())?;
        let is_ready = report.is_ready();
        Ok((in_both(is_ready, || report.to_json()), is_ready))
    }

    /// Builds a version, which has the built files from then on; returns the verdict if that is not possible.
    async fn build(
        &self,
        version: &BotVersion,
        about: &About,
        build: &[String],
    ) -> Result<Option<Verdict>, String> {
        let id = version.id;
        let places: Result<_, CourseError> =
            self.room.read(move |reader| Ok((reader.files(id)?, reader.incoming()))).await;
        let (files, into) = told(places)?;
        let Some(files) = files else {
            return Err(said!("version {id} has no files", "la version {id} n'a pas de fichiers"));
        };
        let job = BuildJob { folder: &files, build, command: &about.command, into: &into };
        match self.builder.build(job).await {
            Ok(done) => {
                let folder = done.unpacked.folder.keep();
                let sealed = told(unblocked(move || Sealed::of(folder)).await)?;
                let about = about.built().text();
                let replaced =
                    self.room.write(move |course| course.replace_files(id, sealed, &about));
                told(replaced.await)?;
                Ok(None)
            }
            Err(fault) if fault.is_of_machine() => Err(fault.to_string()),
            Err(fault) => Ok(Some((in_both(false, || not_built(&fault, build)), false))),
        }
    }
}

/// Converts an error of the course to its message.
fn told<T>(answer: Result<T, CourseError>) -> Result<T, String> {
    answer.map_err(|error| error.to_string())
}

/// The verdict of a version that takes too long.
fn too_slow() -> String {
    let limit = LONGEST_CHECK.as_secs();
    in_both(false, || {
        failed(&said!(
            "its build and check took more than {limit} s",
            "sa construction et sa vérification ont pris plus de {limit} s"
        ))
    })
}

/// The words of the verdict of a version that could not be checked.
fn failed(why: &str) -> Value {
    let summary = said!("The check has failed: {why}.", "La vérification a échoué : {why}.");
    json!({ "summary": summary, "checks": [] })
}

/// The words of the verdict of a version that cannot be built.
fn not_built(fault: &BuildFault, build: &[String]) -> Value {
    let why = fault.words();
    let why = why.say(Language::chosen());
    let finding = json!({ "severity": "failure", "seen": why, "advice": null });
    let title = said!("Building: {}", "Construction : {}", build.join(" "));
    let check =
        json!({ "check": "build", "verdict": "failed", "title": title, "findings": [finding] });
    let summary = word("The program cannot be built.", "Le programme ne peut pas être construit.");
    json!({ "summary": summary, "checks": [check] })
}

/// A verdict as it is kept: whether the version may play, and its words by language.
fn in_both(is_ready: bool, words: impl Fn() -> Value) -> String {
    let [en, fr] = [Language::English, Language::French].map(|language| {
        let mut words = language.within(&words);
        words["ready"] = json!(is_ready);
        shortened(words)
    });
    json!({ "en": en, "fr": fr }).to_string()
}

/// A report without the findings that matter least, if it is long.
fn shortened(mut report: Value) -> Value {
    while report.to_string().len() > BYTES {
        let checks = report["checks"].as_array_mut().into_iter().flatten();
        let lists = checks.filter_map(|check| check["findings"].as_array_mut());
        let Some(longest) =
            lists.max_by_key(|list| list.iter().map(|it| it.to_string().len()).sum::<usize>())
        else {
            break;
        };
        longest.pop();
        report["shortened"] = json!(true);
    }
    report
}
