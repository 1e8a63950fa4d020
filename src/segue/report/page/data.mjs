// Data as they come, packed into the document or from a server, and rows of the list made of them.
import { address } from "./address.mjs";
import { at, digits, number } from "./dom.mjs";

export const RANKS = ["error", "warning", "note"];

export async function unpack(element) {
  const text = atob(element.textContent);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return new Response(new Response(bytes).body.pipeThrough(new DecompressionStream("deflate"))).json();
}

export const parts = (name) => [...document.querySelectorAll(`script[data-part="${name}"]`)];
// Start what needs the data of the document.
export async function start(main) {
  if (typeof DecompressionStream === "undefined") at("totals").textContent = "This browser is too old for this page: use one of 2023 or later.";
  else await main(await unpack(parts("run")[0]));
}

// A row of the list, and its place among those of a file.
export function asRow([id, bot, phase, late, counts, codes, agents, events, where, mistakes, isByBot, untraced, start, queues = [], change = ""], place) {
  const worst = counts.findIndex((count) => count > 0);
  const rank = worst < 0 ? RANKS.length : worst;
  const key = id === null ? null : address(isByBot ? bot : "", id);
  return { key, id, bot, phase, late, counts, codes, agents, events, where, mistakes, untraced, start, queues, change, rank, place, text: null };
}
// Severities and how often there are findings of them: errors with the number of their mistakes.
export function findingCounts(rows) {
  const sum = (read) => rows.reduce((total, row) => total + read(row), 0);
  const counts = RANKS.map((rank, index) => [rank, sum((row) => row.counts[index])]).filter(([, count]) => count);
  const [mistakes, untraced, errors] = [(row) => row.mistakes, (row) => row.untraced, (row) => row.counts[0]].map(sum);
  const known = [mistakes && number(mistakes, "mistake"), untraced && `${number(untraced, "error")} not traced`].filter(Boolean).join(", ");
  const texts = counts.filter(([rank]) => rank !== "error" || !known).map(([rank, count]) => [rank, number(count, rank)]);
  return known ? [["error", errors && !untraced ? `${known} (${number(errors, "error")})` : known], ...texts] : texts;
}
// Rows of conversations; what came after the end of one belongs to it.
export function together(all) {
  const ended = new Set(all.filter((row) => row.late).map((row) => row.key));
  const whole = new Map(all.filter((row) => !row.late && ended.has(row.key)).map((row) => [row.key, row]));
  return all.filter((row) => {
    const main = row.late && whole.get(row.key);
    if (!main) return true;
    main.counts = main.counts.map((count, rank) => count + row.counts[rank]);
    main.codes = [...new Set([...main.codes, ...row.codes])];
    main.agents = [...new Map([...main.agents, ...row.agents])];
    Object.assign(main, { after: row, events: row.events, mistakes: main.mistakes + row.mistakes, untraced: main.untraced + row.untraced, rank: Math.min(main.rank, row.rank) });
    return false;
  });
}
// What these conversations come to, in the words of a report.
export function totals(all, lines = 0) {
  const rows = all.filter((row) => row.id !== null);
  const count = (test) => rows.filter(test).length;
  const [valid, clean] = [count((row) => !row.counts[0]), count((row) => row.rank === RANKS.length)];
  const right = rows.length && rows.length === clean ? [clean === 1 ? "clean" : "all clean"] : rows.length ? [`${digits(valid)} valid`, `${digits(clean)} clean`] : [];
  const events = number(rows.reduce((sum, row) => sum + row.events, 0), "event");
  return [number(rows.length, "conversation"), ...right, lines ? `${events} in ${number(lines, "line")}` : events];
}

export const title = ({ id, where, late }) => (id === null ? where || "a line of the log" : late ? `${id} after its end` : id);

// The text of a row that is searched, made once.
export const textOf = (row) => (row.text ??= [title(row), row.change, row.bot, row.agents, row.queues, row.codes].join("\n").toLowerCase());
export const matches = (row, words) => words.every((word) => textOf(row).includes(word));
