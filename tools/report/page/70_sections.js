// The other parts of the report. Each gives a section, or nothing when there is nothing to tell.

function chips(texts, most = 12) {
  const box = make("span.chips", {}, ...texts.slice(0, most).map((text) => make("span.chip", { title: text }, shortened(text, 70))));
  if (texts.length > most) box.append(make("span.note", {}, `and ${countText(texts.length - most)} more`));
  return box;
}
// Passes, which say what they do when they are clicked.
function passChips(names, passes, most = 6) {
  const said = make("p.said", { hidden: true });
  const box = make("span.chips", {}, ...names.slice(0, most).map((name) => {
    const form = passes.find((pass) => pass.name === name);
    if (!form) return make("span.chip", { title: name }, shortened(name, 70));
    const tell = () => {
      const isSaid = !said.hidden && said.dataset.pass === name;
      said.hidden = isSaid;
      said.dataset.pass = name;
      said.replaceChildren(make("code", {}, form.before), " becomes ", make("code", {}, form.after), form.conditions ? ` (${form.conditions})` : "");
    };
    return make("button.chip", { type: "button", title: "What does it do?", click: tell }, shortened(name, 70));
  }));
  if (names.length > most) box.append(make("span.note", {}, `and ${countText(names.length - most)} more`));
  return make("div", {}, box, said);
}
function shapeText(end) {
  const shape = end.shape === null ? "…" : end.shape.join(", ");
  return `${end.element_type === "dynamic" ? "any type" : end.element_type} [${shape}]`;
}
const CERTAINTY = { fixed: "", partly: "some sizes are open", "unknown rank": "not known" };

function facts(rows) {
  return make("dl.facts", {}, ...rows.filter(([, value]) => value).flatMap(([title, value, note]) => [make("dt", {}, title), make("dd", {}, value, note ? make("span.note", {}, ` ${note}`) : "")]));
}
function factsOf(model) {
  const { total, layers, all_known: known } = model.multiply_adds;
  return facts([
    ["Format", model.framework, model.producer || Object.entries(model.op_sets).map(([name, version]) => `${name} ${version}`).join(", ")],
    ["Nodes", countText(model.nodes)],
    ["Parameters", shortCount(model.parameters.count), bytesText(model.parameters.bytes)],
    ["Multiply-adds", layers.length ? shortCount(total) : "", known ? "" : "of the layers whose sizes are known"],
  ]);
}
// Inputs and outputs by the names that the model gives its tensors; how --input and --output call them stands beside.
function endsOf(model) {
  const ends = [...model.inputs.map((end) => ["input", end]), ...model.outputs.map((end) => ["output", end])];
  return table([
    { title: "", cell: ([kind]) => make(`span.chip.${kind}`, {}, kind) },
    { title: "Name", cell: ([, end]) => make("b", {}, end.tensor_names[0] ?? end.name) },
    { title: "Type", cell: ([, end]) => make("code", {}, shapeText(end)) },
    { title: "", cell: ([, end]) => [CERTAINTY[end.certainty] ?? end.certainty, end.tensor_names.length && end.tensor_names[0] !== end.name ? `node ${end.name}` : ""].filter(Boolean).join("; ") },
  ], ends);
}

function modelSection(report, graphs) {
  const { model, other_model: other, options } = report;
  if (!model && !options.length) return undefined;
  const content = [];
  if (model && other) {
    content.push(make("div.columns", {}, ...[["Before", model], ["After", other]].map(([title, each]) => make("div", {}, make("h3", {}, title), factsOf(each), endsOf(each), opBars(Object.entries(each.ops).sort((a, b) => b[1] - a[1]))))));
  } else if (model) {
    const counts = [["Operators of the model", Object.entries(model.ops).sort((a, b) => b[1] - a[1])]];
    if (graphs[1]) counts.push(["Layers of the IR", graphs[1].countsOfOps()]);
    content.push(factsOf(model), endsOf(model), make("div.columns", {}, ...counts.map(([title, rows]) => make("div", {}, make("h3", {}, title), opBars(rows)))));
  }
  if (options.length) {
    content.push(make("h3", {}, "Options"), table([{ title: "Option", cell: (option) => make("code", {}, `--${option.name}`) }, { title: "Value", cell: (option) => option.value }], options));
  }
  return section("model", other ? "Models" : "Model", "", ...content);
}
function opBars(rows) {
  const box = make("div", {}, barList(rows.slice(0, 12).map(([name, value]) => ({ name, value })), countText));
  if (rows.length > 12) box.append(make("details", {}, make("summary", {}, `${rows.length - 12} others`), barList(rows.slice(12).map(([name, value]) => ({ name, value })), countText)));
  return box;
}

