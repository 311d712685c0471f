import type { ResultFrame, ToolList } from './dialect.ts';

/** Results between two tokens. */
export function framed(open: string, close: string): ResultFrame {
  return { open, error: `${open}Error: `, close, body: 'text' };
}

/** Results as most families write them. */
export const inResponse = framed('<tool_response>\n', '\n</tool_response>');

/** Definitions as a JSON array, each with the frame of OpenAI's API or without. */
export function arrayOf(each: '{tool}' | '{function}', open = '[', close = ']'): ToolList {
  return { open, each, between: ', ', close };
}

/** Common properties of families of special tokens. */
export const ofTokens = { definitions: 'json', fences: [], after: 'keep' } as const;
