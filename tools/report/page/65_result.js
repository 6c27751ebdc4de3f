// What a reader wants to know first: how it ended, what was said about it, and what to type now.

const OUTCOMES = {
  converted: ["good", "Converted"], failed: ["bad", "Failed"], equal: ["good", "Equal"], unstable: ["fair", "Equal but for rounding"], different: ["bad", "Different"], same: ["good", "The same"],
};
const VERIFIED = { equal: "the same as", unstable: "the same as, but for rounding,", different: "something else than" };

function section(id, title, note, ...content) {
  return make("section.block", { id }, make("header", {}, make("h2", {}, title), make("span.note", {}, note)), ...content);
}
function fileName(path) {
  return path.split("/").at(-1);
}

function resultSection(report, goToNamed) {
  const { status, verification, messages } = report;
  const verdicts = [make(`p.verdict.${(OUTCOMES[status] ?? ["fair"])[0]}`, {}, (OUTCOMES[status] ?? ["", status])[1])];
  if (verification && report.kind === "conversion") verdicts.push(make(`p.verdict.${OUTCOMES[verification.verdict][0]}`, {}, OUTCOMES[verification.verdict][1]));
  const content = [make("div.verdicts", {}, ...verdicts), ...storyOf(report, goToNamed).map((line) => make("p.story", {}, ...line))];
  if (messages.length) content.push(messageList(messages));
  return section("result", "Result", report.title, ...content);
}

// Lines of texts and elements.
function storyOf({ kind, status, model, ir, verification, comparison, measurements }, goToNamed) {
  const lines = [];
  if (kind === "conversion" && ir) {
    lines.push([`${ir.xml} (${bytesText(ir.xml_bytes)}) and ${ir.bin} (${bytesText(ir.bin_bytes)}): IR version ${ir.version}, ${plural(ir.layers, "layer")}${model ? ` of ${plural(model.nodes, "node")} of the model` : ""}.`,
      measurements.steps.length ? ` It took ${secondsText(measurements.seconds)} and at most ${bytesText(measurements.peak_bytes)} of memory.` : ""]);
  } else if (kind === "conversion" && status === "failed") {
    lines.push(["No IR was written."]);
  }
  if (verification) {
    const worst = verification.outputs.filter((output) => output.difference).sort((a, b) => (b.difference.of_tolerance ?? Infinity) - (a.difference.of_tolerance ?? Infinity))[0];
    const figure = worst && !worst.difference.kind ? `: output ${worst.name} differs by at most ${numberText(worst.difference.max_abs)}, ${numberText(worst.difference.of_tolerance)} times what is allowed` : "";
    const { layer, guilty, source, checked, seeds } = verification;
    lines.push([`${fileName(checked)} computes ${VERIFIED[verification.verdict]} ${fileName(source)}${figure}.`]);
    if (layer) {
      const by = !guilty ? "" : guilty.when === "during" ? ` Pass ${guilty.pass} changed the numbers.` : " No pass changed the numbers.";
      lines.push(["The first layer with other numbers is ", goToNamed(1, layer.name), ` (${layer.type}).${by}`]);
    }
    if (seeds.length) lines.push([make("span.note", {}, `Random inputs of seed ${seeds.join(", ")}.`)]);
  }
  if (comparison) {
    const counts = new Map();
    for (const each of comparison.differences) counts.set(each.kind, (counts.get(each.kind) ?? 0) + 1);
    lines.push([counts.size ? `${plural(comparison.differences.length, "difference")}: ${[...counts].map(([name, number]) => `${countText(number)} ${name}`).join(", ")}.` : "Both graphs have the same nodes, connections, attributes and constants."]);
  }
  return lines;
}

function messageList(messages) {
  const rank = { error: 0, warning: 1, note: 2 };
  const sorted = [...messages].sort((a, b) => rank[a.severity] - rank[b.severity]);
  const items = sorted.map((message) => {
    const place = [message.node && `node '${message.node}'`, message.framework || message.op, message.phase && `phase ${message.phase}`, message.location].filter(Boolean);
    return make(`li.${message.severity}`, {}, make("div", {}, make(`span.chip.${message.severity}`, {}, message.severity), make("code", {}, message.code), " ", message.message),
      place.length ? make("div.place", {}, place.join(" · ")) : "", ...message.inputs.map((input, i) => make("div.place", {}, `input ${i} ${input}`)), ...message.notes.map((note) => make("div.place", {}, ...withCode(note))),
      message.hint ? make("div.remedy", {}, make("b", {}, "Remedy: "), ...withCode(message.hint)) : "");
  });
  const box = make("div", { id: "messages" }, make("ul.messages", {}, ...items.slice(0, 20)));
  if (items.length > 20) box.append(make("details", {}, make("summary", {}, plural(items.length - 20, "other message")), make("ul.messages", {}, ...items.slice(20))));
  return box;
}

// Command lines and JSON in a text, in boxes that can be copied: what stands between backticks and begins with "mo", and lines that are JSON.
function withCode(text) {
  const parts = [];
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    if (/^[{[].*[}\]]$/.test(trimmed) || /^mo(-ovc)? \S/.test(trimmed)) {
      parts.push(codeBox(trimmed));
      continue;
    }
    const pieces = line.split("`");
    pieces.forEach((piece, i) => {
      if (i % 2 === 0 || i === pieces.length - 1) parts.push(i % 2 === 1 ? `\`${piece}` : piece);
      else parts.push(/^mo(-ovc)? \S/.test(piece) ? codeBox(piece) : make("code", {}, piece));
    });
    parts.push(" ");
  }
  return parts;
}
function codeBox(text) {
  const button = make("button", { type: "button", title: "Copy", click: () => {
    navigator.clipboard?.writeText(text).then(() => (button.textContent = "Copied"), () => selectText(code));
    if (!navigator.clipboard) selectText(code);
  } }, "Copy");
  const code = make("code", {}, text);
  return make("div.code", {}, code, button);
}
// Where a browser gives files no clipboard, the text is at least selected.
function selectText(element) {
  getSelection().selectAllChildren(element);
}
