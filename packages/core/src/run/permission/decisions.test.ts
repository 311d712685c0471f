// A policy's decision applies to the call that runs, at the time when it runs.

import { expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import type { Message } from '../../model/message.ts';
import { scriptedModel } from '../../testing/index.ts';
import { eventsOf, memoryThread, play, resultsOf, tool, toolsetOf, until } from '../../test-kit/runs.ts';
import type { Question } from '../../thread/question.ts';
import { openQuestions } from '../../thread/open-questions.ts';
import type { Tool } from '../../tool/tool.ts';
import { rulesPolicy } from './rules-policy.ts';
import { memoryGrants } from './grants.ts';
import type { Policy } from './policy.ts';
import { resume } from '../lazy-run.ts';

const saving = (ran: unknown[], more: Partial<Tool> = {}): Tool =>
  tool('save', { effects: 'write', execute: (input) => void ran.push(input), ...more });

/** A thread interrupted in a call that may have taken effect. */
function brokenOff(): ReturnType<typeof memoryThread> {
  const call = { type: 'tool-call', callId: '1', name: 'save', input: {}, executedBy: 'us' } as const;
  const turn: Message = { id: 'a', role: 'assistant', createdAt: 2, runId: 'r', parts: [call] };
  const user: Message = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }], createdAt: 1 };
  const thread = memoryThread([user, turn]);
  thread.marks.push({ type: 'call-begun', callId: '1', runId: 'r', time: 3 });
  return thread;
}

it('an interrupted call that is to run again ran though the policy denies it by now', async () => {
  const ran: unknown[] = [];
  const policy: Policy = () => ({ deny: 'no longer' });
  const toolset = toolsetOf([saving(ran)]);
  const run = resume({ model: scriptedModel([{}]), toolset, thread: brokenOff(), policy });
  run.answer((await until(run, 'recovery-request')).questionId, 'again');
  const [result] = resultsOf((await run.result).messages);
  expect(result).toMatchObject({ isError: true, code: 'tool_denied', deniedBy: 'policy' });
  expect(ran).toEqual([]);
});

it('an interrupted call that is to run again runs where the policy would ask: it was asked', async () => {
  const ran: unknown[] = [];
  const toolset = toolsetOf([saving(ran)]);
  const run = resume({ model: scriptedModel([{}]), toolset, thread: brokenOff(), policy: () => 'ask' });
  run.answer((await until(run, 'recovery-request')).questionId, 'again');
  await run.result;
  expect(ran).toHaveLength(1);
});

const onlyA: Policy = ({ input }) => (input['path'] === 'b' ? 'deny' : 'ask');
const answers: readonly [string, JsonObject, readonly unknown[]][] = [
  ['that the policy denies', { path: 'b' }, []],
  ['that it asks about', { path: 'c' }, [{ path: 'c' }]],
];

it.each(answers)(
  'a user who changed the input of a call to one %s went past the policy',
  async (_, input, expected) => {
    const ran: unknown[] = [];
    const run = play([{ calls: [{ name: 'save', input: { path: 'a' } }] }, {}], [saving(ran)], { policy: onlyA });
    run.answer((await until(run, 'approval-request')).questionId, { input });
    await run.result;
    expect(ran).toEqual(expected);
  },
);

it.each(answers)(
  'a user who changed the input of a call inside another to one %s went past it',
  async (_, input, expected) => {
    const ran: unknown[] = [];
    const outer = tool('outer', { execute: (_input, _options, context) => context.call('save', { path: 'a' }) });
    const policy: Policy = (request) => (request.name === 'outer' ? 'allow' : onlyA(request));
    const run = play([{ calls: [{ name: 'outer' }] }, {}], [outer, saving(ran)], { policy });
    run.answer((await until(run, 'approval-request')).questionId, { input });
    await run.result;
    expect(ran).toEqual(expected);
  },
);

