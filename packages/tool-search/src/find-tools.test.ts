import {
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  permissions,
  resolveToolset,
  result,
  run,
  textOf,
} from '@utensil/core';
import type { JsonObject, Message, Model, Policy, RunOptions, Tool, ToolResultPart } from '@utensil/core';
import { scriptedModel, toolSuite } from '@utensil/core/testing';
import type { ScriptedCall } from '@utensil/core/testing';
import { openai, openaiChat } from '@utensil/provider-openai';
import { loopback } from '@utensil/tooling-loopback';
import { openaiChatWire } from '@utensil/tooling-loopback/openai-answer';
import { describe, expect, it, test } from 'vitest';
import { callTool } from './call-tool.ts';
import { findTools } from './find-tools.ts';

const deferred = (name: string, more: Partial<Tool> = {}): Tool =>
  defineTool({
    name,
    description: `Does ${name}.`,
    input: jsonSchema({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }),
    effects: 'read',
    defer: true,
    execute: (input) => ({ name, input: input as { readonly city: string } }),
    ...more,
  });

const weather = deferred('get_weather', { description: 'The weather of a city today.' });
const thousand = Array.from({ length: 1_000 }, (_, index) => deferred(`tool_number_${index}`));

const toolsetOf = (...tools: readonly Tool[]) =>
  resolveToolset(createRegistry([findTools, callTool, ...tools]), emptySettings, {});

async function play(tools: readonly Tool[], calls: readonly ScriptedCall[], more: Partial<RunOptions> = {}) {
  const model = scriptedModel([...calls.map((call) => ({ calls: [call] })), { text: 'Done.' }]);
  const played = await run({ model, toolset: toolsetOf(...tools), messages: 'Go.', ...more }).result;
  return { ...played, model, results: resultsOf(played.messages) };
}

const resultsOf = (messages: readonly Message[]): readonly ToolResultPart[] =>
  messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-result'));

const shown = (part: ToolResultPart | undefined): string => textOf(part?.modelParts ?? []);

const find = (query: string, limit?: number): ScriptedCall => ({
  name: 'find_tools',
  input: { query, ...(limit !== undefined && { limit }) },
});

