//! A browser that shows a page, for the tests of pages in several crates.
#![allow(dead_code, reason = "not every crate opens pages in every way")]

use std::ffi::OsStr;
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use std::{fs, thread};

use headless_chrome::protocol::cdp::Emulation::{
    MediaFeature, SetDeviceMetricsOverride, SetEmulatedMedia,
};
use headless_chrome::protocol::cdp::Runtime::RemoteObjectSubtype;
use headless_chrome::protocol::cdp::types::Event;
use headless_chrome::{Browser, LaunchOptions, Tab};
use serde_json::Value;
use tempfile::TempDir;

/// Number of times that a page is asked whether a condition holds: for 90 s, if it answers at once.
const QUESTIONS: u32 = 4500;

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

    /// Waits until a condition holds in the page, or its promise does. The page is asked a number of times, not for a time: on a
    /// loaded machine, its answers take longer as its work does.
    pub(crate) fn wait(&self, condition: &str) {
        for _ in 0..QUESTIONS {
            if self.evaluate(&format!("Promise.resolve({condition}).then(Boolean)")) == true {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        let shown = self.evaluate("document.body.innerText");
        panic!("{condition}: {:?}; the page shows {shown}", self.complaints.lock().unwrap());
    }

    pub(crate) fn press(&self, key: &str) {
        self.tab.press_key(key).unwrap();
    }

    pub(crate) fn check_no_complaints(&self) {
        assert_eq!(*self.complaints.lock().unwrap(), Vec::<String>::new());
    }

    /// Checks the accessibility of the page with axe-core: contrast, names, order of headings.
    pub(crate) fn check_access(&self) {
        static AXE: OnceLock<String> = OnceLock::new();
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/axe.sh");
        let output = || Command::new(script).output().unwrap().stdout;
        let axe = AXE.get_or_init(|| String::from_utf8(output()).unwrap());
        // The library, whose half a megabyte is read once for each page, and its call.
        let call = &axe[axe.rfind("axe.run(").unwrap()..];
        let found = self.evaluate(&format!("typeof axe === 'undefined' ? null : {call}"));
        let found = if found.is_null() { self.evaluate(axe) } else { found };
        assert_eq!(found, "[]");
    }

    /// Checks that the page is no wider than its window.
    pub(crate) fn check_width(&self) {
        let more = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        assert_eq!(self.evaluate(more), 0, "it scrolls sideways");
    }

    /// Checks that what can be touched is large enough for fingers.
    pub(crate) fn check_targets(&self) {
        let small =
            "JSON.stringify(Array.from(document.querySelectorAll('button, a, input, summary'))
            .filter((one) => one.checkVisibility())
            .map((one) => [one, one.getBoundingClientRect()])
            .filter(([, { width, height }]) => width > 1 && (height < 44 || width < 44))
            .map(([one, { width, height }]) => `${one.outerHTML} ${width} ${height}`))";
        assert_eq!(self.evaluate(small), "[]");
    }

    /// Checks that names are whole or cut at a word: none is wider than its place, or its first word is not.
    pub(crate) fn check_names(&self) {
        let cut = "JSON.stringify(Array.from(document.querySelectorAll('.name'))
            .filter((one) => one.checkVisibility() && one.firstChild)
            .filter((one) => {
                const range = document.createRange();
                range.selectNodeContents(one.firstChild);
                const isShort = one.textContent.length <= 12;
                const isCut = one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1;
                return isCut && getComputedStyle(one).overflow === 'hidden'
                    && (isShort || range.getBoundingClientRect().right > one.getBoundingClientRect().right);
            })
            .map((one) => `${one.textContent} ${one.scrollWidth} ${one.clientWidth} ${one.scrollHeight} ${one.clientHeight}`))";
        assert_eq!(self.evaluate(cut), "[]");
    }

    /// Checks that letters are large: a fiftieth of the height of the screen, at least.
    pub(crate) fn check_is_read_from_afar(&self) {
        let small = "JSON.stringify(Array.from(document.querySelectorAll('body *'))
            .filter((one) => one.checkVisibility() && !one.closest('.top'))
            .filter((one) => one.matches('#track') || Array.from(one.childNodes).some((node) => node.nodeType === 3 && node.data.trim()))
            .filter((one) => parseFloat(getComputedStyle(one).fontSize) < 0.0199 * innerHeight)
            .map((one) => `${one.id} ${one.className} ${one.textContent}`))";
        assert_eq!(self.evaluate(small), "[]");
    }

    /// Shows the page on another screen.
    pub(crate) fn resize(&self, size: (u32, u32)) {
        self.tab.call_method(screen(size)).unwrap();
    }

    /// Switches the page to the dark colour scheme.
    pub(crate) fn darken(&self) {
        self.colour("dark");
    }

    /// Prefers `light` or `dark` colours.
    pub(crate) fn colour(&self, scheme: &str) {
        let (name, value) = ("prefers-color-scheme".to_owned(), scheme.to_owned());
        let features = Some(vec![MediaFeature { name, value }]);
        self.tab.call_method(SetEmulatedMedia { media: None, features }).unwrap();
    }
}

/// The colours of a screen, so that each language is seen in both.
pub(crate) fn scheme(language: &str, is_phone: bool) -> &'static str {
    if (language == "fr") == is_phone { "light" } else { "dark" }
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
        .window_size(Some((1280, 800)))
        .args(quiet.to_vec())
        .build()
        .unwrap();
    Browser::new(options).unwrap()
}
