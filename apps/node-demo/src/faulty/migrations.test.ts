// A stored call of a tool that has changed resumes on servers that fail: it runs once, with the current schema.
import { answerQuestion, hmacSeals, jsonSchema, openQuestions, permissions, resume, run } from '@utensil/core';
import { expect, it } from 'vitest';
import { toolNamed, toolsetOf } from '../test-kit/faulty/tools.ts';
import { calls, cases, expectReplays, faultyWire, inTurn, newThread, says } from '../test-kit/faulty/wire.ts';

const options = {
  policy: permissions('write'),
  seals: hmacSeals(new Uint8Array(32).fill(1)),
  questions: { parkAfterMs: 0 },
};

it.each(cases)('$name', async (each) => {
  const done: unknown[] = [];
  const execute = (input: unknown): string => (done.push(input), 'It is saved.');
  const before = toolNamed('save', { effects: 'write', execute });
  const today = toolNamed('save', {
    effects: 'write',
    input: jsonSchema({
      type: 'object',
      properties: { notes: { type: 'array', items: { type: 'string' } } },
      required: ['notes'],
    }),
    migrateCall: (input) => ('note' in input ? { notes: [input['note'] ?? null] } : input),
    execute,
  });
  const asks = { blocks: [calls('save', { note: 'all ½ of it' })] };
  await using wire = await faultyWire(each, inTurn(asks, { blocks: [says('So ', 'it ½ is.')] }));
  const { model, environment } = wire;
  const thread = newThread();
  const shared = { ...options, model, environment, thread };
  expect((await run({ ...shared, toolset: toolsetOf(before), messages: 'Save it.' }).result).status).toBe(
    'needs-approval',
  );
  const [question] = await openQuestions(thread);
  await answerQuestion(thread, { questionId: question?.id ?? '', answer: 'once', seals: options.seals });
  const { status, text } = await resume({ ...shared, toolset: toolsetOf(today) }).result;
  expect([status, text, done]).toEqual(['complete', 'So it ½ is.', [{ notes: ['all ½ of it'] }]]);
  const [, , third = '', fourth] = wire.sent();
  expect([wire.sent().length, fourth]).toEqual([4, third]);
  expect([third.includes('notes'), third.includes('It is saved.')]).toEqual([true, true]);
  await expectReplays(thread, { toolset: [today], policy: options.policy });
});
