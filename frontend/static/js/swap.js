// @ts-check
/** What htmx leaves open: a part that is being fetched says so, and an answer that is no part becomes a page of its own. */

/** @param {Event} event @returns {HTMLElement | null} */
const partOf = (event) => /** @type {CustomEvent} */ (event).detail.target;

/** A part that asks again by itself changes without a word, and waits out a server that is away. @param {Event} event */
const asksAgain = (event) => /** @type {CustomEvent} */ (event).detail.elt.matches("[data-poll]");

document.addEventListener("htmx:beforeRequest", (event) => {
  if (asksAgain(event)) return;
  partOf(event)?.querySelector(".table-wrap")?.setAttribute("aria-busy", "true");
});

for (const failure of ["htmx:responseError", "htmx:sendError"]) {
  document.addEventListener(failure, (event) => {
    if (asksAgain(event)) return;
    location.assign(/** @type {CustomEvent} */ (event).detail.pathInfo.requestPath);
  });
}
