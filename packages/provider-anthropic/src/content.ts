import type {
  DocumentBlockParam,
  ImageBlockParam,
  TextBlockParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import type { ContentPart, ToolResultPart } from '@utensil/core';
import {
  type Media,
  describePart,
  fileName,
  isMedia,
  isReadable,
  textInFile,
  withPartOptions,
} from '@utensil/core/provider';
import { api } from './state.ts';

/** A content block of a user message or a tool's result. */
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
    content: blocks.length === 1 && first?.type === 'text' && isBare(first) ? first.text : blocks,
    ...(isError && { is_error: true }),
  };
}

function isBare(block: object): boolean {
  return Object.keys(block).length === 2;
}

/** The id of a call in the API's alphabet: other providers' ids may have more. */
export function toId(callId: string): string {
  return callId.replaceAll(/[^A-Za-z0-9_-]/g, '_') || '_';
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

function toBlock(part: ContentPart): InputBlock {
  if (part.type === 'text') return withPartOptions({ type: 'text', text: part.text }, part, api);
  const media = isMedia(part) && isReadable(part) ? (toImage(part) ?? toDocument(part)) : undefined;
  return media === undefined ? { type: 'text', text: describePart(part) } : withPartOptions(media, part, api);
}

const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

function toImage({ mediaType, data, url }: Media): ImageBlockParam | undefined {
  const media_type = imageTypes.find((type) => type === mediaType);
  if (media_type === undefined) return undefined;
  if (data !== undefined) return { type: 'image', source: { type: 'base64', media_type, data } };
  return url === undefined ? undefined : { type: 'image', source: { type: 'url', url } };
}

function toDocument(part: Media): DocumentBlockParam | undefined {
  const source = toDocumentSource(part);
  if (source === undefined) return undefined;
  const title = fileName(part);
  return { type: 'document', source, ...(title !== undefined && { title }) };
}

function toDocumentSource(part: Media): DocumentBlockParam['source'] | undefined {
  const { mediaType, data, url } = part;
  if (mediaType === 'application/pdf') {
    if (data !== undefined) return { type: 'base64', media_type: 'application/pdf', data };
    return url === undefined ? undefined : { type: 'url', url };
  }
  const text = textInFile(part);
  return text === undefined || isBlank(text) ? undefined : { type: 'text', media_type: 'text/plain', data: text };
}
