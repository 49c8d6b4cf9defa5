// @ts-check
/** Sorts, searches and pages the rows of a report; without it the first ones are a plain table. */
(() => {
  const PAGE = 200; // rows at once
  const PRINTED = 5000; // rows on paper
  const section = /** @type {HTMLElement} */ (document.querySelector("[data-rows]"));
  const table = /** @type {HTMLTableElement} */ (section.querySelector("table"));
  const body = table.tBodies[0];
  const heads = [.../** @type {HTMLTableSectionElement} */ (table.tHead).rows[0].cells];
  const tools = /** @type {HTMLElement} */ (section.querySelector(".table-tools"));
  const search = /** @type {HTMLInputElement} */ (tools.querySelector("input"));
  const outcome = /** @type {HTMLSelectElement | null} */ (tools.querySelector("select"));
  const status = /** @type {HTMLElement} */ (tools.querySelector("[role=status]"));
  const steps = /** @type {HTMLButtonElement[]} */ ([...tools.querySelectorAll("[data-step]")]);
  const outcomes = heads.findIndex((head) => head.dataset.kind === "outcome");

  /** @typedef {(string | null)[]} Row */
  /** @type {Row[]} */
  const rows = [...body.rows].map((row) =>
    [...row.cells].map((cell) => (cell.hasAttribute("data-missing") ? null : cell.textContent)),
  );
  for (const block of document.querySelectorAll('script[type="application/json"]')) {
    for (const row of JSON.parse(block.textContent ?? "[]")) rows.push(row);
    block.remove();
  }
  let found = rows;
  let first = 0;
  let sorted = -1;
  let direction = 0;

  /** @param {string | null} value @param {number} place */
  function cell(value, place) {
    const made = document.createElement(place ? "td" : "th");
    if (!place) made.setAttribute("scope", "row");
    const { kind, missing } = heads[place].dataset;
    if (kind === "number") made.className = "num";
    if (kind === "long") made.className = "wrap";
    const inner = document.createElement(kind === "long" && value !== null ? "div" : "span");
    if (value === null) {
      made.dataset.missing = "";
      inner.className = "missing";
      inner.textContent = missing ?? "";
    } else {
      if (kind === "outcome") {
        inner.className = "outcome";
        inner.dataset.outcome = value;
      }
      if (kind === "long") inner.className = "long";
      inner.dir = "auto";
      inner.textContent = value;
    }
    made.append(inner);
    return made;
  }

  /** @param {number} start @param {number} end */
  function draw(start, end) {
    body.replaceChildren(
      ...found.slice(start, end).map((row) => {
        const made = document.createElement("tr");
        made.append(...row.map(cell));
        return made;
      }),
    );
  }

  /** @param {number} number */
  const count = (number) => number.toLocaleString("en");

  function show() {
    const end = Math.min(first + PAGE, found.length);
    draw(first, end);
    const of = found.length === rows.length ? "" : ` (of ${count(rows.length)})`;
    status.textContent = found.length
      ? `${count(first + 1)}–${count(end)} of ${count(found.length)} rows${of}`
      : `no row matches${of}`;
    steps[0].disabled = first === 0;
    steps[1].disabled = end >= found.length;
  }

  /** Missing values come last both ways; equal ones stay as they were. */
  function order() {
    if (!direction) return;
    const isNumber = heads[sorted].dataset.kind === "number";
    const keys = new Map(found.map((row) => [row, isNumber && row[sorted] !== null ? Number(row[sorted]) : row[sorted]]));
    found = [...found].sort((one, other) => {
      const [a, b] = [keys.get(one) ?? null, keys.get(other) ?? null];
      if (a === null || b === null) return Number(a === null) - Number(b === null);
      return a < b ? -direction : a > b ? direction : 0;
    });
  }

  function narrow() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = outcome?.value ?? "";
    const isAll = !words.length && !wanted;
    found = isAll
      ? rows
      : rows.filter((row) => {
          if (wanted && row[outcomes] !== wanted) return false;
          const text = words.length ? row.join("\n").toLowerCase() : "";
          return words.every((word) => text.includes(word));
        });
    order();
    first = 0;
    show();
  }

  heads.forEach((head, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      direction = sorted === place ? (direction === 1 ? -1 : direction === -1 ? 0 : 1) : 1;
      sorted = place;
      for (const other of heads) other.removeAttribute("aria-sort");
      if (direction) head.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
      narrow();
    });
  });
  search.addEventListener("input", narrow);
  outcome?.addEventListener("change", narrow);
  tools.querySelector("form")?.addEventListener("submit", (event) => event.preventDefault());
  for (const step of steps) {
    step.addEventListener("click", () => {
      first = Math.max(0, first + Number(step.dataset.step) * PAGE);
      show();
    });
  }
  window.addEventListener("beforeprint", () => draw(0, PRINTED));
  window.addEventListener("afterprint", show);

  const theme = /** @type {HTMLButtonElement} */ (document.querySelector("[data-theme-switch]"));
  theme.hidden = false;
  theme.addEventListener("click", () => {
    const root = document.documentElement;
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
  });
  tools.hidden = false;
  show();
})();
