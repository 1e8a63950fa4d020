// The timeline: a lane for each agent, a bar for each connection, hand-overs between them.

import { start } from "./data.mjs";
import { at, called, clock, draw } from "./dom.mjs";
import { place } from "./told.mjs";

export const LANE = 34;
export const NARROW = 560;
export const STRIP = 16;
export const PIN = 9;
export const MOST_PINS = 60;
export const ROOM = 44;
export const NAMED_MARKS = { TRIGGER_SUMMARY_EVENT: "summary", END_OF_CONVERSATION: "end" };
export const STEPS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 43200, 86400];

// What moves the conversation: neither messages nor actions.
export const lifecycle = (story) => story.rows.filter((row) => row.isPlaced);

export const isTimed = (story) =>
  lifecycle(story).length > 1 && lifecycle(story).every((row) => row.time !== null) && span(story) > 0;

export const span = (story) =>
  [...story.rows.map((row) => row.time), ...story.spells.map((spell) => spell[1])].reduce((most, time) => Math.max(most, time ?? 0), 0);

// How many events are shown: all, or the beginning of a long conversation.
export const shown = (row, story) => (story.later ? lifecycle(story).reduce((most, row) => Math.max(most, row.position + 1), 0) : row.events);

// Where positions and times are, on an axis of one or the other.
export class Axis {
  constructor(row, story, byTime, left, width) {
    [this.left, this.width, this.byTime] = [left, width, byTime];
    this.knots = story.rows.filter((row) => !row.isAction && row.position !== null && row.time !== null).map((row) => [row.position, row.time]);
    this.last = Math.max(shown(row, story) - 1, 1);
    this.size = byTime ? span(story) : this.last;
  }

  place(value) {
    return this.left + Math.max(0, Math.min(value / this.size, 1)) * this.width;
  }

  position(position) {
    return this.place(this.byTime ? between(this.knots, 0, 1, position) : position);
  }

  time(time) {
    return this.place(this.byTime ? time : between(this.knots, 1, 0, time));
  }

  ticks() {
    const seconds = this.byTime ? this.size / 1000 : this.size;
    const room = Math.max(2, Math.floor(this.width / 70));
    const step = STEPS.find((each) => seconds / each <= room) ?? Math.ceil(seconds / room);
    const found = [];
    for (let value = 0; value <= seconds; value += step) {
      found.push([this.place(this.byTime ? value * 1000 : value), this.byTime ? clock(value * 1000) : String(value)]);
    }
    return found;
  }
}

// What stands at `value` when the knots say what stands beside it.
export function between(knots, from, to, value) {
  const after = knots.findIndex((knot) => knot[from] >= value);
  if (after < 0) return knots.length ? knots.at(-1)[to] : 0;
  if (after === 0 || knots[after][from] === value) return knots[after][to];
  const [low, high] = [knots[after - 1], knots[after]];
  return low[to] + ((value - low[from]) / (high[from] - low[from])) * (high[to] - low[to]);
}

export function timeline(row, story, byTime, width, { onPin, onEvent, isFresh }) {
  const narrow = width < NARROW;
  const agents = [...new Map(story.segments.map((segment) => [segment.agent, segment.name])).entries()];
  const left = narrow ? 16 : 150;
  const axis = new Axis(row, story, byTime, left, width - left - 16);
  const top = story.findings.length ? 46 : 22;
  const lane = narrow ? LANE + 10 : LANE;
  const below = top + agents.length * lane;
  const bottom = below + STRIP;
  const lanes = new Map(agents.map(([agent], index) => [agent, top + index * lane + (narrow ? lane - 14 : lane / 2)]));
  const names = agents.map(([agent, name], index) => {
    const label = called(agent, name);
    const y = top + index * lane + (narrow ? 13 : lane / 2 + 4);
    const room = narrow ? Math.floor(width / 8) : 20;
    const short = label.length > room ? `${label.slice(0, room - 1)}…` : label;
    return draw("text", { x: narrow ? left : 0, y, class: "agent" }, short, short === label ? "" : draw("title", {}, label));
  });
  return draw(
    "svg",
    { width, height: bottom + 24, viewBox: `0 0 ${width} ${bottom + 24}`, role: "group", "aria-label": "Timeline" },
    spells(story, axis, top, bottom),
    grid(axis, agents.length, top, bottom, lane, width),
    messages(row, story, axis, top),
    names,
    handovers(story, axis, lanes),
    story.segments.map((segment) => bars(segment, axis, lanes.get(segment.agent), row.isLive && row.phase !== "ended")),
    marks(story, axis, lanes, bottom, onEvent),
    pins(story, axis, lanes, top, bottom, onPin, isFresh),
  );
}

