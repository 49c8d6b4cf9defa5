// @ts-check
/** Keys [ and ] go to the previous and the next result; the page says where those are. */

/** @type {Record<string, string>} */
const RELATIONS = { "[": "prev", "]": "next" };

document.addEventListener("keydown", (event) => {
  const relation = RELATIONS[event.key];
  const target = /** @type {HTMLElement} */ (event.target);
  const isTyping = target.matches("input:not([type=checkbox]), textarea, select") || target.isContentEditable;
  if (!relation || isTyping || event.ctrlKey || event.metaKey) return;
  /** @type {HTMLAnchorElement | null} */ (document.querySelector(`.page-actions a[rel=${relation}]`))?.click();
});
