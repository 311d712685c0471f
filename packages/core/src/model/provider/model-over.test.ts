import { getEventListeners } from 'node:events';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UtensilError } from '../../base/errors.ts';
import { modelFailures } from '../failure.ts';
import type { Model, ModelPart, ModelRequest } from '../model.ts';
import { noUsage } from '../usage.ts';
import { modelOver } from './model-over.ts';
import type { TurnReader, Wire } from './wire.ts';
import { fetchErrorClassifier } from './classify.ts';

const request: ModelRequest = { system: '', messages: [], tools: [], toolChoice: 'auto' };
const text = (said: string): ModelPart => ({ type: 'text-delta', text: said });
const finish: ModelPart = { type: 'finish', reason: 'stop', usage: noUsage };

/** Events are texts; `.` is the last one. */
function reader(): TurnReader<string> {
  let progress: ReturnType<TurnReader['progress']> = 'none';
  return {
    read(event) {
      if (event === '!') throw new Error('The event cannot be read.');
      progress = event === '.' || progress === 'whole' ? 'whole' : 'begun';
      return event === '.' ? [] : [...event].map(text);
    },
    progress: () => progress,
    end: () => [finish],
  };
}

interface Seen {
  signal?: AbortSignal;
  isClosed?: boolean;
}

/** A model whose server sends these events. One that is an error is thrown, and `wait` never comes. */
function modelOf(events: readonly (string | Error)[], changes: Partial<Wire<string>> = {}, seen: Seen = {}): Model {
  async function* come(signal: AbortSignal): AsyncGenerator<string> {
    try {
      for (const event of events) {
        if (event instanceof Error) throw event;
        if (event === 'wait') await aborted(signal);
        yield event;
      }
    } finally {
      seen.isClosed = true;
    }
  }
  return modelOver<string>({
    info: { api: 'played', id: 'm' },
    words: { key: 'the option `apiKey`', address: 'the option `baseURL`' },
    async open(_, { signal }) {
      seen.signal = signal;
      return come(signal);
    },
    reader,
    classifyError: fetchErrorClassifier(),
    ...changes,
  });
}

async function aborted(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('closed')), { once: true });
  });
}

async function read(model: Model, signal = new AbortController().signal, onPart?: () => void) {
  const parts: ModelPart[] = [];
  try {
    for await (const part of model.stream(request, { signal })) {
      parts.push(part);
      onPart?.();
    }
    return { parts };
  } catch (error) {
    return { parts, error };
  }
}

