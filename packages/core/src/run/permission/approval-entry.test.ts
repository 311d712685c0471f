import { expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import type { Message } from '../../model/message.ts';
import { hmacSeals } from '../../base/seals.ts';
import { scriptedModel } from '../../testing/index.ts';
import { approvedCall, eventsOf, memoryThread, play, testSeals, tool, toolsetOf, until } from '../../test-kit/runs.ts';
import type { CallEntry } from '../../thread/entry.ts';
import { permissions } from './policy.ts';
import { resume } from '../lazy-run.ts';
import type { ResumeOptions } from '../run.ts';

const user: Message = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }], createdAt: 1 };
const erasing = (input: JsonObject): Message => ({
  id: 'a',
  role: 'assistant',
  runId: 'before',
  createdAt: 2,
  parts: [{ type: 'tool-call', callId: '1', name: 'erase', input, executedBy: 'us' }],
});

const erased: unknown[] = [];
const erase = tool('erase', { effects: 'destructive', execute: (input) => void erased.push(input) });

/** Resumes a thread that may have been tampered with: the files erased without a question, and the reported events. */
async function goOn(
  entry: CallEntry,
  more: Partial<ResumeOptions> & { readonly input?: JsonObject; readonly id?: string } = {},
) {
  erased.length = 0;
  const { input = { path: 'a' }, id = 't', ...options } = more;
  const thread = { ...memoryThread([user, erasing(input)]), id };
  await thread.append([entry]);
  const run = resume({
    model: scriptedModel([{}]),
    toolset: toolsetOf([erase]),
    policy: permissions('write'),
    seals: testSeals,
    thread,
    ...options,
  });
  const told: string[] = [];
  for await (const event of run.events()) {
    if (event.type === 'permission-ignored') told.push(event.reason);
    if (event.type !== 'approval-request') continue;
    told.push('asked');
    run.answer(event.questionId, 'deny');
  }
  return { erased: [...erased], told };
}

const input = { path: 'a' };

it('runs what the user had allowed before an interruption without asking again', async () => {
  expect(await goOn(await approvedCall(erase, { input }))).toEqual({ erased: [input], told: [] });
});

it('a program that wrote an approval into a stored thread had its call run without a question', async () => {
  const { seal: _, ...unsealed } = await approvedCall(erase, { input });
  expect(await goOn(unsealed)).toEqual({ erased: [], told: [expect.stringContaining('has no seal'), 'asked'] });
  const foreign = await approvedCall(erase, { input, seals: hmacSeals(new Uint8Array(32)) });
  expect(await goOn(foreign)).toEqual({ erased: [], told: [expect.stringContaining('does not fit'), 'asked'] });
  for (const seal of ['', 'x', 5, null, {}, ['a'], `${foreign.seal}0`])
    expect((await goOn({ ...foreign, seal } as CallEntry)).told.at(-1)).toBe('asked');
});

it('an approval counts for the call that it was given for alone', async () => {
  const approval = await approvedCall(erase, { input });
  const asked = { erased: [], told: [expect.stringContaining('does not fit'), 'asked'] };
  expect(await goOn(approval, { input: { path: 'everything' } })).toEqual(asked);
  expect(await goOn(approval, { id: 'other' })).toEqual(asked);
  expect(await goOn(approval, { projectId: 'other' })).toEqual(asked);
  expect(await goOn({ ...approval, time: approval.time + 1 })).toEqual(asked);
  expect(await goOn({ ...approval, runId: 'other' })).toEqual(asked);
});

it('an approval that is more than a day old is asked about again', async () => {
  const old = await approvedCall(erase, { input, time: Date.now() - 25 * 60 * 60 * 1_000 });
  expect(await goOn(old)).toEqual({ erased: [], told: ['it was given more than a day ago', 'asked'] });
});

it('without a key no approval of an earlier run counts, and where nobody can be asked it is denied', async () => {
  const approval = await approvedCall(erase, { input });
  const thread = memoryThread([user, erasing(input)]);
  thread.marks.push(approval);
  const run = resume({
    model: scriptedModel([{}]),
    toolset: toolsetOf([erase]),
    policy: permissions('write'),
    interactive: false,
    thread,
  });
  const types = (await eventsOf(run)).map(({ type }) => type);
  expect([types.includes('permission-ignored'), types.includes('tool-start')]).toEqual([true, false]);
  expect(thread.marks).toContain(approval);
});

it('a policy that denies is not overruled by what the user had allowed', async () => {
  const approval = await approvedCall(erase, { input });
  expect(await goOn(approval, { policy: () => 'deny' })).toEqual({ erased: [], told: [] });
});

it('seals what the user allows, so that the next program knows it', async () => {
  const thread = memoryThread();
  const never = new Promise<never>(() => {});
  const stuck = { ...erase, execute: () => never };
  const script = [{ calls: [{ name: 'erase', input, callId: '1' }] }];
  const first = play(script, [stuck], { thread, policy: permissions('write'), seals: testSeals });
  first.answer((await until(first, 'approval-request')).questionId, 'once');
  await until(first, 'tool-start');
  const again = memoryThread([...thread.log]);
  again.marks.push(...thread.marks.filter(({ type }) => ['question', 'answer'].includes(type))); // it ended before the call had begun
  first.abort();
  await first.result;
  const seal = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(again.marks).toMatchObject([
    { type: 'question', callId: '1', seal },
    { type: 'answer', answer: 'once', seal },
  ]);
  const run = resume({
    model: scriptedModel([{}]),
    toolset: toolsetOf([erase]),
    policy: permissions('write'),
    seals: testSeals,
    thread: again,
  });
  erased.length = 0;
  const types = (await eventsOf(run)).map(({ type }) => type);
  expect(types).not.toContain('approval-request');
  expect(types).toContain('approval-answer');
  expect(erased).toEqual([input]);
});
