import { randomKey } from './protocol.ts';

/** A stored response to a commit. */
export interface Outcome {
  readonly status: number;
  readonly text: string;
}

/** Results of recent commits by their keys, so that none is made twice. */
export interface Remembered {
  /** Result of the commit with this key; runs `work` unless it has already begun. */
  once(key: string, work: () => Promise<Outcome>): Promise<Outcome>;
  has(key: string): boolean;
  /** Number of commits in this memory so far. */
  mark(): string;
  /** True if no commit begun after this mark has been forgotten. */
  reachesBackTo(mark: string): boolean;
}

/** Limits of the memory. */
export interface MemoryLimits {
  readonly commits: number;
  readonly characters: number;
}

interface Memory {
  readonly number: number;
  readonly outcome: Promise<Outcome>;
  characters: number;
}

/** Creates an empty memory. The oldest commits are forgotten first. */
export function createRemembered(limits: MemoryLimits): Remembered {
  const name = randomKey();
  const memories = new Map<string, Memory>();
  let begun = 0;
  let forgotten = 0;
  let characters = 0;

  function forgetOldest(): void {
    for (const [key, memory] of memories) {
      if (memories.size <= limits.commits && characters <= limits.characters) return;
      memories.delete(key);
      characters -= memory.characters;
      forgotten = memory.number;
    }
  }

  return {
    has: (key) => memories.has(key),
    mark: () => `${name}.${begun}`,
    reachesBackTo(mark) {
      const [of, number = ''] = mark.split('.');
      return of === name && /^\d{1,15}$/.test(number) && Number(number) >= forgotten;
    },
    async once(key, work) {
      const known = memories.get(key);
      if (known !== undefined) return known.outcome;
      const memory: Memory = { number: ++begun, outcome: work(), characters: 0 };
      memories.set(key, memory);
      forgetOldest();
      const outcome = await memory.outcome;
      if (memories.get(key) === memory) {
        memory.characters = outcome.text.length;
        characters += memory.characters;
        forgetOldest();
      }
      return outcome;
    },
  };
}
