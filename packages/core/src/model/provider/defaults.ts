import { isObject } from '../../base/json.ts';

/** An object of a request with default members. Its own members win, also in objects that both have. */
export function withDefaults<Whole extends object>(own: Whole, defaults: object): Whole {
  const whole = { ...(own as Record<string, unknown>) };
  for (const [key, value] of Object.entries(defaults)) {
    const given = whole[key];
    whole[key] = isObject(given) && isObject(value) ? { ...value, ...given } : (given ?? value);
  }
  return whole as Whole;
}
