// The timeline: the conversation above its agents, a bar for each connection, hand-overs between
// them, and pins at what is wrong.  Only what can be seen is drawn, so that it may be long.
import { Axis, lengthOf } from "./axis.mjs";
import { called, clock, draw } from "./dom.mjs";
import { kindOf } from "./rows.mjs";

const NARROW = 560;
const PIN = 9;
const LETTER = 15;
const STRIP = 16;
const SHARED = 5;
const CROWD = 10;
const FEW = 100; // of a kind so many are drawn one by one, each with its tip; more as one shape
const [WHOLE, CALL, STATES] = [-1, -2, -3]; // lanes that are not of an agent
const NAMES = { transferring: "waiting for the next agent", released: "wrap-up", summarized: "wrap-up" };
const PHASES = { waiting: "waiting", active: "active", consulting: "consulting", transferring: "transferring", released: "wrap-up", summarized: "wrap-up" };

export const lifecycle = (story) => story.rows.filter((row) => row.isPlaced);

export const isTimed = (story) => {
  const rows = lifecycle(story);
  return rows.length > 1 && rows.every((row) => row.time !== null) && span(story) > 0;
};

export const span = (story) => [...story.rows.map((row) => row.time), ...story.spells.map((spell) => spell[1])].reduce((most, time) => Math.max(most, time ?? 0), 0);
// How many events are shown: all, or the beginning of a long conversation.
export const shown = (row, story) => (story.later ? lifecycle(story).reduce((most, each) => Math.max(most, each.position + 1), 0) : row.events);
// The letter of a kind of event: how an agent came or left, a summary, the end.
export const letterOf = (kind) => (kind === "redial entry" || kind === "redial exit" ? "R" : /^(NA|COLD|WARM) /.test(kind) ? kind[0] : kind === "TRIGGER_SUMMARY_EVENT" ? "S" : kind === "END_OF_CONVERSATION" ? "E" : "");

const context = () => document.createElement("canvas").getContext("2d");
const measured = new Map();
// How wide a label of the timeline is.
function widthOf(label) {
  if (!measured.has(label)) {
    if (measured.size > 2000) measured.clear();
    widthOf.pen ??= Object.assign(context(), { font: "600 12px system-ui, sans-serif" });
    measured.set(label, widthOf.pen.measureText(label).width);
  }
  return measured.get(label);
}

