// Elements of the page. Text of a model gets in as text nodes only.

const SVG = "http://www.w3.org/2000/svg";

// make("td.number", {title: "…"}, "text", element, …): attributes whose value is a function are listeners.
function make(what, attributes = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  return fill(document.createElement(tag), classes, attributes, children);
}
function draw(what, attributes = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  return fill(document.createElementNS(SVG, tag), classes, attributes, children);
}
function fill(element, classes, attributes, children) {
  if (classes.length) element.setAttribute("class", classes.join(" "));
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== ""));
  return element;
}

function bytesText(bytes) {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let unit = 0;
  while (bytes >= 1000 && unit < units.length - 1) {
    bytes /= 1000;
    unit++;
  }
  return `${unit === 0 ? bytes : bytes.toPrecision(3)} ${units[unit]}`;
}
function countText(count) {
  return Number(count).toLocaleString("en-US");
}
function plural(count, word) {
  return `${countText(count)} ${word}${count === 1 ? "" : "s"}`;
}
function shortCount(count) {
  const units = ["", "k", "M", "G", "T"];
  let unit = 0;
  while (count >= 1000 && unit < units.length - 1) {
    count /= 1000;
    unit++;
  }
  return unit === 0 ? String(count) : `${count.toPrecision(3)} ${units[unit]}`;
}
function secondsText(seconds) {
  return seconds >= 1 ? `${seconds.toFixed(2)} s` : `${(seconds * 1000).toFixed(seconds >= 0.01 ? 1 : 2)} ms`;
}
// Both ends of a long name tell more than its beginning.
function shortened(text, most) {
  if (text.length <= most) return text;
  const front = Math.floor((most - 1) / 3);
  return `${text.slice(0, front)}…${text.slice(text.length - (most - 1 - front))}`;
}

const TABLE_STEP = 100;

// A table of rows that are made when they are first shown. columns: [{title, cell: (row) => text or element, number}].
function table(columns, rows, shown = TABLE_STEP) {
  const body = make("tbody");
  const more = make("button.more", { type: "button", click: () => add(Math.max(TABLE_STEP, 10 * body.children.length)) });
  const wrapper = make("div.table", {},
    make("table", {}, make("thead", {}, make("tr", {}, ...columns.map((column) => make(column.number ? "th.number" : "th", { scope: "col" }, column.title)))), body), more);
  function add(count) {
    const from = body.children.length;
    for (const row of rows.slice(from, from + count)) {
      body.append(make("tr", {}, ...columns.map((column) => make(column.number ? "td.number" : "td", {}, column.cell(row) ?? ""))));
    }
    const left = rows.length - body.children.length;
    more.textContent = `Show more (${countText(left)} left)`;
    more.hidden = left === 0;
  }
  add(shown);
  return wrapper;
}

// A scrolling list of any length: only what is seen exists.
class VirtualList {
  constructor(count, makeItem, rowHeight = 26) {
    this.makeItem = makeItem;
    this.rowHeight = rowHeight;
    this.spacer = make("div.spacer");
    this.window = make("div.window", { role: "presentation" });
    this.element = make("div.list", { tabindex: "0", role: "listbox", scroll: () => this.render() }, this.spacer, this.window);
    this.resize(count);
    new ResizeObserver(() => this.render()).observe(this.element);
  }
  resize(count) {
    this.count = count;
    // Browsers have a largest height: beyond, the bar scrolls faster than the rows.
    this.height = Math.min(count * this.rowHeight, 8_000_000);
    this.spacer.style.height = `${this.height}px`;
    this.element.scrollTop = 0;
    this.render();
  }
  get rowsSeen() {
    return Math.ceil(this.element.clientHeight / this.rowHeight);
  }
  // Rows above the window, not whole.
  get offset() {
    const range = this.height - this.element.clientHeight;
    const rows = this.count - this.element.clientHeight / this.rowHeight;
    return range <= 0 || rows <= 0 ? 0 : (Math.min(this.element.scrollTop, range) / range) * rows;
  }
  render() {
    const first = Math.floor(this.offset);
    this.window.style.transform = `translateY(${this.element.scrollTop - (this.offset - first) * this.rowHeight}px)`;
    const items = [];
    for (let i = first; i < Math.min(this.count, first + this.rowsSeen + 1); i++) items.push(this.makeItem(i));
    this.window.replaceChildren(...items);
  }
  show(index) {
    const offset = this.offset;
    const rows = this.element.clientHeight / this.rowHeight;
    if (index < offset || index > offset + rows - 1) {
      const wanted = Math.min(Math.max(0, index - rows / 2), Math.max(0, this.count - rows));
      const range = this.height - this.element.clientHeight;
      this.element.scrollTop = this.count > rows ? (wanted / (this.count - rows)) * range : 0;
    }
    this.render();
  }
}
