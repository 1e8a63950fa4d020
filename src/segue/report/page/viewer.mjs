// What moves the timeline: wheel, drag, pinch and keys; a cursor, and tips for whatever is pointed at.
import { clock, eachFrame, instant, make } from "./dom.mjs";
import { Plan, axisOf, frame, minimap, moving, timeline, tipOf } from "./timeline.mjs";

const STEP = 1.25;
const FAR = 6;

export class Viewer {
  // `on` is called: pin(index), row(row), zoom(window).
  constructor(on) {
    this.on = on;
    this.window = null;
    this.picked = null;
    this.head = make("div", { class: "head" });
    this.lanes = make("div", { class: "lanes", tabindex: 0, role: "group", "aria-label": "Timeline: arrow keys go from event to event, plus and minus zoom, zero shows all, Enter opens an event", "aria-describedby": "tip" });
    this.tip = make("div", { id: "tip", role: "status", hidden: true });
    this.when = make("div", { class: "when", hidden: true });
    this.box = make("div", { class: "drawing" }, this.head, this.lanes, this.when, this.tip);
    this.touches = new Map();
    this.redraw = eachFrame(() => this.draw());
    const listen = (target, name, act, more) => target.addEventListener(name, (event) => act.call(this, event), more);
    listen(this.lanes, "wheel", this.wheel, { passive: false });
    listen(this.head, "wheel", this.wheel, { passive: false });
    for (const box of [this.lanes, this.head]) listen(box, "pointerdown", this.press);
    listen(this.box, "pointermove", this.point);
    for (const name of ["pointerup", "pointercancel"]) listen(this.box, name, this.release);
    listen(this.box, "pointerleave", this.hide);
    listen(this.lanes, "keydown", this.key);
    listen(this.lanes, "click", this.click);
    listen(this.lanes, "dblclick", (event) => this.zoom(1 / (STEP * STEP), event.offsetX));
    listen(this.box, "focusin", (event) => this.say(event.target));
    listen(this.box, "focusout", () => this.hush());
  }

  show(row, story, byTime, { isFresh, window }) {
    const isNew = this.story !== story || this.byTime !== byTime;
    Object.assign(this, { row, story, byTime, isFresh });
    if (isNew) this.picked = null;
    if (isNew || window !== undefined) this.window = window ?? null;
    this.draw();
  }

  get width() { return this.box.clientWidth; }

  draw() {
    if (!this.story || !this.width) return;
    const before = this.plan;
    const plan = (this.plan = new Plan(this.row, this.story, { byTime: this.byTime, width: this.width, window: this.window }));
    const on = { onPin: this.on.pin, isFresh: this.isFresh };
    const focused = document.activeElement?.closest?.(".pin")?.id;
    if (before && before.scale === plan.scale && before.width === plan.width) {
      this.lanes.querySelector(".moving").replaceWith(moving(plan, on));
      this.head.lastChild.replaceWith(axisOf(plan));
    } else {
      this.map = minimap(plan);
      this.head.replaceChildren(this.map, axisOf(plan));
      this.lanes.replaceChildren(timeline(plan, on));
    }
    frame(this.map, plan);
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    this.mark();
  }
  // The axis of what is asked for, which may not be drawn yet.
  get asked() { return this.plan.axis.over(this.window); }
  look(window) {
    this.window = window;
    this.redraw();
    this.on.zoom(window);
  }

  zoom(factor, x = this.plan.axis.left + this.plan.axis.width / 2) { this.look(this.asked.zoomed(factor, x)); }

  wheel(event) {
    const isZoom = event.ctrlKey || event.metaKey || document.activeElement === this.lanes;
    const across = event.shiftKey ? event.deltaY : event.deltaX;
    if (isZoom && !event.shiftKey && event.deltaY) this.zoom(STEP ** Math.sign(event.deltaY), this.x(event));
    else if (across && this.window) this.look(this.asked.moved(across));
    else return;
    event.preventDefault();
  }

  x(event) { return event.clientX - this.box.getBoundingClientRect().left; }

  press(event) {
    if (event.button || event.target.closest(".pin")) return;
    this.touches.set(event.pointerId, this.x(event));
    const isMap = Boolean(event.target.closest(".minimap"));
    this.drag = { x: this.x(event), last: this.x(event), isMap, isSelecting: isMap || event.shiftKey || !this.window, moved: false };
  }

  point(event) {
    const x = this.x(event);
    this.cursor(x);
    if (!this.touches.has(event.pointerId)) return event.pointerType === "mouse" && this.say(event.target, event);
    const before = [...this.touches.values()];
    this.touches.set(event.pointerId, x);
    const now = [...this.touches.values()];
    if (now.length === 2) {
      const [was, is] = [Math.abs(before[0] - before[1]), Math.abs(now[0] - now[1])];
      if (was > 1 && is > 1) this.zoom(was / is, (now[0] + now[1]) / 2);
      this.drag = null;
    } else if (this.drag) {
      this.drag.moved ||= Math.abs(x - this.drag.x) > FAR;
      if (!this.drag.moved) return;
      if (!this.drag.isSelecting) this.look(this.asked.moved(this.drag.last - x));
      else this.select(this.drag.x, x);
      this.drag.last = x;
      this.hush();
    }
  }

