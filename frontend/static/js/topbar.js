// @ts-check
/** Keeps the top bar's count of jobs true while there are any, and closes the message about what was done. */

const PAUSE_MS = 2000;

async function count() {
  const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector(".jobs-link"));
  if (!link) return;
  if (document.hidden) return later();
  const answer = await fetch(link.dataset.count ?? "").catch(() => null);
  const words = answer?.ok ? await answer.text() : null;
  const place = link.querySelector("[data-jobs-count]");
  if (words === "") link.remove();
  else if (words && place) place.textContent = words;
  later();
}

function later() {
  setTimeout(count, PAUSE_MS);
}

document.addEventListener("click", (event) => {
  const close = /** @type {Element} */ (event.target).closest("[data-toast-close]");
  if (!close) return;
  event.preventDefault();
  close.closest(".toasts")?.remove();
});

later();
