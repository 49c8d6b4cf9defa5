// @ts-check
/** Opens the page behind a link or a form marked with `data-dialog` as a dialog; without scripts it is a page of its own. */

/** @param {string} address */
async function open(address) {
  const response = await fetch(address, { headers: { "HX-Request": "true" } }).catch(() => null);
  if (!response?.ok) {
    location.assign(address);
    return;
  }
  const dialog = document.createElement("dialog");
  dialog.className = "dialog";
  dialog.setAttribute("aria-labelledby", "dialog-title");
  dialog.innerHTML = await response.text();
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (target !== dialog && !target.closest("[data-close]")) return;
    event.preventDefault();
    dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
}

document.addEventListener("click", (event) => {
  const link = /** @type {HTMLElement} */ (event.target).closest?.("a[data-dialog]");
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  link.closest("details.menu")?.removeAttribute("open");
  open(link.href);
});

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches("[data-dialog]") || event.submitter?.hasAttribute("formaction")) return;
  event.preventDefault();
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) query.append(name, String(value));
  open(`${form.action}?${query}`);
});
