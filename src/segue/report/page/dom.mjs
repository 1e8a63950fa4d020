// Elements, made of text and nothing else: what a sender wrote can never become markup.

export const SVG = "http://www.w3.org/2000/svg";
export const at = (id) => document.getElementById(id);

export function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== ""));
  return element;
}

export const make = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
export const draw = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

// A count with a comma before each three digits, and a text of counts; what the language has takes time at its first use.
export const digits = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ",");
export const separated = (text) => text.replace(/\d+/g, digits);
export const number = (count, noun) => `${digits(count)} ${noun}${count === 1 ? "" : "s"}`;
// A button for what is left out, which shows it.
export const more = (count, noun, show) => (count > 0 ? make("button", { type: "button", click: (event) => [show(), event.target.remove()] }, `Show ${number(count, `more ${noun}`)}`) : "");
// What is scrolled sideways where it is too wide, by keyboard as well.
export const wide = (label, ...children) => make("div", { class: "wide", tabindex: 0, role: "region", "aria-label": label }, ...children);
// A table with a title above each column; `body` holds its rows.
export const table = (attributes, titles, body) => make("table", attributes, make("thead", {}, make("tr", {}, titles.map((title) => make("th", { scope: "col" }, title)))), body);
// Back to the list, where it is not beside what is read.
export const back = () => make("button", { type: "button", class: "back", click: () => document.body.classList.remove("reading") }, "‹ All conversations");
// A text whose dates and ids are not broken at their hyphens; the name of a kind may be, at its underscores.
export const unbroken = (text) => text.split(/(\S*-\S*)/).filter(Boolean).map((part) => (part.includes("-") ? make("span", { class: "unbroken" }, part) : part));
export const breakable = (text) => text.split(/(?<=_)/).map((part, index) => [index ? make("wbr") : "", part]);
// A length of time; to the millisecond where it matters.
export function clock(milliseconds, isExact = false) {
  if (milliseconds < 0) return `-${clock(-milliseconds, isExact)}`;
  const whole = isExact ? Math.floor(milliseconds / 1000) : Math.round(milliseconds / 1000);
  const two = (value) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const part = isExact ? `.${String(Math.round(milliseconds) % 1000).padStart(3, "0")}` : "";
  const rest = `${two(whole % 60)}${part}`;
  return hours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
// An id as the server shows it: what acts on a text, and does not show, is told by its number.
export const visible = (text) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0).toString(16)}}`);
// A time of day, and the day before it; to the second, and to the millisecond.
export const moment = (milliseconds) => instant(milliseconds).slice(0, 19);
export const instant = (milliseconds) => new Date(milliseconds).toISOString().slice(0, 23).replace("T", " ");
// One call in a frame, with the latest arguments.
export function eachFrame(act) {
  let asked = 0;
  return () => {
    asked = asked || requestAnimationFrame(() => {
      asked = 0;
      act();
    });
  };
}

// Which of two names comes first: x9 before x10.
export const byName = new Intl.Collator("en", { numeric: true }).compare;
export const called = (agent, name) => (name && name !== agent ? `${agent} (${name})` : agent);
