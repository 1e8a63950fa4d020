// One conversation in full: its timeline, its findings, its events.

import { title } from "./data.mjs";
import { at, clock, make, number } from "./dom.mjs";
import { counted } from "./list.mjs";
import { kindOf, placeOf } from "./rows.mjs";
import { isTimed, span, timeline } from "./timeline.mjs";
import { facts, legend, measured, named, place, segmented, told } from "./told.mjs";

export const MOST = 200;
export const SHORT = 3000;

export class Story {
  constructor(box, rules) {
    this.box = box;
    this.rules = new Map(rules.map(([code, name, summary, spec]) => [code, { name, summary, spec }]));
    this.byTime = null;
    this.finding = -1;
    this.known = new Set();
    new ResizeObserver(() => this.drawTimeline()).observe(box);
  }

  // The story of another conversation, or `again` of this one, which then stays as it is looked at.
  show(row, story, again = false) {
    const before = again ? this.looks() : null;
    this.known = new Set(again ? this.story.findings.map(named) : story.findings.map(named));
    [this.row, this.story, this.finding] = [row, story, again ? this.finding : -1];
    this.figure = make("div", { class: "drawing" });
    this.switch = make("button", { type: "button", click: () => this.turn(), hidden: !isTimed(story) });
    this.cards = make("ol", { class: "findings" }, this.listed(before ? before.cards : MOST));
    this.box.replaceChildren(
      ...fill(document.createDocumentFragment(), {}, [
        make("button", { type: "button", class: "back", click: () => document.body.classList.remove("reading") }, "‹ All conversations"),
        make("h2", {}, title(row)),
        make("p", { class: "facts" }, facts(row, story), " ", counted(row)),
        story.diagnosis ? make("p", { class: "next" }, make("strong", {}, "what happened "), story.diagnosis) : "",
        story.expected && story.expected.length ? make("p", { class: "next" }, make("b", {}, "next "), story.expected.join(" · ")) : "",
        story.segments.length || story.rows.some((each) => each.isPlaced) ? make("figure", {}, this.switch, this.figure, legend(story)) : "",
        this.cards,
        this.rest(),
        story.rows.length ? this.events() : "",
        row.later ? row.later.box : "",
        segmented(story.segments),
        measured(story.metrics),
      ]).childNodes,
    );
    this.box.scrollTop = 0;
    this.drawTimeline();
    if (before) this.look(before);
  }

  // What somebody looks at, to be found again when it is drawn anew.
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

  clear(...told) {
    this.story = this.row = this.figure = null;
    this.box.replaceChildren(...told);
  }

  turn() {
    this.byTime = !this.isByTime();
    this.drawTimeline();
  }

  isByTime() {
    return isTimed(this.story) && (this.byTime ?? span(this.story) >= SHORT);
  }

  drawTimeline() {
    const width = this.figure ? this.figure.clientWidth : 0;
    if (!width) return;
    this.switch.textContent = this.isByTime() ? "Show by event" : "Show by time";
    const svg = timeline(this.row, this.story, this.isByTime(), width, {
      onPin: (index) => this.go(index),
      onEvent: (position) => this.turnTo(position),
      isFresh: (finding) => !this.known.has(named(finding)),
    });
    this.figure.replaceChildren(svg);
  }

  listed(limit) {
    return this.story.findings.slice(0, limit).map((finding, index) => this.card(finding, index));
  }

  rest() {
    const hidden = this.story.findings.length - this.cards.children.length;
    if (hidden <= 0) return "";
    const show = (event) => {
      this.cards.replaceChildren(...this.listed(Infinity));
      event.target.remove();
    };
    return make("button", { type: "button", click: show }, `Show ${number(hidden, "more finding")}`);
  }