function fusionsSection({ fusions, passes }, goToLayer) {
  if (!fusions.length) return undefined;
  const computed = fusions.filter((fusion) => fusion.folded);
  const fused = fusions.filter((fusion) => !fusion.folded);
  const byPass = new Map();
  for (const fusion of fused) for (const pass of fusion.passes) byPass.set(pass, (byPass.get(pass) ?? 0) + 1);
  const bars = [...byPass].sort((a, b) => b[1] - a[1]).map(([name, value]) => ({ name, value }));
  const columns = [
    { title: "Layer", cell: (fusion) => goToLayer(fusion.row, fusion.layer || fusion.type) },
    { title: "Op", cell: (fusion) => fusion.type },
    { title: "Made of", cell: (fusion) => chips(fusion.sources) },
  ];
  const content = [];
  if (fused.length) content.push(barList(bars.slice(0, 20), countText), table([...columns, { title: "Passes", cell: (fusion) => passChips(fusion.passes, passes) }], fused, 20));
  if (computed.length) {
    content.push(make("details", { open: !fused.length }, make("summary", {}, `${plural(computed.length, "constant")} computed in advance`), table(columns.filter((column) => column.title !== "Op"), computed, 20)));
  }
  return section("fusions", "Fusions", `${plural(fused.length, "layer")} made of several nodes, ${plural(computed.length, "constant")} computed in advance`, ...content);
}

function transposesSection({ transposes }, goToLayer) {
  if (!transposes.length) return undefined;
  const own = transposes.filter((one) => one.in_model).length;
  return section("transposes", "Transposes that stayed", `${countText(transposes.length)}, ${countText(own)} of them of the model`, table([
    { title: "Layer", cell: (one) => goToLayer(one.row, one.layer || "Transpose") },
    { title: "Order", cell: (one) => make("code", {}, one.order || "computed") },
    { title: "From", cell: (one) => make("code", {}, one.from) },
    { title: "To", cell: (one) => make("code", {}, one.to) },
    { title: "Why", cell: (one) => one.reason },
  ], transposes, 20));
}

function constantsSection({ constants }, goToLayer) {
  if (!constants || !constants.count) return undefined;
  const columns = [
    { title: "Layer", cell: (constant) => goToLayer(constant.row, constant.layer || "Const") },
    { title: "Type", cell: (constant) => make("code", {}, constant.type) },
    { title: "Size", number: true, cell: (constant) => bytesText(constant.bytes) },
    { title: "Read by", cell: (constant) => chips(constant.readers, 3) },
  ];
  const compressed = constants.compressed ? `; ${countText(constants.compressed)} compressed to 16 bits (${bytesText(constants.compressed_bytes)})` : "";
  const note = `${countText(constants.count)}, ${bytesText(constants.bytes)}; ${countText(constants.shared)} share the bytes of others, which saves ${bytesText(constants.shared_bytes)}${compressed}`;
  const content = [make("h3", {}, "The biggest"), table([...columns, { title: "16 bits", cell: (constant) => (constant.compressed ? "compressed" : "") }], constants.biggest, 10)];
  if (constants.sharing.length) content.push(make("h3", {}, "Shared"), table([...columns, { title: "Same as", cell: (constant) => constant.same_as }], constants.sharing, 10));
  if (constants.clipping.length) {
    content.push(make("h3", {}, "Clipped to the range of 16 bits"), table([...columns, { title: "Elements", number: true, cell: (constant) => countText(constant.clipped) }], constants.clipping, 10));
  }
  return section("constants", "Constants", note, ...content);
}

const PHASES = ["read", "extraction", "front", "inference", "middle", "back", "finish", "write"];

