// A conversation that grows beyond the window of its model, on every wire: how often a server gets more than it can read.
import {
  createRecords,
  createRegistry,
  emptySettings,
  type Model,
  openThread,
  resolveToolset,
  run,
} from '@utensil/core';
import { anthropic } from '@utensil/provider-anthropic';
import { google, googleInteractions } from '@utensil/provider-google';
import { ollama } from '@utensil/provider-ollama';
import { openai, openaiChat } from '@utensil/provider-openai';
import { openaiCompatible } from '@utensil/provider-openai/compatible';
import { openrouter } from '@utensil/provider-openai/openrouter';
import { memoryStorage } from '@utensil/storage-memory';
import { withTextTools } from '@utensil/text-dialects';
import { loopback, type Reply } from '@utensil/tooling-loopback';
import { play, type WireFormat } from '@utensil/tooling-loopback/answer';
import { anthropicWire } from '@utensil/tooling-loopback/anthropic-answer';
import { geminiStream, interactionStream } from '@utensil/tooling-loopback/google';
import { openaiChatWire, openaiResponsesWire } from '@utensil/tooling-loopback/openai-answer';
import { expect, it } from 'vitest';

const contextWindow = 4_000;

/** In tokens, of a request in a language of which one takes two characters. */
const tokensIn = (body: string): number => Math.ceil(body.length / 2);

const said = 'I see.';
const wired = (wire: WireFormat) => (inputTokens: number) =>
  play({ blocks: [{ type: 'text', deltas: [said] }], usage: { inputTokens, outputTokens: 9 } }, wire);

const gemini = (inputTokens: number) => ({
  body: geminiStream([{ text: said }], { usage: { promptTokenCount: inputTokens } }),
});
const interaction = (inputTokens: number) => ({
  body: interactionStream([{ type: 'model_output', content: [{ type: 'text', text: said }] }], {
    usage: { total_input_tokens: inputTokens },
  }),
});
const line = (inputTokens: number) => ({
  body: `${JSON.stringify({ message: { content: said }, done: true, done_reason: 'stop', prompt_eval_count: inputTokens })}\n`,
});

type Make = (baseURL: string) => Model;

const known = { apiKey: 'k', contextWindow };
const wires: readonly (readonly [name: string, (inputTokens: number) => Reply, Make])[] = [
  [
    'anthropic',
    wired(anthropicWire),
    (baseURL) => anthropic('claude-opus-5', { ...known, baseURL, maxOutputTokens: 500 }),
  ],
  ['openai', wired(openaiResponsesWire), (baseURL) => openai('gpt-5.6', { ...known, baseURL })],
  ['openaiChat', wired(openaiChatWire), (baseURL) => openaiChat('gpt-4.1', { ...known, baseURL })],
  ['openaiCompatible', wired(openaiChatWire), (baseURL) => openaiCompatible({ ...known, baseURL, model: 'local' })],
  ['openrouter', wired(openaiChatWire), (baseURL) => openrouter('x/y', { ...known, baseURL })],
  ['google', gemini, (baseUrl) => google('gemini-3.8-flash', { ...known, baseUrl })],
  ['googleInteractions', interaction, (baseUrl) => googleInteractions('gemini-3.8-flash', { ...known, baseUrl })],
  ['ollama', line, (baseURL) => ollama('qwen3', { contextWindow, baseURL })],
  [
    'withTextTools',
    wired(openaiChatWire),
    (baseURL) => withTextTools(openaiChat('gpt-4.1', { ...known, baseURL }), 'xml'),
  ],
];

it.each(wires)('%s is never sent more than it can read, from run to run of one thread', async (_, reply, make) => {
  const sent: number[] = [];
  await using server = await loopback(({ body }) => {
    sent.push(tokensIn(body));
    return reply(tokensIn(body));
  });
  const records = createRecords(memoryStorage());
  const toolset = resolveToolset(createRegistry([]), emptySettings, {});
  for (let at = 0; at < 30; at++) {
    const thread = openThread(records, 'grows');
    const messages = `${at} `.padEnd(700, 'Слово ');
    const { status } = await run({ model: make(server.url), toolset, thread, messages }).result;
    expect(status).toBe('complete');
  }
  expect(Math.max(...sent)).toBeLessThanOrEqual(contextWindow);
  expect(Math.max(...sent)).toBeGreaterThan(contextWindow / 2); // and it is not shortened too early
  expect(sent.length).toBe(30); // none was refused, and asked for again
});
