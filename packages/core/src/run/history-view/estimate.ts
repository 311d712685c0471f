import type { Message, Part } from '../../model/message.ts';

/** Typical vendor counts of an ordinary image, and roughly of one or two pages. */
const mediaTokens = 1_500;

/** Tokens per base64 character of a text. */
const textShare = 0.75 / 4;

/** Tokens per base64 character of a recording: 32 per second at 128 kbit/s. */
const audioShare = 0.75 / 500;

/** Overhead of a message in addition to its parts. */
const messageTokens = 4;

const estimates = new WeakMap<Message, number>();

/**
 * Estimates the tokens of a message in a request: one per 4 characters, or per 1.5 of Chinese, Japanese and Korean;
 * 1500 for an image or a file that is not text, and 32 per second of a recording. Provider state in addition to the
 * parts is not counted.
 */
export function estimateTokens(message: Message): number {
  let tokens = estimates.get(message);
  if (tokens === undefined) {
    tokens = Math.ceil(message.parts.reduce((sum, part) => sum + tokensOf(part), messageTokens));
    estimates.set(message, tokens);
  }
  return tokens;
}

/** Sum of {@link estimateTokens}. */
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
      return 0; // the provider counts its own state
    case 'tool-call':
      return tokensOfText(`${part.name}${part.invalidInput ?? JSON.stringify(part.input)}`);
    case 'tool-result':
    case 'late-result':
      return part.modelParts.reduce((sum, each) => sum + tokensOf(each), 0);
  }
}

/** Estimates the tokens of a text. */
export function tokensOfText(text: string): number {
  let wide = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) >= 0x2e80) wide++;
  return (text.length - wide) / 4 + wide / 1.5;
}
