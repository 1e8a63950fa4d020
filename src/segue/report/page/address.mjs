// Addresses: what is open, and how it is looked at, in the part of the URL that no server sees.

export const FILTERS = ["search", "rule", "agent", "sort", "phase", "columns"];
const SHORT_NAMES = { finding: "f", row: "e", from: "from", to: "to", view: "v", search: "q", ranks: "s", rule: "rule", agent: "agent", sort: "sort", phase: "phase", columns: "show" };
// The part of an address that names a conversation; without a bot where it has its id alone.
export const address = (bot, id) => (bot ? `${encodeURIComponent(bot)}/${encodeURIComponent(id)}` : encodeURIComponent(id));
// What an address asks for: the key of a conversation, or none, and the rest by name.
export function parseAddress(hash) {
  const [key, query = ""] = hash.replace(/^#/, "").split("?", 2);
  const sent = new URLSearchParams(query);
  const read = (name) => sent.get(SHORT_NAMES[name]) ?? "";
  const count = (name) => (/^\d{1,9}$/.test(read(name)) ? Number(read(name)) : null);
  const place = (name) => (/^-?\d{1,14}(\.\d{1,6})?$/.test(read(name)) ? Number(read(name)) : null);
  const found = { key, finding: count("finding"), row: count("row"), view: read("view") };
  found.zoom = place("from") !== null && place("to") > place("from") ? [place("from"), place("to")] : null;
  found.ranks = new Set(read("ranks").split("").filter((each) => /[0-3]/.test(each)).map(Number));
  for (const name of FILTERS) found[name] = read(name);
  return found;
}

export function formatAddress({ key, zoom, ranks, ...rest }) {
  const sent = new URLSearchParams();
  const add = (name, value) => value !== null && value !== undefined && value !== "" && sent.set(SHORT_NAMES[name], value);
  for (const name of ["finding", "row", "view", ...FILTERS]) add(name, rest[name]);
  if (ranks) add("ranks", [...ranks].sort().join(""));
  if (zoom) zoom.forEach((value, index) => add(index ? "to" : "from", String(Math.round(value * 1000) / 1000)));
  const query = sent.toString();
  return `#${key ?? ""}${query ? `?${query}` : ""}`;
}
// The row of this key; of an id without its bot, the only conversation that has it.
export function rowOf(rows, key) {
  const exact = rows.find((row) => row.key === key);
  if (exact) return exact;
  const alike = rows.filter((row) => row.key?.endsWith(`/${key}`));
  return alike.length === 1 ? alike[0] : undefined;
}
