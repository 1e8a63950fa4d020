// The page of the sandbox, which shows its objects, posts, faults and clock.

import { at, make, number, table } from "./dom.mjs";
import { TokenPrompt } from "./token_prompt.mjs";

const EVERY = 2000;
const FIRST = ["sent", "faults"];
const LONG = ["url", "what", "failure"];

// Return the columns of a list: members that any item has. All other members are shown as JSON.
export function columnsOf(items) {
  const wanted = ["at", "key", "fault", "where", "kind", "status", "name", "url", "what", "failure"];
  return wanted.filter((name) => items.some((item) => item[name] !== "" && ["string", "number"].includes(typeof item[name])));
}

export const wordsOf = (name) => name.replaceAll("_", " ");

class SandboxPage {
  constructor() {
    this.picked = "sent";
    this.drawn = "";
    this.base = location.pathname.replace(/\/page$/, "");
    this.prompt = new TokenPrompt(() => this.refresh(), "The token that the sandbox printed");
    for (const [duration, words] of [["1m", "a minute"], ["10m", "ten minutes"]]) {
      at("clock").append(make("button", { type: "button", click: () => this.advance(duration) }, `+ ${words}`), " ");
    }
    if (this.prompt.token) this.refresh();
    else this.ask("");
    setInterval(() => this.prompt.token && document.visibilityState === "visible" && this.refresh(), EVERY);
  }

  // Fetch a route. Returns null on failure, and prompts for a token if it was not accepted.
  async fetched(path, options = {}) {
    const headers = { auth: this.prompt.token, "content-type": "application/json" };
    try {
      const answer = await fetch(`${this.base}${path}`, { ...options, headers });
      if (answer.ok) return await answer.json();
      if (answer.status === 401) this.ask("The token is not accepted.");
      else at("totals").textContent = (await answer.json()).detail;
    } catch {
      at("totals").textContent = "The sandbox does not answer.";
    }
    return null;
  }

  ask(why) {
    document.body.dataset.state = "asking";
    this.prompt.ask(why);
  }

  async advance(duration) {
    await this.fetched("/advance", { method: "POST", body: JSON.stringify({ duration }) });
    await this.refresh();
  }

  async refresh() {
    const there = await this.fetched("");
    if (there === null) return;
    document.body.dataset.state = "following";
    at("totals").textContent = `${there.now.slice(0, 19).replace("T", " ")} · ${number(there.sent, "post")} · ${number(there.faults, "fault")}`;
    this.drawKinds({ sent: there.sent, faults: there.faults, ...there.objects });
    const listed = await this.fetched(`/${this.picked}`);
    if (listed !== null) this.drawItems(listed[this.picked]);
  }

  drawKinds(counts) {
    const kinds = Object.entries(counts).map(([kind, count]) =>
      make("button", { type: "button", class: "chip", "aria-pressed": String(kind === this.picked), click: () => this.pick(kind) },
        wordsOf(kind), " ", make("b", {}, String(count))));
    at("ranks").replaceChildren(...kinds);
  }

  async pick(kind) {
    this.picked = kind;
    await this.refresh();
    at("story").focus();
  }

  cell(name, content) {
    const cell = make("td", {}, content);
    cell.style.width = LONG.includes(name) ? "100%" : "auto";
    if (LONG.includes(name)) cell.style.whiteSpace = "normal";
    return cell;
  }

  // Redraw the list only if it has changed, so that open details stay open.
  drawItems(items) {
    const text = JSON.stringify([this.picked, items]);
    if (text === this.drawn) return;
    this.drawn = text;
    const columns = columnsOf(items);
    const latest = FIRST.includes(this.picked) ? [...items].reverse() : items;
    const rows = latest.map((item) => make("tr", {},
      columns.map((name) => this.cell(name, String(item[name] ?? ""))),
      this.cell("", make("details", {}, make("summary", {}, "all"), make("pre", {}, JSON.stringify(item, null, 2))))));
    at("story").replaceChildren(
      make("h2", {}, wordsOf(this.picked)),
      items.length ? table({}, [...columns, ""], make("tbody", {}, rows))
        : make("p", { class: "facts" }, "Nothing yet."),
    );
  }
}

if (at("clock")) new SandboxPage();
