// @ts-check
/**
 * Draws the charts of a page: its figures name colours by our tokens, which become those of the theme, and again when
 * the theme changes. A click on a point with an address goes there. Everything drawn is in the table below it.
 */

/** @typedef {{ data: unknown[], layout: Record<string, unknown> }} Figure */

const OPTIONS = { displayModeBar: false, responsive: true, doubleClick: false, showTips: false };

/** @type {HTMLElement} */
const probe = document.createElement("span");
probe.hidden = true;

/** The colour of a token under the theme of the moment, as `rgba(…)`. @param {string} word */
function colour(word) {
  const [token, percent] = word.split("/");
  probe.style.color = `var(${token})`;
  const computed = getComputedStyle(probe).color;
  return percent ? computed.replace(/^rgba?\(([^)]*)\)$/, `rgba($1, ${Number(percent) / 100})`) : computed;
}

/** A copy of part of a figure with colours in place of tokens. @param {any} part @returns {any} */
function dressed(part) {
  if (typeof part === "string") return part.startsWith("--") ? colour(part) : part;
  if (Array.isArray(part)) return part.map(dressed);
  if (part === null || typeof part !== "object") return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, dressed(value)]));
}

/** Folds the table away that stands open for whoever runs no script, once. @param {HTMLElement} area */
function fold(area) {
  const figure = area.closest("figure");
  if (!figure || "ready" in figure.dataset) return;
  figure.querySelector("details")?.removeAttribute("open");
  figure.dataset.ready = "";
}

/** @param {HTMLElement} area */
function fail(area) {
  area.dataset.state = "failed";
  area.closest("figure")?.querySelector("details")?.setAttribute("open", "");
}

/** Goes where the point leads; only to pages of this server. @param {{ points: { customdata?: unknown }[] }} event */
function follow(event) {
  const data = event.points[0]?.customdata;
  const address = Array.isArray(data) ? data[0] : data;
  if (typeof address !== "string" || !address) return;
  const target = new URL(address, location.href);
  if (target.origin === location.origin) location.assign(target);
}

/** @param {HTMLElement} area */
async function draw(area) {
  const plotly = /** @type {any} */ (window).Plotly;
  const canvas = /** @type {any} */ (area.querySelector(".plot-canvas"));
  const source = area.querySelector("script[type='application/json']");
  if (!plotly || !canvas || !source) return fail(area);
  /** @type {Figure} */
  const figure = dressed(JSON.parse(source.textContent ?? ""));
  const font = { .../** @type {object} */ (figure.layout.font), family: getComputedStyle(document.body).fontFamily };
  await plotly.react(canvas, figure.data, { ...figure.layout, font }, OPTIONS);
  if (area.dataset.state === "drawn") return;
  area.dataset.state = "drawn";
  if (figure.data.some((trace) => /** @type {any} */ (trace).customdata)) canvas.dataset.clicks = "";
  canvas.on("plotly_click", follow);
}

/** Draws what is there, in order; one that cannot be drawn leaves its table. */
async function drawAll() {
  document.body.append(probe);
  const areas = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-chart]"));
  areas.forEach(fold);
  for (const area of areas) {
    await draw(area).catch(() => fail(area));
  }
}

drawAll();
document.addEventListener("htmx:afterSettle", drawAll);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
new MutationObserver(drawAll).observe(document.documentElement, { attributeFilter: ["data-theme"] });