function timeSection({ measurements }) {
  const { steps } = measurements;
  if (!steps.length) return undefined;
  const parts = PHASES.map((name) => ({ name, value: steps.filter((step) => step.phase === name).reduce((sum, step) => sum + step.seconds, 0) })).filter((part) => part.value > 0);
  const passes = steps.filter((step) => step.name !== step.phase).sort((a, b) => b.seconds - a.seconds);
  const asBar = (step) => ({ name: step.name, note: step.changed ? step.phase : `${step.phase}, changed nothing`, value: step.seconds, dim: !step.changed });
  const content = [make("h3", {}, "Phases"), stackedBar(parts, secondsText), make("h3", {}, "The longest passes"), barList(passes.slice(0, 12).map(asBar), secondsText)];
  if (passes.length > 12) content.push(make("details", {}, make("summary", {}, `${passes.length - 12} other passes`), barList(passes.slice(12).map(asBar), secondsText)));
  content.push(make("h3", {}, "Memory of the process, the most until then"), memoryChart(steps));
  return section("time", "Time and memory", `${secondsText(measurements.seconds)}, at most ${bytesText(measurements.peak_bytes)}`, ...content);
}

function numberText(value) {
  if (value === null || value === undefined) return "–";
  return value === 0 ? "0" : Math.abs(value) >= 1e-3 && Math.abs(value) < 1e5 ? String(Number(value.toPrecision(4))) : value.toExponential(2);
}
function verificationSection({ verification, passes }, goToNamed) {
  if (!verification) return undefined;
  const { layer, guilty } = verification;
  const value = (title, pick) => ({ title, number: true, cell: (output) => (output.difference ? numberText(pick(output.difference)) : "–") });
  const content = [table([
    { title: "Output", cell: (output) => output.name },
    { title: "", cell: (output) => (output.compared ? make(`span.chip.${output.close ? "good" : "bad"}`, {}, output.close ? "equal" : output.difference.kind ?? "different") : "not compared") },
    value("Largest difference", (difference) => difference.max_abs), value("Relative difference", (difference) => difference.max_rel), value("Difference in ULP", (difference) => difference.max_ulp),
    value("Cosine similarity", (difference) => difference.cosine), value("Difference / tolerance", (difference) => difference.of_tolerance), value("Elements beyond tolerance", (difference) => difference.beyond_tolerance),
  ], verification.outputs)];
  if (layer) {
    const rows = [["Layer", goToNamed(1, layer.name)], ["Op", layer.type], ["Tensor", layer.tensor], ["Node of the model", layer.source_node ? goToNamed(0, layer.source_node) : ""],
      ["Difference", layer.difference.kind ?? `${numberText(layer.difference.max_abs)} at element ${layer.difference.place}, ${numberText(layer.difference.of_tolerance)} times the tolerance`],
      ["Passes that changed it", verification.passes.length ? passChips(verification.passes, passes) : ""], ["Changed the numbers", guilty ? (guilty.when === "during" ? `pass ${guilty.pass}` : "no pass") : ""]];
    content.push(make("h3", {}, verification.verdict === "different" ? "The first layer with other numbers" : "Rounding decides here"), facts(rows));
  }
  return section("verification", "Verification", "ULP: units in the last place", ...content);
}

function comparisonSection({ comparison }, goToNamed) {
  if (!comparison || !comparison.differences.length) return undefined;
  const { differences } = comparison;
  const node = (side) => (each) => {
    const one = side === 0 ? each.before : each.after;
    return one ? (each.inside ? `${one.op} ${one.name} in ${each.inside}` : goToNamed(side, one.name, `${one.op} ${one.name}`)) : "";
  };
  return section("changes", "Differences", plural(differences.length, "difference"), table([
    { title: "Kind", cell: (each) => make(`span.chip.${each.kind}`, {}, each.kind) },
    { title: "Before", cell: node(0) }, { title: "After", cell: node(1) },
    { title: "What", cell: (each) => each.what },
    { title: "From", cell: (each) => shortened(each.from, 120) }, { title: "To", cell: (each) => shortened(each.to, 120) },
    { title: "Elements", cell: (each) => (each.elements ? `${plural(each.elements.differing, "element")}, at most ${numberText(each.elements.largest)}` : "") },
  ], differences, 50));
}
