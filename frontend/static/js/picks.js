// @ts-check
/** The rows that are picked out of one list, on all its pages, for as long as the window shows that list. */

const KEY = "evalboard.picks";
const OF_THE_VIEW = ["page", "size", "sort", "cols", "open", "more", "find", "view"]; // keys that leave the list the same

/** The list behind the address: its place and its filters. */
function list() {
  const query = new URLSearchParams(location.search);
  for (const key of OF_THE_VIEW) query.delete(key);
  for (const [key, value] of [...query]) if (!value) query.delete(key);
  query.sort();
  return `${location.pathname}?${query}`;
}

/** What is picked in this list; a pick in another list is forgotten. @returns {Set<string>} */
export function picks() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
    return new Set(kept.list === list() ? kept.picked : []);
  } catch {
    return new Set(); // no storage here: a pick lasts as long as its page
  }
}

/** @param {Set<string>} picked */
export function keep(picked) {
  try {
    if (picked.size) sessionStorage.setItem(KEY, JSON.stringify({ list: list(), picked: [...picked] }));
    else sessionStorage.removeItem(KEY);
  } catch {
    // see above
  }
}
