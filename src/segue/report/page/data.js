// Data as they come, packed into the document or from a server, and rows of the list made of them.

const RANKS = ["error", "warning", "note"];

async function unpack(element) {
  const text = atob(element.textContent);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

const parts = (name) => [...document.querySelectorAll(`script[data-part="${name}"]`)];

const TOO_OLD = "This browser is too old for this page: use one of 2023 or later.";

// Start what needs the data of the document.
async function start(main) {
  if (typeof DecompressionStream === "undefined") at("totals").textContent = TOO_OLD;
  else await main(await unpack(parts("run")[0]));
}

// The part of an address that names a conversation; without a bot where it has its id alone.
const address = (bot, id) => (bot ? `${encodeURIComponent(bot)}/${encodeURIComponent(id)}` : encodeURIComponent(id));

function asRow([id, bot, phase, late, counts, codes, agents, events, where, mistakes, isByBot]) {
  const worst = counts.findIndex((count) => count > 0);
  const rank = worst < 0 ? RANKS.length : worst;
  const key = id === null ? null : address(isByBot ? bot : "", id);
  return { key, id, bot, phase, late, counts, codes, agents, events, where, mistakes, rank, text: null };
}

// Severities and how often there are findings of them: errors with how many mistakes they come from.
function findingCounts(rows) {
  const sum = (read) => rows.reduce((total, row) => total + read(row), 0);
  const counts = RANKS.map((rank, index) => [rank, sum((row) => row.counts[index])]).filter(([, count]) => count);
  return counts.map(([rank, count]) => {
    const text = number(count, rank);
    return [rank, rank === "error" ? `${number(sum((row) => row.mistakes), "mistake")} (${text})` : text];
  });
}

const title = (row) => {
  if (row.id === null) return row.where || "a line of the log";
  return row.late ? `${row.id} after its end` : row.id;
};

function matches(row, words) {
  if (row.text === null) {
    row.text = [title(row), row.bot, ...row.agents.flat(), ...row.codes].join("\n").toLowerCase();
  }
  return words.every((word) => row.text.includes(word));
}
