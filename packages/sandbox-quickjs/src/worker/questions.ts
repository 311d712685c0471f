import { fromBase64, toBase64 } from '../base64.ts';
import { hasManyValues } from './many-values.ts';

/** Maximum characters of a question other than a call. Longer ones are not answered. */
const longest = 512 * 1024;

type Answers = Readonly<Record<string, (value: unknown) => unknown>>;

/**
 * Answers synchronous questions of the guest: JSON in, JSON out. Never throws. `more`: additional questions that this
 * script may ask.
 */
export function answerQuestion(text: string, more: Answers = {}): string {
  try {
    if (hasManyValues(text) || (text.length > longest && !text.startsWith('["call",'))) return 'null';
    const [name, value] = JSON.parse(text) as [string, unknown];
    const known = Object.hasOwn(more, name) ? more : questions;
    const answer = Object.hasOwn(known, name) ? known[name]?.(value) : undefined;
    return JSON.stringify(answer ?? null);
  } catch {
    return 'null';
  }
}

const questions: Answers = {
  now: () => Math.round(performance.now() * 1000) / 1000,
  random(value) {
    const length = Math.min(Math.max(Number(value) || 0, 0), 65_536);
    const bytes = crypto.getRandomValues(new Uint8Array(length));
    return toBase64(bytes);
  },
  encode: (value) => toBase64(new TextEncoder().encode(String(value))),
  decode(value) {
    const { base64, ...options } = value as DecodeQuestion;
    return new TextDecoder('utf-8', options).decode(fromBase64(base64)); // with `fatal`, malformed input is answered with null
  },
  url: (value) => takeApart(value as UrlQuestion),
};

interface DecodeQuestion {
  readonly base64: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
}

interface UrlQuestion {
  readonly url: string;
  readonly base?: string;
  readonly set?: { readonly name: string; readonly value: string };
}

/** Maximum length of a URL. */
const longestUrl = 65_536;
const fields = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const;

function takeApart({ url, base, set }: UrlQuestion): Record<string, string> | null {
  if (url.length + (base?.length ?? 0) + (set?.value.length ?? 0) > longestUrl) return null;
  try {
    const parsed = new URL(url, base);
    const changed = fields.find((field) => field === set?.name);
    if (set !== undefined && changed !== undefined && changed !== 'origin') parsed[changed] = set.value;
    return Object.fromEntries(fields.map((field) => [field, parsed[field]]));
  } catch {
    return null;
  }
}
