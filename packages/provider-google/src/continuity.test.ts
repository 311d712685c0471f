import { type Message, type Model, type RunOptions, run } from '@utensil/core';
import { arrangeHistory } from '@utensil/core/provider';
import { type Loopback, type Reply, loopback } from '@utensil/tooling-loopback';
import { type Call, calls, told, toolset, user } from '@utensil/tooling-loopback/continuity';
import { type GoogleObject, geminiStream, interactionStream } from '@utensil/tooling-loopback/google';
import { type Validator, refuseGemini, refuseGeminiInteractions } from '@utensil/tooling-loopback/validators';
import { describe, expect, it } from 'vitest';
import { google, googleInteractions } from './google.ts';

// Whole runs: what the API is sent after a turn that it, or another, has written. Streams are made by hand.
const containing = (text: string) => expect.stringContaining(text) as string;
const unsigned = 'skip_thought_signature_validator';

function serve(refuse: Validator, done: string, ...replies: readonly Reply[]): Promise<Loopback> {
  return loopback((request, index) => refuse(request.json()) ?? replies[index] ?? { body: done });
}

function go(model: Model, options: Partial<RunOptions> = {}) {
  return run({ model, toolset, messages: 'Go', ...options }).result;
}

/** A thread that others have begun: one of them knows signatures, too. */
const begun: readonly Message[] = arrangeHistory([
  user('Go'),
  {
    id: 'a1',
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'I look.' },
      { type: 'tool-call', callId: 'toolu_1', name: 'read', input: { path: 'a' }, executedBy: 'us' },
      { type: 'tool-call', callId: 'toolu_2', name: 'odd name', input: {}, executedBy: 'us' },
    ],
    createdAt: 0,
    origin: {
      api: 'anthropic-messages',
      model: 'claude-opus-5',
      state: { content: [{ type: 'thinking', thinking: 'Hm.', signature: 'of-anthropic' }] },
    },
  },
  {
    id: 'a2',
    role: 'assistant',
    parts: [{ type: 'tool-call', callId: 'call_3', name: 'read', input: { path: 'b' }, executedBy: 'us' }],
    createdAt: 0,
    origin: {
      api: 'openai-responses',
      model: 'gpt-5.6',
      state: [{ type: 'reasoning', encrypted_content: 'of-openai' }],
    },
  },
]);

