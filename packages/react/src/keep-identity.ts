/** The new list with the previous objects for unchanged items; the previous list itself if nothing changed. */
export function keepIdentity<Item>(
  before: readonly Item[],
  now: readonly Item[],
  keyOf: (item: Item) => string,
): readonly Item[] {
  const known = new Map(before.map((item) => [keyOf(item), item]));
  const items = now.map((item) => {
    const last = known.get(keyOf(item));
    return last !== undefined && JSON.stringify(last) === JSON.stringify(item) ? last : item;
  });
  return items.length === before.length && items.every((item, index) => item === before[index]) ? before : items;
}
