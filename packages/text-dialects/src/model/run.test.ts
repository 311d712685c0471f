import { createRegistry, defineTool, emptySettings, jsonSchema, resolveToolset, run } from '@utensil/core';
import { withEnabled } from '@utensil/core/settings';
import type { ModelRequest, RunResult, Settings } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import type { ScriptedTurn } from '@utensil/core/testing';
import { describe, expect, it } from 'vitest';
import { presetNames } from '../test-kit/text-model.ts';
import { dialects } from '../dialects/dialects.ts';
import type { DialectName } from '../dialects/dialects.ts';
import { indexTools } from '../read/tool-index.ts';
import { withTextTools } from './with-text-tools.ts';
import { writeInDialect } from '../write/write-calls.ts';

const note = 'Title & <b>bold</b>\n\n  indented\n</content>\n^^^\n';

const written: Record<string, string> = {};

const writeNote = defineTool({
  name: 'write_note',
  description: 'Writes a note.',
  input: jsonSchema<{ name: string; content: string; tags?: readonly string[]; stars?: number }>({
    type: 'object',
    properties: {
      name: { type: 'string' },
      content: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' } },
      stars: { type: 'integer' },
    },
    required: ['name', 'content'],
    additionalProperties: false,
  }),
  effects: 'write',
  execute: ({ name, content, tags = [], stars = 0 }) => {
    written[name] = content;
    return `wrote ${name} with ${tags.length} tags and ${stars + 1} stars`;
  },
});

const readNote = defineTool({
  name: 'read_note',
  description: 'Reads a note.',
  input: jsonSchema<{ name: string }>({ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }),
  effects: 'read',
  execute: ({ name }) => written[name] ?? `there is no ${name}`,
});

function toolsetFor(settings: Settings = emptySettings): ReturnType<typeof resolveToolset> {
  return resolveToolset(createRegistry([writeNote, readNote]), settings, {});
}

const definitions = toolsetFor().definitions({ api: 'text' });

function said(dialect: DialectName, ...calls: readonly { name: string; input: never }[]): string {
  return writeInDialect(dialects[dialect], calls, indexTools(definitions));
}

const call = (name: string, input: object): { name: string; input: never } => ({ name, input: input as never });

function answersOf({ messages }: RunResult): readonly string[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-result' ? [String(part.output)] : [])),
  );
}

function inputsOf({ messages }: RunResult): readonly unknown[] {
  return messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-call' ? [part.input] : [])));
}

function requestText({ messages }: ModelRequest | { messages: [] }): string {
  return messages.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('')).join('\n');
}

describe.each([...presetNames, 'auto'] as const)('a run in %s', (name) => {
  const dialect = name === 'auto' ? 'hermes' : name;

  it('calls the same tools in several turns, some of them together', async () => {
    const isSingle = dialects[dialect].after === 'stop';
    const writes = call('write_note', { name: 'a', content: note, tags: ['x'], stars: 2 });
    const reads = [call('read_note', { name: 'a' }), call('read_note', { name: 'b' })];
    const script: ScriptedTurn[] = [
      { text: `I write it.\n\n${said(dialect, writes)}` },
      { text: said(dialect, ...(isSingle ? reads.slice(0, 1) : reads)) },
      { text: 'It is there.' },
    ];
    const inner = scriptedModel(script);
    const { status, text, messages, ...result } = await run({
      model: withTextTools(inner, name),
      toolset: toolsetFor(),
      messages: 'Write a note.',
    }).result;
    expect({ status, text }).toEqual({ status: 'complete', text: 'It is there.' });
    expect(written['a']).toBe(note);
    expect(answersOf({ status, text, messages, ...result })).toEqual([
      'wrote a with 1 tags and 3 stars',
      note,
      ...(isSingle ? [] : ['there is no b']),
    ]);
    expect(messages[1]?.parts[0]).toEqual({ type: 'text', text: 'I write it.' });
    inner.assertComplete();
    for (const request of inner.requests) {
      expect(request.tools).toEqual([]);
      expect(request.system).toBe(inner.requests[0]?.system);
      expect(request.system).toContain('Writes a note.');
    }
    expect(requestText(inner.requests[2] ?? { messages: [] })).toContain('wrote a with 1 tags and 3 stars');
  });
});

