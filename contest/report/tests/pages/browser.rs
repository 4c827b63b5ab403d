//! A browser that opens the pages of tournaments, for the tests.

#[path = "../../../../core/replay/tests/browser/mod.rs"]
mod shared;

use std::time::{Duration, Instant};

use headless_chrome::protocol::cdp::Emulation::{MediaFeature, SetEmulatedMedia};

pub(crate) use self::shared::Opened;
use self::shared::screen;

impl Opened {
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
}
