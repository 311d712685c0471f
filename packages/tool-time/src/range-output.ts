import { inZone } from './instant.ts';
import { isoOf } from './moment.ts';
import { rangeOf } from './range.ts';
import { zoneFor } from './zone.ts';

/** Context of an expression. */
export interface RangeRequest {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly named: string | undefined;
  readonly chosen: string;
  /** 1 is Monday, 7 is Sunday. */
  readonly weekStart: number;
}

/** A range of time as the tool returns it. */
export type RangeOutput = {
  readonly start: string;
  readonly end: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly timezone: string;
  readonly note: string;
};

/** Converts an expression to a range. */
export function rangeOutput(words: string, { now, named, chosen, weekStart }: RangeRequest): RangeOutput {
  const zone = zoneFor(named, chosen);
  const { start, end } = rangeOf(words, { now: inZone(now, zone), weekStart });
  return {
    start: isoOf(start),
    end: isoOf(end),
    startMs: start.epochMilliseconds,
    endMs: end.epochMilliseconds,
    timezone: zone,
    note: 'The end is exclusive.',
  };
}
