import { expect, it } from 'vitest';
import { memoryThread } from '../../thread/memory-thread.ts';
import { openQuestions } from '../../thread/open-questions.ts';
import { answerQuestion } from '../../thread/answer-question.ts';
import type { Question, QuestionAnswer } from '../../thread/question.ts';
import { scriptedModel } from '../../testing/index.ts';
import { eventsOf, play, testSeals, tool, toolsetOf, until } from '../../test-kit/runs.ts';
import type { Rule } from '../../rules/rule.ts';
import { guard } from '../guard/guard.ts';
import { rulesPolicy } from './rules-policy.ts';
import { memoryGrants } from './grants.ts';
import type { Grant } from './grants.ts';
import { resume, run } from '../lazy-run.ts';

const push = { name: 'shell', input: { command: 'git push' } };
const ofInput: Rule = { decision: 'ask', tool: 'shell', when: [{ field: 'command', command: 'git push*' }] };
const ofTool: Rule = { decision: 'ask', tool: 'shell' };
const answersEachTime = ['once', 'deny', 'input'];

/** Grants that say what was added. */
function watched() {
  const added: Grant[] = [];
  const grants = memoryGrants();
  return { added, grants: { ...grants, add: (grant: Grant) => (added.push(grant), grants.add(grant)) } };
}

it.each<['admin' | 'user', Rule, readonly string[] | undefined]>([
  ['user', ofInput, answersEachTime],
  ['admin', ofTool, answersEachTime],
  ['user', ofTool, undefined],
])('a question by a rule of the %s says which answers are possible', async (layer, rule, answers) => {
  const { added, grants } = watched();
  const running = play([{ calls: [push] }, {}], [tool('shell')], { policy: rulesPolicy({ [layer]: [rule] }), grants });
  const asked = await until(running, 'approval-request');
  expect(asked.answers).toEqual(answers);
  if (answers === undefined) return running.abort();
  expect(() => running.answer(asked.questionId, 'always')).toThrow(
    expect.objectContaining({
      code: 'invalid_input',
      message: expect.stringMatching(/answer 'once', 'deny', \{ input \}/),
    }),
  );
  expect(() => running.answer(asked.questionId, 'run')).toThrow(/got 'run'/);
  running.answer(asked.questionId, 'once');
  expect((await running.result).status).toBe('complete');
  expect(added).toEqual([]);
});

it('who said always to one `git push` had allowed every command of the shell, in a guard too', async () => {
  const { added, grants } = watched();
  const ran: unknown[] = [];
  const shell = tool('shell', { effects: 'write', execute: (input) => void ran.push(input) });
  const questions: Question[] = [];
  const toolset = guard(toolsetOf([shell]), {
    policy: rulesPolicy([ofInput]),
    grants,
    ask: (question) => (questions.push(question), 'always'),
  });
  const signal = new AbortController().signal;
  const execute = (command: string, callId: string) =>
    toolset.execute({ name: 'shell', input: { command } }, { projectId: 'p', runId: 'r', callId, signal });
  expect((await execute('git push', 'a')).code).toBe('tool_denied'); // it is no answer to that
  expect(questions[0]?.answers).toEqual(answersEachTime);
  expect((await execute('ls', 'b')).isError).toBe(false); // of a question that takes it
  expect([ran, added.length]).toEqual([[{ command: 'ls' }], 1]);
});

it('an answer that was given for always before a rule asks each time counts for the call alone, and says so', async () => {
  const { added, grants } = watched();
  const thread = memoryThread('t');
  const model = scriptedModel([{ calls: [push] }, { text: 'Pushed.' }]);
  const options = {
    model,
    toolset: toolsetOf([tool('shell', { effects: 'write' })]),
    thread,
    seals: testSeals,
    grants,
  };
  const questions = { parkAfterMs: 0 };
  await run({ ...options, messages: 'Push.', policy: rulesPolicy([ofTool]), questions }).result;
  const [question] = await openQuestions(thread);
  const answer: QuestionAnswer = 'always';
  await answerQuestion(thread, { questionId: question?.id ?? '', answer, seals: testSeals });
  const running = resume({ ...options, policy: rulesPolicy([ofInput]) });
  const ignored = (await eventsOf(running)).filter((event) => event.type === 'permission-ignored');
  expect(ignored.map(({ reason }) => reason)).toEqual([expect.stringContaining('asked about each time')]);
  expect([(await running.result).status, added]).toEqual(['complete', []]);
});

it('a stored question that is asked each time takes no other answer from another process', async () => {
  const thread = memoryThread('t');
  const toolset = toolsetOf([tool('shell', { effects: 'write' })]);
  const policy = rulesPolicy([ofInput]);
  const model = scriptedModel([{ calls: [push] }, {}]);
  await run({ model, toolset, thread, seals: testSeals, policy, messages: 'Go.', questions: { parkAfterMs: 0 } })
    .result;
  const [question] = await openQuestions(thread);
  expect(question?.answers).toEqual(answersEachTime);
  const given = { questionId: question?.id ?? '', seals: testSeals };
  await expect(answerQuestion(thread, { ...given, answer: 'always' })).rejects.toMatchObject({ code: 'invalid_input' });
  await answerQuestion(thread, { ...given, answer: 'once' });
  expect((await resume({ model, toolset, thread, seals: testSeals, policy }).result).status).toBe('complete');
});
