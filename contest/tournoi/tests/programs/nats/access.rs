//! Access to a broker: user names, certificates and tokens.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine as _};
use nkeys::KeyPair;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::Broker;
use crate::{Folder, MAP, client_team};

/// Flags of a tournament of a few short games.
const GAMES: [&str; 8] =
    ["--carte", MAP, "--duree", "5", "--equipe", "ia:glouton", "--equipe", "ia:prudent"];

/// Plays a tournament with these flags for the connection, and with detailed journals.
fn play(folder: &Folder, url: &str, flags: &[&str]) -> [Output; 2] {
    let traced = ["--journal", "trace"];
    let coordinator = [&["jouer", "--nats", url][..], &traced, flags, &GAMES].concat();
    let coordinator = folder.command(&coordinator).spawn().unwrap();
    let worker = folder.run(&[&["ouvrier", url, "--une-fois"][..], &traced, flags].concat());
    [worker, coordinator.wait_with_output().unwrap()]
}

/// The complete output of a program.
fn said(output: &Output) -> String {
    String::from_utf8([&output.stdout[..], &output.stderr].concat()).unwrap()
}

/// Checks that the programs succeeded, and that none of these secrets is in their output or in the results.
fn check(folder: &Folder, outputs: [Output; 2], secrets: &[&str]) {
    let mut texts = vec![fs::read(folder.path("tournoi.sqlite")).unwrap()];
    for Output { status, stdout, stderr } in outputs {
        let said = [stdout, stderr].concat();
        assert!(status.success(), "{}", String::from_utf8_lossy(&said));
        texts.push(said);
    }
    for secret in secrets {
        let is_in = |text: &Vec<u8>| text.windows(secret.len()).any(|it| it == secret.as_bytes());
        assert!(!texts.iter().any(is_in), "{secret}");
    }
    assert!(!folder.outcomes("tournoi.sqlite").is_empty());
}

