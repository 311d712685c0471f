import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import type { ContentPart, FilePart, ToolResult } from '@utensil/core';

/** Result of a call in MCP's form. `hasOutput`: the tool has an output schema. */
export function toCallResult(
  { modelParts, output, isError }: ToolResult,
  { hasOutput }: { readonly hasOutput: boolean },
): CallToolResult {
  return {
    content: modelParts.map(toBlock),
    ...(isError && { isError }),
    ...(hasOutput && !isError && { structuredContent: output }),
  };
}

/** A result that explains why there is no other. */
export function refusal(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Text in place of a part that clients cannot take: it would turn a completed call into a protocol error. */
function toBlock(part: ContentPart): ContentBlock {
  if ('data' in part && part.data !== undefined && !isBase64(part.data))
    return { type: 'text', text: `[${part.type} (${part.mediaType}): its data is not base64.]` };
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image':
    case 'audio':
      return part.data === undefined ? linkTo(part) : { type: part.type, data: part.data, mimeType: part.mediaType };
    case 'file':
      return part.data === undefined ? linkTo(part) : embedded({ ...part, data: part.data });
    case 'resource-link': {
      const { uri, name, title, description, mediaType, size } = part;
      return {
        type: 'resource_link',
        uri,
        name,
        ...(title !== undefined && { title }),
        ...(description !== undefined && { description }),
        ...(mediaType !== undefined && { mimeType: mediaType }),
        ...(size !== undefined && { size }),
      };
    }
    default:
      return { type: 'text', text: JSON.stringify(part) };
  }
}

function isBase64(data: string): boolean {
  try {
    atob(data);
    return true;
  } catch {
    return false;
  }
}

function linkTo({
  type,
  mediaType,
  url = '',
  name,
}: Exclude<ContentPart, { type: 'text' | 'resource-link' }> & { readonly name?: string }): ContentBlock {
  return { type: 'resource_link', uri: url, name: name ?? type, mimeType: mediaType };
}

/** An embedded file: text as text, all else as base64. */
function embedded({ mediaType, name = 'file', data }: FilePart & { readonly data: string }): ContentBlock {
  const uri = `file:///${encodeURIComponent(name)}`;
  const text = mediaType.startsWith('text/') ? textIn(data) : undefined;
  const content = text === undefined ? { blob: data } : { text };
  return { type: 'resource', resource: { uri, mimeType: mediaType, ...content } };
}

function textIn(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
