import { createRegistry, defineTool, emptySettings, jsonSchema, resolveToolset, run } from '@utensil/core';
import type { JsonObject, Message, Model, ModelPart, ModelRequest } from '@utensil/core';
import { withTextFallback, withTextTools } from '@utensil/text-dialects';
import { describe, expect, it } from 'vitest';
import { browserAvailability, browserModel } from './browser-model.ts';
import type { BrowserModelOptions } from './browser-model.ts';
import { exception, fakeLanguageModel } from './test-kit/fake-language-model.ts';
import type { FakeAnswer, FakeOptions } from './test-kit/fake-language-model.ts';

const user = (text: string): Message => ({ id: text, role: 'user', parts: [{ type: 'text', text }], createdAt: 0 });
const assistant = (text: string): Message => ({ ...user(text), role: 'assistant' });

function setUp(answers: readonly FakeAnswer[], options: BrowserModelOptions = {}, fakeOptions: FakeOptions = {}) {
  const fake = fakeLanguageModel(answers, fakeOptions);
  return { fake, model: browserModel({ languageModel: fake, ...options }) };
}

async function ask(model: Model, change: Partial<ModelRequest> = {}, signal = new AbortController().signal) {
  const request: ModelRequest = {
    system: 'Be brief.',
    messages: [user('Hi')],
    tools: [],
    toolChoice: 'auto',
    ...change,
  };
  const parts: ModelPart[] = [];
  for await (const part of model.stream(request, { signal })) parts.push(part);
  return parts;
}

const textOf = (parts: readonly ModelPart[]): string =>
  parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('');

const clock = defineTool({
  name: 'clock',
  description: 'The time.',
  input: jsonSchema({ type: 'object', properties: {} }),
  effects: 'read',
  execute: () => '12:00',
});

describe('a turn', () => {
  it('streams the text of the browser, with the system prompt first and the tokens counted', async () => {
    const { fake, model } = setUp([['Hel', 'lo.']]);
    const parts = await ask(model);
    expect(parts.map(({ type }) => type)).toEqual(['text-delta', 'text-delta', 'finish']);
    expect(textOf(parts)).toBe('Hello.');
    expect(fake.created[0]?.initialPrompts).toEqual([{ role: 'system', content: 'Be brief.' }]);
    expect(fake.asked[0]?.input).toEqual([{ role: 'user', content: 'Hi' }]);
    expect(parts.at(-1)).toMatchObject({ reason: 'stop', usage: { inputTokens: 4, outputTokens: 2 } });
  });

  it('continues the session of the last turn, and sends only new messages', async () => {
    const { fake, model } = setUp([['Hello.'], ['Fine.']]);
    await ask(model);
    await ask(model, { messages: [user('Hi'), assistant('Hello.'), user('How are you?')] });
    expect(fake.sessions).toHaveLength(1);
    expect(fake.asked[1]?.input).toEqual([{ role: 'user', content: 'How are you?' }]);
  });

  it.each([
    ['another answer', { messages: [user('Hi'), assistant('Hey.'), user('And?')] }],
    ['another beginning', { messages: [user('Ho'), assistant('Hello.'), user('And?')] }],
    ['nothing new', {}],
    ['other instructions', { system: 'Be long.', messages: [user('Hi'), assistant('Hello.'), user('And?')] }],
  ])('has a session of its own where the history has %s, and the old one is ended', async (_, change) => {
    const { fake, model } = setUp([['Hello.'], ['Fine.']]);
    await ask(model);
    await ask(model, change);
    expect(fake.sessions.map(({ isDestroyed }) => isDestroyed)).toEqual([true, false]);
    expect(fake.asked[1]?.input).toHaveLength((change as Partial<ModelRequest>).messages?.length ?? 1);
  });

  it('has its own session during another turn', async () => {
    const { fake, model } = setUp([['One.'], ['Two.'], ['Three.']]);
    await ask(model);
    const messages = [user('Hi'), assistant('One.'), user('And?')];
    const texts = await Promise.all([ask(model, { messages }), ask(model, { messages })]);
    expect(texts.map(textOf).sort()).toEqual(['Three.', 'Two.']);
    expect(fake.sessions).toHaveLength(2);
    expect(fake.sessions.filter(({ isDestroyed }) => !isDestroyed)).toHaveLength(1);
  });

  it('takes what is only of this API from `providerOptions`, and asks for thoughts where the request does', async () => {
    const responseConstraint = { type: 'object' };
    const { fake, model } = setUp([
      [
        { type: 'thought', value: 'Hm.' },
        { type: 'text', value: '{}' },
      ],
    ]);
    const parts = await ask(model, { reasoning: 'low', providerOptions: { responseConstraint } });
    expect(fake.asked[0]?.options).toMatchObject({
      responseConstraint,
      thinking: { effort: 'low', includeThoughts: true },
    });
    expect(parts.slice(0, 2)).toEqual([
      { type: 'reasoning-delta', text: 'Hm.' },
      { type: 'text-delta', text: '{}' },
    ]);
  });

  it('takes a schema of the answer as a constraint, and a run reports each setting that the API has no field for', async () => {
    const { fake, model } = setUp([['{}'], ['{}']]);
    const schema = { type: 'object', properties: { city: { type: 'string' } } } as const;
    await ask(model, { responseFormat: { schema }, temperature: 0, seed: 7 });
    expect(fake.asked[0]?.options).toMatchObject({ responseConstraint: schema });
    expect(fake.asked[0]?.options).not.toHaveProperty('temperature');
    const optioned: Message = {
      ...user('Hi'),
      parts: [{ type: 'text', text: 'Hi', providerOptions: { 'prompt-api': { prefix: true } } }],
    };
    const toolset = resolveToolset(createRegistry(), emptySettings, {});
    const turn = run({ model, toolset, messages: [optioned], temperature: 0, responseFormat: { schema }, seed: 7 });
    const ignored: string[] = [];
    for await (const event of turn.events()) if (event.type === 'setting-ignored') ignored.push(event.setting);
    expect(ignored).toEqual(['temperature', 'seed', 'providerOptions']);
  });

  it('shows images if it was said that the model sees them, and else describes them', async () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'AQID' } as const;
    const messages = [{ ...user(''), parts: [image] }];
    const { fake, model } = setUp([['A dot.'], ['A dot.']], { inputs: ['image'], languages: ['en'] });
    await ask(model, { messages });
    expect(fake.asked[0]?.input[0]?.content).toEqual([{ type: 'image', value: new Uint8Array([1, 2, 3]) }]);
    expect(fake.created[0]).toMatchObject({
      expectedInputs: [{ type: 'text', languages: ['en'] }, { type: 'image' }],
      expectedOutputs: [{ type: 'text', languages: ['en'] }],
    });
    const blind = setUp([['A dot.']]);
    await ask(blind.model, { messages });
    expect(blind.fake.asked[0]?.input[0]?.content).toEqual(expect.stringContaining('image/png'));
  });
});

