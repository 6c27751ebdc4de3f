// Puts the page together.

const THEMES = ["auto", "light", "dark"];

// Where the browser keeps nothing for files, the choice holds as long as the page.
function stored(key, value) {
  try {
    if (value === undefined) return localStorage.getItem(key);
    localStorage.setItem(key, value);
  } catch {
    return null;
  }
  return value;
}
function themeButton() {
  let theme = stored("mo-report-theme") ?? "auto";
  const button = make("button.theme", { type: "button", title: "Light, dark, or as the system is ( t )" });
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    document.documentElement.dataset.theme = theme === "auto" ? (system.matches ? "dark" : "light") : theme;
    button.textContent = { auto: "◐ auto", light: "☀ light", dark: "☾ dark" }[theme];
  };
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    stored("mo-report-theme", theme);
    apply();
  });
  system.addEventListener("change", apply);
  apply();
  return button;
}

// The panes of both graphs, which know each other.
function makePanes(graphs, relations) {
  const panes = [];
  const state = { active: 0 };
  const back = graphs[1] ? graphs[1].links.reversed(graphs[0].rows) : null;
  graphs.forEach((graph, i) => {
    panes.push(new Pane(graph, {
      // Constants that were made for a node stand behind what computes it.
      linksOf: (row) => {
        const rows = i === 1 ? graph.links.of(row) : back ? back.of(row) : [];
        const isConstant = (other) => graphs[1 - i].isConstant(other);
        return [...[...rows].filter((other) => !isConstant(other)), ...[...rows].filter(isConstant)];
      },
      other: () => panes[1 - i],
      activate: (pane) => {
        state.active = panes.indexOf(pane);
        for (const each of panes) each.element.classList.toggle("active", each === pane);
      },
      relation: relations[i],
    }));
  });
  return { panes, state };
}

const KEYS = [["/", "search"], ["↑ ↓ ← →", "walk through the list or the drawing"], ["Enter", "to the counterpart in the other graph"], ["Esc", "clear the search, the selection; leave the full screen"], ["+ − 0", "scale the drawing"], ["f", "full screen"], ["t", "theme"]];

// The graphs with what belongs to all of them: which are shown, the full screen, the colours.
function graphsSection(report, panes) {
  const box = make(`div.panes.count${panes.length}`, {}, ...panes.map((pane) => pane.element));
  const block = section("graphs", panes.length > 1 ? "Graphs" : "Graph", panes.length > 1 ? `select a node to see what it is in the other graph${report.comparison ? "; yellow: changed, red: there is no such node in the other" : ""}` : "");
  const button = (text, title, act) => make("button", { type: "button", title, click: act }, text);
  const full = button("Full screen", "Only the graphs ( f )", () => {
    const isFull = document.documentElement.classList.toggle("full");
    full.textContent = isFull ? "Back" : "Full screen";
  });
  const views = panes.length > 1 ? [...panes.map((pane) => [pane.graph.title, [pane]]), ["Both", panes]].map(([title, shown]) => button(title, `Show ${title === "Both" ? "both graphs" : `only this graph: ${title}`}`, () => choose(title, shown))) : [];
  const choose = (title, shown) => {
    for (const pane of panes) pane.element.hidden = !shown.includes(pane);
    for (const view of views) view.setAttribute("aria-pressed", view.textContent === title);
    box.className = `panes count${shown.length}`;
    panes.forEach((pane) => pane.element.classList.toggle("active", pane === shown[0]));
    shown[0].activate(shown[0]);
  };
  if (views.length) choose("Both", panes);
  block.querySelector("header").append(make("div.views", {}, ...views, full));
  const keys = make("p.keys", {}, ...KEYS.flatMap(([key, what]) => [make("kbd", {}, key), ` ${what}  `]));
  block.append(legend(report.graphs.kinds), box, keys);
  return { block, full };
}
function legend(kinds) {
  return make("ul.legend.kinds", {}, ...kinds.map(({ name, hue }) => {
    const swatch = make(`span.swatch${hue < 0 ? ".grey" : ""}`);
    swatch.style.setProperty("--hue", hue);
    return make("li", {}, swatch, name === "end" ? "inputs and outputs" : name === "movement" ? "shape and order" : name === "control" ? "control flow" : name);
  }));
}

function listenToKeys({ panes, state }, theme, full) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target instanceof HTMLInputElement && event.target.type === "search";
    const pane = panes[state.active];
    if (event.key === "Escape" && pane) {
      if (typing) event.target.blur();
      else if (pane.selected < 0 && document.documentElement.classList.contains("full")) full.click();
      else pane.choose(-1);
    } else if (typing) {
      return;
    } else if (event.key === "/" && pane) {
      document.getElementById("graphs").scrollIntoView({ block: "start" });
      pane.search.focus({ preventScroll: true });
      pane.search.select();
    } else if (event.key === "f" && pane) {
      full.click();
    } else if (event.key === "t") {
      theme.click();
    } else {
      return;
    }
    event.preventDefault();
  });
}

async function start() {
  const app = document.getElementById("app");
  const theme = themeButton();
  const nav = make("nav", { "aria-label": "Parts of the report" });
  const main = make("main", {}, make("p.loading", {}, "Loading the report …"));
  const heading = make("h1");
  const outcome = make("span.chip");
  const print = make("button", { type: "button", title: "Print, or save as PDF", click: () => window.print() }, "Print");
  app.append(make("header.top", {}, make("div.title", {}, heading, outcome), make("div.actions", {}, print, theme)), make("div.body", {}, nav, main));
  // The frame is seen before a large report is unpacked.
  await new Promise((done) => setTimeout(done));
  let report;
  try {
    report = await loadReport();
  } catch (problem) {
    main.replaceChildren(make("p.verdict.bad", {}, `This browser cannot read the report: ${problem.message}`));
    return;
  }
  document.title = `${report.title} – mo report`;
  heading.textContent = report.title;
  const [kind, words] = OUTCOMES[report.status] ?? ["fair", report.status];
  outcome.textContent = words;
  outcome.classList.add(kind);
  const graphs = report.graphs.tables.map((each) => new Graph(each, report.graphs));
  const relations = report.kind === "comparison"
    ? [{ title: "is there", nothing: "only this graph has it" }, { title: "was there", nothing: "only this graph has it" }]
    : [{ title: "became", nothing: "nothing: it was removed, or computed in advance" }, { title: "stands for", nothing: "nothing: a pass added it" }];
  const { panes, state } = makePanes(graphs, relations);
  const goToLayer = (row, text) => (panes[1] ? panes[1].linkTo(row, text) : text);
  const goToNamed = (side, name, text = name) => (panes[side] && panes[side].graph.find(name) >= 0 ? panes[side].linkTo(panes[side].graph.find(name), text) : text);
  const graphsPart = panes.length ? graphsSection(report, panes) : undefined;
  const sections = [resultSection(report, goToNamed), comparisonSection(report, goToNamed), verificationSection(report, goToNamed), graphsPart?.block, modelSection(report, graphs), fusionsSection(report, goToLayer),
    transposesSection(report, goToLayer), constantsSection(report, goToLayer), timeSection(report)].filter(Boolean);
  if (panes.length) panes[0].element.classList.add("active");
  main.replaceChildren(...sections, make("footer", {}, `mo ${report.mo_version}`));
  nav.append(...sections.map((each) => make("a", { href: `#${each.id}` }, each.querySelector("h2").textContent)));
  listenToKeys({ panes, state }, theme, graphsPart?.full);
  document.documentElement.dataset.ready = "yes";
}

start();