describe('a run with text tools', () => {
  it('[S2-15] has of the same tools what a run with native calls has; only the prompt differs', async () => {
    const calls = [
      call('write_note', { name: 'd', content: note, tags: ['x', 'y'], stars: 2 }),
      call('read_note', { name: 'd' }),
    ];
    const native = scriptedModel([{ calls }, { text: 'Done.' }]);
    const expected = await run({ model: native, toolset: toolsetFor(), messages: 'Go.' }).result;
    expect(answersOf(expected)).toEqual(['wrote d with 2 tags and 3 stars', note]);
    const prompts = new Set(native.requests.map(({ system }) => system));
    for (const dialect of ['xml', 'caret'] as const) {
      const inner = scriptedModel([{ text: said(dialect, ...calls) }, { text: 'Done.' }]);
      const result = await run({ model: withTextTools(inner, dialect), toolset: toolsetFor(), messages: 'Go.' }).result;
      expect(answersOf(result)).toEqual(answersOf(expected));
      expect(inputsOf(result)).toEqual(inputsOf(expected));
      expect(result.text).toBe('Done.');
      prompts.add(inner.requests[0]?.system ?? '');
    }
    expect(prompts.size).toBe(3);
  });

  it('tells the model what is wrong with a call, and takes the next one', async () => {
    const inner = scriptedModel([
      { text: '<tool:read_note>\n<param:name>a</param:title>\n</tool:read_note>' },
      { text: '<tool:read_note>\n<param:name>zzz</param:name>\n</tool:read_note>' },
      { text: 'Nothing there.' },
    ]);
    const { status } = await run({ model: withTextTools(inner, 'xml'), toolset: toolsetFor(), messages: 'Read.' })
      .result;
    expect(status).toBe('complete');
    const second = requestText(inner.requests[1] ?? { messages: [] });
    expect(second).toContain('Malformed tool invocation: the parameter "name" is closed as "title"');
    expect(second).toContain('<param:name>a</param:title>');
    expect(second).not.toContain('JSON');
    expect(requestText(inner.requests[2] ?? { messages: [] })).toContain('there is no zzz');
  });

  it('[S1-06] explains exactly the tools that are on, and nothing when all are off', async () => {
    const systemWith = async (settings: Settings): Promise<string> => {
      const inner = scriptedModel([{ text: 'ok' }]);
      const model = withTextTools(inner, 'json');
      await run({ model, toolset: toolsetFor(settings), messages: 'Hi', instructions: 'Be kind.' }).result;
      return inner.requests[0]?.system ?? '';
    };
    const one = withEnabled(emptySettings, readNote, false);
    expect(await systemWith(emptySettings)).toContain('read_note');
    expect(await systemWith(one)).not.toContain('read_note');
    expect(await systemWith(one)).toContain('write_note');
    expect(await systemWith(withEnabled(one, writeNote, false))).toBe('Be kind.');
  });

  it('[A1-08] works for a model that adds prose and fences, and types its arguments as it likes', async () => {
    const inner = scriptedModel([
      {
        text: 'Sure! I will write that.\n\n```json\n{"name": "write_note", "arguments": {"name": "c", "content": "x", "tags": "one", "stars": "4"}}\n```\nLet me know!',
      },
      { text: '<tool_call>\n<function=read_note>\n<parameter=name>\nc\n</parameter>\n</function>\n</tool_call>' },
      { text: 'Done.' },
    ]);
    const events: string[] = [];
    const model = withTextTools(inner, [dialects.json, dialects.qwenCoder]);
    const turn = run({ model, toolset: toolsetFor(), messages: 'Write.' });
    for await (const event of turn.events()) if (event.type === 'text-delta') events.push(event.text);
    const result = await turn.result;
    expect(result.status).toBe('complete');
    expect(answersOf(result)).toEqual(['wrote c with 1 tags and 5 stars', 'x']);
    expect(events.join('')).toBe('Sure! I will write that.Done.');
  });

  it('answers an unknown tool as any run does', async () => {
    const inner = scriptedModel([
      { text: '<tool_call>{"name": "rm", "arguments": {}}</tool_call>' },
      { text: 'Sorry.' },
    ]);
    const result = await run({ model: withTextTools(inner), toolset: toolsetFor(), messages: 'Remove.' }).result;
    expect(answersOf(result)).toEqual(['Unknown tool: rm']);
  });

  it('asks for the call that is required, behind everything else', async () => {
    const inner = scriptedModel([{ text: said('hermes', call('read_note', { name: 'a' })) }, { text: 'ok' }]);
    await run({ model: withTextTools(inner), toolset: toolsetFor(), messages: 'Hi', toolChoice: { tool: 'read_note' } })
      .result;
    expect(requestText(inner.requests[0] ?? { messages: [] })).toBe('Hi\n\nCall the tool "read_note" now.');
    expect(requestText(inner.requests[1] ?? { messages: [] })).not.toContain('now.');
  });

  it('ends a run that is aborted while the model writes', async () => {
    const inner = scriptedModel([{ text: 'Let me ', hangs: true }]);
    const turn = run({ model: withTextTools(inner), toolset: toolsetFor(), messages: 'Hi' });
    for await (const event of turn.events()) if (event.type === 'text-delta') turn.abort();
    expect((await turn.result).status).toBe('aborted');
  });
});

it('reports no deferred tool, whatever the model could search for by itself', async () => {
  const inner = scriptedModel([{ text: 'Hello.' }]);
  const supports = { deferredTools: true, settings: { seed: true, responseFormat: true } } as const;
  const model = withTextTools({ ...inner, info: { ...inner.info, supports } }, 'hermes');
  expect(model.info).toEqual({
    ...inner.info,
    api: 'text',
    supports: { deferredTools: false, settings: { seed: true } },
  });
  const deferred = defineTool({ ...readNote, name: 'later', defer: true });
  const toolset = resolveToolset(createRegistry([readNote, deferred]), emptySettings, {});
  await run({ model, toolset, messages: 'Hi' }).result;
  expect(inner.requests[0]?.system).toContain('read_note');
  expect(inner.requests[0]?.system).not.toContain('later');
});
