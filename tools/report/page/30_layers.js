// A layered drawing of a small graph: ranks by the longest way, few crossings, straight chains.

const RANK_GAP = 36;
const BOX_GAP = 18;
const BEND_GAP = 9;
const SWEEPS = 8;

// nodes: [{width, height, pin}] so that sources stand in front of their readers where there is no cycle; pin "first" and "last": the rank above and below all others.
// edges: [{from, to, fromOffset, toOffset}] by position in nodes; offsets: where an edge ends, from the middle of its node.
// Gives nodes their x and y (centres) and edges their points; returns the size of the whole.
function layOut(nodes, edges) {
  const ranks = ranksOf(nodes, edges);
  const layers = [];
  const items = nodes.map((node, i) => ({ node, width: node.width, height: node.height, rank: ranks[i], up: [], down: [] }));
  for (const item of items) (layers[item.rank] ??= []).push(item);
  // A long edge goes through every rank between its ends.
  for (const edge of edges) {
    const ends = [{ item: items[edge.from], offset: edge.fromOffset ?? 0 }, { item: items[edge.to], offset: edge.toOffset ?? 0 }];
    const [top, bottom] = ends[0].item.rank <= ends[1].item.rank ? ends : [ends[1], ends[0]];
    edge.chain = [top];
    for (let rank = top.item.rank + 1; rank < bottom.item.rank; rank++) {
      const bend = { width: 4, height: 0, rank, up: [], down: [] };
      layers[rank].push(bend);
      edge.chain.push({ item: bend, offset: 0 });
    }
    edge.chain.push(bottom);
    for (let i = 1; i < edge.chain.length; i++) {
      const [above, below] = [edge.chain[i - 1], edge.chain[i]];
      above.item.down.push({ ...below, own: above.offset });
      below.item.up.push({ ...above, own: below.offset });
    }
    edge.isReversed = ends[0] !== top;
  }
  orderLayers(layers);
  placeLayers(layers);
  const least = Math.min(...layers.map((layer) => Math.min(...layer.map((item) => item.x - item.width / 2))));
  let width = 0;
  let y = BOX_GAP;
  const bounds = layers.map((layer) => {
    const height = Math.max(...layer.map((item) => item.height));
    for (const item of layer) {
      item.x += BOX_GAP - least;
      item.y = y + height / 2;
      width = Math.max(width, item.x + item.width / 2 + BOX_GAP);
      if (item.node) [item.node.x, item.node.y] = [item.x, item.y];
    }
    const bound = { top: y, bottom: y + height };
    y += height + RANK_GAP;
    return bound;
  });
  for (const edge of edges) {
    edge.points = edge.chain.flatMap((end, i) => pointsAt(end, bounds[end.item.rank], i === 0, i === edge.chain.length - 1));
    if (edge.isReversed) edge.points.reverse();
  }
  return { width, height: y - RANK_GAP + BOX_GAP };
}

// Edges are straight beside the boxes of a rank, and bend between ranks.
function pointsAt({ item, offset }, { top, bottom }, isFirst, isLast) {
  const x = item.x + offset;
  if (isFirst && isLast) return [{ x, y: item.y - item.height / 2 }];
  if (isFirst) return [{ x, y: item.y + item.height / 2 }, { x, y: bottom }];
  if (isLast) return [{ x, y: top }, { x, y: item.y - item.height / 2 }];
  return [{ x, y: top }, { x, y: bottom }];
}

// The longest way from a source; what closes a cycle is left out. What only feeds others stands just above them.
function ranksOf(nodes, edges) {
  const ranks = new Array(nodes.length).fill(0);
  const forward = edges.filter((edge) => edge.from < edge.to).sort((a, b) => a.to - b.to || a.from - b.from);
  for (const edge of forward) ranks[edge.to] = Math.max(ranks[edge.to], ranks[edge.from] + 1);
  const fed = new Set(forward.map((edge) => edge.to));
  const nearest = new Map();
  for (const edge of forward) if (!fed.has(edge.from)) nearest.set(edge.from, Math.min(nearest.get(edge.from) ?? Infinity, ranks[edge.to] - 1));
  for (const [node, rank] of nearest) ranks[node] = rank;
  const most = Math.max(0, ...ranks);
  nodes.forEach((node, i) => {
    if (node.pin === "first") ranks[i] = -1;
    if (node.pin === "last") ranks[i] = most + 1;
  });
  const used = [...new Set(ranks)].sort((a, b) => a - b);
  const dense = new Map(used.map((rank, i) => [rank, i]));
  return ranks.map((rank) => dense.get(rank));
}

function orderLayers(layers) {
  const number = (layer) => layer.forEach((item, i) => (item.order = i));
  layers.forEach(number);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : [...layers].reverse()) {
      for (const item of layer) {
        const others = down ? item.up : item.down;
        item.weight = others.length ? others.reduce((sum, other) => sum + other.item.order + share(other), 0) / others.length : item.order;
      }
      layer.sort((a, b) => a.weight - b.weight || a.order - b.order);
      number(layer);
    }
  }
}
// Where on a wide box an edge ends, as a part of its place in the order.
function share({ item, offset }) {
  return item.width ? offset / item.width : 0;
}

// Each item goes as near as its neighbours in the layer allow to the middle of what it is connected with.
function placeLayers(layers) {
  for (const layer of layers) {
    let x = 0;
    for (const item of layer) {
      item.x = x + item.width / 2;
      x += item.width + BOX_GAP;
    }
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : [...layers].reverse()) {
      settle(layer, layer.map((item) => {
        const others = sweep >= SWEEPS - 2 ? [...item.up, ...item.down] : down ? item.up : item.down;
        return others.length ? others.reduce((sum, other) => sum + other.item.x + other.offset - other.own, 0) / others.length : item.x;
      }));
    }
  }
}

// Least squares under the order and the distances: items that push one another become a block around their common mean.
function settle(layer, wanted) {
  const blocks = [];
  let distance = 0;
  layer.forEach((item, i) => {
    if (i > 0) distance += (layer[i - 1].width + item.width) / 2 + (item.node || layer[i - 1].node ? BOX_GAP : BEND_GAP);
    item.distance = distance;
    // Straight long edges matter more than boxes in the middle.
    const weight = item.node ? 1 : 4;
    blocks.push({ sum: (wanted[i] - distance) * weight, weight, items: [item] });
    while (blocks.length > 1 && mean(blocks.at(-2)) > mean(blocks.at(-1))) {
      const last = blocks.pop();
      const before = blocks.at(-1);
      before.sum += last.sum;
      before.weight += last.weight;
      before.items.push(...last.items);
    }
  });
  for (const block of blocks) for (const item of block.items) item.x = mean(block) + item.distance;
}
function mean(block) {
  return block.sum / block.weight;
}
