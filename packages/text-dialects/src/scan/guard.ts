import { malformed, unnamed } from '../read/block.ts';
import type { BlockEnd, BlockReading, Opening } from '../read/block.ts';
import type { Dialect, Grammar } from '../dialects/dialect.ts';
import { isWaiting } from './scan-event.ts';
import type { Scan } from './scan-event.ts';
import type { Recording, Source } from '../text/source.ts';

/** A block that is being read. */
export interface Guarded {
  readonly source: Source;
  /** Maximum number of characters in a call. */
  readonly longest: number;
  readonly whole: Recording;
  readonly dialect: Dialect;
  readonly grammar: Grammar;
  readonly opening: Opening;
}

/** Passes on a reader's events, and stops it if a call gets too long. */
export function* guard(reader: BlockReading, guarded: Guarded): Scan<BlockEnd | 'halt'> {
  const { source, longest, whole, dialect, grammar, opening } = guarded;
  let start = source.position - opening.length;
  let name: string | undefined;
  let isFirst = true;
  for (;;) {
    const { done, value: event } = reader.next();
    if (done === true) return event;
    const isTooLong = source.position - start > longest;
    if (isTooLong && (isWaiting(event) || event?.type === 'call')) {
      if (event?.type === 'input') yield { type: 'input', delta: event.delta };
      yield* tooLong(guarded, { name, start });
      return 'halt';
    }
    if (event?.type === 'begin') {
      if (name === undefined && isFirst) yield { type: 'block', dialect, grammar };
      ({ name } = event);
    }
    if (event?.type === 'call') {
      // The first of a block is shown as it was written, its frame included.
      const isWhole = isFirst && event.call.problem !== undefined;
      yield isWhole ? { type: 'call', call: { ...event.call, text: whole.text() } } : event;
      isFirst = false;
      name = undefined;
      start = source.position;
    } else yield event;
  }
}

interface Begun {
  readonly name: string | undefined;
  readonly start: number;
}

function* tooLong({ source, longest, dialect, grammar, opening }: Guarded, { name, start }: Begun): Scan {
  if (name === undefined) {
    yield { type: 'block', dialect, grammar };
    yield { type: 'begin', name: opening.name ?? unnamed };
  }
  const problem = malformed(`the call is longer than ${longest} characters`);
  const place = { text: '', start, end: source.position };
  yield { type: 'call', call: { name: name ?? opening.name ?? unnamed, input: {}, problem, ...place } };
}
