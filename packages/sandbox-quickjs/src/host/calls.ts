import { isUtensilError, messageForModel, UtensilError } from '@utensil/core';
import type { HostAnswer } from '../guest/run.ts';
import { deepest, isTooDeep } from './deep-json.ts';
import type { HostFunction } from '../sandbox.ts';
import type { HostCall } from '../worker/protocol.ts';

/** Host function calls of one run. */
export interface HostCalls {
  begin(calls: readonly HostCall[]): void;
  /** Answers a call that the code blocks on. Never throws. */
  answer(call: HostCall): Promise<HostAnswer>;
  hasAnswers(): boolean;
  /** True if a call of one of these functions is running. */
  isAtWork(names: ReadonlySet<string>): boolean;
  /** Answers since the last call of this method. */
  takeAnswers(): readonly HostAnswer[];
}

/** Options of {@link createHostCalls}. */
export interface HostCallsOptions {
  readonly functions: Readonly<Record<string, HostFunction>>;
  readonly signal: AbortSignal;
  /** Maximum characters of all answers together, as JSON. */
  readonly characters: number;
  /** Maximum characters of one answer. */
  readonly longest: number;
  /** Called when an answer is available. */
  answered(): void;
}

/** Maximum characters of an error that reach a script. */
const longestError = 10_000;

/** Calls the host's functions and converts their results and errors to JSON. */
export function createHostCalls({ functions, signal, characters, longest, answered }: HostCallsOptions): HostCalls {
  let answers: HostAnswer[] = [];
  let left = characters;
  const atWork = new Map<number, string>();

  async function answer({ id, name, input }: HostCall): Promise<HostAnswer> {
    const called = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (called === undefined) return { id, error: { message: `There is no function "${name.slice(0, 100)}".` } };
    try {
      const value = await called(input, signal);
      const text = typeof value === 'string' ? value : plain(value);
      left -= text.length;
      if (left < 0 || text.length > longest)
        throw new UtensilError('EFBIG', 'Too much data for one script: read less at a time.');
      if (typeof value === 'string') return { id, value };
      if (isTooDeep(text))
        throw new UtensilError(
          'EFBIG',
          `It is nested more than ${deepest} levels deep, which is too deep for a script.`,
        );
      return { id, value: JSON.parse(text) };
    } catch (error) {
      return {
        id,
        error: {
          message: messageForModel(error).slice(0, longestError),
          ...(isUtensilError(error) && { code: error.code }),
        },
      };
    }
  }

  return {
    answer,
    begin(calls) {
      for (const call of calls) {
        atWork.set(call.id, call.name);
        void answer(call).then((given) => {
          atWork.delete(call.id);
          answers.push(given);
          answered();
        });
      }
    },
    hasAnswers: () => answers.length > 0,
    isAtWork: (names) => [...atWork.values()].some((name) => names.has(name)),
    takeAnswers() {
      const given = answers;
      answers = [];
      return given;
    },
  };
}

/** A value as JSON; values that JSON cannot represent become null. */
function plain(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}
