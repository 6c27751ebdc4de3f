// The nodes of a graph as a tree of groups, so that a picture of any size begins with a few boxes.

const FLAT_UP_TO = 40;  // so many nodes need no groups
const MOST_CHILDREN = 150;  // of one group; more are put into parts
const MOST_PARTS = 40;
const FEWEST_IN_GROUP = 3;

// A group: {title, path (what names of its nodes begin with), children: rows and groups in the order of their first rows, parent, first, count}.
class Group {
  constructor(title, path) {
    Object.assign(this, { title, path, children: [], parent: null, first: 0, count: 0, isOpen: false });
  }
  add(child) {
    this.children.push(child);
    if (child instanceof Group) child.parent = this;
  }
  *groups() {
    for (const child of this.children) if (child instanceof Group) yield child;
  }
}

// "layer1/conv/Conv2D" -> ["layer1", "conv"]: the modules that a node is in. Dots separate where there are no slashes.
function modulesOf(name) {
  const separator = name.includes("/") ? "/" : ".";
  const parts = name.split(separator).filter((part) => part !== "");
  parts.pop();
  return { parts, separator };
}

// The tree of some rows of one scope. Modules of the names make groups; what is still too much, or has no modules, is cut where few edges cross.
function groupsOf(graph, rows) {
  const root = new Group("", "");
  if (rows.length <= FLAT_UP_TO) {
    root.children = [...rows];
  } else {
    putIntoModules(graph, root, rows);
    simplify(root);
  }
  count(root);
  splitLarge(graph, root);
  root.isOpen = true;
  return root;
}

function putIntoModules(graph, root, rows) {
  const known = new Map();
  for (const row of rows) {
    const { parts, separator } = modulesOf(graph.name(row));
    let group = root;
    let path = "";
    for (const part of parts) {
      path += part + separator;
      let next = known.get(path);
      if (!next) {
        next = new Group(part, path);
        known.set(path, next);
        group.add(next);
      }
      group = next;
    }
    group.add(row);
  }
}

// Groups of one or two nodes are not worth a box, and a group that only holds another is one with it.
function simplify(group) {
  const children = [];
  for (const child of group.children) {
    if (!(child instanceof Group)) {
      children.push(child);
      continue;
    }
    let kept = simplify(child);
    if (nodesIn(kept) < FEWEST_IN_GROUP) {
      for (const grandchild of kept.children) {
        if (grandchild instanceof Group) grandchild.parent = group;
        children.push(grandchild);
      }
      continue;
    }
    if (kept.children.length === 1 && kept.children[0] instanceof Group) {
      const [only] = kept.children;
      only.title = `${kept.title}/${only.title}`;
      kept = only;
    }
    kept.parent = group;
    children.push(kept);
  }
  group.children = children;
  group.nodes = undefined;
  return group;
}
function nodesIn(group) {
  return (group.nodes ??= group.children.reduce((sum, child) => sum + (child instanceof Group ? nodesIn(child) : 1), 0));
}

function firstRow(child) {
  return child instanceof Group ? child.first : child;
}
function count(group) {
  for (const child of group.groups()) count(child);
  group.children.sort((a, b) => firstRow(a) - firstRow(b));
  group.first = group.children.length ? firstRow(group.children[0]) : 0;
  group.count = group.children.reduce((sum, child) => sum + (child instanceof Group ? child.count : 1), 0);
}

function* rowsIn(child) {
  if (!(child instanceof Group)) yield child;
  else for (const each of child.children) yield* rowsIn(each);
}

function splitLarge(graph, group) {
  for (const child of group.groups()) splitLarge(graph, child);
  while (group.children.length > MOST_CHILDREN) {
    const { children } = group;
    const parts = Math.min(MOST_PARTS, Math.ceil(children.length / 12));
    const crossing = edgesAcross(graph, children);
    const size = children.length / parts;
    group.children = [];
    for (let part = 0, begin = 0; part < parts && begin < children.length; part++) {
      const end = part === parts - 1 ? children.length : bestCut(crossing, Math.max(begin + 1, Math.round((part + 1) * size - size * 0.4)), Math.round((part + 1) * size + size * 0.4));
      const made = new Group("", group.path);
      for (const child of children.slice(begin, end)) made.add(child);
      count(made);
      made.title = titleOfPart(graph, made);
      splitLarge(graph, made);
      group.add(made.children.length === 1 ? made.children[0] : made);
      begin = end;
    }
  }
}
// How many edges lead over the place in front of each child.
function edgesAcross(graph, children) {
  const place = new Map();
  children.forEach((child, i) => {
    for (const row of rowsIn(child)) place.set(row, i);
  });
  const change = new Int32Array(children.length + 1);
  for (const [row, to] of place) {
    for (const source of graph.inputs.of(row)) {
      const from = place.get(source);
      if (from !== undefined && from < to) {
        change[from + 1]++;
        change[to + 1]--;
      }
    }
  }
  for (let i = 1; i < change.length; i++) change[i] += change[i - 1];
  return change;
}
function bestCut(crossing, from, to) {
  let best = from;
  for (let i = from; i <= to && i < crossing.length - 1; i++) if (crossing[i] < crossing[best]) best = i;
  return best;
}
function titleOfPart(graph, group) {
  const ends = [group.children[0], group.children.at(-1)].map((child) => (child instanceof Group ? child.title : shortName(graph, child, group)));
  return `${shortened(ends[0], 24)} … ${shortened(ends[1], 24)}`;
}
// A name without the modules that its group says already.
function shortName(graph, row, group) {
  const name = graph.name(row);
  if (!group) return name;
  for (const path of [group.path, `/${group.path}`]) if (path.length > 1 && name.startsWith(path) && name.length > path.length) return name.slice(path.length);
  return name;
}
