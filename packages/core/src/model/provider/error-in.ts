import { isObject } from '../../base/json.ts';

/** The error in a response body; undefined if there is none, or if the body is not JSON. */
export function errorIn(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return (isObject(value) ? value['error'] : undefined) ?? undefined;
  } catch {
    return undefined;
  }
}
