// One conversation in full: its timeline or ladder, its findings, its rows.
import { title } from "./data.mjs";
import { Sides, changed } from "./compare.mjs";
import { at, back, breakable, clock, digits, fill, make, more, number, unbroken, wide } from "./dom.mjs";
import { Drawer } from "./drawer.mjs";
import { ladder } from "./ladder.mjs";
import { counted } from "./list.mjs";
import { kindOf, placeOf } from "./rows.mjs";
import { isTimed, span } from "./timeline.mjs";
import { described, facts, happened, legend, measures, named, place, segmented } from "./details.mjs";
import { Viewer } from "./viewer.mjs";

const MOST = 200;
const MOST_ROWS = 400;
const SHORT = 3000;

// While this is pointed at or in focus, what it is about stands out in the timeline.
function shows(id) {
  const tell = (isTold) => () => at(id)?.classList.toggle("told", isTold);
  return { focusin: tell(true), focusout: tell(false), mouseenter: tell(true), mouseleave: tell(false) };
}

export class Story {
  // `onLook` is called when something else of the conversation is looked at.
  constructor(box, rules, { logs, onLook }) {
    Object.assign(this, { box, onLook, byTime: null, finding: -1, view: "", known: new Set(), isRepaired: false });
    this.rules = new Map(rules.map(([code, name, summary, spec]) => [code, { name, summary, spec }]));
    this.viewer = new Viewer({ pin: (index) => this.go(index), row: (row) => this.openRow(row.index), zoom: () => this.onLook() });
    this.sides = new Sides({ pin: (index) => this.go(index), row: (index, of) => this.openRow(index, true, of) }, logs);
    this.drawer = new Drawer({ finding: (index) => this.go(index), row: (index, of) => this.openRow(index, true, of), close: () => this.closed() }, logs);
    new ResizeObserver(() => this.drawTimeline()).observe(box);
  }
  // The story of another conversation, or `again` of this one, which then stays as it is looked at.
  show(row, story, again = false) {
    const before = again ? this.looks() : null;
    this.known = new Set(again ? this.story.findings.map(named) : story.findings.map(named));
    [this.row, this.story, this.finding] = [row, story, again ? this.finding : -1];
    if (!again) {
      [this.firstRow, this.isRepaired] = [0, false];
      this.drawer.box.hidden = true;
    }
    this.switch = make("button", { type: "button", class: "by", click: () => this.turn(), hidden: !isTimed(story) });
    this.views = [...(story.other ? ["compare"] : []), "timeline", "ladder"];
    this.tabs = this.views.map((name) => make("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "panel", "aria-selected": String(name === this.shown), click: () => this.turnTo(name) }, name));
    const hasEvents = story.segments.length > 0 || story.rows.some((each) => each.isPlaced);
    this.repair = make("button", { type: "button", class: "repair", "aria-pressed": "false", hidden: !story.after, click: () => this.mend() }, "Show repaired");
    this.panel = make("div", { id: "panel", role: "tabpanel", "aria-labelledby": `tab-${this.shown}` });
    this.figure = hasEvents ? make("figure", {}, make("div", { class: "tools" }, make("span", { role: "tablist", "aria-label": "View" }, this.tabs), this.repair, this.switch), this.panel, legend(story, row.isLive && row.phase !== "ended")) : "";
    this.cards = make("ol", { class: "findings" }, this.listed(before ? before.cards : MOST));
    this.table = make("div", {});
    this.box.replaceChildren(
      ...fill(document.createDocumentFragment(), {}, [
        back(),
        make("h2", {}, title(row)),
        make("p", { class: "facts" }, facts(row, story), " ", counted(row)),
        happened(story),
        story.changes ? changed(story.changes) : "",
        story.expected && story.expected.length ? make("p", { class: "next" }, make("b", {}, "next "), story.expected.join(" · ")) : "",
        story.waiting?.length ? make("p", { class: "next" }, make("b", {}, "held "), story.waiting.join(" · ")) : "",
        this.figure,
        this.cards,
        this.rest(),
        story.rows.length ? this.table : "",
        row.later ? row.later.box : "",
        segmented(story.segments),
        measures(story.metrics, story.mended),
      ]).childNodes,
    );
    this.tabulate();
    this.box.scrollTop = 0;
    this.drawTimeline();
    if (before) this.look(before);
    if (again && this.drawer.isOpen && story.rows[this.drawer.picked.index]) this.drawer.show(row, story, story.rows[this.drawer.picked.index]);
  }
  // What is looked at, to be found again when it is drawn anew.
  looks() {
    const focused = document.activeElement;
    return {
      top: this.box.scrollTop,
      cards: Math.max(MOST, this.cards.children.length),
      folded: [...this.box.querySelectorAll("details")].map((each) => !each.open),
      focused: this.box.contains(focused) ? focused.id : "",
    };
  }

  look({ top, folded, focused }) {
    this.box.querySelectorAll("details").forEach((each, index) => (each.open = !folded[index]));
    this.box.scrollTop = top;
    const again = focused && at(focused);
    if (again) again.focus({ preventScroll: true });
  }

  clear(...shown) {
    this.story = this.row = null;
    this.figure = "";
    this.drawer.box.hidden = true;
    this.box.replaceChildren(...shown);
  }
  // What of the conversation is looked at, for its address.
  get looked() {
    if (!this.story) return {};
    const row = this.drawer.isOpen ? this.drawer.picked.index : null;
    return { finding: this.finding < 0 ? null : this.finding + 1, row, view: this.view, zoom: this.asked ?? this.viewer.window };
  }
  // Look at what an address names.
  restore({ finding, row, view, zoom }) {
    if (!this.story) return;
    this.choose(view);
    this.asked = zoom;
    this.drawTimeline();
    if (row !== null && this.story.rows[row]) this.openRow(row, false);
    else this.drawer.box.hidden = true;
    if (finding) this.go(finding - 1, false);
  }

  turn() {
    this.byTime = !this.isByTime();
    this.drawTimeline();
    this.onLook();
  }

  turnTo(view) {
    this.choose(view);
    this.drawTimeline();
    this.onLook();
  }

  choose(view) {
    this.view = this.views.indexOf(view) > 0 ? view : "";
    this.tabs.forEach((tab) => tab.setAttribute("aria-selected", String(tab.id === `tab-${this.shown}`)));
  }
  // The view that is shown: the first, unless another was chosen.
  get shown() { return this.views.includes(this.view) ? this.view : this.views[0]; }
  // The conversation as it would have been, or as it was.
  mend() {
    this.isRepaired = !this.isRepaired;
    this.repair.setAttribute("aria-pressed", String(this.isRepaired));
    this.drawTimeline();
  }

  isByTime() { return isTimed(this.story) && (this.byTime ?? span(this.story) >= SHORT); }

  drawTimeline() {
    if (!this.figure) return;
    this.switch.hidden = this.shown === "ladder" || !isTimed(this.story);
    this.repair.hidden = this.shown !== "timeline" || !this.story.after;
    this.switch.textContent = this.isByTime() ? "Show by event" : "Show by time";
    this.panel.setAttribute("aria-labelledby", `tab-${this.shown}`);
    if (this.shown === "compare") {
      if (this.sides.box.parentNode !== this.panel) this.panel.replaceChildren(this.sides.box);
      return void this.sides.show(this.row, this.story, this.isByTime());
    }
    if (this.view === "ladder") {
      if (this.ladderOf !== this.story) this.ladder = ladder(this.story, (index) => this.openRow(index));
      this.ladderOf = this.story;
      this.panel.replaceChildren(this.ladder);
      return;
    }
    if (!this.viewer.box.isConnected || this.viewer.box.parentNode !== this.panel) this.panel.replaceChildren(this.viewer.box);
    const shown = this.isRepaired ? this.story.after : this.story;
    this.viewer.show(this.row, shown, this.isByTime(), { isFresh: (finding) => !this.known.has(named(finding)), window: this.asked });
    this.asked = undefined;
  }

  listed(limit) { return this.story.findings.slice(0, limit).map((finding, index) => this.card(finding, index)); }

  rest() {
    return more(this.story.findings.length - this.cards.children.length, "finding", () => this.cards.replaceChildren(...this.listed(Infinity)));
  }

  card(finding, index) {
    const rule = this.rules.get(finding.code) ?? {};
    const remarks = [
      ["where", place(finding, this.row.id === null)],
      ["mistake", finding.mistake && this.story.mistakes.length > 1 ? String(finding.mistake) : ""],
      ["expected", unbroken(finding.expected.join(", "))],
      ["because", finding.because.map(([, line, text]) => (line ? `${text} (line ${line})` : text)).join(", ")],
      ["help", make("strong", {}, unbroken(finding.help))],
      ["the rule", [rule.summary ?? "", rule.spec ? make("small", {}, ` ${rule.spec}`) : ""]],
    ].filter(([, content]) => content.length !== 0);
    return make("li", { class: `card ${finding.severity}${finding.under ? " under" : ""}${this.known.has(named(finding)) ? "" : " fresh"}`, id: `finding-${index}`, tabindex: -1, ...shows(`about-${index}`) },
      make("h3", {}, make("span", { class: `badge ${finding.severity}` }, `#${index + 1} ${finding.severity}`), ` ${finding.code} `, make("small", {}, unbroken(rule.name ?? ""))),
      make("p", {}, unbroken(finding.message)),
      make("dl", {}, remarks.map(([label, content]) => [make("dt", {}, label), make("dd", {}, content)])),
    );
  }
  // Open a row: its details beside the page, and its line in the table.
  openRow(index, isTold = true, of = this.story) {
    const row = of.rows[index];
    if (!row) return;
    this.drawer.show(this.row, of, row);
    if (of !== this.story) return;
    if (index < this.firstRow || index >= this.firstRow + MOST_ROWS) {
      this.firstRow = Math.max(0, index - MOST_ROWS / 2);
      this.tabulate();
    }
    this.table.querySelector(".picked")?.classList.remove("picked");
    at(`row-of-${index}`)?.classList.add("picked");
    this.viewer.picked = index;
    if (this.viewer.plan && this.shown === "timeline" && !this.isRepaired) this.viewer.mark();
    if (isTold) this.onLook();
  }

  closed() {
    this.table.querySelector(".picked")?.classList.remove("picked");
    this.onLook();
  }

  go(index, isTold = true) {
    if (!this.story || !this.story.findings.length) return;
    this.finding = Math.max(0, Math.min(index, this.cards.children.length - 1));
    const card = this.cards.children[this.finding];
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: "nearest" });
    if (isTold) this.onLook();
  }
  // The rows as a table; of very many those around the one that is picked.
  tabulate() {
    const { story } = this;
    const inLines = story.rows.some((each) => each.line);
    const hasText = story.rows.some((each) => each.text !== null);
    const entries = described(this.row, story);
    const first = Math.max(0, entries.findIndex((each) => each.index === this.firstRow));
    const some = entries.slice(first, first + MOST_ROWS);
    const cells = (each) => [
      make("td", {}, placeOf(each)),
      make("td", {}, each.time === null ? "" : clock(each.time)),
      make("td", { class: "what" }, breakable(kindOf(each)), each.state ? [" ", make("span", { class: "badge state" }, each.state)] : ""),
      make("td", {}, each.agent),
      inLines ? make("td", { class: "line" }, each.line ? `line ${each.line}` : "") : "",
      make("td", {}, each.text === null ? "" : [make("q", {}, each.text), " "], story.foundAt(each.index).map((finding) => this.link(finding))),
    ];
    const rows = some.map((each) => {
      if (each.gap) return make("tr", { class: "gap" }, make("td", { colspan: inLines ? 6 : 5 }, each.gap));
      return make("tr", { class: [each.isMessage ? "said" : "", each.state].filter(Boolean).join(" ") || null, id: `row-of-${each.index}`, tabindex: -1, ...shows(`mark-${each.index}`), click: (event) => event.target.closest("button") || this.openRow(each.index) }, cells(each));
    });
    const titles = ["#", "time", "event", "agent", ...(inLines ? ["log"] : []), hasText ? "findings and text" : "findings"];
    const head = titles.map((label) => make("th", { scope: "col", class: label === "log" ? "line" : null }, label));
    const turn = (to, label) => (to < 0 || to === first ? "" : make("button", { type: "button", click: () => this.turnPage(entries, to) }, label));
    const pages = entries.length > MOST_ROWS ? make("p", { class: "pages" }, `${number(entries.length, "row")}, from ${digits(first + 1)} to ${digits(first + some.length)} `, turn(first ? Math.max(0, first - MOST_ROWS) : -1, "Earlier"), turn(first + MOST_ROWS < entries.length ? first + MOST_ROWS : -1, "Later")) : "";
    this.table.replaceChildren(make("details", { open: true }, make("summary", {}, "Events"), pages, wide("Events, as a table", make("table", { class: "events" }, make("thead", {}, make("tr", {}, head)), make("tbody", {}, rows)))));
  }

  turnPage(entries, to) {
    this.firstRow = entries.slice(to).find((each) => each.index !== undefined)?.index ?? 0;
    this.tabulate();
  }

  link(finding) {
    const index = this.story.findings.indexOf(finding);
    return make("button", { type: "button", class: `link ${finding.severity}`, click: () => this.go(index) }, `#${index + 1} ${finding.code}`);
  }
}