describe('a model among many tools', () => {
  it('finds one by its name, its description or its fields, and calls it', async () => {
    const call = { name: 'call_tool', input: { name: 'get_weather', input: { city: 'Rome' } } };
    const { results, status, text } = await play([weather, ...thousand], [find('what is the weather like'), call]);
    expect(JSON.parse(shown(results[0]))).toEqual([
      {
        name: 'get_weather',
        description: 'The weather of a city today.',
        input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
    ]);
    expect(shown(results[1])).toBe('{"name":"get_weather","input":{"city":"Rome"}}');
    expect({ status, text }).toEqual({ status: 'complete', text: 'Done.' });

    const byField = deferred('plain', {
      input: jsonSchema({ type: 'object', properties: { postcode: { type: 'string' } } }),
    });
    expect(shown((await play([byField, weather], [find('postcode')])).results[0])).toContain('"plain"');
    const form = (field: string) => ({ type: 'object', properties: { [field]: { type: 'string' } } });
    const byForm = deferred('several', { input: jsonSchema({ anyOf: [form('zip'), form('county')] }) });
    expect(shown((await play([byForm, weather], [find('county')])).results[0])).toContain('"several"');
    expect(shown((await play(thousand, [find('number 417')])).results[0])).toMatch(/^\[\{"name":"tool_number_417"/);
  });

  it('gets no more than it asks for, and no tool that it knows already', async () => {
    const known = deferred('tool_number_known', { defer: false });
    const { results } = await play([known, ...thousand], [find('tool number', 20)]);
    const names = (JSON.parse(shown(results[0])) as readonly { readonly name: string }[]).map(({ name }) => name);
    expect(names).toHaveLength(20);
    expect(names).not.toContain('tool_number_known');
    expect(JSON.parse(shown((await play(thousand, [find('tool')])).results[0]))).toHaveLength(5);
  });

  it('finds the tools of a group as one, with their prompts, and the request begins as before', async () => {
    const mail = ['send', 'list', 'archive'].map((name) =>
      deferred(`${name}_letters`, { group: 'mail', ...(name === 'send' && { prompt: 'Sign each letter.' }) }),
    );
    const { results, model } = await play(
      [...mail, weather, ...thousand],
      [find('archive letters', 1), find('weather', 1)],
    );
    expect(JSON.parse(shown(results[0]))).toMatchObject([
      { name: 'archive_letters' },
      { name: 'list_letters' },
      { name: 'send_letters', instructions: 'Sign each letter.' },
    ]);
    expect(JSON.parse(shown(results[1]))).toHaveLength(1);
    const beginnings = model.requests.map(({ system, tools }) => JSON.stringify({ system, tools }));
    expect(new Set(beginnings).size).toBe(1);
    expect(beginnings[0]).not.toContain('letter');
  });

  it('is told if nothing fits, and that it has searched for the same before', async () => {
    const { results } = await play([weather], [find('train tickets'), find('weather of a city'), find('city weather')]);
    expect(shown(results[0])).toBe('No tool matches this query. Describe the task in other words.');
    expect(results[2]).toMatchObject({ isError: true });
    expect(shown(results[2])).toMatch(/^You already searched for a similar query: "weather of a city"/);
  });
});

describe('a call of a tool that was found', () => {
  const through = (name: string, input: JsonObject = {}): ScriptedCall => ({
    name: 'call_tool',
    input: { name, input },
  });

  it('is checked and refused as any call of it, in words that name the field', async () => {
    const { results } = await play([weather], [through('get_weather'), through('get_weather', { city: ['a', 'b'] })]);
    expect(results.map(({ isError }) => isError)).toEqual([true, true]);
    expect(shown(results[0])).toMatch(/^Invalid input for tool "get_weather":\n.*city/);
    expect(shown(results[1])).toMatch(/city.*string/);
  });

  it('names what is missing if its own input is wrong', async () => {
    const { results } = await play([weather], [{ name: 'call_tool', input: { tool: 'get_weather' } }]);
    expect(shown(results[0])).toMatch(/^Invalid input for tool "call_tool":\n[^]*name[^]*input/);
  });

  it('takes an input that a model has written as text', async () => {
    const input = { name: 'get_weather', input: '{"city":"Rome"}' };
    const { results } = await play([weather], [{ name: 'call_tool', input }]);
    expect(shown(results[0])).toBe('{"name":"get_weather","input":{"city":"Rome"}}');
  });

  it('of a tool that is off is a call of one that never was', async () => {
    const settings = { ...emptySettings, tools: { get_weather: { enabled: false } } };
    const toolset = resolveToolset(createRegistry([findTools, callTool, weather]), settings, {});
    const off = await play([], [through('get_weather', { city: 'Rome' }), find('weather')], { toolset });
    const never = await play([], [through('get_weather', { city: 'Rome' }), find('weather')]);
    expect(off.results.map(shown)).toEqual(never.results.map(shown));
    expect(shown(off.results[0])).toBe('Unknown tool: get_weather');
  });

  it('needs the permission that the tool needs', async () => {
    const removed: string[] = [];
    const remove = deferred('remove_city', {
      effects: 'destructive',
      execute: (input) => void removed.push((input as { readonly city: string }).city),
    });
    const policy = permissions('write');
    const call = through('remove_city', { city: 'Rome' });
    const denied = await play([remove], [call], { policy, interactive: false });
    expect(denied.results[0]?.isError).toBe(true);
    expect(removed).toEqual([]);

    const model = scriptedModel([{ calls: [call] }, { text: 'Done.' }]);
    const asked = run({ model, toolset: toolsetOf(remove), messages: 'Go.', policy });
    for await (const event of asked.events()) {
      if (event.type !== 'approval-request') continue;
      expect(event).toMatchObject({ name: 'remove_city', input: { city: 'Rome' } });
      asked.answer(event.questionId, 'once');
    }
    expect((await asked.result).status).toBe('complete');
    expect(removed).toEqual(['Rome']);
  });

  it('gives what the tool gives: parts, a failure, a rewritten input, the end of the run', async () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
    const draw = deferred('draw', { execute: () => result({ output: 1, parts: [image], input: { city: 'Roma' } }) });
    const fail = deferred('fail', { execute: () => result({ output: 'No.', isError: true }) });
    const end = deferred('end', { execute: () => result({ output: 'Over.', control: { end: { value: 7 } } }) });
    const calls = ['draw', 'fail', 'end'].map((name) => through(name, { city: 'Rome' }));
    const { results, status, value, messages } = await play([draw, fail, end], calls);
    expect(results[0]).toMatchObject({ output: 1, modelParts: [image], isError: false });
    expect(results[1]).toMatchObject({ output: 'No.', isError: true });
    expect({ status, value }).toEqual({ status: 'complete', value: 7 });
    expect(messages[1]?.parts).toMatchObject([{ input: { name: 'draw', input: { city: 'Roma' } } }]);
  });

  it('that changes something is not passed by the next one, even while the user is asked about it', async () => {
    const order: string[] = [];
    const write = deferred('write', {
      effects: (input) => ((input as { readonly city: string }).city === 'A' ? 'destructive' : 'write'),
      execute: (input) => void order.push((input as { readonly city: string }).city),
    });
    const model = scriptedModel([
      { calls: [through('write', { city: 'A' }), through('write', { city: 'B' })] },
      { text: 'Done.' },
    ]);
    const policy: Policy = ({ effects }) => (effects === 'destructive' ? 'ask' : 'allow');
    const asked = run({ model, toolset: toolsetOf(write), messages: 'Go.', policy });
    for await (const event of asked.events()) {
      if (event.type !== 'approval-request') continue;
      order.push('asked');
      for (let turns = 0; turns < 50; turns++) await Promise.resolve(); // time for B to run
      asked.answer(event.questionId, 'once');
    }
    expect(order).toEqual(['asked', 'A', 'B']);
  });
});

describe('a request', () => {
  async function bodiesOf(tools: readonly Tool[]): Promise<readonly string[]> {
    const turns = [find('number 417'), { name: 'call_tool', input: { name: 'tool_number_417', input: { city: 'A' } } }];
    await using server = await loopback((_, index) => {
      const call = turns[index];
      const deltas = call === undefined ? ['Done.'] : [JSON.stringify(call.input)];
      const block = call === undefined ? { type: 'text', deltas } : { type: 'call', name: call.name, deltas };
      const { content, end } = openaiChatWire.encode({ blocks: [block as never] });
      return {
        body: [...content, ...end].map(
          ({ data }) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
        ),
      };
    });
    const model: Model = openaiChat('gpt-4.1', { apiKey: 'sk-test', baseURL: server.url });
    const { status } = await run({ model, toolset: toolsetOf(...tools), messages: 'Go.', instructions: 'Be brief.' })
      .result;
    expect(status).toBe('complete');
    return server.requests.map(({ body }) => body);
  }

  it('is not a byte longer for 1,000 deferred tools than for one, and has no word of searching if there is none', async () => {
    const [one] = await bodiesOf(thousand.slice(0, 1));
    const [many] = await bodiesOf(thousand);
    expect(many).toBe(one);
    expect(many).toContain('find_tools');
    const [none] = await bodiesOf([]);
    expect(none).not.toContain('find_tools');
  });

  it('begins as the one before it did, whatever was found', async () => {
    const bodies = (await bodiesOf(thousand)).map((body) => JSON.parse(body) as Readonly<Record<string, unknown>>);
    expect(bodies).toHaveLength(3);
    const [first, second, third] = bodies.map(({ tools }) => JSON.stringify(tools));
    expect([second, third]).toEqual([first, first]);
    const prefixes = bodies.map(({ messages }) => JSON.stringify(messages).slice(0, -1));
    expect(prefixes[1]?.startsWith(`${prefixes[0]},`)).toBe(true);
    expect(prefixes[2]?.startsWith(`${prefixes[1]},`)).toBe(true);
    expect(bodies.map(({ messages, ...rest }) => rest)).toEqual(
      [0, 1, 2].map(() => ({ ...bodies[0], messages: undefined })),
    );
  });

  it('has the deferred tools if the vendor searches by itself', () => {
    const { info } = openai('gpt-5.6', { apiKey: 'sk-test' });
    const names = toolsetOf(weather)
      .definitions(info)
      .map(({ name }) => name);
    expect(names).toContain('get_weather');
  });
});

describe('the suite for every tool: find_tools', () => {
  toolSuite({ test }, findTools, { examples: [{ query: 'weather' }, { query: 'weather', limit: 3 }] });
});
