// The modules of the page, without a browser: run by node --test.
import assert from "node:assert/strict";
import { test } from "node:test";

const from = (name) => import(`../../src/segue/report/page/${name}.mjs`);
const { formatAddress, parseAddress, rowOf } = await from("address");
const { Axis, lengthOf, longGaps } = await from("axis");
const { valuesOf } = await from("columns");
const { byName, clock, digits } = await from("dom");
const { asRow, findingCounts, matches, together, totals } = await from("data");
const { commandOf, markdownOf, testOf } = await from("drawer");
const { paired } = await from("compare");
const { columnsOf, presentAt } = await from("ladder");
const { sorted, tally } = await from("overview");
const { joined, legal, readStory, standing } = await from("rows");

const MINUTE = 60_000;
const axis = (values, window = null) => new Axis(values, { byTime: true, left: 100, width: 1000, window });

test("an address says what is looked at, and is read back", () => {
  const looked = { key: "st-1/c%2F1", finding: 2, row: 7, view: "ladder", search: "a b&c", rule: "SG103", agent: "ä", sort: "newest", phase: "open", columns: "queues events", ranks: new Set([0, 3]), zoom: [1500, 2000.5] };
  assert.deepEqual(parseAddress(formatAddress(looked)), looked);
  assert.equal(formatAddress({ key: "c-1" }), "#c-1");
  assert.equal(formatAddress({ key: "" }), "#");
});

test("an address that makes no sense asks for nothing", () => {
  const empty = { key: "c-1", finding: null, row: null, view: "", search: "", rule: "", agent: "", sort: "", phase: "", columns: "", ranks: new Set(), zoom: null };
  assert.deepEqual(parseAddress("#c-1?f=x&e=-1&from=9&to=3&s=9"), empty);
  assert.deepEqual(parseAddress(""), { ...empty, key: "" });
});

test("an id without its bot means a conversation only if it is the only one", () => {
  const rows = ["st-1/c-1", "st-2/c-1", "st-1/c-2"].map((key) => ({ key }));
  assert.equal(rowOf(rows, "c-2"), rows[2]);
  assert.equal(rowOf(rows, "c-1"), undefined);
  assert.equal(rowOf(rows, "st-2/c-1"), rows[1]);
});

test("a gap is long if nothing else could be seen beside it", () => {
  const day = 20 * 60 * MINUTE;
  assert.deepEqual(longGaps([0, MINUTE, day, day + MINUTE]), [[MINUTE, day]]);
  assert.deepEqual(longGaps([0, 20 * MINUTE, 60 * MINUTE, 100 * MINUTE]), []);
  assert.deepEqual(longGaps([0, 9 * MINUTE]), []);
  assert.deepEqual(longGaps([0, 15 * MINUTE]), []);
  const talk = [0, 15 * MINUTE, 16 * MINUTE];
  assert.deepEqual(longGaps(talk, () => true), []);
  assert.deepEqual(longGaps(talk), [[0, 15 * MINUTE]]);
  assert.deepEqual(longGaps([]), []);
  assert.equal(lengthOf(day), "20 h");
  assert.equal(lengthOf(45 * MINUTE), "45 min");
  assert.equal(lengthOf(72 * 60 * MINUTE), "3 d");
});

test("an axis is as wide as it should be, and finds its way back", () => {
  const it = axis([0, 500, 1000]);
  assert.deepEqual([it.place(0), it.place(250), it.place(1000)], [100, 350, 1100]);
  assert.equal(it.value(350), 250);
  const folded = axis([0, MINUTE, 3600 * MINUTE, 3601 * MINUTE]);
  assert.equal(folded.folds.length, 1);
  assert.ok(Math.abs(folded.place(MINUTE) - 100 - 1000 / 2.1) < 1);
  for (const x of [100, 300, 580, 900, 1100]) assert.ok(Math.abs(folded.place(folded.value(x)) - x) < 1e-6);
});

test("zooming keeps what is under the pointer, and ends at all of it", () => {
  const it = axis([0, 10_000]);
  const window = it.zoomed(0.5, 350);
  assert.deepEqual(window, [1250, 6250]);
  const near = axis([0, 10_000], window);
  assert.ok(Math.abs(near.value(350) - 2500) < 1e-6);
  assert.equal(near.zoomed(4, 600), null);
  assert.deepEqual(near.moved(1000), [5000, 10_000]);
  assert.deepEqual(near.moved(-9000), [0, 5000]);
  assert.deepEqual(it.over(window).zoomed(0.5, 350), [1875, 4375]);
});

