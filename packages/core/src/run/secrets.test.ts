import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mapStrings } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import { option } from '../tool/option.ts';
import { createRegistry } from '../tool/registry.ts';
import { emptySettings } from '../settings/settings.ts';
import { scriptedModel } from '../testing/index.ts';
import { eventsOf, memoryThread, tool } from '../test-kit/runs.ts';
import { run } from './lazy-run.ts';
import { causeWithoutKeys } from '../model/scrub.ts';
import { result } from '../tool/result.ts';
import type { Tool } from '../tool/tool.ts';
import { resolveToolset } from '../toolset/toolset.ts';
import { messagesOf } from '../thread/messages.ts';

const secret = 'p+ss "w/rd"é';

/** All text that a run reports, stores and shows to the model, if a tool does this with its secret. */
async function toldOf(execute: (key: string, progress: (update: Json) => void) => unknown): Promise<string> {
  const keyed: Tool = tool('keyed', {
    options: { key: option.secret({ label: 'Key' }) },
    execute: (_input, { key }, { progress }) => execute(String(key), progress),
  });
  const host = { secrets: { get: async () => secret } };
  const toolset = resolveToolset(createRegistry([keyed]), emptySettings, host);
  const thread = memoryThread();
  const model = scriptedModel([{ calls: [{ name: 'keyed' }] }, { text: 'Done.' }]);
  const running = run({ model, toolset, messages: 'Go.', thread });
  const events = await eventsOf(running);
  return JSON.stringify([events, await messagesOf(thread), model.requests, await running.result]);
}

const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)].map((form) =>
  JSON.stringify(form).slice(1, -1),
);

it.each<readonly [string, Parameters<typeof toldOf>[0]]>([
  ['a key of its output', (key) => ({ [key]: 1, list: [{ [`x-${key}`]: { [key]: key } }] })],
  ['a key of a map', (key) => new Map([[key, 1]])],
  ['a key of its progress', (key, progress) => progress({ percent: 1, by: { [key]: true } })],
  ['a key of the input that it rewrites', (key) => result({ output: 'ok', input: { [key]: 1 } })],
  [
    'a key of the value that ends the run',
    (key) => result({ output: 'ok', control: { end: { value: { [key]: 1 } } } }),
  ],
  [
    'the name of a file',
    (key) => result({ output: 'ok', parts: [{ type: 'file', mediaType: 'text/plain', name: key, data: 'eA==' }] }),
  ],
  [
    'an address',
    (key) =>
      result({
        output: 'ok',
        parts: [{ type: 'image', mediaType: 'image/png', url: `https://x/?key=${encodeURIComponent(key)}` }],
      }),
  ],
  [
    'a link',
    (key) =>
      result({
        output: 'ok',
        parts: [{ type: 'resource-link', uri: `a:${key}`, name: key, title: key, description: key, mediaType: key }],
      }),
  ],
  [
    'the type of a recording',
    (key) => result({ output: 'ok', parts: [{ type: 'audio', mediaType: key, name: key, data: 'eA==' }] }),
  ],
  [
    'the key of a resource',
    (key) => result({ output: 'ok', parts: [{ type: 'text', text: 'x', resource: { key, etag: key } }] }),
  ],
  ['JSON in a text', (key) => JSON.stringify({ [key]: key })],
  [
    'an error that quotes an address',
    (key) => {
      throw new Error(`no answer from https://x/?key=${encodeURIComponent(key)}`);
    },
  ],
  [
    'an error that quotes JSON',
    (key) => {
      throw new Error(`bad body ${JSON.stringify({ [key]: 1 })}`);
    },
  ],
])('a secret was told as %s', async (_, execute) => {
  const told = await toldOf(execute);
  for (const form of forms) expect(told).not.toContain(form);
  expect(told).toContain('[secret]');
});

it('keys that become the same are told apart, and no value is lost', () => {
  const change = (text: string): string => text.replaceAll(/secret\d/g, '[secret]');
  const value = { secret1: 1, secret2: 2, '[secret]': 3, '[secret] 2': 4, plain: 5, ['__proto__']: 6 };
  expect(mapStrings(value, change)).toEqual({
    '[secret] 3': 1,
    '[secret] 4': 2,
    '[secret]': 3,
    '[secret] 2': 4,
    plain: 5,
    ['__proto__']: 6,
  });
});

it('no key and no text keeps a secret, and nothing else changes', () => {
  const change = (text: string): string => text.replaceAll('s3', '[secret]');
  const text = fc.oneof(fc.string(), fc.constantFrom('s3', 'a s3', 's3s3', '[secret]', '[secret] 2', '__proto__'));
  const leaf = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
  const json = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('value')), fc.dictionary(text, tie('value'))),
  })).value;
  const leavesOf = (value: Json): number =>
    value !== null && typeof value === 'object'
      ? Object.values(value).reduce((sum: number, each) => sum + leavesOf(each), 0)
      : 1;
  fc.assert(
    fc.property(json, (value) => {
      const masked = mapStrings(value, change);
      expect(JSON.stringify(masked)).not.toContain('s3');
      expect(leavesOf(masked)).toBe(leavesOf(value));
      expect(mapStrings(masked, change)).toEqual(masked);
      expect(mapStrings(value, (same) => same)).toEqual(value);
    }),
  );
});

const apiKey = 'key-0123456789';

it.each<readonly [string, unknown]>([
  ['its headers', Object.assign(new Error('401'), { headers: new Headers({ 'x-api-key': apiKey }) })],
  ['a key of an object', Object.assign(new Error('401'), { request: { sent: { [apiKey]: true } } })],
  ['a map', Object.assign(new Error('401'), { config: new Map([[apiKey, 1]]) })],
  ['a deep cause', new Error('a', { cause: Object.assign(new Error('b'), { body: [{ deep: [apiKey] }] }) })],
  ['one of several errors', new AggregateError([new Error(`not ${apiKey}`)], 'all failed')],
  ['an object that is no error', { [apiKey]: 1 }],
])('a cause was kept that holds the key in %s', (_, thrown) => {
  expect(causeWithoutKeys(thrown, apiKey)).toBeUndefined();
});

it('keeps a cause without a key, also one that never ends', () => {
  const thrown: Error & { self?: Error } = Object.assign(new Error('500'), { headers: new Headers({ a: 'b' }) });
  thrown.self = thrown;
  expect(causeWithoutKeys(thrown, apiKey)).toBe(thrown);
});
