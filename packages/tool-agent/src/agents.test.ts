import { messagesOf, openThread, createRecords, textOf, UtensilError } from '@utensil/core';
import type { JsonObject } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { describe, expect, it } from 'vitest';
import { createAgents } from './agents.ts';
import type { Agents } from './agents.ts';
import { play, spawn, resultsOf, answerOf, plain, returning, idOf, newFiles } from './test-kit/agents.ts';
import type { Script } from './test-kit/agents.ts';

describe('an agent that is resumed', () => {
  it('[S0-63] remembers what it did, and gets the next task', async () => {
    const outer: Script = [
      spawn({ task: 'First.' }),
      (request) => spawn({ agent: idOf(request), task: 'Second.' }),
      {},
    ];
    const played = play({ outer, inner: [{ text: 'One.' }, { text: 'Two.' }] });
    const results = resultsOf((await played.result).messages);
    const outputs = results.map(({ output }) => output as JsonObject);
    expect(outputs.map(({ answer }) => answer)).toEqual(['One.', 'Two.']);
    expect(outputs[0]?.['agent']).toBe(outputs[1]?.['agent']);
    expect(played.inner.requests[1]?.messages.map(({ parts }) => textOf(parts))).toEqual(['First.', 'One.', 'Second.']);
  });

  it('[S0-63] is tried again from where it failed, without what it had done already', async () => {
    let looked = 0;
    const look = plain('look', { execute: () => ++looked });
    const inner: Script = [
      { calls: [{ name: 'look' }] },
      { text: 'Half', breaks: new UtensilError('model_overloaded', 'Too busy.') },
      { text: 'The rest.' },
    ];
    const outer: Script = [spawn({ task: 'Look.' }), (request) => spawn({ agent: idOf(request) }), {}];
    const played = play({ outer, inner, tools: [look] });
    const [failed, retried] = resultsOf((await played.result).messages);
    expect(failed).toMatchObject({ isError: true, output: { failed: true, status: 'error' } });
    expect(textOf(failed?.modelParts ?? [])).toContain('[The agent failed (error): Too busy.]\n\nHalf');
    expect(retried).toMatchObject({ isError: false, output: { answer: 'The rest.' } });
    expect(looked).toBe(1);
    const seen = played.inner.requests[2]?.messages.map(({ role, parts }) => `${role} ${textOf(parts)}`) ?? [];
    expect(seen.slice(0, 3)).toEqual(['user Look.', 'assistant ', 'tool ']);
    expect(seen.at(-1)).toContain('Continue it from where it stopped');
  });

  it('[S0-63] goes on from an answer, a limit or a return too', async () => {
    for (const first of [{ text: 'One.' }, returning('One.')]) {
      const outer: Script = [spawn({ task: 'First.' }), (request) => spawn({ agent: idOf(request) }), {}];
      const played = play({ outer, inner: [first, { text: 'More.' }] });
      expect(resultsOf((await played.result).messages)[1]?.output).toMatchObject({ answer: 'More.' });
      expect(textOf(played.inner.requests[1]?.messages.at(-1)?.parts ?? [])).toContain('Continue your task');
    }
    const inner = [{ calls: [{ name: 'look' }] }, { text: 'So far.' }];
    const limited = await answerOf(inner, { tools: [plain('look')], more: { limits: { steps: 1 } } });
    expect(limited.read).toMatch(/^\[It reached its limit \(steps\) and may be incomplete\.\]\n\nSo far\./);
  });

  it('is the app’s to keep, in threads that outlast the program', async () => {
    const records = createRecords(memoryStorage());
    const keep = () => createAgents({ thread: (id) => openThread(records, id) });
    const { output } = await answerOf([{ text: 'One.' }], { agents: keep() });
    const agent = String(output['agent']);
    const again = await answerOf([{ text: 'Two.' }], { agents: keep() }, { agent, task: 'Second.' });
    expect(again.played.inner.requests[0]?.messages).toHaveLength(3);
  });

  it('is one that there is', async () => {
    for (const agent of ['123456789abc', '12345678', '../../x', '']) {
      const { read, played } = await answerOf([], {}, { agent });
      expect(read).toBe(
        `Tool execution failed: There is no agent ${JSON.stringify(agent)}. Leave it out to begin a new one.`,
      );
      expect(played.inner.requests).toEqual([]);
    }
  });

  it('does not begin once nobody waits for it any more', async () => {
    const [agents, files] = [createAgents(), newFiles()];
    await files.write('/a.md', 'a');
    const { output } = await answerOf([{ text: 'One.' }], { agents });
    const agent = String(output['agent']);
    let leave: (() => void) | undefined;
    const busy = agents.use(agent, () => new Promise<void>((resolve) => (leave = resolve)));
    const waiting: Agents = {
      use(id, work) {
        queueMicrotask(() => played.abort());
        return agents.use(id, work);
      },
    };
    const input = { agent, task: 'Two.', files: ['/a.md'], files_as: 'copy' };
    const played = play({ outer: [spawn(input)], agents: waiting, files });
    expect((await played.result).status).toBe('aborted');
    leave?.();
    await busy;
    expect(await agents.use(agent, async (thread) => (await messagesOf(thread)).length)).toBe(2);
    expect(await files.stat(`/minions/${agent}/a.md`)).toBeUndefined();
  });

  it('does one task after the other', async () => {
    const agents = createAgents();
    const steps: string[] = [];
    const work = (name: string) => () =>
      Promise.resolve()
        .then(() => void steps.push(`${name} begins`))
        .then(() => void steps.push(`${name} ends`));
    const failing = agents.use('a', () => Promise.reject(new Error('no')));
    await Promise.all([expect(failing).rejects.toThrow('no'), agents.use('a', work('1')), agents.use('a', work('2'))]);
    expect(steps).toEqual(['1 begins', '1 ends', '2 begins', '2 ends']);
  });
});
