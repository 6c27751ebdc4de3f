// The parts of the report above the graphs. Each gives a section, or nothing when there is nothing to tell.

function section(id, title, note, ...content) {
  return make("section.block", { id }, make("header", {}, make("h2", {}, title), make("span.note", {}, note)), ...content);
}
function card(title, value, note = "", kind = "") {
  return make(kind ? `div.card.${kind}` : "div.card", {}, make("span.title", {}, title), make("span.value", {}, value), make("span.note", {}, note));
}
function chips(texts, most = 12) {
  const box = make("span.chips", {}, ...texts.slice(0, most).map((text) => make("span.chip", { title: text }, shortened(text, 70))));
  if (texts.length > most) box.append(make("span.note", {}, `and ${countText(texts.length - most)} more`));
  return box;
}
function shapeText(end) {
  const shape = end.shape === null ? "…" : end.shape.join(", ");
  return `${end.element_type} [${shape}]`;
}
function plural(count, word) {
  return `${countText(count)} ${word}${count === 1 ? "" : "s"}`;
}

const OUTCOMES = {
  converted: ["good", "Converted"], failed: ["bad", "Failed"], equal: ["good", "Equal"], unstable: ["fair", "Equal but for rounding"], different: ["bad", "Different"], same: ["good", "The same"],
};

function overview(report, graphs) {
  const { model, ir, measurements, constants, messages } = report;
  const cards = [];
  if (model) {
    cards.push(card("Model", model.framework, model.producer || Object.entries(model.op_sets).map(([name, version]) => `${name} ${version}`).join(", ")),
      card("Nodes", countText(model.nodes), graphs[1] ? `${countText(graphs[1].rows)} layers in the IR, with constants` : ""),
      card("Parameters", shortCount(model.parameters.count), bytesText(model.parameters.bytes)));
    const { total, layers, all_known: known } = model.multiply_adds;
    if (layers.length) cards.push(card("Multiply-adds", shortCount(total), known ? "" : "of the layers whose shapes are known"));
  }
  if (ir) cards.push(card("IR", `version ${ir.version}`, `${ir.bin} ${bytesText(ir.bin_bytes)}, ${ir.xml} ${bytesText(ir.xml_bytes)}`));
  if (constants?.compressed) cards.push(card("Compressed", plural(constants.compressed, "constant"), `${bytesText(constants.compressed_bytes)} in 16 bits`));
  if (measurements.steps.length) cards.push(card("Time", secondsText(measurements.seconds), `at most ${bytesText(measurements.peak_bytes)} of memory`));
  const bad = messages.filter((message) => message.severity !== "note").length;
  cards.push(card("Messages", bad ? countText(bad) : "none", bad ? "see below" : "nothing to worry about", bad ? "fair" : ""));
  const content = [make("div.cards", {}, ...cards)];
  if (model) {
    const ends = [...model.inputs.map((end) => ["input", end]), ...model.outputs.map((end) => ["output", end])];
    content.push(table([
      { title: "", cell: ([kind]) => make(`span.chip.${kind}`, {}, kind) },
      { title: "Name", cell: ([, end]) => end.name },
      { title: "Type", cell: ([, end]) => make("code", {}, shapeText(end)) },
      { title: "Known", cell: ([, end]) => `${end.certainty}${end.inferred ? ", inferred" : ""}` },
    ], ends));
    const counts = [["Operators of the model", Object.entries(model.ops).sort((a, b) => b[1] - a[1])]];
    if (graphs[1] && report.kind !== "comparison") counts.push(["Layers of the IR", graphs[1].countsOfOps()]);
    content.push(make("div.columns", {}, ...counts.map(([title, rows]) => make("div", {}, make("h3", {}, title), opBars(rows)))));
  }
  if (report.options.length) {
    content.push(make("h3", {}, "Options"), table([{ title: "Option", cell: (option) => make("code", {}, `--${option.name}`) }, { title: "Value", cell: (option) => option.value }], report.options));
  }
  return section("overview", "Overview", "", ...content);
}
function opBars(rows) {
  const box = make("div", {}, barList(rows.slice(0, 12).map(([name, value]) => ({ name, value })), countText));
  if (rows.length > 12) box.append(make("details", {}, make("summary", {}, `${rows.length - 12} others`), barList(rows.slice(12).map(([name, value]) => ({ name, value })), countText)));
  return box;
}

function messagesSection({ messages }) {
  if (!messages.length) return undefined;
  const rank = { error: 0, warning: 1, note: 2 };
  const sorted = [...messages].sort((a, b) => rank[a.severity] - rank[b.severity]);
  const items = sorted.map((message) => {
    const place = [message.node && `node '${message.node}'`, message.framework || message.op, message.phase && `phase ${message.phase}`, message.location].filter(Boolean);
    return make(`li.${message.severity}`, {}, make("div", {}, make(`span.chip.${message.severity}`, {}, message.severity), make("code", {}, message.code), " ", message.message),
      place.length ? make("div.place", {}, place.join(" · ")) : "", ...message.inputs.map((input, i) => make("div.place", {}, `input ${i} ${input}`)), ...message.notes.map((note) => make("div.place", {}, note)),
      message.hint ? make("div.remedy", {}, make("b", {}, "Remedy: "), message.hint) : "");
  });
  const list = make("ul.messages", {}, ...items.slice(0, 50));
  if (items.length > 50) list.append(make("li", {}, make("details", {}, make("summary", {}, `${countText(items.length - 50)} more`), make("ul.messages", {}, ...items.slice(50)))));
  return section("messages", "Messages", plural(messages.length, "message"), list);
}