describe('an end', () => {
  it('comes with an abort, in the middle of an answer, and ends the session', async () => {
    const { fake, model } = setUp(['never ends']);
    const controller = new AbortController();
    const asking = (async () => {
      const request: ModelRequest = { system: '', messages: [user('Hi')], tools: [], toolChoice: 'auto' };
      for await (const part of model.stream(request, controller)) if (part.type === 'text-delta') controller.abort();
    })();
    await expect(asking).rejects.toMatchObject({ code: 'aborted' });
    expect(fake.sessions[0]?.isDestroyed).toBe(true);
  });

  it('comes with leaving the stream, which ends the session too', async () => {
    const { fake, model } = setUp([['One ', 'two ', 'three']]);
    const request: ModelRequest = { system: '', messages: [user('Hi')], tools: [], toolChoice: 'auto' };
    for await (const _ of model.stream(request, { signal: new AbortController().signal })) break;
    expect(fake.sessions[0]?.isDestroyed).toBe(true);
  });

  it('keeps a session that its turn has ended: the signal of the turn is not that of the session', async () => {
    const controller = new AbortController();
    const { fake, model } = setUp([['Hello.']]);
    await ask(model, {}, controller.signal);
    controller.abort();
    expect(fake.sessions[0]?.isDestroyed).toBe(false);
  });
});

describe('a window that is too small', () => {
  const long = 'x'.repeat(400);

  it.each([false, true])('is told before anything is dropped (old names: %s)', async (hasOldNames) => {
    const { fake, model } = setUp([['Hello.'], ['Never.']], {}, { contextWindow: 60, hasOldNames });
    await ask(model);
    const messages = [user('Hi'), assistant('Hello.'), user(long)];
    await expect(ask(model, { messages })).rejects.toMatchObject({ code: 'prompt_too_long' });
    expect(fake.asked).toHaveLength(1);
    expect(fake.sessions[0]?.isDestroyed).toBe(true);
  });

  it('is told where the instructions alone fill it', async () => {
    const { model } = setUp([], {}, { contextWindow: 60 });
    await expect(ask(model, { system: long })).rejects.toMatchObject({ code: 'prompt_too_long' });
  });

  it('costs a session that dropped messages under a long answer: the next turn has one of its own', async () => {
    const { fake, model } = setUp([['Hello.'], ['y'.repeat(100)], ['Fine.']], {}, { contextWindow: 60 });
    await ask(model);
    await ask(model, { messages: [user('Hi'), assistant('Hello.'), user('z'.repeat(120))] });
    expect(fake.sessions[0]?.isDestroyed).toBe(true);
  });
});

