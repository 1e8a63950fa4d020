// What is read beside conversations: the causes of their mistakes, the newest answers of 4xx, and the quarantine, of which a body may be replayed.
import { address, formatAddress } from "./address.mjs";
import { at, instant, make, number, visible } from "./dom.mjs";

const LISTS = { causes: "", refusals: "refused", quarantine: "in the quarantine" };

export class SideLists {
  // `ask` returns the answer of the server to a path, and to a method.
  constructor(ask) {
    [this.ask, this.at] = [ask, 0];
    this.lists = Object.keys(LISTS).map((id) => {
      const [title, rows] = [make("summary"), make("ol")];
      return { id, title, rows, text: "", box: make("details", { id, class: id === "causes" ? null : "refused", open: id === "causes", hidden: true }, title, rows) };
    });
    at("side").append(...this.lists.map((list) => list.box));
  }

  forget() {
    this.at = 0;
    for (const list of this.lists) this.show(list, { items: [], next: null });
  }
  // Read all lists, as long as `isWanted`.
  async read(isWanted) {
    this.at = Date.now();
    for (const list of this.lists) {
      const page = await this.ask(list.id);
      if (isWanted()) this.show(list, page);
    }
  }

  show(list, { items, next }) {
    if (list.text === (list.text = JSON.stringify(items))) return;
    list.box.hidden = !items.length;
    list.title.textContent = LISTS[list.id] ? `${next ? "more than " : ""}${number(items.length, "request")} ${LISTS[list.id]}` : "Causes in the last 6 hours";
    list.rows.replaceChildren(...items.map((item) => this.row(item)));
  }

  row(item) {
    if (typeof item === "string") return make("li", {}, item);
    const { at: time, status, title, reason, bot_id: bot, conversation_id: id, codes } = item;
    const found = codes ?? item.findings.map(({ code, event }) => (event === null ? code : `${code} at event ${event}`));
    const link = id && [" · ", make("a", { href: formatAddress({ key: address(bot, id) }) }, `conversation ${visible(id)}`)];
    const said = make("span", { role: "status" });
    const replay = item.may_replay && make("button", { type: "button", click: (event) => this.replay(item, event.target, said) }, "Replay");
    return make("li", {}, make("b", {}, `${status ?? ""} ${title ?? reason}`), make("span", {}, [`${instant(Date.parse(time))} UTC`, `bot ${visible(bot)}`, ...new Set(found)].join(" · "), link || ""), replay || "", said);
  }
  // Apply a body again; it leaves the list, or comes again under a new number.
  async replay({ number: count }, button, said) {
    button.disabled = true;
    said.textContent = await this.ask(`quarantine/${count}/replay`, "POST").then(({ status, outcome }) => `${status} ${outcome}`, (error) => error.message);
    this.at = Date.now();
  }
}
