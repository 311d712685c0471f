import { isObject, ownMember } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';

/** The values of a field: `path`, or `edits.path`. Lists are traversed. Empty if the field is absent. */
export function inputValues(input: JsonObject, field: string): readonly Json[] {
  const values = field.split('.').reduce<readonly Json[]>(
    (found, name) =>
      found.flatMap(flattened).flatMap((each) => {
        const next = isObject(each) ? ownMember(each, name) : undefined;
        return next === undefined || next === null ? [] : [next];
      }),
    [input],
  );
  return values.flatMap(flattened);
}

function flattened(value: Json): readonly Json[] {
  return Array.isArray(value) ? value.flatMap(flattened) : [value];
}
