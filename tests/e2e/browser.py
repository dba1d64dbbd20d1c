# SPDX-License-Identifier: GPL-2.0-or-later
#
# browser.py - a headless Chromium, by the W3C WebDriver protocol
#
# chromedriver is started on a port of its own choice and ended with what it
# started; every profile lies in the test's scratch folder.

import atexit
import base64
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import time

from stand import SCRATCH

PATIENCE = 60  # a browser on a busy machine


def is_there():
    return bool(shutil.which("chromedriver") and shutil.which("chromium"))


class Browser:
    """One window of a Chromium; use it with "with"."""

    n = 0

    def __init__(self, width=1440, height=900):
        Browser.n += 1
        log = os.path.join(SCRATCH, f"chromedriver-{Browser.n}")
        home = os.path.join(SCRATCH, f"profile-{Browser.n}")
        with open(log, "wb") as out:
            self.driver = subprocess.Popen(
                ["chromedriver", "--port=0"], stdin=subprocess.DEVNULL,
                stdout=out, stderr=out, start_new_session=True,
                env=dict(os.environ, HOME=SCRATCH))
        self.session = None
        atexit.register(self.close)
        self.port = self._port(log)
        args = ["--headless=new", "--no-sandbox", "--disable-gpu",
                "--disable-dev-shm-usage", "--no-first-run",
                "--disable-background-networking", "--disable-extensions",
                f"--user-data-dir={home}", f"--window-size={width},{height}"]
        options = {"args": args, "binary": shutil.which("chromium")}
        made = self._ask("POST", "/session", {"capabilities": {
            "alwaysMatch": {"browserName": "chrome",
                            "goog:loggingPrefs": {"browser": "ALL"},
                            "goog:chromeOptions": options}}})
        self.session = "/session/" + made["sessionId"]

    def _port(self, log):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with open(log, errors="replace") as file:
                found = re.search(r"successfully on port (\d+)",
                                  file.read())
            if found:
                return int(found[1])
            time.sleep(0.05)
        raise RuntimeError("chromedriver does not start")

    def _ask(self, method, path, body=None):
        link = http.client.HTTPConnection("127.0.0.1", self.port,
                                          timeout=PATIENCE)
        try:
            link.request(method, path,
                         None if body is None else json.dumps(body),
                         {"Content-Type": "application/json"})
            value = json.loads(link.getresponse().read())["value"]
        finally:
            link.close()
        if isinstance(value, dict) and value.get("error"):
            raise RuntimeError(f"{value['error']}: {value['message'][:300]}")
        return value

    def go(self, url):
        self._ask("POST", self.session + "/url", {"url": url})

    def reload(self):
        self._ask("POST", self.session + "/refresh", {})

    def run(self, script, *args):
        """What a script of the page returns."""
        return self._ask("POST", self.session + "/execute/sync",
                         {"script": script, "args": list(args)})

    def run_async(self, script, *args):
        """The same for one that calls its last argument with the answer."""
        return self._ask("POST", self.session + "/execute/async",
                         {"script": script, "args": list(args)})

    def find(self, css):
        found = self._ask("POST", self.session + "/element",
                          {"using": "css selector", "value": css})
        return self.session + "/element/" + next(iter(found.values()))

    def click(self, css):
        self._ask("POST", self.find(css) + "/click", {})

    def type(self, css, text):
        self._ask("POST", self.find(css) + "/value", {"text": text})

    def text(self, css):
        return self._ask("GET", self.find(css) + "/text")

    def size(self, width, height):
        self._ask("POST", self.session + "/window/rect",
                  {"width": width, "height": height})

    def picture(self, path, whole=False):
        """Save what is seen, or the @whole page, as a PNG."""
        if whole:
            data = self.devtools("Page.captureScreenshot",
                                 captureBeyondViewport=True)["data"]
        else:
            data = self._ask("GET", self.session + "/screenshot")
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def devtools(self, command, **params):
        return self._ask("POST", self.session + "/goog/cdp/execute",
                         {"cmd": command, "params": params})

    def complaints(self):
        """Errors that the page's console has had since the last call."""
        return [entry["message"] for entry in
                self._ask("POST", self.session + "/se/log",
                          {"type": "browser"})
                if entry["level"] == "SEVERE"]

    def new_tab(self):
        """Open another page and go on there."""
        made = self._ask("POST", self.session + "/window/new",
                         {"type": "tab"})
        self._ask("POST", self.session + "/window",
                  {"handle": made["handle"]})

    def close(self):
        """End it; once is enough."""
        atexit.unregister(self.close)
        if self.driver.poll() is not None:
            return
        try:
            if self.session:
                self._ask("DELETE", self.session)
        except (OSError, RuntimeError, ValueError):
            pass  # it is ended below
        # the driver and the browser are a process group of their own
        os.killpg(self.driver.pid, signal.SIGKILL)
        self.driver.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
