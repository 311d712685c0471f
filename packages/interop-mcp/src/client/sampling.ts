import { defineTool, isObject, jsonSchema } from '@utensil/core';
import type { JsonObject, Tool, ToolContext } from '@utensil/core';
import { shown } from './questions.ts';

/** Lets a server ask the model of the run: see {@link samplingTool}. */
export interface McpSampling {
  /** Name of the {@link samplingTool} in the registry. */
  readonly tool: string;
  /** Maximum number of requests in one call of the server's tools. Default: 5. */
  readonly requests?: number;
}

/** Options of {@link samplingTool}. */
export interface SamplingToolOptions {
  /** Default: `answer_server`. */
  readonly name?: string;
  /** Maximum input and output tokens of one request. Default: 20,000. */
  readonly maxTokens?: number;
}

/** A call of a server's tool, during which the server may ask the model and the person. */
export interface SamplingCall extends Pick<ToolContext, 'call' | 'signal'> {
  /** Number of its requests to the model so far. */
  sampled: number;
  /** Number of its questions to the person so far. */
  asked: number;
}

interface SamplingInput {
  readonly server: string;
  readonly system?: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
  readonly maxTokens?: number;
}

/** Characters per token, for the length of a request and an answer. */
const charactersPerToken = 4;

const text = { type: 'string' } as const;
const message = {
  type: 'object',
  properties: { role: { enum: ['user', 'assistant'] }, text },
  required: ['role', 'text'],
} as const;

/**
 * Answers requests of MCP servers with the run's model. Each is decided like any other call with outward effects: by
 * policy, rules and the user, who sees the whole request. The model sees nothing of the conversation, and has no tools.
 * Its tokens count towards the run's limits and budget.
 *
 * @example
 * ```ts
 * import { createRegistry } from '@utensil/core';
 * import { mcpSource, samplingTool } from '@utensil/interop-mcp/client';
 *
 * const registry = createRegistry([samplingTool()]);
 * const server = { url: 'https://mcp.example.com/mcp' };
 * const source = mcpSource(server, { sampling: { tool: 'answer_server' } });
 * ```
 */
export function samplingTool({ name = 'answer_server', maxTokens = 20_000 }: SamplingToolOptions = {}): Tool {
  return defineTool({
    name,
    title: 'Answer a server',
    description: 'Answers a request that a server makes while it works. For servers only: do not call it.',
    input: jsonSchema<SamplingInput>({
      type: 'object',
      properties: {
        server: text,
        system: text,
        messages: { type: 'array', items: message, minItems: 1, maxItems: 100 },
        maxTokens: { type: 'integer', minimum: 1 },
      },
      required: ['server', 'messages'],
    }),
    effects: 'write', // the answer leaves the app
    openWorld: true,
    defer: true,
    render: { title: 'Ask the model for {server}' },
    async execute({ system = '', messages, maxTokens: wanted = maxTokens }, _options, context) {
      const length = messages.reduce((sum, { text: said }) => sum + said.length, system.length);
      if (length > charactersPerToken * maxTokens)
        throw new Error(`The request has ${length} characters; ${charactersPerToken * maxTokens} are allowed.`);
      const child = await context.run({
        messages: messages.map(({ role, text: said }) => ({ role, parts: [{ type: 'text', text: said }] })),
        instructions: system,
        tools: [],
        limits: { steps: 1, tokens: maxTokens },
      });
      const { status, text: answer, error } = await child.result;
      if (answer === '') throw error ?? new Error(`The model gave no answer: ${status}.`);
      return answer.slice(0, charactersPerToken * Math.min(wanted, maxTokens));
    },
  });
}

/**
 * Answers a request of a server.
 *
 * @throws if it is not made of texts, is one too many, or was not allowed. The server is told no more.
 */
export async function sample(
  params: unknown,
  { tool, requests = 5 }: McpSampling,
  { server, call }: { readonly server: string; readonly call: SamplingCall },
): Promise<JsonObject> {
  const input = inputOf(params, server);
  if (call.sampled >= requests) throw new Error(`No more than ${requests} requests are answered in one call.`);
  call.sampled++;
  const { output, isError } = await call.call(tool, input, { signal: call.signal });
  if (isError || typeof output !== 'string') throw new Error('The request was not answered.');
  return { role: 'assistant', content: { type: 'text', text: output }, model: 'unknown', stopReason: 'endTurn' };
}

function inputOf(params: unknown, server: string): JsonObject {
  const { messages, systemPrompt, maxTokens } = isObject(params) ? params : {};
  if (!Array.isArray(messages) || messages.length === 0) throw new Error('The request has no messages.');
  return {
    server,
    ...(typeof systemPrompt === 'string' && { system: shown(systemPrompt) }),
    messages: messages.map(messageOf),
    ...(Number.isInteger(maxTokens) && (maxTokens as number) > 0 && { maxTokens: maxTokens as number }),
  };
}

function messageOf(given: unknown): JsonObject {
  const { role, content } = isObject(given) ? given : {};
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  const texts = blocks.map((block) => {
    if (!isObject(block) || block['type'] !== 'text' || typeof block['text'] !== 'string')
      throw new Error('Only texts are answered.');
    return shown(block['text']);
  });
  return { role: role === 'assistant' ? role : 'user', text: shown(texts.join('\n')) };
}
