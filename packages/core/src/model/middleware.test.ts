import { expect, it } from 'vitest';
import { UtensilError } from '../base/errors.ts';
import { textOf } from './message.ts';
import { answerParts, withMiddleware } from './middleware.ts';
import type { Middleware } from './middleware.ts';
import type { ModelPart } from './model.ts';
import { permissions } from '../run/permission/policy.ts';
import { scriptedModel } from '../testing/index.ts';
import type { ScriptedTurn } from '../testing/index.ts';
import { eventsOf, play, resultsOf, tool, until } from '../test-kit/runs.ts';

/** A run of a script with something in front of the model. */
const behind = (script: readonly ScriptedTurn[], ...middleware: readonly Middleware[]) => {
  const model = scriptedModel(script);
  const tools = [tool('look'), tool('save', { effects: 'write' })];
  const played = play(withMiddleware(model, ...middleware), tools, { limits: { retries: 0 } });
  return { ...played, model };
};

const hook = (stream: Middleware['stream']): Middleware => ({ name: 'my hook', stream });

it('passes requests on and looks at each part, in the order in which it was given', async () => {
  const seen: string[] = [];
  const looking = (name: string): Middleware => ({
    name,
    async *stream(request, next, { info }) {
      seen.push(`${name} asks ${info.id}`);
      for await (const part of next(request)) {
        if (part.type === 'text-delta') seen.push(`${name} reads ${part.text}`);
        yield part;
      }
    },
  });
  const { result, model } = behind([{ text: 'Hi' }], looking('outer'), looking('inner'));
  expect(await result).toMatchObject({ status: 'complete', text: 'Hi' });
  expect(seen.slice(0, 4)).toEqual(['outer asks scripted', 'inner asks scripted', 'inner reads H', 'outer reads H']);
  expect(withMiddleware(model)).toBe(model);
});

it('asks the model something else, or again, and changes what it says', async () => {
  const louder = hook(async function* stream(request, next) {
    for await (const part of next({ ...request, system: 'Be loud.' }))
      yield part.type === 'text-delta' ? { ...part, text: part.text.toUpperCase() } : part;
  });
  const { result, model } = behind([{ text: 'quiet' }], louder);
  expect((await result).text).toBe('QUIET');
  expect(model.requests[0]?.system).toBe('Be loud.');

  const twice = hook(async function* stream(request, next) {
    const first: ModelPart[] = [];
    for await (const part of next(request)) first.push(part);
    yield* first.some(({ type }) => type === 'text-delta') ? first : next(request);
  });
  expect((await behind([{}, { text: 'Second try' }], twice).result).text).toBe('Second try');
});

it('answers in place of the model: its calls run as usual, and the model continues from there', async () => {
  let turns = 0;
  const first = hook(async function* stream(request, next) {
    if (turns++ > 0) yield* next(request);
    else yield* answerParts({ text: 'First I look.', calls: [{ name: 'look' }, { name: 'gone', input: { a: 1 } }] });
  });
  const { result, model } = behind([{ text: 'I saw.' }], first);
  const { status, text, messages, usage } = await result;
  expect([status, text, usage.inputTokens]).toEqual(['complete', 'I saw.', 0]);
  expect(resultsOf(messages).map(({ output }) => output)).toEqual(['look', 'Unknown tool: gone']);
  const ids = resultsOf(messages).map(({ callId }) => callId);
  expect(new Set(ids).size).toBe(2);
  expect(model.requests).toHaveLength(1);
});

it('asks for permission for calls that a middleware makes', async () => {
  const saving = hook(() => answerParts({ calls: [{ name: 'save' }] }));
  const { result } = play(withMiddleware(scriptedModel([]), saving), [tool('save', { effects: 'write' })], {
    policy: permissions('write'),
    interactive: false,
    limits: { steps: 1 },
  });
  expect(resultsOf((await result).messages)[0]?.output).toContain('The call was denied by policy');
});

