import { type ModelRequest, isObject } from '@utensil/core';
import type { Ollama } from 'ollama/browser';
import { hasImages } from './messages.ts';
import type { Capabilities } from './request.ts';

/**
 * Capabilities of a model, from its server: a model without vision or thinking refuses a whole request with images or
 * thinking. Nothing else needs to be known, so the server is not asked for anything else.
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
