import type { TextChange } from './changes.ts';

/** A match of a replacement's text. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** Maximum number of characters written there, not counting line breaks. */
  readonly size: number;
  /** Changes, in order, all within the match. */
  changes(): readonly TextChange[];
}

/** Number of matches, and the first of them. */
export interface Matches {
  readonly count: number;
  readonly matches: readonly Match[];
}

/** Selection of matches. */
export interface Take {
  /** Number of matches to keep. */
  readonly most: number;
  /** True to count the rest too; otherwise at most one more. */
  readonly counts: boolean;
  /** True to skip matches that overlap the previous one. */
  readonly apart: boolean;
}

/** Collects matches, which arrive in order. */
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
