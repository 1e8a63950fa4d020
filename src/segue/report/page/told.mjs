// What is told of a conversation in words: facts, places, the events one by one, the measures.

import { start, title } from "./data.mjs";
import { called, clock, make, moment, number } from "./dom.mjs";
import { between, messages, shown } from "./timeline.mjs";

export const named = (finding) => [finding.code, finding.event, finding.action, finding.pointer, finding.message].join();

export const place = (finding, inLine) => {
  const known = [finding.source && finding.line ? `${finding.source}:${finding.line}` : finding.line ? `line ${finding.line}` : ""];
  if (finding.event !== null) known.push(`event ${finding.event}`);
  else if (finding.action !== null) known.push(`transcription action ${finding.action}`);
  else if (!inLine) known.push("end of the log");
  known.push(finding.pointer);
  return known.filter(Boolean).join(", ");
};

export function facts(row, story) {
  if (row.id === null) return "a line that belongs to no conversation";
  const began = story.start === null ? "" : `began ${moment(story.start)} UTC`;
  return [row.bot && `bot ${row.bot}`, row.phase, number(row.events, "event"), began].filter(Boolean).join(" · ");
}

// The rows of the table; where messages are not known, how many there were.
export function told(row, story) {
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

export function legend(story) {
  const items = [
    ["key primary", "primary"],
    ["key consultant", "consultant"],
    ["key unsaid", "exit never came"],
    ["key transfer", "hand-over"],
    ["key consult", "consultation"],
  ];
  const states = new Set(story.spells.map(([state, start]) => (start === null ? "" : state)));
  for (const state of ["active", "hold", "handover"]) {
    if (states.has(state)) items.push([`key spell ${state}`, `transcription ${state}`]);
  }
  if (story.rows.some((each) => each.isMessage)) items.push(["key said", "messages"]);
  return make("figcaption", {}, items.map(([look, label]) => make("span", {}, make("i", { class: look }), label)));
}

// Each agent's segments in numbers.
export function segmented(segments) {
  if (!segments.length) return "";
  const time = (seconds) => (seconds === null ? "?" : clock(seconds * 1000));
  const rows = segments.map((segment) => {
    const [connected, hold] = segment.times;
    const talk = connected === null || hold === null ? null : connected - hold;
    const role = segment.promoted === null ? segment.role : "promoted";
    const cells = [called(segment.agent, segment.name), role, segment.outcome.replaceAll("_", " "), String(segment.connections.length)];
    return make("tr", {}, [...cells, time(connected), time(hold), time(talk)].map((cell) => make("td", {}, cell)));
  });
  const titles = ["agent", "as", "outcome", "connections", "connected", "hold", "talk"];
  const head = make("tr", {}, titles.map((title) => make("th", { scope: "col" }, title)));
  const table = make("table", { class: "segments" }, make("thead", {}, head), make("tbody", {}, rows));
  return make("details", { open: true }, make("summary", {}, "Segments"), make("div", { class: "wide" }, table));
}

export const COUNTED = new Set(["transfers_cold", "transfers_warm", "consults", "redials", "callbacks", "max_concurrent_agents", "messages", "implied_closures"]);

export function measured(metrics) {
  const rows = Object.entries(metrics).map(([name, value]) => {
    const label = name.replaceAll("_", " ");
    if (Array.isArray(value)) return [label, value.join(", ").replaceAll("_", " ")];
    if (COUNTED.has(name)) return [label, String(value)];
    return [label, name === "transcription_coverage" ? `${Math.round(value * 100)} %` : clock(value * 1000)];
  });
  if (!rows.length) return "";
  const list = rows.map(([label, value]) =>
    make("div", { class: label === "estimated" ? "words" : null }, make("dt", {}, label), make("dd", {}, value)),
  );
  return make("details", { open: true }, make("summary", {}, "Metrics"), make("dl", { class: "metrics" }, list));
}
