// @ts-check
/** Sends one file as a form of its own, and says how far it is. */

/**
 * @typedef {object} Answer
 * @property {string} address of the import's page; empty when the file was not taken.
 * @property {string} problem as the server's own part of a page; empty when the file was taken.
 */

/**
 * @param {HTMLFormElement} form with the project, the format and the token.
 * @param {import("./dropped.js").Named} named
 * @param {(share: number) => void} onProgress gets the share that was sent, from 0 to 1.
 * @param {AbortSignal} signal
 * @returns {Promise<Answer>}
 */
export function upload(form, named, onProgress, signal) {
  const body = new FormData();
  for (const key of ["csrfmiddlewaretoken", "batch", "project", "new_project", "format"]) {
    body.append(key, String(new FormData(form).get(key) ?? ""));
  }
  body.append("name", named.name);
  body.append("files", named.file);
  return new Promise((done) => {
    const request = new XMLHttpRequest();
    const fail = (/** @type {string} */ problem) => done({ address: "", problem });
    request.upload.addEventListener("progress", (event) => onProgress(event.total ? event.loaded / event.total : 1));
    request.addEventListener("load", () => {
      const address = request.getResponseHeader("HX-Redirect") ?? "";
      if (address) done({ address, problem: "" });
      else fail(request.status === 422 ? request.responseText : "");
    });
    request.addEventListener("error", () => fail(""));
    request.addEventListener("abort", () => fail(""));
    signal.addEventListener("abort", () => request.abort());
    request.open("POST", form.action);
    request.setRequestHeader("HX-Request", "true");
    request.send(body);
  });
}
