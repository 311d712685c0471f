import { isObject } from '../../base/json.ts';

/** Adds defaults to an object of a request. Its own members win, one level deep, too. */
export function withDefaults<Whole extends object>(own: Whole, defaults: object): Whole {
  const whole = { ...(own as Record<string, unknown>) };
  for (const [key, value] of Object.entries(defaults)) {
    const given = whole[key];
    whole[key] = isObject(given) && isObject(value) ? { ...value, ...given } : (given ?? value);
  }
  return whole as Whole;
}
