import { isContainer } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { enter, spend } from './work.ts';
import type { Work } from './work.ts';

/** A key that two values share exactly if JSON Schema considers them equal: 1 and 1.0 are, 1 and true are not. */
export function equalityKey(value: unknown, work: Work): string {
  if (typeof value === 'string') {
    spend(work, value.length >> 5);
    return JSON.stringify(value);
  }
  if (!isContainer(value)) return String(value);
  enter(work);
  const key = Array.isArray(value) ? keyOfItems(value, work) : keyOfMembers(value as JsonObject, work);
  work.depth--;
  spend(work, key.length >> 5); // it is copied into the key of its container
  return key;
}

function keyOfItems(items: readonly Json[], work: Work): string {
  spend(work, items.length);
  return `[${items.map((item) => equalityKey(item, work)).join(',')}]`;
}

function keyOfMembers(object: JsonObject, work: Work): string {
  const names = Object.keys(object)
    .filter((name) => object[name] !== undefined)
    .sort();
  spend(work, names.length);
  return `{${names.map((name) => `${JSON.stringify(name)}:${equalityKey(object[name], work)}`).join(',')}}`;
}
