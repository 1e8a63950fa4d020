// Where times or positions are on the screen: a scale with long gaps folded, and a window on it.
import { clock } from "./dom.mjs";

const FOLDED = 600_000;
const BUSY = 10_800_000;
const SHARE = 0.05;
const ROOM = 76;
const BY_EVENT = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
const BY_TIME = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 3e4, 6e4, 12e4, 3e5, 6e5, 12e5, 18e5, 36e5, 72e5, 144e5, 432e5, 864e5];
// Gaps so long that what happens beside them could not be seen: at least ten minutes, or three hours
// where somebody talked, and longer than all that is left without them.
export function longGaps(values, isBusy = () => false) {
  const sorted = [...new Set(values)].sort((one, two) => one - two);
  const gaps = sorted.slice(1).map((end, index) => [sorted[index], end]);
  gaps.sort(([a, b], [c, d]) => d - c - (b - a));
  let rest = sorted.length ? sorted.at(-1) - sorted[0] : 0;
  const long = [];
  for (const [start, end] of gaps) {
    rest -= end - start;
    if (end - start < FOLDED || end - start < rest || rest <= 0) break;
    if (end - start < BUSY && isBusy(start)) rest += end - start;
    else long.push([start, end]);
  }
  return long.sort((one, two) => one[0] - two[0]);
}
// How long a gap is, in a word or two.
export function lengthOf(milliseconds) {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 2880 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} d`;
}

export class Axis {
  // `values` are all times or positions, or an axis that has them; `window` is the part that is
  // looked at, null for all.
  constructor(values, { byTime, left, width, window, isBusy }) {
    Object.assign(this, { byTime, left, width });
    if (values instanceof Axis) for (const name of ["low", "high", "folds", "bends"]) this[name] = values[name];
    else this.measure(values, isBusy);
    [this.from, this.to] = window ?? [this.low, this.high];
    [this.start, this.end] = [this.unit(this.from), this.unit(this.to)];
    if (!(this.end > this.start)) [this.from, this.to, this.start, this.end] = [this.low, this.high, this.unit(this.low), this.unit(this.high)];
  }

  measure(values, isBusy) {
    const known = values.filter((each) => each !== null);
    this.low = known.reduce((least, each) => Math.min(least, each), Infinity);
    this.high = known.reduce((most, each) => Math.max(most, each), -Infinity);
    if (!known.length) [this.low, this.high] = [0, 1];
    if (this.high === this.low) this.high = this.low + 1;
    this.folds = this.byTime ? longGaps(known, isBusy) : [];
    this.bends = this.bent();
  }
  // The same with another window.
  over(window) { return new Axis(this, { ...this, window }); }
  get isWhole() { return this.from <= this.low && this.to >= this.high; }
  // Corners of the scale: values, and how far along they are drawn, each fold with the same width.
  bent() {
    const open = this.high - this.low - this.folds.reduce((sum, [start, end]) => sum + end - start, 0);
    const fold = Math.max(open, 1) * SHARE;
    const bends = [[this.low, 0]];
    let [value, at] = [this.low, 0];
    for (const [start, end] of this.folds) {
      at += start - value;
      bends.push([start, at], [end, at + fold]);
      [value, at] = [end, at + fold];
    }
    bends.push([this.high, at + this.high - value]);
    return bends;
  }

  unit(value) { return along(this.bends, 0, 1, value); }
  // The value at a place on the screen.
  value(x) { return along(this.bends, 1, 0, this.start + ((x - this.left) / this.width) * (this.end - this.start)); }
  // Where a value is; beside the window where it is out of it.
  place(value) { return this.left + ((this.unit(value) - this.start) / (this.end - this.start)) * this.width; }
  // As `place`, but never beyond the edges.
  inside(value) { return Math.max(this.left, Math.min(this.place(value), this.left + this.width)); }

  isSeen(from, to = from) { return to >= this.from && from <= this.to; }
  // How long what is seen is on the scale, and all of it.
  get units() { return this.end - this.start; }
  get all() { return this.bends.at(-1)[1]; }
  // The window after zooming by a factor around a place on the screen.
  zoomed(factor, x) {
    const { units, all } = this;
    const middle = this.start + ((x - this.left) / this.width) * units;
    const least = this.byTime ? Math.min(all, 20) : Math.min(all, 2);
    const size = Math.min(Math.max(units * factor, least), all);
    const start = Math.max(0, Math.min(middle - (middle - this.start) * (size / units), all - size));
    return this.windowOf(start, start + size);
  }
  // The window after moving by so many pixels.
  moved(pixels) {
    const { units, all } = this;
    const start = Math.max(0, Math.min(this.start + (pixels / this.width) * units, all - units));
    return this.windowOf(start, start + units);
  }

  windowOf(start, end) {
    if (start <= 0 && end >= this.all) return null;
    return [along(this.bends, 1, 0, start), along(this.bends, 1, 0, end)];
  }

  ticks() {
    const per = (this.end - this.start) / Math.max(this.width, 1);
    const steps = this.byTime ? BY_TIME : BY_EVENT;
    const step = steps.find((each) => each / per >= ROOM) ?? steps.at(-1) * Math.ceil((per * ROOM) / steps.at(-1));
    const bends = this.folds.map(([start, end]) => (this.place(start) + this.place(end)) / 2);
    const isInFold = (value) => this.folds.some(([start, end]) => value > start && value < end);
    const found = [];
    let free = -Infinity;
    for (const [low, high] of this.stretches()) {
      for (let value = Math.ceil(low / step) * step; value <= high; value += step) {
        const x = this.place(value);
        if (isInFold(value) || x < free || bends.some((bend) => Math.abs(bend - x) < ROOM * 0.6)) continue;
        free = x + ROOM * 0.7;
        found.push([x, this.label(value, step)]);
      }
    }
    return found;
  }
  // The parts of the window that are not folded.
  stretches() {
    const cuts = [this.from, ...this.folds.flat().filter((each) => this.isSeen(each)), this.to];
    const found = cuts.slice(1).map((high, index) => [cuts[index], high]);
    return found.filter(([low, high]) => !this.folds.some(([start, end]) => low >= start && high <= end));
  }

  label(value, step) { return this.byTime ? clock(value, step < 1000) : String(value); }
}
// What stands at `value` on a line with these corners, from one coordinate to the other.
function along(corners, from, to, value) {
  const last = corners.length - 1;
  let [low, high] = [0, last];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (corners[middle][from] <= value) low = middle;
    else high = middle;
  }
  const [one, two] = [corners[low], corners[Math.min(high, last)]];
  if (two[from] === one[from]) return one[to];
  return one[to] + ((value - one[from]) / (two[from] - one[from])) * (two[to] - one[to]);
}
