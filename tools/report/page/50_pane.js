// One graph: search, list, drawing and what is known of the selected node.

class Pane {
  // other(): the pane of the other graph; linksOf(row): rows there that are the same; relation: {title, nothing}: what a row is to them, and what is said where there are none.
  constructor(graph, { linksOf, other, activate, relation }) {
    Object.assign(this, { graph, linksOf, other, activate, relation });
    this.selected = -1;
    this.linked = new Set();
    this.found = null;  // rows of the list; null: all
    this.drawing = new Drawing(graph, { select: (row) => this.choose(row), cross: () => this.cross(), constantsChanged: () => this.runSearch(true) });
    this.list = new VirtualList(0, (i) => this.makeItem(i));
    this.list.element.setAttribute("aria-label", `Nodes of the ${graph.title}`);
    this.list.element.addEventListener("keydown", (event) => this.keyInList(event));
    this.search = make("input.search", { type: "search", placeholder: "Search names, ops, tensors  ( / )", "aria-label": `Search in the ${graph.title}`, spellcheck: "false",
      input: () => this.searchSoon(), keydown: (event) => this.keyInSearch(event) });
    this.count = make("span.note");
    this.hiddenNote = make("p.note.hidden-found");
    this.details = make("div.details", { "aria-live": "polite" });
    this.element = make("section.pane", { focusin: () => activate(this), pointerdown: () => activate(this) },
      make("header", {}, make("h3", {}, graph.title), this.count), this.search, this.hiddenNote, make("div.both", {}, this.list.element, this.details), this.drawing.toolbar, this.drawing.canvas);
    this.runSearch(true);
    this.drawing.show(-1);
    this.showDetails();
  }

  rowAt(i) {
    return this.found ? this.found[i] : i;
  }
  makeItem(i) {
    const row = this.rowAt(i);
    const classes = [row === this.selected && "selected", this.linked.has(row) && "linked", this.graph.mark(row)].filter(Boolean);
    const item = make(["div", "item", ...classes].join("."), { role: "option", "aria-selected": row === this.selected, click: () => this.choose(row) },
      make("span.op", {}, this.graph.op(row)), make("span.name", {}, this.graph.name(row)));
    const { hue } = this.graph.kind(row);
    if (hue < 0) item.classList.add("grey");
    item.style.setProperty("--hue", hue);
    return item;
  }

  // -- selection --
  // The user chose a node here: the other graph shows what is the same there.
  choose(row) {
    this.select(row);
    const links = row < 0 ? [] : this.linksOf(row);
    this.linked = new Set();
    this.refresh();
    this.other()?.showLinked(links);
  }
  select(row) {
    this.selected = row;
    this.refresh();
    this.showInList(row);
    this.showDetails();
  }
  showLinked(rows) {
    this.linked = new Set(rows);
    this.selected = rows.length ? rows[0] : -1;
    this.refresh();
    if (rows.length) this.showInList(rows[0]);
    this.showDetails();
  }
  showInList(row) {
    const place = this.found ? this.found.indexOf(row) : row;
    if (place >= 0) this.list.show(place);
    else this.list.render();
  }
  refresh() {
    this.drawing.show(this.selected, this.linked);
    this.list.render();
  }
  // On to the counterpart.
  cross() {
    const other = this.other();
    if (!other || other.selected < 0) return;
    other.drawing.svg.focus();
    other.choose(other.selected);
  }
  // The node has the attention of somebody who came from another place of the page.
  goTo(row) {
    this.choose(row);
    this.element.scrollIntoView({ block: "start" });
    this.drawing.svg.focus({ preventScroll: true });
  }

