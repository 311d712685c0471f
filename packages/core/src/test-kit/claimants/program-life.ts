import { gate } from '../runs.ts';
import type { Gate } from '../runs.ts';

/** The time that a program is given. Whatever it does with the storage begins with a step. */
export interface ProgramLife {
  /** Resolves when it is the program's turn: never, once it is dead. */
  step(label: string): Promise<void>;
  /** It stands still, and others go on, until it is woken. */
  pause(): void;
  wake(): void;
  die(): void;
  readonly isDead: boolean;
  readonly died: Promise<void>;
}

/** Number of steps of a program that never comes to an end. */
const tooMany = 10_000;

/** `turn` resolves when the scheduler lets the program go on. */
export function programLife(turn: (label: string) => Promise<unknown>): ProgramLife {
  const died = gate();
  let paused: Gate | undefined;
  let isDead = false;
  let steps = 0;
  return {
    async step(label) {
      if (++steps > tooMany) throw new Error(`It tries the same again and again: ${label}.`);
      await turn(label);
      for (let pause = paused; pause !== undefined; pause = paused) await pause;
      if (isDead) await new Promise<never>(() => undefined);
    },
    pause: () => void (paused ??= gate()),
    wake() {
      paused?.open();
      paused = undefined;
    },
    die() {
      isDead = true;
      died.open();
    },
    get isDead() {
      return isDead;
    },
    died,
  };
}
