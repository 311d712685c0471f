import {
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  resolveToolset,
  run,
  runTool,
  textOf,
  host,
} from '@utensil/core';
import type { UtensilError } from '@utensil/core';
import { scriptedModel, toolSuite } from '@utensil/core/testing';
import { describe, expect, it, test } from 'vitest';
import { createAgents } from './agents.ts';
import { newFiles, play, spawn, resultsOf, resultOf, answerOf, eventsOf, plain } from './test-kit/agents.ts';
import { modelTable } from './models.ts';
import { spawnAgentTool } from './spawn-agent.ts';

describe('an agent', () => {
  it('[S0-63] [A0-11] [S2-37] works in a loop of its own, and its answer is all that the model reads', async () => {
    const inner = [{ calls: [{ name: 'look' }] }, { text: 'I looked twice.' }];
    const { read, output, part, played } = await answerOf(inner, { tools: [plain('look')] });
    expect(read).toMatch(/^I looked twice\.\n\n\[Agent [0-9a-f]{12}\. To continue it: spawn_agent with "agent": "/);
    expect(output).toMatchObject({ status: 'complete', answer: 'I looked twice.', failed: false, steps: 2 });
    expect(part.isError).toBe(false);
    expect(textOf(played.inner.requests[0]?.messages[0]?.parts ?? [])).toBe('Do it.');
    expect(played.inner.requests[0]?.system).toContain('You are an agent');
    expect((await played.result).messages).toHaveLength(4);
  });

  it('[S0-63] has the tools that are asked for and are there, without the one that began it, and `return`', async () => {
    const tools = [plain('a'), plain('b'), plain('c'), plain('off', { defaultEnabled: false })];
    const wanted = ['b', 'off', 'a', 'spawn_agent', 'minion', 'return'];
    const { read, played } = await answerOf(
      [{ calls: [{ name: 'spawn_agent', input: { task: 'x' } }, { name: 'c' }, { name: 'a' }] }, { text: 'Done.' }],
      { tools },
      { tools: wanted },
    );
    expect(played.inner.requests[0]?.tools.map(({ name }) => name)).toEqual(['a', 'b', 'return']);
    const outputs = resultsOf(played.inner.requests[1]?.messages ?? []).map(({ output }) => output);
    expect(outputs).toEqual(['Unknown tool: spawn_agent', 'Unknown tool: c', 'a']);
    expect(read).toContain('[It did not get the tools off, minion, which do not exist.]');

    const all = await answerOf([{ text: 'Done.' }], { tools });
    expect(all.played.inner.requests[0]?.tools.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'return']);
  });

  it('[S0-63] is the model that is asked for, of those that the user allows, else that of the settings, else that of the run', async () => {
    expect((await answerOf([{ text: 'Inner.' }])).read).toMatch(/^Inner\./);
    expect((await answerOf([], {}, { model: 'other' })).read).toMatch(/^Other\./);
    const refused = await answerOf([], { options: { models: ['gone', 'inner'] } }, { model: 'other' });
    expect(refused.read).toBe('Tool execution failed: The model "other" is not available. Available: inner.');
    const none = await answerOf([], { options: { models: ['gone'] } }, { model: 'x' });
    expect(none.read).toContain('Leave it out.');
    const wrong = await answerOf([], { options: { model: 'gone' } });
    expect(wrong.read).toContain('The app does not offer the model "gone", which is set in the settings.');
    const same = play({ outer: [spawn({ task: 'x' }), { text: 'Inside.' }, {}], options: { model: '' } });
    expect((await resultOf(same)).read).toMatch(/^Inside\./);
    expect(same.model.requests[1]?.system).toContain('You are an agent');
  });

  it('[S0-63] has a persona from a file, behind what all agents are told', async () => {
    const files = newFiles();
    await files.write('/minions/_global.md', 'Write plainly.\n');
    await files.write('/minions/critic.md', '# A critic\nFind what is wrong.');
    await files.write('/minions/123456789abc/note.md', 'not a persona');
    const one = await answerOf([{ text: 'Bad.' }], { files }, { persona: 'critic' });
    expect(one.played.inner.requests[0]?.system).toMatch(/\n\nWrite plainly\.\n\n# A critic\nFind what is wrong\.$/);
    const plainly = await answerOf([{ text: 'Good.' }], { files });
    expect(plainly.played.inner.requests[0]?.system).toMatch(/\n\nWrite plainly\.$/);
    for (const persona of ['gone', '_global', '../critic', '123456789abc/note', '']) {
      const { read } = await answerOf([], { files }, { persona });
      expect(read).toBe(`Tool execution failed: There is no persona ${JSON.stringify(persona)}. Available: critic.`);
    }
    expect(one.played.model.requests[0]?.system).toBe(
      '## Agents\nPersonas:\n- critic: A critic\nModels:\n- inner: inner\n- other: scripted',
    );
    expect((await answerOf([], {}, { persona: 'gone' })).read).toContain('None exist.');
  });

  it('[S0-63] has files of its own, /share to read and /sharerw to change', async () => {
    const files = newFiles();
    await files.write('/secret.md', 'mine');
    await files.write('/share/a.md', 'shared');
    const seen: string[] = [];
    const tries = defineTool({
      name: 'tries',
      description: 'Tries.',
      input: jsonSchema({ type: 'object' }),
      effects: 'write',
      requires: { files: host.files },
      async execute(_input, _options, { host }) {
        const own = host.files;
        seen.push((await own.stat('/secret.md')) === undefined ? 'hidden' : 'seen');
        seen.push((await own.readText('/share/a.md')).text);
        await own.write('/notes.md', 'by the agent');
        await own.write('/sharerw/b.md', 'for all');
        await own.write('/share/a.md', 'x').catch(({ code }: UtensilError) => seen.push(code));
      },
    });
    const { output } = await answerOf(
      [{ calls: [{ name: 'tries' }] }, { text: 'Done.' }],
      { files, tools: [tries] },
      { mode: 'default' },
    );
    expect(seen).toEqual(['hidden', 'shared', 'EROFS']);
    expect((await files.readText(`/minions/${String(output['agent'])}/notes.md`)).text).toBe('by the agent');
    expect((await files.readText('/sharerw/b.md')).text).toBe('for all');

    seen.length = 0;
    const inner = [{ calls: [{ name: 'tries' }] }, { text: 'Done.' }];
    await answerOf(inner, { files, tools: [tries], options: { files: 'project' } }, { mode: 'default' });
    expect(seen).toEqual(['seen', 'shared']);
  });

  it('[S0-63] shows what it took, and how far it is', async () => {
    const inner = [
      { calls: [{ name: 'look' }, { name: 'gone' }], usage: { inputTokens: 1_000, outputTokens: 200, cost: 0.01 } },
      { text: 'Done.', usage: { inputTokens: 34, outputTokens: 0, cost: 0.0023 } },
    ];
    const look = plain('look', { render: { title: 'Look around' } });
    const { part, output, played } = await answerOf(inner, { tools: [look] });
    expect(part.status).toBe('2 steps, 1,234 tokens, $0.0123');
    expect(part.userView).toEqual({ type: 'agent', ...output });
    expect(part.userView).toMatchObject({ tokens: 1234, cost: 0.0123, steps: 2 });
    expect((await played.result).usage).toMatchObject({ inputTokens: 1034, cost: 0.0123 });
    const events = await eventsOf(played);
    const lines = events.flatMap((event) => (event.type === 'tool-progress' ? [event.progress] : []));
    expect(new Set(lines)).toEqual(new Set(['Look around', 'gone failed']));
    expect(events.find(({ type }) => type === 'tool-start')).toMatchObject({ title: 'Agent: Do it.' });
    expect((await answerOf([{ text: 'Hm.' }])).part.status).toBe('1 step, 0 tokens');
  });
});

describe('the suite for every tool', () => {
  /** The tool without a run: each agent is one. */
  const alone = defineTool({
    ...spawnAgentTool,
    execute: (input, options, context) =>
      spawnAgentTool.execute?.(input, options, {
        ...context,
        run: async ({ messages }) =>
          run({
            model: scriptedModel([{ text: 'Done.' }]),
            toolset: resolveToolset(createRegistry(), emptySettings, {}),
            messages: typeof messages === 'function' ? await messages() : messages,
          }),
      }),
  });
  toolSuite({ test }, alone, {
    host: () => ({ files: newFiles(), agents: createAgents(), models: modelTable() }),
    examples: [{ task: 'Count the notes.' }, { task: 'Clean up.', mode: 'default', tools: ['filesystem'] }],
  });

  it('needs a run to be in', async () => {
    const host = { files: newFiles(), agents: createAgents(), models: modelTable() };
    const { output } = await runTool(spawnAgentTool, { task: 'x' }, { host });
    expect(output).toBe('Tool execution failed: This call is part of no run.');
  });
});
