// The inspector: conversations as they happen. The feed is followed; what changed is read anew.
import { address } from "./address.mjs";
import { RANKS, asRow, findingCounts, start, totals } from "./data.mjs";
import { at, digits, make, number, visible } from "./dom.mjs";
import { TokenPrompt } from "./token_prompt.mjs";
import { Remainder } from "./remainder.mjs";
import { Page, decoded } from "./page.mjs";
import { SideLists } from "./side_lists.mjs";
import { readStory } from "./rows.mjs";

const [KEPT, FIRST, AT_ONCE, FULL, BEHIND] = [1000, 200, 12, 100, 20];
const [BREATH, PAUSE, IDLE, LOOK, WAIT] = [200, 400, 1000, 2000, 5]; // milliseconds, the last seconds
const TRIES = [500, 1000, 2000, 4000, 8000, 15000];

const SAID = {
  401: "The server does not accept this token.",
  403: "This token may not read. It needs the scope that readers have.",
  404: "Reading conversations is not enabled at this server now.",
};

const refused = ({ status, headers }) => Object.assign(new Error(`the server answers ${status}`), { status, after: Number(headers.get("retry-after")) * 1000 });

const HINT = () => make("p", { class: "empty" }, "Conversations appear in the list as they happen, the latest news on top. Pick one to see its timeline.");

export class Live {
  constructor(run) {
    this.beside = new SideLists((path, method) => this.ask(path, method));
    this.prompt = new TokenPrompt(() => this.follow());
    this.turn = 0;
    this.forget();
    this.page = new Page(run.rules, (row) => this.look(row), { find: (key) => this.find(key) });
    this.page.keys.f = () => this.hold();
    this.state = make("p", { id: "state", role: "status" });
    this.button = make("button", { type: "button", click: () => this.hold(), "aria-keyshortcuts": "f" });
    this.leave = make("button", { type: "button", click: () => this.enter("") }, "Forget the token");
    document.querySelector("header").append(this.state, make("span", { class: "controls" }, this.button, this.leave), at("causes"));
    document.querySelector("footer").prepend(make("kbd", {}, "f"), " follow or pause ");
    at("found").removeAttribute("role");
  }

  forget() {
    this.known = new Map();
    this.beside.forget();
    this.cursor = null;
    this.isChanged = false;
  }
  // Ask for a token, and hold nothing of what the one before could read.
  enter(why) {
    this.turn += 1;
    if (this.calls) this.calls.abort();
    this.forget();
    this.page.row = null;
    this.page.take([]);
    this.page.story.clear(HINT());
    this.say("asking", "");
    this.prompt.ask(why);
  }

  hold() {
    if (document.body.dataset.state === "asking") return;
    if (document.body.dataset.state !== "paused") {
      this.turn += 1;
      this.calls.abort();
      this.say("paused", "paused");
    } else this.follow();
  }

  say(state, text) {
    document.body.dataset.state = state;
    if (this.state.textContent !== text) this.state.textContent = text;
    this.button.textContent = state === "paused" ? "Follow" : "Pause";
    this.leave.hidden = !this.prompt.token;
  }

