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

const KEYS = [["/", "search"], ["↑ ↓ ← →", "walk through the list or the drawing"], ["Enter", "to the counterpart in the other graph"], ["Esc", "clear the search, the selection"], ["+ − 0", "scale the drawing"], ["t", "theme"]];

function listenToKeys({ panes, state }, theme) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target instanceof HTMLInputElement && event.target.type === "search";
    const pane = panes[state.active];
    if (event.key === "Escape" && pane) {
      if (typing) event.target.blur();
      else pane.choose(-1);
    } else if (typing) {
      return;
    } else if (event.key === "/" && pane) {
      document.getElementById("graphs").scrollIntoView({ block: "start" });
      pane.search.focus({ preventScroll: true });
      pane.search.select();
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
  const { panes, state } = makePanes(graphs, report.kind === "comparison" ? ["is there", "was there"] : ["became", "stands for"]);
  const goToLayer = (row, text) => (panes[1] ? panes[1].linkTo(row, text) : text);
  const goToNamed = (side, name, text = name) => (panes[side] && panes[side].graph.find(name) >= 0 ? panes[side].linkTo(panes[side].graph.find(name), text) : text);
  const sections = [overview(report, graphs), comparisonSection(report, goToNamed), messagesSection(report), verificationSection(report, goToNamed), fusionsSection(report, goToLayer),
    transposesSection(report, goToLayer), constantsSection(report, goToLayer), timeSection(report)].filter(Boolean);
  if (panes.length) {
    const keys = make("p.keys", {}, ...KEYS.flatMap(([key, what]) => [make("kbd", {}, key), ` ${what}  `]));
    sections.push(section("graphs", panes.length > 1 ? "Graphs side by side" : "Graph", `select a node to see what it is in the other graph${report.comparison ? "; yellow: changed, red: there is no such node in the other" : ""}`, keys, make(`div.panes.count${panes.length}`, {}, ...panes.map((pane) => pane.element))));
    panes[0].element.classList.add("active");
  }
  main.replaceChildren(...sections, make("footer", {}, `mo ${report.mo_version}`));
  nav.append(...sections.map((each) => make("a", { href: `#${each.id}` }, each.querySelector("h2").textContent)));
  listenToKeys({ panes, state }, theme);
  document.documentElement.dataset.ready = "yes";
}

start();
