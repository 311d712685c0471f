// Runs handle calls and texts of every vendor alike.
import {
  type Message,
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  resolveToolset,
  textOf,
} from '@utensil/core';
import type { Answer, AnswerBlock } from '@utensil/tooling-loopback/answer';
import { describe, expect, it } from 'vitest';
import { textWithin } from '../test-kit/continuity/sent.ts';
import { ask, call, lastTurn } from '../test-kit/continuity/thread.ts';
import { type Vendor, serve, vendors } from '../test-kit/continuity/vendors.ts';

const inputs: unknown[] = [];

/** A tool to which no arguments would be fine. */
const note = defineTool({
  name: 'note',
  description: 'Notes.',
  input: jsonSchema({ type: 'object', properties: { text: { type: 'string' } } }),
  effects: 'write',
  execute(input) {
    inputs.push(input);
    return `noted ${JSON.stringify(input)}`;
  },
});
const toolset = resolveToolset(createRegistry([note]), emptySettings, {});

const says = (text: string): AnswerBlock => ({ type: 'text', deltas: [text] });

/** Runs over answers of a vendor. Returns the tool's inputs, the messages, and the bodies of the requests. */
async function runOver(vendor: Vendor, ...answers: readonly Answer[]) {
  inputs.length = 0;
  await using server = await serve(vendor, ...answers, lastTurn(vendor));
  const { text, messages } = await ask(vendor.make(server.url), 'Begin.', { toolset });
  expect(text).toBe(`Done by ${vendor.name}.`);
  return { given: [...inputs], messages, bodies: server.requests.map((request) => request.json()) };
}

const failuresIn = (messages: readonly Message[]) =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-result' ? [part.isError] : [])));

describe.each(vendors)('$name', (vendor) => {
  it.each([[[]], [[says('I note.')]]])('[S0-19] runs calls whatever the reason of the end is: %j', async (before) => {
    const answer: Answer = { blocks: [...before, call('note', { text: 'a' })], reason: 'stop' };
    const { given, messages } = await runOver(vendor, answer);
    expect(given).toEqual([{ text: 'a' }]);
    expect(failuresIn(messages)).toEqual([false]);
  });

  it('[D3-07] has the text of a round once, in its own message and in each later request', async () => {
    const rounds = ['The first round.', 'The second round.', 'The third round.'];
    const answers = rounds.map((text): Answer => ({ blocks: [says(text), call('note', { text: 'a' })] }));
    const { messages, bodies } = await runOver(vendor, ...answers);
    const spoken = messages.filter(({ role }) => role === 'assistant').map(({ parts }) => textOf(parts).trim());
    expect(spoken).toEqual([...rounds, `Done by ${vendor.name}.`]);
    const counts = bodies.map((body) => rounds.map((text) => textWithin(body).split(text).length - 1));
    expect(counts).toEqual([
      [0, 0, 0],
      [1, 0, 0],
      [1, 1, 0],
      [1, 1, 1],
    ]);
  });
});

// Google's arguments are an object: its package reports a malformed call as an error of the turn, and tests that.
describe.each(vendors.filter(({ name }) => name !== 'google'))('$name', (vendor) => {
  it.each(['{"text": oops', '{"text":"a', '[1, 2]', '"a"'])(
    '[D4-08] never runs a tool with the arguments %s, and tells the model',
    async (text) => {
      const broken: AnswerBlock = { type: 'call', name: 'note', deltas: [text] };
      const { given, messages, bodies } = await runOver(vendor, { blocks: [broken, call('note', { text: 'b' })] });
      expect(given).toEqual([{ text: 'b' }]);
      expect(failuresIn(messages)).toEqual([true, false]);
      expect(vendor.read(bodies.at(-1)).results[0]?.text).toMatch(/JSON|Malformed/);
    },
  );
});