  card(finding, index) {
    const rule = this.rules.get(finding.code) ?? {};
    const remarks = [
      ["where", place(finding, this.row.id === null)],
      ["follows", finding.follows && `from ${finding.follows}`],
      ["expected", finding.expected.join(", ")],
      ["because", finding.because.map(([, line, text]) => (line ? `${text} (line ${line})` : text)).join(", ")],
      ["help", make("strong", {}, finding.help)],
      ["the rule", [rule.summary ?? "", rule.spec ? make("small", {}, ` ${rule.spec}`) : ""]],
    ].filter(([, content]) => content.length !== 0);
    return make(
      "li",
      {
        class: `card ${finding.severity}${finding.under ? " under" : ""}${this.known.has(named(finding)) ? "" : " fresh"}`,
        id: `finding-${index}`,
        tabindex: -1,
        focusin: () => this.tell(index, true),
        focusout: () => this.tell(index, false),
        mouseenter: () => this.tell(index, true),
        mouseleave: () => this.tell(index, false),
      },
      make(
        "h3",
        {},
        make("span", { class: `badge ${finding.severity}` }, `#${index + 1} ${finding.severity}`),
        ` ${finding.code} `,
        make("small", {}, rule.name ?? ""),
      ),
      make("p", {}, finding.message),
      make("dl", {}, remarks.map(([label, content]) => [make("dt", {}, label), make("dd", {}, content)])),
    );
  }

  // Show in the timeline what a finding is about.
  tell(index, isTold) {
    const drawn = at(`about-${index}`);
    if (drawn) drawn.classList.toggle("told", isTold);
  }

  // Show an event in the table.
  turnTo(position) {
    const entry = at(`event-${position}`);
    entry.closest("details").open = true;
    entry.focus({ preventScroll: true });
    entry.scrollIntoView({ block: "center" });
  }

  // Show in the timeline which event it is.
  mark(position, isTold) {
    const drawn = at(`mark-${position}`);
    if (drawn) drawn.classList.toggle("told", isTold);
  }

  go(index) {
    if (!this.story || !this.story.findings.length) return;
    this.finding = Math.max(0, Math.min(index, this.cards.children.length - 1));
    const card = this.cards.children[this.finding];
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: "nearest" });
  }

  events() {
    const links = (row) =>
      this.story.findings.flatMap((finding, index) =>
        finding.row !== row.index
          ? []
          : make("button", { type: "button", class: `link ${finding.severity}`, click: () => this.go(index) }, `#${index + 1} ${finding.code}`),
      );
    const entries = told(this.row, this.story);
    const inLines = this.story.rows.some((each) => each.line);
    const hasText = this.story.rows.some((each) => each.text !== null);
    const wide = (each) => [make("td", { colspan: inLines ? 6 : 5 }, each.gap)];
    const cells = (each) => [
      make("td", {}, placeOf(each)),
      make("td", {}, each.time === null ? "" : clock(each.time)),
      make("td", { class: "what" }, kindOf(each).split(/(?<=_)/).map((part, place) => [place ? make("wbr") : "", part]), each.state ? [" ", make("span", { class: "badge state" }, each.state)] : ""),
      make("td", {}, each.agent),
      inLines ? make("td", { class: "line" }, each.line ? `line ${each.line}` : "") : "",
      make("td", {}, each.text === null ? "" : [make("q", {}, each.text), " "], links(each)),
    ];
    const rows = entries.map((each) =>
      each.gap
        ? make("tr", { class: "gap" }, wide(each))
        : make(
            "tr",
            {
              class: [each.isMessage ? "said" : "", each.state].filter(Boolean).join(" ") || null,
              id: each.isAction || each.position === null ? `row-of-${each.index}` : `event-${each.position}`,
              tabindex: -1,
              mouseenter: () => this.mark(each.position, true),
              mouseleave: () => this.mark(each.position, false),
              focusin: () => this.mark(each.position, true),
              focusout: () => this.mark(each.position, false),
            },
            cells(each),
          ),
    );
    const head = ["#", "time", "event", "agent", ...(inLines ? ["log"] : []), hasText ? "findings and text" : "findings"].map((label) => make("th", { scope: "col", class: label === "log" ? "line" : null }, label));
    return make("details", { open: true }, make("summary", {}, "Events"), make("div", { class: "wide" }, make("table", { class: "events" }, make("thead", {}, make("tr", {}, head)), make("tbody", {}, rows))));
  }
}
