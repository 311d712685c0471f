// A hand-written loop: no registry, settings, limits, aborts, events or journal.

import OpenAI from 'openai';
import type { FunctionTool, ResponseInputItem } from 'openai/resources/responses/responses';
import * as z from 'zod/mini';
import {
  callAt,
  finalText,
  forecast,
  fragments,
  indices,
  type Input,
  inputSchema,
  question,
  toolDescription,
  toolName,
  type Work,
} from '../work.ts';
import type { Setup, Variant } from './variant.ts';

/** A tool of the hand-written loop. */
export interface HandTool {
  readonly definition: FunctionTool;
  readonly schema: ReturnType<typeof inputSchema>;
  execute(input: Input): unknown;
}

export function handTools({ tools, onCall }: Setup): readonly HandTool[] {
  return indices(tools).map((index) => {
    const schema = inputSchema();
    const { $schema: _, '~standard': __, ...parameters } = z.toJSONSchema(schema, { io: 'input' });
    return {
      schema,
      definition: {
        type: 'function',
        name: toolName(index),
        description: toolDescription(index),
        parameters: parameters,
        strict: false,
      },
      execute(input) {
        onCall(input);
        return forecast(input);
      },
    };
  });
}

/** Finds the tool, validates its arguments and runs it. Errors become text for the model. */
export async function call(tools: ReadonlyMap<string, HandTool>, name: string, text: string): Promise<string> {
  const tool = tools.get(name);
  if (tool === undefined) return `Unknown tool: ${name}`;
  try {
    return JSON.stringify(await tool.execute(tool.schema.parse(JSON.parse(text))));
  } catch (error) {
    return `Tool execution failed: ${String(error)}`;
  }
}

export function byName(tools: readonly HandTool[]): ReadonlyMap<string, HandTool> {
  return new Map(tools.map((tool) => [tool.definition.name, tool]));
}

/** Tools in the order in which our loop sends them. */
export function definitionsOf(tools: readonly HandTool[]): FunctionTool[] {
  return tools.map(({ definition }) => definition).sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function bodyOf(input: readonly ResponseInputItem[], tools: readonly FunctionTool[]) {
  return {
    model: 'gpt-5.1',
    input: [...input],
    tools: [...tools],
    store: false,
    include: ['reasoning.encrypted_content' as const],
    stream: true as const,
  };
}

/** Over the official SDK and the Responses API, with the same bodies as ours. */
export const http: Variant = (setup) => {
  const defined = handTools(setup);
  const tools = byName(defined);
  const definitions = definitionsOf(defined);
  return {
    async run(_, baseURL) {
      const client = new OpenAI({ baseURL, apiKey: 'none' });
      const input: ResponseInputItem[] = [{ role: 'user', content: question }];
      for (;;) {
        let text = '';
        const results: ResponseInputItem[] = [];
        for await (const event of await client.responses.create(bodyOf(input, definitions))) {
          if (event.type === 'response.output_text.delta') text += event.delta;
          if (event.type !== 'response.output_item.done') continue;
          const { item } = event;
          input.push(item as ResponseInputItem);
          if (item.type !== 'function_call') continue;
          const output = await call(tools, item.name, item.arguments);
          results.push({ type: 'function_call_output', call_id: item.call_id, output });
        }
        if (results.length === 0) return text;
        input.push(...results);
      }
    },
  };
};

interface Message {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly content: unknown;
}

/** Over a model in memory that streams fragments. */
export const scripted: Variant = (setup) => {
  const tools = byName(handTools(setup));
  return {
    async run(work) {
      const messages: Message[] = [{ role: 'user', content: question }];
      for (let step = 0; ; step++) {
        const written = { name: '', text: '' };
        setup.onRequest();
        for await (const part of stream(step, work)) {
          if ('name' in part) written.name = part.name;
          else written.text += part.delta;
        }
        messages.push({ role: 'assistant', content: written });
        if (written.name === '') return written.text;
        messages.push({ role: 'tool', content: await call(tools, written.name, written.text) });
      }
    },
  };
};

async function* stream(
  step: number,
  work: Work,
): AsyncGenerator<{ readonly name: string } | { readonly delta: string }> {
  const { name, text } = callAt(step, work);
  const isCall = step < work.calls;
  if (isCall) yield { name };
  for (const delta of fragments(isCall ? text : finalText(work))) yield { delta };
}
