import { createRegistry, defineTool, emptySettings, permissions, resolveToolset, run, host } from '@utensil/core';
import type { JsonObject, Policy, Tool } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import type { ScriptedTurn } from '@utensil/core/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAgents } from './agents.ts';
import { newFiles, play, spawn, resultsOf, answerOf, eventsOf, plain } from './test-kit/agents.ts';
import type { Script } from './test-kit/agents.ts';
import { modelTable } from './models.ts';
import { spawnAgentTool } from './spawn-agent.ts';

afterEach(() => void vi.useRealTimers());

describe('the modes', () => {
  /** A tool that waits until so many calls of it are open. */
  const meeting = (count: number): Tool => {
    let open = 0;
    let all: () => void;
    const met = new Promise<void>((resolve) => (all = resolve));
    return plain('meet', {
      execute: async () => {
        if (++open === count) all();
        await met;
        return 'met';
      },
    });
  };

  it('[D2-06] agents that only read run together, and beside other reads', async () => {
    const turns = [{ calls: [{ name: 'meet' }] }, { text: 'Met.' }];
    const inner = [...turns, ...turns].map((_, index) => () => turns[index < 2 ? 0 : 1] as ScriptedTurn);
    const calls = [
      { name: 'spawn_agent', input: { task: 'a' } },
      { name: 'spawn_agent', input: { task: 'b', mode: 'read_only' } },
      { name: 'meet' },
    ];
    const played = play({ outer: [{ calls }, {}], inner, tools: [meeting(3)] });
    const results = resultsOf((await played.result).messages);
    expect(
      results.map(({ output }) => (typeof output === 'string' ? output : (output as JsonObject)['answer'])),
    ).toEqual(['Met.', 'Met.', 'met']);
  });

  it('agents of the default mode run one after the other', async () => {
    let open = 0;
    let most = 0;
    const work = plain('work', {
      async execute() {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 1));
        open--;
      },
    });
    const turns = [{ calls: [{ name: 'work' }] }, { text: 'Done.' }];
    const input = { task: 'a', mode: 'default' };
    const calls = [1, 2].map(() => ({ name: 'spawn_agent', input }));
    await play({ outer: [{ calls }, {}], inner: [...turns, ...turns], tools: [work] }).result;
    expect([most, open]).toEqual([1, 0]);
  });

  it('an agent that only reads has no tool that changes something, and no call of one is run', async () => {
    let changed = 0;
    const tools = [
      plain('save', { effects: 'write', execute: () => ++changed }),
      plain('file', {
        effects: (input) => ((input as JsonObject)['text'] === undefined ? 'read' : 'write'),
        execute: () => ++changed,
      }),
    ];
    const calls = [{ name: 'save' }, { name: 'file', input: { text: 'x' } }];
    const { played } = await answerOf([{ calls }, { text: 'I cannot.' }], { tools });
    expect(played.inner.requests[0]?.tools.map(({ name }) => name)).toEqual(['file', 'return']);
    const outputs = resultsOf(played.inner.requests[1]?.messages ?? []).map(({ output }) => output);
    expect(outputs[0]).toBe('Unknown tool: save');
    expect(outputs[1]).toContain('this run may only read');
    expect(changed).toBe(0);
    await answerOf([{ calls }, { text: 'Done.' }], { tools }, { mode: 'default' });
    expect(changed).toBe(2);
  });

  it('a copy of files is a change', async () => {
    const host = { files: newFiles(), agents: createAgents(), models: modelTable() };
    const toolset = resolveToolset(createRegistry([spawnAgentTool]), emptySettings, host);
    const effects = async (input: JsonObject) => (await toolset.prepare({ name: 'spawn_agent', input })).effects;
    expect(await effects({ task: 'x' })).toBe('read');
    expect(await effects({ task: 'x', files_as: 'copy' })).toBe('write');
    expect(await effects({ task: 'x', mode: 'default' })).toBe('write');
    expect((await toolset.prepare({ name: 'minion', input: { task: 'x' } })).refusal).toBeUndefined();
  });
});

