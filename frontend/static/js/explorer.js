// @ts-check
/** Keeps what a swap of the table of results would lose: open folds, scrolled places, the focus; and says the new count. */

const PART = "#results-table";

/** @type {{ open: string[], closed: string[], isFiltering: boolean, filters: number, columns: number } | null} */
let before = null;

/** @param {string} selector @returns {HTMLElement | null} */
const find = (selector) => document.querySelector(selector);

/** @returns {HTMLDetailsElement[]} */
const folds = () => [...document.querySelectorAll(`${PART} details[id]`)].map((fold) => /** @type {HTMLDetailsElement} */ (fold));

/** @returns {HTMLInputElement | null} */
const toggle = () => document.querySelector("#facet-toggle");

document.addEventListener("htmx:beforeSwap", () => {
  before = {
    open: folds().filter((fold) => fold.open).map((fold) => fold.id),
    closed: folds().filter((fold) => !fold.open).map((fold) => fold.id),
    isFiltering: toggle()?.checked ?? false,
    filters: find("#filters")?.scrollTop ?? 0,
    columns: find("#results-rows")?.scrollLeft ?? 0,
  };
});

document.addEventListener("htmx:afterSwap", () => {
  if (!before) return;
  for (const fold of folds()) {
    if (before.open.includes(fold.id)) fold.open = true;
    if (before.closed.includes(fold.id)) fold.open = false;
  }
  const box = toggle();
  if (box) box.checked = before.isFiltering;
  find("#filters")?.scrollTo(0, before.filters);
  find("#results-rows")?.scrollTo(before.columns, 0);
  before = null;
  const said = find("[data-results-said]");
  if (said) said.textContent = find(PART)?.dataset.said ?? "";
});

/** The control that caused the swap may be gone with it: then the focus goes to the rows, not back to the page's start. */
document.addEventListener("htmx:afterSettle", () => {
  if (document.activeElement === document.body) find("#results-rows")?.focus({ preventScroll: true });
});
