// Failures of servers and connections in the middle of a run, as data.
import type { Reply } from '@utensil/tooling-loopback';
import type { Vendor } from '../continuity/vendors.ts';

/** A server's replacement for an answer. */
export interface Fault {
  readonly name: string;
  /** Nothing of the answer comes: the vendor bills nothing for it. */
  readonly isRefusal: boolean;
  /** In milliseconds, where the server says for how long to wait. */
  readonly waitMs?: number;
  play(vendor: Vendor, whole: Reply): Reply;
}

/** Stands in an answer where it breaks: a connection that breaks here breaks between the two bytes of the character. */
const breakMark = '½';

export const faults: readonly Fault[] = [
  {
    name: '429 with retry-after',
    isRefusal: true,
    waitMs: 7_000,
    play: ({ fail }) => fail({ status: 429, message: 'Slow down.', retryAfter: 7 }),
  },
  { name: '529', isRefusal: true, play: ({ fail }) => fail({ status: 529, message: 'Overloaded.' }) },
  { ...cutting(inMark, 'destroy'), name: 'a reset in a character' },
  { ...cutting(beforeMark, 'destroy'), name: 'a reset between events' },
  { ...cutting(inMark, 'end'), name: 'half JSON' },
];

/** A fault that leaves the beginning of an answer. The connection breaks behind it, or the body ends as if that were all. */
export function cutting(place: (length: number, bytes: Buffer) => number, end: 'end' | 'destroy'): Fault {
  return {
    name: `cut, then ${end}`,
    isRefusal: false,
    play(_, whole) {
      const bytes = Buffer.from([whole.body ?? []].flat().map(String).join(''));
      return { ...whole, body: [new Uint8Array(bytes.subarray(0, place(bytes.length, bytes)))], end };
    },
  };
}

/** Between the two bytes of the mark. */
function inMark(_length: number, bytes: Buffer): number {
  const place = bytes.indexOf(breakMark);
  if (place < 0) throw new Error(`There is no ${breakMark} in this answer.`);
  return place + 1;
}

/** Behind the last line that is whole before the mark. */
function beforeMark(length: number, bytes: Buffer): number {
  return bytes.lastIndexOf('\n', inMark(length, bytes)) + 1;
}
