import type { AppendOptions, Claim, Message, Thread, ThreadEntry } from '@utensil/core';
import { between, labelOf, type Reached } from './boundaries.ts';

/** A thread with a boundary before and after each page, each append (named after its entry) and each operation of a claim. */
export function watchedThread(thread: Thread, at: Reached, claimed: (claim: Claim) => void): Thread {
  const inner = new WeakMap<Claim, Claim>();

  function watchedClaim(claim: Claim): Claim {
    const watched: Claim = {
      runId: claim.runId,
      fence: claim.fence,
      lapsed: claim.lapsed,
      lost: claim.lost,
      renew: () => between(at, 'claim.renew', claim.renew),
      release: () => between(at, 'claim.release', claim.release),
    };
    inner.set(watched, claim);
    return watched;
  }

  return {
    ...thread,
    read: (options) => between(at, 'thread.read', () => thread.read(options)),
    append(entries, { claim, ...options } = {}) {
      const held = claim && { claim: inner.get(claim) ?? claim };
      return between(at, `thread.append(${contentsOf(entries, options)})`, () =>
        thread.append(entries, { ...options, ...held }),
      );
    },
    async claim(options) {
      const claim = watchedClaim(await between(at, 'thread.claim', () => thread.claim(options)));
      claimed(claim);
      return claim;
    },
  };
}

function contentsOf(entries: readonly ThreadEntry[], { release }: AppendOptions): string {
  return [...entries.map(subjectOf), ...(release === true ? ['release'] : [])].join(', ');
}

/** An entry, in words that are the same in every process. */
function subjectOf(entry: ThreadEntry): string {
  if ('message' in entry) return `${entry.type} ${subjectOfMessage(entry.message)}`;
  return 'callId' in entry ? `${entry.type} ${labelOf(entry.callId)}` : entry.type;
}

function subjectOfMessage({ role, parts, incomplete }: Message): string {
  const results = parts.flatMap((part) => (part.type === 'tool-result' ? labelOf(part.callId) : []));
  return [role, ...results, ...(incomplete === undefined ? [] : ['incomplete'])].join(' ');
}
