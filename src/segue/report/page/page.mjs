// The page: filters, keys, which conversation is open, and its address.
import { FILTERS, formatAddress, parseAddress, rowOf } from "./address.mjs";
import { matches } from "./data.mjs";
import { at, back, called, digits, make, number } from "./dom.mjs";
import { COLUMNS, List, SORTS } from "./list.mjs";
import { overview } from "./overview.mjs";
import { Story } from "./story.mjs";
import { isTimed } from "./timeline.mjs";

const CHIPS = ["errors", "warnings", "notes", "clean"];
const NAMED = 1000;
const FIRST = "agents";

export class Page {
  // `read` returns the story of a row, and `find` a row that is not in the list.
  constructor(rules, read, { about = {}, find = null } = {}) {
    Object.assign(this, { read, rules, about, find, rows: [], row: null, name: document.title });
    this.filter = { ranks: new Set(), ...Object.fromEntries(FILTERS.map((name) => [name, ""])) };
    this.story = new Story(at("story"), rules, { logs: about.logs ?? [], onLook: () => this.note() });
    this.list = new List(at("list"), at("rows"), (row, wanted) => this.open(row, wanted));
    this.keys = {
      "/": () => at("search").focus(),
      j: () => this.list.pick(this.list.picked + 1),
      k: () => this.list.pick(this.list.picked - 1),
      n: () => this.story.go(this.story.finding + 1),
      p: () => this.story.go(this.story.finding - 1),
      t: () => this.story.story && isTimed(this.story.story) && this.story.turn(),
      l: () => this.story.story && this.story.turnTo(this.story.view === "ladder" ? "timeline" : "ladder"),
      o: () => this.survey(),
    };
    document.querySelector("header").append(make("button", { type: "button", id: "overview", "aria-keyshortcuts": "o", click: () => this.survey() }, "Overview"));
    this.chips = CHIPS.map((label, rank) =>
      make("button", { type: "button", class: `chip rank-${rank}`, "aria-pressed": "false", click: () => this.toggle(rank) }, `${label} `, make("b", {})),
    );
    at("ranks").append(...this.chips);
    choices(at("sort"), 1, Object.keys(SORTS).map((name) => [name, `sorted: ${name}`]));
    at("columns").append(...Object.keys(COLUMNS).map((name) => make("label", {}, make("input", { type: "checkbox", value: name }), name)));
    for (const name of FILTERS) {
      at(name).addEventListener("input", () => {
        this.filter[name] = chosen(at(name));
        set(at(name), this.filter[name]);
        this.show();
        this.note();
      });
    }
    addEventListener("keydown", (event) => this.press(event));
    addEventListener("popstate", () => this.restore());
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
      chip.lastChild.textContent = digits(ranks[rank]);
      chip.disabled = !ranks[rank] && !this.filter.ranks.has(rank);
    });
    this.agents = new Map([...new Set(this.rows.map((row) => row.agents))].flat());
    const rules = this.rules.filter(([code]) => codes.has(code) || code === this.filter.rule);
    choices(at("rule"), 1, rules.map(([code, name]) => [code, `${code} ${name} (${digits(codes.get(code) ?? 0)})`]));
    at("rule").value = this.filter.rule;
    choices(at("agents"), 0, [...this.agents].slice(0, NAMED).map(([agent, name]) => [agent, called(agent, name)]));
  }

  toggle(rank) {
    const chosen = this.filter.ranks;
    if (!chosen.delete(rank)) chosen.add(rank);
    this.show();
    this.note();
  }

  show(again = false) {
    const { search, ranks, rule, agent, phase } = this.filter;
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const items = this.rows.filter(
      (row) =>
        (!ranks.size || ranks.has(row.rank)) &&
        (!phase || (row.id !== null && (row.phase === "ended") === (phase === "ended"))) &&
        (!rule || row.codes.includes(rule)) &&
        (!agent || row.agents.some((each) => this.isMeant(each, agent))) &&
        matches(row, words),
    );
    if (SORTS[this.filter.sort]) items.sort(SORTS[this.filter.sort]);
    this.list.columns = (this.filter.columns || FIRST).split(" ").filter((name) => name in COLUMNS);
    document.body.style.setProperty("--columns", this.list.columns.length);
    this.chips.forEach((chip, rank) => chip.setAttribute("aria-pressed", String(ranks.has(rank))));
    at("found").textContent = [...new Set([items, this.rows].map(howMany))].join(", of ");
    this.list.show(items, this.row, again);
  }
  // Set filters, as an address has them or somebody chose them elsewhere in the page.
  choose(filter) {
    Object.assign(this.filter, filter);
    for (const name of FILTERS) set(at(name), this.filter[name]);
    this.offer();
    this.show();
  }
  // An id that somebody has means this agent; anything else is a part of ids and names.
  isMeant([identity, name], agent) {
    if (this.agents.has(agent)) return identity === agent;
    return called(identity, name).toLowerCase().includes(agent.toLowerCase());
  }
  // Open a conversation; one that was asked for gets an entry in the history of the browser.
  async open(row, wanted, looked = null) {
    const isOther = this.row !== row;
    this.row = row;
    if (wanted) document.body.classList.add("reading");
    if (isOther) this.story.finding = -1;
    if (!looked) this.note(wanted && isOther ? "pushState" : "replaceState", {});
    this.entitle();
    const story = await this.read(row);
    if (this.row !== row || !story) return;
    this.story.show(row, story);
    if (looked) this.story.restore(looked);
  }
  // Write what is looked at into the address.
  note(how = "replaceState", looked = this.story.row === this.row ? this.story.looked : {}) {
    const key = this.row ? this.row.key : "";
    const to = formatAddress({ key, ...this.filter, ...looked });
    if (to === (location.hash || "#")) return;
    clearTimeout(this.noting);
    const write = () => history[how](null, "", to);
    if (how === "pushState" || !looked.zoom) write();
    else this.noting = setTimeout(write, 150); // a browser takes no more than some a second
  }

  entitle() {
    const name = this.row && this.row.id !== null ? `${this.row.id} · ${this.name}` : this.name;
    const news = this.rows.reduce((sum, row) => sum + (row.news ?? 0), 0);
    document.title = news ? `(${news}) ${name}` : name;
  }
  // Look at what the address names; returns whether it names a conversation.
  async restore() {
    const asked = parseAddress(location.hash);
    this.choose(Object.fromEntries(["ranks", ...FILTERS].map((name) => [name, asked[name]])));
    if (!asked.key && asked.view === "overview") this.survey("");
    if (!asked.key) return asked.view === "overview";
    const row = rowOf(this.rows, asked.key) ?? (this.find && this.find(asked.key));
    if (!row) {
      this.row = null;
      this.entitle();
      this.list.show(this.list.items, null);
      const id = decoded(asked.key.split("/").at(-1));
      this.story.clear(make("p", { class: "empty", role: "alert" }, make("b", {}, id), " is not in this report."));
      document.body.classList.add("reading");
      return true;
    }
    if (row === this.row && this.story.row === row) this.story.restore(asked);
    else await this.open(row, true, asked);
    this.list.find(row);
    return true;
  }
  // Show what all conversations come to, and note it in this way; where nobody asked for it, beside the list.
  survey(how = "pushState") {
    this.row = null;
    this.entitle();
    this.list.show(this.list.items, null, true);
    const choose = (filter) => {
      this.choose({ search: "", rule: "", agent: "", ...filter });
      document.body.classList.remove("reading");
      this.note("replaceState", { view: "overview" });
    };
    this.story.clear(back(), ...overview(this.rows, this.rules, this.about, choose).filter(Boolean));
    if (how !== "replaceState") document.body.classList.add("reading");
    if (how) this.note(how, { view: "overview" });
  }

  press(event) {
    const typing = event.target.matches("input, select, textarea");
    if (event.key === "Escape") {
      if (this.story.drawer.isOpen) return void this.story.drawer.close();
      document.body.classList.remove("reading");
      at("list").focus();
    } else if (!typing && !event.ctrlKey && !event.metaKey && !event.altKey && event.key in this.keys) {
      event.preventDefault();
      this.keys[event.key]();
    }
  }
}
// How many conversations there are, and lines that belong to none.
function howMany(rows) {
  const lines = rows.filter((row) => row.id === null).length;
  return number(rows.length - lines, "conversation") + (lines ? ` and ${number(lines, "line")}` : "");
}
// Make the options behind the first `kept` of a list these, and touch none that is there already.
function choices(box, kept, wanted) {
  const options = [...box.children].slice(kept);
  wanted.forEach(([value, label], index) => {
    const option = options[index] ?? box.appendChild(make("option"));
    if (option.textContent !== label) option.textContent = label;
    if (option.getAttribute("value") !== value) option.value = value;
  });
  for (const option of options.slice(wanted.length)) option.remove();
}

// What is chosen in a filter: its value, or which of its boxes are ticked; the first alone goes without saying.
const boxes = (filter) => [...filter.querySelectorAll("input")];
function chosen(filter) {
  const ticked = boxes(filter).filter((box) => box.checked).map((box) => box.value).join(" ");
  return filter.value ?? (ticked === FIRST ? "" : ticked);
}

function set(filter, value) {
  if ("value" in filter) filter.value = value;
  else for (const box of boxes(filter)) box.checked = (value || FIRST).split(" ").includes(box.value);
}

export function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}
