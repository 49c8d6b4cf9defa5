// @ts-check
/** Copies the address, a block of text with its hidden characters, a whole document or ids; most buttons show only with scripts. */

const SAID_MS = 1500;

/** The text of a block: names of hidden characters turn back into them, our notes are left out. @param {Element} block */
function textOf(block) {
  const copy = /** @type {Element} */ (block.cloneNode(true));
  for (const note of copy.querySelectorAll(".missing")) note.remove();
  for (const name of copy.querySelectorAll(".bidi")) {
    name.replaceWith(String.fromCodePoint(parseInt((name.textContent ?? "").slice(2), 16)));
  }
  return copy.textContent ?? "";
}

/** What a button of a form would lead to. @param {HTMLButtonElement} button */
function addressOf(button) {
  const fields = /** @type {[string, string][]} */ ([...new FormData(button.form ?? undefined)]);
  return `${button.formAction}?${new URLSearchParams(fields)}`;
}

/** @param {string} address */
async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.text();
}

/** @param {HTMLButtonElement} button */
async function wanted(button) {
  if (button.dataset.copy === "address") return location.href;
  if (button.dataset.copy === "document") return fetched(button.dataset.from ?? "");
  if (button.dataset.copy === "ids") return fetched(addressOf(button));
  const block = button.closest(".code, .panel")?.querySelector("pre, [data-copied]");
  return block ? textOf(block) : "";
}

/** @param {HTMLButtonElement} button */
async function copy(button) {
  const label = button.lastChild;
  if (!label || button.ariaBusy) return;
  const before = label.textContent;
  button.ariaBusy = "true";
  try {
    await navigator.clipboard.writeText(await wanted(button));
    label.textContent = "Copied";
  } catch {
    label.textContent = "Not copied";
  }
  button.ariaBusy = null;
  setTimeout(() => (label.textContent = before), SAID_MS);
}

function show() {
  for (const button of document.querySelectorAll("[data-copy]")) /** @type {HTMLElement} */ (button).hidden = false;
}

document.addEventListener("click", (event) => {
  const button = /** @type {Element} */ (event.target).closest("button[data-copy]");
  if (!(button instanceof HTMLButtonElement) || !navigator.clipboard) return;
  event.preventDefault(); // a button of a form leads to what is copied here
  copy(button);
});

if (navigator.clipboard) {
  document.addEventListener("htmx:afterSettle", show);
  show();
}
