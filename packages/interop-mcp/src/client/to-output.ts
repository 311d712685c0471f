import { isObject, result, toJson } from '@utensil/core';
import type { ContentPart, ExplicitResult, Json } from '@utensil/core';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { structuredKey } from './admit-answers.ts';

/** Output of a call. The model sees the content or the structured output, never both forms of the same data. */
export function toOutput(
  { content, structuredContent, isError = false, _meta: meta }: CallToolResult,
  { hasOutput }: HasOutput,
): Json | ExplicitResult {
  const structured = structuredContent ?? meta?.[structuredKey];
  const forModel = content.filter(isForModel);
  const parts = forModel.map(toPart);
  if (isError) return failed(parts);
  if (structured === undefined && hasOutput)
    return failed([told('The server left out the structured output that it had promised.'), ...parts]);
  if (structured === undefined) return plain(parts);
  const output = toJson(structured);
  const others = forModel.filter((block) => !isSame(block, output)).map(toPart);
  return others.length === 0 ? output : result({ output, parts: others });
}

interface HasOutput {
  /** True if the tool has an output schema. */
  readonly hasOutput: boolean;
}

function failed(parts: readonly ContentPart[]): ExplicitResult {
  return result({
    output: summary(parts),
    parts: parts.length === 0 ? [told('It failed, and the server did not say why.')] : parts,
    isError: true,
  });
}

/** A single text is the output itself, so that its omitted part can be read on. */
function plain(parts: readonly ContentPart[]): Json | ExplicitResult {
  const [first] = parts;
  if (parts.length === 0) return null;
  if (parts.length === 1 && first?.type === 'text') return first.text;
  return result({ output: summary(parts), parts });
}

/** The parts as stored in a thread, without data that the model's parts contain already. */
function summary(parts: readonly ContentPart[]): Json {
  const [first] = parts;
  if (parts.length === 1 && first?.type === 'text') return first.text;
  return parts.map((part) => {
    const { data, ...rest } = part as { readonly data?: string } & ContentPart;
    return toJson(data === undefined ? rest : { ...rest, base64Length: data.length });
  });
}

/** Content for people only is hidden from models. */
function isForModel({ annotations }: ContentBlock): boolean {
  const audience = annotations?.audience;
  return audience === undefined || audience.length === 0 || audience.includes('assistant');
}

/** True for a text that repeats the structured output: servers add one for clients without structured output. */
function isSame(block: ContentBlock, output: Json): boolean {
  if (block.type !== 'text') return false;
  if (block.text === output) return true;
  try {
    return isEqual(JSON.parse(block.text), output);
  } catch {
    return false;
  }
}

function isEqual(one: unknown, other: unknown): boolean {
  if (Array.isArray(one))
    return (
      Array.isArray(other) && one.length === other.length && one.every((each, index) => isEqual(each, other[index]))
    );
  if (!isObject(one) || !isObject(other)) return one === other;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key]))
  );
}

function told(text: string): ContentPart {
  return { type: 'text', text };
}

function toPart(block: ContentBlock): ContentPart {
  switch (block.type) {
    case 'text':
      return told(block.text);
    case 'image':
    case 'audio':
      return media(block.type, block);
    case 'resource': {
      const { resource } = block;
      if ('text' in resource) return told(`[${resource.uri}]\n${resource.text}`);
      return media(
        'file',
        { data: resource.blob, mimeType: resource.mimeType ?? 'application/octet-stream' },
        resource.uri,
      );
    }
    case 'resource_link':
      return linkOf(block);
  }
}

const mediaTypes = {
  image: /^image\/[\w.+-]{1,100}$/,
  audio: /^audio\/[\w.+-]{1,100}$/,
  file: /^[\w.+-]{1,50}\/[\w.+-]{1,100}$/,
} as const;

/** Data that would make a model's API reject the whole request is described instead. */
function media(
  type: keyof typeof mediaTypes,
  { data, mimeType }: { readonly data: string; readonly mimeType: string },
  uri?: string,
): ContentPart {
  const mediaType = mimeType.replace(/;.*$/s, '').trim().toLowerCase();
  const isValid = data.length > 0 && data.length % 4 === 0 && !/[^A-Za-z0-9+/=]/.test(data);
  if (!isValid || !mediaTypes[type].test(mediaType))
    return told(`[The server sent data of the type "${mimeType.slice(0, 50)}" that is not valid. It is left out.]`);
  const name = uri?.split('/').at(-1);
  return type === 'file'
    ? { type, mediaType, data, ...(name !== undefined && name !== '' && { name }) }
    : { type, mediaType, data };
}

function linkOf({
  uri,
  name,
  title,
  description,
  mimeType,
  size,
}: Extract<ContentBlock, { type: 'resource_link' }>): ContentPart {
  return {
    type: 'resource-link',
    uri,
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mediaType: mimeType }),
    ...(size !== undefined && { size }),
  };
}
