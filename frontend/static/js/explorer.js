// @ts-check
/** Keeps what a swap of the table of results would lose: open folds, scrolled places, typed words, the focus; says the count. */

const PART = "#results-table";

/** @type {{ open: string[], closed: string[], isFiltering: boolean, filters: number, columns: number, focused: string, typed: HTMLInputElement | null } | null} */
let before = null;

/** @param {string} selector @returns {HTMLElement | null} */
const find = (selector) => document.querySelector(selector);

/** @returns {HTMLDetailsElement[]} */
const folds = () => [...document.querySelectorAll(`${PART} details[id]`)].map((fold) => /** @type {HTMLDetailsElement} */ (fold));

/** Fields that are typed into: they filter on Enter, or when a range is left. @param {EventTarget | null} target */
const typedInto = (target) => (target instanceof HTMLInputElement && target.matches("[type=text], [type=search], [type=date]") ? target : null);

/** @returns {HTMLInputElement | null} */
const toggle = () => document.querySelector("#facet-toggle");

document.addEventListener("htmx:beforeSwap", () => {
  before = {
    open: folds().filter((fold) => fold.open).map((fold) => fold.id),
    closed: folds().filter((fold) => !fold.open).map((fold) => fold.id),
    isFiltering: toggle()?.checked ?? false,
    filters: find("#filters")?.scrollTop ?? 0,
    columns: find("#results-rows")?.scrollLeft ?? 0,
    focused: document.activeElement?.id ?? "",
    typed: typedInto(document.activeElement),
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
  const field = before.typed && document.getElementById(before.typed.id);
  if (before.typed && field instanceof HTMLInputElement) field.value = before.typed.value;
  // What was in a fold that was closed at first could not be focused by htmx.
  if (document.activeElement === document.body) document.getElementById(before.focused)?.focus({ preventScroll: true });
  before = null;
  const said = find("[data-results-said]");
  if (said) said.textContent = find(PART)?.dataset.said ?? "";
});

/** The control that caused the swap may be gone with it: then the focus goes to the rows, not back to the page's start. */
document.addEventListener("htmx:afterSettle", () => {
  if (document.activeElement === document.body) find("#results-rows")?.focus({ preventScroll: true });
});

document.addEventListener("change", (event) => typedInto(event.target)?.form?.id === "filters" && event.stopPropagation(), true);

document.addEventListener("focusout", (event) => {
  const range = typedInto(event.target)?.closest(".range");
  if (!range || range.contains(/** @type {Node | null} */ (event.relatedTarget))) return;
  const fields = [...range.querySelectorAll("input")];
  if (fields.some((field) => field.value !== field.defaultValue)) fields[0].form?.requestSubmit();
});
