import { createRecords, messagesOf, openThread, resume } from '@utensil/core';
import type { JsonObject, ResumeOptions, RunOptions, Thread } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { createAgents } from './agents.ts';
import { eventsOf, newFiles, plain, play, resultsOf, returning, spawn } from './test-kit/agents.ts';
import type { Script, Setting } from './test-kit/agents.ts';

type Records = ReturnType<typeof createRecords>;

/** The first process ends, without a word, once a commit says so: what it stored is left. */
function mortal(lasts: (text: string) => boolean) {
  const storage = memoryStorage();
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  let isOver = false;
  const decoder = new TextDecoder();
  const records = createRecords({
    ...storage,
    async commit(given) {
      const stored = isOver ? undefined : await storage.commit(given);
      const text = given.changes
        .map((change) => (change.type === 'write' ? decoder.decode(change.content) : ''))
        .join();
      if (!isOver && !lasts(text)) return stored as Awaited<ReturnType<typeof storage.commit>>;
      isOver = true;
      end();
      return new Promise<never>(() => undefined);
    },
  });
  return { records, ended, left: () => createRecords(storage) };
}

const open = (records: Records, id: string, name: string): Thread =>
  openThread(records, id, { holder: { id: () => name, isAlive: (other) => other === name } });

const keepIn = (records: Records, name: string) => createAgents({ thread: (id) => open(records, `agent-${id}`, name) });

/** Result of an interrupted agent in another process; `inner`: its turns there. */
async function comesTo(
  setting: Omit<Setting, 'outer'> & { readonly input: JsonObject },
  lasts: (text: string) => boolean,
  inner: Script,
) {
  const first = mortal(lasts);
  const { input, ...shared } = setting;
  const begun = play({
    ...shared,
    outer: [spawn(input), {}],
    agents: keepIn(first.records, 'first'),
    more: { thread: open(first.records, 'outer', 'first') },
  });
  await first.ended;
  const records = first.left();
  const thread = open(records, 'outer', 'second');
  const resumed = play(
    { ...shared, outer: [{ text: 'Done.' }], inner, agents: keepIn(records, 'second'), more: { thread } },
    (options: RunOptions) => resume(options as ResumeOptions),
  );
  const events = await eventsOf(resumed);
  const [part] = resultsOf(await messagesOf(thread));
  begun.abort();
  return {
    output: part?.output,
    asked: events.filter(({ type }) => type.endsWith('-request')).length,
    inner: resumed.inner,
  };
}

it('an agent that was interrupted was asked about, though its thread says what it did', async () => {
  const saved: string[] = [];
  const save = plain('save', { effects: 'write', execute: () => `saved ${saved.push('save')}` });
  const setting = { tools: [save], input: { task: 'Save it.', mode: 'default' } };
  const isSaved = (text: string): boolean => text.includes('saved 1');
  const begins = { ...setting, inner: [{ calls: [{ name: 'save' }] }] };
  const { output, asked, inner } = await comesTo(begins, isSaved, [{ text: 'It is saved.' }]);
  expect([output, asked, saved]).toMatchObject([{ answer: 'It is saved.', status: 'complete' }, 0, ['save']]);
  expect(inner.requests[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
});

it('an agent that had returned its value before an interruption had returned none', async () => {
  const begins = { input: { task: 'Count.' }, inner: [returning(3)] };
  const isReturned = (text: string): boolean => text.includes('run-ended');
  expect((await comesTo(begins, isReturned, [])).output).toMatchObject({ answer: 3 });
});

it('an agent that goes on is given its files once', async () => {
  const files = newFiles();
  await files.write('/a.md', 'given');
  const begins = {
    files,
    input: { task: 'Edit it.', mode: 'default', files: ['/a.md'], files_as: 'copy' },
    inner: [{ calls: [{ name: 'edit' }] }],
    tools: [
      plain('edit', {
        effects: 'write',
        async execute() {
          const [agent] = (await files.list('/minions')).entries;
          await files.write(`${agent?.path ?? ''}/a.md`, 'edited');
          return 'edited';
        },
      }),
    ],
  };
  const { output } = await comesTo(begins, (text) => text.includes('edited'), [{ text: 'Edited.' }]);
  const agent = String((output as JsonObject)['agent']);
  expect((await files.readText(`/minions/${agent}/a.md`)).text).toBe('edited');
});