  // -- keys --
  keyInList(event) {
    const size = this.found ? this.found.length : this.graph.rows;
    const here = this.found ? this.found.indexOf(this.selected) : this.selected;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: this.list.rowsSeen - 1, PageUp: 1 - this.list.rowsSeen, Home: -size, End: size };
    if (event.key in steps && size) this.choose(this.rowAt(Math.min(size - 1, Math.max(0, here + steps[event.key]))));
    else if (event.key === "Enter") this.cross();
    else return;
    event.preventDefault();
  }
  keyInSearch(event) {
    if (event.key === "Escape") {
      if (this.search.value) event.stopPropagation();
      this.search.value = "";
      this.runSearch();
    } else if (event.key === "ArrowDown" || event.key === "Enter") {
      this.runSearch();
      this.list.element.focus();
      if (this.found === null || this.found.length) this.choose(this.found && !this.found.includes(this.selected) ? this.found[0] : Math.max(0, this.selected));
    } else {
      return;
    }
    event.preventDefault();
  }

  // -- search --
  searchSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.runSearch(), this.graph.rows > 50_000 ? 250 : 0);
  }
  // A search finds what can be seen; how many constants it would find beside them is said.
  runSearch(anew = false) {
    clearTimeout(this.timer);
    const wanted = this.search.value.trim().toLowerCase();
    if (wanted === this.searched && !anew) return;
    this.searched = wanted;
    const all = wanted === "" ? null : this.rowsWith(wanted);
    const shown = all === null ? (this.drawing.showsConstants ? null : this.rowsThatCompute()) : all.filter((row) => this.drawing.isShown(row));
    this.found = shown;
    const hidden = all === null ? 0 : all.length - shown.length;
    this.hiddenNote.textContent = hidden ? `${plural(hidden, "constant")} with this text ${hidden === 1 ? "is" : "are"} hidden: choose "constants" to see ${hidden === 1 ? "it" : "them"}.` : "";
    this.count.textContent = wanted === "" ? plural(this.graph.rows, "node") : `${countText(shown.length)} of ${plural(this.graph.rows, "node")}`;
    this.list.resize(this.found ? this.found.length : this.graph.rows);
    if (this.selected >= 0) this.showInList(this.selected);
  }
  rowsThatCompute() {
    const rows = [];
    for (let row = 0; row < this.graph.rows; row++) if (!this.graph.isConstant(row)) rows.push(row);
    return rows;
  }
  // Each text is looked at once, whatever number of rows has it.
  rowsWith(wanted) {
    const { graph } = this;
    const known = new Int8Array(graph.texts.length);
    const has = (text) => (known[text] ||= graph.texts[text].toLowerCase().includes(wanted) ? 1 : -1) > 0;
    const rows = [];
    for (let row = 0; row < graph.rows; row++) {
      if (has(graph.names[row]) || has(graph.ops[row]) || (graph.tensorSteps[row] !== 0 && has(graph.names[row] + graph.tensorSteps[row]))) rows.push(row);
    }
    return rows;
  }

  // -- details --
  showDetails() {
    const { graph, selected: row } = this;
    if (row < 0) return this.details.replaceChildren(make("p.empty", {}, "Select a node: click it, or search with / and move with the arrow keys."));
    const entry = (title, ...content) => (content.some((each) => each !== "" && each !== undefined) ? [make("dt", {}, title), make("dd", {}, ...content)] : []);
    const other = this.other();
    const links = other ? this.linksOf(row) : [];
    const passes = graph.passesOf(row);
    this.details.replaceChildren(
      make("h4", {}, make("span.op", {}, graph.op(row)), " ", graph.name(row) || "without a name"),
      make("dl", {},
        ...(other ? entry(this.relation.title, links.length ? other.linksTo(links) : this.relation.nothing) : []),
        ...entry("type", graph.type(row)), ...entry("tensors", graph.tensors(row)), ...entry("attributes", graph.attributes(row)),
        ...entry("bodies", this.linksToBodies(row)), ...entry("inside", this.linkToOwner(row)), ...entry("reads", this.linksTo(graph.inputs.of(row))),
        ...entry("read by", this.linksTo(graph.readers.of(row))),
        ...entry("passes", ...(passes.length ? passes.map((pass) => make("span.chip", {}, pass)) : [graph.passes.length ? "none changed it" : ""]))));
  }
  linksToBodies(row) {
    const bodies = this.graph.scopes.filter((scope) => scope.owner === row && scope.count > 0);
    return bodies.length ? make("span.links", {}, ...bodies.map((scope) => this.linkTo(scope.first, scope.title))) : "";
  }
  linkToOwner(row) {
    const { owner, title } = this.graph.scope(row);
    return owner < 0 ? "" : this.linkTo(owner, title);
  }
  // Buttons that lead to rows of this graph.
  linksTo(rows) {
    if (!rows.length) return "";
    const shown = [...rows].slice(0, 20);
    const box = make("span.links", {}, ...shown.map((row) => (row < 0 ? make("span.note", {}, "not connected") : this.linkTo(row))));
    if (rows.length > shown.length) box.append(make("span.note", {}, `and ${countText(rows.length - shown.length)} more`));
    return box;
  }
  linkTo(row, text = this.graph.label(row)) {
    return make("button.link", { type: "button", title: `${this.graph.op(row)}  ${this.graph.label(row)}`, click: () => this.goTo(row) }, shortened(text, 80));
  }
}
