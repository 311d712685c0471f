import { expect, it } from 'vitest';
import { jsonSchema } from '../schema/json-schema.ts';
import { createRegistry } from '../tool/registry.ts';
import type { Principal, Secrets } from '../tool/capability.ts';
import { defineTool } from '../tool/define.ts';
import { emptySettings } from '../settings/settings.ts';
import { option } from '../tool/option.ts';
import { resolveToolset } from '../toolset/toolset.ts';
import { runTool } from '../toolset/run-tool.ts';
import type { Toolset } from '../toolset/toolset.ts';
import { scriptedModel } from '../testing/index.ts';
import { memoryThread, resultsOf, testSeals, tool, toolsetOf, until } from '../test-kit/runs.ts';
import { guard } from './guard/guard.ts';
import { rulesPolicy } from './permission/rules-policy.ts';
import { memoryGrants } from './permission/grants.ts';
import { settingsGrants } from './permission/settings-grants.ts';
import type { Grants } from './permission/grants.ts';
import { resume, run } from './lazy-run.ts';
import type { RunOptions } from './run.ts';
import type { Message } from '../model/message.ts';

const ada: Principal = { id: 'ada', roles: ['editor'] };
const bob: Principal = { id: 'bob' };

/** A tool that says for whom it works, and with which key. */
const whoami = defineTool({
  name: 'whoami',
  description: 'Says who it works for.',
  input: jsonSchema({ type: 'object' }),
  options: { key: option.secret({ label: 'Key' }) },
  effects: 'read',
  execute: (_input, options, { principal }) => ({
    id: principal?.id ?? '',
    key: `(${[...(options.key ?? '')].join('-')})`,
  }),
});

const secrets: Secrets = { get: async (_key, { principal } = {}) => principal && `key of ${principal.id}` };
const toolset = resolveToolset(createRegistry([whoami]), emptySettings, { secrets });
const script = [{ calls: [{ name: 'whoami' }] }, {}];

/** Output of the first call. */
async function outputOf(more: Partial<RunOptions>, used: Toolset = toolset): Promise<unknown> {
  const { messages } = await run({ model: scriptedModel(script), toolset: used, messages: 'Go.', ...more }).result;
  return resultsOf(messages)[0]?.output;
}

const spelled = (id: string): object => ({ id, key: `(${[...`key of ${id}`].join('-')})` });

it('users of one app shared their secrets: each has their own, in runs at the same time too', async () => {
  const outputs = await Promise.all([outputOf({ principal: ada }), outputOf({ principal: bob }), outputOf({})]);
  expect(outputs).toEqual([spelled('ada'), spelled('bob'), { id: '', key: '()' }]);
});

it('a call outside a run, a guarded one, and one inside another are made for the same user', async () => {
  expect((await runTool(whoami, {}, { host: { secrets }, principal: bob })).output).toEqual(spelled('bob'));
  const guarded = guard(toolset, { policy: () => 'allow', principal: ada });
  const context = { projectId: 'p', runId: 'r', callId: 'c', signal: new AbortController().signal };
  expect((await guarded.execute({ name: 'whoami', input: {} }, context)).output).toEqual(spelled('ada'));
  expect(await outputOf({}, guarded)).toEqual(spelled('ada'));
  const pretending = { ...context, principal: bob };
  expect((await guarded.execute({ name: 'whoami', input: {} }, pretending)).output).toEqual(spelled('ada'));
  const open = guard(toolset, { policy: ({ principal }) => (principal?.id === 'bob' ? 'allow' : 'deny') });
  expect((await open.execute({ name: 'whoami', input: {} }, pretending)).output).toEqual(spelled('bob'));
  const outer = tool('outer', {
    execute: async (_input, _options, { call, run: inside }) => {
      const { output } = await call('whoami', {});
      const { messages } = await (await inside({ messages: 'Go.', model: scriptedModel(script) })).result;
      return [output, resultsOf(messages)[0]?.output ?? null];
    },
  });
  const both = toolset.derive({ add: [outer] });
  const model = scriptedModel([{ calls: [{ name: 'outer' }] }, {}]);
  const { messages } = await run({ model, toolset: both, messages: 'Go.', principal: ada }).result;
  expect(resultsOf(messages)[0]?.output).toEqual([spelled('ada'), spelled('ada')]);
});

it('what is reconciled is so for the user of the resumed run', async () => {
  const seen: unknown[] = [];
  const pay = tool('pay', {
    effects: 'write',
    reconcile: (_input, _options, { principal }) => (seen.push(principal), { done: 1 }),
  });
  const call = { type: 'tool-call', callId: '1', name: 'pay', input: {}, executedBy: 'us' } as const;
  const turn: Message = { id: 'a', role: 'assistant', createdAt: 2, runId: 'r', parts: [call] };
  const thread = memoryThread([turn]);
  thread.marks.push({ type: 'call-begun', callId: '1', runId: 'r', time: 3 });
  await resume({ model: scriptedModel([{}]), toolset: toolsetOf([pay]), thread, principal: ada }).result;
  expect(seen).toEqual([ada]);
});

it('a policy and its rules know for whom a call is made', async () => {
  const policy = rulesPolicy([
    { decision: 'allow', scope: { principal: 'ada' } },
    { decision: 'deny', scope: { principal: 'bob' } },
  ]);
  expect(await outputOf({ policy, principal: ada })).toEqual(spelled('ada'));
  expect(await outputOf({ policy, principal: bob })).toContain('denied');
});

const stores: readonly [string, () => Grants][] = [
  ['in memory', memoryGrants],
  [
    'in settings',
    () => {
      let settings = emptySettings;
      const store = {
        current: () => settings,
        update: async (change: (before: typeof settings) => typeof settings) => (settings = change(settings)),
      };
      return settingsGrants(store, { seals: testSeals, scope: 'p' });
    },
  ],
];

it.each(stores)('what one user had allowed for good, %s, let the calls of another one run', async (_, make) => {
  const grants = make();
  const asks = async (principal: Principal): Promise<boolean> => {
    const made = run({
      model: scriptedModel(script),
      toolset,
      messages: 'Go.',
      policy: () => 'ask',
      grants,
      principal,
    });
    const asked = until(made, 'approval-request').then(
      ({ questionId }) => (made.answer(questionId, 'always'), true),
      () => false,
    );
    await made.result;
    return asked;
  };
  expect([await asks(ada), await asks(ada), await asks(bob)]).toEqual([true, false, true]);
});
