// @ts-check
/** Switches the theme at once; the form's own POST keeps the choice, and does everything where scripts are off. */

/** @param {SubmitEvent} event */
function choose(event) {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const button = event.submitter;
  if (!form.matches("[data-theme-form]") || !(button instanceof HTMLButtonElement)) return;
  event.preventDefault();
  const root = document.documentElement;
  if (button.value) root.dataset.theme = button.value;
  else delete root.dataset.theme;
  for (const other of form.querySelectorAll("button")) other.removeAttribute("aria-current");
  button.setAttribute("aria-current", "true");
  const menu = form.closest("details");
  menu?.removeAttribute("open");
  menu?.querySelector("summary")?.focus();
  fetch(form.action, { method: "POST", body: new FormData(form, button), redirect: "manual", keepalive: true });
}

document.addEventListener("submit", choose);
