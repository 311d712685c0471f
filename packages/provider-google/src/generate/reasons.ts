import type { FinishReason } from '@utensil/core';

/** What the API's reasons mean. It has none for calls, and `STOP` is what it says of them. */
export const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['CONTINUATION', 'length'],
  ...['SAFETY', 'RECITATION', 'LANGUAGE', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'].map(filtered),
  ...['IMAGE_SAFETY', 'IMAGE_PROHIBITED_CONTENT', 'IMAGE_RECITATION'].map(filtered),
]);

function filtered(reason: string): [string, FinishReason] {
  return [reason, 'content-filter'];
}

/** For people, where the reason alone says too little. */
export const explanations: ReadonlyMap<string, string> = new Map([
  ['MALFORMED_FUNCTION_CALL', 'The model wrote a call that cannot be read. Try again.'],
  ['MALFORMED_RESPONSE', 'The model wrote an answer that cannot be read. Try again.'],
  ['UNEXPECTED_TOOL_CALL', 'The model called a tool where it has none to call. Try again.'],
  ['TOO_MANY_TOOL_CALLS', 'The model called too many tools in a row.'],
  ['LANGUAGE', 'The answer was in a language that the model does not support.'],
  ['RECITATION', 'The answer repeated a text that is somebody else’s.'],
]);
