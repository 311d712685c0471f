import { createRegistry, emptySettings, resolveToolset, run } from '@utensil/core';
import { scriptedModel, toolSuite } from '@utensil/core/testing';
import { describe, expect, it, test } from 'vitest';
import { askUserTool } from './ask-user.ts';
import { planTool } from './plan.ts';
import { call, createApp, resultsOf, shown } from './test-kit/notes.ts';
import { cancelWakeupTool, scheduleWakeupTool } from './wakeups.ts';
import type { Wakeup, Wakeups } from './wakeups.ts';

describe('a plan', () => {
  const plan = [
    { step: 'Read', status: 'completed' },
    { step: 'Write', status: 'in_progress' },
    { step: 'Check', status: 'pending' },
  ];

  it('[S2-37] is shown to the user, and acknowledged to the model', async () => {
    const { chat } = createApp([planTool]);
    const { results } = await chat('a', [call('update_plan', { plan, explanation: 'Found more.' })]);
    expect(results[0]).toMatchObject({ userView: { plan, explanation: 'Found more.' }, status: '1 of 3 done' });
    expect(results.map(shown)).toEqual(['Plan updated.']);
  });

  it('has one step in progress at most, and steps at all', async () => {
    const { chat } = createApp([planTool]);
    const twice = plan.map(({ step }) => ({ step, status: 'in_progress' }));
    const { results } = await chat('a', [
      call('update_plan', { plan: twice }),
      call('update_plan', { plan: [] }),
      call('update_plan', { plan: [{ step: 'Read', status: 'done' }] }),
    ]);
    expect(results.map(({ isError }) => isError)).toEqual([true, true, true]);
    expect(shown(results[0] as never)).toBe(
      'Tool execution failed: "plan" has 3 steps in_progress: at most one is allowed.',
    );
    expect(shown(results[2] as never)).toMatch(/status.*in_progress/);
  });

  toolSuite({ test }, planTool, { examples: [{ plan }] });
});

describe('a wake-up', () => {
  function createClock(): Wakeups & { readonly set: Map<string, Wakeup> } {
    const set = new Map<string, Wakeup>();
    return {
      set,
      async schedule(wakeup) {
        set.set(`w${set.size + 1}`, wakeup);
        return `w${set.size}`;
      },
      cancel: async (id, threadId) => set.get(id)?.threadId === threadId && set.delete(id),
    };
  }

  const tools = [scheduleWakeupTool, cancelWakeupTool];
  const schedule = (delay_seconds: number) => call('schedule_wakeup', { delay_seconds, message: 'Look again.' });

  it('[S2-37] is at most seven days away, and is of the chat that it is set in', async () => {
    const wakeups = createClock();
    const { chat } = createApp(tools, { host: { wakeups } });
    const { results } = await chat('a', [schedule(604_800), schedule(604_801), schedule(0)]);
    expect(results.map(({ isError }) => isError)).toEqual([false, true, true]);
    expect(shown(results[1] as never)).toContain('delay_seconds');
    const [wakeup] = [...wakeups.set.values()];
    expect(wakeup).toMatchObject({ projectId: 'default', threadId: 'a', message: 'Look again.' });
    expect(results[0]?.output).toEqual({ id: 'w1', at: new Date(wakeup?.at ?? 0).toISOString() });
    expect(wakeup?.at).toBeGreaterThan(604_800_000);
  });

  it('[S2-37] is taken back by its own chat alone', async () => {
    const wakeups = createClock();
    const { chat } = createApp(tools, { host: { wakeups } });
    await chat('a', [schedule(60)]);
    const elsewhere = await chat('b', [call('cancel_wakeup', { id: 'w1' })]);
    expect(elsewhere.results[0]).toMatchObject({ isError: true, output: 'This chat has no wake-up "w1".' });
    const { results } = await chat('a', [call('cancel_wakeup', { id: 'w1' })]);
    expect(results[0]).toMatchObject({ isError: false, output: 'Wake-up cancelled.' });
    expect(wakeups.set.size).toBe(0);
  });

  it('does not exist without a chat to continue', async () => {
    const wakeups = createClock();
    const toolset = resolveToolset(createRegistry(tools), emptySettings, { wakeups });
    const model = scriptedModel([schedule(60), call('cancel_wakeup', { id: 'w1' }), { text: 'Done.' }]);
    const { messages } = await run({ model, toolset, messages: 'Go.' }).result;
    expect(resultsOf(messages).map(({ isError }) => isError)).toEqual([true, true]);
    expect(wakeups.set.size).toBe(0);
  });
});

describe('a question to the user', () => {
  const question = { question: 'Which colour?', options: ['red', 'blue'] };
  const toolset = resolveToolset(createRegistry([askUserTool]), emptySettings, {});
  const ask = (more = {}) => {
    const model = scriptedModel([call('ask_user', question), { text: 'Blue it is.' }]);
    return run({ model, toolset, messages: 'Paint it.', ...more });
  };

  it('is asked, and the answer goes to the model', async () => {
    const asking = ask();
    const requests = [];
    for await (const event of asking.events()) {
      if (event.type !== 'input-request') continue;
      requests.push(event);
      asking.answer(event.questionId, { output: 'blue' });
    }
    const { status, text, messages } = await asking.result;
    expect(requests).toMatchObject([{ name: 'ask_user', input: question, title: 'Ask: Which colour?' }]);
    expect({ status, text }).toEqual({ status: 'complete', text: 'Blue it is.' });
    expect(resultsOf(messages).map(shown)).toEqual(['blue']);
  });

  it('is left open where the run is stopped meanwhile', async () => {
    const asking = ask();
    for await (const event of asking.events()) if (event.type === 'input-request') asking.stop();
    expect((await asking.result).status).toBe('needs-input');
  });

  it('is answered by nobody if nobody is there, and the model is told so', async () => {
    const { status, messages } = await ask({ interactive: false }).result;
    expect(status).toBe('complete');
    expect(resultsOf(messages)).toMatchObject([{ isError: true }]);
  });
});
