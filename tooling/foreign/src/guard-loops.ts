import { type JsonObject, run, type Toolset, type ToolResult } from '@utensil/core';
import { openaiChat } from '@utensil/provider-openai';
import OpenAI from 'openai';
import { definitionsOf } from './openai-tools.ts';

/** A loop with a guarded toolset, and the results of its calls in order. */
export interface GuardLoop {
  readonly name: string;
  play(toolset: Toolset, url: string): Promise<readonly Outcome[]>;
}

/** Result of a call, as far as both loops know it. */
export type Outcome = Pick<ToolResult, 'output' | 'isError'> & { readonly code: string; readonly deniedBy: string };

export const question = 'Go.';

/** A loop written by hand with the vendor's SDK; of Utensil, it uses only the toolset. */
const byHand: GuardLoop = {
  name: 'a loop over the official SDK of OpenAI',
  async play(toolset, url) {
    const client = new OpenAI({ apiKey: 'none', baseURL: `${url}/v1` });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: question }];
    const outcomes: Outcome[] = [];
    const { signal } = new AbortController();
    for (;;) {
      const tools = definitionsOf(toolset);
      const { choices } = await client.chat.completions.create({ model: 'gpt-4.1', messages, tools });
      const message = choices[0]?.message;
      if (message === undefined) throw new Error('The model gave no answer.');
      messages.push(message);
      if (message.tool_calls === undefined || message.tool_calls.length === 0) return outcomes;
      for (const call of message.tool_calls) {
        if (call.type !== 'function') continue;
        const { name } = call.function;
        const input = JSON.parse(call.function.arguments) as JsonObject;
        const context = { projectId: 'default', runId: 'conversation', callId: call.id, signal };
        const result = await toolset.execute({ name, input }, context);
        outcomes.push(outcomeOf(result));
        messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify(result.output) });
      }
    }
  },
};

const ours: GuardLoop = {
  name: '`run`',
  async play(toolset, url) {
    const model = openaiChat('gpt-4.1', { apiKey: 'none', baseURL: `${url}/v1` });
    const { messages } = await run({ model, toolset, messages: question, limits: { retries: 0 } }).result;
    const parts = messages.flatMap((message) => message.parts);
    return parts.filter((part) => part.type === 'tool-result').map(outcomeOf);
  },
};

function outcomeOf({
  output,
  isError,
  code = '',
  deniedBy = '',
}: Partial<Outcome> & Pick<Outcome, 'output' | 'isError'>): Outcome {
  return { output, isError, code, deniedBy };
}

export const loops: readonly GuardLoop[] = [byHand, ours];
