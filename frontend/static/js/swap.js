// @ts-check
/** What htmx leaves open: a part that is being fetched says so, and an answer that is no part becomes a page of its own. */

/** @param {Event} event @returns {HTMLElement | null} */
const partOf = (event) => /** @type {CustomEvent} */ (event).detail.target;

document.addEventListener("htmx:beforeRequest", (event) => {
  partOf(event)?.querySelector(".table-wrap")?.setAttribute("aria-busy", "true");
});

for (const failure of ["htmx:responseError", "htmx:sendError"]) {
  document.addEventListener(failure, (event) => {
    location.assign(/** @type {CustomEvent} */ (event).detail.pathInfo.requestPath);
  });
}
