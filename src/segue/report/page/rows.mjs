// The rows of a conversation: events, messages, actions and callbacks in the order they came in.

const NOUNS = { transcription: "action", notifications: "call", transfers: "callback" };
const MESSAGES = new Set(["user message", "agent message", "message"]);
const UNPLACED = /^(unprocessable|dropped|broken|held|delivery)/;
// A story as it is drawn: with rows that know their delivery and where the conversation stood.
export function readStory(raw, shared) {
  const situations = raw.situations ?? shared;
  const rows = raw.rows.map(([delivery, position, kind, agent, situation], index) => {
    const [line, time, endpoint, state, source, id] = raw.deliveries[delivery];
    const row = { index, position, kind, agent, line, time, endpoint, state, source, id, delivery };
    row.isMessage = MESSAGES.has(kind) && endpoint === "hooks";
    row.isAction = endpoint !== "hooks";
    row.isPlaced = position !== null && !row.isMessage && !row.isAction && !UNPLACED.test(kind);
    row.after = situations[situation];
    row.body = raw.bodies ? raw.bodies[delivery] : null;
    row.text = row.isMessage && row.body ? String(row.body.query ?? "") : null;
    return row;
  });
  let before = situations[0];
  for (const row of rows) {
    row.before = row.state === "late" ? row.after : before;
    before = row.after;
  }
  const after = raw.after && readStory(moved(raw.after, (raw.after.start ?? 0) - (raw.start ?? 0)), situations);
  const found = new Map();
  for (const finding of raw.findings) found.set(finding.row, [...(found.get(finding.row) ?? []), finding]);
  return { ...raw, rows, foundAt: (index) => found.get(index) ?? [], after: after && { ...after, start: raw.start } };
}
// A conversation with what came after its end: one story, as the inspector has it.
export function joined(story, late) {
  if (!late) return story;
  const start = Math.min(story.start ?? late.start ?? 0, late.start ?? story.start ?? 0);
  const [one, two] = [moved(story, (story.start ?? start) - start), moved(late, (late.start ?? start) - start)];
  const [rows, deliveries] = [one.rows.length, one.deliveries.length];
  const last = one.rows.at(-1);
  return {
    ...one,
    start: story.start === null && late.start === null ? null : start,
    deliveries: [...one.deliveries, ...two.deliveries],
    rows: [...one.rows, ...two.rows.map(([delivery, position, kind, agent]) => [delivery + deliveries, position, kind, agent, last ? last[4] : 0])],
    bodies: one.bodies || two.bodies ? [...(one.bodies ?? one.deliveries.map(() => null)), ...(two.bodies ?? [])] : undefined,
    findings: [...one.findings, ...two.findings.map((each) => ({ ...each, mistake: each.mistake && each.mistake + one.mistakes.length, row: each.row === null ? null : each.row + rows }))],
    spells: [...one.spells, ...two.spells],
    mistakes: [...one.mistakes, ...two.mistakes.map((each) => ({ ...each, number: each.number + one.mistakes.length }))], untraced: one.untraced + two.untraced,
  };
}

function moved(story, by) {
  if (!by) return story;
  const later = (time) => (time === null ? null : time + by);
  return {
    ...story,
    deliveries: story.deliveries.map(([line, time, ...rest]) => [line, later(time), ...rest]),
    call: story.call && [story.call[0], ...story.call.slice(1).map(later)],
    spells: story.spells.map(([state, start, end]) => [state, later(start), later(end)]),
    segments: story.segments.map((segment) => ({ ...segment, connections: segment.connections.map(([opened, closed, start, end, ...how]) => [opened, closed, later(start), later(end), ...how]) })),
  };
}
// The number of a row among its like.
export const placeOf = (row) => (row.position === null ? "" : row.isAction ? `${NOUNS[row.endpoint] ?? ""} ${row.position}` : String(row.position));
// What a row is called: an action is one of the transcription or of the call.
export const kindOf = (row) => (row.endpoint === "transcription" ? `transcription ${row.kind}` : row.endpoint === "notifications" ? `call ${row.kind}` : row.kind);
// The situation before or after a row in words: phase and who is there.
export function standing([phase, primary, consultants], agents) {
  const name = (number) => agents[number] ?? `agent ${number}`;
  const there = [primary === null ? "" : `${name(primary)} primary`, ...consultants.map((each) => `${name(each)} consultant`)];
  return [phase, there.filter(Boolean).join(", ")].filter(Boolean).join(": ");
}

export const legal = ([, , , expected], agents) => expected.map((text) => text.replace(/\{(\d+)\}/g, (_, number) => agents[number] ?? number));
