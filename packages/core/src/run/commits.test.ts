import { expect, it } from 'vitest';
import type { ThreadEntry } from '../thread/entry.ts';
import { memoryThread } from '../thread/memory-thread.ts';
import type { Thread } from '../thread/thread.ts';
import { call, finish, gate, play, streamedModel, tool, until } from '../test-kit/runs.ts';
import { UtensilError } from '../base/errors.ts';

/** A thread that says what each of its commits had. */
function counted(fails: (commit: number) => boolean = () => false) {
  const commits: (readonly string[])[] = [];
  const thread = memoryThread('t');
  const append: Thread['append'] = async (entries, options) => {
    if (fails(commits.push(entries.map(nameOf)))) throw new UtensilError('ENOSPC', 'ENOSPC: full');
    return thread.append(entries, options);
  };
  return { commits, thread: { ...thread, append } };
}

function nameOf(entry: ThreadEntry): string {
  if (!('message' in entry)) return entry.type;
  const { role, incomplete = false } = entry.message;
  return `${incomplete ? 'half ' : ''}${entry.type} of ${role}`;
}

const steps = (...names: readonly string[]) => [
  ...names.map((name, index) => ({ calls: [{ name, callId: `${index}` }] })),
  { text: 'Done.' },
];
const begins = ['run-begun', 'message of user'];
const ends = [['message of assistant'], ['run-ended']];
const both = ['message of assistant', 'message of tool'];

it.each([
  ['at once', () => 'found'],
  ['in a moment', async () => 'found'],
])('stores a step of a tool that reads %s in one commit', async (_, execute) => {
  const { thread, commits } = counted();
  const played = play(steps('look', 'look'), [tool('look', { execute })], { thread });
  expect((await played.result).status).toBe('complete');
  expect(commits).toEqual([begins, both, both, ...ends]);
});

/** A tool that changes something, and the commits before each of its calls. */
function saving(commits: readonly (readonly string[])[]) {
  const before: (readonly string[])[][] = [];
  return { before, save: tool('save', { effects: 'write', execute: () => void before.push(commits.slice(1)) }) };
}

it('stores the turn before a call that changes something begins, with the reads before it', async () => {
  const { thread, commits } = counted();
  const { save, before } = saving(commits);
  const turn = { calls: [{ name: 'look' }, { name: 'save' }] };
  expect((await play([turn, {}], [tool('look'), save], { thread }).result).status).toBe('complete');
  expect(before[0]?.flat()).toEqual(expect.arrayContaining(['message of assistant', 'message of tool']));
  expect(before[0]?.at(-1)).toContain('call-begun');
});

it('stores the beginning of a call that changes something with its turn, or with the result before it', async () => {
  const { thread, commits } = counted();
  const { save, before } = saving(commits);
  const turn = { calls: [{ name: 'save' }, { name: 'save' }] };
  expect((await play([turn, {}], [save], { thread }).result).status).toBe('complete');
  const first = ['message of assistant', 'call-begun'];
  expect(before).toEqual([[first], [first, ['message of tool', 'call-begun']]]);
});

it('begins no call whose turn could not be stored', async () => {
  const { thread, commits } = counted((commit) => commit === 2);
  const { save, before } = saving(commits);
  const { status, error } = await play([{ calls: [{ name: 'save' }] }], [save], { thread }).result;
  expect([status, error?.code, before]).toEqual(['error', 'ENOSPC', []]);
  expect((await thread.read()).entries.map(({ entry }) => entry.type)).not.toContain('call-begun');
});

it('reports a turn whose tool is slow, and a result while the answer continues', async () => {
  const isTold = gate();
  const slow = tool('slow', { execute: async () => (await isTold, 'late') });
  const played = play(steps('slow'), [slow], { thread: counted().thread });
  for await (const event of played.events()) if (event.type === 'message' && event.message.role === 'assistant') break;
  isTold.open();
  expect((await played.result).status).toBe('complete');

  const hasResult = gate();
  const model = streamedModel([() => [call('1', 'look'), hasResult, finish('tool-calls')], () => [finish()]]);
  const { thread, commits } = counted();
  const streamed = play(model, [tool('look')], { thread });
  await until(streamed, 'tool-end');
  expect(commits).toEqual([begins, ['half message of assistant', 'message of tool']]);
  hasResult.open();
  expect((await streamed.result).status).toBe('complete');
  expect(commits.at(2)).toEqual(['message of assistant']); // replaces the incomplete one
});

it('stores what it has before it ends, and nothing of a step that does not fit', async () => {
  const { thread, commits } = counted((commit) => commit === 2);
  const { status, error, messages } = await play(steps('look'), [tool('look')], { thread }).result;
  expect([status, error?.code]).toEqual(['error', 'ENOSPC']);
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  expect(commits).toEqual([begins, both, ['run-ended']]);
  expect((await thread.read()).entries).toHaveLength(3);

  const stopped = counted();
  const slow = gate();
  const played = play(steps('look', 'slow'), [tool('look'), tool('slow', { execute: () => slow })], stopped);
  for await (const event of played.events()) if (event.type === 'tool-start' && event.name === 'slow') break;
  played.abort();
  expect((await played.result).status).toBe('aborted');
  expect(stopped.commits.flat().filter((name) => name === 'message of tool')).toHaveLength(2);
});
