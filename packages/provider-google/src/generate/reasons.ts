import type { FinishReason } from '@utensil/core';

/** What a reason of the API means. It has none for calls: `STOP` is what it says of them. */
export function toReason(reason: string): FinishReason {
  if (reason === 'STOP') return 'stop';
  if (reason === 'MAX_TOKENS' || reason === 'CONTINUATION') return 'length';
  return /SAFETY|PROHIBITED|BLOCKLIST|RECITATION|LANGUAGE|SPII/.test(reason) ? 'content-filter' : 'error';
}

/** For people, where the reason alone says too little. */
export const explanations: Readonly<Record<string, string>> = {
  MALFORMED_FUNCTION_CALL: 'The model wrote a call that cannot be read. Try again.',
  MALFORMED_RESPONSE: 'The model wrote an answer that cannot be read. Try again.',
  UNEXPECTED_TOOL_CALL: 'The model called a tool where it has none to call. Try again.',
  TOO_MANY_TOOL_CALLS: 'The model called too many tools in a row.',
};
