import { describe, expect, it } from 'vitest';
import type { Message } from '../message.ts';
import { marksOf, memoryThread, play, resultsOf, tool, toolsetOf } from '../testing/run-kit.ts';
import { scriptedModel } from '../testing/index.ts';
import { permissions } from './policy.ts';
import { resume } from './run.ts';

const user: Message = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }], createdAt: 1 };

/** A thread whose last turn has made one call, which has no result. */
function openThread(name: string) {
  const part = { type: 'tool-call', callId: '1', name, input: {}, title: name, executedBy: 'us' } as const;
  return memoryThread([user, { id: 'a', role: 'assistant', parts: [part], createdAt: 2 }]);
}

describe('a model that gives calls of several turns the same id', () => {
  const again = { calls: [{ name: 'save', callId: '1', input: { again: true } }] };

  it('has made different calls: each has an id, a result and an entry of its own', async () => {
    const thread = memoryThread();
    const { messages } = await play([again, again, {}], [tool('save', { effects: 'write' })], { thread }).result;
    expect(resultsOf(messages).map(({ callId }) => callId)).toEqual(['1', '1-2']);
    expect(marksOf(thread.marks)).toEqual([
      ['call-begun', '1'],
      ['call-begun', '1-2'],
    ]);
  });

  it('does not run the later one with the approval of the first', async () => {
    const ran: unknown[] = [];
    const save = tool('save', { effects: 'write', execute: (input) => void ran.push(input) });
    const { toolFingerprint = '' } = await toolsetOf([save]).prepare({ name: 'save', input: {} });
    const thread = openThread('save');
    thread.marks.push({ type: 'call-approved', callId: '1', runId: 'r', time: 3, toolFingerprint });
    const model = scriptedModel([again, {}]);
    const run = resume({ model, toolset: toolsetOf([save]), thread, policy: permissions('write') });
    for await (const event of run.events()) if (event.type === 'approval-request') run.answer(event.callId, 'deny');
    expect(ran).toEqual([{}]);
  });

  it('is asked about the one that was interrupted, and not about the later one', async () => {
    const thread = openThread('save');
    thread.marks.push({ type: 'call-begun', callId: '1', runId: 'r', time: 3 });
    const toolset = toolsetOf([tool('save', { effects: 'write' })]);
    const run = resume({ model: scriptedModel([again, {}]), toolset, thread });
    const asked: string[] = [];
    for await (const event of run.events())
      if (event.type === 'recovery-request') {
        asked.push(event.callId);
        run.answer(event.callId, 'accept');
      }
    expect(asked).toEqual(['1']);
  });
});

it('takes no call of the model’s for one that a tool makes, whatever its id', async () => {
  const thread = memoryThread();
  const calls = [{ name: 'save', callId: 'c›1' }];
  const { messages } = await play([{ calls }, {}], [tool('save', { effects: 'write' })], { thread }).result;
  expect(resultsOf(messages)[0]?.callId).toBe('c-1');
  expect(marksOf(thread.marks)).toEqual([['call-begun', 'c-1']]);
});
