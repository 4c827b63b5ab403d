//! A browser that shows a page.

use std::ffi::OsStr;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use headless_chrome::protocol::cdp::Emulation::{
    MediaFeature, SetDeviceMetricsOverride, SetEmulatedMedia,
};
use headless_chrome::protocol::cdp::types::Event;
use headless_chrome::{Browser, LaunchOptions, Tab};
use serde_json::Value;

/// A page in a browser, with the browser's complaints.
pub(crate) struct Opened {
    pub(crate) tab: Arc<Tab>,
    complaints: Arc<Mutex<Vec<String>>>,
    _browser: Browser,
}

impl Opened {
    /// Opens a page on a screen of a size in pixels.
    pub(crate) fn at(address: &str, size: (u32, u32)) -> Self {
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
        tab.call_method(screen(size)).unwrap();
        tab.navigate_to(address).unwrap();
        tab.wait_until_navigated().unwrap();
        Self { tab, complaints, _browser: browser }
    }

    /// Runs a script, and returns its result when its promise is settled.
    pub(crate) fn evaluate(&self, script: &str) -> Value {
        let result = self.tab.evaluate(script, true).unwrap();
        result.value.unwrap_or_default()
    }

    pub(crate) fn text(&self, selector: &str) -> String {
        let text = self.evaluate(&format!("document.querySelector({selector:?})?.textContent"));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Returns the texts of all elements that match a selector.
    pub(crate) fn texts(&self, selector: &str) -> Vec<String> {
        let script = format!(
            "JSON.stringify(Array.from(document.querySelectorAll({selector:?}), (one) => one.textContent))"
        );
        serde_json::from_str(self.evaluate(&script).as_str().unwrap()).unwrap()
    }

    pub(crate) fn count(&self, selector: &str) -> usize {
        self.texts(selector).len()
    }

    pub(crate) fn click(&self, selector: &str) {
        self.evaluate(&format!("document.querySelector({selector:?}).click()"));
    }

    pub(crate) fn press(&self, key: &str) {
        self.tab.press_key(key).unwrap();
    }

    /// Waits until a script returns true.
    pub(crate) fn wait(&self, script: &str) {
        let start = Instant::now();
        while self.evaluate(script) != true {
            let complaints = self.complaints.lock().unwrap();
            assert!(start.elapsed() < Duration::from_secs(30), "{script}: {complaints:?}");
            std::thread::yield_now();
        }
    }

    /// Checks that the page is no wider than its window.
    pub(crate) fn check_width(&self) {
        let more = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        assert_eq!(self.evaluate(more), 0, "it scrolls sideways");
    }

    /// Checks the accessibility of the page with axe-core: contrast, names, order of headings.
    pub(crate) fn check_access(&self) {
        let axe =
            Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/axe.sh")).output();
        let violations = self.evaluate(std::str::from_utf8(&axe.unwrap().stdout).unwrap());
        assert_eq!(violations, "[]");
    }

    /// Shows the page on another screen.
    pub(crate) fn resize(&self, size: (u32, u32)) {
        self.tab.call_method(screen(size)).unwrap();
    }

    /// Switches the page to the dark colour scheme.
    pub(crate) fn darken(&self) {
        let (name, value) = ("prefers-color-scheme".to_owned(), "dark".to_owned());
        let features = Some(vec![MediaFeature { name, value }]);
        self.tab.call_method(SetEmulatedMedia { media: None, features }).unwrap();
    }

    pub(crate) fn check_no_complaints(&self) {
        assert_eq!(*self.complaints.lock().unwrap(), Vec::<String>::new());
    }
}

/// The command that sets the size of the screen, which can be smaller than any window.
fn screen((width, height): (u32, u32)) -> SetDeviceMetricsOverride {
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
        .args(quiet.to_vec())
        .build()
        .unwrap();
    Browser::new(options).unwrap()
}