it('an answer that came after the policy had changed let the call run', async () => {
  const ran: unknown[] = [];
  let decision: 'ask' | 'deny' = 'ask';
  const grants = memoryGrants();
  const run = play([{ calls: [{ name: 'save' }] }, {}], [saving(ran)], { policy: () => decision, grants });
  const { questionId } = await until(run, 'approval-request');
  decision = 'deny';
  run.answer(questionId, 'always');
  expect(resultsOf((await run.result).messages)).toMatchObject([{ code: 'tool_denied' }]);
  decision = 'ask';
  const later = play([{ calls: [{ name: 'save' }] }, {}], [saving(ran)], { policy: () => decision, grants });
  later.answer((await until(later, 'approval-request')).questionId, 'deny'); // nothing was remembered
  await later.result;
  expect(ran).toEqual([]);
});

it('grants that could not be looked up denied the call: the user is asked', async () => {
  const failing = { has: () => Promise.reject(new Error('offline')), add: () => undefined };
  const run = play([{ calls: [{ name: 'save' }] }, {}], [saving([])], { policy: () => 'ask', grants: failing });
  const { questionId } = await until(run, 'approval-request');
  run.answer(questionId, 'once');
  const events = await eventsOf(run);
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'permission-ignored', reason: 'it cannot be checked: offline' }),
  );
  expect(resultsOf((await run.result).messages)).toMatchObject([{ isError: false }]);
});

it.each([undefined, null, 'yes', { ask: 1 }, { deny: 1 }, 7])(
  'a policy that says %j let the call run, or ended it',
  async (said) => {
    const ran: unknown[] = [];
    const policy = (() => said) as unknown as Policy;
    const run = play([{ calls: [{ name: 'save' }] }, {}], [saving(ran)], { policy });
    expect(resultsOf((await run.result).messages)).toMatchObject([{ code: 'tool_denied', deniedBy: 'policy' }]);
    expect(ran).toEqual([]);
  },
);

it('tells people which rule asks, in the event, in the thread, and about a call inside another', async () => {
  const policy = rulesPolicy([
    { decision: 'ask', tool: 'save', when: [{ field: 'path', path: 'a' }] },
    { decision: 'allow' },
  ]);
  const reason = 'The rule "save: a" of the user asks before this call.';
  const outer = tool('outer', { execute: (_input, _options, context) => context.call('save', { path: 'a' }) });
  const thread = memoryThread();
  const calls = [{ name: 'save', input: { path: 'a' } }, { name: 'outer' }];
  const run = play([{ calls: [calls[0]] }, { calls: [calls[1]] }, {}] as never, [saving([]), outer], {
    policy,
    thread,
  });
  const told: unknown[] = [];
  const stored: (readonly Question[])[] = [];
  for await (const event of run.events()) {
    if (event.type !== 'approval-request') continue;
    told.push(event.reason);
    stored.push(await openQuestions(thread));
    run.answer(event.questionId, 'once');
  }
  expect(told).toEqual([reason, reason]);
  expect(stored[0]).toMatchObject([{ reason }]);
});

it('tells the model which rule denies', async () => {
  const policy = rulesPolicy([{ decision: 'deny', tool: 'save', reason: 'the branch is frozen' }]);
  const run = play([{ calls: [{ name: 'save' }] }, {}], [saving([])], { policy });
  const [result] = resultsOf((await run.result).messages);
  expect(result?.output).toContain('was denied by policy: the branch is frozen');
});

it('a tool that the user allows for good ran past what the admin wants to be asked about, and past a rule for its input', async () => {
  const grants = memoryGrants();
  const script = [
    { calls: [{ name: 'save', input: { n: 1 } }] },
    { calls: [{ name: 'save', input: { n: 2, path: 'a' } }] },
    { calls: [{ name: 'save', input: { n: 3 } }] },
    { calls: [{ name: 'post', input: { n: 4 } }] },
    { calls: [{ name: 'post', input: { n: 5 } }] },
    {},
  ];
  const policy = rulesPolicy({
    admin: [{ decision: 'ask', tool: 'post' }],
    user: [
      { decision: 'ask', when: [{ field: 'path', path: 'a' }] },
      { decision: 'ask', tool: 'save' },
    ],
  });
  const run = play(script, [saving([]), tool('post', { effects: 'write' })], { policy, grants });
  const asked: unknown[] = [];
  for await (const event of run.events()) {
    if (event.type !== 'approval-request') continue;
    asked.push(event.input['n']);
    run.answer(event.questionId, event.answers === undefined ? 'always' : 'once');
  }
  expect(asked).toEqual([1, 2, 4, 5]);
});