function fusionsSection({ fusions }, goToLayer) {
  if (!fusions.length) return undefined;
  const byPass = new Map();
  for (const fusion of fusions) for (const pass of fusion.passes) byPass.set(pass, (byPass.get(pass) ?? 0) + 1);
  const passes = [...byPass].sort((a, b) => b[1] - a[1]).map(([name, value]) => ({ name, value }));
  const folded = fusions.filter((fusion) => fusion.folded).length;
  return section("fusions", "Fusions", `${plural(fusions.length - folded, "layer")} made of several nodes, ${plural(folded, "constant")} computed`, barList(passes.slice(0, 20), countText), table([
    { title: "Layer", cell: (fusion) => goToLayer(fusion.row, fusion.layer || fusion.type) },
    { title: "Op", cell: (fusion) => (fusion.folded ? `${fusion.type}, computed` : fusion.type) },
    { title: "Made of", cell: (fusion) => chips(fusion.sources) },
    { title: "Passes", cell: (fusion) => chips(fusion.passes, 6) },
  ], fusions, 20));
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
  const note = `${countText(constants.count)}, ${bytesText(constants.bytes)}; ${countText(constants.shared)} share the bytes of others, which saves ${bytesText(constants.shared_bytes)}`;
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
function verificationSection({ verification }, goToNamed) {
  if (!verification) return undefined;
  const { layer, guilty } = verification;
  const [kind, words] = OUTCOMES[verification.verdict];
  const seeds = verification.seeds.length ? `, random inputs with seed ${verification.seeds.join(", ")}` : "";
  const value = (title, pick) => ({ title, number: true, cell: (output) => (output.difference ? numberText(pick(output.difference)) : "–") });
  const content = [table([
    { title: "Output", cell: (output) => output.name },
    { title: "", cell: (output) => (output.compared ? make(`span.chip.${output.close ? "good" : "bad"}`, {}, output.close ? "equal" : output.difference.kind ?? "different") : "not compared") },
    value("Largest difference", (difference) => difference.max_abs), value("Relative", (difference) => difference.max_rel), value("Units in the last place", (difference) => difference.max_ulp),
    value("Cosine", (difference) => difference.cosine), value("Of the tolerance", (difference) => difference.of_tolerance), value("Elements beyond", (difference) => difference.beyond_tolerance),
  ], verification.outputs)];
  if (layer) {
    const facts = [["Layer", goToNamed(1, layer.name)], ["Op", layer.type], ["Tensor", layer.tensor], ["Source", layer.source_node ? goToNamed(0, layer.source_node) : ""],
      ["Difference", layer.difference.kind ?? `${numberText(layer.difference.max_abs)} at element ${layer.difference.place}, ${numberText(layer.difference.of_tolerance)} times the tolerance`],
      ["Passes", verification.passes.length ? chips(verification.passes) : ""], ["Guilty", guilty ? (guilty.when === "during" ? `pass ${guilty.pass}` : "no pass") : ""]];
    content.push(make("h3", {}, verification.verdict === "different" ? "The numbers part here" : "Rounding decides here"),
      make("dl", {}, ...facts.filter(([, text]) => text).flatMap(([title, text]) => [make("dt", {}, title), make("dd", {}, text)])));
  }
  const file = (path) => path.split("/").at(-1);
  return section("verification", "Verification", `${file(verification.source)} against ${file(verification.checked)}${seeds}`, make(`p.verdict.${kind}`, {}, words), ...content);
}

function comparisonSection({ comparison }, goToNamed) {
  if (!comparison) return undefined;
  const { differences } = comparison;
  const counts = new Map();
  for (const each of differences) counts.set(each.kind, (counts.get(each.kind) ?? 0) + 1);
  const node = (side) => (each) => {
    const one = side === 0 ? each.before : each.after;
    return one ? (each.inside ? `${one.op} ${one.name} in ${each.inside}` : goToNamed(side, one.name, `${one.op} ${one.name}`)) : "";
  };
  return section("changes", "Differences", differences.length ? plural(differences.length, "difference") : "the graphs are the same", barList([...counts].map(([name, value]) => ({ name, value })), countText), table([
    { title: "Kind", cell: (each) => make(`span.chip.${each.kind}`, {}, each.kind) },
    { title: "Before", cell: node(0) }, { title: "After", cell: node(1) },
    { title: "What", cell: (each) => each.what },
    { title: "From", cell: (each) => shortened(each.from, 120) }, { title: "To", cell: (each) => shortened(each.to, 120) },
    { title: "Elements", cell: (each) => (each.elements ? `${plural(each.elements.differing, "element")}, at most ${numberText(each.elements.largest)}` : "") },
  ], differences, 50));
}