test("ticks stand at round times, apart from each other, and not in a fold", () => {
  const ticks = axis([0, 10 * MINUTE]).ticks();
  assert.deepEqual(ticks.map(([, label]) => label), ["0:00", "1:00", "2:00", "3:00", "4:00", "5:00", "6:00", "7:00", "8:00", "9:00", "10:00"]);
  const near = axis([0, 10 * MINUTE], [1000, 1100]).ticks().map(([, label]) => label);
  assert.deepEqual(near.slice(0, 3), ["0:01.000", "0:01.010", "0:01.020"]);
  const folded = axis([0, MINUTE, 3600 * MINUTE, 3601 * MINUTE]);
  const [[start, end]] = folded.folds;
  for (const [x] of folded.ticks()) assert.ok(folded.value(x) <= start + 1 || folded.value(x) >= end - 1);
});

test("an axis of nothing, or of one moment, can be drawn", () => {
  for (const values of [[], [null], [7], [7, 7]]) assert.ok(axis(values).ticks().every(([x]) => Number.isFinite(x)));
});

test("a length is shown to the millisecond where it matters", () => {
  assert.equal(clock(61_250), "1:01");
  assert.equal(clock(61_250, true), "1:01.250");
  assert.equal(clock(-3_600_001, true), "-1:00:00.001");
});

test("counts have commas, and names are in the order of their numbers", () => {
  assert.deepEqual([0, 999, 1000, 1_234_567].map(digits), ["0", "999", "1,000", "1,234,567"]);
  assert.deepEqual(["c-10", "b", "c-9"].sort(byName), ["b", "c-9", "c-10"]);
});

test("the text of a row has what is searched", () => {
  const row = asRow(["C-1", "st-1", "ended", 0, [0, 0, 0], ["SG118"], [["a-1", "Ada"], ["a-2", "Ben"]], 3, "", 0, 0, 0, null, [["qu-1", "Orders"]]], 7);
  const found = ["c-1", "st-1", "sg118", "a-2", "ben", "qu-1", "orders", "cleo"].filter((word) => matches(row, [word]));
  assert.deepEqual(found, ["c-1", "st-1", "sg118", "a-2", "ben", "qu-1", "orders"]);
  assert.deepEqual([row.place, matches(row, ["ada", "orders"]), matches(row, ["ada", "cleo"]), matches(row, [])], [7, true, false, true]);
});

test("a column is read as it is written", () => {
  const columns = [
    [["a", null, 1], ["a", null, 1]],
    [{ steps: [1000, 1, null, 2] }, [1000, 1001, null, 1003]],
    [{ of: { steps: [100, 1] }, at: [0, 0, 1] }, [100, 100, 101]],
    [{ items: [[7, 3], ["x", "y"]] }, [[7, "x"], [3, "y"]]],
    [{ sizes: [1, 0, 2], all: [1, 2, 3] }, [[1], [], [2, 3]]],
    [{ keys: [["a", "b"], ["b"]], which: [0, 1, 0], values: [["x", "y"], [7, 3, 7]] }, [{ a: "x", b: 7 }, { b: 3 }, { a: "y", b: 7 }]],
  ];
  for (const [column, values] of columns) assert.deepEqual(valuesOf(column), values);
  const [owned] = valuesOf({ keys: [["__proto__"]], which: [0], values: [["x"]] });
  assert.deepEqual(Object.entries(owned), [["__proto__", "x"]]);
});

const STANDS = [
  ["waiting", null, [], ["NA entry by an agent"]],
  ["active", 0, [], ["NA exit by {0}", "COLD exit by {0}"]],
  ["ended", null, [], []],
];
const raw = () => ({
  start: 1000,
  agents: ["a-1"],
  deliveries: [[1, 0, "hooks", "", "log.jsonl"], [2, 5, "hooks", "", "log.jsonl"]],
  rows: [[0, 0, "NA entry", "a-1", 1], [1, 1, "END_OF_CONVERSATION", "", 2]],
  findings: [{ code: "SG107", severity: "error", row: 1, event: 1, action: null, line: 2, source: "", pointer: "", mistake: 1, message: "no *exit*", help: "send it", because: [] }],
  spells: [], segments: [], mistakes: [{ number: 1, sentence: "it stops", fix: "send it", alternatives: [], edits: 1 }], untraced: 1,
});
const late = () => ({ ...raw(), start: 3000, deliveries: [[3, 0, "hooks", "late", "log.jsonl"]], rows: [[0, 2, "NA exit", "a-1", 0]], findings: [{ ...raw().findings[0], code: "SG110", row: 0, event: 2 }] });

