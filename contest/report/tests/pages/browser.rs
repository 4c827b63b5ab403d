//! A browser that opens the pages of tournaments, for the tests.

#[path = "../../../../core/replay/tests/browser/mod.rs"]
mod shared;

pub(crate) use self::shared::{Opened, scheme};

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
}
