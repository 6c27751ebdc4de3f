// A picture of a graph, or of the neighbourhood of a node: SVG that can be moved, scaled and walked through.

const ALL_UP_TO = 500;
const MOST_DRAWN = 120;
const MOST_NEIGHBOURS = 10;  // of one node that thousands read
const LONGEST_LABEL = 30;

// A hue for each op, the same in both graphs and in every report.
function hueOf(op) {
  let hash = 7;
  // The beginning is what names of one thing have in common: Conv and Convolution, Relu and ReLU.
  for (const c of op.slice(0, 4).toLowerCase()) hash = (hash * 31 + c.codePointAt(0)) % 3600;
  return hash % 360;
}

let drawings = 0;

class Drawing {
  // select(row): the user chose a node; cross(): they want its counterpart; constantsChanged(on): they want to see constants or not.
  constructor(graph, { select, cross, constantsChanged }) {
    this.graph = graph;
    this.select = select;
    this.constantsChanged = constantsChanged;
    this.depth = 3;
    this.showsConstants = false;
    this.view = { x: 0, y: 0, scale: 1 };
    this.selected = -1;
    this.linked = new Set();
    this.content = draw("g");
    const arrow = draw("marker", { id: `arrow-${++drawings}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
      draw("path.arrow", { d: "M0 0 8 4 0 8z" }));
    this.arrow = `url(#${arrow.id})`;
    this.svg = draw("svg.drawing", { tabindex: "0", role: "img", "aria-label": `Drawing of the ${graph.title}`, keydown: (event) => this.key(event, cross) }, draw("defs", {}, arrow), this.content);
    this.note = make("span.note");
    this.toolbar = this.makeToolbar();
    this.listenToPointer();
    new ResizeObserver(() => this.svg.clientWidth && !this.isPlaced && this.home()).observe(this.svg);
  }

  makeToolbar() {
    const depth = make("select", { title: "How far around the selected node", "aria-label": "Size of the neighbourhood", change: () => this.setDepth(Number(depth.value)) },
      ...[1, 2, 3, 5, 8].map((each) => make("option", { value: each, selected: each === this.depth }, `±${each}`)));
    this.depthChoice = depth;
    const constants = make("input", { type: "checkbox", change: () => this.setConstants(constants.checked) });
    const button = (text, title, act) => make("button", { type: "button", title, "aria-label": title, click: act }, text);
    return make("div.toolbar", {}, this.note, make("label", {}, constants, "constants"), depth,
      button("−", "Smaller", () => this.zoom(0.8)), button("+", "Larger", () => this.zoom(1.25)), button("Fit", "Show the whole drawing", () => this.fit()));
  }
  setDepth(depth) {
    this.depth = depth;
    this.show(this.selected);
  }
  setConstants(on) {
    this.showsConstants = on;
    this.constantsChanged(on);
    this.show(this.selected);
  }

  isShown(row) {
    return this.showsConstants || !this.graph.isConstant(row) || row === this.selected;
  }

  // The rows to draw: all of a small graph, else what lies around `focus`.
  rowsAround(focus) {
    const scope = this.graph.scope(Math.max(focus, 0));
    const all = [];
    for (let row = scope.first; row < scope.first + scope.count && all.length <= ALL_UP_TO; row++) if (this.isShown(row)) all.push(row);
    this.isWhole = all.length <= ALL_UP_TO;
    if (this.isWhole) return all;
    if (focus < 0) focus = scope.first;
    const near = new Set([focus]);
    let edge = [focus];
    for (let i = 0; i < this.depth && near.size < MOST_DRAWN; i++) {
      const next = [];
      for (const row of edge) {
        const others = this.graph.neighbours(row).filter((other) => !near.has(other) && this.isShown(other));
        others.sort((a, b) => Math.abs(a - row) - Math.abs(b - row));
        for (const other of others.slice(0, MOST_NEIGHBOURS)) {
          if (near.size >= MOST_DRAWN) break;
          near.add(other);
          next.push(other);
        }
      }
      edge = next;
    }
    return [...near].sort((a, b) => a - b);
  }

  // Draws what there is around a row (-1: the beginning), and selects it.
  show(row, linked = this.linked) {
    this.selected = row;
    this.linked = linked;
    const rows = this.rowsAround(row >= 0 ? row : linked.size ? Math.min(...linked) : -1);
    const key = `${rows.join()},${this.showsConstants}`;
    if (key !== this.drawn) this.redraw(rows);
    this.drawn = key;
    for (const [each, group] of this.groups) {
      group.classList.toggle("selected", each === row);
      group.classList.toggle("linked", linked.has(each));
    }
    this.depthChoice.hidden = this.isWhole;
    const scope = this.graph.scope(rows[0] ?? 0);
    const inside = scope?.title ? `${scope.title}: ` : "";
    this.note.textContent = inside + (this.isWhole ? `${countText(rows.length)} nodes` : `${rows.length} of ${countText(this.graph.rows)} nodes`);
    if (this.svg.clientWidth) this.bringIntoView(row >= 0 ? row : [...linked][0]);
  }

  redraw(rows) {
    const place = new Map(rows.map((row, i) => [row, i]));
    const nodes = rows.map((row) => {
      const op = shortened(this.graph.op(row), LONGEST_LABEL);
      const name = shortened(this.graph.name(row), LONGEST_LABEL);
      return { id: row, op, name, width: Math.max(70, 18 + Math.max(op.length * 7.4, name.length * 6.2)) };
    });
    const edges = [];
    for (const row of rows) for (const source of new Set(this.graph.inputs.of(row))) if (place.has(source)) edges.push({ from: place.get(source), to: place.get(row) });
    this.size = nodes.length ? layOut(nodes, edges) : { width: 100, height: 100 };
    this.boxes = new Map(nodes.map((node) => [node.id, node]));
    this.groups = new Map();
    const paths = edges.map((edge) => draw("path.edge", { d: pathOf(edge.points), "marker-end": this.arrow }));
    const boxes = nodes.map((node) => this.makeBox(node, place));
    this.content.replaceChildren(...paths, ...boxes);
    this.isPlaced = false;
    if (this.svg.clientWidth) this.home();
  }

  makeBox(node, place) {
    const row = node.id;
    const hidden = this.isWhole ? 0 : this.graph.neighbours(row).filter((other) => !place.has(other) && this.isShown(other)).length;
    const mark = this.graph.mark(row);
    const group = draw(`g.node${mark ? `.${mark}` : ""}`, { transform: `translate(${node.x},${node.y})`, click: () => this.moved || this.select(row) },
      draw("title", {}, `${this.graph.op(row)}  ${this.graph.label(row)}\n${this.graph.type(row)}`),
      draw("rect", { x: -node.width / 2, y: -BOX_HEIGHT / 2, width: node.width, height: BOX_HEIGHT, rx: 6 }),
      draw("text.op", { y: node.name ? -3 : 5 }, node.op), node.name ? draw("text.name", { y: 12 }, node.name) : "",
      hidden ? draw("g.more", { transform: `translate(${node.width / 2 - 2},${-BOX_HEIGHT / 2 + 1})` }, draw("circle", { r: 9 }), draw("text", { y: 3.5 }, hidden > 99 ? "…" : `+${hidden}`)) : "");
    group.style.setProperty("--hue", hueOf(this.graph.op(row)));
    group.dataset.row = row;
    this.groups.set(row, group);
    return group;
  }

  // -- the view --
  apply() {
    this.content.setAttribute("transform", `translate(${this.view.x},${this.view.y}) scale(${this.view.scale})`);
  }
  // The first look: all when it can be read, else the place where the selected node is, or the beginning.
  home() {
    this.isPlaced = true;
    const fitting = Math.min(this.svg.clientWidth / this.size.width, this.svg.clientHeight / this.size.height);
    if (fitting >= 0.6) return this.fit();
    const scale = Math.min(1, Math.max(0.6, this.svg.clientWidth / this.size.width));
    const box = this.boxes.get(this.selected) ?? this.boxes.values().next().value;
    if (!box) return;
    const y = this.boxes.has(this.selected) ? this.svg.clientHeight / 2 - box.y * scale : BOX_GAP;
    this.view = { scale, x: this.svg.clientWidth / 2 - box.x * scale, y };
    this.apply();
  }
  fit() {
    const scale = Math.min(1.2, this.svg.clientWidth / this.size.width, this.svg.clientHeight / this.size.height);
    this.view = { scale, x: (this.svg.clientWidth - this.size.width * scale) / 2, y: Math.max(0, (this.svg.clientHeight - this.size.height * scale) / 2) };
    this.apply();
  }
  zoom(factor, x = this.svg.clientWidth / 2, y = this.svg.clientHeight / 2) {
    const scale = Math.min(4, Math.max(0.02, this.view.scale * factor));
    const change = scale / this.view.scale;
    this.view = { scale, x: x - (x - this.view.x) * change, y: y - (y - this.view.y) * change };
    this.apply();
  }
  bringIntoView(row) {
    const box = this.boxes.get(row);
    if (!box) return;
    const x = box.x * this.view.scale + this.view.x;
    const y = box.y * this.view.scale + this.view.y;
    const { clientWidth: width, clientHeight: height } = this.svg;
    if (x > 60 && x < width - 60 && y > 30 && y < height - 30) return;
    this.view.x += width / 2 - x;
    this.view.y += height / 2 - y;
    this.apply();
  }
  listenToPointer() {
    let from = null;
    this.svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = this.svg.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY / 400), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    this.svg.addEventListener("pointerdown", (event) => {
      from = { x: event.clientX - this.view.x, y: event.clientY - this.view.y, start: [event.clientX, event.clientY] };
      this.moved = false;
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (!from) return;
      if (!this.moved && Math.hypot(event.clientX - from.start[0], event.clientY - from.start[1]) < 4) return;
      this.moved = true;
      this.svg.setPointerCapture(event.pointerId);
      this.view.x = event.clientX - from.x;
      this.view.y = event.clientY - from.y;
      this.apply();
    });
    for (const name of ["pointerup", "pointercancel"]) this.svg.addEventListener(name, () => (from = null));
  }

  // Arrows walk: up to a source, down to a reader, aside among those that share the rank.
  key(event, cross) {
    const next = this.selected < 0 ? this.boxes.keys().next().value : this.next(event.key);
    if (event.key.startsWith("Arrow") && next !== undefined) this.select(next);
    else if (event.key === "Enter") cross();
    else if (event.key === "+") this.zoom(1.25);
    else if (event.key === "-") this.zoom(0.8);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
  }
  next(key) {
    const here = this.boxes.get(this.selected);
    if (!here) return undefined;
    const shown = (rows) => [...rows].find((row) => row >= 0 && this.isShown(row));
    if (key === "ArrowUp") return shown(this.graph.inputs.of(this.selected));
    if (key === "ArrowDown") return shown(this.graph.readers.of(this.selected));
    const side = key === "ArrowLeft" ? -1 : key === "ArrowRight" ? 1 : 0;
    const beside = [...this.boxes.values()].filter((box) => side && Math.abs(box.y - here.y) < 1 && (box.x - here.x) * side > 0);
    return beside.sort((a, b) => Math.abs(a.x - here.x) - Math.abs(b.x - here.x))[0]?.id;
  }
}

function pathOf(points) {
  const end = (point, below) => point.y + (point.isBox ? (below ? 1 : -1) * (BOX_HEIGHT / 2) : 0);
  let d = "";
  for (let i = 1; i < points.length; i++) {
    const down = points[i].y > points[i - 1].y;
    const [x0, y0, x1, y1] = [points[i - 1].x, end(points[i - 1], down), points[i].x, end(points[i], !down)];
    const bend = (y1 - y0) / 2;
    d += i === 1 ? `M${x0} ${y0}` : "";
    d += x0 === x1 ? `L${x1} ${y1}` : `C${x0} ${y0 + bend} ${x1} ${y1 - bend} ${x1} ${y1}`;
  }
  return d;
}
