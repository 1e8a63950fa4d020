// What is known of one event: its envelope, where the conversation stood, what was legal, what was
// found, and the same as text to pass on.
import { title } from "./data.mjs";
import { at, clock, instant, make, unbroken } from "./dom.mjs";
import { kindOf, legal, placeOf, standing } from "./rows.mjs";
import { place } from "./details.mjs";

const INTAKES = { hooks: "event (E21)", transcription: "transcription control (E1)", notifications: "call notification (E2)", transfers: "transfer callback (E9)" };
const AROUND = 3;

const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
const literal = (text) => JSON.stringify(text);
const cell = (text) => String(text).replace(/[\\|`*_<>[\]]/g, "\\$&");
// A command that checks this conversation again.
export function commandOf(row, source, logs) {
  const chosen = `--conversation=${quoted(row.id ?? "")}`;
  if (row.isLive) return `segue journal --store STORE ${chosen} | segue check -`;
  const names = source ? [source] : logs.length ? logs : ["LOG"];
  return `segue check ${names.map(quoted).join(" ")} ${chosen}`;
}
// A test that has these events in this order, and what is found in them.
export function testOf(row, story) {
  let agent = story.agents[0] ?? "a-1";
  const sent = story.rows.filter((each) => !each.isAction && each.position !== null && !/^unprocessable/.test(each.kind));
  const labels = sent.map((each) => {
    agent = each.agent || agent;
    return each.kind === "TRIGGER_SUMMARY_EVENT" ? each.kind : `${each.kind === "message" ? "user message" : each.kind} by ${agent}`;
  });
  const codes = [...new Set(story.findings.filter((each) => /^SG[12]/.test(each.code)).map((each) => each.code))];
  const name = (row.id ?? "line").replace(/\W+/g, "_").replace(/^_|_$/g, "").toLowerCase() || "conversation";
  return [
    "import segue",
    "from segue.testing import story",
    "",
    "",
    `def test_${name}() -> None:`,
    "    report = segue.check(story(",
    ...labels.map((label) => `        ${literal(label)},`),
    "    ))",
    `    codes = {finding.code for finding in report.findings}`,
    "",
    codes.length ? `    assert codes >= ${`{${codes.map(literal).join(", ")}}`}` : "    assert report.clean",
    "",
  ].join("\n");
}
// An account of an event for an issue: what was found, and what came around it.
export function markdownOf(row, story, picked) {
  const found = story.foundAt(picked.index);
  const near = story.rows.slice(Math.max(0, picked.index - AROUND), picked.index + AROUND + 1);
  const lines = near.map((each) => {
    const time = each.time === null ? "" : clock(each.time, true);
    const codes = story.foundAt(each.index).map((finding) => finding.code);
    const mark = each === picked ? "**" : "";
    return `| ${placeOf(each)} | ${time} | ${mark}${cell(kindOf(each))}${mark} | ${cell(each.agent)} | ${codes.join(" ")} |`;
  });
  const told = found.map((each) => `**${each.code}** (${each.severity}, ${place(each)}): ${cell(each.message)}${each.help ? `\n\nTo mend it: ${cell(each.help)}` : ""}\n`);
  const stood = `Before it the conversation stood at ${cell(standing(picked.before, story.agents))}. Legal was: ${cell(legal(picked.before, story.agents).join(", ") || "nothing more")}.`;
  return [`### ${cell(title(row))}: ${cell(placeOf(picked) || kindOf(picked))}`, "", ...told, stood, "", "| # | time | event | agent | found |", "|---|---|---|---|---|", ...lines, ""].join("\n");
}

export class Drawer {
  // `on` is called: finding(index), row(index), close().
  constructor(on, logs) {
    [this.on, this.logs] = [on, logs];
    this.box = make("aside", { id: "drawer", "aria-label": "Event", tabindex: -1, hidden: true, keydown: (event) => this.key(event) });
    document.body.append(this.box);
  }

  get isOpen() { return !this.box.hidden; }

  close() {
    if (!this.isOpen) return;
    this.box.hidden = true;
    this.on.close();
  }

  key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || event.target.matches("textarea, input")) return;
    event.preventDefault();
    this.on.row(this.picked.index + by, this.story);
  }

  show(row, story, picked) {
    Object.assign(this, { row, story, picked });
    const { start, agents } = story;
    const time = picked.time === null ? "" : `${start === null ? "" : `${instant(start + picked.time)} UTC, `}+${clock(picked.time, true)}`;
    const beside = story.rows.filter((each) => each.delivery === picked.delivery);
    const found = story.findings.flatMap((finding, index) => (finding.row === picked.index ? [[finding, index]] : []));
    const facts = [
      ["time", time],
      ["agent", picked.agent],
      ["from", [picked.source, picked.line && `line ${picked.line}`].filter(Boolean).join(", ")],
      ["sent to", INTAKES[picked.endpoint] ?? picked.endpoint],
      ["delivery", [picked.id, beside.length > 1 && `${beside.indexOf(picked) + 1} of ${beside.length} events in it`].filter(Boolean).join(", ")],
      ["became", picked.state && { late: "came after the end", held: "waits for other deliveries", dropped: "dropped: its id had come before", broken: "cannot be read" }[picked.state]],
      ["before", standing(picked.before, agents)],
      ["after", standing(picked.after, agents)],
      ["legal was", picked.state === "held" ? "" : legal(picked.before, agents).join(", ") || "nothing more"],
    ].filter(([, value]) => value);
    const step = (by, label) => make("button", { type: "button", "aria-label": label, disabled: !story.rows[picked.index + by], click: () => this.on.row(picked.index + by, story) }, by < 0 ? "‹" : "›");
    this.box.replaceChildren(
      make("div", { class: "bar-of" }, make("h3", {}, `${placeOf(picked)} ${kindOf(picked)}`), step(-1, "Event before"), step(1, "Next event"), make("button", { type: "button", "aria-label": "Close", click: () => this.close() }, "×")),
      make("dl", {}, facts.map(([label, value]) => [make("dt", {}, label), make("dd", {}, unbroken(value))])),
      found.length ? make("ul", {}, found.map(([finding, index]) => this.finding(finding, index))) : "",
      this.copies(),
      picked.body ? make("pre", { tabindex: 0, "aria-label": "Body" }, JSON.stringify(picked.body, null, 2)) : "",
    );
    this.box.hidden = false;
  }

  finding(finding, index) {
    const link = make("button", { type: "button", class: `link ${finding.severity}`, click: () => this.on.finding(index) }, `#${index + 1} ${finding.code}`);
    return make("li", {}, link, " ", finding.message, make("small", {}, finding.mistake ? ` part of mistake ${finding.mistake}` : ""));
  }

  copies() {
    const { row, story, picked } = this;
    const texts = [
      ["link", () => location.href],
      ["command", () => commandOf(row, picked.source, this.logs)],
      ["pytest", () => testOf(row, story)],
      ["Markdown", () => markdownOf(row, story, picked)],
    ];
    const said = make("span", { role: "status" });
    const shown = make("textarea", { readonly: true, rows: 6, hidden: true, "aria-label": "The text to copy" });
    const copy = async (label, text) => {
      shown.value = text;
      shown.hidden = false;
      shown.select();
      said.textContent = await navigator.clipboard.writeText(text).then(() => `${label} copied`, () => "press Ctrl+C to copy");
    };
    return make("div", { class: "copies" }, "Copy as ", texts.map(([label, text]) => make("button", { type: "button", click: () => copy(label, text()) }, label)), said, shown);
  }
}
