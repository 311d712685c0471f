import { textOf, withMiddleware, noUsage } from '@utensil/core';
import type { ModelPart } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { describe, expect, it } from 'vitest';
import { createAgents } from './agents.ts';
import { play, resultsOf, resultOf, answerOf, plain, returning } from './test-kit/agents.ts';

describe('how an agent answers', () => {
  const value = { found: 3 };
  const rows = [
    ['no-return', [{ text: 'Text.' }], 'Text.', false, 1],
    ['both', [{ text: 'Text.' }], 'Text.', false, 1],
    ['both', [returning(value)], value, false, 1],
    ['return-only', [{ text: 'Text.' }], '', false, 1],
    ['return-only', [returning('It.')], 'It.', false, 1],
    ['enforced', [{ text: 'Text.' }], 'Text.', true, 1],
    ['enforced', [returning(value)], value, false, 1],
    ['auto-enforced', [{ text: 'Text.' }, returning(value)], value, false, 2],
    ['auto-enforced', [{ text: 'a' }, { text: 'b' }, returning(null)], null, false, 3],
    ['auto-enforced', [{ text: 'a' }, { text: 'b' }, { text: 'c' }, returning(value)], 'c', true, 3],
  ] as const;

  it.each(rows)('[S0-63] %s: %j gives %j', async (returnMode, inner, answer, isError, turns) => {
    const { output, part, played } = await answerOf(inner, { options: { returnMode } });
    expect(output['answer']).toEqual(answer);
    expect(part.isError).toBe(isError);
    expect(played.inner.requests).toHaveLength(turns);
    const names = played.inner.requests[0]?.tools.map(({ name }) => name);
    expect(names).toEqual(returnMode === 'no-return' ? [] : ['return']);
  });

  it('[S0-63] is asked to return if it has to and forgets it, with its tool and no other', async () => {
    const inner = [{ text: 'Text.' }, returning(1)];
    const { played, read } = await answerOf(inner, { options: { returnMode: 'auto-enforced' } });
    expect(played.inner.requests[1]?.toolChoice).toEqual({ tool: 'return' });
    expect(textOf(played.inner.requests[1]?.messages.at(-1)?.parts ?? [])).toContain('Call the tool return now');
    expect(read).toMatch(/^1\n\n\[Agent/);
    const failed = await answerOf([{ text: 'Last words.' }], { options: { returnMode: 'enforced' } });
    expect(failed.read).toMatch(/^\[The agent ended without a result\.\]\n\nLast words\.\n\n\[Agent/);
    expect(failed.part.status).toBe('failed, 1 step, 0 tokens');
  });

  it('[S0-63] continues after a deferred return, of which the last counts', async () => {
    const inner = [
      returning('first'),
      { calls: [{ name: 'look' }] },
      returning({ last: true }),
      { text: 'Cleaned up.' },
    ];
    const { output, read, played } = await answerOf(inner, { tools: [plain('look')], options: { deferReturn: true } });
    expect(output).toMatchObject({ answer: { last: true }, text: 'Cleaned up.', steps: 4 });
    expect(read).toMatch(/^\{\n {2}"last": true\n\}\n\nCleaned up\.\n\n\[Agent/);
    expect(resultsOf(played.inner.requests[1]?.messages ?? [])[0]?.output).toContain('Stored.');
    const options = { deferReturn: true, returnMode: 'return-only' };
    expect((await answerOf([returning('It.'), { text: 'Bye.' }], { options })).read).toMatch(/^It\.\n\n\[Agent/);
  });

  it('[S0-63] is looked at by the app, and repaired', async () => {
    const asked: unknown[] = [];
    const agents = createAgents({
      verify: ({ agent, ...rest }) => {
        asked.push(rest);
        return rest.value === 'good' ? undefined : 'too short.';
      },
    });
    const returned = await answerOf([returning('bad'), returning('good')], { agents });
    expect(returned.output['answer']).toBe('good');
    expect(resultsOf(returned.played.inner.requests[1]?.messages ?? [])[0]).toMatchObject({
      output: 'The result was not accepted: too short.',
      isError: true,
    });
    const told = await answerOf([{ text: 'bad' }, { text: 'good' }], { agents });
    expect(told.output).toMatchObject({ answer: 'good', failed: false });
    expect(textOf(told.played.inner.requests[1]?.messages.at(-1)?.parts ?? [])).toContain('too short.');
    expect(asked.at(-1)).toEqual({ task: 'Do it.', value: 'good' });
    const never = await answerOf([{ text: 'a' }, { text: 'b' }, { text: 'c' }, { text: 'good' }], { agents });
    expect(never.output).toMatchObject({ answer: 'c', failed: true });
    expect(never.read).toContain('[Its answer was not accepted: too short.]');
  });

  it('[S0-64] ends with `return`, alone in its turn: beside other calls it is refused, and they run', async () => {
    const refusal =
      'ERROR: return cannot be called in parallel with other tools. Please try again with return as the only tool call.';
    const both = { name: 'return', input: { value: 1 } };
    for (const deferReturn of [false, true]) {
      const inner = [
        { calls: [{ name: 'look' }, both] },
        { calls: [both, both] },
        { calls: [both, { name: 'gone' }] },
        returning('done'),
        { text: 'Bye.' },
      ];
      const { output, played } = await answerOf(inner, { tools: [plain('look')], options: { deferReturn } });
      expect(output['answer']).toBe('done');
      const seen = resultsOf(played.inner.requests[3]?.messages ?? []).map((each) => [each.output, each.isError]);
      expect(seen).toEqual([
        ['look', false],
        [refusal, true],
        [refusal, true],
        [refusal, true],
        [refusal, true],
        ['Unknown tool: gone', true],
      ]);
      expect(played.inner.requests).toHaveLength(deferReturn ? 5 : 4);
    }
  });

  it('[S0-64] waits for the rest of its turn, which may have other calls', async () => {
    const call = (callId: string, name: string): ModelPart => ({
      type: 'tool-call',
      callId,
      name,
      input: { value: 'too soon' },
      executedBy: 'us',
    });
    const script = scriptedModel([returning('done')]);
    let turns = 0;
    const inner = withMiddleware(script, {
      name: 'slow',
      async *stream(request, next) {
        if (turns++ > 0) return yield* next(request);
        yield call('1', 'return');
        await new Promise((resolve) => setTimeout(resolve, 20)); // long enough for it to run, if it did
        yield call('2', 'gone');
        yield { type: 'finish', reason: 'tool-calls', usage: noUsage };
      },
    });
    const { output } = await answerOf([], { inner: { ...script, ...inner } });
    expect(output['answer']).toBe('done');
    expect(resultsOf(script.requests[0]?.messages ?? [])[0]?.output).toContain('return cannot be called in parallel');
  });

  it('[S0-64] `return` is not a tool of the run that begins the agent', async () => {
    const played = play({ outer: [returning('out'), {}] });
    expect((await resultOf(played)).read).toBe('Unknown tool: return');
    expect(played.model.requests[0]?.tools.map(({ name }) => name)).toEqual(['spawn_agent']);
    const own = await answerOf([returning('in')], { tools: [plain('return')] });
    expect([own.output['answer'], own.played.inner.requests[0]?.tools.length]).toEqual(['in', 1]);
  });
});
