// @ts-check
/** Closes open menus on Escape, with the focus back on their button, and on a click outside. */

/** @returns {NodeListOf<HTMLDetailsElement>} */
const openMenus = () => document.querySelectorAll("details.menu[open]");

document.addEventListener("click", (event) => {
  const target = /** @type {Node} */ (event.target);
  for (const menu of openMenus()) if (!menu.contains(target)) menu.open = false;
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of openMenus()) {
    menu.open = false;
    menu.querySelector("summary")?.focus();
  }
});
