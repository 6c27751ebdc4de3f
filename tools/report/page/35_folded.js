// Where the boxes of a tree of groups stand: open groups are frames around what is in them, closed ones are boxes.

const BOX_HEIGHT = 40;
const FRAME_TITLE = 22;
const FRAME_SIDE = 4;

// What is drawn: boxes {row or group, x, y, width, height}, frames {group, x, y, width, height} (x, y: middles) and edges {points, isEnd}, the outer ones first.
class FoldedLayout {
  // sizeOf(child): {width, height} of the box of a row or of a closed group; isShown(row).
  constructor(graph, tree, sizeOf) {
    Object.assign(this, { graph, tree, sizeOf });
    this.levels = new Map();  // of each open group: what its layout is made of
    this.boxOfRow = new Map();
    this.boxes = [];
    this.frames = [];
    this.edges = [];
    this.collect(tree.root, null);
    for (const [from, to] of this.pairs()) this.connect(from, to);
    this.layLevel(tree.root);
    this.place(tree.root, 0, 0);
  }

  collect(group, closed) {
    group.box = closed;
    if (!closed && group.isOpen) {
      const level = { group, nodes: [], nodeOf: new Map(), first: new Map(), last: new Map(), edges: new Map() };
      this.levels.set(group, level);
      for (const child of group.children) {
        const node = { child, level, id: level.nodes.length };
        level.nodes.push(node);
        level.nodeOf.set(child, node);
        if (child instanceof Group && child.isOpen) continue;
        Object.assign(node, this.sizeOf(child, group));
        this.boxes.push(node);
        if (!(child instanceof Group)) this.boxOfRow.set(child, node);
      }
    }
    for (const child of group.groups()) this.collect(child, closed ?? (this.levels.has(group) && !child.isOpen ? this.levels.get(group).nodeOf.get(child) : null));
  }

  // The box that a row is seen in; undefined for one that is not in the tree.
  boxOf(row) {
    return this.tree.groupOf(row)?.box ?? this.boxOfRow.get(row);
  }

  // Boxes of which one reads the other, each pair once.
  pairs() {
    const seen = new Map();
    const { first, count } = this.tree.scope;
    for (let row = first; row < first + count; row++) {
      const to = this.boxOf(row);
      if (!to) continue;
      for (const source of this.graph.inputs.of(row)) {
        const from = source >= 0 ? this.boxOf(source) : undefined;
        if (!from || from === to) continue;
        if (!seen.has(from)) seen.set(from, new Set());
        seen.get(from).add(to);
      }
    }
    return [...seen].flatMap(([from, readers]) => [...readers].map((to) => [from, to]));
  }

  // An edge leaves and enters frames by ports on their borders, one for each box that it comes from.
  connect(from, to) {
    const outer = new Set();
    for (let group = from.level.group; group; group = group.parent) outer.add(group);
    let common = to.level.group;
    while (!outer.has(common)) common = common.parent;
    let [start, startPort] = [from, null];
    for (let group = from.level.group; group !== common; group = group.parent) {
      const port = this.port(group, "last", from);
      this.addEdge(group, start, startPort, port, null);
      [start, startPort] = [this.levels.get(group.parent).nodeOf.get(group), port];
    }
    let [end, endPort] = [to, null];
    for (let group = to.level.group; group !== common; group = group.parent) {
      const port = this.port(group, "first", from);
      this.addEdge(group, port, null, end, endPort);
      [end, endPort] = [this.levels.get(group.parent).nodeOf.get(group), port];
    }
    this.addEdge(common, start, startPort, end, endPort);
  }
  port(group, pin, from) {
    const level = this.levels.get(group);
    if (!level[pin].has(from)) {
      const port = { pin, id: level.nodes.length, width: 6, height: 0 };
      level.nodes.push(port);
      level[pin].set(from, port);
    }
    return level[pin].get(from);
  }
  addEdge(group, from, fromPort, to, toPort) {
    const key = `${from.id} ${fromPort?.id} ${to.id} ${toPort?.id}`;
    this.levels.get(group).edges.set(key, { source: from, fromPort, target: to, toPort });
  }

