import { expect, it, vi } from 'vitest';
import { createRegistry, defineTool, emptySettings, jsonSchema, resolveToolset, run } from '../../index.ts';
import type { Message, Model, Part, RunEvent, RunOptions, TakenSettings, TextPart } from '../../index.ts';
import { scriptedModel } from '../../testing/index.ts';

const nothing = resolveToolset(createRegistry(), emptySettings, {});

function modelTaking(settings: TakenSettings | undefined, id = 'scripted', turns = 2) {
  const inner = scriptedModel(Array.from({ length: turns }, () => ({ text: 'Done.' })));
  const model: Model = { ...inner, info: { ...inner.info, id, ...(settings && { supports: { settings } }) } };
  return { model, requests: inner.requests };
}

async function ignoredIn(options: RunOptions): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run(options).events()) events.push(event);
  return events
    .flatMap((event) => (event.type === 'sub-run' ? [event.event] : [event]))
    .filter(({ type }) => type === 'setting-ignored');
}

it('a model is given the settings of its run, and nothing that the run has none of', async () => {
  const { model, requests } = modelTaking({ temperature: true, topP: true, stop: true, seed: true });
  const settings = { temperature: 0, topP: 0.9, stop: ['END'], seed: 7 };
  expect(await ignoredIn({ model, messages: 'Hi', toolset: nothing, ...settings })).toEqual([]);
  expect(requests[0]).toMatchObject(settings);
  await ignoredIn({ model, messages: 'Hi', toolset: nothing });
  expect(Object.keys(requests[1] ?? {}).toSorted()).toEqual(['messages', 'system', 'toolChoice', 'tools']);
});

it.each<[string, TakenSettings | undefined, Partial<RunOptions>, string]>([
  ['one of which it says nothing', undefined, { seed: 7 }, 'There is no field for `seed`.'],
  [
    'a value that it does not take',
    { serviceTier: ['standard'] },
    { serviceTier: 'flex' },
    '`serviceTier` can be standard, not flex.',
  ],
  [
    'a form that it does not take',
    { responseFormat: ['json'] },
    { responseFormat: { schema: {} } },
    '`responseFormat` can be json, not schema.',
  ],
  [
    'sampling while it reasons',
    { topP: 'no-reasoning' },
    { topP: 1 },
    "`topP` is taken only with `reasoning: 'none'`.",
  ],
])('a run tells of %s', async (_, taken, options, reason) => {
  const { model } = modelTaking(taken);
  const [event, ...others] = await ignoredIn({ model, messages: 'Hi', toolset: nothing, ...options });
  expect(event).toMatchObject({ type: 'setting-ignored', setting: Object.keys(options)[0], reason });
  expect(others).toEqual([]);
});

it('a run tells once of options of parts that the wire format has no place for, also of results, and of no others', async () => {
  const optioned = (api: string): Part => ({ type: 'text', text: 'Hi', providerOptions: { [api]: { mark: 1 } } });
  const messages = (api: string): Message[] => [{ id: 'u', role: 'user', parts: [optioned(api)], createdAt: 0 }];
  const { model } = modelTaking(undefined);
  const { api } = model.info;
  const [event, ...others] = await ignoredIn({ model, messages: messages(api), toolset: nothing });
  expect(event).toMatchObject({ type: 'setting-ignored', setting: 'providerOptions', model: { api } });
  expect(others).toEqual([]);
  expect(await ignoredIn({ model, messages: messages('another-api'), toolset: nothing })).toEqual([]);
  const taking = { ...model, info: { ...model.info, supports: { partOptions: true } } } as const;
  expect(await ignoredIn({ model: taking, messages: messages(api), toolset: nothing })).toEqual([]);
  const mark = defineTool({
    name: 'mark',
    description: '',
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    execute: () => '',
    render: { model: () => [optioned(api) as TextPart] },
  });
  const calling = scriptedModel([{ calls: [{ name: 'mark' }] }, { text: 'Done.' }]);
  const toolset = resolveToolset(createRegistry([mark]), emptySettings, {});
  expect(await ignoredIn({ model: calling, messages: 'Hi', toolset })).toMatchObject([{ setting: 'providerOptions' }]);
});

it('sampling is taken of a model that is not to reason', async () => {
  const { model } = modelTaking({ topP: 'no-reasoning' });
  expect(await ignoredIn({ model, messages: 'Hi', toolset: nothing, topP: 1, reasoning: 'none' })).toEqual([]);
});

it('is told once for each model, and on the console of a developer', async () => {
  vi.stubEnv('NODE_ENV', 'development');
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    execute: () => 'Seen.',
  });
  const model = scriptedModel([{ calls: [{ name: 'look', input: {} }] }, { breaks: 'truncated' }]);
  const { model: other } = modelTaking(undefined, 'other');
  const toolset = resolveToolset(createRegistry([look]), emptySettings, {});
  const told = await ignoredIn({ model, fallback: [other], messages: 'Hi', toolset, seed: 7, limits: { retries: 0 } });
  expect(told.map((event) => event.type === 'setting-ignored' && event.model.id)).toEqual([model.info.id, 'other']);
  expect(warn).toHaveBeenCalledWith('The model other (text) does not take a setting: There is no field for `seed`.');
  vi.unstubAllEnvs();
});

it('the form of an answer and its end are not those of a run inside', async () => {
  const { model: inside, requests } = modelTaking(
    { responseFormat: ['json'], stop: true, temperature: true },
    'inside',
  );
  const ask = defineTool({
    name: 'ask',
    description: 'Asks.',
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    execute: async (_input, _options, { run: begin }) => {
      const child = await begin({ messages: 'Hi', model: inside });
      return (await child.result).text;
    },
  });
  const outer = scriptedModel([{ calls: [{ name: 'ask', input: {} }] }, { text: 'Done.' }]);
  const toolset = resolveToolset(createRegistry([ask]), emptySettings, {});
  await run({ model: outer, messages: 'Hi', toolset, responseFormat: 'json', stop: ['END'], temperature: 0.5 }).result;
  expect(requests[0]).toMatchObject({ temperature: 0.5 });
  expect(Object.keys(requests[0] ?? {})).not.toEqual(expect.arrayContaining(['stop']));
  expect(requests[0]).not.toHaveProperty('responseFormat');
});
