// Two conversations side by side: both timelines on one scale, and their rows in pairs.
import { Axis } from "./axis.mjs";
import { clock, make, number, wide } from "./dom.mjs";
import { kindOf, placeOf } from "./rows.mjs";
import { Scale, isTimed } from "./timeline.mjs";
import { Viewer } from "./viewer.mjs";

const AROUND = 3;
const MOST = 1000;
const SIGNS = { "+": "came", "-": "went", "~": "differs" };
// The rows of both sides: [before, after, whether they are alike]; of a long stretch that is alike
// only what is beside a difference, and how many rows are left out.
export function paired({ rows, other, pairs }) {
  return pairs.flatMap(([alike, from, to, start, end]) => {
    const [ones, others] = [other.rows.slice(from, to), rows.slice(start, end)];
    const all = Array.from({ length: Math.max(ones.length, others.length) }, (_, step) => [ones[step], others[step], alike]);
    if (!alike || all.length <= 2 * AROUND + 1) return all;
    return [...all.slice(0, AROUND), [all.length - 2 * AROUND], ...all.slice(-AROUND)];
  });
}

export const changed = (lines) => make("ul", { class: "changes" }, lines.map((line) => make("li", { class: SIGNS[line.trim()[0]] }, line)));
// A timeline beside another, whose elements have the ids.
class Beside extends Viewer {
  draw() {
    super.draw();
    for (const each of this.box.querySelectorAll("[id]")) each.removeAttribute("id");
  }
}

export class Sides {
  // `on` is called: pin(index), row(index, story); `names` are those of both sides.
  constructor(on, names) {
    const open = (index, side) => on.row(index, this.viewers[side].story);
    const pins = [(index) => open(this.viewers[0].story.findings[index].row, 0), on.pin];
    this.viewers = [Beside, Viewer].map((kind, side) => new kind({ pin: pins[side], row: (row) => open(row.index, side), zoom: (window) => this.zoom(window) }));
    this.table = wide("Events of both sides");
    this.box = make("div", { class: "sides" }, this.viewers.map((viewer, side) => [make("h3", {}, names[side] ? `${side ? "after" : "before"}: ${names[side]}` : ""), viewer.box]), this.table);
    this.on = on;
  }

  zoom(window) { for (const viewer of this.viewers) Object.assign(viewer, { window }).redraw(); }

  show(row, story, isByTime) {
    const [all, byTime] = [[story.other, story], isByTime && isTimed(story.other)];
    const values = all.flatMap(({ rows, spells }) => (byTime ? [...rows.map((each) => each.time), ...spells.map(([, start]) => start)] : [0, ...rows.map((each) => (each.isAction ? 0 : each.position))]));
    const axis = new Axis(values, { byTime, left: 0, width: 1, window: null });
    all.forEach((each, side) => {
      each.beside = all[1 - side].segments;
      (each.scales ??= new Map()).set(byTime, new Scale(row, each, byTime, axis));
      this.viewers[side].show(row, each, byTime, { isFresh: () => false });
    });
    if (this.story === story) return;
    this.story = story;
    const cells = (each, of) => (each ? [placeOf(each), each.time === null ? "" : clock(each.time, each.time % 1000 > 0), make("button", { type: "button", class: "link", click: () => this.on.row(each.index, of) }, `${kindOf(each)} ${each.agent}`)] : ["", "", ""]).map((cell) => make("td", {}, cell));
    const line = ([one, two, alike]) => (typeof one === "number" ? make("tr", { class: "gap" }, make("td", { colspan: 6 }, `${number(one, "row")} alike`)) : make("tr", { class: alike ? null : one && two ? "differs" : one ? "went" : "came" }, cells(one, story.other), cells(two, story)));
    const found = paired(story);
    this.table.replaceChildren(make("table", { class: "pairs" }, make("tbody", {}, found.slice(0, MOST).map(line))), found.length > MOST ? make("p", { class: "pages" }, `${number(found.length - MOST, "more row")} not shown`) : "");
  }
}
