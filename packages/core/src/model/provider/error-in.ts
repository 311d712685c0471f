import { isObject } from '../../base/json.ts';

/** The error in the body of a response; undefined if there is none, or if the body is no JSON. */
export function errorIn(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return (isObject(value) ? value['error'] : undefined) ?? undefined;
  } catch {
    return undefined;
  }
}
