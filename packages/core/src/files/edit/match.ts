import type { TextChange } from './changes.ts';

/** A place where the text of a replacement is. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** Number of characters that are written there, at the most and line breaks aside. */
  readonly size: number;
  /** What happens there, in order; never more than between its start and its end. */
  changes(): readonly TextChange[];
}

/** How many matches there are, and the first of them. */
export interface Matches {
  readonly count: number;
  readonly matches: readonly Match[];
}

/** Which matches are taken. */
export interface Take {
  /** Number of matches to keep. */
  readonly most: number;
  /** True if the others are counted; else only one of them. */
  readonly counts: boolean;
  /** Leaves out those that overlap the one before. */
  readonly apart: boolean;
}

/** Takes matches, which are in order. */
export function take(found: Iterable<Match>, { most, counts, apart }: Take): Matches {
  const matches: Match[] = [];
  let [count, end] = [0, 0];
  for (const match of found) {
    if (apart && match.start < end) continue;
    end = match.end;
    count++;
    if (count <= most) matches.push(match);
    else if (!counts) break;
  }
  return { count, matches };
}
