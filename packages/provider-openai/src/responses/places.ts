import type { ResponseOutputItem } from 'openai/resources/responses/responses';

type Item = ResponseOutputItem;

/** An item, as far as it has come. */
export interface Placed {
  readonly added?: Item | undefined;
  readonly done?: Item | undefined;
}

/**
 * The place of an item in its answer, by its `output_index`. Some gateways send none; there it is that of the same id, or
 * the next.
 */
export function placeOf(
  { output_index: index, item_id: id, item }: EventOfItem,
  places: ReadonlyMap<number, Placed>,
): number {
  if (typeof index === 'number') return index;
  const known = item === undefined ? undefined : placeWith(item, places);
  return known ?? placeWith({ id }, places) ?? nextPlace(places);
}

/** Properties of an item in an event; servers may leave out any of them. */
export interface EventOfItem {
  readonly output_index?: number;
  readonly item_id?: string;
  readonly item?: Item;
}

/**
 * The places of the items in a whole answer. Gateways leave some of them out there, or change their ids: an item is the one
 * with its id or call id, else the one of its type in its place, else the next of its type that is no other's, else the one
 * in its place of which only deltas have come.
 */
export function placesOf(output: readonly Item[], places: ReadonlyMap<number, Placed>): readonly number[] {
  const found = output.map((item) => placeWith(item, places));
  const taken = new Set(found);
  let next = nextPlace(places);
  return output.map((item, position) => {
    const isFree = (place: number): boolean => !taken.has(place) && typeAt(place, places) === item.type;
    const isUnnamed = (place: number): boolean =>
      !taken.has(place) && places.has(place) && typeAt(place, places) === undefined;
    const free = [position, ...places.keys()].find(isFree) ?? [position].find(isUnnamed);
    const place = found[position] ?? free ?? (places.has(position) || taken.has(position) ? next++ : position);
    taken.add(place);
    return place;
  });
}

function typeAt(place: number, places: ReadonlyMap<number, Placed>): string | undefined {
  const { done, added } = places.get(place) ?? {};
  return (done ?? added)?.type;
}

function placeWith(item: object, places: ReadonlyMap<number, Placed>): number | undefined {
  for (const [place, { added, done }] of places) if (isSame(item, done) || isSame(item, added)) return place;
  return undefined;
}

function isSame(item: Named, other: Named | undefined): boolean {
  if (other === undefined) return false;
  const isNamed = (name: 'id' | 'call_id'): boolean => Boolean(item[name]) && item[name] === other[name];
  return isNamed('call_id') || isNamed('id');
}

interface Named {
  readonly id?: unknown;
  readonly call_id?: unknown;
}

function nextPlace(places: ReadonlyMap<number, Placed>): number {
  return Math.max(-1, ...places.keys()) + 1;
}
