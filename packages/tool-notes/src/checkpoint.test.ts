import { messagesOf, defineTool, emptySettings, jsonSchema, openThread, textOf } from '@utensil/core';
import { withOption } from '@utensil/core/settings';
import type { Json, Message, ModelRequest, RunResult, Settings, Tool } from '@utensil/core';
import { scriptedModel, toolSuite } from '@utensil/core/testing';
import type { ScriptedTurn } from '@utensil/core/testing';
import { describe, expect, it, test } from 'vitest';
import { checkpointOf, checkpointTool } from './checkpoint.ts';
import { continuing, trimAtCheckpoints } from './continuing.ts';
import type { ContinuingOptions } from './continuing.ts';
import { call, createApp, resultsOf, shown } from './test-kit/notes.ts';

const named = (name: string): Tool =>
  defineTool({
    name,
    description: name,
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    execute: () => `${name} answered`,
  });

const six = ['memory', 'filesystem', 'javascript', 'web_search', 'sketchbook', 'third_party'];
const everything = six.map((name) => call(name));
const checkpoint = (note: string): ScriptedTurn => call('checkpoint', { note });
const literal = 'Checkpoint saved. Please stop. User will call you back to continue.';

const withOptions = (options: Readonly<Record<string, Json>>): Settings =>
  Object.entries(options).reduce((settings, each) => withOption(settings, checkpointTool, each), emptySettings);

async function play(
  script: readonly ScriptedTurn[],
  settings: Settings = emptySettings,
  more: Partial<ContinuingOptions> = {},
) {
  const { toolset, records, environment } = createApp([checkpointTool, ...six.map(named)], { settings });
  const thread = openThread(records, 'long');
  const model = scriptedModel(script);
  const runs: RunResult[] = [];
  for await (const turn of continuing({ model, toolset, thread, environment, messages: 'Do it all.', ...more }))
    runs.push(await turn.result);
  return { runs, model, thread };
}

const seenIn = (request: ModelRequest | undefined): readonly string[] =>
  resultsOf(request?.messages ?? []).map(({ name }) => name);

describe('a checkpoint', () => {
  it('[S0-61] [A0-11] ends the run, goes on by itself, and shows no older calls but what it noted', async () => {
    const { runs, model, thread } = await play([
      ...everything,
      checkpoint('All six were asked.'),
      call('memory'),
      checkpoint('The memory was asked again.'),
      { text: 'It is done.' },
    ]);
    expect(runs.map(({ status, text }) => [status, text])).toEqual([
      ['complete', ''],
      ['complete', ''],
      ['complete', 'It is done.'],
    ]);
    expect(runs.map((each) => checkpointOf(each)?.note)).toEqual([
      'All six were asked.',
      'The memory was asked again.',
      undefined,
    ]);
    const [, second, , third] = [6, 7, 8, 9].map((index) => model.requests[index]);
    expect(seenIn(model.requests[6])).toEqual(six);
    expect(seenIn(second)).toEqual(['checkpoint']);
    expect(resultsOf(second?.messages ?? []).map(shown)).toEqual([literal]);
    expect(JSON.stringify(second?.messages)).toContain('All six were asked.');
    expect(textOf(second?.messages.at(-1)?.parts ?? [])).toBe('please continue');
    expect(seenIn(model.requests[8])).toEqual(['checkpoint', 'memory']);
    expect(seenIn(third)).toEqual(['checkpoint', 'checkpoint']);
    expect(resultsOf(await messagesOf(thread))).toHaveLength(six.length + 3);
  });

  it('[S0-61] keeps as many segments as the user chose, and the calls of each tool whose switch is off', async () => {
    const script = [
      call('memory'),
      checkpoint('1'),
      call('filesystem'),
      checkpoint('2'),
      call('javascript'),
      checkpoint('3'),
      { text: 'Done.' },
    ];
    const seenWith = async (options: Readonly<Record<string, Json>>) =>
      seenIn((await play(script, withOptions(options))).model.requests.at(-1)).filter((name) => name !== 'checkpoint');
    expect(await seenWith({ keepSegments: 0 })).toEqual([]);
    expect(await seenWith({ keepSegments: 1 })).toEqual(['javascript']);
    expect(await seenWith({ keepSegments: 2 })).toEqual(['filesystem', 'javascript']);
    expect(await seenWith({ keepSegments: 3 })).toEqual(['memory', 'filesystem', 'javascript']);
    expect(await seenWith({ keepSegments: -1 })).toEqual(['memory', 'filesystem', 'javascript']);

    const switches = ['trimMemory', 'trimFilesystem', 'trimJavascript', 'trimWeb', 'trimSketchbook', 'trimOthers'];
    const all = [...everything, checkpoint('All.'), { text: 'Done.' }];
    for (const [index, id] of switches.entries()) {
      const { model } = await play(all, withOptions({ [id]: false }));
      expect(seenIn(model.requests.at(-1))).toEqual([six[index], 'checkpoint']);
    }
  });

  it('continues with the words of the user, or not at all', async () => {
    const script = [checkpoint('1'), { text: 'Done.' }];
    const own = await play(script, withOptions({ continueWith: 'On you go!' }));
    expect(textOf(own.model.requests[1]?.messages.at(-1)?.parts ?? [])).toBe('On you go!');
    const silent = await play(script, withOptions({ continueWith: '' }));
    expect(silent.runs).toHaveLength(1);
    expect(silent.model.requests).toHaveLength(1);
  });

  it('does not continue for ever, from one that was not saved, or after an abort', async () => {
    const again = Array.from({ length: 9 }, (_, index) => checkpoint(String(index)));
    expect((await play(again, emptySettings, { mostCheckpoints: 3 })).runs).toHaveLength(4);
    const wrong = await play([call('checkpoint', { note: '' }), { text: 'Done.' }]);
    expect(wrong.runs.map(({ text }) => text)).toEqual(['Done.']);
    const aborted = await play([checkpoint('1')], emptySettings, { signal: AbortSignal.abort() });
    expect(aborted.runs.map(({ status }) => status)).toEqual(['aborted']);
  });

  it('forces a tool once, and keeps a ban on tools', async () => {
    const script = [checkpoint('1'), { text: 'Done.' }];
    const { model } = await play(script, emptySettings, { toolChoice: { tool: 'checkpoint' } });
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual([{ tool: 'checkpoint' }, 'auto']);
    const banned = await play([{ text: 'Done.' }], emptySettings, { toolChoice: 'none' });
    expect(banned.model.requests.map(({ toolChoice }) => toolChoice)).toEqual(['none']);
  });

  it('shows people the note', async () => {
    const { chat } = createApp([checkpointTool]);
    const { results, value } = await chat('a', [checkpoint('Half.')]);
    expect(results[0]).toMatchObject({ userView: 'Half.', status: 'saved' });
    expect(value).toMatchObject({ checkpoint: { note: 'Half.', continueWith: 'please continue', keepSegments: 0 } });
  });
});

