// @ts-check
// A form with `data-paths` sends, under that name, the path of each file in the folder that was chosen: browsers tell the
// server names only. A file field that is left empty sends nothing.

/** @param {FormDataEvent} event */
function addPaths(event) {
  const form = /** @type {HTMLFormElement} */ (event.target);
  for (const input of form.querySelectorAll("input[type=file][name=task_files]")) {
    for (const file of /** @type {HTMLInputElement} */ (input).files ?? []) {
      event.formData.append(form.dataset.paths ?? "", file.webkitRelativePath || file.name);
    }
  }
}

for (const form of document.querySelectorAll("form[data-paths]")) {
  form.addEventListener("formdata", (event) => addPaths(/** @type {FormDataEvent} */ (event)));
}
