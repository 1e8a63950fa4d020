// The page: filters, keys, and which conversation is open.

const EMPTY = { search: "", rank: new Set(), rule: "", agent: "" };

class Page {
  constructor(data) {
    this.data = data;
    this.filter = { ...EMPTY, rank: new Set() };
    this.story = new Story(at("story"), data.run.rules);
    this.list = new List(at("list"), at("rows"), (row, open) => this.open(row, open));
    this.rows = [...data.rows].sort((one, two) => one.rank - two.rank || (one.id === null) - (two.id === null) || one.part - two.part || one.place - two.place);
    at("totals").textContent = [...data.run.totals, ...this.found()].join(" · ");
    this.makeFilters();
    this.show();
    const wanted = addressed();
    const first = (wanted && this.rows.find((row) => row.id === wanted)) || this.rows[0];
    if (first) this.list.pick(this.rows.indexOf(first), Boolean(wanted));
    addEventListener("keydown", (event) => this.press(event));
  }

  found() {
    const counts = this.data.run.severities;
    return RANKS.filter((rank) => counts[rank]).map((rank) => number(counts[rank], rank));
  }

  makeFilters() {
    const counts = [0, 0, 0, 0];
    for (const row of this.rows) counts[row.rank] += 1;
    const labels = ["errors", "warnings", "notes", "clean"];
    at("ranks").append(
      ...labels.map((label, rank) =>
        make(
          "button",
          { type: "button", class: `chip rank-${rank}`, "aria-pressed": "false", disabled: !counts[rank], click: (event) => this.toggle(rank, event.currentTarget) },
          `${label} `,
          make("b", {}, counts[rank].toLocaleString("en")),
        ),
      ),
    );
    const rules = this.data.run.rules.map(([code, name, rank, count]) => make("option", { value: code }, `${code} ${name} (${rank}, ${count})`));
    at("rule").append(...rules);
    this.agents = new Map(this.rows.flatMap((row) => row.agents));
    at("agents").append(...[...this.agents].slice(0, 1000).map(([agent, name]) => make("option", { value: agent }, called(agent, name))));
    for (const name of ["search", "rule", "agent"]) {
      at(name).addEventListener("input", (event) => {
        this.filter[name] = event.target.value;
        this.show();
      });
    }
  }

  toggle(rank, chip) {
    const chosen = this.filter.rank;
    if (!chosen.delete(rank)) chosen.add(rank);
    chip.setAttribute("aria-pressed", String(chosen.has(rank)));
    this.show();
  }

  show() {
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
    this.list.show(items, this.row);
  }

  // An id that somebody has means this agent; anything else is a part of ids and names.
  isMeant([identity, name], agent) {
    if (this.agents.has(agent)) return identity === agent;
    return called(identity, name).toLowerCase().includes(agent.toLowerCase());
  }

  async open(row, read) {
    this.row = row;
    if (read) document.body.classList.add("reading");
    const story = await this.data.story(row);
    if (this.row !== row) return;
    this.story.show(row, story);
    if (row.id !== null) history.replaceState(null, "", `#${encodeURIComponent(row.id)}`);
  }

  press(event) {
    const typing = event.target.matches("input, select");
    if (event.key === "Escape") {
      document.body.classList.remove("reading");
      at("list").focus();
    } else if (!typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const keys = {
        "/": () => at("search").focus(),
        j: () => this.list.pick(this.list.picked + 1),
        k: () => this.list.pick(this.list.picked - 1),
        n: () => this.story.go(this.story.finding + 1),
        p: () => this.story.go(this.story.finding - 1),
        t: () => this.story.story && isTimed(this.story.story) && this.story.turn(),
      };
      if (!(event.key in keys)) return;
      event.preventDefault();
      keys[event.key]();
    }
  }
}

// Which conversation the address asks for; empty: none.
function addressed() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

async function main() {
  if (typeof DecompressionStream === "undefined") {
    at("totals").textContent = "This browser is too old to unpack the report: use one of 2023 or later.";
    return;
  }
  new Page(await Data.open());
  document.body.dataset.ready = "";
}

main();
