// The overview: what was found by rule, hour, agent and bot, and what the report was made of.
import { byName, called, digits, make, moment, number, unbroken, wide } from "./dom.mjs";

const HOUR = 3_600_000;
const MOST = 50;
const TITLES = ["conversations", "with a mistake", "mistakes"];
// Conversations by each value of something: how many, how many with a mistake, how many mistakes.
export function tally(rows, valuesOf) {
  const found = new Map();
  for (const row of rows) {
    for (const [value, label] of new Map(valuesOf(row))) {
      if (!found.has(value)) found.set(value, { value, label, counts: [0, 0, 0] });
      const { counts } = found.get(value);
      [1, Number(row.mistakes > 0), row.mistakes].forEach((more, column) => (counts[column] += more));
    }
  }
  return [...found.values()];
}
// The same, by the column that is chosen: a number from the largest, a name from A.
export function sorted(lines, column) {
  return [...lines].sort((one, two) => (column < 0 ? 0 : two.counts[column] - one.counts[column]) || byName(one.label, two.label));
}

const hourOf = ({ start }) => ((start ?? null) === null ? [] : [[Math.floor(start / HOUR), `${moment(start).slice(0, 13)}:00`]]);
// `choose` sets filters of the list.
export function overview(rows, rules, about, choose) {
  const names = new Map(rules.map(([code, name]) => [code, `${code} ${name}`]));
  const real = rows.filter((row) => row.id !== null);
  const times = real.map((row) => row.start).filter((start) => start !== null && start !== undefined);
  const period = times.length ? `conversations began ${moment(times.reduce((a, b) => Math.min(a, b)))} to ${moment(times.reduce((a, b) => Math.max(a, b)))} UTC` : "";
  const facts = [["logs", (about.logs ?? []).join(", ")], ["period", period], ["checked by", about.version && `Segue ${about.version}`], ["options", (about.options ?? []).join(" ") || (about.version ? "none" : "")]].filter(([, value]) => value);
  return [
    make("h2", {}, "Overview"),
    make("dl", { class: "about-run" }, facts.map(([label, value]) => [make("dt", {}, label), make("dd", {}, unbroken(value))])),
    table("Rules", rows, (row) => row.codes.map((code) => [code, names.get(code) ?? code]), 0, (rule) => choose({ rule }), 1),
    table("Hours (UTC)", real, hourOf, -1, null),
    table("Agents", real, (row) => row.agents.map(([agent, name]) => [agent, called(agent, name)]), 2, (agent) => choose({ agent })),
    table("Queues", real, (row) => row.queues.map(([id, name]) => [id, name || id]), 2, (queue) => choose({ search: queue })),
    table("Bots", real, (row) => [[row.bot, row.bot || "no bot"]], 2, (bot) => choose({ search: bot })),
  ];
}

function table(title, rows, valuesOf, first, choose, columns = TITLES.length) {
  const lines = tally(rows, valuesOf);
  if (!lines.length) return "";
  const body = make("tbody");
  const head = make("tr");
  const most = lines.reduce((largest, { counts }) => Math.max(largest, counts[columns - 1]), 1);
  const line = ({ value, label, counts }) => {
    const named = choose ? make("button", { type: "button", class: "link", click: () => choose(value) }, unbroken(label)) : label;
    const bar = make("meter", { min: 0, max: most, value: counts[columns - 1], "aria-label": number(counts[columns - 1], columns > 1 ? "mistake" : "conversation") });
    return make("tr", {}, make("th", { scope: "row" }, named), counts.slice(0, columns).map((count) => make("td", {}, digits(count))), make("td", {}, bar));
  };
  const show = (column) => {
    const cell = (label, index) => make("th", { scope: "col", "aria-sort": index === column ? (index < 0 ? "ascending" : "descending") : null }, make("button", { type: "button", class: "link", click: () => show(index) }, label));
    head.replaceChildren(cell(title.toLowerCase().replace(/s\b.*/, ""), -1), ...TITLES.slice(0, columns).map(cell), make("td", {}));
    body.replaceChildren(...sorted(lines, column).slice(0, MOST).map(line));
  };
  show(first);
  const more = lines.length > MOST ? make("p", { class: "pages" }, `${number(lines.length - MOST, "more line")} not shown`) : "";
  return make("details", { open: true }, make("summary", {}, title), wide(`${title}, as a table`, make("table", { class: "tally" }, make("thead", {}, head), body)), more);
}
