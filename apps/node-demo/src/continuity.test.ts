// One thread over every vendor and back: servers of ours that refuse what the vendors refuse, and their official SDKs.
import {
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  type Message,
  type Model,
  resolveToolset,
  run,
  userMessage,
} from '@utensil/core';
import { anthropic } from '@utensil/provider-anthropic';
import { google } from '@utensil/provider-google';
import { ollama } from '@utensil/provider-ollama';
import { openai, openaiChat } from '@utensil/provider-openai';
import { openaiCompatible } from '@utensil/provider-openai/compatible';
import { openrouter } from '@utensil/provider-openai/openrouter';
import { type Loopback, loopback, type Reply } from '@utensil/tooling-loopback';
import { type Answer, play, type WireFormat } from '@utensil/tooling-loopback/answer';
import { anthropicWire } from '@utensil/tooling-loopback/anthropic-answer';
import { geminiStream } from '@utensil/tooling-loopback/google';
import { openaiChatWire, openaiResponsesWire } from '@utensil/tooling-loopback/openai-answer';
import {
  refuseAnthropicMessages,
  refuseGemini,
  refuseOllamaChat,
  refuseOpenAIChat,
  refuseOpenAIResponses,
  refuseOpenRouter,
  type Validator,
} from '@utensil/tooling-loopback/validators';
import { expect, it } from 'vitest';

interface Vendor {
  readonly name: string;
  /** Whether it wants something back with what it wrote. */
  readonly hasState: boolean;
  readonly refuse: Validator;
  reply(answer: Answer): Reply;
  make(baseURL: string): Model;
}

const apiKey = 'k';
const wired = (wire: WireFormat) => (answer: Answer) => play(answer, wire);

const vendors: readonly Vendor[] = [
  {
    name: 'anthropic',
    hasState: true,
    refuse: refuseAnthropicMessages,
    reply: wired(anthropicWire),
    make: (baseURL) => anthropic('claude-sonnet-5-5', { apiKey, baseURL }),
  },
  {
    name: 'openai',
    hasState: true,
    refuse: refuseOpenAIResponses,
    reply: wired(openaiResponsesWire),
    make: (baseURL) => openai('gpt-5.6', { apiKey, baseURL }),
  },
  {
    name: 'openaiChat',
    hasState: false,
    refuse: refuseOpenAIChat,
    reply: wired(openaiChatWire),
    make: (baseURL) => openaiChat('gpt-4.1', { apiKey, baseURL }),
  },
  {
    name: 'openaiCompatible',
    hasState: false,
    refuse: refuseOpenAIChat,
    reply: wired(openaiChatWire),
    make: (baseURL) => openaiCompatible({ baseURL, model: 'local', quirks: ['short-ids', 'no-null', 'max-tokens'] }),
  },
  {
    name: 'openrouter',
    hasState: true,
    refuse: refuseOpenRouter,
    reply: wired({ ...openaiChatWire, encode: encodeWithDetails }),
    make: (baseURL) => openrouter('google/gemini-3-pro', { apiKey, baseURL }),
  },
  {
    name: 'google',
    hasState: true,
    refuse: refuseGemini,
    reply: (answer) => ({ body: geminiStream(geminiParts(answer)) }),
    make: (baseUrl) => google('gemini-3.8-flash', { apiKey, baseUrl }),
  },
  {
    name: 'ollama',
    hasState: true,
    refuse: refuseOllamaChat,
    reply: (answer) => ({ body: ollamaLine(answer) }),
    make: (baseURL) => ollama('qwen3', { baseURL }),
  },
];

function encodeWithDetails(answer: Answer): ReturnType<WireFormat['encode']> {
  const { content, end } = openaiChatWire.encode(answer);
  const details = { reasoning_details: [{ type: 'reasoning.encrypted', index: 0, data: answer.state }] };
  const chunk = { data: { choices: [{ index: 0, delta: details, finish_reason: null }] } };
  return { content: [chunk, ...content], end };
}