  // Sizes from the inside to the outside.
  layLevel(group) {
    const level = this.levels.get(group);
    for (const child of group.groups()) {
      if (!child.isOpen) continue;
      const size = this.layLevel(child);
      const node = level.nodeOf.get(child);
      node.width = Math.max(size.width + 2 * FRAME_SIDE, 40 + child.title.length * 6.5);
      node.height = size.height + FRAME_TITLE + FRAME_SIDE;
      node.inset = (node.width - size.width) / 2;
    }
    const rank = { first: 0, last: 2 };
    const nodes = [...level.nodes].sort((a, b) => (rank[a.pin] ?? 1) - (rank[b.pin] ?? 1) || a.id - b.id);
    const place = new Map(nodes.map((node, i) => [node, i]));
    const offset = (node, port) => (port ? port.x + node.inset - node.width / 2 : 0);
    level.drawn = [...level.edges.values()].map((edge) => ({
      ...edge, from: place.get(edge.source), to: place.get(edge.target), fromOffset: offset(edge.source, edge.fromPort), toOffset: offset(edge.target, edge.toPort),
    }));
    level.size = nodes.length ? layOut(nodes, level.drawn) : { width: 100, height: 60 };
    return level.size;
  }

  place(group, left, top) {
    const level = this.levels.get(group);
    const inner = [];
    for (const node of level.nodes) {
      node.x += left;
      node.y += top;
      if (!(node.child instanceof Group) || !node.child.isOpen) continue;
      this.frames.push({ group: node.child, x: node.x, y: node.y, width: node.width, height: node.height });
      inner.push([node.child, node.x - node.width / 2 + node.inset, node.y - node.height / 2 + FRAME_TITLE]);
    }
    for (const edge of level.drawn) {
      const points = edge.points.map(({ x, y }) => ({ x: x + left, y: y + top }));
      if (edge.source.pin) points.unshift({ x: points[0].x, y: top - FRAME_TITLE });
      if (edge.target.pin) points.push({ x: points.at(-1).x, y: top + level.size.height + FRAME_SIDE });
      this.edges.push({ points, isEnd: !edge.target.pin && !edge.toPort });
    }
    for (const each of inner) this.place(...each);
    if (!group.parent) Object.assign(this, { width: level.size.width, height: level.size.height });
  }
}

// The groups of one scope of a graph, and which of them are open.
class FoldedTree {
  constructor(graph, scope, isShown) {
    this.scope = scope;
    const rows = [];
    for (let row = scope.first; row < scope.first + scope.count; row++) if (isShown(row)) rows.push(row);
    this.shown = rows.length;
    this.root = groupsOf(graph, rows);
    this.groups = new Array(scope.count);
    this.opened = [];
    this.addRows(this.root);
    this.openLevels(MOST_CHILDREN);
  }
  addRows(group) {
    for (const child of group.children) {
      if (child instanceof Group) this.addRows(child);
      else this.groups[child - this.scope.first] = group;
    }
  }
  groupOf(row) {
    return this.groups[row - this.scope.first];
  }
  // How many boxes there are now.
  get boxes() {
    const count = (group) => group.children.reduce((sum, child) => sum + (child instanceof Group && child.isOpen ? count(child) : 1), 0);
    return count(this.root);
  }
  // All groups of a depth or none, as long as there are not too many boxes.
  openLevels(most) {
    let boxes = this.boxes;
    for (let level = [...this.root.groups()]; level.length; level = level.flatMap((group) => [...group.groups()])) {
      boxes += level.reduce((sum, group) => sum + group.children.length - 1, 0);
      if (boxes > most) return;
      for (const group of level) this.open(group);
    }
  }
  // From the outside to the inside, as many as there is room for.
  openSome(most) {
    let boxes = this.boxes;
    const waiting = [this.root];
    for (let group = waiting.shift(); group; group = waiting.shift()) {
      if (!group.isOpen) {
        if (boxes + group.children.length - 1 > most) continue;
        boxes += group.children.length - 1;
        this.open(group);
      }
      waiting.push(...group.groups());
    }
  }
  open(group) {
    group.isOpen = true;
    this.opened.push(group);
  }
  close(group) {
    group.isOpen = false;
    this.opened = this.opened.filter((each) => each !== group);
  }
  closeAll() {
    for (const group of this.opened) group.isOpen = false;
    this.opened = [];
  }
  // Opens what a row is in; when there are too many boxes then, what was opened long ago is closed.
  reveal(row, most) {
    const around = new Set();
    for (let group = this.groupOf(row); group; group = group.parent) around.add(group);
    let isNew = false;
    for (const group of [...around].reverse()) {
      if (group.isOpen) continue;
      this.open(group);
      isNew = true;
    }
    for (const group of [...this.opened]) {
      if (this.boxes <= most) break;
      if (!around.has(group)) this.close(group);
    }
    return isNew;
  }
}
