import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CallContext } from '../../call/call-context.ts';
import type { JsonObject } from '../../base/json.ts';
import { play, resultsOf, tool, toolsetOf, until } from '../../test-kit/runs.ts';
import type { Question } from '../../thread/question.ts';
import type { RunEventBody } from '../../tool/run-event.ts';
import type { Tool, ToolContext } from '../../tool/tool.ts';
import { resolveToolset } from '../../toolset/toolset.ts';
import type { Toolset, ToolsetSource } from '../../toolset/toolset.ts';
import { createRegistry } from '../../tool/registry.ts';
import type { Registry } from '../../tool/registry.ts';
import { emptySettings } from '../../settings/settings.ts';
import { memoryGrants } from '../permission/grants.ts';
import { permissions } from '../permission/policy.ts';
import { run } from '../lazy-run.ts';
import { scriptedModel } from '../../testing/index.ts';
import { isGuarded } from './guard-session.ts';
import { guard } from './guard.ts';
import type { GuardOptions } from './guard.ts';
import { rulesPolicy } from '../permission/rules-policy.ts';

let calls = 0;
const context = (more: Partial<CallContext> = {}): CallContext => ({
  projectId: 'p',
  runId: 'c',
  callId: `call-${++calls}`,
  signal: new AbortController().signal,
  ...more,
});

const execute = (toolset: Toolset, name: string, input: JsonObject = {}, more: Partial<CallContext> = {}) =>
  toolset.execute({ name, input }, context(more));

const saving = (ran: unknown[], more: Partial<Tool> = {}): Tool =>
  tool('save', { effects: 'write', execute: (input) => void ran.push(input), ...more });

/** A guarded toolset with a tool that notes how often it ran. */
function guarded(options: Partial<GuardOptions> = {}, tools: readonly Tool[] = []) {
  const ran: unknown[] = [];
  const toolset = guard(toolsetOf([saving(ran), ...tools]), { policy: permissions('write'), ...options });
  return { ran, toolset };
}

