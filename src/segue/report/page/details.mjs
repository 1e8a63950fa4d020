// A conversation in words: facts, places, the events one by one, the measures.
import { start, title } from "./data.mjs";
import { called, clock, make, moment, more, number, table, unbroken, wide } from "./dom.mjs";
import { shown } from "./timeline.mjs";

const MOST = 200;

export const named = (finding) => [finding.code, finding.position, finding.pointer, finding.message].join();

export const place = (finding, inLine) => {
  const known = [finding.source && finding.line ? `${finding.source}:${finding.line}` : finding.line ? `line ${finding.line}` : ""];
  known.push(finding.position || (inLine ? "" : "end of the log"), finding.pointer);
  return known.filter(Boolean).join(", ");
};

export function facts(row, story) {
  if (row.id === null) return "a line that belongs to no conversation";
  const began = story.start === null ? "" : `began ${moment(story.start)}\u00a0UTC`;
  return unbroken([row.bot && `bot ${row.bot}`, row.phase, number(row.events, "event"), began].filter(Boolean).join(" · "));
}
// What somebody did wrong, in sentences, each with what to change at the sender.
export function happened({ mistakes, untraced }) {
  if (mistakes.length <= 1 && !untraced && !mistakes.some((each) => each.edits)) return "";
  const told = mistakes.map((each) => make("li", { value: each.number }, make("strong", {}, unbroken([each.sentence, ...each.alternatives].join(", or "))), " ", unbroken(each.fix)));
  const list = make("ol", {}, told.slice(0, MOST));
  return make("div", { class: "next happened" }, make("strong", {}, "What happened"), list, more(told.length - MOST, "mistake", () => list.append(...told.slice(MOST))), untraced ? make("p", {}, `${number(untraced, "error")} not traced`) : "");
}
// The rows of the table; where messages are not known, how many there were.
export function described(row, story) {
  const found = [];
  let next = 0;
  const gap = (until) => {
    if (until > next) found.push({ gap: number(until - next, "message") });
  };
  for (const each of story.rows) {
    if (!each.isAction && each.position !== null) {
      gap(each.position);
      next = each.position + 1;
    }
    found.push(each);
  }
  gap(shown(row, story));
  return found;
}
// What the drawing has, with the words for it: only what can be seen in it.
export function legend(story, isOpen) {
  const ways = new Set(story.segments.flatMap((segment) => [segment.role, segment.promoted === null ? "" : "primary"]));
  const has = (test) => story.segments.some(test);
  const items = [
    ["key primary", "primary", ways.has("primary")],
    ["key consultant", "consultant", ways.has("consultant")],
    ["key unsaid", "exit never came", has((segment) => segment.connections.some((each) => (each[5] === null && !isOpen) || each[5] === "implied"))],
    ["key transfer", "hand-over", has((segment) => segment.previous !== null)],
    ["key consult", "consultation", has((segment) => segment.consults !== null)],
    ["key phone", "call", Boolean(story.call)],
    ["key mended", "the repair", Boolean(story.repair?.length)],
    ["key said", "messages", story.rows.some((row) => row.isMessage)],
  ];
  for (const state of ["active", "hold", "handover"]) items.push([`key spell ${state}`, `transcription ${state}`, story.spells.some(([each, start]) => start !== null && each === state)]);
  for (const state of new Set(story.rows.map((row) => row.state))) items.push([`key ${state}`, state, state !== ""]);
  const kinds = new Set(story.rows.filter((row) => row.isPlaced).map((row) => row.kind.split(" ")[0]));
  const letters = [["NA", "N NA"], ["COLD", "C COLD"], ["WARM", "W WARM"], ["redial", "R redial"], ["TRIGGER_SUMMARY_EVENT", "S summary"], ["END_OF_CONVERSATION", "E end"]].filter(([kind]) => kinds.has(kind));
  return make("figcaption", {},
    items.filter(([, , isShown]) => isShown).map(([look, label]) => make("span", {}, make("i", { class: look }), label)),
    letters.map(([, label]) => make("span", {}, make("kbd", { class: "letter" }, label[0]), label.slice(2))),
  );
}
// Each agent's segments in numbers.
export function segmented(segments) {
  if (!segments.length) return "";
  const time = (milliseconds) => (milliseconds === null ? "?" : clock(milliseconds));
  const line = (segment) => {
    const role = segment.promoted === null ? segment.role : "promoted";
    const cells = [called(segment.agent, segment.name), role, segment.outcome.replaceAll("_", " "), String(segment.connections.length)];
    return make("tr", {}, [...cells, ...segment.times.map(time)].map((cell) => make("td", {}, cell)));
  };
  const titles = ["agent", "as", "outcome", "connections", "connected", "hold", "talk"];
  const body = make("tbody", {}, segments.slice(0, MOST).map(line));
  return make("details", { open: true }, make("summary", {}, "Segments"), wide("Segments, as a table", table({ class: "segments" }, titles, body), more(segments.length - MOST, "segment", () => body.append(...segments.slice(MOST).map(line)))));
}

export const COUNTED = new Set(["transfers_cold", "transfers_warm", "consults", "redials", "callbacks", "max_concurrent_agents", "messages", "implied_closures"]);

const figure = (name, value) => (typeof value === "boolean" ? (value ? "yes" : "no") : COUNTED.has(name) ? String(value) : name === "transcription_coverage" ? `${Math.round(value / 10)} %` : clock(value));
// The metrics as told, with the bounds as mended of those that are not the same.
export function measures(metrics, mended) {
  const rows = [...new Set([...Object.keys(metrics), ...Object.keys(mended)])].map((name) => {
    const label = name.replaceAll("_", " ").replace("wrapup", "wrap-up");
    if (Array.isArray(metrics[name])) return [label, metrics[name].join(", ").replaceAll("_", " ")];
    const after = new Set(mended[name]?.map((end) => figure(name, end)) ?? ["unknown"]);
    return [label, [...(name in metrics ? [figure(name, metrics[name])] : []), ...(name in mended ? [`as mended ${[...after].join(" to ")}`] : [])].join(", ")];
  });
  if (!rows.length) return "";
  const list = rows.map(([label, value]) => make("div", { class: label === "estimated" ? "words" : null }, make("dt", {}, label), make("dd", {}, value)));
  return make("details", { open: true }, make("summary", {}, "Metrics"), make("dl", { class: "metrics" }, list));
}
