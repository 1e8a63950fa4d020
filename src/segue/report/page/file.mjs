// The file: all rows at once, failing conversations first; a story when it is opened.
import { valuesOf } from "./columns.mjs";
import { asRow, parts, start, textOf, together, totals, unpack } from "./data.mjs";
import { at, make, separated } from "./dom.mjs";
import { Page } from "./page.mjs";
import { joined, readStory } from "./rows.mjs";

const [STORIES, KEPT, PREPARED] = [100, 20, 2000]; // in a part, as report/page_writer.py writes them
const unpacked = new Map();

function valuesIn(part) {
  if (unpacked.size > KEPT) unpacked.clear();
  if (!unpacked.has(part)) unpacked.set(part, unpack(part).then(valuesOf));
  return unpacked.get(part);
}

async function raw({ place, start }) {
  const stories = await valuesIn(parts("stories")[Math.floor(place / STORIES)]);
  return { ...stories[place % STORIES], start };
}

async function read(row) {
  const situations = await valuesIn(parts("situations")[0]);
  const [story, late] = await Promise.all([row, row.after].map((each) => each && raw(each)));
  const other = story.other && readStory(joined(...story.other), situations);
  return { ...readStory(joined(story, late), situations), other };
}
// Make the texts that are searched while the list is read; a search that comes first makes its own.
function prepare(rows, from = 0) {
  rows.slice(from, from + PREPARED).forEach(textOf);
  if (from < rows.length) setTimeout(prepare, 0, rows, from + PREPARED);
}

start(async (run) => {
  const columns = await Promise.all(parts("rows").map(unpack));
  const rows = together(columns.flatMap(valuesOf).map(asRow));
  rows.sort((one, two) => one.rank - two.rank || (one.id === null) - (two.id === null));
  at("totals").textContent = separated(run.total ?? "") || [...totals(rows, run.lines), ...[...run.more, ...run.counts].map(separated)].join(" · ");
  const remarks = (run.log ?? []).map((sentence) => make("li", {}, sentence));
  if (remarks.length) document.querySelector("header").append(make("ul", { id: "log" }, remarks));
  const page = new Page(run.rules, read, { about: run.about });
  const causes = run.causes.map((sentence) => make("li", {}, sentence));
  if (causes.length) document.querySelector("header").append(make("details", { id: "causes", open: true }, make("summary", {}, "Causes"), make("ul", {}, causes)));
  page.take(rows);
  const isFound = await page.restore();
  const survey = () => page.row || page.survey("replaceState");
  if (!isFound && rows.length > 1 && !run.total) requestAnimationFrame(() => setTimeout(survey)); // the list is painted first
  else if (!isFound) page.list.pick(0, false);
  document.body.dataset.ready = "";
  prepare(rows);
});
