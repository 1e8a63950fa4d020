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
const CALL = { transferring: "waiting for the next agent", released: "wrap-up", summarized: "wrap-up" };
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

// Where everything is, for one story at one width, in one window.
export class Plan {
  constructor(row, story, { byTime, width, window }) {
    Object.assign(this, { row, story, byTime, width });
    this.isNarrow = width < NARROW;
    this.agents = [...new Map(story.segments.map((segment) => [segment.agent, segment.name])).entries()];
    const labels = ["conversation", ...[...story.segments, ...(story.beside ?? [])].map(({ agent, name }) => called(agent, name))];
    const widest = labels.reduce((most, label) => Math.max(most, widthOf(label)), 0);
    this.left = this.isNarrow ? 10 : Math.min(widest + 14, width * 0.28);
    this.room = this.isNarrow ? width - 20 : this.left - 12;
    story.scales ??= new Map(); // they depend on the story alone, and a zoom draws it anew
    const like = story.scales.get(byTime);
    const values = like ? [] : byTime ? [...story.rows.map((each) => each.time), ...story.spells.map((spell) => spell[1])] : [0, ...story.rows.map((each) => this.placeOf(each)), Math.max(shown(row, story) - 1, 1)];
    const phases = new Map(like ? [] : story.rows.map((each) => [each.time, each.after[0]]));
    this.axis = new Axis(values, { byTime, left: this.left + 8, width: width - this.left - 26, window, like, isBusy: (time) => /active|consulting/.test(phases.get(time)) });
    story.scales.set(byTime, this.axis);
    this.lane = (this.agents.length > CROWD ? 24 : 32) + (this.isNarrow ? 12 : 0);
    this.pinned = story.findings.length ? 26 : 4;
    this.call = this.pinned + 18;
    this.top = this.call + 20;
    this.lanes = new Map(this.agents.map(([agent], index) => [agent, this.top + index * this.lane + (this.isNarrow ? this.lane - 13 : this.lane / 2)]));
    this.below = this.top + this.agents.length * this.lane;
    this.hasSpells = story.spells.some(([state, start]) => start !== null && state !== "idle" && state !== "ended") || story.rows.some((each) => each.isAction);
    this.bottom = this.below + (this.hasSpells ? STRIP + 4 : 4);
  }

  // The place of a row among events: an action stands with the event before it.
  placeOf(row) {
    if (!row.isAction && row.position !== null) return row.position;
    const before = this.story.rows.slice(0, row.index).findLast((each) => !each.isAction && each.position !== null);
    return before ? before.position : 0;
  }

  // What a row is on the axis.
  valueOf(row) { return this.byTime && row.time !== null ? row.time : this.byTime ? this.between(row) : this.placeOf(row); }

  // The time of a row without one: that of the rows around it.
  between(row) {
    const known = this.story.rows.slice(0, row.index).findLast((each) => each.time !== null);
    return known ? known.time : this.axis.low;
  }

  valueAt(position) {
    if (!this.byTime) return position;
    this.times ??= new Map(this.story.rows.filter((each) => !each.isAction && each.position !== null).map((each) => [each.position, each.time]));
    return this.times.get(position) ?? this.axis.low;
  }

  // The lane of a row: that of its agent, or of the conversation.
  heightOf(row) {
    if (row.endpoint === "transcription") return this.below + STRIP / 2 + 2;
    return this.lanes.get(row.agent) ?? this.call;
  }

  ends([opened, closed, start, end]) {
    const from = this.byTime && start !== null ? start : this.valueAt(opened);
    if (closed === null) return [from, this.axis.high];
    return [from, this.byTime && end !== null ? end : this.valueAt(closed)];
  }
}

