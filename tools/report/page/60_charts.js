// Time and memory as pictures.

// A bar of parts side by side. parts: [{name, value}].
function stackedBar(parts, textOf) {
  const total = parts.reduce((sum, part) => sum + part.value, 0) || 1;
  const svg = draw("svg.stack", { viewBox: "0 0 1000 36", preserveAspectRatio: "none", role: "img", "aria-label": parts.map((part) => `${part.name}: ${textOf(part.value)}`).join(", ") });
  const legend = make("ul.legend");
  let x = 0;
  parts.forEach((part, i) => {
    const width = (part.value / total) * 1000;
    const bar = draw(`rect.part${i % 8}`, { x, y: 0, width: Math.max(0, width - 1.5), height: 36 }, draw("title", {}, `${part.name}: ${textOf(part.value)}`));
    svg.append(bar);
    x += width;
    legend.append(make("li", {}, make(`span.swatch.part${i % 8}`), `${part.name} `, make("b", {}, textOf(part.value)), make("span.note", {}, ` ${((part.value / total) * 100).toFixed(0)} %`)));
  });
  return make("div.chart", {}, svg, legend);
}

// Bars below one another. rows: [{name, note, value, dim}].
function barList(rows, textOf) {
  const most = Math.max(...rows.map((row) => row.value), 1e-12);
  return make("div.bars", {}, ...rows.map((row) =>
    make(`div.bar${row.note ? ".noted" : ""}${row.dim ? ".dim" : ""}`, {}, make("span.name", { title: row.name }, row.name), row.note ? make("span.note", {}, row.note) : "",
      draw("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, draw("rect", { width: Math.max(0.4, (row.value / most) * 100), height: 10, rx: 1 })),
      make("span.number", {}, textOf(row.value)))));
}

// The most memory that was needed until each moment.
function memoryChart(steps) {
  const [width, height, left, bottom] = [1000, 180, 62, 22];
  const total = steps.reduce((sum, step) => sum + step.seconds, 0) || 1;
  const most = Math.max(...steps.map((step) => step.peak_bytes)) * 1.08 || 1;
  const y = (bytes) => (height - bottom) * (1 - bytes / most);
  let x = left;
  let line = `M${left} ${y(steps[0].peak_bytes)}`;
  for (const step of steps) {
    x += (step.seconds / total) * (width - left);
    line += `H${x.toFixed(1)}V${y(step.peak_bytes).toFixed(1)}`;
  }
  const svg = draw("svg.memory", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Memory rises to ${bytesText(most / 1.08)}` });
  for (const share of [0, 0.25, 0.5, 0.75]) {
    const bytes = most * share;
    svg.append(draw("line.grid", { x1: left, x2: width, y1: y(bytes), y2: y(bytes) }), draw("text", { x: left - 8, y: y(bytes) + 4, "text-anchor": "end" }, bytesText(Math.round(bytes))));
  }
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const anchor = share === 0 ? "start" : share === 1 ? "end" : "middle";
    svg.append(draw("text", { x: left + share * (width - left), y: height - 5, "text-anchor": anchor }, secondsText(total * share)));
  }
  svg.append(draw("path.area", { d: `${line}V${height - bottom}H${left}Z` }), draw("path.line", { d: line }));
  return make("div.chart", {}, svg);
}