describe('google', () => {
  const done = geminiStream([{ text: 'Done.' }]);
  const at = ({ url }: Loopback) => google('gemini-3.8-flash', { apiKey: 'k', baseUrl: url, newId: () => 'made' });
  const bodyOf = (server: Loopback, index: number) =>
    server.requests[index]?.json() as { contents: GoogleObject[]; tools: unknown; toolConfig?: unknown };
  const sent = (server: Loopback, index: number) => bodyOf(server, index).contents.slice(1);
  const callPart = ([id, name, args]: Call) => ({ functionCall: { id, name, args } });

  it('sends thoughts and calls back unchanged, with the input that ran, and a result for each', async () => {
    const [first, ...others] = calls.map(callPart);
    const parts = [
      { text: 'Größe? \u{1f4cf}', thought: true },
      { text: 'All.' },
      { ...first, thoughtSignature: 'c2ln' },
      ...others,
      { text: '', thoughtSignature: 'ZW5k' },
    ];
    await using server = await serve(refuseGemini, done, { body: geminiStream(parts) });
    expect(await go(at(server))).toMatchObject({ status: 'complete', text: 'Done.', steps: 2 });
    const ran = calls.map(([id, name], index) => callPart([id, name, told[index]?.[0] ?? {}]));
    expect(sent(server, 1)).toEqual([
      {
        role: 'model',
        parts: [parts[0], parts[1], { ...ran[0], thoughtSignature: 'c2ln' }, ...ran.slice(1), parts.at(-1)],
      },
      {
        role: 'user',
        parts: calls.map(([id, name], index) => {
          const [, output = '', isError] = told[index] ?? [];
          return { functionResponse: { id, name, response: { [isError ? 'error' : 'output']: containing(output) } } };
        }),
      },
    ]);
  });

  it('runs a call without an id, and sends none', async () => {
    const call = { functionCall: { name: 'read', args: { path: 'a' } }, thoughtSignature: 'c2ln' };
    await using server = await serve(refuseGemini, done, { body: geminiStream([call]) });
    const { messages } = await go(at(server));
    expect(messages[1]?.parts).toMatchObject([{ callId: 'made' }]);
    expect(sent(server, 1)).toEqual([
      { role: 'model', parts: [call] },
      { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: 'content of a' } } }] },
    ]);
  });

  it('[D4-08] runs no tool for a call that the model could not write, and says so', async () => {
    const malformed = geminiStream([{ text: 'I note.' }], { finishReason: 'MALFORMED_FUNCTION_CALL' });
    await using server = await serve(refuseGemini, done, { body: malformed });
    const { status, error, messages } = await go(at(server));
    expect({ status, error }).toMatchObject({ status: 'error', error: { message: containing('cannot be read') } });
    expect(messages.flatMap(({ parts }) => parts.map(({ type }) => type))).toEqual(['text', 'text']);
    expect(server.requests).toHaveLength(1);
  });

  it('asks for the last turn behind the results, with the tools but without their use', async () => {
    await using server = await serve(refuseGemini, done, { body: geminiStream(calls.slice(0, 1).map(callPart)) });
    expect(await go(at(server), { limits: { steps: 1 }, toolChoice: 'required' })).toMatchObject({ status: 'limit' });
    const modes = [0, 1].map((index) => bodyOf(server, index).toolConfig);
    expect(modes).toEqual(['ANY', 'NONE'].map((mode) => ({ functionCallingConfig: { mode } })));
    expect(bodyOf(server, 1).tools).toEqual(bodyOf(server, 0).tools);
    expect(sent(server, 1)).toMatchObject([
      { role: 'model' },
      { parts: [{ functionResponse: { id: 'c1' } }] },
      { parts: [{ text: containing('limit of steps') }] },
    ]);
  });

  it('goes on behind an answer that was truncated', async () => {
    const half = geminiStream([{ text: 'Half an ' }, { functionCall: { name: 'read' } }]).split('\r\n\r\n')[0] ?? '';
    await using server = await serve(refuseGemini, done, { body: `${half}\r\n\r\n` });
    const broken = await go(at(server), { messages: [user('Go')], limits: { retries: 0 } });
    expect(broken).toMatchObject({ status: 'error', error: { code: 'stream_truncated' } });
    expect(await go(at(server), { messages: [...broken.messages, user('Go on')] })).toMatchObject({
      status: 'complete',
    });
    expect(sent(server, 1)).toEqual([
      { role: 'model', parts: [{ text: 'Half an ' }] },
      { role: 'user', parts: [{ text: 'Go on' }] },
    ]);
  });

  it('continues with a thread of others, and gives none of their states away', async () => {
    await using server = await serve(refuseGemini, done);
    expect(await go(at(server), { messages: [...begun, user('And?')] })).toMatchObject({ status: 'complete' });
    expect(sent(server, 0)).toEqual([
      {
        role: 'model',
        parts: [
          { text: 'I look.' },
          { functionCall: { name: 'read', args: { path: 'a' } }, thoughtSignature: unsigned },
          { functionCall: { name: containing('odd_name_'), args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'read', response: { error: containing('no result') } } },
          { functionResponse: { name: containing('odd_name_'), response: { error: containing('no result') } } },
        ],
      },
      { role: 'model', parts: [{ functionCall: { name: 'read', args: { path: 'b' } }, thoughtSignature: unsigned }] },
      { role: 'user', parts: [{ functionResponse: { name: 'read', response: { error: containing('no result') } } }] },
      { role: 'user', parts: [{ text: 'And?' }] },
    ]);
    expect(server.requests[0]?.body).not.toMatch(/of-anthropic|of-openai|toolu_|call_3/);
  });
});