export function grid(axis, agents, top, bottom, lane, width) {
  const lines = [...Array(agents + 1).keys()].map((index) =>
    draw("line", { x1: 0, x2: width, y1: top + index * lane, y2: top + index * lane, class: "lane" }),
  );
  const ticks = axis.ticks().map(([x, label]) => [
    draw("line", { x1: x, x2: x, y1: top, y2: bottom, class: "grid" }),
    draw("text", { x, y: bottom + 16, class: "tick" }, label),
  ]);
  return [lines, ticks];
}

export function spells(story, axis, top, bottom) {
  return story.spells.map(([state, start, end]) => {
    if (start === null || state === "ended" || state === "idle") return null;
    const [x1, x2] = [axis.time(start), end === null ? axis.left + axis.width : axis.time(end)];
    const label = draw("title", {}, `transcription ${state}, from ${clock(start)}`);
    return draw("rect", { x: x1, y: top, width: Math.max(x2 - x1, 1), height: bottom - top, class: `spell ${state}` }, label);
  });
}

export function messages(row, story, axis, top) {
  const said = story.rows.filter((each) => each.isMessage && each.position !== null);
  const places = new Set(said.map((each) => Math.round(axis.byTime && each.time !== null ? axis.time(each.time) : axis.position(each.position))));
  const path = [...places].map((x) => `M${x} ${top - 9}v7`).join("");
  return path ? draw("path", { d: path, class: "messages" }, draw("title", {}, "messages")) : null;
}

export function ends(connection, axis) {
  const [opened, closed, start, end] = connection;
  const x1 = axis.byTime && start !== null ? axis.time(start) : axis.position(opened);
  if (closed === null) return [x1, axis.left + axis.width];
  return [x1, axis.byTime && end !== null ? axis.time(end) : axis.position(closed)];
}

export function bars(segment, axis, y, isOpen) {
  let before = null;
  return segment.connections.map((connection) => {
    const [x1, x2] = ends(connection, axis);
    const [opened, closed, start, end, kind, how] = connection;
    const primary = segment.promoted === null ? segment.role === "primary" : segment.promoted <= opened;
    const lasted = start !== null && end !== null ? `, ${clock(end - start)}` : "";
    const stands = closed === null && isOpen;
    const until = closed === null ? "open" : `${how} exit at event ${closed}`;
    const said = `${called(segment.agent, segment.name)}, ${segment.role}: ${kind} entry at event ${opened}, ${until}${lasted}`;
    const looks = ["bar", primary ? "primary" : "consultant", (how === null && !stands) || how === "implied" ? "unsaid" : ""];
    const gap = before === null ? null : draw("line", { x1: before, x2: x1, y1: y, y2: y, class: "gap" });
    before = x2;
    const shape = { y: y - 6, height: 12, rx: 3 };
    const bar = draw("rect", { x: x1, width: Math.max(x2 - x1, 3), ...shape, class: looks.join(" ") }, draw("title", {}, said));
    const tip = stands ? draw("path", { d: `M${x2 - 1} ${y - 6}l8 6l-8 6z`, class: looks.join(" ") }) : null;
    const text = axis.byTime && lasted && x2 - x1 > ROOM ? draw("text", { x: (x1 + x2) / 2, y: y + 4, class: "lasted" }, clock(end - start)) : null;
    const turned = segment.promoted === null ? null : axis.position(segment.promoted);
    if (turned === null || turned <= x1 || turned >= x2) return [gap, bar, tip, text];
    const rest = { x: turned, width: x2 - turned, ...shape, class: "bar primary" };
    return [gap, bar, draw("rect", rest, draw("title", {}, said)), tip, text];
  });
}

