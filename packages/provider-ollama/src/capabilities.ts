import { type ModelRequest, isObject } from '@utensil/core';
import type { Ollama } from 'ollama/browser';
import { hasImages } from './messages.ts';
import type { Capabilities } from './request.ts';

/**
 * What a model can do, from its server: a request with images, or one that asks for thought, is refused as a whole by a
 * model that has no eyes, or does not think. Nothing else needs to be known, so nothing else is asked for.
 */
export function capabilitiesOf(modelId: string): (request: ModelRequest, client: Ollama) => Promise<Capabilities> {
  let known: Capabilities;
  return async function capabilities({ messages, reasoning }, client) {
    const matters = (reasoning !== undefined && reasoning !== 'none') || hasImages(messages);
    if (matters) known ??= await ask(modelId, client);
    return known;
  };
}

/** Older servers do not say; and a server that fails will say so of the request itself. */
async function ask(modelId: string, client: Ollama): Promise<Capabilities> {
  const shown: unknown = await client.show({ model: modelId }).catch(() => undefined);
  const listed = isObject(shown) ? shown['capabilities'] : undefined;
  return Array.isArray(listed) ? new Set(listed.map(String)) : undefined;
}
