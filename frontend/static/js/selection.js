// @ts-check
/** Selected rows of a table: counts them on all its pages, marks them, and selects a whole page or a stretch with Shift. */

import { keep, picks } from "./picks.js";

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

/** Picks of other pages go with the form. @param {HTMLFormElement} form @param {string[]} elsewhere @param {string} name */
function carry(form, elsewhere, name) {
  for (const field of form.querySelectorAll("input[data-elsewhere]")) field.remove();
  for (const value of elsewhere) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    field.dataset.elsewhere = "";
    form.append(field);
  }
}

/** @param {HTMLFormElement} form @param {boolean} isAll @param {number} number */
function showButtons(form, isAll, number) {
  for (const button of form.querySelectorAll("button")) {
    button.disabled = button.matches("[data-of-rows]") ? isAll || !number : !isAll && !number;
  }
  const why = /** @type {HTMLElement | null} */ (form.querySelector("[data-of-rows-only]"));
  if (why) why.hidden = !isAll;
}

/** Shows what is picked: the boxes of this page, and the count on all pages. */
function show() {
  const form = tools();
  if (!form) return;
  const rows = boxes();
  const chosen = rows.filter((box) => box.checked);
  const here = new Set(rows.map((box) => box.value));
  const elsewhere = [...picks()].filter((value) => !here.has(value));
  const number = chosen.length + elsewhere.length;
  for (const box of rows) box.closest("tr")?.setAttribute("aria-selected", String(box.checked));
  const isAll = /** @type {HTMLInputElement | null} */ (form.querySelector("input[name=all]"))?.checked ?? false;
  const words = form.querySelector("[data-selected]");
  const others = elsewhere.length ? `, ${elsewhere.length} on other pages` : "";
  if (words) words.textContent = isAll ? "All selected" : `${number} selected${others}`;
  showPage(chosen.length, rows.length);
  form.toggleAttribute("data-empty", !number && !isAll);
  carry(form, elsewhere, rows[0]?.name ?? "");
  showButtons(form, isAll, number);
}

/** Keeps what the boxes of this page say now. */
function remember() {
  const picked = picks();
  for (const box of boxes()) {
    if (box.checked) picked.add(box.value);
    else picked.delete(box.value);
  }
  keep(picked);
  show();
}

/** Boxes say what is kept of them. */
function recall() {
  const picked = picks();
  for (const box of boxes()) box.checked = picked.has(box.value);
  show();
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
  if (!(box instanceof HTMLInputElement) || !tools()) return;
  const isPage = box.closest("[data-select-page]") !== null;
  const isRow = box.matches("tbody input[form]");
  if (isPage) for (const other of boxes()) other.checked = box.checked;
  if (isRow && !box.checked) {
    const all = /** @type {HTMLInputElement | null} */ (tools()?.querySelector("input[name=all]"));
    if (all) all.checked = false;
  }
  if (isPage || isRow) remember();
  else show();
});

document.addEventListener("reset", (event) => {
  if (event.target !== tools()) return;
  keep(new Set());
  setTimeout(show); // the boxes are reset after the event
});

// What is deleted is picked no more.
document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.method !== "post" || !form.closest("dialog")) return;
  const picked = picks();
  for (const value of String(new FormData(form).get("evaluation") ?? "").split(",")) picked.delete(value);
  keep(picked);
});

document.addEventListener("htmx:afterSettle", recall);
addEventListener("pageshow", recall);
recall();
