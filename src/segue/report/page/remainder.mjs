// What comes behind the beginning of a long conversation: findings and events, page by page.
import { instant, make, table, visible } from "./dom.mjs";

const PER_PAGE = 100;
const COLUMNS = {
  findings: [["#", (item) => String(item.event ?? "")], ["finding", (item) => make("span", { class: `badge ${item.severity}` }, item.code)], ["what", (item) => visible(item.message)]],
  events: [["#", (item) => String(item.event)], ["time, UTC", (item) => (item.received_at === null ? "" : instant(Date.parse(item.received_at)))], ["event", (item) => item.kind], ["agent", (item) => visible(item.agent ?? "")], ["before it", (item) => item.phase]],
};

export class Remainder {
  // `read` returns the answer to these parameters.
  constructor(first, read) {
    this.read = read;
    const said = make("p", { class: "next" }, "Shown is the beginning of a long conversation. Its later findings and events are read in pages.");
    this.box = make("section", { id: "later", "aria-label": "The rest of the conversation" }, said, Object.keys(COLUMNS).map((name) => this.part(name, first)));
  }

  part(name, first) {
    const page = make("div", { class: "wide", role: "status" });
    const button = (label, after) => make("button", { type: "button", click: () => this.turn(name, page, buttons, after) }, label);
    const buttons = { begin: button("From the beginning", () => first), next: null, more: first };
    buttons.next = button(`Next ${PER_PAGE}`, () => buttons.more);
    buttons.begin.hidden = true;
    return make("details", { open: true }, make("summary", {}, `Later ${name}`), page, make("p", { class: "controls" }, buttons.next, buttons.begin));
  }
  // Show the page behind a cursor in place of the one before.
  async turn(name, page, buttons, after) {
    try {
      const { items, next } = await this.read(`page=${name}&limit=${PER_PAGE}&after=${after()}`);
      page.replaceChildren(items.length ? tabled(COLUMNS[name], items) : make("p", {}, `There are no more ${name}.`));
      buttons.more = next;
      buttons.next.hidden = next === null;
      buttons.begin.hidden = false;
    } catch { page.replaceChildren(make("p", { class: "problem" }, "The server did not answer: try again.")); }
  }
}

function tabled(columns, items) {
  const rows = items.map((item) => make("tr", {}, columns.map(([, cell]) => make("td", {}, cell(item)))));
  return table({}, columns.map(([label]) => label), make("tbody", {}, rows));
}
