// The list: only what can be seen of it exists, so that it may be as long as it likes.
import { findingCounts, title } from "./data.mjs";
import { byName, called, clock, make, moment, number } from "./dom.mjs";
// What the second line of a row can have, and by what rows can be sorted.
export const COLUMNS = {
  agents: (row) => row.agents.map(([agent, name]) => called(agent, name)).join(", "),
  queues: (row) => row.queues.map(([id, name]) => name || id).join(", "),
  began: (row) => (row.start ?? null) === null ? "" : `${moment(row.start)} UTC`,
  events: (row) => number(row.events, "event"),
  bot: (row) => row.bot,
  phase: (row) => row.phase,
};
export const SORTS = {
  newest: (one, two) => (two.start ?? 0) - (one.start ?? 0),
  oldest: (one, two) => (one.start ?? Infinity) - (two.start ?? Infinity) || 0,
  "most mistakes": (one, two) => two.mistakes - one.mistakes,
  "most events": (one, two) => two.events - one.events,
  id: (one, two) => byName(one.id ?? "", two.id ?? ""),
};
export const HEIGHT = 56;
export const BEYOND = 8;

export class List {
  constructor(box, rows, onPick) {
    [this.box, this.rows, this.onPick] = [box, rows, onPick];
    [this.items, this.columns] = [[], []];
    this.picked = -1;
    box.addEventListener("scroll", () => this.paint());
    box.addEventListener("keydown", (event) => this.press(event));
    this.isHeld = false; // what is pressed must stay where it is until it is let go
    box.addEventListener("pointerdown", () => (this.isHeld = true));
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => setTimeout(() => (this.isHeld = false)));
    box.addEventListener("click", (event) => {
      const option = event.target.closest("[data-index]");
      if (option) this.pick(Number(option.dataset.index));
    });
    new ResizeObserver(() => this.paint()).observe(box);
  }
  // `again`: most of it is shown already; what is at the top of the box stays there.
  show(items, picked, again) {
    const top = again && this.box.scrollTop > 0 ? this.items[Math.floor(this.box.scrollTop / HEIGHT)] : null;
    const moved = top ? items.indexOf(top) - this.items.indexOf(top) : 0;
    this.items = items;
    this.picked = items.indexOf(picked);
    this.rows.style.height = `${items.length * HEIGHT}px`;
    if (top && items.includes(top)) this.box.scrollTop += moved * HEIGHT;
    else if (this.picked < 0 && !again) this.box.scrollTop = 0;
    this.paint();
  }
  // The items that can be seen.
  seen() {
    const first = Math.floor(this.box.scrollTop / HEIGHT);
    return this.items.slice(first, first + Math.ceil(this.box.clientHeight / HEIGHT) + 1);
  }
  // Show that a row is picked, and where it is, without opening it.
  find(row) {
    const index = this.items.indexOf(row);
    if (index < 0) return;
    this.picked = index;
    this.reveal();
  }

  reveal() {
    const top = this.picked * HEIGHT;
    const { scrollTop, clientHeight } = this.box;
    if (top < scrollTop) this.box.scrollTop = top;
    else if (top + HEIGHT > scrollTop + clientHeight) this.box.scrollTop = top + HEIGHT - clientHeight;
    this.paint();
  }

  pick(index, open = true) {
    if (!this.items.length) return;
    this.picked = Math.max(0, Math.min(index, this.items.length - 1));
    this.reveal();
    this.onPick(this.items[this.picked], open);
  }

  press(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / HEIGHT) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in steps) this.pick(this.picked + steps[event.key], false);
    else if (event.key === "Enter" || event.key === " ") this.pick(Math.max(this.picked, 0));
    else return;
    event.preventDefault();
  }

  paint() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / HEIGHT) - BEYOND);
    const seen = Math.ceil(this.box.clientHeight / HEIGHT) + 2 * BEYOND;
    const options = this.items.slice(first, first + seen).map((row, place) => this.option(row, first + place));
    this.rows.replaceChildren(...options);
    if (this.picked < 0) this.box.removeAttribute("aria-activedescendant");
    else this.box.setAttribute("aria-activedescendant", `row-${this.picked}`);
  }

  option(row, index) {
    const at = { role: "option", id: `row-${index}`, class: `row rank-${row.rank}${row.news ? " news" : ""}`, "data-index": index };
    const aria = { "aria-selected": String(index === this.picked), "aria-posinset": index + 1, "aria-setsize": this.items.length };
    const told = this.told(row);
    const option = make("div", { ...at, ...aria },
      make("b", {}, title(row)),
      make("span", { class: "counts" }, counted(row)),
      make("small", { title: told }, told),
      make("small", { class: "codes" }, [row.change, shortened(row.codes)].filter(Boolean).join(" · "), row.at ? ` ${moment(row.at).slice(11)} UTC` : ""),
    );
    option.style.top = `${index * HEIGHT}px`;
    return option;
  }
  // The second line of a row: the columns that are chosen.
  told(row) {
    const values = row.id === null ? ["no conversation"] : this.columns.map((name) => COLUMNS[name](row)).filter(Boolean);
    return [...new Set([row.isLive ? ageOf(row) : "", ...(values.length ? values : [row.phase])])].filter(Boolean).join(" · ");
  }
}
// How long a conversation has been open, or that it has ended.
const ageOf = ({ phase, start }) => (phase === "ended" ? phase : `open${start ? ` ${clock(Math.max(0, Date.now() - start))}` : ""}`);

export const shortened = (codes) => (codes.length > 3 ? `${codes.slice(0, 3).join(" ")} …` : codes.join(" "));

export function counted(row) {
  if (row.rank === null || (row.later && row.found)) return make("span", { class: "badge" }, row.errors ? `${number(row.errors, "error")} (${number(row.found, "finding")})` : number(row.found, "finding"));
  const told = findingCounts([row]);
  if (!told.length) return make("span", { class: "badge clean" }, "clean");
  return told.map(([rank, text]) => make("span", { class: `badge ${rank}` }, text));
}