// The drawing of a plan.
export function timeline(plan, { onPin, isFresh }) {
  const { width, bottom, story } = plan;
  return draw("svg", { width, height: bottom + 4, viewBox: `0 0 ${width} ${bottom + 4}`, role: "presentation" },
    draw("defs", {}, draw("pattern", { id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, draw("path", { d: "M0 0v5", class: "hatch" }))),
    folds(plan),
    spells(plan),
    grid(plan),
    phases(plan),
    messages(plan),
    names(plan),
    handovers(plan),
    story.segments.map((segment) => bars(plan, segment)),
    marks(plan),
    ghosts(plan),
    pins(plan, onPin, isFresh),
    draw("path", { class: "cursor", d: "" }),
  );
}

// The axis stands apart: it stays where it is while the lanes are scrolled.
export function axisOf({ axis, width, left }) {
  const ticks = axis.ticks().map(([x, label]) => draw("text", { x, y: 13, class: x > width - 30 ? "tick last" : "tick" }, label));
  const bends = axis.folds.filter(([start, end]) => axis.isSeen(start, end)).map(([start, end]) => draw("text", { x: (axis.inside(start) + axis.inside(end)) / 2, y: 13, class: "tick folded" }, lengthOf(end - start)));
  return draw("svg", { width, height: 18, viewBox: `0 0 ${width} 18`, class: "axis", role: "presentation" }, draw("path", { d: `M${left} 17.5H${width}`, class: "lane" }), ticks, bends);
}

// All of it, small: where things are, and which part is looked at.
export function minimap({ story, row, width, left, byTime }, plan) {
  const whole = new Axis([plan.axis.low, plan.axis.high], { byTime, left: left + 8, width: plan.axis.width, window: null });
  [whole.folds, whole.bends] = [plan.axis.folds, plan.axis.bends];
  [whole.start, whole.end] = [0, plan.axis.bends.at(-1)[1]];
  const rows = new Set(story.rows.filter((each) => each.isPlaced).map((each) => Math.round(whole.place(plan.valueOf(each)))));
  const found = story.findings.map((finding) => story.rows[finding.row]).filter(Boolean);
  const wrong = new Set(found.map((each) => Math.round(whole.place(plan.valueOf(each)))));
  const [from, to] = [whole.place(plan.axis.from), whole.place(plan.axis.to)];
  const lines = (places, top, height) => [...places].map((x) => `M${x}.5 ${top}v${height}`).join("");
  return Object.assign(
    draw("svg", { width, height: 22, viewBox: `0 0 ${width} 22`, class: "minimap", role: "presentation" },
      draw("rect", { x: whole.left, y: 2, width: whole.width, height: 18, rx: 3, class: "ground" }),
      draw("path", { d: lines(rows, 6, 8), class: "marks" }),
      draw("path", { d: lines(wrong, 3, 16), class: "wrong" }),
      plan.axis.isWhole ? null : draw("rect", { x: from, y: 1, width: Math.max(to - from, 4), height: 20, rx: 3, class: "window" }),
    ),
    { axis: whole },
  );
}

function names(plan) {
  const { agents, room, isNarrow, lane, top, call } = plan;
  const label = (text, y, look) => {
    const short = clipped(text, room);
    return draw("text", { x: isNarrow ? plan.left : 0, y, class: look, "data-tip": short === text ? null : text }, short);
  };
  const lanes = agents.map(([agent, name], index) => label(called(agent, name), top + index * lane + (isNarrow ? 12 : lane / 2 + 4), "agent"));
  return [isNarrow ? null : label("conversation", call + 4, "whole"), lanes];
}

function grid({ axis, agents, top, below, bottom, lane, width, pinned }) {
  const rules = [...Array(agents.length + 1).keys()].map((index) => `M0 ${top + index * lane + 0.5}H${width}`).join("");
  const ticks = axis.ticks().map(([x]) => `M${x} ${pinned}V${bottom}`).join("");
  return [draw("path", { d: rules, class: "lane" }), draw("path", { d: ticks, class: "grid" })];
}

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
  const states = story.spells.map(([state, start, end]) => {
    if (!plan.byTime || start === null || state === "ended" || state === "idle" || !axis.isSeen(start, end ?? axis.high)) return null;
    const [x1, x2] = [axis.inside(start), axis.inside(end ?? axis.high)];
    const lasted = end === null ? "" : `, ${clock(end - start)}`;
    return draw("rect", { x: x1, y: below + 4, width: Math.max(x2 - x1, 1), height: STRIP - 4, rx: 2, class: `spell ${state}`, "data-tip": `transcription ${state}, from ${clock(start)}${lasted}` });
  });
  return [plan.hasSpells && !plan.isNarrow ? draw("text", { x: 0, y: below + 14, class: "name lefthand" }, clipped("transcription", plan.room)) : null, states];
}

