import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { createRecords } from '../records/records.ts';
import { resultsOf, testSeals, tool, toolsetOf } from '../test-kit/runs.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import type { ScriptedTurn } from '../testing/scripted-model.ts';
import { branchThread } from '../thread/branch.ts';
import { messagesOf } from '../thread/messages.ts';
import { openQuestions } from '../thread/open-questions.ts';
import { openThread } from '../thread/open-thread.ts';
import type { Thread } from '../thread/thread.ts';
import type { Tool } from '../tool/tool.ts';
import { permissions } from './permission/policy.ts';
import type { ResumeOptions } from './run.ts';
import { resume, run } from './lazy-run.ts';

const question = { id: 'q', role: 'user', parts: [{ type: 'text', text: 'Pay.' }] } as const;

/** A thread that every call opens again, as another process would. */
function shared(): () => Thread {
  const records = createRecords(memoryStorage());
  return () => openThread(records, 'shared');
}

/** A tool that tells what it has paid, and under which keys. */
function paying(more: Partial<Tool> = {}) {
  const paid: unknown[] = [];
  const keys: string[] = [];
  const pay = tool('pay', {
    effects: 'write',
    execute: (input, _options, { idempotencyKey }) => (paid.push(input), keys.push(idempotencyKey), 'paid'),
    ...more,
  });
  return { paid, keys, toolset: toolsetOf([pay]) };
}

const pays = (to: string): readonly ScriptedTurn[] => [
  { calls: [{ name: 'pay', callId: 'call', input: { to } }] },
  { text: 'Paid.' },
];

it('a regenerated answer took calls of the first one for lost, and repeated them', async () => {
  const open = shared();
  const { paid, toolset } = paying();
  const options = { toolset, durability: 'power' } as const; // calls that begin are noted as a whole
  await run({ ...options, model: scriptedModel(pays('ann')), thread: open(), messages: [question] }).result;
  const model = scriptedModel([{ text: 'I will not.' }]);
  await resume({ ...options, model, thread: branchThread(open(), 'q'), interactive: false }).result;
  expect(model.requests[0]?.messages.map(({ id }) => id)).toEqual(['q']);
  expect(paid).toEqual([{ to: 'ann' }]);
});

it('calls of two answers to one question had the same id, and so the same idempotency key', async () => {
  const open = shared();
  const { keys, toolset } = paying({ idempotent: true });
  await run({ toolset, model: scriptedModel(pays('ann')), thread: open(), messages: [question] }).result;
  await resume({ toolset, model: scriptedModel(pays('ben')), thread: branchThread(open(), 'q') }).result;
  expect(new Set(keys).size).toBe(2);
  const ids = resultsOf(await messagesOf(open())).map(({ callId }) => callId);
  expect(ids).toEqual(['call', 'call-2']);
});

it('what is asked in one answer stays there: another one neither asks it nor settles it', async () => {
  const open = shared();
  const { paid, toolset } = paying();
  const seals = testSeals;
  const policy = permissions('write');
  const options = { toolset, policy, seals, questions: { parkAfterMs: 0 } };
  await run({ ...options, model: scriptedModel(pays('ann')), thread: open(), messages: [question] }).result;
  const asked = (await messagesOf(open())).at(-1)?.id;
  const other = branchThread(open(), 'q');
  expect(await openQuestions(other)).toEqual([]);
  const again: ResumeOptions = { ...options, model: scriptedModel(pays('ben')), thread: other };
  expect((await resume(again).result).status).toBe('needs-approval');
  expect(await openQuestions(other)).toMatchObject([{ input: { to: 'ben' } }]);
  expect(await openQuestions(branchThread(open(), asked))).toMatchObject([{ input: { to: 'ann' } }]);
  expect(paid).toEqual([]);
});

it('a branch without an end went on from where it had been read first, and asked for the same answer again', async () => {
  const open = shared();
  const { paid, toolset } = paying();
  await open().append([{ type: 'message', message: { ...question, createdAt: 1 } }]);
  const late = branchThread(open());
  await late.read();
  await resume({ toolset, model: scriptedModel(pays('ann')), thread: open() }).result;
  const resumed = resume({ toolset, model: scriptedModel(pays('ann')), thread: late });
  expect((await resumed.result).status).toBe('complete');
  expect(paid).toHaveLength(1);
});
