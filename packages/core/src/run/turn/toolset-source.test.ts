import { describe, expect, it, vi } from 'vitest';
import { capability } from '../../tool/capability.ts';
import { createRegistry } from '../../tool/registry.ts';
import type { Tool } from '../../tool/tool.ts';
import { emptySettings } from '../../settings/settings.ts';
import { eventsOf, memoryThread, play, resultsOf, tool, toolsetOf } from '../../test-kit/runs.ts';
import { scriptedModel } from '../../testing/index.ts';
import type { ScriptedModel } from '../../testing/index.ts';
import { resolveToolset } from '../../toolset/toolset.ts';
import type { ToolsetSource } from '../../toolset/toolset.ts';
import { permissions } from '../permission/policy.ts';
import { resume } from '../lazy-run.ts';
import { textOf } from '../../model/message.ts';

const sourceOf =
  (registry: ReturnType<typeof createRegistry>): ToolsetSource =>
  () =>
    resolveToolset(registry, emptySettings, {});

const shown = (model: ScriptedModel): readonly string[] =>
  model.requests.map(({ tools }) => tools.map(({ name }) => name).join(' '));

/** A tool whose call changes the registry. */
const changing = (change: () => void): Tool => tool('change', { execute: () => change() });

const unknown = 'Unknown tool: late';

