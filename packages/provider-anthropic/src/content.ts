import type {
  DocumentBlockParam,
  ImageBlockParam,
  TextBlockParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import { type ContentPart, type FilePart, type ImagePart, type ToolResultPart, decodeText } from '@utensil/core';

/** What a user message and a tool's result are made of. */
export type InputBlock = TextBlockParam | ImageBlockParam | DocumentBlockParam;

/** Parts as the API takes them. Never empty, and without blank text, which the API refuses. */
export function toBlocks(parts: readonly ContentPart[]): InputBlock[] {
  const blocks = parts.map(toBlock).filter((block) => block.type !== 'text' || !isBlank(block.text));
  return blocks.length > 0 ? blocks : [{ type: 'text', text: '(empty)' }];
}

/** The answer to a call. Calls and results are matched by id alone. */
export function toToolResult({ callId, modelParts, isError }: ToolResultPart): ToolResultBlockParam {
  const blocks = toBlocks(modelParts);
  const [first] = blocks;
  return {
    type: 'tool_result',
    tool_use_id: toId(callId),
    content: blocks.length === 1 && first?.type === 'text' ? first.text : blocks,
    ...(isError && { is_error: true }),
  };
}

/** The id of a call in the API's alphabet: other providers' ids may have more. */
export function toId(callId: string): string {
  return callId.replaceAll(/[^A-Za-z0-9_-]/g, '_') || '_';
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** A file for a place that takes text only. */
export function describeFile({ mediaType, url, ...part }: ImagePart | FilePart): string {
  const name = 'name' in part ? ` "${part.name}"` : '';
  const place = url === undefined ? '' : ` at ${url}`;
  return `[${part.type === 'image' ? 'Image' : 'File'}${name} (${mediaType})${place}, not shown to this model]`;
}

function toBlock(part: ContentPart): InputBlock {
  if (part.type === 'text') return { type: 'text', text: part.text };
  return toImage(part) ?? toDocument(part) ?? { type: 'text', text: describeFile(part) };
}

const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

function toImage({ mediaType, data, url }: ImagePart | FilePart): ImageBlockParam | undefined {
  const media_type = imageTypes.find((type) => type === mediaType);
  if (media_type === undefined) return undefined;
  if (data !== undefined) return { type: 'image', source: { type: 'base64', media_type, data } };
  return url === undefined ? undefined : { type: 'image', source: { type: 'url', url } };
}

function toDocument(part: ImagePart | FilePart): DocumentBlockParam | undefined {
  const source = toDocumentSource(part);
  if (source === undefined) return undefined;
  return { type: 'document', source, ...('name' in part && { title: part.name }) };
}

function toDocumentSource({ mediaType, data, url }: ImagePart | FilePart): DocumentBlockParam['source'] | undefined {
  if (mediaType === 'application/pdf') {
    if (data !== undefined) return { type: 'base64', media_type: 'application/pdf', data };
    return url === undefined ? undefined : { type: 'url', url };
  }
  if (data === undefined || !/^text\/|^application\/(?:.+\+)?(?:json|xml|yaml|javascript)$/.test(mediaType))
    return undefined;
  const text = textFromBase64(data);
  return text === undefined || isBlank(text) ? undefined : { type: 'text', media_type: 'text/plain', data: text };
}

function textFromBase64(data: string): string | undefined {
  try {
    return decodeText(Uint8Array.from(atob(data), (character) => character.charCodeAt(0)))?.text;
  } catch {
    return undefined; // described instead
  }
}