describe('outside a run', () => {
  it('runs what is allowed, once, and reports it', async () => {
    const events: RunEventBody[] = [];
    const { ran, toolset } = guarded({ policy: () => 'allow', onEvent: (event) => events.push(event) });
    expect(await execute(toolset, 'save', { n: 1 })).toMatchObject({ isError: false });
    expect(ran).toEqual([{ n: 1 }]);
    expect(events.map(({ type }) => type)).toEqual(['tool-start', 'tool-end']);
  });

  it('rejected because a listener failed, and the result of a call that had run was lost', async () => {
    const later: (() => void)[] = [];
    vi.stubGlobal('queueMicrotask', (work: () => void) => later.push(work));
    onTestFinished(() => void vi.unstubAllGlobals());
    const onEvent = (): never => {
      throw new Error('no');
    };
    const { toolset } = guarded({ policy: () => 'allow', onEvent });
    expect(await execute(toolset, 'save')).toMatchObject({ isError: false });
    for (const work of later) expect(work).toThrow('no'); // as the error of an event target's listener
    expect(later).toHaveLength(2);
  });

  it('tells no path of the host if a toolset of the app cannot prepare a call', async () => {
    const prepare = () => Promise.reject(new Error("ENOENT: no such file, open '/srv/app/.env'"));
    const toolset = guard({ ...toolsetOf([]), prepare }, { policy: () => 'allow' });
    const output = 'The call was not run: It could not be prepared.';
    expect(await execute(toolset, 'save')).toMatchObject({ output, isError: true, code: 'tool_failed' });
  });

  it('denies what nobody can be asked about', async () => {
    const { ran, toolset } = guarded();
    expect(await execute(toolset, 'save')).toMatchObject({ code: 'tool_denied', deniedBy: 'nobody' });
    expect(ran).toEqual([]);
  });

  it.each(['deny', () => Promise.reject(new Error('offline')), 'always', 'accept', { output: 1 }])(
    'lets nothing run that somebody answered with %j',
    async (answer) => {
      const ask = typeof answer === 'function' ? answer : () => answer as 'deny';
      const { ran, toolset } = guarded({ ask });
      expect(await execute(toolset, 'save')).toMatchObject({ code: 'tool_denied' });
      expect(ran).toEqual([]);
    },
  );

  it('asks once for the session, and for good if that can be kept', async () => {
    const grants = memoryGrants();
    const asked: string[] = [];
    for (const answer of ['run', 'always'] as const) {
      const { toolset } = guarded({ grants, ask: ({ name }) => (asked.push(`${name} ${answer}`), answer) });
      await execute(toolset, 'save', { n: 1 });
      await execute(toolset.derive({}), 'save', { n: 2 });
    }
    await execute(guarded({ grants, ask: ({ name }) => (asked.push(name), 'deny') }).toolset, 'save');
    expect(asked).toEqual(['save run', 'save always']);
  });

  it('an answer that cannot be kept counts for the session', async () => {
    const grants = { has: () => false, add: () => Promise.reject(new Error('locked')) };
    const told: unknown[] = [];
    const { ran, toolset } = guarded({ grants, ask: () => 'always', onEvent: (event) => told.push(event) });
    await execute(toolset, 'save', { n: 1 });
    await execute(toolset, 'save', { n: 2 });
    expect(ran).toHaveLength(2);
    expect(told.filter((event) => JSON.stringify(event).includes('it cannot be kept: locked'))).toHaveLength(1);
  });

  it('runs a call with the input that a person gives it, unless the policy denies that', async () => {
    const policy = rulesPolicy([{ decision: 'deny', when: [{ field: 'path', path: '.env*' }] }]);
    const inputs: JsonObject[] = [{ path: 'a' }, { path: '.env' }];
    const { ran, toolset } = guarded({ policy, ask: () => ({ input: inputs.shift() ?? {} }) });
    expect(await execute(toolset, 'save', { path: 'b' })).toMatchObject({ isError: false });
    expect(await execute(toolset, 'save', { path: 'c' })).toMatchObject({ code: 'tool_denied' });
    expect(ran).toEqual([{ path: 'a' }]);
  });

  it('leaves a question open, and asks the same one when the call is made again', async () => {
    const seen: Question[] = [];
    let answer: 'later' | 'once' = 'later';
    const { ran, toolset } = guarded({ ask: (question) => (seen.push(question), answer) });
    const made = { callId: 'x' };
    const first = await execute(toolset, 'save', { n: 1 }, made);
    expect(first).toMatchObject({ code: 'approval_pending', question: { name: 'save', input: { n: 1 } } });
    expect(ran).toEqual([]);
    answer = 'once';
    expect(await execute(toolset, 'save', { n: 1 }, made)).toMatchObject({ isError: false });
    await execute(toolset, 'save', { n: 2 }, made);
    const [one, same, other] = seen.map(({ id }) => id);
    expect([same === one, other === one]).toEqual([true, false]);
  });

  it('a call that was cancelled waited for its answer for ever', async () => {
    const controller = new AbortController();
    const { ran, toolset } = guarded({
      ask: () => {
        setImmediate(() => controller.abort());
        return new Promise(() => undefined);
      },
    });
    expect(await execute(toolset, 'save', {}, { signal: controller.signal })).toMatchObject({ code: 'tool_cancelled' });
    expect(ran).toEqual([]);
  });

  it('takes what a client answers in place of the tool', async () => {
    const { toolset } = guarded({ ask: () => ({ output: 42 }) }, [tool('where', { execute: undefined as never })]);
    expect(await execute(toolset, 'where')).toMatchObject({ output: 42 });
  });

  it('refuses a call that had the same result too often', async () => {
    const { ran, toolset } = guarded({ policy: () => 'allow', limits: { repeats: 2 } });
    const codes: unknown[] = [];
    for (let count = 0; count < 3; count++) codes.push((await execute(toolset, 'save')).code);
    expect([codes, ran.length]).toEqual([[undefined, undefined, 'call_repeated'], 2]);
  });

  it('asks again, whatever was granted, once the world outside was read', async () => {
    let asked = 0;
    const tools = [tool('erase', { effects: 'destructive' }), tool('fetch', { openWorld: true })];
    const { toolset } = guarded({ ask: () => (asked++, 'run') }, tools);
    for (const name of ['erase', 'erase', 'fetch', 'erase']) await execute(toolset, name, { asked });
    expect(asked).toBe(3);
  });

  it('a tool that calls another went past the guard', async () => {
    const outer = tool('outer', {
      execute: async (_input, _options, { call }: ToolContext) => {
        const results = [await call('save', {}), await call('outer', {}), await call('nothing', {})];
        return results.map(({ code = 'ran' }) => code);
      },
    });
    const names: string[] = [];
    const policy: GuardOptions['policy'] = ({ name, callId }) => {
      names.push(name);
      return name === 'save' ? 'deny' : callId.split('#').length > 2 ? 'deny' : 'allow';
    };
    const { ran, toolset } = guarded({ policy }, [outer]);
    const { output } = await execute(toolset, 'outer');
    expect(JSON.stringify(output)).toContain('tool_denied');
    expect(JSON.stringify(output)).toContain('unknown_tool');
    expect(names).toContain('save');
    expect(ran).toEqual([]);
  });

  it('bounds what tools give and take', async () => {
    const slow = tool('slow', { execute: () => new Promise(() => undefined) });
    const long = tool('long', { execute: () => 'x'.repeat(5_000) });
    const { toolset } = guarded({ policy: () => 'allow', limits: { toolTimeMs: 1, toolOutput: 100 } }, [slow, long]);
    expect(await execute(toolset, 'slow')).toMatchObject({ code: 'tool_timeout' });
    const [part] = (await execute(toolset, 'long', {}, { timeoutMs: 60_000 })).modelParts;
    expect(JSON.stringify(part).length).toBeLessThan(1_000);
  });
});

