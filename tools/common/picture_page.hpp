#pragma once

#include <string_view>

/// The page of a picture in one file: the drawing between its two halves, which a browser searches, moves and enlarges
/// without a network.
namespace mo::tools {

/// Before the title, between title and drawing, and after the drawing.
inline constexpr std::string_view kPicturePageHead = R"page(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>)page";

inline constexpr std::string_view kPicturePageMiddle = R"page(</title>
<style>
html, body { height: 100%; margin: 0; }
body { display: flex; flex-direction: column; font: 14px sans-serif; }
header { display: flex; gap: 0.5em; align-items: center; padding: 0.5em; border-bottom: 1px solid #ccc; }
#search { width: 20em; }
main { flex: 1; min-height: 0; overflow: hidden; cursor: grab; touch-action: none; }
main svg { display: block; width: 100%; height: 100%; }
g.found > :is(path, polygon, ellipse) { stroke: #d00000; stroke-width: 3; }
g.current > :is(path, polygon, ellipse) { stroke-width: 6; }
</style>
</head>
<body>
<header>
<input type="search" id="search" placeholder="Search nodes (/)" aria-label="Search nodes">
<output id="count"></output>
<button id="larger" title="Enlarge (+)">+</button>
<button id="smaller" title="Reduce (-)">&minus;</button>
<button id="all" title="Show all (0)">All</button>
</header>
<main>
)page";

inline constexpr std::string_view kPicturePageTail = R"page(</main>
<script>
"use strict";
const svg = document.querySelector("main svg");
const search = document.getElementById("search");
const count = document.getElementById("count");
const box = svg.viewBox.baseVal;
const all = [box.x, box.y, box.width, box.height];
svg.removeAttribute("width");
svg.removeAttribute("height");
const show = (x, y, width, height) => svg.setAttribute("viewBox", [x, y, width, height].join(" "));
const at = (x, y) => new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse());
const zoom = (factor, point) => {
  const fixed = point || { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  show(fixed.x + (box.x - fixed.x) * factor, fixed.y + (box.y - fixed.y) * factor, box.width * factor, box.height * factor);
};

svg.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoom(Math.exp(event.deltaY * 0.0015), at(event.clientX, event.clientY));
}, { passive: false });
let grabbed = null;
svg.addEventListener("pointerdown", (event) => {
  grabbed = at(event.clientX, event.clientY);
  svg.setPointerCapture(event.pointerId);
});
svg.addEventListener("pointermove", (event) => {
  if (!grabbed) return;
  const here = at(event.clientX, event.clientY);
  show(box.x + grabbed.x - here.x, box.y + grabbed.y - here.y, box.width, box.height);
});
for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, () => { grabbed = null; });

const nodes = [...svg.querySelectorAll("g.node")].map((node) => ({ node, text: node.textContent.toLowerCase() }));
let found = [];
let current = -1;
const go = (step) => {
  if (found.length === 0) return;
  if (current >= 0) found[current].classList.remove("current");
  current = (current + step + found.length) % found.length;
  found[current].classList.add("current");
  const place = found[current].getBoundingClientRect();
  const begin = at(place.left, place.top);
  const end = at(place.right, place.bottom);
  const width = Math.min(box.width, Math.max(8 * (end.x - begin.x), 600));
  const height = width * box.height / box.width;
  show((begin.x + end.x - width) / 2, (begin.y + end.y - height) / 2, width, height);
  count.textContent = `${current + 1} of ${found.length}`;
};
search.addEventListener("input", () => {
  for (const node of found) node.classList.remove("found", "current");
  const wanted = search.value.trim().toLowerCase();
  found = wanted ? nodes.filter((each) => each.text.includes(wanted)).map((each) => each.node) : [];
  for (const node of found) node.classList.add("found");
  current = -1;
  count.textContent = wanted ? `${found.length} found` : "";
});
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
});
const keys = { "+": () => zoom(0.8), "-": () => zoom(1.25), "0": () => show(...all) };
document.getElementById("larger").addEventListener("click", keys["+"]);
document.getElementById("smaller").addEventListener("click", keys["-"]);
document.getElementById("all").addEventListener("click", keys["0"]);
document.addEventListener("keydown", (event) => {
  if (event.target === search || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    event.preventDefault();
    search.focus();
  } else if (keys[event.key]) {
    keys[event.key]();
  }
});
document.documentElement.dataset.ready = "yes";
</script>
</body>
</html>
)page";

}  // namespace mo::tools
