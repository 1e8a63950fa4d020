// The ladder: a column for each who takes part, a row for each event, and who is there meanwhile.
import { breakable, called, clock, make, more, table, wide } from "./dom.mjs";
import { kindOf, placeOf } from "./rows.mjs";

const MOST = 500;
// Who has a column, and in which one a row stands.
export function columnsOf(story) {
  const names = new Map(story.segments.map((segment) => [segment.agent, segment.name]));
  const agents = [...new Set([...story.agents, ...story.rows.map((row) => row.agent).filter(Boolean)])];
  const titles = ["customer", "bot", ...agents.map((agent) => called(agent, names.get(agent)))];
  const of = (row) => (row.agent ? 2 + agents.indexOf(row.agent) : row.isMessage ? 0 : 1);
  return { titles, of };
}
// What every column shows beside a row: who is there, as what.
export function presentAt(row, columns) {
  const [, primary, consultants] = row.before;
  const after = row.after;
  const roles = Array(columns).fill("");
  roles[0] = roles[1] = "there";
  for (const each of [...consultants, ...after[2]]) roles[2 + each] = "consultant";
  for (const each of [primary, after[1]]) if (each !== null) roles[2 + each] = "primary";
  return roles;
}

export function ladder(story, onRow) {
  const { titles, of } = columnsOf(story);
  const line = (row) => {
    const here = of(row);
    const found = story.foundAt(row.index);
    const [worst] = found.map((finding) => finding.severity);
    const roles = presentAt(row, titles.length);
    const cells = titles.map((_, column) => {
      const label = column === here ? [make("button", { type: "button", class: worst ?? null, click: () => onRow(row.index) }, breakable(kindOf(row))), found.map((finding) => [" ", make("span", { class: `badge ${finding.severity}` }, finding.code)])] : "";
      return make("td", { class: [roles[column], column === here ? "here" : ""].filter(Boolean).join(" ") || null }, label);
    });
    return make("tr", { class: row.state || null }, make("th", { scope: "row" }, `${placeOf(row)} `, make("small", {}, row.time === null ? "" : clock(row.time))), cells);
  };
  const body = make("tbody", {}, story.rows.slice(0, MOST).map(line));
  return wide("Ladder", table({ class: "ladder" }, ["#", ...titles], body), more(story.rows.length - MOST, "row", () => body.append(...story.rows.slice(MOST).map(line))));
}