describe('in a run', () => {
  it('asks those whom the guard asks, and goes past neither it nor a toolset derived from it', async () => {
    const asked: string[] = [];
    const { ran, toolset } = guarded({ ask: ({ name }) => (asked.push(name), 'once') });
    const model = scriptedModel([{ calls: [{ name: 'save' }] }, {}]);
    const { status } = await run({ model, toolset: toolset.derive({}), messages: 'Go.' }).result;
    expect([status, asked, ran.length]).toEqual(['complete', ['save'], 1]);
  });

  it('the reader of its events answers what the guard leaves open', async () => {
    for (const options of [{}, { ask: () => 'later' as const }]) {
      const { ran, toolset } = guarded(options);
      const made = run({ model: scriptedModel([{ calls: [{ name: 'save' }] }, {}]), toolset, messages: 'Go.' });
      made.answer((await until(made, 'approval-request')).questionId, 'once');
      await made.result;
      expect(ran).toHaveLength(1);
    }
  });

  it('grants, repeats and taint are shared with runs', async () => {
    let asked = 0;
    const { ran, toolset } = guarded({ ask: () => (asked++, 'run'), limits: { repeats: 2 } });
    await execute(toolset, 'save');
    const model = scriptedModel([{ calls: [{ name: 'save' }] }, { calls: [{ name: 'save' }] }, {}]);
    const { messages } = await run({ model, toolset, messages: 'Go.' }).result;
    expect([asked, ran.length]).toEqual([1, 2]);
    expect(resultsOf(messages).map(({ code }) => code)).toEqual([undefined, 'call_repeated']);
  });

  it.each<[string, object]>([
    ['policy', { policy: () => 'allow' }],
    ['grants', { grants: memoryGrants() }],
    ['principal', { principal: { id: 'ada' } }],
    ['limits.repeats', { limits: { repeats: 1 } }],
  ])('refuses a %s of its own beside that of the guard', async (name, more) => {
    const { ran, toolset } = guarded({ ask: () => 'once' });
    const model = scriptedModel([{ calls: [{ name: 'save' }] }, {}]);
    const { status, error } = await run({ model, toolset, messages: 'Go.', ...more }).result;
    expect([status, error?.code, ran]).toEqual(['error', 'invalid_option', []]);
    expect(error?.message).toContain(`\`${name}\``);
  });

  it('a run inside it, and the calls of tools, were decided over by nobody', async () => {
    const inner = scriptedModel([{ calls: [{ name: 'save' }] }, {}]);
    const outer = tool('outer', {
      execute: async (_input, _options, { call, run: runInside }: ToolContext) => {
        const own = await call('save', {});
        const { result } = await runInside({ messages: 'Go.', model: inner });
        const read = await runInside({ messages: 'Go.', model: scriptedModel([{}]), readOnly: true });
        await read.result;
        return [own.code ?? 'ran', ...resultsOf((await result).messages).map(({ code }) => code ?? 'ran')];
      },
    });
    const { ran, toolset } = guarded({ policy: ({ name }) => (name === 'save' ? 'deny' : 'allow') }, [outer]);
    const model = scriptedModel([{ calls: [{ name: 'outer' }] }, {}]);
    const { messages } = await run({ model, toolset, messages: 'Go.' }).result;
    expect(resultsOf(messages)[0]?.output).toEqual(['tool_denied', 'tool_denied']);
    expect(ran).toEqual([]);
  });

  it('a copy of a guarded toolset is guarded', async () => {
    const { ran, toolset } = guarded({ policy: () => 'deny' });
    const model = scriptedModel([{ calls: [{ name: 'save' }] }, {}]);
    await run({ model, toolset: { ...toolset }, messages: 'Go.' }).result;
    expect(ran).toEqual([]);
    expect(() => guard(toolset, { policy: () => 'allow' })).toThrow('already guarded');
  });
});