describe('googleInteractions', () => {
  const output = (text: string) => ({ type: 'model_output', content: [{ type: 'text', text }] });
  const done = interactionStream([output('Done.')], { id: 'v1_done' });
  const at = ({ url }: Loopback, store = false) =>
    googleInteractions('gemini-3.8-flash', { apiKey: 'k', baseUrl: url, store });
  const bodyOf = (server: Loopback, index: number) =>
    server.requests[index]?.json() as { input: GoogleObject[]; generation_config?: unknown };
  const sent = (server: Loopback, index: number) => bodyOf(server, index).input.slice(1);
  const callStep = ([id, name, input]: Call) => ({ type: 'function_call', id, name, arguments: input });
  const thought = { type: 'thought', signature: 'c2ln', summary: [{ type: 'text', text: 'Größe? \u{1f4cf}' }] };
  const results = calls.map(([call_id, name], index) => {
    const [, said = '', isError] = told[index] ?? [];
    return { type: 'function_result', call_id, name, ...(isError && { is_error: true }), result: containing(said) };
  });
  const refuse = refuseGeminiInteractions;

  it('sends all steps back unchanged, with the input that ran, and a result for each call', async () => {
    const body = interactionStream([thought, output('All of them.'), ...calls.map(callStep)]);
    await using server = await serve(refuse, done, { body });
    expect(await go(at(server))).toMatchObject({ status: 'complete', text: 'Done.', steps: 2 });
    const ran = calls.map(([id, name], index) => callStep([id, name, told[index]?.[0] ?? {}]));
    expect(sent(server, 1)).toEqual([thought, output('All of them.'), ...ran, ...results]);
  });

  it('sends only what is new if Google keeps the conversation', async () => {
    const body = interactionStream([thought, ...calls.map(callStep)], { id: 'v1_first' });
    await using server = await serve(refuse, done, { body });
    const { messages } = await go(at(server, true), { messages: [user('Go')] });
    await go(at(server, true), { messages: [...messages, user('And?')] });
    await go(at(server), { messages: [...messages, user('And?')] });
    expect(server.requests.map((request) => request.json())).toMatchObject([
      { store: true, input: [{ type: 'user_input' }] },
      { store: true, previous_interaction_id: 'v1_first', input: results },
      { store: true, previous_interaction_id: 'v1_done', input: [{ content: [{ text: 'And?' }] }] },
      { store: false, input: { length: 2 + 1 + calls.length * 2 + 1 } },
    ]);
    expect(bodyOf(server, 3)).not.toHaveProperty('previous_interaction_id');
  });

  it('asks for the last turn behind the results, without the use of tools', async () => {
    await using server = await serve(refuse, done, { body: interactionStream(calls.slice(0, 1).map(callStep)) });
    expect(await go(at(server), { limits: { steps: 1 }, toolChoice: 'required' })).toMatchObject({ status: 'limit' });
    const choices = [0, 1].map((index) => bodyOf(server, index).generation_config);
    expect(choices).toEqual([{ tool_choice: 'any' }, { tool_choice: 'none' }]);
    expect(sent(server, 1)).toMatchObject([
      { type: 'thought', signature: unsigned },
      { type: 'function_call' },
      { type: 'function_result' },
      { content: [{ text: containing('limit of steps') }] },
    ]);
  });

  it('continues with a thread of others, and gives none of their states away', async () => {
    await using server = await serve(refuse, done);
    expect(await go(at(server), { messages: [...begun, user('And?')] })).toMatchObject({ status: 'complete' });
    expect(sent(server, 0).map(({ type }) => type)).toEqual([
      ...['model_output', 'thought', 'function_call', 'function_call', 'function_result', 'function_result'],
      ...['thought', 'function_call', 'function_result', 'user_input'],
    ]);
    expect(server.requests[0]?.body).not.toMatch(/of-anthropic|of-openai/);
  });
});

it('takes a thread from one API of Google to the other and back, each with its own state only', async () => {
  const called = { id: 'g1', name: 'read', args: { path: 'a' } };
  const signed = { functionCall: called, thoughtSignature: 'Z2VtaW5p' };
  const step = { type: 'function_call', id: 'i1', name: 'read', arguments: { path: 'b' }, signature: 'aW50ZXI=' };
  await using gemini = await loopback((request, index) => ({
    ...(refuseGemini(request.json()) ?? { body: geminiStream([index === 0 ? signed : { text: 'Done.' }]) }),
  }));
  await using interactions = await loopback((request, index) => ({
    ...(refuseGeminiInteractions(request.json()) ?? {
      body: interactionStream([
        index === 0 ? step : { type: 'model_output', content: [{ type: 'text', text: 'Done.' }] },
      ]),
    }),
  }));
  const ask = async (model: Model, before: readonly Message[]) => {
    const { status, messages } = await go(model, { messages: [...before, user(`${before.length}`)] });
    expect(status).toBe('complete');
    return messages;
  };
  const first = google('gemini-3.8-flash', { apiKey: 'k', baseUrl: gemini.url });
  const second = googleInteractions('gemini-3.8-flash', { apiKey: 'k', baseUrl: interactions.url });
  await ask(first, await ask(second, await ask(first, [])));
  expect(interactions.requests.map(({ body }) => body).join()).not.toContain('Z2VtaW5p');
  expect(gemini.requests.map(({ body }) => body).join()).not.toContain('aW50ZXI=');
  const last = gemini.requests.at(-1)?.json() as { contents: { parts: unknown }[] };
  expect(last.contents[1]?.parts).toEqual([signed]);
  expect(last.contents[5]?.parts).toEqual([
    { functionCall: { name: 'read', args: { path: 'b' } }, thoughtSignature: unsigned },
  ]);
});