test("what came after the end stands behind it, at its own time", () => {
  const story = readStory(joined(raw(), late()), STANDS);
  assert.deepEqual(story.rows.map((row) => [row.position, row.time, row.state, row.line]), [[0, 0, "", 1], [1, 5, "", 2], [2, 2000, "late", 3]]);
  assert.deepEqual(story.findings.map((each) => [each.code, each.row]), [["SG107", 1], ["SG110", 2]]);
  assert.equal(story.rows[2].after[0], "ended");
  assert.deepEqual(story.findings.map((each) => each.mistake), [1, 2]);
  assert.deepEqual([story.mistakes.map((each) => each.number), story.untraced], [[1, 2], 2]);
});

test("a row says where the conversation stood, and what was legal", () => {
  const story = readStory(raw(), STANDS);
  assert.equal(standing(story.rows[1].before, story.agents), "active: a-1 primary");
  assert.deepEqual(legal(story.rows[1].before, story.agents), ["NA exit by a-1", "COLD exit by a-1"]);
});

test("a late row of the list adds to its conversation", () => {
  const row = (late_, counts, mistakes, untraced, events) => asRow(["c-1", "st-1", "ended", late_, counts, ["SG107"], [], events, "", mistakes, 0, untraced]);
  const [only, ...others] = together([row(0, [2, 0, 0], 1, 0, 5), row(1, [2, 1, 0], 2, 1, 7)]);
  assert.equal(others.length, 0);
  assert.deepEqual([only.counts, only.mistakes, only.untraced, only.events], [[4, 1, 0], 3, 1, 7]);
  assert.deepEqual(totals([only]), ["1 conversation", "0 valid", "0 clean", "7 events"]);
});

test("errors are counted with their mistakes, and with those that are not traced", () => {
  const told = (counts, mistakes, untraced) => findingCounts([{ counts, mistakes, untraced }]);
  assert.deepEqual(told([3, 1, 0], 2, 0), [["error", "2 mistakes (3 errors)"], ["warning", "1 warning"]]);
  assert.deepEqual(told([3, 0, 0], 1, 2), [["error", "1 mistake, 2 errors not traced"]]);
  assert.deepEqual(told([3, 0, 1], 0, 0), [["error", "3 errors"], ["note", "1 note"]]);
  assert.deepEqual(told([0, 1, 0], 1, 0), [["error", "1 mistake"], ["warning", "1 warning"]]);
  assert.deepEqual(told([0, 0, 0], 0, 0), []);
});

test("what is copied is safe to paste", () => {
  const row = { id: "c'1; rm -rf", isLive: false };
  assert.equal(commandOf(row, "log $.jsonl", []), "segue check 'log $.jsonl' --conversation='c'\\''1; rm -rf'");
  const story = readStory(raw(), STANDS);
  assert.match(markdownOf({ ...row, id: "|<b>" , codes: [], agents: []}, story, story.rows[1]), /### \\\|\\<b\\>: 1/);
  assert.match(testOf(row, story), /def test_c_1_rm_rf\(\)[\s\S]*"NA entry by a-1",\n {8}"END_OF_CONVERSATION by a-1",[\s\S]*codes >= \{"SG107"\}/);
});

test("the ladder knows who is there", () => {
  const story = readStory(raw(), STANDS);
  const { titles, of } = columnsOf(story);
  assert.deepEqual(titles, ["customer", "bot", "a-1"]);
  assert.deepEqual(story.rows.map(of), [2, 1]);
  assert.deepEqual(presentAt(story.rows[1], 3), ["there", "there", "primary"]);
});

test("the overview counts conversations, those with a mistake, and mistakes", () => {
  const rows = [["a", 2], ["b", 0], ["a", 1]].map(([bot, mistakes]) => ({ bot, mistakes }));
  const lines = tally(rows, (row) => [[row.bot, row.bot]]);
  assert.deepEqual(lines.map(({ label, counts }) => [label, counts]), [["a", [2, 2, 3]], ["b", [1, 0, 0]]]);
  assert.deepEqual(sorted([{ label: "x10", counts: [1] }, { label: "x9", counts: [5] }], -1).map((each) => each.label), ["x9", "x10"]);
});

test("of rows that are alike only those beside a difference are shown", () => {
  const rows = [..."abcdefghijx"].map((kind) => ({ kind }));
  const found = paired({ rows, other: { rows: rows.slice(0, 10) }, pairs: [[1, 0, 10, 0, 10], [0, 10, 10, 10, 11]] });
  assert.deepEqual(found.map(([one, two]) => (typeof one === "number" ? one : [one?.kind, two?.kind])), [["a", "a"], ["b", "b"], ["c", "c"], 4, ["h", "h"], ["i", "i"], ["j", "j"], [undefined, "x"]]);
});
