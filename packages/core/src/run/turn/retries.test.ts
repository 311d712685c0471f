import { afterEach, describe, expect, it, vi } from 'vitest';
import { UtensilError } from '../../base/errors.ts';
import type { ErrorCode } from '../../base/errors.ts';
import { jsonSchema } from '../../schema/json-schema.ts';
import { textOf } from '../../model/message.ts';
import type { Model, ModelPart } from '../../model/model.ts';
import { defineTool } from '../../tool/define.ts';
import type { RunEvent } from '../../tool/run-event.ts';
import { scriptedModel } from '../../testing/index.ts';
import type { ScriptedTurn } from '../../testing/index.ts';
import { call, eventsOf, finish, gate, memoryThread, play, streamedModel, tool, until } from '../../test-kit/runs.ts';

/** A failure that passes, and that is asked for again at once. */
const failure = (code: ErrorCode = 'model_overloaded', retryAfterMs = 0): UtensilError =>
  new UtensilError(code, `It is ${code}.`, { retryable: true, retryAfterMs });

const broken = (text: string): ScriptedTurn => ({ text, breaks: failure('stream_truncated') });

const refused = new UtensilError('model_unauthorized', 'The key was refused.');

const typed = <Type extends RunEvent['type']>(events: readonly RunEvent[], type: Type) =>
  events.filter((event): event is Extract<RunEvent, { type: Type }> => event.type === type);

function text(delta: string): ModelPart {
  return { type: 'text-delta', text: delta };
}

/** A stream that breaks behind these parts. */
function* breaking(parts: readonly ModelPart[], error: Error): Generator<ModelPart> {
  yield* parts;
  throw error;
}

/** A tool that changes something, and counts how often. */
function saving() {
  let saved = 0;
  const save = tool('save', { effects: 'write', execute: () => `saved ${++saved}` });
  return { save, saved: () => saved };
}