// The conversation itself: waiting, active, between two agents, wrap-up.
function phases(plan) {
  const { story, axis, call } = plan;
  const rows = story.rows.filter((row) => row.state !== "late" && row.state !== "held" && !row.isAction && row.position !== null);
  const runs = [];
  for (const row of rows) {
    const [phase] = row.after;
    if (runs.at(-1)?.phase !== phase) runs.push({ phase, from: plan.valueOf(row), to: null });
    if (runs.length > 1) runs.at(-2).to ??= plan.valueOf(row);
  }
  return runs.map(({ phase, from, to }) => {
    const end = to ?? axis.high;
    if (!PHASES[phase] || end <= from || !axis.isSeen(from, end)) return null;
    const [x1, x2] = [axis.inside(from), axis.inside(end)];
    const tip = `${CALL[phase] ?? phase}${plan.byTime ? `, ${clock(end - from)}` : ""}`;
    const text = x2 - x1 > widthOf(PHASES[phase]) + 10 && !plan.isNarrow ? draw("text", { x: (x1 + x2) / 2, y: call + 4, class: "phase" }, PHASES[phase]) : null;
    return [draw("rect", { x: x1, y: call - 7, width: Math.max(x2 - x1, 1), height: 14, class: `phase ${phase}`, "data-tip": tip }), text];
  });
}

// Messages at their own times: the customer's above the conversation, an agent's below the bar.
function messages(plan) {
  const { story, axis } = plan;
  const places = { user: new Set(), agent: new Set() };
  for (const row of story.rows) {
    if (!row.isMessage || row.position === null) continue;
    const value = plan.valueOf(row);
    if (!axis.isSeen(value)) continue;
    const x = Math.round(axis.place(value));
    const y = row.agent ? plan.lanes.get(row.agent) : undefined;
    if (y === undefined) places.user.add(`M${x} ${plan.call - 13}v5`);
    else places.agent.add(`M${x} ${y + 8}v4`);
  }
  return Object.entries(places).map(([who, paths]) => (paths.size ? draw("path", { d: [...paths].join(""), class: `messages ${who}` }) : null));
}

function bars(plan, segment) {
  const { axis, row } = plan;
  const y = plan.lanes.get(segment.agent);
  const isOpen = row.isLive && row.phase !== "ended";
  let before = null;
  return segment.connections.map((connection) => {
    const [from, to] = plan.ends(connection);
    const [opened, closed, start, end, kind, how] = connection;
    const gap = before !== null && axis.isSeen(before, from) ? draw("path", { d: `M${axis.inside(before)} ${y}H${axis.inside(from)}`, class: "gap", "data-tip": `not connected${plan.byTime ? `, ${clock(from - before)}` : ""}` }) : null;
    before = to;
    if (!axis.isSeen(from, to)) return gap;
    const [x1, x2] = [axis.inside(from), axis.inside(to)];
    const isPrimary = segment.promoted === null ? segment.role === "primary" : segment.promoted <= opened;
    const lasted = start !== null && end !== null ? `, ${clock(end - start)}` : "";
    const stands = closed === null && isOpen;
    const until = closed === null ? "open" : `${how} exit at event ${closed}`;
    const tip = `${called(segment.agent, segment.name)}, ${segment.role}: ${kind} entry at event ${opened}, ${until}${lasted}`;
    const isUnsaid = (how === null && !stands) || how === "implied";
    const bar = (a, b, role) => {
      const height = role === "primary" ? 12 : 7;
      return draw("rect", { x: a, y: y - height / 2, width: Math.max(b - a, 2), height, rx: 2, class: `bar ${role}${isUnsaid ? " unsaid" : ""}`, "data-tip": tip });
    };
    const point = stands && axis.isSeen(to) ? draw("path", { d: `M${x2} ${y - 6}l8 6l-8 6z`, class: "bar primary", "data-tip": tip }) : null;
    const text = plan.byTime && lasted && x2 - x1 > 60 && isPrimary ? draw("text", { x: (x1 + x2) / 2, y: y + 4, class: "lasted" }, clock(end - start)) : null;
    const turned = segment.promoted === null ? null : plan.valueAt(segment.promoted);
    if (turned === null || turned <= from || turned >= to) return [gap, bar(x1, x2, isPrimary ? "primary" : "consultant"), point, text];
    const middle = axis.inside(turned);
    return [gap, bar(x1, middle, "consultant"), bar(middle, x2, "primary"), point, text];
  });
}

