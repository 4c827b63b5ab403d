//! Checks that the bot starts, registers, and waits for the game.

use std::time::Duration;

use crate::bench::Bench;
use crate::fact::Fact;
use crate::finding::Finding;
use crate::session::{Session, is_same_name};

/// Pause between the registration of the bot and the first state of the game.
const WAIT: Duration = Duration::from_millis(700);

pub(crate) async fn check(bench: Bench<'_>) -> Vec<Finding> {
    let Bench { team, options, .. } = bench;
    let opened = Session::open(team, options, &team.name, true).await;
    let mut session = match opened {
        Ok(session) => session,
        Err(finding) => return vec![finding],
    };
    let (after, patience) = (session.registered, options.limits.start);
    let mut findings = vec![if after > patience / 2 {
        Finding::warning(Fact::SlowStart { after: after.into(), patience: patience.into() })
    } else {
        Finding::note(Fact::Registered { after: after.into() })
    }];
    if !is_same_name(&team.name, &session.name) {
        let (given, sent) = (team.name.clone(), session.name.clone());
        findings.push(Finding::note(Fact::OtherName { given, sent }));
    }
    if let Ok(said) = session.stay_quiet(WAIT).await {
        findings.extend(said.map(|received| Finding::warning(Fact::Unasked { received })));
        session.end().await;
    } else {
        let gone = session.collapse().await;
        let fact = Fact::DidNotWait { ending: gone.ending, waited: WAIT.into() };
        findings.push(Finding::failure(fact).with(&gone.output));
    }
    findings
}
