#!/usr/bin/env python3
"""Measures how many pictures a second the page draws of the board of a game, in Chromium on one core without a graphics card.

A game on plan1 plays for ten seconds at SPEED (8: 32 turns a second) on a screen of SIZE pixels (1440,900); FLAGS are added to
the page's address, as `&projector`. Programs come from the folder BUILT, or are built.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SPEED, SIZE, FLAGS = (os.environ.get(name, default) for name, default in [("SPEED", "8"), ("SIZE", "1440,900"), ("FLAGS", "")])
MEASURE = """<!doctype html><style>body { margin: 0 } iframe { border: 0; width: 100vw; height: 100vh }</style>
<iframe src="game.html?lang=en%s"></iframe>
<script>
onload = () => setTimeout(() => {
    const page = document.querySelector("iframe").contentDocument;
    for (let speed = 1; speed < %s; speed *= 2) page.querySelector("#faster").click();
    page.querySelector("#play").click();
    fetch("begun");
    const start = performance.now();
    let [pictures, last, longest] = [0, start, 0];
    // The board is cut to its frame once in each picture.
    const { CanvasRenderingContext2D } = document.querySelector("iframe").contentWindow;
    const { clip } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.clip = function (...all) {
        pictures += this.canvas.closest("#board") ? 1 : 0;
        clip.apply(this, all);
    };
    const count = (now) => {
        longest = Math.max(longest, now - last);
        last = now;
        const passed = (performance.now() - start) / 1000;
        if (passed < 10) return requestAnimationFrame(count);
        const turns = page.querySelector("#line").value;
        fetch(`measured?${pictures}&${passed}&${turns}&${longest}`);
    };
    requestAnimationFrame(count);
}, 2000);
</script>
"""

class Handler(SimpleHTTPRequestHandler):
    def do_GET(self):
        name, _, figures = self.path.partition("?")
        if name == "/begun":
            self.server.begun = processor_time()
        if name == "/measured":
            pictures, passed, turns, longest = map(float, figures.split("&"))
            spent = (processor_time() - self.server.begun) / pictures
            print(f"{pictures / passed:.1f} pictures a second, {turns / passed:.1f} turns a second, the longest picture took {longest:.0f} ms;"
                  f" a picture takes {1000 * spent:.1f} ms of the processor")
            done.set()
        super().do_GET()

    def log_message(self, *_):
        pass


def processor_time():
    """Seconds that the browser's processes have taken: a busy machine does not change it much."""
    spent = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == browser_session[0]:
            spent += int(fields[11]) + int(fields[12])
    return spent / os.sysconf("SC_CLK_TCK")


def show(folder):
    server = ThreadingHTTPServer(("127.0.0.1", 0), lambda *all: Handler(*all, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    names = [os.environ.get("CHROME"), "chromium", "chromium-browser", "google-chrome"]
    browser = next(filter(None, (shutil.which(name) for name in names if name)), None)
    if browser is None:
        raise SystemExit("error: no Chromium: install one, or set CHROME to its program")
    # A browser that runs as root has no sandbox.
    command = ["taskset", "-c", "0", browser, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile",
               f"--window-size={SIZE}", f"http://127.0.0.1:{server.server_port}/measure.html"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as running:
        browser_session.append(running.pid)
        if not done.wait(60):
            print("error: the browser has measured nothing in a minute")
        running.terminate()


done = threading.Event()
browser_session = []
if sys.argv[1:]:
    raise SystemExit("usage: scripts/fluidite.py")
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
    target = os.environ.get("CARGO_TARGET_DIR", ROOT / "target")
    recording = f"{folder}/game.rejeu"
    game = [ROOT / "scripts/partie.sh", "--enregistrer", recording, "--graine", "7", "--duree", "500", "--tempo", "1ms"]
    subprocess.run(game, env=os.environ | {"VIEWER": "0"}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    programs = os.environ.get("BUILT") or f"{target}/jeu"
    subprocess.run([f"{programs}/rejeu", "html", recording, f"{folder}/game.html"], stdout=subprocess.DEVNULL, check=True)
    Path(folder, "measure.html").write_text(MEASURE % (FLAGS, SPEED))
    show(folder)
