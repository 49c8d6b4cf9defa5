// @ts-check
/** Copies the address, a block of text with its hidden characters, or a whole document; the buttons show only with scripts. */

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

/** @param {HTMLButtonElement} button */
async function wanted(button) {
  if (button.dataset.copy === "address") return location.href;
  if (button.dataset.copy === "document") return (await fetch(button.dataset.from ?? "")).text();
  const block = button.closest(".code, .panel")?.querySelector("pre, [data-copied]");
  return block ? textOf(block) : "";
}

/** @param {HTMLButtonElement} button */
async function copy(button) {
  const label = button.lastChild;
  if (!label) return;
  const before = label.textContent;
  try {
    await navigator.clipboard.writeText(await wanted(button));
    label.textContent = "Copied";
  } catch {
    label.textContent = "Not copied";
  }
  setTimeout(() => (label.textContent = before), SAID_MS);
}

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-copy]"))) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", () => copy(button));
}
