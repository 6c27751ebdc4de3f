"""`import browser` goes on in a Python that has selenium, or ends the program as skipped: Debian's chromium, chromium-driver and python3-selenium."""
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time

DEBIAN_PYTHON = "/usr/bin/python3"
SKIPPED = 77  # what ctest takes for "not run"


def skip(what):
    print(f"skipped: {what}")
    sys.exit(SKIPPED)


def go_on_with_selenium():
    for program, package in (("chromium", "chromium"), ("chromedriver", "chromium-driver")):
        if shutil.which(program) is None:
            skip(f"there is no {program} (Debian: {package})")
    if importlib.util.find_spec("selenium"):
        return
    has_it = os.path.exists(DEBIAN_PYTHON) and subprocess.run([DEBIAN_PYTHON, "-c", "import selenium"], stderr=subprocess.DEVNULL, check=False).returncode == 0
    if not has_it or sys.executable == DEBIAN_PYTHON:
        skip("there is no Python with selenium (Debian: python3-selenium)")
    os.execv(DEBIAN_PYTHON, [DEBIAN_PYTHON, *sys.argv])


go_on_with_selenium()
from selenium import webdriver  # noqa: E402
from selenium.webdriver.chrome.options import Options  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402


class Browser:
    """Chromium without a window, with what it logs and asks the network for."""

    def __init__(self, width=1600, height=1200):
        options = Options()
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", f"--window-size={width},{height}"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)

    def quit(self):
        self.driver.quit()

    def js(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def command(self, name, **arguments):
        return self.driver.execute_cdp_cmd(name, arguments)

    def open(self, path, seconds=120):
        """Waits until the page says that it is ready; gives the seconds that took."""
        start = time.monotonic()
        self.driver.get(f"file://{os.path.abspath(path)}")
        while self.js("return document.documentElement.dataset.ready") != "yes":
            if time.monotonic() - start > seconds:
                raise TimeoutError(f"{path}: not ready after {seconds} s: {self.complaints()}")
            time.sleep(0.02)
        return time.monotonic() - start

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        events = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]

    def screenshot(self, path):
        time.sleep(0.3)
        self.driver.save_screenshot(path)
