//! A browser that shows a page, for the tests of pages in several crates.
#![allow(dead_code, reason = "not every crate opens pages in every way")]

use std::ffi::OsStr;
use std::fs;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use headless_chrome::protocol::cdp::Emulation::SetDeviceMetricsOverride;
use headless_chrome::protocol::cdp::Runtime::RemoteObjectSubtype;
use headless_chrome::protocol::cdp::types::Event;
use headless_chrome::{Browser, LaunchOptions, Tab};
use serde_json::Value;
use tempfile::TempDir;

/// A page in a browser, with the browser's complaints.
pub(crate) struct Opened {
    pub(crate) tab: Arc<Tab>,
    pub(crate) complaints: Arc<Mutex<Vec<String>>>,
    _browser: Browser,
    /// The folder of the page's file, if it has one.
    _folder: Option<TempDir>,
}

impl Opened {
    /// Opens a page, on a screen of a size in pixels if one is given.
    pub(crate) fn at(address: &str, size: Option<(u32, u32)>) -> Self {
        let browser = browser();
        let tab = browser.new_tab().unwrap();
        tab.set_default_timeout(Duration::from_secs(20));
        tab.enable_runtime().unwrap().enable_log().unwrap();
        let complaints = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&complaints);
        let listener = move |event: &Event| match event {
            Event::RuntimeExceptionThrown(_)
            | Event::RuntimeConsoleAPICalled(_)
            | Event::LogEntryAdded(_)
            | Event::PageJavascriptDialogOpening(_) => {
                heard.lock().unwrap().push(format!("{event:?}"));
            }
            _ => {}
        };
        tab.add_event_listener(Arc::new(listener)).unwrap();
        if let Some(size) = size {
            tab.call_method(screen(size)).unwrap();
        }
        tab.navigate_to(address).unwrap();
        tab.wait_until_navigated().unwrap();
        Self { tab, complaints, _browser: browser, _folder: None }
    }

    /// Opens a page from disk; the `address` goes on after the name of the file.
    pub(crate) fn file(html: &str, address: &str, size: Option<(u32, u32)>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("page.html");
        fs::write(&file, html).unwrap();
        let opened = Self::at(&format!("file://{}{address}", file.display()), size);
        Self { _folder: Some(folder), ..opened }
    }

    /// Runs a script, and returns its result when its promise is settled; null for none.
    pub(crate) fn evaluate(&self, script: &str) -> Value {
        let result = self.tab.evaluate(script, true).unwrap();
        let is_error = matches!(result.subtype, Some(RemoteObjectSubtype::Error));
        assert!(!is_error, "{script}: {:?}", result.description);
        result.value.unwrap_or_default()
    }

    pub(crate) fn press(&self, key: &str) {
        self.tab.press_key(key).unwrap();
    }

    pub(crate) fn check_no_complaints(&self) {
        assert_eq!(*self.complaints.lock().unwrap(), Vec::<String>::new());
    }

    /// Checks the accessibility of the page with axe-core: contrast, names, order of headings.
    pub(crate) fn check_access(&self) {
        let axe =
            Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/axe.sh")).output();
        let violations = self.evaluate(std::str::from_utf8(&axe.unwrap().stdout).unwrap());
        assert_eq!(violations, "[]");
    }
}

/// The command that sets the size of the screen, which can be smaller than any window.
pub(crate) fn screen((width, height): (u32, u32)) -> SetDeviceMetricsOverride {
    SetDeviceMetricsOverride {
        width,
        height,
        device_scale_factor: 1.0,
        mobile: false,
        scale: None,
        screen_width: None,
        screen_height: None,
        position_x: None,
        position_y: None,
        dont_set_visible_size: None,
        screen_orientation: None,
        viewport: None,
        display_feature: None,
        device_posture: None,
    }
}

fn browser() -> Browser {
    let path = headless_chrome::browser::default_executable().unwrap_or_else(|_| {
        panic!(
            "these tests need a browser: install Debian's with `apt-get install chromium`, or set \
             CHROME to the program of another Chromium"
        )
    });
    let quiet = ["--disable-quic", "--disable-component-update", "--lang=en"].map(OsStr::new);
    let options = LaunchOptions::default_builder()
        .path(Some(path))
        // Tests may run as root, for which there is no sandbox.
        .sandbox(false)
        // On a busy machine, a page may answer nothing for minutes.
        .idle_browser_timeout(Duration::from_secs(600))
        .window_size(Some((1280, 800)))
        .args(quiet.to_vec())
        .build()
        .unwrap();
    Browser::new(options).unwrap()
}
