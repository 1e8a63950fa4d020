// The file: all rows at once, failing conversations first; a story when somebody opens it.

class Archive {
  static async open() {
    const file = new Archive();
    const [rows, said] = await Promise.all(["rows", "said"].map((name) => Promise.all(parts(name).map(unpack))));
    file.rows = rows.flatMap((some, part) => some.map((row, place) => ({ ...asRow(row), part, place })));
    file.rows.sort((one, two) => one.rank - two.rank || (one.id === null) - (two.id === null) || one.part - two.part || one.place - two.place);
    file.said = grouped(said.flat());
    file.stories = parts("stories");
    file.unpacked = new Map();
    return file;
  }

  async story(row) {
    if (!this.unpacked.has(row.part)) {
      if (this.unpacked.size > 20) this.unpacked.clear();
      this.unpacked.set(row.part, unpack(this.stories[row.part]));
    }
    const story = (await this.unpacked.get(row.part))[row.place];
    return { ...story, said: (!row.late && this.said.get(row.key)) || [] };
  }
}

function grouped(said) {
  const found = new Map();
  for (const each of said) {
    const key = address(each.bot, each.conversation);
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(each);
  }
  return found;
}

start(async (run) => {
  const file = await Archive.open();
  at("totals").textContent = [...run.totals, ...run.counts].join(" · ");
  if (run.causes.length) {
    const sentences = run.causes.map((sentence) => make("li", {}, sentence));
    at("totals").after(make("details", { id: "causes", open: true }, make("summary", {}, "Causes"), make("ul", {}, sentences)));
  }
  const page = new Page(run.rules, (row) => file.story(row));
  page.take(file.rows);
  const wanted = addressed();
  const first = (wanted && rowOf(file.rows, wanted)) || file.rows[0];
  if (first) page.list.pick(file.rows.indexOf(first), Boolean(wanted));
  document.body.dataset.ready = "";
});
