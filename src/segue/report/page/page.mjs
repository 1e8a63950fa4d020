// The page: filters, keys, and which conversation is open.

import { address, matches } from "./data.mjs";
import { at, called, make, number } from "./dom.mjs";
import { List } from "./list.mjs";
import { Story } from "./story.mjs";
import { isTimed, shown } from "./timeline.mjs";

export const CHIPS = ["errors", "warnings", "notes", "clean"];
export const NAMED = 1000;

export class Page {
  constructor(rules, read) {
    this.read = read;
    this.rules = rules;
    this.rows = [];
    this.row = null;
    this.filter = { search: "", rank: new Set(), rule: "", agent: "" };
    this.story = new Story(at("story"), rules);
    this.list = new List(at("list"), at("rows"), (row, wanted) => this.open(row, wanted));
    this.keys = {
      "/": () => at("search").focus(),
      j: () => this.list.pick(this.list.picked + 1),
      k: () => this.list.pick(this.list.picked - 1),
      n: () => this.story.go(this.story.finding + 1),
      p: () => this.story.go(this.story.finding - 1),
      t: () => this.story.story && isTimed(this.story.story) && this.story.turn(),
    };
    this.chips = CHIPS.map((label, rank) =>
      make("button", { type: "button", class: `chip rank-${rank}`, "aria-pressed": "false", click: () => this.toggle(rank) }, `${label} `, make("b", {})),
    );
    at("ranks").append(...this.chips);
    for (const name of ["search", "rule", "agent"]) {
      at(name).addEventListener("input", (event) => {
        this.filter[name] = event.target.value;
        this.show();
      });
    }
    addEventListener("keydown", (event) => this.press(event));
  }

  // Show these rows, in this order; `again`: most of them are shown already.
  take(rows, again = false) {
    this.rows = rows;
    this.offer();
    this.show(again);
  }

  // Offer the filters that find something.
  offer() {
    const ranks = CHIPS.map(() => 0);
    const codes = new Map();
    for (const row of this.rows) {
      if (row.rank !== null) ranks[row.rank] += 1;
      for (const code of row.codes) codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    this.chips.forEach((chip, rank) => {
      chip.lastChild.textContent = ranks[rank].toLocaleString("en");
      chip.disabled = !ranks[rank] && !this.filter.rank.has(rank);
    });
    this.agents = new Map(this.rows.flatMap((row) => row.agents));
    const rules = this.rules.filter(([code]) => codes.has(code) || code === this.filter.rule);
    choices(at("rule"), 1, rules.map(([code, name]) => [code, `${code} ${name} (${(codes.get(code) ?? 0).toLocaleString("en")})`]));
    at("rule").value = this.filter.rule;
    choices(at("agents"), 0, [...this.agents].slice(0, NAMED).map(([agent, name]) => [agent, called(agent, name)]));
  }

  toggle(rank) {
    const chosen = this.filter.rank;
    if (!chosen.delete(rank)) chosen.add(rank);
    this.chips[rank].setAttribute("aria-pressed", String(chosen.has(rank)));
    this.show();
  }

  show(again = false) {
    const { search, rank, rule, agent } = this.filter;
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const items = this.rows.filter(
      (row) =>
        (!rank.size || rank.has(row.rank)) &&
        (!rule || row.codes.includes(rule)) &&
        (!agent || row.agents.some((each) => this.isMeant(each, agent))) &&
        matches(row, words),
    );
    const all = items.length === this.rows.length;
    at("found").textContent = all ? number(items.length, "report") : `${number(items.length, "report")} of ${this.rows.length.toLocaleString("en")}`;
    this.list.show(items, this.row, again);
  }

  // An id that somebody has means this agent; anything else is a part of ids and names.
  isMeant([identity, name], agent) {
    if (this.agents.has(agent)) return identity === agent;
    return called(identity, name).toLowerCase().includes(agent.toLowerCase());
  }

  async open(row, wanted) {
    this.row = row;
    if (wanted) document.body.classList.add("reading");
    if (row.key !== null) history.replaceState(null, "", `#${row.key}`);
    const story = await this.read(row);
    if (this.row === row && story) this.story.show(row, story);
  }

  press(event) {
    const typing = event.target.matches("input, select");
    if (event.key === "Escape") {
      document.body.classList.remove("reading");
      at("list").focus();
    } else if (!typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      if (!(event.key in this.keys)) return;
      event.preventDefault();
      this.keys[event.key]();
    }
  }
}

// Make the options behind the first `kept` of a list these, and touch none that is there already.
export function choices(box, kept, wanted) {
  const options = [...box.children].slice(kept);
  wanted.forEach(([value, label], index) => {
    const option = options[index] ?? box.appendChild(make("option"));
    if (option.value !== value) option.value = value;
    if (option.textContent !== label) option.textContent = label;
  });
  for (const option of options.slice(wanted.length)) option.remove();
}

// Which conversation the address asks for; empty: none.
export const addressed = () => location.hash.slice(1);

// The row of this key, or else one of a conversation of this id, whoever's it is.
export const rowOf = (rows, key) => rows.find((row) => row.key === key) ?? rows.find((row) => row.key?.endsWith(`/${key}`));