describe('an agent and the run that it is in', () => {
  const save = plain('save', { effects: 'write' });

  it('[S2-38] asks the user of the run, whose answer for the run holds for all its agents', async () => {
    const turns = [{ calls: [{ name: 'save' }] }, { text: 'Saved.' }];
    const input = { task: 'Save.', mode: 'default' };
    const policy: Policy = ({ name }) => (name === 'save' ? 'ask' : 'allow');
    const played = play({
      outer: [spawn(input), spawn(input), {}],
      inner: [...turns, ...turns],
      tools: [save],
      more: { policy },
    });
    let asked = 0;
    for await (const event of played.events()) {
      if (event.type !== 'sub-run' || event.event.type !== 'approval-request') continue;
      asked++;
      played.answer(event.event.questionId, 'run');
    }
    const results = resultsOf((await played.result).messages);
    expect(results.map(({ output }) => (output as JsonObject)['answer'])).toEqual(['Saved.', 'Saved.']);
    expect(asked).toBe(1);
  });

  it('is denied what the run’s policy denies', async () => {
    const inner = [{ calls: [{ name: 'save' }] }, { text: 'No.' }];
    const more = { policy: permissions('write'), interactive: false };
    const denied = await answerOf(inner, { tools: [save], more }, { mode: 'default' });
    expect(denied.read).toContain("Permission is required to run tool 'spawn_agent'");
    const reading = plain('fetches', { openWorld: true });
    const { played } = await answerOf([{ calls: [{ name: 'fetches' }] }, { text: 'No.' }], { tools: [reading], more });
    expect(resultsOf(played.inner.requests[1]?.messages ?? [])[0]?.output).toContain('Permission is required');
  });

  it('ends with it, and with its time', async () => {
    const hangs = [{ text: 'Hm', hangs: true }];
    const aborted = play({ outer: [spawn({ task: 'Wait.' })], inner: hangs });
    for await (const event of aborted.events())
      if (event.type === 'sub-run' && event.event.type === 'text-delta') aborted.abort();
    expect((await aborted.result).status).toBe('aborted');

    const agents = createAgents();
    const outer: Script = [spawn({ task: 'Wait.' }), { text: 'It took too long.' }];
    vi.useFakeTimers();
    const late = play({ outer, inner: hangs, agents, more: { limits: { timeMs: 50 } } });
    for await (const event of late.events())
      if (event.type === 'sub-run' && event.event.type === 'text-delta') await vi.advanceTimersByTimeAsync(50);
    expect(await late.result).toMatchObject({ status: 'limit', limit: 'time', text: 'It took too long.' });
    const inside = (await eventsOf(late)).filter((event) => event.type === 'sub-run' && event.event.type === 'run-end');
    expect(inside).toMatchObject([{ event: { status: 'aborted' } }]);
  });

  it('has what hosts offer its tools', async () => {
    const offered = { files: newFiles(), agents: createAgents(), models: modelTable() };
    const { unavailable } = resolveToolset(createRegistry([spawnAgentTool]), emptySettings, { files: offered.files });
    expect(unavailable[0]?.reason).toBe('It needs models, agents, which this app does not offer.');
    const asks = defineTool({ ...plain('asks'), requires: { fetch: host.fetch }, execute: () => 'asked' });
    const toolset = resolveToolset(createRegistry([spawnAgentTool, asks]), emptySettings, {
      ...offered,
      fetch: () => undefined,
    });
    const model = scriptedModel([spawn({ task: 'x' }), { calls: [{ name: 'asks' }] }, { text: 'ok' }, {}]);
    await run({ model, toolset, messages: 'Go.' }).result;
    expect(resultsOf(model.requests[2]?.messages ?? [])[0]?.output).toBe('asked');
  });
});
