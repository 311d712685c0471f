import { expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { memoryThread, play, resultsOf, tool, until } from '../../test-kit/runs.ts';
import type { Thread } from '../../thread/thread.ts';
import type { ThreadEntry } from '../../thread/entry.ts';
import type { ToolContext } from '../../tool/tool.ts';

const save = tool('save', { effects: 'write' });

/** A tool that calls another, and says what it gets. */
const calling = (input: unknown, more: object = {}) =>
  tool('outer', {
    ...more,
    execute: async (_input, _options, context: ToolContext): Promise<Json> => {
      const { isError, code = '' } = await context
        .call('save', input as never)
        .catch(() => ({ isError: true, code: 'threw' }));
      return { isError, code };
    },
  });

/** A thread that cannot store some entries. */
function failing(type: ThreadEntry['type']): Thread {
  const thread = memoryThread();
  return {
    ...thread,
    async append(entries, options) {
      if (entries.some((entry) => entry.type === type)) throw new Error('The disk is full.');
      return thread.append(entries, options);
    },
  };
}

it.each<[string, ThreadEntry['type'], object]>([
  ['its beginning', 'call-begun', {}],
  ['what is asked about it', 'question', { policy: () => 'ask' }],
])('a call inside another rejected where the thread could not store %s: it fails', async (_, type, more) => {
  const policy = ({ name }: { name: string }) => (name === 'save' && 'policy' in more ? 'ask' : 'allow');
  const run = play([{ calls: [{ name: 'outer' }] }, {}], [save, calling({})], { thread: failing(type), policy });
  const [result] = resultsOf((await run.result).messages);
  expect(result?.output).toEqual({ isError: true, code: 'tool_failed' });
  expect((await run.result).status).toBe('complete');
});

const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;

it.each<[string, unknown]>([
  ['that is none', undefined],
  ['that contains itself', cyclic],
  ['that no JSON can hold', { n: 10n }],
  [
    'that throws when it is read',
    {
      get a() {
        throw new Error('no');
      },
    },
  ],
])('a call inside another rejected with an input %s: it fails', async (_, input) => {
  for (const more of [{}, { replayable: true }]) {
    const run = play([{ calls: [{ name: 'outer' }] }, {}], [save, calling(input, more)], { thread: memoryThread() });
    const [result] = resultsOf((await run.result).messages);
    expect(result?.output).toMatchObject({ isError: true });
    expect(result?.output).not.toMatchObject({ code: 'threw' });
  }
});

it('an answer for always inside a call, which could not be stored, ended the run', async () => {
  const grants = { has: () => false, add: () => Promise.reject(new Error('The keychain is locked.')) };
  const policy = ({ name }: { name: string }) => (name === 'save' ? 'ask' : 'allow');
  const run = play([{ calls: [{ name: 'outer' }] }, {}], [save, calling({})], { grants, policy });
  run.answer((await until(run, 'approval-request')).questionId, 'always');
  const [result] = resultsOf((await run.result).messages);
  expect(result?.output).toEqual({ isError: false, code: '' });
});
