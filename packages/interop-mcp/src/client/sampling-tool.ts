import { defineTool, jsonSchema } from '@utensil/core';
import type { Tool } from '@utensil/core';

/** Options of {@link samplingTool}. */
export interface SamplingToolOptions {
  /** Default: `answer_server`. */
  readonly name?: string;
  /** Maximum input and output tokens of one request. Default: 20,000. */
  readonly maxTokens?: number;
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
