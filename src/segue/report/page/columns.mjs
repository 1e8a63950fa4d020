// The values of a column, as report/columns.py makes it and says how.
export function valuesOf(column) {
  if (Array.isArray(column)) return column;
  const { steps, of, at, items, sizes, all, keys, which, values } = column;
  if (steps) {
    let sum = 0;
    return steps.map((step) => (step === null ? null : (sum += step)));
  }
  if (of) {
    const different = valuesOf(of);
    return valuesOf(at).map((index) => different[index]);
  }
  if (items) {
    const places = items.map(valuesOf);
    return places[0].map((_, index) => places.map((place) => place[index]));
  }
  if (sizes) {
    const every = valuesOf(all);
    let end = 0;
    return valuesOf(sizes).map((size) => every.slice(end, (end += size)));
  }
  const next = new Map([...new Set(keys.flat())].map((key, index) => [key, valuesOf(values[index]).values()]));
  return valuesOf(which).map((index) => Object.fromEntries(keys[index].map((key) => [key, next.get(key).next().value])));
}
