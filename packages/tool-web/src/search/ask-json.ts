import { UtensilError } from '@utensil/core';
import { ask } from '../ask.ts';
import type { AskOptions } from '../ask.ts';
import { httpError } from '../http-error.ts';
import { decodeText } from '../charset.ts';

/** Time and size limits of a search. */
export const searchLimits = { timeoutMs: 9_000, maxBytes: 900_000 };

/**
 * Requests JSON from an API.
 *
 * @throws `fetch_failed` for a response that is not JSON
 */
export async function askJson(
  url: string,
  options: Omit<AskOptions, 'maxBytes'> & { readonly maxBytes: number },
): Promise<unknown> {
  const headers = { accept: 'application/json', ...options.headers };
  const { response, bytes, isCut } = await ask(url, { ...options, headers });
  if (!response.ok) throw httpError(response);
  try {
    return JSON.parse(decodeText(bytes, 'application/json; charset=utf-8'));
  } catch (cause) {
    const why = isCut ? `sent more than ${options.maxBytes} bytes` : 'sent something that is not JSON';
    throw new UtensilError('fetch_failed', `${new URL(url).host} ${why}.`, { cause });
  }
}

/** The value at a path in untrusted JSON. */
function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inside, name) => (Object(inside) as Readonly<Record<string, unknown>>)[name], value);
}

/** A list in untrusted JSON; empty if it is something else. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const list = at(value, ...path);
  return Array.isArray(list) ? list : [];
}

/** A text in untrusted JSON; empty if it is something else. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const text = at(value, ...path);
  return typeof text === 'string' ? text : '';
}
