// A model that counts what it is sent, and refuses what does not fit: how often it has to.
import { expect, it } from 'vitest';
import { UtensilError } from '../../base/errors.ts';
import type { ModelInfo, ModelRequest } from '../../model/model.ts';
import type { ScriptedModel, ScriptedTurn } from '../../testing/index.ts';
import { scriptedModel } from '../../testing/index.ts';
import { memoryThread, play, tool } from '../../test-kit/runs.ts';

const contextWindow = 20_000;

/** In tokens: `perToken` characters each, of everything that a request has. */
const count = ({ system, tools, messages }: ModelRequest, perToken: number): number => {
  const parts = messages.map((message) => message.parts.map((part) => ('modelParts' in part ? part.modelParts : part)));
  return Math.ceil((system.length + JSON.stringify([tools, parts]).length) / perToken);
};

interface Vendor extends ScriptedModel {
  /** The tokens of each request that was refused. */
  readonly refused: number[];
  readonly counted: number[];
}

interface Traits {
  readonly perToken?: number;
  readonly info?: Partial<ModelInfo>;
}

/** Repeats the answers of the script. By default, its tokens have four characters, as in our estimate. */
function vendor(turns: readonly ScriptedTurn[], { perToken = 4, info = {} }: Traits = {}): Vendor {
  const refused: number[] = [];
  const counted: number[] = [];
  let answered = 0;
  const next = (request: ModelRequest): ScriptedTurn => {
    const inputTokens = count(request, perToken);
    const { maxOutputTokens = info.maxOutputTokens ?? 0 } = request;
    if (inputTokens + maxOutputTokens > contextWindow) {
      refused.push(inputTokens);
      throw new UtensilError('prompt_too_long', 'The prompt is too long.');
    }
    counted.push(inputTokens);
    return { ...turns[answered++ % turns.length], usage: { inputTokens, outputTokens: 10 } };
  };
  const model = scriptedModel(
    Array.from({ length: 200 }, () => next),
    { contextWindow, ...info },
  );
  return Object.assign(model, { refused, counted });
}

const reading = tool('look', { execute: (_, __, { callId }) => `${callId} `.padEnd(6_000, 'x') });
const turns = [{ calls: [{ name: 'look' }] }, { calls: [{ name: 'look' }] }, { text: 'Seen.' }];

it('counts instructions and tools before anything was counted', async () => {
  const tools = Array.from({ length: 10 }, (_, at) => tool(`tool_${at}`, { description: 'y'.repeat(3_000) }));
  const messages = Array.from({ length: 40 }, (_, at) => ({
    role: 'user' as const,
    text: `${at} `.padEnd(1_000, 'z'),
  }));
  const model = vendor([{ text: 'Yes.' }]);
  const history = messages.map(({ role, text }, at) => ({
    id: `m${at}`,
    role: at % 2 === 0 ? role : ('assistant' as const),
    parts: [{ type: 'text' as const, text }],
    createdAt: 0,
  }));
  const question = { id: 'q', role: 'user' as const, parts: [{ type: 'text' as const, text: 'Well?' }], createdAt: 0 };
  const options = { messages: [...history, question], instructions: 'w'.repeat(10_000) };
  const { status } = await play(model, tools, options).result;
  expect([status, model.refused]).toEqual(['complete', []]);
  expect(model.requests[0]?.messages.length).toBeLessThan(40);
});

it.each([4, 2, 1.5])(
  'continues with the ratio measured by the run before: %f characters per token',
  async (perToken) => {
    const thread = memoryThread();
    const model = vendor(turns, { perToken });
    for (let at = 0; at < 25; at++) {
      const { status } = await play(model, [reading], { thread, messages: `Question ${at}` }).result;
      expect(status).toBe('complete');
    }
    expect(model.refused.slice(1)).toEqual([]); // of the first long result, nobody knows how it will be counted
    expect(thread.marks.filter(({ type }) => type === 'compacted').length).toBeGreaterThan(1);
    expect(Math.max(...model.counted)).toBeGreaterThan(contextWindow * 0.6); // it is not cut sooner than it has to be
  },
);

it('begins the requests of a new run as the last run did', async () => {
  const thread = memoryThread();
  const model = vendor(turns, { perToken: 2 });
  for (let at = 0; at < 12; at++) {
    await play(model, [reading], { thread, messages: `Question ${at}` }).result;
  }
  const cuts = thread.marks.filter(({ type }) => type === 'compacted').length;
  const broken = model.requests.filter(({ messages }, at) => {
    const before = model.requests[at - 1]?.messages ?? [];
    return before.some((message, index) => JSON.stringify(message.parts) !== JSON.stringify(messages[index]?.parts));
  });
  expect(broken.length).toBeLessThanOrEqual(cuts);
});

it.each([
  ['the run', { maxOutputTokens: 8_000 }, {}],
  ['its provider', {}, { maxOutputTokens: 8_000 }],
])('leaves room for the answer that %s asks for', async (_, more, info) => {
  const thread = memoryThread();
  const model = vendor(turns, { info });
  for (let at = 0; at < 12; at++) await play(model, [reading], { thread, messages: `Question ${at}`, ...more }).result;
  expect(model.refused).toEqual([]);
  expect(model.counted.length).toBe(36);
});

it('asks a model with another window what fits into that', async () => {
  const thread = memoryThread();
  const large = scriptedModel(
    Array.from({ length: 30 }, (_, at) => () => ({ ...turns[at % 3], usage: { inputTokens: 100 * at } })),
    { contextWindow: 1_000_000, id: 'large' },
  );
  for (let at = 0; at < 10; at++) await play(large, [reading], { thread, messages: `Question ${at}` }).result;
  const model = vendor(turns);
  await play(model, [reading], { thread, messages: 'And now?' }).result;
  expect(model.refused).toEqual([]);
});

it('has a summary made that fits as well, of a conversation that a larger model had', async () => {
  const thread = memoryThread();
  const large = scriptedModel(
    Array.from({ length: 90 }, (_, at) => () => turns[at % 3] ?? {}),
    { contextWindow: 10_000_000, id: 'large' },
  );
  for (let at = 0; at < 30; at++) await play(large, [reading], { thread, messages: `Question ${at}` }).result;
  const model = vendor([{ text: 'They looked.' }, { text: 'Yes.' }]);
  const { text } = await play(model, [reading], { thread, messages: 'And now?', summarize: true }).result;
  expect([text, model.refused]).toEqual(['Yes.', []]);
  expect(JSON.stringify(model.requests[1]?.messages)).toContain('They looked.');
});