function clipped(label, room) {
  if (widthOf(label) <= room) return label;
  let short = label;
  while (short && widthOf(`${short}…`) > room) short = short.slice(0, -1);
  return `${short}…`;
}
// The first index that a test holds for, from which on it holds for all.
function first(length, test) {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
// Where values are on the screen, once for each pixel; they stand in the order of the axis.
function pixels(axis, values) {
  const found = [];
  let edge = axis.from;
  for (let index = first(values.length, (each) => values[each] >= edge); index < values.length && values[index] <= axis.to; index += 1) {
    if (values[index] < edge) continue;
    found.push(Math.round(axis.place(values[index])));
    edge = axis.value(found.at(-1) + 0.5);
  }
  return found;
}
// Where a story is on an axis, by time or by event, whatever is looked at of it.
// `like` is an axis that it shares with another story.
export class Scale {
  constructor(row, story, byTime, like = null) {
    Object.assign(this, { story, byTime });
    const rows = story.rows;
    const spells = story.spells.map((spell) => spell[1]);
    const phases = new Map(rows.map((each) => [each.time, each.after[0]]));
    let [time, place] = [null, 0]; // a row without them stands with the one before it
    const values = rows.map((each) => {
      time = each.time ?? time;
      if (!each.isAction && each.position !== null) place = each.position;
      return byTime ? time : place;
    });
    const all = byTime ? [...rows.map((each) => each.time), ...spells, ...(story.call?.slice(1) ?? [])] : [0, ...values, Math.max(shown(row, story) - 1, 1)];
    this.axis = like ?? new Axis(all, { byTime, left: 0, width: 1, window: null, isBusy: (at) => /active|consulting/.test(phases.get(at)) });
    this.values = values.map((value) => value ?? this.axis.low);
    this.agents = new Map(story.segments.map((segment) => [segment.agent, segment.name]));
    this.lanes = new Map([...this.agents.keys()].map((agent, lane) => [agent, lane]));
    this.order = [...rows].sort((one, two) => this.values[one.index] - this.values[two.index] || one.index - two.index);
    this.marked = this.order.filter((row) => !row.isMessage || row.state);
    this.places = new Map(rows.filter((each) => !each.isAction && each.position !== null).map((each) => [each.position, this.values[each.index]]));
    this.bars = story.segments.flatMap((segment) => this.connected(segment));
    this.handovers = story.segments.flatMap((segment) => this.handedTo(segment));
    this.phases = this.passed();
    this.ticks = this.byLane(this.marked);
    this.said = this.byLane(this.order.filter((each) => each.isMessage && each.position !== null));
  }

  laneOf(row) {
    return row.endpoint === "transcription" ? STATES : row.endpoint === "notifications" ? CALL : (this.lanes.get(row.agent) ?? WHOLE);
  }
  // Where rows are, for each lane from left to right.
  byLane(rows) {
    const found = new Map();
    for (const row of rows) {
      const lane = this.laneOf(row);
      if (!found.has(lane)) found.set(lane, []);
      found.get(lane).push(this.values[row.index]);
    }
    return found;
  }
  // Those of these rows, which stand in the order of the axis, that are from a value to another.
  between(rows, from, to) {
    const at = (index) => this.values[rows[index].index];
    return rows.slice(first(rows.length, (index) => at(index) >= from), first(rows.length, (index) => at(index) > to));
  }
  // Where the event of a position is.
  at(position) { return this.byTime ? (this.places.get(position) ?? this.axis.low) : position; }

  ends([opened, closed, start, end]) {
    const until = closed === null ? this.axis.high : this.byTime && end !== null ? end : this.at(closed);
    if (opened === null) return [until, until]; // seen only leaving
    return [this.byTime && start !== null ? start : this.at(opened), until];
  }

  connected(segment) {
    let before = null;
    return segment.connections.map((connection) => {
      const [from, to] = this.ends(connection);
      const bar = { segment, connection, from, to, before };
      before = to;
      return bar;
    });
  }
  // From whom to whom: a transfer, a consultation, a call taken up again.
  handedTo(to) {
    const start = this.ends(to.connections[0])[0];
    const turned = to.promoted === null ? start : this.at(to.promoted);
    const kinds = [["transfer", to.previous, turned], ["consult", to.consults, start], ["resume", to.resumes, start]];
    return kinds.flatMap(([kind, index, value]) => {
      const from = this.story.segments[index];
      if (!from || from.agent === to.agent) return [];
      const left = from.connections.map((each) => this.ends(each)).filter(([begun]) => begun <= value).map(([, ended]) => Math.min(ended, value));
      return [{ kind, from, to, way: `${kind} ${from.agent}\n${to.agent}`, value, begin: kind === "consult" || !left.length ? value : Math.max(...left) }];
    });
  }
  // The phases of the conversation, one behind the other.
  passed() {
    const runs = [];
    for (const row of this.story.rows) {
      if (row.state === "late" || row.state === "held" || row.isAction || row.position === null) continue;
      const [phase] = row.after;
      const from = this.values[row.index];
      if (runs.length && runs.at(-1).to === null && runs.at(-1).phase !== phase) runs.at(-1).to = from;
      if (runs.at(-1)?.phase !== phase) runs.push({ phase, from, to: null });
    }
    return runs;
  }
}
// Where everything is, for one story at one width, in one window.
export class Plan {
  constructor(row, story, { byTime, width, window }) {
    Object.assign(this, { row, story, byTime, width });
    this.isNarrow = width < NARROW;
    story.scales ??= new Map(); // they depend on the story alone, and a zoom draws it anew
    if (!story.scales.has(byTime)) story.scales.set(byTime, new Scale(row, story, byTime));
    this.scale = story.scales.get(byTime);
    this.agents = [...this.scale.agents];
    const beside = new Map((story.beside ?? []).map(({ agent, name }) => [agent, name]));
    const labels = ["conversation", ...[...this.agents, ...beside].map(([agent, name]) => called(agent, name))];
    const widest = labels.reduce((most, label) => Math.max(most, widthOf(label)), 0);
    this.left = this.isNarrow ? 10 : Math.min(widest + 14, width * 0.28);
    this.room = this.isNarrow ? width - 20 : this.left - 12;
    this.axis = new Axis(this.scale.axis, { byTime, left: this.left + 8, width: width - this.left - 26, window });
    this.ticks = this.axis.ticks();
    this.lane = (this.agents.length > CROWD ? 24 : 32) + (this.isNarrow ? 12 : 0);
    this.pinned = story.findings.length ? 26 : 4;
    this.whole = this.pinned + 18;
    this.call = story.call ? this.whole + 24 : this.whole;
    this.top = this.call + 20;
    this.below = this.top + this.agents.length * this.lane;
    this.hasSpells = this.scale.ticks.has(STATES) || story.spells.some(([state, start]) => start !== null && state !== "idle" && state !== "ended");
    this.bottom = this.below + (this.hasSpells ? STRIP + 4 : 4);
  }
  // What a row is on the axis.
  valueOf(row) { return this.scale.values[row.index]; }
  // The rows that can be seen.
  get seen() { return this.scale.between(this.scale.order, this.axis.from, this.axis.to); }
  // The middle of a lane.
  middle(lane) {
    if (lane < 0) return { [WHOLE]: this.whole, [CALL]: this.call, [STATES]: this.below + STRIP / 2 + 2 }[lane];
    return this.top + lane * this.lane + (this.isNarrow ? this.lane - 13 : this.lane / 2);
  }

  heightOf(row) { return this.middle(this.scale.laneOf(row)); }

  agentAt(agent) { return this.middle(this.scale.lanes.get(agent) ?? WHOLE); }
}
// The drawing of a plan: what stays where it is, and what a zoom moves.
export function timeline(plan, on) {
  const { width, bottom } = plan;
  const size = { width, height: bottom + 4, viewBox: `0 0 ${width} ${bottom + 4}`, role: "presentation" };
  const hatch = draw("pattern", { id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, draw("path", { d: "M0 0v5", class: "hatch" }));
  return draw("svg", size, draw("defs", {}, hatch), rules(plan), moving(plan, on), names(plan), draw("path", { class: "cursor", d: "" }));
}

export const moving = (plan, { onPin, isFresh }) => draw("g", { class: "moving" }, folds(plan), spells(plan), grid(plan), phases(plan), call(plan), messages(plan), handovers(plan), bars(plan), marks(plan), ghosts(plan), pins(plan, onPin, isFresh));
// The axis stands apart: it stays where it is while the lanes are scrolled.
export function axisOf({ axis, width, left, ...plan }) {
  const ticks = plan.ticks.map(([x, label]) => draw("text", { x, y: 13, class: x > width - 30 ? "tick last" : "tick" }, label));
  const bends = axis.folds.filter(([start, end]) => axis.isSeen(start, end)).map(([start, end]) => draw("text", { x: (axis.inside(start) + axis.inside(end)) / 2, y: 13, class: "tick folded" }, lengthOf(end - start)));
  return draw("svg", { width, height: 18, viewBox: `0 0 ${width} 18`, class: "axis", role: "presentation" }, draw("path", { d: `M${left} 17.5H${width}`, class: "lane" }), ticks, bends);
}
// All of it, small: where things are, and which part is looked at.
export function minimap(plan) {
  const { story, width, axis } = plan;
  const whole = axis.over(null);
  const lines = (rows, top, height) => [...new Set(rows.map((row) => Math.round(whole.place(plan.valueOf(row)))))].map((x) => `M${x}.5 ${top}v${height}`).join("");
  const found = story.findings.map((finding) => story.rows[finding.row]).filter(Boolean);
  const box = draw("svg", { width, height: 22, viewBox: `0 0 ${width} 22`, class: "minimap", role: "presentation" },
    draw("rect", { x: whole.left, y: 2, width: whole.width, height: 18, rx: 3, class: "ground" }),
    draw("path", { d: lines(lifecycle(story), 6, 8), class: "marks" }),
    draw("path", { d: lines(found, 3, 16), class: "wrong" }),
  );
  return Object.assign(box, { axis: whole });
}
// Show in it which part is looked at.
export function frame(map, { axis }) {
  map.querySelector(".window")?.remove();
  if (axis.isWhole) return;
  const [from, to] = [map.axis.place(axis.from), map.axis.place(axis.to)];
  map.append(draw("rect", { x: from, y: 1, width: Math.max(to - from, 4), height: 20, rx: 3, class: "window" }));
}

function names(plan) {
  const { agents, room, isNarrow, lane, top, whole, story, below } = plan;
  const label = (text, y, look) => {
    const short = clipped(text, room);
    return draw("text", { x: isNarrow ? plan.left : 0, y, class: look, "data-tip": short === text ? null : text }, short);
  };
  const lanes = agents.map(([agent, name], index) => label(called(agent, name), top + index * lane + (isNarrow ? 12 : lane / 2 + 4), "agent"));
  const wide = isNarrow ? [] : [label("conversation", whole + 4, "whole"), story.call ? label("call", plan.call + 4, "whole") : null, plan.hasSpells ? label("transcription", below + 14, "name lefthand") : null];
  return [wide, lanes];
}
const rules = ({ agents, top, lane, width }) => draw("path", { d: [...agents, 0].map((_, index) => `M0 ${top + index * lane + 0.5}H${width}`).join(""), class: "lane" });
const grid = ({ ticks, bottom, pinned }) => draw("path", { d: ticks.map(([x]) => `M${x} ${pinned}V${bottom}`).join(""), class: "grid" });

function folds({ axis, bottom, pinned }) {
  return axis.folds
    .filter(([start, end]) => axis.isSeen(start, end))
    .map(([start, end]) => {
      const [x1, x2] = [axis.inside(start), axis.inside(end)];
      const tip = `${lengthOf(end - start)} in which nothing came are folded`;
      return draw("rect", { x: x1, y: pinned, width: Math.max(x2 - x1, 2), height: bottom - pinned, class: "fold", "data-tip": tip });
    });
}
// The states of the transcription, and its actions.
function spells(plan) {
  const { story, axis, below } = plan;
  return story.spells.map(([state, start, end]) => {
    if (!plan.byTime || start === null || state === "ended" || state === "idle" || !axis.isSeen(start, end ?? axis.high)) return null;
    const [x1, x2] = [axis.inside(start), axis.inside(end ?? axis.high)];
    const lasted = end === null ? "" : `, ${clock(end - start)}`;
    return draw("rect", { x: x1, y: below + 4, width: Math.max(x2 - x1, 1), height: STRIP - 4, rx: 2, class: `spell ${state}`, "data-tip": `transcription ${state}, from ${clock(start)}${lasted}` });
  });
}
// The conversation itself: waiting, active, between two agents, wrap-up.
function phases(plan) {
  const { axis, whole, scale } = plan;
  const runs = [];
  let edge = -Infinity; // what ends before it is drawn already, in the same pixel
  for (let index = first(scale.phases.length, (each) => (scale.phases[each].to ?? axis.high) >= axis.from); index < scale.phases.length; index += 1) {
    const { phase, from, to } = scale.phases[index];
    const end = to ?? axis.high;
    if (from > axis.to) break;
    if (!PHASES[phase] || end <= from || end < edge) continue;
    const [x1, x2] = [axis.inside(from), axis.inside(end)];
    const last = runs.at(-1);
    edge = x2 - x1 < 2 && last?.isShort ? axis.value(x2 + 0.5) : edge;
    if (last && x2 - x1 < 2 && last.isShort && x1 - last.x2 < 1) Object.assign(last, { x2, look: "active", tip: "phases too short to be told apart here: zoom in" });
    else runs.push({ x1, x2, look: phase, isShort: x2 - x1 < 2, tip: `${NAMES[phase] ?? phase}${plan.byTime ? `, ${clock(end - from)}` : ""}` });
  }
  return runs.map(({ x1, x2, look, isShort, tip }) => {
    const text = !isShort && x2 - x1 > widthOf(PHASES[look]) + 10 && !plan.isNarrow ? draw("text", { x: (x1 + x2) / 2, y: whole + 4, class: "phase" }, PHASES[look]) : null;
    return [draw("rect", { x: x1, y: whole - 7, width: Math.max(x2 - x1, 1), height: 14, class: `phase ${look}`, "data-tip": tip }), text];
  });
}
// The outbound call, from its answer to its end.
function call(plan) {
  const { story, axis } = plan;
  const [state, from, to] = story.call ?? [];
  if (!plan.byTime || from === undefined || from === null) return null;
  const [x1, x2] = [axis.inside(from), axis.inside(to ?? axis.high)];
  const tip = `call ${state}${to === null ? "" : `, ${clock(to - from)}`}`;
  return draw("rect", { x: x1, y: plan.call - 5, width: Math.max(x2 - x1, 2), height: 10, rx: 5, class: "phone", "data-tip": tip });
}
// Messages at their own times: the customer's above the conversation, an agent's below the bar.
function messages(plan) {
  const d = { user: "", agent: "" };
  for (const [lane, values] of plan.scale.said) {
    const line = lane < 0 ? `${plan.whole - 13}v5` : `${plan.middle(lane) + 8}v4`;
    d[lane < 0 ? "user" : "agent"] += pixels(plan.axis, values).map((x) => `M${x} ${line}`).join("");
  }
  return Object.keys(d).filter((who) => d[who]).map((who) => draw("path", { d: d[who], class: `messages ${who}` }));
}
// A bar for each connection; of very many a shape for all that look alike.
function bars(plan) {
  const { axis } = plan;
  const seen = plan.scale.bars.filter(({ before, from, to }) => axis.isSeen(before ?? from, to));
  if (seen.length <= FEW) return seen.map((bar) => barOf(plan, bar));
  const [shapes, edges] = [new Map(), new Map()];
  for (const bar of seen) {
    const { agent } = bar.segment;
    if (bar.to < edges.get(agent)) continue; // drawn already, in the same pixel
    const y = plan.agentAt(agent);
    for (const [x1, x2, look, height] of piecesOf(plan, bar)) {
      const shape = shapes.get(look) ?? [];
      shapes.set(look, shape);
      const [left, right] = [Math.round(x1), Math.max(Math.round(x2), Math.round(x1) + 1)];
      edges.set(agent, axis.value(right));
      shape.push(`M${left} ${y - height / 2}H${right}v${height}H${left}z`);
    }
  }
  return [...shapes].map(([look, shape]) => draw("path", { d: shape.join(""), class: `${look} dense` }));
}
// What is drawn of a connection: its part as a consultant, and that as a primary.
function piecesOf({ axis, scale, row }, { segment, connection, from, to }) {
  const stands = connection[1] === null && row.isLive && row.phase !== "ended";
  const isUnsaid = (connection[5] === null && !stands) || connection[5] === "implied";
  const piece = (one, two, role) => [axis.inside(one), axis.inside(two), `bar ${role}${isUnsaid ? " unsaid" : ""}`, role === "primary" ? 12 : 7];
  const turned = segment.promoted === null ? null : scale.at(segment.promoted);
  if (turned !== null && turned > from && turned < to) return [piece(from, turned, "consultant"), piece(turned, to, "primary")].filter(([one, two]) => two > one);
  const isPrimary = segment.promoted === null ? segment.role === "primary" : segment.promoted <= connection[0];
  return axis.isSeen(from, to) ? [piece(from, to, isPrimary ? "primary" : "consultant")] : [];
}

function barOf(plan, bar) {
  const { axis, row } = plan;
  const { segment, before, from, to } = bar;
  const [opened, closed, start, end, kind, how] = bar.connection;
  const y = plan.agentAt(segment.agent);
  const gap = before !== null && axis.isSeen(before, from) ? draw("path", { d: `M${axis.inside(before)} ${y}H${axis.inside(from)}`, class: "gap", "data-tip": `not connected${plan.byTime ? `, ${clock(from - before)}` : ""}` }) : null;
  const lasted = start !== null && end !== null ? clock(end - start) : "";
  const stands = closed === null && row.isLive && row.phase !== "ended";
  const tip = `${called(segment.agent, segment.name)}, ${segment.role}: ${opened === null ? "entry unknown" : `${kind} entry at event ${opened}`}, ${closed === null ? "open" : `${how} exit at event ${closed}`}${lasted && ", "}${lasted}`;
  const pieces = piecesOf(plan, bar);
  const drawn = pieces.map(([x1, x2, look, height]) => draw("rect", { x: x1, y: y - height / 2, width: Math.max(x2 - x1, 2), height, rx: 2, class: look, "data-tip": tip }));
  const point = stands && axis.isSeen(to) ? draw("path", { d: `M${axis.inside(to)} ${y - 6}l8 6l-8 6z`, class: "bar primary", "data-tip": tip }) : null;
  const [x1, x2, look] = pieces.at(-1) ?? [0, 0, ""];
  const text = plan.byTime && lasted && x2 - x1 > 60 && look.includes("primary") ? draw("text", { x: (x1 + x2) / 2, y: y + 4, class: "lasted" }, lasted) : null;
  return [gap, drawn, point, text];
}

function handovers(plan) {
  const { axis, scale } = plan;
  const seen = scale.handovers.filter(({ begin, value }) => axis.isSeen(begin, value));
  const isDense = seen.length > FEW;
  const [dense, edges] = [new Map(), new Map()];
  const drawn = seen.map(({ kind, from, to, way, begin, value }) => {
    if (isDense && value < edges.get(way)) return null;
    const [y1, y2] = [plan.agentAt(from.agent), plan.agentAt(to.agent)];
    const [x1, x2] = [axis.inside(begin), axis.inside(value)].map((x) => (isDense ? Math.round(x) : x));
    const down = Math.sign(y2 - y1);
    const tip = y2 - 8 * down;
    const d = `M${x1} ${y1 + 7 * down}V${y1 + 11 * down}H${x2}V${tip}`;
    if (isDense) {
      edges.set(way, axis.value(x2 + 0.5));
      dense.set(kind, (dense.get(kind) ?? "") + d);
      return null;
    }
    const head = draw("path", { d: `M${x2 - 4} ${tip - 5 * down}h8l-4 ${6 * down}z`, class: "head" });
    return draw("g", { class: `handover ${kind}`, "data-tip": `${kind}: ${called(from.agent, from.name)} to ${called(to.agent, to.name)}` }, draw("path", { d }), head);
  });
  return [drawn, [...dense].map(([kind, all]) => draw("g", { class: `handover ${kind} dense` }, draw("path", { d: all })))];
}
// Events: a letter where there is room for one, first for those with a finding, else a line; the mark that is picked stands out.
function marks(plan) {
  const { axis } = plan;
  const [lines, lettered, last] = [[], new Set(), new Map()];
  const seen = plan.scale.between(plan.scale.marked, axis.from, axis.to);
  const line = (x, y) => `M${x} ${y - 9}v18`;
  if (seen.length > FEW) {
    for (const [lane, values] of plan.scale.ticks) lines.push(...pixels(axis, values).map((x) => line(x, plan.middle(lane))));
    return draw("path", { d: lines.join(""), class: "crowd" });
  }
  for (const row of seen) {
    const mark = { row, x: axis.place(plan.valueOf(row)), y: plan.heightOf(row), isFound: plan.story.foundAt(row.index).length > 0 };
    const near = last.get(mark.y);
    const hidden = !near || mark.x - near.x >= LETTER ? null : near.isFound || !mark.isFound ? mark : near;
    if (hidden) lines.push(line(Math.round(hidden.x), hidden.y));
    lettered.delete(hidden);
    if (hidden === mark) continue;
    last.set(mark.y, mark);
    lettered.add(mark);
  }
  const drawn = [...lettered].map(({ row, x, y }) => {
    const letter = row.isAction ? (row.endpoint === "transcription" ? row.kind[0] : "c") : letterOf(row.kind) || (row.isMessage ? "m" : "?");
    const look = /exit$/.test(row.kind) ? "exit" : row.isAction ? "action" : /entry$/.test(row.kind) ? "entry" : "alone";
    const size = row.isAction ? 5 : 7;
    return draw("g", { class: `mark ${look}${row.state ? ` ${row.state}` : ""}`, "data-row": row.index, id: `mark-${row.index}`, transform: `translate(${Math.round(x * 10) / 10} ${y})`, "data-tip": tipOf(row) },
      draw("rect", { x: -size, y: -size, width: 2 * size, height: 2 * size, rx: look === "exit" ? 7 : 2 }),
      draw("text", { y: size === 7 ? 3.5 : 3 }, letter),
    );
  });
  return [lines.length ? draw("path", { d: lines.join(""), class: "crowd" }) : null, drawn];
}
// What the repair changes: an event that is missing or belongs elsewhere, was another or is too much.
function ghosts(plan) {
  const { story, axis } = plan;
  return (story.repair ?? []).map(({ edit, event, kind, agent, before }) => {
    const isMoved = edit === "lost" || edit === "moved";
    const value = isMoved ? (before === null ? axis.high : plan.scale.at(before)) : plan.scale.at(event);
    if (!axis.isSeen(value)) return null;
    const [x, y] = [axis.inside(value) - (isMoved && before !== null ? 12 : 0), plan.agentAt(agent) - (isMoved ? 0 : 13)];
    const named = `${kind}${agent ? ` of ${agent}` : ""}`;
    const tip = { lost: `${named} is missing here`, moved: `${named} belongs here`, surplus: "this is one too many", "id-used-again": "a second conversation begins here" }[edit] ?? `this was ${named}`;
    return draw("g", { class: "ghost", transform: `translate(${x} ${y})`, "data-tip": tip }, draw("circle", { r: 8 }), draw("text", { y: 3.5 }, kind === "" ? "×" : letterOf(kind)));
  });
}

export const tipOf = (row) => {
  const what = row.isAction ? kindOf(row) : row.position === null ? kindOf(row) : `event ${row.position}: ${kindOf(row)}`;
  return `${what}${row.agent ? ` of ${row.agent}` : ""}${row.time === null ? "" : ` at ${clock(row.time)}`}${row.state ? ` (${row.state})` : ""}`;
};
// Where findings are, in order of place; those too close together share a pin.
function pinned(plan) {
  const { story, axis } = plan;
  const all = story.findings.map((finding, index) => {
    const row = story.rows[finding.row];
    const value = row ? plan.valueOf(row) : axis.high;
    return { finding, index, value, x: axis.place(value) };
  });
  const seen = all.filter(({ value }) => axis.isSeen(value)).sort((one, two) => one.x - two.x || one.index - two.index);
  const room = Math.floor(axis.width / (2 * PIN + 3));
  const groups = [];
  for (const each of seen) {
    const last = groups.at(-1);
    if (last && (each.x - last.x < 1 || (seen.length > room && each.x - last.x < 2 * PIN + 4)) && last.all.length && seen.length > Math.min(room, 12)) last.all.push(each);
    else groups.push({ ...each, all: [each] });
  }
  const step = Math.min(2 * PIN + 3, groups.length > 1 ? (axis.width - 2 * PIN) / (groups.length - 1) : Infinity);
  groups.forEach((pin, place) => (pin.at = Math.max(pin.x, place ? groups[place - 1].at + step : axis.left)));
  for (let place = groups.length - 1, limit = axis.left + axis.width; place >= 0; place -= 1, limit -= step) groups[place].at = Math.min(groups[place].at, limit);
  return groups;
}

function pins(plan, onPin, isFresh) {
  const { story, bottom, whole } = plan;
  return pinned(plan).map(({ finding, index, x, at, all }) => {
    const worst = all.map((each) => each.finding).find(({ severity }) => severity === "error") ?? finding;
    const label = all.length > 1 ? `${all.length} findings: ${[...new Set(all.map((each) => each.finding.code))].join(", ")}` : `${finding.severity} ${finding.code}: ${finding.message}`;
    const press = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      onPin(index);
    };
    const pin = draw("g", { class: `pin ${worst.severity}${all.some((each) => isFresh(each.finding)) ? " fresh" : ""}`, id: `pin-${index}`, role: "button", tabindex: 0, "aria-label": `${all.length > 1 ? `×${all.length}` : index + 1} ${label}`, "data-tip": label, click: () => onPin(index), keydown: press },
      draw("path", { d: `M${at} 20L${x} ${whole - 10}V${bottom}` }),
      draw("circle", { cx: at, cy: 11, r: PIN }),
      draw("text", { x: at, y: 14.5 }, all.length > 1 ? `×${all.length}` : String(index + 1)),
    );
    return [pin, all.slice(0, SHARED).map((each) => draw("g", { class: `about ${each.finding.severity}`, id: `about-${each.index}` }, circles(each.finding)))];
  });
  // The event a finding is about, and those that led to it.
  function circles(finding) {
    story.placed ??= new Map(lifecycle(story).map((row) => [row.position, row]));
    const here = story.rows[finding.row];
    const causes = finding.because.map(([event]) => story.placed.get(event));
    return [[here, "spot"], ...causes.map((row) => [row, "because"])]
      .filter(([row]) => row && plan.axis.isSeen(plan.valueOf(row)))
      .map(([row, look]) => draw("circle", { cx: plan.axis.place(plan.valueOf(row)), cy: plan.heightOf(row), r: 11, class: look }));
  }
}