#[test]
fn broker_errors_name_their_cause() {
    let folder = Folder::new();
    // Nothing listens at this port, which only root may bind.
    let nowhere = "nats://127.0.0.1:1";
    let (code, error) = folder.fails(&["ouvrier", nowhere, "--insister", "0s"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("does not answer") && error.contains("nats-server -js"), "{error}");

    let game = ["jouer", "--carte", MAP, "--equipe", "ia:glouton"];
    let (code, error) =
        folder.fails(&[&game[..], &["--nats", nowhere, "--insister", "0s"]].concat());
    assert!(code == Some(2) && error.contains("does not answer"), "{error}");
    assert!(!folder.path("tournoi.sqlite").exists(), "nothing is begun");

    // A name that cannot be resolved now may be resolved later.
    let unknown = "nats://broker.invalid:4222";
    let output = folder.run(&["ouvrier", unknown, "--insister", "1s"]);
    assert_eq!(output.status.code(), Some(2));
    let said = said(&output);
    assert!(said.contains("looking for the broker nats://broker.invalid:4222"), "{said}");
    assert!(said.contains("no machine of this name"), "{said}");

    let plain = Broker::start(&[]);
    let (_, error) = folder.fails(&["ouvrier", &plain.url()]);
    assert!(error.contains("has no JetStream"), "{error}");

    let closed = Broker::start(&["-js", "--user", "ada", "--pass", "s3@cr%65t"]);
    let (_, error) = folder.fails(&["ouvrier", &closed.url()]);
    assert!(error.contains("credentials") && error.contains("--nats-creds"), "{error}");
    let wrong = closed.url().replace("//", "//ada:wr0ng@");
    let (_, error) = folder.fails(&["ouvrier", &wrong, "--journal", "trace"]);
    assert!(error.contains("credentials") && !error.contains("wr0ng"), "{error}");

    // With the right password, the worker plays, and no secret is written down.
    let url = closed.url().replace("//", "//ada:s3%40cr%2565t@");
    check(&folder, play(&folder, &url, &[]), &["s3@", "s3%40"]);

    let token = Broker::start(&["-js", "--auth", "t0ken"]);
    let folder = Folder::new();
    let url = token.url().replace("//", "//t0ken@");
    check(&folder, play(&folder, &url, &[]), &["t0ken"]);
}

/// Creates an authority and its certificate for this machine; returns the files of the authority, certificate and key.
fn certificate(folder: &Path) -> [String; 3] {
    let openssl = |arguments: &str| {
        let mut command = Command::new("openssl");
        command.current_dir(folder).args(["req", "-x509", "-newkey", "ec", "-nodes", "-days", "2"]);
        command.args(["-pkeyopt", "ec_paramgen_curve:prime256v1"]).args(arguments.split(' '));
        let made = command.output().expect("Debian: apt-get install openssl");
        assert!(made.status.success(), "{made:?}");
    };
    openssl("-subj /CN=authority -keyout authority.key -out authority.pem");
    openssl(
        "-subj /CN=broker -keyout broker.key -out broker.pem -CA authority.pem -CAkey authority.key \
         -addext basicConstraints=critical,CA:FALSE -addext subjectAltName=IP:127.0.0.1",
    );
    ["authority.pem", "broker.pem", "broker.key"]
        .map(|name| folder.join(name).to_str().unwrap().to_owned())
}

#[test]
fn with_tls_only_who_trusts_the_authority_and_is_known_plays() {
    let files = tempfile::tempdir().unwrap();
    let [authority, certificate, key] = certificate(files.path());
    let user = ["--user", "ada", "--pass", "s3cret"];
    let tls = ["-js", "--tls", "--tlscert", &certificate, "--tlskey", &key];
    let broker = Broker::start(&[&tls[..], &user].concat());
    let folder = Folder::new();
    let known = format!("tls://ada:s3cret@127.0.0.1:{}", broker.port);
    let stranger = format!("tls://127.0.0.1:{}", broker.port);
    let trusted = ["--nats-ca", &authority];

    for asked in [&["ouvrier"][..], &["jouer", "--carte", MAP, "--equipe", "ia:glouton", "--nats"]]
    {
        let fails = |url: &str, flags: &[&str]| {
            let (code, error) = folder.fails(&[asked, &[url], flags].concat());
            assert_eq!(code, Some(2));
            assert!(!error.contains("s3cret"), "{error}");
            error
        };
        let error = fails(&known, &[]);
        assert!(error.contains("is not trusted (--nats-ca FILE)"), "{error}");
        let error = fails(&stranger, &trusted);
        assert!(error.contains("other credentials"), "{error}");
    }
    assert!(!folder.path("tournoi.sqlite").exists(), "nothing is begun");
    check(&folder, play(&folder, &known, &trusted), &["s3cret"]);
}

/// A token with these claims on the owner of a key, signed by another key.
fn jwt(signer: &KeyPair, subject: &KeyPair, name: &str, nats: &Value) -> String {
    let claims = json!({
        "jti": name, "iat": 1_700_000_000, "iss": signer.public_key(), "sub": subject.public_key(),
        "name": name, "nats": nats,
    });
    let header = json!({ "typ": "JWT", "alg": "ed25519-nkey" });
    let parts = [header, claims].map(|part| BASE64_URL_SAFE_NO_PAD.encode(part.to_string()));
    let text = parts.join(".");
    let signature = BASE64_URL_SAFE_NO_PAD.encode(signer.sign(text.as_bytes()).unwrap());
    format!("{text}.{signature}")
}

/// A file of credentials for a user, signed by an account.
fn credentials(folder: &TempDir, name: &str, account: &KeyPair) -> (String, String) {
    let user = KeyPair::new_user();
    let rights = json!({
        "pub": {}, "sub": {}, "subs": -1, "data": -1, "payload": -1, "type": "user", "version": 2
    });
    let (jwt, seed) = (jwt(account, &user, name, &rights), user.seed().unwrap());
    let path = folder.path().join(name);
    let line = "-".repeat(6);
    let text = format!(
        "-----BEGIN NATS USER JWT-----\n{jwt}\n{line}END NATS USER JWT{line}\n\n\
         -----BEGIN USER NKEY SEED-----\n{seed}\n{line}END USER NKEY SEED{line}\n"
    );
    fs::write(&path, text).unwrap();
    (path.to_str().unwrap().to_owned(), seed)
}

#[test]
fn with_a_file_of_credentials_only_users_of_the_account_play() {
    let files = tempfile::tempdir().unwrap();
    let (operator, system) = (KeyPair::new_operator(), KeyPair::new_account());
    let (account, foreign) = (KeyPair::new_account(), KeyPair::new_account());
    let limits = json!({
        "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true, "conn": -1,
        "leaf": -1, "mem_storage": -1, "disk_storage": -1, "streams": -1, "consumer": -1,
    });
    let right =
        json!({ "limits": limits, "default_permissions": {}, "type": "account", "version": 2 });
    let none = json!({ "limits": { "conn": -1, "subs": -1, "data": -1, "payload": -1, "wildcards": true },
        "default_permissions": {}, "type": "account", "version": 2 });
    let of_operator = json!({ "type": "operator", "version": 2 });
    let config = format!(
        "operator: {}\nsystem_account: {}\nresolver: MEMORY\nresolver_preload: {{ {}: {}, {}: {} }}\n",
        jwt(&operator, &operator, "operator", &of_operator),
        system.public_key(),
        system.public_key(),
        jwt(&operator, &system, "system", &none),
        account.public_key(),
        jwt(&operator, &account, "account", &right),
    );
    let path = files.path().join("broker.conf");
    fs::write(&path, config).unwrap();
    let broker = Broker::start(&["-js", "-c", path.to_str().unwrap()]);
    let (known, seed) = credentials(&files, "known", &account);
    let (stranger, other) = credentials(&files, "stranger", &foreign);

    let folder = Folder::new();
    let (_, error) = folder.fails(&["ouvrier", &broker.url(), "--nats-creds", &stranger]);
    assert!(error.contains("other credentials") && !error.contains(&other), "{error}");
    let (_, error) = folder.fails(&["ouvrier", &broker.url()]);
    assert!(error.contains("--nats-creds"), "{error}");
    check(&folder, play(&folder, &broker.url(), &["--nats-creds", &known]), &[&seed]);
}

#[test]
fn packages_may_be_larger_than_a_message_and_results_that_are_say_what_to_set() {
    let files = tempfile::tempdir().unwrap();
    let path = files.path().join("broker.conf");
    fs::write(&path, "max_payload: 32KB\n").unwrap();
    let broker = Broker::start(&["-js", "-c", path.to_str().unwrap()]);
    let (url, folder) = (broker.url(), Folder::new());
    let team = client_team("Ada", "glouton");
    let teams = ["--equipe", &team, "--equipe", "ia:prudent"];
    let start = |base: &str, turns: &str, teams: &[&str]| {
        let game = ["jouer", base, "--nats", &url, "--carte", MAP, "--manches", "1"];
        let turns = ["--duree", turns];
        folder.command(&[&game[..], &turns, teams].concat()).spawn().unwrap()
    };
    let coordinator = start("short.sqlite", "5", &teams);
    let worker = folder.run(&["ouvrier", &url, "--une-fois"]);
    assert!(worker.status.success(), "{worker:?}");
    let coordinator = coordinator.wait_with_output().unwrap();
    assert!(coordinator.status.success(), "{coordinator:?}");
    assert_eq!(folder.outcomes("short.sqlite").len(), 4);

    let coordinator = start("long.sqlite", "10000", &["--equipe", "ia:aleatoire"]);
    let worker = folder.run(&["ouvrier", &url, "--une-fois"]);
    let coordinator = coordinator.wait_with_output().unwrap();
    assert_eq!(coordinator.status.code(), Some(1), "{coordinator:?}");
    for output in [worker, coordinator] {
        let said = said(&output);
        assert!(said.contains("at most 32768 bytes") && said.contains("`max_payload`"), "{said}");
    }
    assert!(folder.outcomes("long.sqlite").is_empty());
}
