// @ts-check
/** Asks the server whether the project may be called so, before anything is sent; what is wrong stands at the field. */

/**
 * @param {HTMLFormElement} form
 * @returns {Promise<boolean>} whether files may be sent; a server that does not answer says so with the first file.
 */
export async function isProjectGood(form) {
  const body = new FormData();
  const given = new FormData(form);
  for (const key of ["csrfmiddlewaretoken", "batch", "project", "new_project"]) body.append(key, String(given.get(key) ?? ""));
  body.append("check", "project");
  const answer = await fetch(form.action, { method: "POST", body, headers: { "HX-Request": "true" } }).catch(() => null);
  if (answer?.status !== 200 && answer?.status !== 422) return true;
  const field = form.querySelector("[data-new-project]");
  if (field) field.innerHTML = await answer.text();
  return answer.ok;
}