  async follow() {
    const turn = (this.turn += 1);
    this.calls = new AbortController();
    this.say("waiting", "connecting…");
    this.renew(turn);
    let [failed, full] = [0, 0];
    while (turn === this.turn) {
      try {
        const isBehind = full > BEHIND;
        if (failed || isBehind || this.cursor === null) await this.begin(turn, isBehind);
        if (turn !== this.turn) return;
        [failed, full] = [0, isBehind ? 0 : full];
        this.say("live", this.skipped ? "live, news skipped" : "live");
        const asked = Date.now();
        const page = await this.ask(`feed?after=${this.cursor}&wait=${WAIT}`);
        if (turn !== this.turn) return;
        page.items.forEach((item) => this.hear(item));
        this.cursor = page.next;
        full = page.items.length < FULL ? 0 : full + 1;
        this.isBusy = full > 1;
        this.skipped &&= full > 0;
        if (Date.now() - this.beside.at > LOOK) await this.beside.read(() => turn === this.turn);
        const isIdle = !page.items.length && Date.now() - asked < IDLE; // a server that does not wait
        await sleep(isIdle ? IDLE : full ? 0 : BREATH);
      } catch (error) {
        if (turn !== this.turn) return;
        if (error.status in SAID) return this.enter(SAID[error.status]);
        this.say("away", "reconnecting…");
        const pause = TRIES[Math.min(failed, TRIES.length - 1)] * (0.8 + 0.4 * Math.random());
        failed += 1;
        await sleep(Math.max(pause, error.after || 0));
      }
    }
  }
  // Begin where the feed ends now, with what was there before; or go on, if nothing was missed.
  // Far behind, the news between are skipped: what they are about is read all the same.
  async begin(turn, isBehind = false) {
    const { next } = await this.ask("feed?after=now");
    if (!isBehind && this.cursor !== null && BigInt(next) >= BigInt(this.cursor)) return;
    const items = [];
    let more = "";
    while (more !== null && items.length < FIRST) {
      const list = await this.ask(`conversations${more}`);
      items.push(...list.items);
      more = list.next && `?after=${list.next}`;
    }
    if (turn !== this.turn) return;
    if (!isBehind) this.forget();
    [this.skipped, this.isCut] = [isBehind, more !== null];
    this.cursor = next;
    for (const item of items.reverse()) this.raise(this.known.get(keyOf(item)) ?? unread(item), item);
    this.show();
    if (isBehind) return;
    if (!(await this.page.restore())) this.page.story.clear(HINT());
    this.show();
  }

  async ask(path, method = "GET") {
    const { token } = this.prompt;
    const answer = await fetch(path, { method, headers: token ? { auth: token } : {}, cache: "no-store", redirect: "error", signal: this.calls.signal });
    if (!answer.ok) throw refused(answer);
    return answer.json();
  }
  // One piece of news: its conversation moves to the top, and is read when there is time.
  hear(item) {
    const row = this.known.get(keyOf(item)) ?? unread({ ...item, findings: 0 });
    row.at = Date.parse(item.received_at);
    this.raise(row, item);
    if (row !== this.page.row) row.news += item.findings.length;
    for (const { severity, code } of item.findings) {
      row.counts[RANKS.indexOf(severity)] += 1;
      if (!row.codes.includes(code)) row.codes.push(code);
    }
    if (item.findings.length) row.rank = row.counts.findIndex((count) => count > 0);
    this.isChanged = true;
  }
  // Move a conversation to the top, to be read when there is time.
  raise(row, { phase }) {
    this.known.delete(row.key);
    this.known.set(row.key, row);
    if (this.known.size > KEPT) this.known.delete(this.known.keys().next().value);
    Object.assign(row, { phase, isStale: true });
  }

