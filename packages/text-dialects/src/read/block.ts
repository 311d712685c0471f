import type { JsonObject } from '@utensil/core';
import type { Reading, Source } from '../text/source.ts';
import { lineEnd, more, no } from '../text/lookahead.ts';
import type { View } from '../text/lookahead.ts';
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

/** A fragment of the arguments, as JSON text. */
export interface InputEvent {
  readonly type: 'input';
  readonly delta: string;
  /** Nothing follows until there is more text: the reader waits here, as if it yielded `undefined` behind this. */
  readonly waits?: boolean;
}

/** An event in a block of calls, in order: `begin`, any `input`, `call`, and again. */
export type BlockEvent =
  | { readonly type: 'begin'; readonly name: string }
  | InputEvent
  | { readonly type: 'call'; readonly call: ReadCall };

/** End of a block: after its last call, or as text that turned out not to be one. */
export type BlockEnd = 'done' | 'text';

export type BlockReading<Result = BlockEnd> = Reading<BlockEvent, Result>;

/** Position at which a block is read. */
export interface Block {
  readonly source: Source;
  readonly tools: ToolIndex;
  readonly opening: Opening;
  /** True if the output limit ended the turn: a call that it truncated is never complete. */
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
  /** It stands on a line of its own, and no call follows: at least a failed call. */
  readonly isWeak?: boolean;
  /** It is the end of a call that never began. */
  readonly isStray?: boolean;
}

/** An opening; `no` and `more` as in lookahead. */
export type Match = Opening | typeof no | typeof more;

/** Position of a possible opening. */
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

/** The error of a call that the output limit ended. */
export const truncated = 'the answer was truncated in the middle of it';

export function asMatch(position: number): typeof no | typeof more {
  return position === more ? more : no;
}

/** The beginning of a frame without a call behind it: weak evidence if it stands at the end of its line. */
export function endsLine(place: Place, end: number): Match {
  const line = place.indent >= 0 ? lineEnd(place, end) : no;
  return line < 0 ? asMatch(line) : { length: end, isFramed: true, isWeak: true };
}
