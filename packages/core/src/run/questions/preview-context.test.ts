import { expect, it } from 'vitest';
import type { Principal } from '../../tool/capability.ts';
import { guard } from '../guard/guard.ts';
import { play, memoryThread, testSeals, tool, toolsetOf, until } from '../../test-kit/runs.ts';
import { openQuestions } from '../../thread/open-questions.ts';
import type { Question } from '../../thread/question.ts';

const ada: Principal = { id: 'ada' };
const turns = [{ calls: [{ callId: 'c1', name: 'connect' }] }, {}];

it('a preview received the whole context of the run, including the seals of approvals', async () => {
  const seen: object[] = [];
  const connect = tool('connect', {
    effects: 'write',
    preview: (_input, _options, context) => void seen.push(context),
  });
  const thread = memoryThread();
  const played = play(turns, [connect], { policy: () => 'ask', principal: ada, thread, seals: testSeals });
  const { questionId } = await until(played, 'approval-request');
  played.answer(questionId, 'deny');
  await played.result;
  expect(seen).toEqual([{ projectId: 'default', principal: ada, threadId: thread.id, host: {} }]);
});

it('the client that answers a call is shown the preview of its tool, in the event and in the thread', async () => {
  const { execute: _, ...face } = tool('connect');
  const connect = { ...face, preview: () => ({ type: 'authorize', url: 'https://issuer.example/' }) };
  const thread = memoryThread();
  const played = play(turns, [connect], { thread, principal: ada });
  const { questionId, preview } = await until(played, 'input-request');
  expect(preview).toEqual({ type: 'authorize', url: 'https://issuer.example/' });
  expect(await openQuestions(thread)).toMatchObject([{ kind: 'input', preview }]);
  played.answer(questionId, { output: 'done' });
  expect((await played.result).status).toBe('complete');
});

it('whoever is asked by a guard gets both, for the principal of the guard', async () => {
  const asked: Question[] = [];
  const { execute: _, ...face } = tool('connect');
  const connect = {
    ...face,
    preview: (_input: unknown, _options: object, { principal }: object & { principal?: Principal }) =>
      `for ${principal?.id}`,
  };
  const guarded = guard(toolsetOf([connect]), {
    policy: () => 'allow',
    principal: ada,
    ask: (question) => (asked.push(question), { output: 'done' }),
  });
  const context = { projectId: 'p', runId: 'r', callId: 'c', signal: new AbortController().signal };
  expect((await guarded.execute({ name: 'connect', input: {} }, context)).output).toBe('done');
  expect(asked).toMatchObject([{ kind: 'input', preview: 'for ada' }]);
});
