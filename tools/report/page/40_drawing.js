// A picture of a graph: SVG that can be moved, scaled, unfolded and walked through.

const MOST_BOXES = 600;
const LONGEST_LABEL = 30;

let drawings = 0;

class Drawing {
  // select(row): the user chose a node; cross(): they want its counterpart; constantsChanged(): they want to see constants or not.
  constructor(graph, { select, cross, constantsChanged }) {
    this.graph = graph;
    this.select = select;
    this.constantsChanged = constantsChanged;
    this.showsConstants = false;
    this.trees = new Map();
    this.view = { x: 0, y: 0, scale: 1 };
    this.selected = -1;
    this.linked = new Set();
    this.content = draw("g");
    const arrow = draw("marker", { id: `arrow-${++drawings}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
      draw("path.arrow", { d: "M0 0 8 4 0 8z" }));
    this.arrow = `url(#${arrow.id})`;
    this.svg = draw("svg.drawing", { tabindex: "0", role: "img", "aria-label": `Drawing of the ${graph.title}`, keydown: (event) => this.key(event, cross) }, draw("defs", {}, arrow), this.content);
    this.map = draw("svg.overview", { "aria-hidden": "true", pointerdown: (event) => this.moveTo(event), pointermove: (event) => event.buttons && this.moveTo(event) });
    this.canvas = make("div.canvas", {}, this.svg, this.map);
    this.note = make("span.note");
    this.toolbar = this.makeToolbar();
    this.listenToPointer();
    new ResizeObserver(() => this.svg.clientWidth && (this.isPlaced ? this.apply() : this.home())).observe(this.svg);
  }

  makeToolbar() {
    const constants = make("input", { type: "checkbox", change: () => this.setConstants(constants.checked) });
    const button = (text, title, act) => make("button", { type: "button", title, "aria-label": title, click: act }, text);
    this.folding = [button("Fold", "Close the groups", () => this.fold()), button("Unfold", "Open the groups, as many as can be drawn", () => this.unfold())];
    return make("div.toolbar", {}, this.note, make("label", {}, constants, "constants"), ...this.folding,
      button("−", "Smaller", () => this.zoom(0.8)), button("+", "Larger", () => this.zoom(1.25)), button("Fit", "Show the whole drawing", () => this.fit()));
  }
  setConstants(on) {
    this.showsConstants = on;
    this.constantsChanged();
    this.show(this.selected);
  }
  fold() {
    this.tree.closeAll();
    this.redraw();
    this.fit();
  }
  unfold() {
    this.tree.openSome(MOST_BOXES);
    this.redraw();
    this.home();
  }

  isShown(row) {
    return this.showsConstants || !this.graph.isConstant(row);
  }
  // A row that is seen: itself, or for a constant that is hidden what reads it.
  seen(row) {
    const waiting = [row];
    const known = new Set(waiting);
    for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) {
      if (this.isShown(each)) return each;
      for (const reader of this.graph.readers.of(each)) if (!known.has(reader)) known.add(reader), waiting.push(reader);
    }
    return -1;
  }
  treeOf(scope) {
    const key = `${scope.first} ${this.showsConstants}`;
    if (!this.trees.has(key)) this.trees.set(key, new FoldedTree(this.graph, scope, (row) => this.isShown(row)));
    return this.trees.get(key);
  }

  // Selects a row (-1: none) and draws what it is in.
  show(row, linked = this.linked) {
    this.selected = row;
    this.linked = linked;
    const focus = this.seen(row >= 0 ? row : linked.size ? Math.min(...linked) : -1);
    if (focus < 0 && this.graph.rows === 0) return;
    const tree = focus >= 0 || !this.tree ? this.treeOf(this.graph.scope(Math.max(focus, 0))) : this.treeOf(this.tree.scope);
    const isNew = tree !== this.tree;
    this.tree = tree;
    if ((focus >= 0 && tree.reveal(focus, MOST_BOXES)) || isNew) this.redraw();
    this.mark();
    if (this.svg.clientWidth && focus >= 0) this.bringIntoView(focus);
  }
  mark() {
    const { layout } = this;
    const selected = layout.boxOf(this.selected);
    const linked = new Set([...this.linked].map((row) => layout.boxOf(this.seen(row))));
    for (const [box, element] of this.elements) {
      element.classList.toggle("selected", box === selected);
      element.classList.toggle("linked", linked.has(box));
    }
  }

  redraw() {
    const { graph, tree } = this;
    const layout = (this.layout = new FoldedLayout(graph, tree, (child, group) => this.sizeOf(child, group)));
    this.elements = new Map(layout.boxes.map((box) => [box, box.child instanceof Group ? this.makeGroup(box) : this.makeBox(box)]));
    const edges = layout.edges.map(({ points, isEnd }) => draw("path.edge", { d: pathOf(points), "marker-end": isEnd ? this.arrow : undefined }));
    const frames = layout.frames.map((frame) => this.makeFrame(frame));
    this.content.replaceChildren(...frames, ...edges, ...this.elements.values());
    this.map.setAttribute("viewBox", `0 0 ${layout.width} ${layout.height}`);
    this.seenPart = draw("rect.seen");
    this.map.replaceChildren(...layout.frames.map((frame) => draw("rect.frame", rectangle(frame))), ...layout.boxes.map((box) => draw("rect.box", rectangle(box))), this.seenPart);
    const folded = layout.boxes.filter((box) => box.child instanceof Group).length;
    const inside = tree.scope.title ? `${tree.scope.title}: ` : "";
    this.note.textContent = `${inside}${plural(tree.shown, "node")}${folded ? `, ${plural(folded, "closed group")}` : ""}`;
    for (const button of this.folding) button.hidden = tree.root.groups().next().done;
    this.mark();
    if (this.svg.clientWidth) this.isPlaced ? this.apply() : this.home();
  }

  sizeOf(child, parent) {
    if (child instanceof Group) return { width: Math.max(96, 24 + shortened(child.title, LONGEST_LABEL).length * 6.8), height: BOX_HEIGHT + 6 };
    const op = shortened(this.graph.op(child), LONGEST_LABEL);
    const name = shortened(shortName(this.graph, child, parent), LONGEST_LABEL);
    const boxWidth = Math.max(76, 18 + Math.max(op.length * 7.4, name.length * 6.2));
    return { width: Math.max(boxWidth, 2 * (6 + this.shape(child).length * 5.3)), height: BOX_HEIGHT, boxWidth, op, name };
  }
  // "1×64×56×56": what the first output of a row is like.
  shape(row) {
    const found = /^(\w+)\[(.*?)\](,?)/.exec(this.graph.type(row));
    if (!found) return "";
    return `${found[1] === "f32" ? "" : `${found[1]} `}${found[2] === "" ? "scalar" : found[2].replaceAll(",", "×")}${found[3] ? ", …" : ""}`;
  }

  makeBox(box) {
    const { child: row, boxWidth: width } = box;
    const mark = this.graph.mark(row);
    const { name: kind, hue } = this.graph.kind(row);
    const isRead = this.graph.readers.of(row).length > 0;
    const element = draw(`g.node${mark ? `.${mark}` : ""}${hue < 0 ? ".grey" : ""}`, { transform: `translate(${box.x},${box.y})`, click: () => this.moved || this.select(row) },
      draw("title", {}, `${this.graph.op(row)}  ${this.graph.label(row)}\n${this.graph.type(row)}`),
      draw("rect", { x: -width / 2, y: -BOX_HEIGHT / 2, width, height: BOX_HEIGHT, rx: kind === "end" ? BOX_HEIGHT / 2 : 6 }),
      draw("text.op", { y: box.name ? -3 : 5 }, box.op), box.name ? draw("text.name", { y: 12 }, box.name) : "",
      isRead ? draw("text.shape", { x: 6, y: BOX_HEIGHT / 2 + 12 }, this.shape(row)) : "");
    element.style.setProperty("--hue", hue);
    element.dataset.row = row;
    return element;
  }
  makeGroup(box) {
    const { child: group, width, height } = box;
    const element = draw("g.node.group", { transform: `translate(${box.x},${box.y})`, click: () => this.moved || this.toggle(group) },
      draw("title", {}, `${group.title}: ${plural(group.count, "node")}. Click to open.`),
      draw("rect", { x: -width / 2 + 3, y: -height / 2 + 3, width, height, rx: 8 }), draw("rect", { x: -width / 2, y: -height / 2, width, height, rx: 8 }),
      draw("text.op", { y: -6 }, shortened(group.title, LONGEST_LABEL)), draw("text.name", { y: 8 }, `+ ${plural(group.count, "node")}`), this.makeStripe(group, width - 16, height / 2 - 9));
    return element;
  }
  // What kinds of ops a group has, as lengths.
  makeStripe(group, width, y) {
    const counts = new Map();
    for (const row of rowsIn(group)) counts.set(this.graph.kind(row), (counts.get(this.graph.kind(row)) ?? 0) + 1);
    const stripe = draw("g.stripe");
    let x = -width / 2;
    for (const [kind, number] of [...counts].sort((a, b) => b[1] - a[1])) {
      const part = draw(`rect${kind.hue < 0 ? ".grey" : ""}`, { x, y, width: (number / group.count) * width, height: 4 });
      part.style.setProperty("--hue", kind.hue);
      stripe.append(part);
      x += (number / group.count) * width;
    }
    return stripe;
  }
  makeFrame({ group, x, y, width, height }) {
    const fold = () => this.moved || this.toggle(group);
    return draw("g.frame", { transform: `translate(${x - width / 2},${y - height / 2})` }, draw("title", {}, `${group.title}: ${plural(group.count, "node")}. Click its name to close.`),
      draw("rect", { width, height, rx: 10 }), draw("text", { x: 10, y: 15, click: fold }, `− ${shortened(group.title, Math.max(8, Math.floor((width - 30) / 6.5)))}`));
  }
  // Opens or closes a group, whose corner stays where it is on the screen.
  toggle(group) {
    const corner = () => {
      const place = this.layout.frames.find((frame) => frame.group === group) ?? this.layout.boxes.find((box) => box.child === group);
      return { x: place.x - place.width / 2, y: place.y - place.height / 2 };
    };
    const before = corner();
    if (group.isOpen) {
      this.tree.close(group);
    } else {
      this.tree.open(group);
      this.tree.reveal(rowsIn(group).next().value, MOST_BOXES);
    }
    this.redraw();
    const after = corner();
    this.view.x += (before.x - after.x) * this.view.scale;
    this.view.y += (before.y - after.y) * this.view.scale;
    this.apply();
  }

  // -- the view --
  apply() {
    const { x, y, scale } = this.view;
    const { width, height } = this.layout;
    this.content.setAttribute("transform", `translate(${x},${y}) scale(${scale})`);
    const seen = { x: -x / scale, y: -y / scale, width: this.svg.clientWidth / scale, height: this.svg.clientHeight / scale };
    for (const [name, value] of Object.entries(seen)) this.seenPart.setAttribute(name, value);
    this.map.classList.toggle("needed", seen.x > BOX_GAP || seen.y > BOX_GAP || seen.x + seen.width < width - BOX_GAP || seen.y + seen.height < height - BOX_GAP);
  }
  // The first look: all when it can be read, else the place where the selected node is, or the beginning.
  home() {
    this.isPlaced = true;
    const { layout } = this;
    const fitting = Math.min(this.svg.clientWidth / layout.width, this.svg.clientHeight / layout.height);
    if (fitting >= 0.6) return this.fit();
    const scale = Math.min(1, Math.max(0.6, this.svg.clientWidth / layout.width));
    const selected = layout.boxOf(this.selected);
    const box = selected ?? layout.boxes[0];
    if (!box) return;
    this.view = { scale, x: this.svg.clientWidth / 2 - box.x * scale, y: selected ? this.svg.clientHeight / 2 - box.y * scale : BOX_GAP };
    this.apply();
  }
  fit() {
    const { layout } = this;
    const scale = Math.min(1.2, this.svg.clientWidth / layout.width, this.svg.clientHeight / layout.height);
    this.view = { scale, x: (this.svg.clientWidth - layout.width * scale) / 2, y: Math.max(0, (this.svg.clientHeight - layout.height * scale) / 2) };
    this.apply();
  }
  zoom(factor, x = this.svg.clientWidth / 2, y = this.svg.clientHeight / 2) {
    const scale = Math.min(4, Math.max(0.02, this.view.scale * factor));
    const change = scale / this.view.scale;
    this.view = { scale, x: x - (x - this.view.x) * change, y: y - (y - this.view.y) * change };
    this.apply();
  }
  bringIntoView(row) {
    const box = this.layout.boxOf(row);
    if (!box) return;
    const x = box.x * this.view.scale + this.view.x;
    const y = box.y * this.view.scale + this.view.y;
    const { clientWidth: width, clientHeight: height } = this.svg;
    if (x > 60 && x < width - 60 && y > 30 && y < height - 30) return;
    // From afar a node could not be read.
    if (this.view.scale < 0.5) this.zoom(0.8 / this.view.scale);
    this.view.x = width / 2 - box.x * this.view.scale;
    this.view.y = height / 2 - box.y * this.view.scale;
    this.apply();
  }
  // A click into the overview.
  moveTo(event) {
    const box = this.map.getBoundingClientRect();
    const scale = Math.max(this.layout.width / box.width, this.layout.height / box.height);
    const x = this.layout.width / 2 + (event.clientX - box.left - box.width / 2) * scale;
    const y = this.layout.height / 2 + (event.clientY - box.top - box.height / 2) * scale;
    this.view.x = this.svg.clientWidth / 2 - x * this.view.scale;
    this.view.y = this.svg.clientHeight / 2 - y * this.view.scale;
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
    const next = this.selected < 0 ? [...rowsIn(this.tree.root)][0] : this.next(event.key);
    if (event.key.startsWith("Arrow") && next !== undefined) this.select(next);
    else if (event.key === "Enter") cross();
    else if (event.key === "+") this.zoom(1.25);
    else if (event.key === "-") this.zoom(0.8);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
  }
  next(key) {
    const here = this.layout.boxOf(this.selected);
    if (!here) return undefined;
    const shown = (rows) => [...rows].find((row) => row >= 0 && this.isShown(row));
    if (key === "ArrowUp") return shown(this.graph.inputs.of(this.selected));
    if (key === "ArrowDown") return shown(this.graph.readers.of(this.selected));
    const side = key === "ArrowLeft" ? -1 : key === "ArrowRight" ? 1 : 0;
    const beside = [...this.layout.boxOfRow.values()].filter((box) => side && Math.abs(box.y - here.y) < 1 && (box.x - here.x) * side > 0);
    return beside.sort((a, b) => Math.abs(a.x - here.x) - Math.abs(b.x - here.x))[0]?.child;
  }
}

function rectangle({ x, y, boxWidth, width: room, height }) {
  const width = boxWidth ?? room;
  return { x: x - width / 2, y: y - height / 2, width, height };
}

// Straight where points stand above one another, else a bend that begins and ends upright.
function pathOf(points) {
  let d = `M${points[0].x} ${points[0].y}`;
  for (let i = 1; i < points.length; i++) {
    const [from, to] = [points[i - 1], points[i]];
    if (from.x === to.x && from.y === to.y) continue;
    const bend = (to.y - from.y) / 2;
    d += from.x === to.x ? `L${to.x} ${to.y}` : `C${from.x} ${from.y + bend} ${to.x} ${to.y - bend} ${to.x} ${to.y}`;
  }
  return d;
}