describe('a turn that fails in passing', () => {
  it('is requested again: nobody mistakes its partial text for the answer', async () => {
    const thread = memoryThread();
    const played = play([{ breaks: failure() }, broken('Half'), { text: 'Whole.' }], [], { thread });
    expect(await played.result).toMatchObject({ status: 'complete', text: 'Whole.', steps: 1 });
    const events = await eventsOf(played);
    const turns = events.flatMap((event) =>
      event.type === 'step-start' ? `step ${event.step}` : event.type === 'step-retry' ? 'again' : [],
    );
    expect(turns).toEqual(['step 1', 'again', 'step 1', 'again', 'step 1']);
    expect(typed(events, 'step-retry')).toMatchObject([
      { step: 1, attempt: 1, waitMs: 0, error: { code: 'model_overloaded' }, model: { id: played.model.info.id } },
      { step: 1, attempt: 2, waitMs: 0, error: { code: 'stream_truncated' } },
    ]);
    expect(typed(events, 'error')).toEqual([]);
    expect(thread.log.map((message) => textOf(message.parts))).toEqual(['Go.', 'Whole.']);
    expect(new Set(played.model.requests).size).toBe(3);
    expect(played.model.requests[2]).toEqual(played.model.requests[0]);
  });

  it('is retried a limited number of times in a row, and the count restarts with the next turn', async () => {
    const limits = { retries: 2 };
    const twice = [{ breaks: failure() }, { breaks: failure() }];
    const again = play([...twice, { calls: [{ name: 'look' }] }, ...twice, { text: 'Done.' }], [tool('look')], {
      limits,
    });
    expect(await again.result).toMatchObject({ status: 'complete', text: 'Done.', steps: 2 });
    const never = play([...twice, { breaks: failure('model_unreachable') }], [], { limits });
    expect(await never.result).toMatchObject({ status: 'error', error: { code: 'model_unreachable' } });
    expect(typed(await eventsOf(never), 'error')).toHaveLength(1);
    expect(never.model.requests).toHaveLength(3);
    const once = play([{ breaks: failure() }], [], { limits: { retries: 0 } });
    expect(await once.result).toMatchObject({ status: 'error', error: { code: 'model_overloaded' } });
  });

  it('is retried five times by default', async () => {
    const turns = Array.from({ length: 9 }, () => ({ breaks: failure() }));
    const played = play(turns);
    expect((await played.result).status).toBe('error');
    expect(played.model.requests).toHaveLength(6);
  });

  it('is not asked for again if that does not help, or the server wants a wait that is too long', async () => {
    for (const thrown of [refused, failure('model_rate_limited', 60_001), new Error('A fault.')]) {
      const played = play([{ breaks: thrown }, { text: 'Never.' }]);
      expect(await played.result).toMatchObject({ status: 'error', error: { message: thrown.message } });
      expect(played.model.requests).toHaveLength(1);
    }
  });

  it('keeps its partial text if no attempt succeeds', async () => {
    const thread = memoryThread();
    const { result } = play([broken('Half'), { breaks: refused }], [], { thread });
    const { status, messages } = await result;
    expect(status).toBe('error');
    expect(messages.at(-1)).toMatchObject({ incomplete: true, parts: [{ type: 'text', text: 'Half' }] });
    expect(thread.log.map((message) => textOf(message.parts))).toEqual(['Go.', 'Half']);
  });

  it('leaves no draft behind, and no id that its calls had', async () => {
    let time = 0;
    let ids = 0;
    const environment = { now: () => (time += 400), id: () => `id-${++ids}` };
    const thread = memoryThread();
    const model = streamedModel([
      () => breaking([text('Half'), text(' an'), text(' answer'), text(' …')], failure()),
      () => [text('Whole'), call('call-1', 'look'), { ...finish('tool-calls'), state: { signed: true } } as ModelPart],
    ]);
    const { result } = play(model, [tool('look')], { thread, environment, eager: false });
    const { messages } = await result;
    expect(thread.log.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(messages[1]).toMatchObject({ origin: { state: { signed: true } } });
    expect(messages[1]?.incomplete).toBeUndefined();
  });

  it('keeps the ids of its calls free for the next attempt', async () => {
    const model = streamedModel([
      () => breaking([call('call-1', 'look')], failure()),
      () => [call('call-1', 'look'), finish('tool-calls')],
    ]);
    const { messages } = await play(model, [tool('look')], { eager: false }).result;
    expect(messages[1]?.parts).toMatchObject([{ type: 'tool-call', callId: 'call-1' }]);
  });

  it('reports its limit once', async () => {
    const played = play([{ calls: [{ name: 'look' }] }, { breaks: failure() }, { text: 'So far.' }], [tool('look')], {
      limits: { steps: 1 },
    });
    expect(await played.result).toMatchObject({ status: 'limit', text: 'So far.' });
    expect(typed(await eventsOf(played), 'limit')).toHaveLength(1);
    expect(played.model.requests.at(-1)?.toolChoice).toBe('none');
  });
});

describe('a turn that is truncated behind a call that has begun', () => {
  it('continues with the result: the call is not made again', async () => {
    const { save, saved } = saving();
    const begun = gate();
    const model = streamedModel([
      () => [text('I save.'), call('call-1', 'save'), begun.then(() => Promise.reject(failure('stream_truncated')))],
      () => [text('Saved.'), finish()],
    ]);
    const played = play(model, [{ ...save, execute: (...given) => (begun.open(), save.execute?.(...given)) }]);
    const { messages, ...ended } = await played.result;
    expect(ended).toMatchObject({ status: 'complete', text: 'Saved.', steps: 2 });
    expect(saved()).toBe(1);
    const events = await eventsOf(played);
    expect(typed(events, 'step-retry')).toEqual([]);
    expect(typed(events, 'error')).toMatchObject([{ error: { code: 'stream_truncated' } }]);
    expect(typed(events, 'step-end')).toMatchObject([
      { step: 1, reason: 'error' },
      { step: 2, reason: 'stop' },
    ]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', parts: [{ output: 'saved 1' }] });
  });

  it('asks for the approval of a whole call all the same', async () => {
    const { save, saved } = saving();
    const model = streamedModel([
      () => breaking([call('call-1', 'save')], failure()),
      () => [text('Saved.'), finish()],
    ]);
    const played = play(model, [save], { policy: () => 'ask' });
    const { questionId } = await until(played, 'approval-request');
    played.answer(questionId, 'once');
    expect(await played.result).toMatchObject({ status: 'complete', text: 'Saved.' });
    expect(saved()).toBe(1);
  });

  it('ends the run if it happens again and again', async () => {
    const breaks = () => breaking([call('a', 'look')], failure());
    const model = streamedModel([breaks, breaks, breaks, breaks]);
    const played = play(model, [tool('look')], { limits: { retries: 2 } });
    expect(await played.result).toMatchObject({ status: 'error', error: { code: 'model_overloaded' }, steps: 2 });
    expect(model.requests).toHaveLength(3);
  });

  it('ends the run as it came if failures do not pass', async () => {
    const { save } = saving();
    const model = streamedModel([() => breaking([call('call-1', 'save')], refused)]);
    expect(await play(model, [save]).result).toMatchObject({ status: 'error', error: { code: 'model_unauthorized' } });
  });
});

afterEach(() => void vi.useRealTimers());

describe('while a turn waits to be asked for again', () => {
  const later = failure('model_rate_limited', 59_000);
  const hello = { text: 'Hello.' };

  it('stopping ends the run at once, with the received part', async () => {
    const played = play([{ text: 'Half', breaks: later }, hello]);
    await until(played, 'step-retry');
    played.stop();
    const { status, messages } = await played.result;
    expect([status, textOf(messages.at(-1)?.parts ?? [])]).toEqual(['stopped', 'Half']);
    expect(played.model.requests).toHaveLength(1);
  });

  it('an abort ends the run at once, with the received part', async () => {
    const thread = memoryThread();
    const played = play([{ text: 'Half', breaks: later }, hello], [], { thread });
    await until(played, 'step-retry');
    played.abort();
    expect(await played.result).toMatchObject({ status: 'aborted' });
    expect(thread.log.map((message) => textOf(message.parts))).toEqual(['Go.', 'Half']);
  });

  it('the end of the time gives the last turn at once', async () => {
    vi.useFakeTimers();
    const played = play([{ breaks: later }, { text: 'So far.' }], [], { limits: { timeMs: 50 } });
    await until(played, 'step-retry');
    await vi.advanceTimersByTimeAsync(50);
    expect(await played.result).toMatchObject({ status: 'limit', limit: 'time', text: 'So far.' });
  });

  it('what the user writes is in the next attempt', async () => {
    const played = play([{ breaks: failure('model_overloaded', 20) }, hello]);
    await until(played, 'step-retry');
    played.send('And this.');
    expect(await played.result).toMatchObject({ status: 'complete', text: 'Hello.' });
    expect(played.model.requests.flatMap(({ messages }) => messages.map((each) => textOf(each.parts)))).toContain(
      'And this.',
    );
  });
});

describe('fallback', () => {
  const model = (id: string, script: readonly ScriptedTurn[], api = 'text') => scriptedModel(script, { id, api });

  it('is asked when retries do not help, and then for the rest of the run', async () => {
    const first = model('first', [{ breaks: failure() }, { breaks: failure() }]);
    const second = model('second', [{ breaks: refused }], 'other');
    const third = model('third', [{ calls: [{ name: 'look' }] }, { text: 'Done.' }], 'other');
    const played = play(first, [tool('look')], {
      fallback: [second, third],
      limits: { retries: 1 },
      instructions: ({ id }) => `You are ${id}.`,
      providerOptions: { only: 'first' },
    });
    expect(await played.result).toMatchObject({ status: 'complete', text: 'Done.', steps: 2 });
    expect(third.requests.map(({ system, providerOptions }) => [system, providerOptions])).toEqual([
      ['You are third.', undefined],
      ['You are third.', undefined],
    ]);
    const retries = typed(await eventsOf(played), 'step-retry');
    expect(retries.map((retry) => [retry.attempt, retry.model.id])).toEqual([
      [1, 'first'],
      [2, 'second'],
      [3, 'third'],
    ]);
  });

  it('is asked with the whole prompt where the first model had no room for it', async () => {
    const tooLong = new UtensilError('prompt_too_long', 'Too long.');
    const small = model(
      'small',
      Array.from({ length: 4 }, () => ({ breaks: tooLong })),
    );
    const large = model('large', [{ text: 'Fits.' }]);
    expect(await play(small, [], { fallback: [large] }).result).toMatchObject({ status: 'complete', text: 'Fits.' });
    expect(small.requests).toHaveLength(4);
    expect(large.requests[0]?.messages).toEqual(small.requests[0]?.messages);
  });

  it('is not asked for what a person has ended', async () => {
    const first = model('first', [{ text: 'Half', hangs: true }]);
    const second = model('second', [{ text: 'Never.' }]);
    const played = play(first, [], { fallback: [second] });
    await until(played, 'text-delta');
    played.abort();
    expect(await played.result).toMatchObject({ status: 'aborted' });
    expect(second.requests).toEqual([]);
  });

  it('is what a run inside falls back to, too', async () => {
    const inner = defineTool({
      name: 'delegate',
      description: 'Delegates.',
      input: jsonSchema({ type: 'object' }),
      effects: 'read',
      execute: async (_input, _options, context) => {
        const { result } = await context.run({ messages: 'Inside.', tools: [] });
        return (await result).text;
      },
    });
    const first: Model = model('first', [{ calls: [{ name: 'delegate' }] }, { breaks: refused }, { text: 'Done.' }]);
    const second = model('second', [{ text: 'From inside.' }]);
    const { messages } = await play(first, [inner], { fallback: [second] }).result;
    expect(messages.find(({ role }) => role === 'tool')?.parts).toMatchObject([{ output: 'From inside.' }]);
  });
});
