import { messageOf } from './errors.ts';
import { isObject, toJson } from './json.ts';

/** Text without keys: vendors quote those that they refuse, whole or in parts, and an address may hold a password. */
export function withoutKeys(text: string, apiKey: unknown): string {
  const known = typeof apiKey === 'string' && apiKey.length >= 8 ? text.replaceAll(apiKey, '[key]') : text;
  return known
    .replaceAll(/\b(?:sk|sess|rk|pk)-[\w*.-]{3,}/g, '[key]')
    .replaceAll(/\bBearer\s+\S+/gi, 'Bearer [key]')
    .replaceAll(/:\/\/[^\s/@]+@/g, '://[key]@');
}

/** What was thrown as a cause, which ends up in logs; nothing where it holds a key. */
export function causeWithoutKeys(thrown: unknown, apiKey: unknown): unknown {
  const told = tellAll(thrown);
  return withoutKeys(told, apiKey) === told ? thrown : undefined;
}

function tellAll(thrown: unknown): string {
  if (!(thrown instanceof Error)) return JSON.stringify(toJson(thrown));
  const body = isObject(thrown) && 'error' in thrown ? JSON.stringify(toJson(thrown['error'])) : '';
  return `${messageOf(thrown)}\n${thrown.stack ?? ''}\n${body}\n${thrown.cause === undefined ? '' : tellAll(thrown.cause)}`;
}