it('stops for the user with an answer of nothing', async () => {
  const stop = hook(async () => answerParts({}));
  const { result, model } = behind([], stop);
  expect(await result).toMatchObject({ status: 'complete', text: '' });
  expect(model.requests).toEqual([]);
});

it.each<readonly [string, Middleware['stream'], string]>([
  [
    'throws',
    () => {
      throw new Error('at once');
    },
    'at once',
  ],
  [
    'throws behind the first part',
    async function* stream(request, next) {
      for await (const part of next(request)) {
        yield part;
        throw new Error('later');
      }
    },
    'later',
  ],
  ['rejects', () => Promise.reject(new Error('rejected')), 'rejected'],
  ['gives nothing at all', () => undefined as never, ''],
  [
    'streams what is no part',
    () => [{ type: 'sandwich' } as never],
    'it streamed a value that is not a part of a turn.',
  ],
  ['streams nothing', () => [undefined as never], 'it streamed a value that is not a part of a turn.'],
  ['never finishes', () => [], 'its answer has no finish.'],
  [
    'names a place of the host',
    async function* stream(): AsyncIterable<ModelPart> {
      yield* [];
      throw new Error("ENOENT: '/home/me/hooks/a.js'");
    },
    'ENOENT:',
  ],
])('a middleware that %s fails the turn by its name, and breaks nothing', async (_, stream, message) => {
  const played = behind([{ text: 'Hello' }], hook(stream));
  const { status, error } = await played.result;
  expect([status, error?.code]).toEqual(['error', 'model_failed']);
  expect(error?.message).toContain(`Hook error in "my hook": ${message}`);
  expect(error?.message).not.toContain('/home/me');
  expect((await eventsOf(played)).filter(({ type }) => type === 'error')).toHaveLength(1);
});

it('keeps what came before it failed', async () => {
  const failing = hook(async function* stream(request, next) {
    for await (const part of next(request)) {
      if (part.type === 'finish') throw new Error('at the end');
      yield part;
    }
  });
  const { messages } = await behind([{ text: 'Hello' }], failing).result;
  expect(messages.map(({ parts, incomplete }) => [textOf(parts), incomplete ?? false])).toEqual([
    ['Go.', false],
    ['Hello', true],
  ]);
});

it('passes on errors of the model, and its early end', async () => {
  const pass = hook((request, next) => next(request));
  const refusal = new UtensilError('model_rate_limited', 'Too many requests.', { retryable: true });
  for (const passes of [[pass], [pass, pass]]) {
    expect((await behind([{ breaks: refusal }], ...passes).result).error).toMatchObject({
      code: 'model_rate_limited',
      message: 'Too many requests.',
    });
    expect((await behind([{ text: 'Hm', breaks: 'truncated' }], ...passes).result).error?.code).toBe(
      'stream_truncated',
    );
  }
});

it('ends with the run, whatever the middleware does', async () => {
  const deaf = hook(async function* stream(request, next) {
    yield* next(request);
    await new Promise(() => undefined);
  });
  const played = behind([{ text: 'Hello', hangs: true }], deaf);
  await until(played, 'text-delta');
  played.abort();
  expect((await played.result).status).toBe('aborted');
});

it('throws `aborted`, as a model does, if a middleware stops on the signal', async () => {
  const breaksOff = hook(async function* stream(_request, _next, { signal }) {
    yield { type: 'text-delta', text: 'Hm' };
    signal.throwIfAborted();
  });
  const controller = new AbortController();
  const request = { system: '', messages: [], tools: [], toolChoice: 'auto' } as const;
  const read = async (): Promise<void> => {
    const { signal } = controller;
    for await (const _ of withMiddleware(scriptedModel([]), breaksOff).stream(request, { signal })) controller.abort();
  };
  await expect(read()).rejects.toMatchObject({ code: 'aborted' });
});
