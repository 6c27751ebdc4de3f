// The report and its graphs: JSON (docs/schemas/report.schema.json), packed when it is large, and columns of numbers for graphs.

async function loadReport() {
  const element = document.getElementById("report");
  if (element.dataset.packed !== "deflate") return JSON.parse(element.textContent);
  const binary = atob(element.textContent);
  element.textContent = "";
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

// Sums of steps: [3, 1, 1] -> [3, 4, 5].
function summed(steps) {
  const numbers = new Int32Array(steps.length);
  let sum = 0;
  for (let i = 0; i < steps.length; i++) numbers[i] = sum += steps[i];
  return numbers;
}

// For each row a stretch of one array.
class Lists {
  constructor(ends, items) {
    this.ends = ends;
    this.items = items;
  }
  begin(row) {
    return row === 0 ? 0 : this.ends[row - 1];
  }
  of(row) {
    return row < this.ends.length ? this.items.subarray(this.begin(row), this.ends[row]) : new Int32Array(0);
  }
  // Which rows name a number: the lists the other way round.
  reversed(rows) {
    const ends = new Int32Array(rows);
    for (const item of this.items) if (item >= 0) ends[item]++;
    for (let i = 1; i < rows; i++) ends[i] += ends[i - 1];
    const place = Int32Array.from({ length: rows }, (_, i) => (i === 0 ? 0 : ends[i - 1]));
    const items = new Int32Array(rows === 0 ? 0 : ends[rows - 1]);
    for (let row = 0; row < this.ends.length; row++) {
      for (let i = this.begin(row); i < this.ends[row]; i++) if (this.items[i] >= 0) items[place[this.items[i]]++] = row;
    }
    return new Lists(ends, items);
  }
}

const MARKS = ["", "changed", "alone", "wrong"];

class Graph {
  constructor(table, graphs) {
    this.texts = graphs.texts;
    this.passSets = graphs.pass_sets;
    this.title = table.title;
    this.rows = table.rows;
    this.scopes = table.scopes;
    this.names = summed(table.name);
    this.ops = table.op;
    this.types = table.type;
    this.tensorSteps = table.tensors;
    this.attributeTexts = table.attributes;
    this.passes = table.passes;
    this.marks = table.mark;
    const ends = summed(table.input_count);
    const sources = new Int32Array(table.input_distance.length);
    for (let row = 0, i = 0; row < this.rows; row++) {
      for (; i < ends[row]; i++) sources[i] = table.input_distance[i] === 0 ? -1 : row - table.input_distance[i];
    }
    this.inputs = new Lists(ends, sources);
    this.inputPorts = table.input_port;
    this.links = new Lists(summed(table.link_count), summed(table.link));
    this.kindOfText = new Map(graphs.kinds.flatMap((kind) => kind.ops.map((op) => [op, kind])));
    this.constants = this.findConstants();
  }

  // Constants, and what only hands them on or spreads them: in most pictures they are in the way.
  findConstants() {
    const handsOn = new Map();
    for (const op of new Set(this.ops)) handsOn.set(op, ["Convert", "Identity", "Cast", "ConstantOfShape"].includes(this.texts[op].replace(/\.v\d+$/, "")));
    const constants = new Uint8Array(this.rows);
    for (let row = 0; row < this.rows; row++) {
      const read = this.inputs.of(row);
      constants[row] = this.kind(row).name === "constant" || (handsOn.get(this.ops[row]) && read.length > 0 && read.every((source) => source >= 0 && constants[source])) ? 1 : 0;
    }
    return constants;
  }
  isConstant(row) {
    return this.constants[row] === 1;
  }

  name(row) {
    return this.texts[this.names[row]];
  }
  // What a person may call a row that has no name.
  label(row) {
    return this.name(row) || `${this.op(row)} #${row}`;
  }
  op(row) {
    return this.texts[this.ops[row]];
  }
  // {name, hue, ops}: what the op does.
  kind(row) {
    return this.kindOfText.get(this.ops[row]);
  }
  type(row) {
    return this.texts[this.types[row]];
  }
  tensors(row) {
    return this.tensorSteps[row] === 0 ? "" : this.texts[this.names[row] + this.tensorSteps[row]];
  }
  attributes(row) {
    return this.texts[this.attributeTexts[row]];
  }
  passesOf(row) {
    return this.passes.length ? this.passSets[this.passes[row]] : [];
  }
  mark(row) {
    return this.marks.length ? MARKS[this.marks[row]] : "";
  }
  scope(row) {
    return this.scopes.find((scope) => row >= scope.first && row < scope.first + scope.count);
  }
  get readers() {
    return (this.readerLists ??= this.inputs.reversed(this.rows));
  }
  // The first row of that name.
  find(name) {
    this.rowsByName ??= new Map();
    if (this.rowsByName.size === 0) for (let row = this.rows - 1; row >= 0; row--) this.rowsByName.set(this.name(row), row);
    return this.rowsByName.get(name) ?? -1;
  }
  countsOfOps() {
    const counts = new Map();
    for (const op of this.ops) counts.set(op, (counts.get(op) ?? 0) + 1);
    return [...counts].map(([op, count]) => [this.texts[op], count]).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  }
}
