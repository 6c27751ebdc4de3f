#!/usr/bin/env python3
"""The page of a report in Chromium: does it open, can one search, walk and cross over in it, how large is it and how long does it take.

usage: report_browser_test.py BIN [--screenshots DIR]      BIN: folder of the programs
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from browser import Browser  # noqa: E402  (before what it may have to start again)
from wire_models import Onnx, floats  # noqa: E402

from report_test import HOSTILE, if_network, onnx_network  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

BIN = SCREENSHOTS = ""
PANE = "document.querySelectorAll('.pane')[arguments[0]]"


def network(blocks):
    """Residual blocks of seven nodes, as many as it takes."""
    nodes, last = [], "x"
    for i in range(blocks):
        chain = [("MatMul", [last, "w"]), ("Add", ["MatMul", "b"]), ("Relu", ["Add"]), ("MatMul", ["Relu", "w"]), ("Tanh", ["MatMul_1"]), ("Add", ["Tanh", last]), ("Sigmoid", ["Add_1"])]
        made = []
        for op, inputs in chain:
            name = op if op not in made else f"{op}_1"
            made.append(name)
            nodes.append(Onnx.node(op, [each if each in (last, "w", "b") else f"block{i}/{each}" for each in inputs], [f"block{i}/{name}"], f"block{i}/{name}"))
        last = f"block{i}/{made[-1]}"
    tensors = [Onnx.tensor("w", [8, 8], floats(*[0.01 * i for i in range(64)])), Onnx.tensor("b", [8], floats(*range(8)))]
    return Onnx.model(Onnx.graph(nodes, [Onnx.value("x", (1, 8))], [Onnx.output(last)], tensors))


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.browser = Browser()
        cls.write("small.onnx", onnx_network())
        cls.report("small.html", "small.onnx", "--silent", "--output_dir", cls.folder.name, "--verify", "--compress_to_fp16")

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    @classmethod
    def write(cls, name, content):
        Path(cls.path(name)).write_bytes(content)

    @classmethod
    def report(cls, page, *words):
        subprocess.run([os.path.join(BIN, "mo"), *words, "--report", page], cwd=cls.folder.name, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, timeout=600)
        return os.path.getsize(cls.path(page))

    def setUp(self):
        self.browser.driver.get("about:blank")
        self.browser.complaints(), self.browser.requests()
        self.opened = []

    def open(self, page):
        seconds = self.browser.open(self.path(page))
        self.opened.append(f"file://{self.path(page)}")
        return seconds

    def tearDown(self):
        """Nothing was complained about, and nothing was asked for but the pages themselves."""
        self.assertEqual(self.browser.complaints(), [])
        others = [url for url in self.browser.requests() if not url.startswith(("data:", "about:", *self.opened))]
        self.assertEqual(others, [])

    # -- what a user does --
    def pane(self, i, code):
        return self.browser.js(f"const pane = {PANE}; return {code}", i)

    def selected(self, i):
        """Op and name of the selected node."""
        return self.pane(i, "[pane.querySelector('.details h4')?.innerText, pane.querySelector('.node.selected .op')?.textContent]")

    def click_node(self, i, name):
        self.browser.js(f"const nodes = [...{PANE}.querySelectorAll('.node')];"
                        "nodes.find((node) => node.querySelector('.name')?.textContent === arguments[1]).dispatchEvent(new MouseEvent('click', {bubbles: true}))", i, name)

    def press(self, *keys):
        for key in keys:
            self.browser.driver.switch_to.active_element.send_keys(key)

    def wait_for(self, what, seconds=10):
        start = time.monotonic()
        while not what() and time.monotonic() - start < seconds:
            time.sleep(0.02)
        self.assertTrue(what())

    def screenshot(self, name):
        if SCREENSHOTS:
            self.browser.screenshot(os.path.join(SCREENSHOTS, f"{name}.png"))

    def scroll_to(self, part):
        self.browser.js("document.getElementById(arguments[0]).scrollIntoView()", part)

    def set_theme(self, theme):
        for _ in range(3):
            if theme in self.browser.js("return document.querySelector('button.theme').textContent"):
                return
            self.browser.js("document.querySelector('button.theme').click()")

    def background(self):
        return self.browser.js("return getComputedStyle(document.body).backgroundColor")

    # -- tests --
    def test_a_picture_is_searched_moved_and_enlarged(self):
        subprocess.run([os.path.join(BIN, "mo"), "draw", self.path("small.onnx"), "-o", self.path("picture.html")], check=True, timeout=600)
        self.open("picture.html")
        box = lambda: [float(number) for number in self.browser.js("return document.querySelector('svg').getAttribute('viewBox')").split()]
        count = lambda: self.browser.js("return document.getElementById('count').textContent")
        whole = box()
        self.browser.js("document.body.focus()")
        self.press("+")
        self.assertAlmostEqual(box()[2], whole[2] * 0.8, delta=0.1)
        self.press("0")
        self.assertEqual(box(), whole)
        self.press("/", *"relu", Keys.ENTER)
        found = self.browser.js("return document.querySelectorAll('g.node.found').length")
        self.assertGreater(found, 0)
        self.assertEqual(count(), f"1 of {found}")
        self.assertEqual(self.browser.js("return [...document.querySelectorAll('g.node.found')].every((node) => node.textContent.toLowerCase().includes('relu'))"), True)
        place = self.browser.js("const r = document.querySelector('g.current').getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]")
        self.assertTrue(place[0] >= 0 and place[1] >= 0 and place[2] <= 1600 and place[3] <= 1200, place)
        self.browser.js("""const svg = document.querySelector('svg'); const send = (kind, x) => svg.dispatchEvent(new PointerEvent(kind, {clientX: x, clientY: 300, pointerId: 1}));
                           svg.setPointerCapture = () => {}; send('pointerdown', 300); send('pointermove', 400); send('pointerup', 400);""")
        self.assertLess(box()[0], whole[0] + whole[2])
        before = box()
        self.browser.js("document.querySelector('svg').dispatchEvent(new WheelEvent('wheel', {deltaY: -300, clientX: 300, clientY: 300, cancelable: true}))")
        self.assertLess(box()[2], before[2])
        self.screenshot("picture")

    def test_every_part_is_there(self):
        self.open("small.html")
        self.assertEqual(self.browser.js("return [...document.querySelectorAll('h2')].map((each) => each.textContent)"),
                         ["Result", "Verification", "Graphs", "Model", "Fusions", "Transposes that stayed", "Constants", "Time and memory"])
        self.assertEqual(self.browser.js("return document.title"), "small – mo report")
        text = self.browser.js("return document.body.innerText")
        for each in ("Remedy: keep the model in f32 if its results suffer", "LinearOperationFusion", "the model has it (Transpose 'turn')", "Different", "The first layer with other numbers", "Clipped to the range of 16 bits"):
            self.assertIn(each, text)
        self.assertEqual(self.browser.js("return document.querySelectorAll('.stack, .memory').length"), 2)
        verdicts = self.browser.js("return [...document.querySelectorAll('.verdict')].map((each) => [each.textContent, each.getBoundingClientRect().bottom < innerHeight])")
        self.assertEqual(verdicts, [["Converted", True], ["Different", True]], "the verdict is seen at once")
        ends = self.browser.js("return [...document.querySelectorAll('#model tbody b')].slice(0, 2).map((each) => each.textContent)")
        self.assertEqual(ends, ["x", "y"], "the model's own names")

    def test_click_through_both_ways(self):
        self.open("small.html")
        self.click_node(0, "norm")
        self.assertEqual(self.selected(0)[0], "BatchNormalization norm")
        self.assertIn("Convolution", self.pane(1, "[...pane.querySelectorAll('.node.linked .op')].map((each) => each.textContent).join()"))
        self.click_node(1, "exp")
        self.assertEqual([self.selected(0)[1], self.selected(1)[1]], ["Exp", "Exp"])
        self.assertEqual(self.pane(1, "[...pane.querySelectorAll('dt')].map((each) => each.textContent).slice(0, 2)"), ["stands for", "type"])
        # From a table to the layer.
        self.browser.js("document.querySelector('#fusions button.link').click()")
        self.assertIn("Convolution", self.selected(1)[1])
        self.assertIn(self.selected(0)[1], ("Conv", "BatchNormalization"))
        # And on, by the links of the details.
        self.pane(1, "[...pane.querySelectorAll('dd')].at(0).querySelector('button').click()")
        self.assertTrue(self.pane(0, "pane.classList.contains('active')"))

    def test_a_pass_says_what_it_does(self):
        nodes = [Onnx.node("Sigmoid", ["x"], ["s"], "gate"), Onnx.node("Mul", ["x", "s"], ["y"], "product")]
        self.write("swish.onnx", Onnx.model(Onnx.graph(nodes, [Onnx.value("x")], [Onnx.output("y")])))
        self.report("swish.html", "swish.onnx", "--silent", "--output_dir", self.folder.name)
        self.open("swish.html")
        said = lambda: self.browser.js("const said = document.querySelector('#fusions .said'); return [said.hidden, said.textContent]")
        self.assertEqual(said(), [True, ""])
        self.browser.js("[...document.querySelectorAll('#fusions button.chip')].find((each) => each.textContent === 'SwishFusion').click()")
        self.assertEqual(said()[0], False)
        self.assertIn(" becomes Swish", said()[1])

    def test_what_can_be_copied(self):
        self.write("custom.onnx", Onnx.model(Onnx.graph([Onnx.node("MyOp", ["x"], ["y"], "mine")], [Onnx.value("x")], [Onnx.output("y")])))
        self.report("failed.html", "custom.onnx", "--silent", "--output_dir", self.folder.name)
        self.open("failed.html")
        self.assertEqual(self.browser.js("return document.querySelector('.verdict').textContent"), "Failed")
        self.assertEqual(self.browser.js("return [...document.querySelectorAll('.code code')].map((each) => each.textContent)"), ['{"framework": "onnx", "op": "MyOp", "outputs": ["in0"]}'])
        self.assertLess(self.browser.js("return document.querySelector('.code').getBoundingClientRect().bottom"), 900)
        self.screenshot("failed")

    def test_full_screen_and_one_graph(self):
        self.open("small.html")
        height = lambda: self.pane(1, "pane.querySelector('.drawing').getBoundingClientRect().height")
        before = height()
        self.press("f")
        self.assertGreater(height(), before * 1.2)
        self.screenshot("small_full")
        self.browser.js("[...document.querySelectorAll('.views button')].find((each) => each.textContent === 'IR').click()")
        self.assertEqual([self.pane(i, "pane.getBoundingClientRect().width > 0") for i in (0, 1)], [False, True])
        self.screenshot("small_full_ir")
        self.click_node(1, "exp")
        self.press(Keys.ESCAPE)
        self.assertEqual(self.selected(1)[0], None)
        self.press(Keys.ESCAPE)
        self.assertEqual(self.browser.js("return document.documentElement.className"), "")

    def test_colours_and_legend(self):
        self.open("small.html")
        self.assertEqual(self.browser.js("return [...document.querySelectorAll('.kinds li')].map((each) => each.textContent)"),
                         ["compute", "normalization", "activation", "arithmetic", "shape and order", "inputs and outputs", "constant"])
        fill = lambda op: self.browser.js("const nodes = [...document.querySelectorAll('.node')].filter((node) => node.querySelector('.op').textContent === arguments[0]);"
                                          "return [...new Set(nodes.map((node) => getComputedStyle(node.querySelector('rect')).fill))]", op)
        self.assertEqual(fill("Conv"), fill("Convolution.v1"))
        self.assertEqual(len({*fill("Conv"), *fill("Relu"), *fill("Transpose"), *fill("Exp")}), 4)
        shapes = self.pane(1, "[...pane.querySelectorAll('.shape')].map((each) => each.textContent)")
        self.assertIn("1×4×2×4", shapes)

    def test_groups_by_modules(self):
        self.write("blocks.onnx", network(60))
        self.report("blocks.html", "blocks.onnx", "--silent", "--output_dir", self.folder.name)
        self.open("blocks.html")
        titles = lambda: self.pane(0, "[...pane.querySelectorAll('.node.group .op')].map((each) => each.textContent)")
        self.assertEqual(titles(), [f"block{i}" for i in range(60)])
        self.assertEqual(self.pane(0, "pane.querySelector('.node.group .name').textContent"), "+ 7 nodes")
        self.screenshot("blocks_closed")
        self.browser.js(f"[...{PANE}.querySelectorAll('.node.group')][3].dispatchEvent(new MouseEvent('click', {{bubbles: true}}))", 0)
        self.assertEqual((len(titles()), self.pane(0, "[...pane.querySelectorAll('.frame > text')].map((each) => each.textContent)")), (59, ["− block3"]))
        self.assertEqual(self.pane(0, "[...pane.querySelectorAll('.node:not(.group) .name')].map((each) => each.textContent)"),
                         ["x", "MatMul", "Add", "Relu", "MatMul_1", "Tanh", "Add_1", "Sigmoid"])
        self.screenshot("blocks_open")
        # A box that is in a frame lies inside of it.
        self.assertTrue(self.pane(0, "(() => { const frame = pane.querySelector('.frame rect').getBoundingClientRect(), box = [...pane.querySelectorAll('.node:not(.group)')].find((node) => node.querySelector('.name').textContent === 'Tanh').getBoundingClientRect();"
                                     "return frame.left <= box.left && box.right <= frame.right && frame.top <= box.top && box.bottom <= frame.bottom; })()"))
        self.pane(0, "pane.querySelector('.frame > text').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
        self.assertEqual(len(titles()), 60)
        # A node that is found is seen, whatever group it is in.
        self.press("/", "block41/tanh", Keys.ENTER)
        self.assertEqual(self.selected(0), ["Tanh block41/Tanh", "Tanh"])
        self.assertTrue(self.pane(1, "pane.querySelectorAll('.node.linked').length > 0"))

    def test_constants_are_found_and_named_hidden(self):
        self.open("small.html")
        self.press("/", "large")
        note = lambda: self.pane(0, "pane.querySelector('.hidden-found').textContent")
        self.wait_for(lambda: "hidden" in note())
        self.assertEqual(self.pane(0, "pane.querySelectorAll('.item').length"), 0)
        self.pane(0, "pane.querySelector('.toolbar input').click()")
        self.assertEqual((note(), self.pane(0, "pane.querySelectorAll('.item').length")), ("", 1))

    def test_into_bodies_and_out(self):
        self.write("if.onnx", if_network())
        self.report("if.html", "if.onnx", "--silent", "--output_dir", self.folder.name)
        self.open("if.html")
        self.click_node(1, "y")
        self.pane(1, "[...pane.querySelectorAll('.details button')].find((each) => each.textContent === \"If 'y', body 1\").click()")
        self.assertIn("Exp", self.pane(1, "[...pane.querySelectorAll('.node .op')].map((each) => each.textContent)"))
        self.click_node(1, "inner_Exp")
        self.assertEqual(self.selected(0)[0], "Exp inner_Exp")
        self.pane(1, "[...pane.querySelectorAll('.details button')].find((each) => each.textContent === \"If 'y', body 1\").click()")
        self.assertEqual(self.selected(1)[1], "If.v8")
        self.click_node(0, "choice")
        self.assertIn("If 'choice', body 0", self.pane(0, "pane.querySelector('.details').innerText"))

    def test_search(self):
        self.open("small.html")
        items = lambda: self.pane(0, "pane.querySelectorAll('.item').length")
        self.press("/", "relu")
        self.wait_for(lambda: items() == 1)
        self.assertEqual(self.pane(0, "[...pane.querySelectorAll('.item')].map((each) => each.innerText.trim().split(/\\s+/).join(' '))"), ["Relu relu"])
        self.assertEqual(self.pane(0, "pane.querySelector('header .note').textContent"), f"1 of {self.pane(0, 'pane.querySelector(`header .note`).textContent').split()[-2]} nodes")
        self.press(Keys.ENTER)
        self.assertEqual([self.selected(0)[0], self.selected(1)[1]], ["Relu relu", "ReLU"])
        self.press("/", Keys.CONTROL + "a")
        self.press("no such node")
        self.wait_for(lambda: items() == 0)
        self.press(Keys.ESCAPE)
        self.wait_for(lambda: items() > 5)
        self.press(Keys.ESCAPE)
        self.assertEqual(self.browser.js("return document.activeElement.tagName"), "BODY")

    def test_keys(self):
        self.open("small.html")
        self.press("/", "norm", Keys.ARROW_DOWN)
        self.assertEqual(self.selected(0)[0], "BatchNormalization norm")
        self.press(Keys.ENTER)
        self.assertTrue(self.pane(1, "pane.classList.contains('active')"))
        self.assertIn("Convolution", self.selected(1)[1])
        self.press(Keys.ARROW_DOWN)
        self.assertEqual(self.selected(1)[1], "Add.v1")
        self.press(Keys.ARROW_DOWN)
        self.assertEqual([self.selected(1)[1], self.selected(0)[1]], ["ReLU", "Relu"])
        self.press(Keys.ARROW_UP)
        self.assertEqual(self.selected(1)[1], "Add.v1")
        self.press(Keys.ESCAPE)
        self.assertEqual([self.selected(0)[0], self.selected(1)[0]], [None, None])

    def test_themes(self):
        self.open("small.html")
        for scheme in ("dark", "light"):
            self.browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            self.set_theme("auto")
            self.wait_for(lambda: self.browser.js("return document.documentElement.dataset.theme") == scheme)
            followed = self.background()
            self.set_theme(scheme)
            self.assertEqual(self.background(), followed)
        dark, light = (self.set_theme("dark"), self.background())[1], (self.set_theme("light"), self.background())[1]
        self.assertNotEqual(dark, light)
        self.press("t")
        self.assertEqual(self.background(), dark)
        self.browser.open(self.path("small.html"))
        self.assertEqual(self.background(), dark, "the choice is kept")
        self.set_theme("auto")

    def test_screenshots(self):
        self.open("small.html")
        for theme in ("light", "dark"):
            self.set_theme(theme)
            self.browser.js("scrollTo(0, 0)")
            self.screenshot(f"small_{theme}_top")
            self.scroll_to("fusions")
            self.screenshot(f"small_{theme}_tables")
            self.scroll_to("time")
            self.screenshot(f"small_{theme}_time")
            self.click_node(1, "exp")
            self.scroll_to("graphs")
            self.screenshot(f"small_{theme}_graphs")
        self.set_theme("auto")

    def test_print(self):
        self.open("small.html")
        self.set_theme("dark")
        self.browser.command("Emulation.setEmulatedMedia", media="print")
        self.assertEqual(self.background(), "rgb(255, 255, 255)")
        self.assertEqual(self.browser.js("return ['nav', '.list', 'button.theme', '.toolbar'].map((each) => getComputedStyle(document.querySelector(each)).display)"), ["none"] * 4)
        self.browser.js("scrollTo(0, 0)")
        self.screenshot("small_print")
        pdf = self.browser.command("Page.printToPDF", printBackground=True)["data"]
        self.assertGreater(len(pdf), 50_000)
        self.browser.command("Emulation.setEmulatedMedia", media="")
        self.set_theme("auto")

    def test_names_of_models_are_not_executed(self):
        nodes, last = [], "x"
        for i, name in enumerate(HOSTILE):
            nodes.append(Onnx.node("Relu" if i % 2 else "Exp", [last], [f"{name} {i}"], name))
            last = f"{name} {i}"
        self.write("hostile.onnx", Onnx.model(Onnx.graph(nodes, [Onnx.value("x")], [Onnx.output(last)])))
        self.report("hostile.html", "hostile.onnx", "--silent", "--output_dir", self.folder.name, "--model_name", "<b>bold<b>")
        self.open("hostile.html")
        self.assertEqual(self.browser.js("return document.querySelectorAll('img, main script, main b b').length"), 0)
        self.assertEqual(self.browser.js("return document.querySelector('h1').textContent"), "<b>bold<b>")
        listed = self.pane(0, "[...pane.querySelectorAll('.item .name')].map((each) => each.textContent)")
        self.assertIn(HOSTILE[0], listed)

    def test_verification_and_comparison(self):
        text = Path(self.path("small.xml")).read_text()
        self.write("bad.xml", text.replace('type="Exp"', 'type="Abs"').encode())
        self.report("verify.html", "verify", "small.onnx", "bad.xml", "--weights", "small.bin")
        self.open("verify.html")
        self.assertEqual(self.browser.js("return document.querySelector('.verdict').textContent"), "Different")
        self.browser.js("document.querySelector('#verification dd button').click()")
        self.assertEqual([self.selected(0)[1], self.selected(1)[1]], ["Exp", "Abs"])
        self.assertEqual(self.pane(1, "pane.querySelectorAll('.node.wrong').length"), 1)
        self.screenshot("verification")
        os.replace(self.path("small.bin"), self.path("bad.bin"))
        os.link(self.path("bad.bin"), self.path("small.bin"))
        self.report("diff.html", "diff", "small.xml", "bad.xml")
        self.open("diff.html")
        self.assertIn("Exp.v0", self.browser.js("return document.querySelector('#changes').innerText"))
        self.assertEqual(self.pane(0, "pane.querySelectorAll('.node.changed').length"), 1)

    def test_20_000_nodes(self):
        self.write("large.onnx", network(2858))
        size = self.report("large.html", "large.onnx", "--silent", "--output_dir", self.folder.name)
        seconds = self.open("large.html")
        self.print_times("20 000 nodes", size, seconds)
        self.assertLess(size, 1_000_000)
        self.assertLessEqual(self.pane(0, "pane.querySelectorAll('.node').length"), 150)
        self.press("/", "block1400/tanh", Keys.ENTER)
        self.assertEqual([self.selected(0)[0], self.selected(1)[0]], ["Tanh block1400/Tanh"] * 2)
        self.assertEqual(self.pane(0, "[...pane.querySelectorAll('.frame > text')].at(-1).textContent"), "− block1400")
        for theme in ("light", "dark"):
            self.set_theme(theme)
            self.scroll_to("graphs")
            self.screenshot(f"large_{theme}_graphs")
            self.scroll_to("result")
            self.screenshot(f"large_{theme}_top")
        self.set_theme("auto")

    def test_a_million_nodes(self):
        subprocess.run([os.path.join(BIN, "mo_generate"), "chain", self.path("million.onnx"), "--nodes", "1000000"], check=True, stdout=subprocess.DEVNULL)
        size = self.report("million.html", "million.onnx", "--silent", "--output_dir", self.folder.name)
        for name in ("million.onnx", "million.xml", "million.bin"):
            os.unlink(self.path(name))
        seconds = self.open("million.html")
        self.print_times("1 000 000 nodes", size, seconds)
        self.assertLess(size, 20_000_000)
        start = time.monotonic()
        self.press("/", "_654321")
        self.wait_for(lambda: self.pane(0, "pane.querySelectorAll('.item').length") == 1)
        self.press(Keys.ENTER)
        self.assertEqual(self.selected(0)[0].split("_")[-1], "654321")
        self.assertEqual(self.selected(1)[0].split("_")[-1], "654321")
        self.assertLess(self.pane(0, "pane.querySelectorAll('.item').length"), 20)
        self.scroll_to("graphs")
        self.screenshot("million_graphs")
        self.assertLess(time.monotonic() - start, 20)

    def print_times(self, what, size, seconds):
        paint = self.browser.js("return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN")
        print(f"{what}: page {size / 1e6:.2f} MB, first paint after {paint / 1000:.2f} s, ready after {seconds:.2f} s", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("--screenshots", default="", help="folder for pictures of the pages")
    options, rest = parser.parse_known_args()
    BIN, SCREENSHOTS = os.path.abspath(options.bin), options.screenshots and os.path.abspath(options.screenshots)
    if SCREENSHOTS:
        os.makedirs(SCREENSHOTS, exist_ok=True)
    unittest.main(argv=[sys.argv[0], *rest])