// From whom to whom: a transfer, a consultation, a call taken up again.
export function handovers(story, axis, lanes) {
  return story.segments.flatMap((segment) => {
    const [x1] = ends(segment.connections[0], axis);
    const turned = segment.promoted === null ? x1 : axis.position(segment.promoted);
    return [
      handover(story.segments[segment.previous], segment, turned, "transfer"),
      handover(story.segments[segment.consults], segment, x1, "consult"),
      handover(story.segments[segment.resumes], segment, x1, "resume"),
    ];
  });

  function handover(from, to, x2, kind) {
    if (!from || from.agent === to.agent) return null;
    const [y1, y2] = [lanes.get(from.agent), lanes.get(to.agent)];
    const left = from.connections.map((each) => ends(each, axis)[1]).filter((x) => x <= x2 + 0.5);
    const x1 = kind === "consult" || !left.length ? x2 : Math.max(...left);
    const down = Math.sign(y2 - y1);
    const tip = y2 - 7 * down;
    const path = draw("path", { d: `M${x1} ${y1}V${y1 + 10 * down}H${x2}V${tip}` });
    const head = draw("path", { d: `M${x2 - 4} ${tip - 5 * down}h8l-4 ${6 * down}z`, class: "head" });
    const said = draw("title", {}, `${kind}: ${called(from.agent, from.name)} to ${called(to.agent, to.name)}`);
    return draw("g", { class: `handover ${kind}` }, said, path, head);
  }
}

export function marks(story, axis, lanes, bottom, onEvent) {
  let free = axis.left;
  return lifecycle(story).map(({ position, kind, agent, time }) => {
    const x = axis.byTime && time !== null ? axis.time(time) : axis.position(position);
    const known = lanes.has(agent);
    const name = known ? null : NAMED_MARKS[kind];
    const label = name && x - free > 8 * name.length ? draw("text", { x: x - 4, y: bottom - 4, class: "name" }, name) : null;
    if (!known) free = x;
    const [y, reach] = known ? [lanes.get(agent), 9] : [bottom - STRIP / 2, STRIP / 2 - 2];
    const when = time === null ? "" : ` at ${clock(time)}`;
    const said = draw("title", {}, `event ${position}: ${kind}${agent ? ` of ${agent}` : ""}${when}`);
    return draw(
      "g",
      { id: `mark-${position}`, click: () => onEvent(position) },
      label,
      draw("line", { x1: x, x2: x, y1: y - reach, y2: y + reach, class: known ? "mark" : "mark alone" }, said),
      draw("rect", { x: x - 5, y: y - reach, width: 10, height: 2 * reach, class: "reach" }, said.cloneNode(true)),
    );
  });
}

export function cause(finding, story, axis) {
  if (finding.event !== null) return axis.position(finding.event);
  const row = story.rows[finding.row];
  if (!row) return axis.left + axis.width;
  if (axis.byTime && row.time !== null) return axis.time(row.time);
  const before = story.rows.slice(0, finding.row).filter((each) => !each.isAction && each.position !== null).at(-1);
  return before ? axis.position(before.position) : axis.left;
}

export function pins(story, axis, lanes, top, bottom, onPin, isFresh) {
  const agents = new Map(lifecycle(story).map(({ position, agent }) => [position, agent]));
  const shown = story.findings.slice(0, MOST_PINS).map((finding, index) => ({ finding, index, x: cause(finding, story, axis) }));
  shown.sort((one, two) => one.x - two.x || one.index - two.index);
  const step = Math.min(2 * PIN + 3, shown.length > 1 ? (axis.width - 2 * PIN) / (shown.length - 1) : Infinity);
  const right = axis.left + axis.width;
  shown.forEach((pin, place) => {
    pin.at = Math.max(pin.x, place ? shown[place - 1].at + step : axis.left);
  });
  for (let place = shown.length - 1, limit = right; place >= 0; place -= 1, limit -= step) {
    shown[place].at = Math.min(shown[place].at, limit);
  }
  return shown.map(({ finding, index, x, at: pinned }) => [
    draw(
      "g",
      {
        class: `pin ${finding.severity}${isFresh(finding) ? " fresh" : ""}`,
        id: `pin-${index}`,
        role: "button",
        tabindex: 0,
        "aria-label": `${finding.severity} ${finding.code}: ${finding.message}`,
        click: () => onPin(index),
        keydown: (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          onPin(index);
        },
      },
      draw("title", {}, `${finding.code} ${finding.message}`),
      draw("path", { d: `M${pinned} 20L${x} ${top - 12}V${bottom}` }),
      draw("circle", { cx: pinned, cy: 11, r: PIN }),
      draw("text", { x: pinned, y: 14.5 }, String(index + 1)),
    ),
    draw("g", { class: `about ${finding.severity}`, id: `about-${index}` }, circles(finding)),
  ]);

  // The event a finding is about, and those that led to it.
  function circles(finding) {
    const places = [[finding.event, "spot"], ...finding.because.map(([event]) => [event, "because"])];
    return places
      .filter(([event]) => agents.has(event))
      .map(([event, look]) => draw("circle", { cx: axis.position(event), cy: lanes.get(agents.get(event)) ?? bottom - STRIP / 2, r: 7, class: look }));
  }
}
