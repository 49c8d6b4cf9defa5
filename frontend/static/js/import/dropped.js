// @ts-check
/** The files behind a drop or a file field: folders are walked through, hidden files are left out as on the server. */

/** @typedef {{ file: File, name: string }} Named A file and its path in the folder that it came in. */

/** @param {string} path */
const isHidden = (path) => path.split("/").some((part) => part === "__MACOSX" || (part.startsWith(".") && part !== ".bober"));

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
  if (!known.length) return plain.map((file) => ({ file, name: file.name }));
  return (await Promise.all(known.map(filesBelow))).flat();
}

/**
 * What a file field holds.
 * @param {HTMLInputElement} input
 * @returns {Named[]}
 */
export function chosenFiles(input) {
  const all = [...(input.files ?? [])].map((file) => ({ file, name: file.webkitRelativePath || file.name }));
  return all.filter(({ name }) => !isHidden(name) || !name.includes("/"));
}
