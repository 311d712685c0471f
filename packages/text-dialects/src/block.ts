import type { JsonObject } from '@utensil/core';
import type { Reading, Source } from './source.ts';
import { more, no } from './lookahead.ts';
import type { View } from './lookahead.ts';
import type { ToolIndex } from './tool-index.ts';

/** A call that was read from text. */
export interface ReadCall {
  readonly name: string;
  /** `{}` if there is a problem. */
  readonly input: JsonObject;
  /** Description of the problem, for the model. */
  readonly problem?: string;
  /** As the model wrote it. */
  readonly text: string;
  /** Position in the text of the turn. */
  readonly start: number;
  readonly end: number;
}

/** What a block of calls consists of, in order: `begin`, any `input`, `call`, and again. */
export type BlockEvent =
  | { readonly type: 'begin'; readonly name: string }
  /** A fragment of the arguments, as JSON text. */
  | { readonly type: 'input'; readonly delta: string }
  | { readonly type: 'call'; readonly call: ReadCall };

/** How a block ended: with its last call, or it was none after all and is text. */
export type BlockEnd = 'done' | 'text';

export type BlockReading<Result = BlockEnd> = Reading<BlockEvent, Result>;

/** Position at which a block is read. */
export interface Block {
  readonly source: Source;
  readonly tools: ToolIndex;
  readonly opening: Opening;
  /** Why the turn ended where it did, once it has: a call that the output limit cut off is never complete. */
  isCut(): boolean;
  /** The block stands in a code fence. */
  readonly isFenced: boolean;
}

/** The beginning of a block. */
export interface Opening {
  /** Length in the text. */
  readonly length: number;
  /** The tool's name, where the opening has it. */
  readonly name?: string;
  /** It is inside the frame of its grammar. */
  readonly isFramed?: boolean;
  /** It stands on a line of its own, and what follows is no call: a call that went wrong, if nothing else. */
  readonly isWeak?: boolean;
  /** It is the end of a call that never began. */
  readonly isStray?: boolean;
}

/** An opening; `no` and `more` as in lookahead. */
export type Match = Opening | typeof no | typeof more;

/** Where an opening is looked for. */
export interface Place extends View {
  readonly tools: ToolIndex;
  /** Characters between the beginning of the line and here, all blank; -1 where others are among them. */
  readonly indent: number;
}

/** The name of a call whose name could not be read. */
export const unnamed = 'unreadable_call';

/** The text that a call without a problem is not. */
export function malformed(reason: string): string {
  return `Malformed tool invocation: ${reason}`;
}

export function asMatch(position: number): typeof no | typeof more {
  return position === more ? more : no;
}
