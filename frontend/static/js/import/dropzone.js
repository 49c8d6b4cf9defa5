// @ts-check
/** The import page: dropped or chosen files are sent one by one, each with its progress, then the jobs are shown. */

import { chosenFiles, droppedFiles } from "./dropped.js";
import { isProjectGood } from "./project.js";
import { upload } from "./upload.js";

const SHOWN = 200; // rows; a folder may have thousands of files

const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-import]"));
const zone = /** @type {HTMLElement} */ (form.querySelector("[data-drop]"));
const panel = /** @type {HTMLElement} */ (document.querySelector("[data-uploads]"));
const list = /** @type {HTMLElement} */ (panel.querySelector("[data-uploads-list]"));
const row = /** @type {HTMLTemplateElement} */ (panel.querySelector("template"));
const counter = /** @type {HTMLElement} */ (panel.querySelector("[data-uploads-count]"));
const problems = /** @type {HTMLElement} */ (document.querySelector("[data-problems]"));

/** @typedef {{ named: import("./dropped.js").Named, row: HTMLElement | null }} Waiting */

/** @type {Waiting[]} */
const waiting = [];
let isSending = false;
let given = 0;
let refused = 0;
/** @type {string[]} */
const addresses = [];
let stop = new AbortController();

/** @param {number} bytes */
const size = (bytes) => (bytes < 1000 ? `${bytes} bytes` : bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

/** @param {HTMLElement | null} element @param {string} words @param {number} share */
function show(element, words, share) {
  const state = element?.querySelector("[data-state]");
  if (state) state.textContent = words;
  element?.querySelector("rect")?.setAttribute("width", `${(100 * share).toFixed(1)}%`);
}

/** @param {import("./dropped.js").Named[]} files */
function add(files) {
  for (const named of files) {
    const element = given < SHOWN ? /** @type {HTMLElement} */ (row.content.firstElementChild?.cloneNode(true)) : null;
    if (element) {
      const name = element.querySelector("[data-name]");
      if (name) name.textContent = named.name;
      show(element, size(named.file.size), 0);
      list.append(element);
    }
    given += 1;
    waiting.push({ named, row: element });
  }
  panel.hidden = given === 0;
  sendAll();
}

/** @param {Waiting} item */
async function send(item) {
  const total = size(item.named.file.size);
  const answer = await upload(form, item.named, (share) => show(item.row, `${Math.floor(100 * share)} % of ${total}`, share), stop.signal);
  if (answer.address) {
    addresses.push(answer.address);
    show(item.row, `${total}, sent`, 1);
    return;
  }
  refused += 1;
  item.row?.setAttribute("data-refused", "");
  show(item.row, stop.signal.aborted ? "stopped" : answer.problem ? "refused" : "not sent: the server did not answer", 0);
  if (answer.problem) problems.insertAdjacentHTML("beforeend", answer.problem);
}

/** Sends one after the other, in the order in which they were given: a copy counts in the file that came first. */
async function sendAll() {
  if (isSending || !waiting.length) return;
  isSending = true;
  const isGood = await isProjectGood(form);
  if (!isGood) ask();
  for (let item = waiting[0]; isGood && item; item = waiting[0]) {
    waiting.shift();
    await send(item);
    counter.textContent = `${addresses.length + refused} of ${given}`;
  }
  isSending = false;
  if (isGood) finish();
}

/** What waits goes on when the name is put right. */
function ask() {
  counter.textContent = `${waiting.length === 1 ? "1 file waits" : `${waiting.length} files wait`}: nothing was sent. Put the name of the project right.`;
  /** @type {HTMLInputElement | null} */ (form.querySelector("#new-project"))?.focus();
}

form.addEventListener("change", (event) => {
  if (/** @type {Element} */ (event.target).matches("#project, #new-project")) sendAll();
});

// Enter in the name's field must not send the form while files wait for it.
form.addEventListener("submit", (event) => {
  if (!waiting.length) return;
  event.preventDefault();
  sendAll();
});

function finish() {
  const address = addresses.length === 1 ? addresses[0] : `${form.dataset.jobs}?batch=${new FormData(form).get("batch")}`;
  if (!addresses.length) return;
  if (!refused) {
    location.assign(address);
    return;
  }
  const link = document.createElement("a");
  link.className = "button";
  link.href = address;
  link.textContent = "Go to the import";
  counter.replaceChildren(`${addresses.length} of ${given} sent `, link);
}

for (const input of form.querySelectorAll("input[type=file]")) {
  input.addEventListener("change", () => {
    add(chosenFiles(/** @type {HTMLInputElement} */ (input)));
    /** @type {HTMLInputElement} */ (input).value = "";
  });
}

panel.querySelector("[data-uploads-stop]")?.addEventListener("click", () => {
  for (const item of waiting.splice(0)) show(item.row, "stopped", 0);
  counter.textContent = `${addresses.length + refused} of ${given}`;
  stop.abort();
  stop = new AbortController();
});

// The whole page takes the drop: a file that misses the zone must not replace the page.
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  zone.setAttribute("data-over", "");
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) zone.removeAttribute("data-over");
});
document.addEventListener("drop", async (event) => {
  event.preventDefault();
  zone.removeAttribute("data-over");
  if (event.dataTransfer) add(await droppedFiles(event.dataTransfer));
});