describe('a run that asks for its toolset again at each step', () => {
  it('has a tool with the turn after it came, and not with the turn after it went', async () => {
    const registry = createRegistry();
    const late = tool('late');
    registry.register(
      changing(() => {
        if (!registry.unregister('late')) registry.register(late);
      }),
    );
    const script = [{ calls: [{ name: 'change' }] }, { calls: [{ name: 'late' }, { name: 'change' }] }, { calls: [{ name: 'late' }] }, {}]; // prettier-ignore
    const played = play(script, [], { toolset: sourceOf(registry), eager: false });
    const { messages } = await played.result;
    expect(shown(played.model)).toEqual(['change', 'change late', 'change', 'change']);
    expect(resultsOf(messages).map(({ output }) => output)).toEqual([null, 'late', null, unknown]);
    const told = (await eventsOf(played)).filter(({ type }) => type === 'tools-changed');
    expect(told).toMatchObject([
      { added: ['late'], removed: [], changed: [], prefix: 'broken' },
      { added: [], removed: ['late'], changed: [], prefix: 'broken' },
    ]);
  });

  it('tells the model once, in one place, that a tool which it used is gone', async () => {
    const registry = createRegistry([tool('late'), tool('unused')]);
    registry.register(changing(() => ['late', 'unused'].forEach(registry.unregister)));
    const script = [
      { calls: [{ name: 'late' }] },
      { calls: [{ name: 'change' }] },
      { calls: [{ name: 'change' }] },
      {},
    ];
    const { model, result } = play(script, [], { toolset: sourceOf(registry) });
    await result;
    const texts = model.requests.map(({ messages }) =>
      messages.flatMap(({ role, parts }, index) => (role === 'user' ? [`${index}: ${textOf(parts)}`] : [])),
    );
    const gone = '5: These tools are no longer available: late. Do not call them.';
    expect(texts).toEqual([['0: Go.'], ['0: Go.'], ['0: Go.', gone], ['0: Go.', gone]]);
    for (const [index, { messages }] of model.requests.entries())
      expect(JSON.stringify(messages)).toContain(
        JSON.stringify(model.requests[index - 1]?.messages ?? []).slice(0, -1),
      );
  });

  it('tells the prompt of a tool that came behind what requests begin with', async () => {
    const registry = createRegistry();
    registry.register(changing(() => registry.register(tool('late', { prompt: 'Use late with care.' }))));
    registry.register(tool('early', { prompt: 'Early.' }));
    const script = [{ calls: [{ name: 'change' }] }, { calls: [{ name: 'early' }] }, {}];
    const { model, result } = play(script, [], { toolset: sourceOf(registry), instructions: 'Be kind.' });
    await result;
    expect(new Set(model.requests.map(({ system }) => system))).toEqual(new Set(['Be kind.\n\nEarly.']));
    expect(model.requests.map(({ messages }) => messages.findIndex(({ parts }) => textOf(parts) === 'Use late with care.'))).toEqual([-1, 3, 3]); // prettier-ignore
  });

  it('makes a call with the tool that it was prepared with, also if that has changed meanwhile', async () => {
    const registry = createRegistry();
    registry.register(tool('late', { effects: 'write', execute: () => 'as it was asked about' }));
    const played = play([{ calls: [{ name: 'late' }] }, {}], [], {
      toolset: sourceOf(registry),
      policy: permissions('write'),
    });
    for await (const event of played.events()) {
      if (event.type !== 'approval-request') continue;
      registry.register(tool('late', { effects: 'write', description: 'New.' }), { override: true });
      played.answer(event.questionId, 'once');
    }
    expect(resultsOf((await played.result).messages)[0]?.output).toBe('as it was asked about');
  });

  it.each(['before it is prepared', 'while it is asked about'])('does not run a tool that is gone %s', async (when) => {
    const ran: string[] = [];
    const registry = createRegistry();
    registry.register(tool('late', { effects: 'write', execute: () => ran.push('late') }));
    const remove = (): unknown => registry.unregister('late');
    const isBefore = when === 'before it is prepared';
    const never = resultsOf((await play([{ calls: [{ name: 'late' }] }, {}]).result).messages)[0];
    const played = play([{ calls: [{ name: 'late' }] }, {}], [], {
      toolset: sourceOf(registry),
      policy: permissions(isBefore ? 'bypass' : 'write'),
      eager: false,
    });
    for await (const event of played.events()) {
      if (isBefore && event.type === 'tool-call') remove();
      if (event.type !== 'approval-request') continue;
      remove();
      played.answer(event.questionId, 'once');
    }
    const [result] = resultsOf((await played.result).messages);
    expect(result?.modelParts).toEqual(never?.modelParts);
    expect(result?.modelParts).toEqual([{ type: 'text', text: unknown }]);
    expect(ran).toEqual([]);
  });

  it('resumes with the current tools, and names the missing ones', async () => {
    const thread = memoryThread();
    const first = play([{ calls: [{ name: 'late' }] }, {}], [tool('late')], { thread, limits: { steps: 1 } });
    for await (const event of first.events()) if (event.type === 'tool-end') first.abort();
    const model = scriptedModel([{ text: 'Done.' }]);
    const resumed = resume({ model, toolset: toolsetOf([tool('other')]), thread });
    expect((await resumed.result).status).toBe('complete');
    expect((await eventsOf(resumed)).find(({ type }) => type === 'tools-changed')).toMatchObject({ removed: ['late'] });
    expect(JSON.stringify(model.requests[0]?.messages.at(-1))).toContain('no longer available: late');
    const next = play([{ text: 'Hi.' }], [], { thread });
    expect((await eventsOf(next)).map(({ type }) => type)).not.toContain('tools-changed');
  });

  it('says nothing, and keeps the same tools, while nothing changes', async () => {
    const registry = createRegistry([tool('a')]);
    let asked = 0;
    const toolset: ToolsetSource = () => (asked++, resolveToolset(registry, { ...emptySettings }, {}));
    const settled = sourceOf(registry);
    expect(settled()).toBe(settled());
    const played = play([{ calls: [{ name: 'a' }] }, {}], [], { toolset });
    expect((await eventsOf(played)).map(({ type }) => type)).not.toContain('tools-changed');
    expect(asked).toBeGreaterThan(2);
    const [first, second] = played.model.requests;
    expect(JSON.stringify(first?.tools)).toBe(JSON.stringify(second?.tools));
  });

  it('keeps the toolset that it had where the source throws, and does not begin where it throws at once', async () => {
    const toolset = toolsetOf([tool('a')]);
    let asked = 0;
    const failing: ToolsetSource = () => {
      if (asked++ > 0) throw new Error('No settings.');
      return toolset;
    };
    const played = play([{ calls: [{ name: 'a' }] }, { text: 'Done.' }], [], { toolset: failing });
    expect((await played.result).text).toBe('Done.');
    expect(resultsOf((await played.result).messages)[0]?.output).toBe('a');
    expect((await play([{}], [], { toolset: failing }).result).error?.message).toBe(
      'The run could not begin: No settings.',
    );
  });

  it('gives runs inside it the tools that there are', async () => {
    const registry = createRegistry();
    const model = scriptedModel([{ calls: [{ name: 'change' }] }, { calls: [{ name: 'late' }] }, {}]);
    registry.register(changing(() => registry.register(tool('late'))));
    registry.register(
      tool('begins', {
        execute: async (_input, _options, { run }) =>
          resultsOf((await (await run({ model, messages: 'Go.' })).result).messages).map(({ output }) => output),
      }),
    );
    const { messages } = await play([{ calls: [{ name: 'begins' }] }, {}], [], { toolset: sourceOf(registry) }).result;
    expect(resultsOf(messages)[0]?.output).toEqual([null, 'late']);
  });

  it('is tainted by an untrusted tool that was added meanwhile', async () => {
    const registry = createRegistry();
    const seen: boolean[] = [];
    registry.register(changing(() => registry.register(tool('late', { foreign: true }))));
    registry.register(tool('looks', { execute: (_input, _options, { tainted }) => seen.push(tainted) }));
    const script = [{ calls: [{ name: 'looks' }, { name: 'change' }] }, { calls: [{ name: 'looks' }] }, {}];
    await play(script, [], { toolset: sourceOf(registry) }).result;
    expect(seen).toEqual([false, true]);
  });
});

describe('a tool that cannot be used', () => {
  const needy = tool('needy', { requires: { nothing: capability('nothing') } });
  const reason = 'It needs nothing, which this app does not offer.';

  it('is told once a run, with the reason', async () => {
    const played = play([{ calls: [{ name: 'a' }] }, {}], [tool('a'), needy]);
    const told = (await eventsOf(played)).filter(({ type }) => type === 'tool-unavailable');
    expect(told).toMatchObject([{ name: 'needy', reason }]);
  });

  it('is written to the console once, in development alone', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    try {
      await play([{}], [needy]).result;
      expect(warn).not.toHaveBeenCalled();
      vi.stubEnv('NODE_ENV', 'development');
      await play([{}], [needy]).result;
      await play([{}], [needy]).result;
      expect(warn.mock.calls).toEqual([[`Tool "needy" is unavailable: ${reason}`]]);
    } finally {
      vi.unstubAllEnvs();
      warn.mockRestore();
    }
  });
});
