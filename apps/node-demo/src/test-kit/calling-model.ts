import type { JsonObject } from '@utensil/core';
import { loopback } from '@utensil/tooling-loopback';
import { anthropicStream } from '@utensil/tooling-loopback/anthropic';

/** A call that the model makes. */
export interface ModelCall {
  readonly name: string;
  readonly input: JsonObject;
}

/** A server of a model that makes one call a turn, and then says `Done.` Its requests contain the offered tools and the messages. */
export async function callingModel(calls: readonly ModelCall[]) {
  const server = await loopback((_, index) => {
    const call = calls[index];
    const block = call === undefined ? { type: 'text', text: 'Done.' } : { type: 'tool_use', id: `c${index}`, ...call };
    return { body: anthropicStream([block]) };
  });
  const offered = (index: number): readonly string[] => {
    const { tools = [] } = (server.requests[index]?.json() ?? {}) as { tools?: readonly { name: string }[] };
    return tools.map(({ name }) => name);
  };
  return Object.assign(server, { offered, env: { ANTHROPIC_API_KEY: 'k' } });
}