// From whom to whom: a transfer, a consultation, a call taken up again.
function handovers(plan) {
  const { story, axis, lanes } = plan;
  const isDense = story.segments.length > 100;
  return story.segments.flatMap((segment) => {
    const [start] = plan.ends(segment.connections[0]);
    const turned = segment.promoted === null ? start : plan.valueAt(segment.promoted);
    return [
      handover(story.segments[segment.previous], segment, turned, "transfer"),
      handover(story.segments[segment.consults], segment, start, "consult"),
      handover(story.segments[segment.resumes], segment, start, "resume"),
    ];
  });

  function handover(from, to, value, kind) {
    if (!from || from.agent === to.agent) return null;
    const [y1, y2] = [lanes.get(from.agent), lanes.get(to.agent)];
    const left = from.connections.map((each) => plan.ends(each)[1]).filter((each) => each <= value);
    const begin = kind === "consult" || !left.length ? value : Math.max(...left);
    if (!axis.isSeen(begin, value)) return null;
    const [x1, x2] = [axis.inside(begin), axis.inside(value)];
    const down = Math.sign(y2 - y1);
    const tip = y2 - 8 * down;
    const path = draw("path", { d: `M${x1} ${y1 + 7 * down}V${y1 + 11 * down}H${x2}V${tip}` });
    const head = draw("path", { d: `M${x2 - 4} ${tip - 5 * down}h8l-4 ${6 * down}z`, class: "head" });
    return draw("g", { class: `handover ${kind}${isDense ? " dense" : ""}`, "data-tip": `${kind}: ${called(from.agent, from.name)} to ${called(to.agent, to.name)}` }, path, head);
  }
}

// Events: a letter where there is room for one, else a line; the mark that is picked stands out.
function marks(plan) {
  const { story, axis } = plan;
  const free = new Map();
  const lines = new Set();
  const drawn = story.rows.map((row) => {
    if (row.isMessage && !row.state) return null;
    const value = plan.valueOf(row);
    if (!axis.isSeen(value)) return null;
    const [x, y] = [axis.place(value), plan.heightOf(row)];
    const letter = row.isAction ? (row.endpoint === "transcription" ? row.kind[0] : "c") : letterOf(row.kind) || "?";
    const isCrowded = x - (free.get(y) ?? -Infinity) < LETTER;
    const state = row.state ? ` ${row.state}` : "";
    if (isCrowded) {
      lines.add(`M${Math.round(x)} ${y - 9}v18`);
      return null;
    }
    free.set(y, x);
    const look = /exit$/.test(row.kind) ? "exit" : row.isAction ? "action" : /entry$/.test(row.kind) ? "entry" : "alone";
    const size = row.isAction ? 5 : 7;
    return draw("g", { class: `mark ${look}${state}`, "data-row": row.index, id: `mark-${row.index}`, transform: `translate(${Math.round(x * 10) / 10} ${y})`, "data-tip": tipOf(row) },
      draw("rect", { x: -size, y: -size, width: 2 * size, height: 2 * size, rx: look === "exit" ? 7 : 2 }),
      draw("text", { y: size === 7 ? 3.5 : 3 }, letter),
    );
  });
  return [lines.size ? draw("path", { d: [...lines].join(""), class: "crowd" }) : null, drawn];
}

// What the repair changes: an event that is missing or belongs elsewhere, was another or is too much.
function ghosts(plan) {
  const { story, axis } = plan;
  return (story.repair ?? []).map(({ edit, event, kind, agent, before }) => {
    const isMoved = edit === "insert" || edit === "move";
    const value = isMoved ? (before === null ? axis.high : plan.valueAt(before)) : plan.valueAt(event);
    if (!axis.isSeen(value)) return null;
    const x = axis.inside(value) - (isMoved && before !== null ? 12 : 0);
    const y = (plan.lanes.get(agent) ?? plan.call) - (isMoved ? 0 : 13);
    const named = `${kind}${agent ? ` of ${agent}` : ""}`;
    const tip = { insert: `${named} is missing here`, move: `${named} belongs here`, delete: `${named} is one too many` }[edit] ?? `this was ${named}`;
    return draw("g", { class: "ghost", transform: `translate(${x} ${y})`, "data-tip": tip }, draw("circle", { r: 8 }), draw("text", { y: 3.5 }, edit === "delete" ? "×" : letterOf(kind)));
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
  const { story, bottom, call } = plan;
  return pinned(plan).map(({ finding, index, x, at, all }) => {
    const worst = all.map((each) => each.finding).find(({ severity }) => severity === "error") ?? finding;
    const label = all.length > 1 ? `${all.length} findings: ${[...new Set(all.map((each) => each.finding.code))].join(", ")}` : `${finding.severity} ${finding.code}: ${finding.message}`;
    const press = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      onPin(index);
    };
    const pin = draw("g", { class: `pin ${worst.severity}${all.some((each) => isFresh(each.finding)) ? " fresh" : ""}`, id: `pin-${index}`, role: "button", tabindex: 0, "aria-label": `${all.length > 1 ? `×${all.length}` : index + 1} ${label}`, "data-tip": label, click: () => onPin(index), keydown: press },
      draw("path", { d: `M${at} 20L${x} ${call - 10}V${bottom}` }),
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
