import type { Message, Part } from '../../model/message.ts';

/** What vendors count for an image of ordinary size, and about what they count for a page or two. */
const mediaTokens = 1_500;

/** Tokens for a character of base64 of a text. */
const textShare = 0.75 / 4;

/** Tokens for a character of base64 of a recording: 32 for a second of 128 kbit. */
const audioShare = 0.75 / 500;

/** What a message costs beyond its parts. */
const messageTokens = 4;

const estimates = new WeakMap<Message, number>();

/**
 * About how many tokens a message takes in a request: one for 4 characters, or for 1.5 of Chinese, Japanese and Korean;
 * 1500 for an image or a file that is no text, and 32 for a second of a recording. What a provider sends of its own beside the parts is not counted.
 */
export function estimateTokens(message: Message): number {
  let tokens = estimates.get(message);
  if (tokens === undefined) {
    tokens = Math.ceil(message.parts.reduce((sum, part) => sum + tokensOf(part), messageTokens));
    estimates.set(message, tokens);
  }
  return tokens;
}

/** The sum of {@link estimateTokens}. */
export function estimateAll(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(message), 0);
}

function tokensOf(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return tokensOfText(part.text);
    case 'file':
      return part.data !== undefined && part.mediaType.startsWith('text/') ? part.data.length * textShare : mediaTokens;
    case 'image':
      return mediaTokens;
    case 'audio':
      return part.data === undefined ? mediaTokens : part.data.length * audioShare;
    case 'resource-link':
      return tokensOfText(JSON.stringify(part));
    case 'source':
      return tokensOfText(part.url);
    case 'provider-result':
      return 0; // what the provider gets back of it is counted by the provider
    case 'tool-call':
      return tokensOfText(`${part.name}${part.invalidInput ?? JSON.stringify(part.input)}`);
    case 'tool-result':
    case 'late-result':
      return part.modelParts.reduce((sum, each) => sum + tokensOf(each), 0);
  }
}

/** About how many tokens a text takes. */
export function tokensOfText(text: string): number {
  let wide = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) >= 0x2e80) wide++;
  return (text.length - wide) / 4 + wide / 1.5;
}