it('a run without a guard decides as before', async () => {
  const ran: unknown[] = [];
  await play([{ calls: [{ name: 'save' }] }, {}], [saving(ran)], { policy: () => 'deny' }).result;
  expect(ran).toEqual([]);
});

it('is known as one, and so is what is derived from it', () => {
  const { toolset } = guarded();
  expect([toolset, toolset.derive({}), { ...toolset }].map(isGuarded)).toEqual([true, true, true]);
  expect(isGuarded(toolsetOf([]))).toBe(false);
});

it('lets a client poll if there is no limit of repeats', async () => {
  const { toolset } = guarded({ limits: { repeats: Infinity } }, [tool('look')]);
  for (let count = 0; count < 10; count++) expect(await execute(toolset, 'look')).toMatchObject({ isError: false });
});

describe('a guard for tools that come and go', () => {
  const source =
    (registry: Registry): ToolsetSource =>
    () =>
      resolveToolset(registry, emptySettings, {});

  it('decides over what the source gives at each moment, in a run and outside', async () => {
    const ran: unknown[] = [];
    const registry = createRegistry([tool('look')]);
    const toolset = guard(source(registry), { policy: ({ name }) => (name === 'save' ? 'deny' : 'allow') });
    expect(await execute(toolset, 'save')).toMatchObject({ code: 'unknown_tool' });
    registry.register(saving(ran));
    expect(toolset.definitions({ api: 'text' }).map(({ name }) => name)).toEqual(['look', 'save']);
    expect(await execute(toolset, 'save')).toMatchObject({ code: 'tool_denied' });
    const { result } = play([{ calls: [{ name: 'save' }, { name: 'look' }] }, {}], [], { toolset });
    expect(resultsOf((await result).messages).map(({ isError }) => isError)).toEqual([true, false]);
    expect(ran).toEqual([]);
  });

  it('is not part of the source, which would forget grants and taint', async () => {
    const each = () => guard(toolsetOf([tool('look')]), { policy: () => 'allow' });
    const { error } = await run({ model: scriptedModel([]), toolset: each, messages: 'Go.' }).result;
    expect(error?.message).toContain('pass the source to `guard`');
  });
});

it.each([
  ['toolTimeMs', { toolTimeMs: 20 }, 'tool_timeout'],
  ['toolOutput', { toolOutput: 2_000 }, undefined],
])('its limit %s holds in a run that has none of its own', async (_, limits, code) => {
  const long = tool('long', {
    async execute() {
      if (code !== undefined) await new Promise((resolve) => setTimeout(resolve, 200));
      return 'x'.repeat(9_000);
    },
  });
  const base = toolsetOf([long]);
  const behind = guard(base, { policy: () => 'allow', limits });
  const toolset: Toolset = { ...base, prepare: behind.prepare };
  const model = scriptedModel([{ calls: [{ name: 'long' }] }, { text: 'Done.' }]);
  const { messages } = await run({ model, toolset, messages: 'Go.' }).result;
  const [result] = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-result' ? part : [])));
  expect(result?.code).toBe(code);
  expect(JSON.stringify(result?.modelParts).length).toBeLessThan(3_000);
});
