import type { AudioPart, ImagePart, FilePart, Json, JsonObject, Message, Part, RunEvent } from '@utensil/core';

/** A message part in the form of the conventions. */
export type ContentPart = JsonObject & { readonly type: string };

/** A message in the form of the conventions. */
export interface ContentMessage {
  readonly role: Message['role'];
  readonly parts: readonly ContentPart[];
}

export function toContent({ role, parts }: Message): ContentMessage {
  return { role, parts: parts.map(partOf) };
}

function partOf(part: Part): ContentPart {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, content: part.text };
    case 'tool-call':
      return { type: 'tool_call', id: part.callId, name: part.name, arguments: part.invalidInput ?? part.input };
    case 'tool-result':
    case 'late-result':
      return { type: 'tool_call_response', id: part.callId, response: part.modelParts.map(partOf) };
    case 'provider-result':
      return { type: 'tool_call_response', id: part.callId, response: part.output };
    case 'source':
      return { type: 'source', uri: part.url };
    case 'image':
    case 'audio':
    case 'file':
      return mediaOf(part);
    case 'resource-link':
      return { type: 'resource_link', uri: part.uri, name: part.name };
  }
}

/** Media are described, not copied. */
function mediaOf(part: ImagePart | AudioPart | FilePart): ContentPart {
  const modality = part.type === 'file' ? 'document' : part.type;
  const isLinked = part.url !== undefined && !part.url.startsWith('data:');
  return isLinked
    ? { type: 'uri', modality, mime_type: part.mediaType, uri: part.url ?? '' }
    : { type: part.type, modality, mime_type: part.mediaType, characters: (part.data ?? part.url ?? '').length };
}

/** The message of a turn, built from its events. */
export interface Output {
  /** Adds the content of an event. */
  add(event: RunEvent): void;
  message(finishReason: string): Json;
}

export function createOutput(): Output {
  const parts: ContentPart[] = [];

  function write(type: 'text' | 'reasoning', text: string): void {
    const last = parts.at(-1);
    if (last?.type === type) parts[parts.length - 1] = { type, content: `${String(last['content'])}${text}` };
    else parts.push({ type, content: text });
  }

  return {
    add(part) {
      if (part.type === 'text-delta') write('text', part.text);
      else if (part.type === 'reasoning-delta') write('reasoning', part.text);
      else if (part.type === 'tool-call' || part.type === 'source' || part.type === 'file') parts.push(partOf(part));
      else if (part.type === 'provider-result') parts.push(partOf(part));
    },
    message: (finishReason) => ({ role: 'assistant', parts, finish_reason: finishReason }),
  };
}
