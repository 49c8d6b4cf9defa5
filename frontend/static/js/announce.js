// @ts-check
/** A part that asks again: its state is read out loud when its words change, and the top bar counts the jobs anew. */

let said = "";

document.addEventListener("htmx:afterSwap", () => {
  const part = /** @type {HTMLElement | null} */ (document.querySelector("[data-status]"));
  const words = part?.dataset.status ?? "";
  const count = document.querySelector("[data-jobs-count]");
  if (part?.dataset.jobs && count) count.textContent = part.dataset.jobs;
  if (!part?.dataset.jobs) document.querySelector(".jobs-link")?.remove();
  const announcer = document.querySelector("[data-announcer]");
  if (!announcer || words === said) return;
  said = words;
  announcer.textContent = words;
});