  release(event) {
    this.touches.delete(event.pointerId);
    const { drag } = this;
    this.drag = null;
    this.selection?.remove();
    this.selection = null;
    if (!drag?.moved) {
      if (event.pointerType !== "mouse" && event.type === "pointerup") this.say(event.target, event);
      return;
    }
    this.wasDragged = true;
    if (!drag.isSelecting) return;
    const axis = drag.isMap ? this.map.axis : this.plan.axis;
    const [one, two] = [drag.x, drag.last].sort((a, b) => a - b).map((x) => axis.value(Math.max(axis.left, Math.min(x, axis.left + axis.width))));
    if (two > one) this.look([one, two]);
  }

  select(one, two) {
    if (!this.selection) this.box.append((this.selection = make("div", { class: "selection" })));
    this.selection.style.left = `${Math.min(one, two)}px`;
    this.selection.style.width = `${Math.abs(two - one)}px`;
  }

  click(event) {
    const [row, isDragged] = [this.rowAt(event), this.wasDragged];
    this.wasDragged = false;
    if (row && !isDragged && !event.target.closest(".pin")) this.pick(row, true);
  }
  // The row that was meant: its mark, or in a crowd the nearest in its lane.
  rowAt(event) {
    const mark = event.target.closest("[data-row]");
    if (mark) return this.story.rows[mark.dataset.row];
    const box = this.lanes.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top + this.lanes.scrollTop];
    const far = (row) => Math.abs(this.plan.axis.place(this.plan.valueOf(row)) - x);
    const near = this.plan.seen.filter((row) => Math.abs(this.plan.heightOf(row) - y) < 14 && far(row) < FAR);
    return near.reduce((best, row) => (best && far(best) <= far(row) ? best : row), null);
  }

  pick(row, isOpened) {
    this.picked = row.index;
    const { axis } = this.plan;
    const value = this.plan.valueOf(row);
    if (!axis.isSeen(value)) this.look(axis.moved(axis.place(value) - axis.left - axis.width / 2));
    this.mark();
    this.cursor(axis.place(value));
    if (isOpened) this.on.row(row);
  }
  // Show which row is picked.
  mark() {
    this.lanes.querySelector(".picked")?.classList.remove("picked");
    this.lanes.querySelector(`[data-row="${this.picked}"]`)?.classList.add("picked");
  }

  key(event) {
    if (event.target !== this.lanes) return;
    const acts = {
      "+": () => this.zoom(1 / STEP / STEP),
      "=": () => this.zoom(1 / STEP / STEP),
      "-": () => this.zoom(STEP * STEP),
      0: () => this.look(null),
      ArrowRight: () => this.step(1, event.shiftKey),
      ArrowLeft: () => this.step(-1, event.shiftKey),
      Home: () => this.step(-Infinity),
      End: () => this.step(Infinity),
      Enter: () => this.picked !== null && this.on.row(this.story.rows[this.picked]),
    };
    if (!(event.key in acts) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    acts[event.key]();
  }

  step(by, isPanning = false) {
    if (isPanning) return this.look(this.asked.moved((by * this.plan.axis.width) / 4));
    const last = this.story.rows.length - 1;
    const from = this.picked ?? (by > 0 ? -1 : last + 1);
    const to = by === Infinity ? last : by === -Infinity ? 0 : Math.max(0, Math.min(from + by, last));
    if (last < 0) return undefined;
    const row = this.story.rows[to];
    this.pick(row, false);
    const x = this.plan.axis.inside(this.plan.valueOf(row));
    return this.put(tipOf(row), x, this.plan.heightOf(row) + this.head.offsetHeight - this.lanes.scrollTop);
  }
  // The cursor: where it is, since the beginning and by the clock.
  cursor(x) {
    const { axis, bottom, pinned } = this.plan;
    if (x < axis.left - 1 || x > axis.left + axis.width + 1) return this.hide();
    this.lanes.querySelector(".cursor")?.setAttribute("d", `M${x} ${pinned}V${bottom}`);
    const value = axis.value(x);
    const { start } = this.story;
    this.when.textContent = this.byTime ? `+${clock(value, true)}${start === null ? "" : ` · ${instant(start + value).slice(11)} UTC`}` : `event ${Math.round(value)}`;
    this.when.hidden = false;
    const half = this.when.offsetWidth / 2;
    this.when.style.left = `${Math.max(0, Math.min(x - half, this.width - 2 * half))}px`;
    return undefined;
  }

  hide() {
    this.when.hidden = true;
    this.lanes.querySelector(".cursor")?.setAttribute("d", "");
    this.hush();
  }

  say(target, event) {
    const element = target.closest?.("[data-tip]");
    if (!element) return this.hush();
    const box = this.box.getBoundingClientRect();
    const place = element.getBoundingClientRect();
    return this.put(element.dataset.tip, event ? this.x(event) : place.left + place.width / 2 - box.left, (event ? event.clientY : place.bottom) - box.top + 6);
  }

  put(text, x, y) {
    this.tip.textContent = text;
    this.tip.hidden = false;
    this.tip.style.left = `${Math.max(0, Math.min(x + 10, this.width - this.tip.offsetWidth - 4))}px`;
    this.tip.style.top = `${y + 12}px`;
  }

  hush() { this.tip.hidden = true; }
}