describe('a turn', () => {
  it('has the parts of all events in order, and those of the end behind them', async () => {
    const events = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 3 }));
    const holds = async (all: readonly string[]): Promise<void> => {
      const { parts, error } = await read(modelOf([...all, '.']));
      expect(error).toBeUndefined();
      expect(parts).toEqual([...[...all.join('')].map(text), finish]);
    };
    await fc.assert(fc.asyncProperty(events, holds), { numRuns: 50 });
  });

  it('closes what was opened for it once it was left, has failed, or was whole before its connection broke', async () => {
    const ways: Readonly<Record<string, (model: Model) => Promise<unknown>>> = {
      left: async (model) => {
        for await (const part of model.stream(request, { signal: new AbortController().signal })) return part;
        return undefined;
      },
      failed: (model) => read(model),
      broken: (model) => read(model),
    };
    const events = { left: ['a', 'b', '.'], failed: ['a', new Error('cut')], broken: ['a', '.', new Error('cut')] };
    for (const [way, go] of Object.entries(ways)) {
      const seen: Seen = {};
      await go(modelOf(events[way as keyof typeof events], {}, seen));
      expect([way, seen.isClosed, seen.signal?.aborted]).toEqual([way, true, true]);
    }
  });

  it('whose stream has ended fires no signal, and leaves no listener', async () => {
    const seen: Seen = {};
    const { signal } = new AbortController();
    await read(modelOf(['a', '.'], {}, seen), signal);
    expect([seen.isClosed, seen.signal?.aborted]).toEqual([true, false]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('is whole if only the end of its connection was not in order', async () => {
    expect(await read(modelOf(['a', '.', new Error('cut')]))).toEqual({ parts: [text('a'), finish] });
    expect(await read(modelOf(['a', '.', '!']))).toEqual({ parts: [text('a'), finish] });
  });

  it('is aborted at once, with what had come already and behind an event that never comes', async () => {
    for (const events of [
      ['ab', '.'],
      ['a', 'wait'],
    ]) {
      const controller = new AbortController();
      const model = modelOf(events);
      const { parts, error } = await read(model, controller.signal, () => controller.abort('enough'));
      expect(parts).toEqual([text('a')]);
      expect(error).toMatchObject({ code: 'aborted', cause: 'enough' });
    }
  });

  it('is not begun if its signal has fired before', async () => {
    const connect = () => expect.unreachable('It asks for a client.');
    expect((await read(modelOf([], { connect }), AbortSignal.abort())).error).toMatchObject({ code: 'aborted' });
  });
});

describe('an error', () => {
  const errorOf = async (events: readonly (string | Error)[], changes?: Partial<Wire<string>>): Promise<unknown> =>
    (await read(modelOf(events, changes))).error;

  it('says that nothing came, or that the answer ended early', async () => {
    expect(await errorOf([])).toMatchObject({
      code: 'stream_truncated',
      message: expect.stringMatching(/no answer of m/),
    });
    expect(await errorOf(['a'])).toMatchObject({
      code: 'stream_truncated',
      message: expect.stringMatching(/ended early/),
    });
    expect(await errorOf(['a', new Error('cut')])).toMatchObject({
      message: expect.stringMatching(/ended early: cut/),
    });
    expect(await errorOf(['a', '!'])).toMatchObject({ message: expect.stringMatching(/cannot be read/) });
  });

  it('is judged by how far the turn had come', async () => {
    const phases: string[] = [];
    const classifyError: Wire<string>['classifyError'] = (_, phase) => {
      phases.push(phase);
      return Promise.resolve({ failure: modelFailures.failed });
    };
    const fail = () => Promise.reject(new Error('no'));
    await errorOf([], { classifyError, connect: fail });
    await errorOf([], { classifyError, open: fail });
    await errorOf([new Error('no')], { classifyError });
    expect(phases).toEqual(['connecting', 'asking', 'answering']);
  });

  it('of a reader that cannot be made, or cannot tell its progress, is one of ours without the key', async () => {
    const key = 'a-secret-of-somebody';
    const fail = () => {
      throw new Error(`no tool for ${key}`);
    };
    const readers = { model_failed: fail, stream_truncated: () => ({ ...reader(), progress: fail }) };
    for (const [code, broken] of Object.entries(readers)) {
      const error = await errorOf(['!'], { reader: broken, apiKey: key });
      expect(error).toMatchObject({ code, message: expect.stringMatching(/no tool for \[key\]/) });
    }
  });

  it('of ours stays unchanged', async () => {
    const error = new UtensilError('missing_api_key', 'There is none.');
    expect(await errorOf([], { open: () => Promise.reject(error) })).toBe(error);
  });

  it('has the key nowhere: not that of the wire, and not that of the client', async () => {
    const key = 'a-secret-of-somebody';
    const thrown = new Error(`The key ${key} is wrong.`);
    const open = () => Promise.reject(thrown);
    const client = { apiKey: key };
    for (const error of [
      await errorOf([], { open, apiKey: key }),
      await errorOf([], { open, connect: () => client as never }),
    ]) {
      expect(error).toMatchObject({ message: expect.stringMatching(/The key \[key\] is wrong/), cause: undefined });
    }
  });

  it('says that the server is out of reach if nothing can be judged any more', async () => {
    const classifyError = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
    expect(await errorOf([new Error('no')], { classifyError })).toMatchObject({
      code: 'model_unreachable',
      retryable: true,
    });
  });
});
