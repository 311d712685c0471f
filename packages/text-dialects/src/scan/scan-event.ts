import type { BlockEvent } from '../read/block.ts';
import type { Dialect, Grammar } from '../dialects/dialect.ts';
import type { Reading } from '../text/source.ts';

/** Something found in the text of a turn. */
export type ScanEvent =
  | { readonly type: 'text' | 'reasoning'; readonly text: string; readonly waits?: boolean }
  /** A block of calls begins, in this dialect. */
  | { readonly type: 'block'; readonly dialect: Dialect; readonly grammar: Grammar }
  | BlockEvent
  /** The block is over; as it was written. */
  | { readonly type: 'block-end'; readonly text: string }
  /** A thought is closed that was not opened: what came before it was one, its calls included. */
  | { readonly type: 'void' }
  /** Nothing behind this is worth reading: the model writes results itself, or a call is too long. */
  | { readonly type: 'halt' };

/** A part of the scan: waits where it needs more text. */
export type Scan<Result = void> = Reading<ScanEvent, Result>;

/** True if nothing follows an event until there is more text. */
export function isWaiting(event: ScanEvent | undefined): boolean {
  return event === undefined || ('waits' in event && event.waits);
}
