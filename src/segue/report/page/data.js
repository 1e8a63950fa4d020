// The data of the file: rows at once, stories when somebody opens one.

const RANKS = ["error", "warning", "note"];

async function unpack(element) {
  const text = atob(element.textContent);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

const parts = (name) => [...document.querySelectorAll(`script[data-part="${name}"]`)];

class Data {
  static async open() {
    const data = new Data();
    const [[run], rows, said] = await Promise.all(
      ["run", "rows", "said"].map((name) => Promise.all(parts(name).map(unpack))),
    );
    data.run = run;
    data.rows = rows.flatMap((some, part) => some.map((row, place) => asRow(row, part, place)));
    data.said = grouped(said.flat());
    data.files = parts("stories");
    data.opened = new Map();
    return data;
  }

  async story(row) {
    if (!this.opened.has(row.part)) {
      if (this.opened.size > 20) this.opened.clear();
      this.opened.set(row.part, unpack(this.files[row.part]));
    }
    const story = (await this.opened.get(row.part))[row.place];
    return { ...story, said: (!row.late && this.said.get(row.id)) || [] };
  }
}

function grouped(said) {
  const found = new Map();
  for (const each of said) {
    if (!found.has(each.conversation)) found.set(each.conversation, []);
    found.get(each.conversation).push(each);
  }
  return found;
}

function asRow([id, bot, phase, late, counts, codes, agents, events, where], part, place) {
  const worst = counts.findIndex((count) => count > 0);
  const rank = worst < 0 ? RANKS.length : worst;
  return { id, bot, phase, late, counts, codes, agents, events, where, rank, part, place, text: null };
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