describe('the model of a browser', () => {
  it('is fetched after a click, with its progress told', async () => {
    const told: number[] = [];
    const { fake, model } = setUp([['Hello.']], { onDownload: (progress) => told.push(progress) });
    fake.availabilityNow = 'downloadable';
    await expect(ask(model)).rejects.toMatchObject({
      code: 'model_unauthorized',
      message: expect.stringContaining('click'),
    });
    fake.isClicked = true;
    expect(textOf(await ask(model))).toBe('Hello.');
    expect(told).toEqual([0, 0.5, 1]);
  });

  it('may not be there at all, and the error says what to do', async () => {
    await expect(ask(browserModel())).rejects.toMatchObject({
      code: 'model_not_found',
      message:
        'This browser brings no language model. Use Chrome or Edge on a computer, on a page over HTTPS, or take another model.',
    });
    expect(await browserAvailability()).toBe('unavailable');
    const { fake, model } = setUp([]);
    expect(await browserAvailability({ languageModel: fake })).toBe('available');
    fake.availabilityNow = 'unavailable';
    await expect(ask(model)).rejects.toMatchObject({ code: 'model_not_found' });
  });

  it.each([
    ['QuotaExceededError', 'prompt_too_long', false],
    ['NotAllowedError', 'model_unauthorized', false],
    ['NotSupportedError', 'model_request_invalid', false],
    ['NotReadableError', 'model_refused', false],
    ['SyntaxError', 'model_failed', false],
    ['TypeError', 'model_request_invalid', false],
    ['NetworkError', 'model_unreachable', true],
    ['AbortError', 'stream_truncated', true],
    ['UnknownError', 'stream_truncated', true],
  ])('fails with %s, which is %s for a run', async (name, code, retryable) => {
    const { fake, model } = setUp([exception(name, 'As the browser says.')]);
    await expect(ask(model)).rejects.toMatchObject({
      code,
      retryable,
      message: expect.stringContaining('As the browser says.'),
    });
    expect(fake.sessions[0]?.isDestroyed).toBe(true);
  });

  it.each([
    ['withTextTools', withTextTools],
    ['withTextFallback', withTextFallback],
  ])('calls tools in text through %s', async (_, wrap) => {
    const { fake, model } = setUp([
      ['Let me look.\n<tool_call>\n{"name": "clock", ', '"arguments": {}}\n</tool_call>'],
      ['It is noon.'],
    ]);
    const toolset = resolveToolset(createRegistry([clock]), emptySettings, {});
    const { text, steps } = await run({ model: wrap(model), toolset, messages: 'What time is it?' }).result;
    expect([text, steps]).toEqual(['It is noon.', 2]);
    expect(JSON.stringify(fake.asked.at(-1)?.input)).toContain('12:00');
  });

  it('calls a tool whose input is a union of objects', async () => {
    const form = (action: string, field: string): JsonObject => ({
      type: 'object',
      properties: { action: { const: action }, [field]: { type: 'string' } },
      required: ['action', field],
    });
    const given: unknown[] = [];
    const files = defineTool({
      name: 'files',
      description: 'Works on files.',
      input: jsonSchema({ oneOf: [form('view', 'path'), form('find', 'text')] }),
      effects: 'read',
      execute: (input) => (given.push(input), 'It is found.'),
    });
    const { fake, model } = setUp([
      ['<tool_call>\n{"name": "files", "arguments": {"action": "find", "text": "x"}}\n</tool_call>'],
      ['There.'],
    ]);
    const toolset = resolveToolset(createRegistry([files]), emptySettings, {});
    const { text } = await run({ model: withTextTools(model, 'hermes'), toolset, messages: 'Find x.' }).result;
    expect([text, given]).toEqual(['There.', [{ action: 'find', text: 'x' }]]);
    expect(JSON.stringify(fake.created[0]?.initialPrompts)).toContain('oneOf');
    expect(JSON.stringify(fake.asked.at(-1)?.input)).toContain('It is found.');
  });

  it('says that it takes no tools of its own', async () => {
    const { model } = setUp([]);
    const tools = [{ type: 'function', name: 'clock', description: '', inputSchema: { type: 'object' } }] as const;
    await expect(ask(model, { tools })).rejects.toMatchObject({ code: 'tools_unsupported' });
  });
});
