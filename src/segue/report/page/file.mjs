// The file: all rows at once, failing conversations first; a story when it is opened.
import { valuesOf } from "./columns.mjs";
import { asRow, parts, start, together, totals, unpack } from "./data.mjs";
import { at, make } from "./dom.mjs";
import { Page } from "./page.mjs";
import { joined, readStory } from "./rows.mjs";

export class Archive {
  static async open() {
    const file = new Archive();
    const [rows, situations] = await Promise.all(["rows", "situations"].map((name) => Promise.all(parts(name).map(unpack))));
    const all = rows.flatMap((some, part) => valuesOf(some).map((row, place) => ({ ...asRow(row), part, place })));
    file.rows = together(all);
    file.rows.sort((one, two) => one.rank - two.rank || (one.id === null) - (two.id === null) || one.part - two.part || one.place - two.place);
    file.situations = situations.flat();
    file.stories = parts("stories");
    file.unpacked = new Map();
    return file;
  }

  async story(row) {
    const [story, late] = await Promise.all([row, row.after].map((each) => each && this.raw(each)));
    const other = story.other && readStory(joined(...story.other), this.situations);
    return { ...readStory(joined(story, late), this.situations), other };
  }

  async raw({ part, place, start }) {
    if (!this.unpacked.has(part)) {
      if (this.unpacked.size > 20) this.unpacked.clear();
      this.unpacked.set(part, unpack(this.stories[part]).then(valuesOf));
    }
    return { ...(await this.unpacked.get(part))[place], start };
  }
}

start(async (run) => {
  const file = await Archive.open();
  at("totals").textContent = run.total ?? [...totals(file.rows, run.lines), ...run.more, ...run.counts].join(" · ");
  const causes = run.causes.map((sentence) => make("li", {}, sentence));
  if (causes.length) at("totals").after(make("details", { id: "causes", open: true }, make("summary", {}, "Causes"), make("ul", {}, causes)));
  const page = new Page(run.rules, (row) => file.story(row), { about: run.about });
  page.take(file.rows);
  if (!(await page.restore()) && file.rows[0]) page.list.pick(0, false);
  document.body.dataset.ready = "";
});