describe('a trimmed history', () => {
  it('begins alike from one checkpoint to the next, and is the stored one if there was none', async () => {
    const { thread } = await play([call('memory'), checkpoint('1'), call('memory'), call('memory'), { text: 'Done.' }]);
    const messages = await messagesOf(thread);
    const end = messages.findIndex(({ parts }) => textOf(parts) === 'please continue');
    const views = messages.slice(end).map((_, index) => trimAtCheckpoints(messages.slice(0, end + index + 1)));
    for (const [index, view] of views.slice(1).entries()) expect(view.slice(0, -1)).toEqual(views[index]);
    expect(trimAtCheckpoints(messages.slice(0, 3))).toEqual(messages.slice(0, 3));
    expect(trimAtCheckpoints([])).toEqual([]);
  });

  it('loses no text, no call of the checkpoint turn by half, and no state that still fits', () => {
    const at = { createdAt: 0 } as const;
    const result = (callId: string, name: string, output: Json = 'x'): Message => ({
      ...at,
      id: callId,
      role: 'tool',
      parts: [{ type: 'tool-result', callId, name, output, modelParts: [{ type: 'text', text: 'x' }], isError: false }],
    });
    const made = (callId: string, name: string) =>
      ({ type: 'tool-call', callId, name, input: {}, executedBy: 'us' }) as const;
    const origin = { api: 'text', model: 'm', state: ['opaque'] };
    const saved = { note: 'n', continueWith: '', keepSegments: 0, tools: { memory: true, '*': false } };
    const history: readonly Message[] = [
      { ...at, id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
      {
        ...at,
        id: 'a',
        role: 'assistant',
        origin,
        parts: [{ type: 'text', text: 'Let me see.' }, made('1', 'memory')],
      },
      result('1', 'memory'),
      { ...at, id: 'b', role: 'assistant', origin, parts: [{ type: 'reasoning', text: 'Hm.' }, made('2', 'memory')] },
      result('2', 'memory'),
      { ...at, id: 'c', role: 'assistant', origin, parts: [made('3', 'constructor')] },
      result('3', 'constructor'),
      { ...at, id: 'd', role: 'assistant', origin, parts: [made('4', 'checkpoint'), made('5', 'memory')] },
      result('4', 'checkpoint', saved),
      result('5', 'memory'),
    ];
    expect(trimAtCheckpoints(history)).toEqual([
      history[0],
      { ...history[1], origin: { api: 'text', model: 'm' }, parts: [{ type: 'text', text: 'Let me see.' }] },
      history[5],
      history[6],
      { ...history[7], origin: { api: 'text', model: 'm' }, parts: [made('4', 'checkpoint')] },
      history[8],
    ]);
    expect(trimAtCheckpoints(history)[2]).toBe(history[5]);
    const foreign = history.map((message) => (message.id === '4' ? result('4', 'web', saved) : message));
    expect(trimAtCheckpoints(foreign)).toBe(foreign);
  });
});

describe('the suite for every tool', () => {
  toolSuite({ test }, checkpointTool, { examples: [{ note: 'Half of it is done.' }] });
});
