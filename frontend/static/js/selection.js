// @ts-check
/** Selected rows of a table: counts them, marks their rows, and selects a whole page or a stretch with Shift. */

/** @type {HTMLInputElement | null} */
let last = null;

/** @returns {HTMLFormElement | null} */
const tools = () => document.querySelector("form[data-selection]");

/** @returns {HTMLInputElement[]} */
const boxes = () => [...document.querySelectorAll("tbody input[type=checkbox][form]")].map((box) => /** @type {HTMLInputElement} */ (box));

/** The box that stands for all rows of the page, alone or in its label; it needs scripts. @returns {HTMLElement | null} */
const page = () => document.querySelector("[data-select-page]");

/** @param {HTMLElement} place @returns {HTMLInputElement | null} */
const boxOf = (place) => (place instanceof HTMLInputElement ? place : place.querySelector("input"));

/** @param {number} chosen @param {number} rows */
function showPage(chosen, rows) {
  const place = page();
  const box = place && boxOf(place);
  if (!place || !box) return;
  place.hidden = false;
  box.checked = chosen > 0 && chosen === rows;
  box.indeterminate = chosen > 0 && chosen < rows;
}

function show() {
  const form = tools();
  if (!form) return;
  const rows = boxes();
  const chosen = rows.filter((box) => box.checked);
  for (const box of rows) box.closest("tr")?.setAttribute("aria-selected", String(box.checked));
  const isAll = /** @type {HTMLInputElement | null} */ (form.querySelector("input[name=all]"))?.checked ?? false;
  const words = form.querySelector("[data-selected]");
  if (words) words.textContent = isAll ? "All selected" : `${chosen.length} selected`;
  showPage(chosen.length, rows.length);
  form.toggleAttribute("data-empty", !chosen.length && !isAll);
  for (const button of form.querySelectorAll("button")) {
    button.disabled = button.matches("[data-of-rows]") ? isAll || !chosen.length : !isAll && !chosen.length;
  }
}

document.addEventListener("click", (event) => {
  const box = event.target;
  if (!(box instanceof HTMLInputElement) || !box.matches("tbody input[form]")) return;
  const rows = boxes();
  if (event.shiftKey && last && rows.includes(last)) {
    const ends = [rows.indexOf(last), rows.indexOf(box)].sort((a, b) => a - b);
    for (const other of rows.slice(ends[0], ends[1] + 1)) other.checked = box.checked;
  }
  last = box;
});

document.addEventListener("change", (event) => {
  const box = event.target;
  if (!(box instanceof HTMLInputElement)) return;
  if (box.closest("[data-select-page]")) for (const other of boxes()) other.checked = box.checked;
  if (box.matches("tbody input[form]") && !box.checked) {
    const all = /** @type {HTMLInputElement | null} */ (tools()?.querySelector("input[name=all]"));
    if (all) all.checked = false;
  }
  show();
});

document.addEventListener("reset", () => setTimeout(show)); // the boxes are reset after the event
document.addEventListener("htmx:afterSettle", show);
addEventListener("pageshow", show);
show();
