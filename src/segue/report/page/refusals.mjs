// Refusals: the newest requests of senders that were let in and answered with 4xx.

import { title } from "./data.mjs";
import { at, make, moment, number, visible } from "./dom.mjs";

export class Refusals {
  constructor() {
    this.at = 0;
    this.title = make("summary");
    this.rows = make("ol");
    this.box = make("details", { id: "refusals", hidden: true }, this.title, this.rows);
    at("side").append(this.box);
  }

  show(items, next) {
    const text = JSON.stringify(items);
    if (text === this.text) return;
    this.text = text;
    this.box.hidden = !items.length;
    this.title.textContent = `${next ? "more than " : ""}${number(items.length, "request")} refused`;
    this.rows.replaceChildren(...items.map((item) => this.row(item)));
  }

  row(item) {
    const { at: time, status, title, bot_id: bot, conversation_id: id } = item;
    const codes = item.findings.map(({ code, event }) => (event === null ? code : `${code} at event ${event}`));
    const where = [`bot ${visible(bot)}`, id && `conversation ${visible(id)}`];
    return make("li", {}, make("b", {}, `${status} ${title}`), make("span", {}, [moment(Date.parse(time)), ...where.filter(Boolean), ...codes].join(" · ")));
  }
}
