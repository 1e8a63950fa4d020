// Elements, made of text and nothing else: what a sender wrote can never become markup.

import { told } from "./told.mjs";

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

export const make = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);
export const draw = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

export const number = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

export function clock(milliseconds) {
  if (milliseconds < 0) return `-${clock(-milliseconds)}`;
  const seconds = Math.round(milliseconds / 1000);
  const two = (value) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = two(seconds % 60);
  return hours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

// An id as the server shows it: what acts on a text, and does not show, is told by its number.
export const visible = (text) =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0).toString(16)}}`);

// A time of day, and the day before it.
export const moment = (milliseconds) => new Date(milliseconds).toISOString().slice(0, 19).replace("T", " ");

export const called = (agent, name) => (name && name !== agent ? `${agent} (${name})` : agent);
