import { expect, it } from 'vitest';
import { toJson } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { textOf } from './message.ts';
import { call, finish, memoryThread, play, resultsOf, streamedModel, tool, toolsetOf } from '../test-kit/runs.ts';
import { parseToolInput } from './tool-input.ts';

const lists = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
const objects = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const valueOf = (text: string): JsonObject => JSON.parse(text) as JsonObject;

it.each([
  ['5,000 lists', lists(5_000)],
  ['5,000 objects', objects(5_000)],
  ['100,000 lists', lists(100_000)],
  ['100,000 objects', objects(100_000)],
])('ended the whole run if arguments were %s inside each other, in place of the call alone', async (_, text) => {
  const model = streamedModel([
    () => [call('1', 't', valueOf(text)), call('2', 't', { a: 1 }), finish('tool-calls')],
    () => [finish()],
  ]);
  let runs = 0;
  const thread = memoryThread();
  const end = await play(model, [tool('t', { execute: () => ++runs })], { thread }).result;
  expect([end.status, runs]).toEqual(['complete', 1]);
  const [deep, flat] = resultsOf(end.messages);
  expect([deep?.isError, flat?.isError]).toEqual([true, false]);
  expect(textOf(deep?.modelParts ?? [])).toBe(
    'Arguments must not be nested more than 500 levels deep. Send flatter ones.',
  );
  const [part] = end.messages.flatMap(({ parts }) => parts.filter((each) => each.type === 'tool-call'));
  expect(part).toMatchObject({ input: {}, invalidInput: expect.stringMatching(/^\{"a":/) as string });
});

it('failed in a tool whose script called another with arguments 100,000 levels deep', async () => {
  const outer = tool('outer', { execute: (_input, _options, context) => context.call('t', valueOf(lists(100_000))) });
  const model = streamedModel([() => [call('1', 'outer'), finish('tool-calls')], () => [finish()]]);
  const end = await play(model, [outer, tool('t')]).result;
  expect(end.status).toBe('complete');
  expect(JSON.stringify(resultsOf(end.messages)[0]?.output)).toContain('nested more than 500 levels deep');
});

it('threw if arguments were a cycle, one object in many places, or a number that is not JSON', async () => {
  const cycle: Record<string, unknown> = {};
  Object.assign(cycle, { a: cycle, b: cycle });
  const prepare = (input: object) => toolsetOf([tool('t')]).prepare({ name: 't', input: input as JsonObject });
  expect((await prepare(cycle)).refusal).toMatchObject({ code: 'invalid_input' });
  expect((await prepare({ n: 1n })).refusal).toMatchObject({ code: 'invalid_input' });
});

it('reads arguments of 500 levels, as text and as a value, and none of 501', () => {
  for (const write of [lists, objects]) {
    const most = valueOf(write(500));
    expect([parseToolInput(write(500)), parseToolInput(most)]).toEqual([{ input: most }, { input: most }]);
    for (const given of [write(501), valueOf(write(501))]) {
      const { input, invalidInput = '' } = parseToolInput(given);
      expect(input).toEqual({});
      expect(parseToolInput(invalidInput).invalidInput).toBe(invalidInput);
    }
  }
  expect(parseToolInput([1])).toEqual({ input: {}, invalidInput: '[1]' });
});

it('overflowed the stack, or took seconds, for an output of 100,000 levels', () => {
  const output = toJson(JSON.parse(lists(100_000)));
  let depth = 0;
  for (let level: Json | undefined = output; typeof level === 'object' && level !== null; depth++)
    level = Object.values(level)[0];
  expect(depth).toBe(600);
  expect(JSON.stringify(output)).toContain('[Nested too deeply]');
});