  show() {
    this.isChanged = false;
    const rows = [...this.known.values()].reverse();
    const isRead = rows.length && rows.every((row) => row.told && !row.later);
    const told = isRead ? findingCounts(rows).map(([, text]) => text) : [rows.reduce((sum, row) => sum + (row.rank === null ? (row.errors ?? 0) : row.counts[0]), 0)].filter(Boolean).map((count) => number(count, "error"));
    const kept = this.isCut || rows.length >= KEPT ? [`the ${digits(rows.length)} newest conversations`] : isRead ? totals(rows) : [number(rows.length, "conversation")];
    at("totals").textContent = [...kept, ...told].join(" · ");
    this.page.take(rows, true);
    this.page.entitle();
  }
  // Read what is stale: what is open, what can be seen, what the list could not tell, the rest.
  async renew(turn) {
    for (let [looked, painted] = [0, 0]; turn === this.turn; await sleep(PAUSE)) {
      const { row: open } = this.page;
      if (open && open.phase !== "ended" && Date.now() - looked > LOOK) {
        open.isStale = true;
        looked = Date.now();
      }
      if (document.body.dataset.state === "live") {
        const rows = new Set([open, ...this.page.list.seen(), ...(this.isBusy ? [] : [...this.known.values()].reverse().sort((one, two) => (two.rank === null) - (one.rank === null)))]);
        const stale = [...rows].filter((row) => row && row.isStale).slice(0, AT_ONCE);
        await Promise.all(stale.map((row) => this.read(row)));
      }
      if (turn !== this.turn || this.page.list.isHeld) continue;
      if (this.isChanged) this.show();
      else if (Date.now() - painted > IDLE) this.page.list.paint(); // ages go on
      else continue;
      painted = Date.now();
    }
  }
  // Read what the server has of a conversation, and draw it where it is looked at; `isOpening`
  // returns it instead.
  async read(row, isOpening = false) {
    row.isStale = false;
    try {
      const { row: told, story } = await this.ask(pathOf(row, "inspect"));
      const text = JSON.stringify([told, story]);
      const isNew = text !== row.told;
      Object.assign(row, asRow(told), { key: row.key, told: text }); // what was heard of it may be in this already
      this.isChanged = true;
      if (story.later) shorten(row, story.later.findings);
      if (story.later && !row.later) row.later = new Remainder(story.later.after, (page) => this.ask(pathOf(row, "conversations", page)));
      if (isOpening) return readStory(story);
      if (isNew && row === this.page.row) this.page.story.show(row, readStory(story), this.page.story.row === row);
    } catch (error) {
      if (error.status === 404) this.lose(row);
      else row.isStale = true;
    }
    return null;
  }

  lose(row) {
    if (this.known.get(row.key) === row) this.known.delete(row.key);
    if (row === this.page.row) {
      this.page.row = null;
      this.page.story.clear(make("p", { class: "problem" }, "There is no such conversation for this reader."));
    }
    this.isChanged = true;
  }
  // A row was picked: its news are seen, and its story is read.
  async look(row) {
    if (row.news) [row.news, this.isChanged] = [0, true];
    row.told = "";
    return this.read(row, true);
  }
  // A conversation that is asked for by its address, whether or not it is in the list.
  find(key) {
    const row = unread({ ...idsIn(key), phase: "", events: 0, findings: 0 });
    this.known.set(row.key, row);
    return row;
  }
}
// Where the server has a conversation, and with which parameters it is read.
export function pathOf(row, folder, more = "") {
  const [id, bot] = row.key.split("/").reverse();
  return `${folder}/${id}?${[bot && `botId=${bot}`, more].filter(Boolean).join("&")}`;
}
// Of a long conversation the beginning was read: how grave the rest is, is not known.
export function shorten(row, findings) {
  row.found = findings;
  if (row.rank > 0 && findings) row.rank = null;
}

export const keyOf = (item) => address(item.bot_id, item.conversation_id);
// The ids that are in an address.
export function idsIn(key) {
  const [id, bot] = key.split("/").reverse().map(decoded);
  return { conversation_id: id, bot_id: bot ?? null };
}
// A conversation that was heard of, and not read yet.
export function unread(item) {
  const { conversation_id: id, bot_id: bot, phase, events, findings, started_at: began, received_at: came, updated_at: updated } = item;
  const row = asRow([visible(id), bot ?? "", phase, 0, [0, 0, 0], [], [], events ?? 0, "", 0, 0, 0, Date.parse(began ?? came)]);
  const more = { key: keyOf(item), found: findings, errors: item.errors, at: updated ? Date.parse(updated) : null, isLive: true, isStale: true, news: 0, told: "" };
  return Object.assign(row, more, findings ? { rank: null } : {});
}

export const sleep = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));

start(async (run) => {
  const live = new Live(run);
  document.body.dataset.ready = "";
  if (run.asks && !live.prompt.token) live.enter("");
  else live.follow();
});
