import type { Message } from '@utensil/core';
import { isContent, isMedia, isReadable, toWords, wellFormed } from '@utensil/core/provider';
import type { Prompt, PromptContent } from './prompt-api.ts';

/** Media that a model accepts besides text. */
export type BrowserInput = 'image' | 'audio';

/**
 * The messages of a history as the browser takes them. Results of tools are messages of the user: the history of a model
 * that takes no tools has none, unless it had tools at another provider.
 */
export function toPrompts(messages: readonly Message[], inputs: readonly BrowserInput[]): readonly Prompt[] {
  return messages.flatMap((message): Prompt[] => {
    const content = message.parts.flatMap((part): PromptContent[] => {
      if (part.type === 'tool-result') return part.modelParts.flatMap((each) => toContent(each, inputs));
      return isContent(part) ? toContent(part, inputs) : [];
    });
    if (content.length === 0) return [];
    return [{ role: message.role === 'assistant' ? 'assistant' : 'user', content: asText(content) ?? content }];
  });
}

function toContent(part: Parameters<typeof toWords>[0], inputs: readonly BrowserInput[]): PromptContent[] {
  const isShown =
    isMedia(part) && part.data !== undefined && isReadable(part) && inputs.some((each) => each === part.type);
  if (isShown) return [{ type: part.type as BrowserInput, value: bytesOf(part.data) }];
  const words = toWords(part);
  return words === '' ? [] : [{ type: 'text', value: wellFormed(words) }];
}

function bytesOf(data: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
}

/** Content without media is one text. */
function asText(content: readonly PromptContent[]): string | undefined {
  const texts = content.flatMap((each) => (each.type === 'text' ? [each.value] : []));
  return texts.length === content.length ? texts.join('\n\n') : undefined;
}