function geminiParts({ blocks, state }: Answer): Readonly<Record<string, unknown>>[] {
  return blocks.map(({ type, deltas, name }, index) => {
    const text = deltas.join('');
    if (type !== 'call') return { text, ...(type === 'reasoning' && { thought: true }) };
    const isFirst = blocks.findIndex((block) => block.type === 'call') === index;
    return { functionCall: { name, args: JSON.parse(text) as object }, ...(isFirst && { thoughtSignature: state }) };
  });
}

function ollamaLine({ blocks, state }: Answer): string {
  const calls = blocks.filter(({ type }) => type === 'call');
  const message = {
    content: blocks.flatMap(({ type, deltas }) => (type === 'text' ? deltas : [])).join(''),
    thinking: state,
    tool_calls: calls.map(({ name, deltas }) => ({
      function: { name, arguments: JSON.parse(deltas.join('')) as object },
    })),
  };
  return `${JSON.stringify({ message, done: true, done_reason: 'stop' })}\n`;
}

const stateOf = ({ name }: Vendor): string => Buffer.from(`sealed by ${name}`).toString('base64');

/** A vendor's server: by turns it thinks and makes two calls, and says that it is done. */
function serve(vendor: Vendor): Promise<Loopback> {
  const state = stateOf(vendor);
  const call = (path: string) => ({ type: 'call', name: 'read_file', deltas: [`{"path":"${path}"}`] }) as const;
  const calling: Answer = {
    blocks: [
      { type: 'reasoning', deltas: [`Thoughts of ${vendor.name}.`] },
      { type: 'text', deltas: ['I look.'] },
      call('a'),
      call('none'),
    ],
    state,
  };
  const done: Answer = { blocks: [{ type: 'text', deltas: [`Done by ${vendor.name}.`] }] };
  let answered = 0;
  return loopback((request) => {
    if (request.path === '/api/show') return { status: 404 };
    const body = request.json();
    const turn = answered++;
    return vendor.refuse(body) ?? withOwnIds(vendor.reply(turn % 2 === 0 ? calling : done), `${vendor.name}_${turn}`);
  });
}

/** No vendor uses an id twice in a thread. */
function withOwnIds(reply: Reply, turn: string): Reply {
  const body = [reply.body ?? []].flat().map(String);
  return { ...reply, body: body.map((text) => text.replaceAll(/"((?:rs|fc|msg|call|toolu)_\d\w*)"/g, `"$1_${turn}"`)) };
}

const read = defineTool({
  name: 'read_file',
  description: 'Reads.',
  input: jsonSchema<{ path: string }>({
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
  }),
  effects: 'read',
  execute({ path }) {
    if (path === 'none') throw new Error('There is no such file.');
    return `content of ${path}`;
  },
});
const toolset = resolveToolset(createRegistry([read]), emptySettings, {});

async function go(model: Model, thread: readonly Message[], text: string): Promise<readonly Message[]> {
  const asked: Message = { ...userMessage(text), id: crypto.randomUUID(), createdAt: 0 };
  const { status, error, messages } = await run({ model, toolset, messages: [...thread, asked] }).result;
  expect({ status, error }).toEqual({ status: 'complete', error: undefined });
  return messages;
}

it.each(vendors)(
  'what $name began goes on with every other, and comes back to it with what it wants back',
  async (first) => {
    await using own = await serve(first);
    for (const second of vendors.filter(({ name }) => name !== first.name)) {
      await using other = await serve(second);
      const begun = await go(first.make(own.url), [], 'Begin.');
      const continued = await go(second.make(other.url), begun, 'Go on.');
      const returned = await go(first.make(own.url), continued, 'And back.');
      expect(returned.filter(({ role }) => role === 'assistant')).toHaveLength(6);
      const [seen, back] = [other.requests.at(-1)?.body ?? '', own.requests.at(-1)?.body ?? ''];
      for (const said of [`Done by ${first.name}.`, 'content of a', 'There is no such file.'])
        expect(seen).toContain(said);
      expect(seen).not.toContain(stateOf(first));
      expect(back).toContain(`Done by ${second.name}.`);
      expect(back.includes(stateOf(first))).toBe(first.hasState);
      expect(back).not.toContain(stateOf(second));
    }
  },
);
