// @ts-check
/** Selected rows of a table: counts them, marks their rows, and selects a whole page or a stretch with Shift. */

/** @type {HTMLInputElement | null} */
let last = null;

/** @returns {HTMLFormElement | null} */
const tools = () => document.querySelector("form[data-selection]");

/** @returns {HTMLInputElement[]} */
const boxes = () => [...document.querySelectorAll("tbody input[type=checkbox][form]")].map((box) => /** @type {HTMLInputElement} */ (box));

function show() {
  const form = tools();
  if (!form) return;
  const rows = boxes();
  const chosen = rows.filter((box) => box.checked);
  for (const box of rows) box.closest("tr")?.setAttribute("aria-selected", String(box.checked));
  const all = /** @type {HTMLInputElement | null} */ (form.querySelector("input[name=all]"));
  const words = form.querySelector("[data-selected]");
  if (words) words.textContent = all?.checked ? "All selected" : `${chosen.length} selected`;
  const page = /** @type {HTMLElement | null} */ (form.querySelector("[data-select-page]"));
  const box = page?.querySelector("input");
  if (page && box) {
    page.hidden = false;
    box.checked = chosen.length > 0 && chosen.length === rows.length;
    box.indeterminate = chosen.length > 0 && chosen.length < rows.length;
  }
  const button = form.querySelector("button");
  if (button) button.disabled = !chosen.length && !all?.checked;
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
  show();
});

document.addEventListener("htmx:afterSettle", show);
addEventListener("pageshow", show);
show();
