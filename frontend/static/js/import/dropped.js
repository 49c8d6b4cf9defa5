// @ts-check
/** The files behind a drop or a file field: folders are walked through in order, hidden files are left out as on the server. */

/** @typedef {{ file: File, name: string }} Named A file and its path in the folder that it came in. */

/** @param {string} path */
const isHidden = (path) => path.split("/").some((part) => part === "__MACOSX" || (part.startsWith(".") && part !== ".bober"));

const { compare } = new Intl.Collator("en", { numeric: true });

/** By name, so that a folder has one order on every machine: `week-9` before `week-10`. @param {Named[]} files */
const inOrder = (files) => files.sort((one, other) => compare(one.name, other.name) || (one.name < other.name ? -1 : 1));

/**
 * @param {FileSystemEntry} entry
 * @returns {Promise<Named[]>}
 */
async function filesBelow(entry) {
  const path = entry.fullPath.replace(/^\//, "");
  if (entry.isFile) {
    const file = await new Promise((done, fail) => /** @type {FileSystemFileEntry} */ (entry).file(done, fail));
    return [{ file, name: path }];
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  /** @type {Named[]} */
  const found = [];
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((done, fail) => reader.readEntries(done, fail)); // at most 100 at a time
    if (!some.length) return found;
    for (const child of some) found.push(...(isHidden(child.fullPath.slice(1)) ? [] : await filesBelow(child)));
  }
}

/**
 * What was dropped, folders walked through.
 * @param {DataTransfer} transfer
 * @returns {Promise<Named[]>}
 */
export async function droppedFiles(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null); // before the first await: the list is emptied
  const plain = [...transfer.files];
  const known = entries.filter((entry) => entry !== null);
  if (!known.length) return inOrder(plain.map((file) => ({ file, name: file.name })));
  return inOrder((await Promise.all(known.map(filesBelow))).flat());
}

/**
 * What a file field holds: files in the order in which they were chosen, those of a folder by name.
 * @param {HTMLInputElement} input
 * @returns {Named[]}
 */
export function chosenFiles(input) {
  const all = [...(input.files ?? [])].map((file) => ({ file, name: file.webkitRelativePath || file.name }));
  const shown = all.filter(({ name }) => !isHidden(name) || !name.includes("/"));
  return input.webkitdirectory ? inOrder(shown) : shown;
}
