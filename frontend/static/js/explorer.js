// @ts-check
/** Keeps what a swap of the table of results would lose: open folds, scrolled places, typed words, the focus; says the count. */

const PART = "#results-table";

/** @typedef {{ id: string, value: string }} Typed */

/** @type {{ open: string[], closed: string[], isFiltering: boolean, filters: number, columns: number, focused: string, values: string[], typed: Typed | null } | null} */
let before = null;

/** What the fields said when the server was asked last, by their ids. @type {Map<string, string>} */
let asked = new Map();

/** @param {string} selector @returns {HTMLElement | null} */
const find = (selector) => document.querySelector(selector);

/** @returns {HTMLDetailsElement[]} */
const folds = () => [...document.querySelectorAll(`${PART} details[id]`)].map((fold) => /** @type {HTMLDetailsElement} */ (fold));

/** Fields that are typed into: they filter on Enter, or when a range is left. @param {EventTarget | null} target */
const typedInto = (target) => (target instanceof HTMLInputElement && target.matches("[type=text], [type=search], [type=date]") ? target : null);

/** @returns {HTMLInputElement | null} */
const toggle = () => document.querySelector("#facet-toggle");

/** The boxes of a facet, or of all. @param {string} [facet] @returns {HTMLInputElement[]} */
const options = (facet) => [...document.querySelectorAll(`${PART} fieldset${facet ? `[data-facet="${facet}"]` : ""} .facet-option input`)].map((box) => /** @type {HTMLInputElement} */ (box));

/** @param {HTMLInputElement} box */
const named = (box) => `${box.name}=${box.value}`;

/** What takes the focus of a control: itself, the same chip turned round, the first value that is new. @param {string} id @param {string[]} values */
function heir(id, values) {
  const same = id && document.getElementById(id);
  if (same) return same;
  if (id.startsWith("chip-flip-")) return document.getElementById(id.endsWith("-not") ? id.slice(0, -"-not".length) : `${id}-not`);
  if (id.startsWith("more-")) return options(id.slice("more-".length)).find((box) => !box.disabled && !values.includes(named(box))) ?? null;
  return id.startsWith("fewer-") ? document.getElementById(id.replace("fewer-", "more-")) : null;
}

document.addEventListener("htmx:beforeRequest", () => {
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(`${PART} input`));
  asked = new Map([...fields].filter(typedInto).map((field) => [field.id, field.value]));
});

document.addEventListener("htmx:beforeSwap", () => {
  const field = typedInto(document.activeElement);
  before = {
    open: folds().filter((fold) => fold.open).map((fold) => fold.id),
    closed: folds().filter((fold) => !fold.open).map((fold) => fold.id),
    isFiltering: toggle()?.checked ?? false,
    filters: find("#filters")?.scrollTop ?? 0,
    columns: find("#results-rows")?.scrollLeft ?? 0,
    focused: document.activeElement?.id ?? "",
    values: options().map(named),
    typed: field && field.value !== asked.get(field.id) ? { id: field.id, value: field.value } : null, // since it asked
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
  if (document.activeElement === document.body) heir(before.focused, before.values)?.focus({ preventScroll: true });
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
  if (before || !range || range.contains(/** @type {Node | null} */ (event.relatedTarget))) return; // a field that a swap takes away is not left
  const fields = [...range.querySelectorAll("input")];
  if (fields.some((field) => field.value !== (asked.get(field.id) ?? field.defaultValue))) fields[0].form?.requestSubmit();
});
