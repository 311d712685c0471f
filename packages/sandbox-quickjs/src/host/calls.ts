import { isUtensilError, messageForModel } from '@utensil/core';
import type { HostAnswer } from '../guest/run.ts';
import type { HostFunction } from '../sandbox.ts';
import type { HostCall } from '../worker/protocol.ts';
import { deepest, isTooDeep } from './deep-json.ts';

/** Host functions at work for one run. */
export interface HostCalls {
  begin(calls: readonly HostCall[]): void;
  /** One that the code waits for. Never throws. */
  answer(call: HostCall): Promise<HostAnswer>;
  hasAnswers(): boolean;
  /** Whether one of these functions is at work. */
  isAtWork(names: ReadonlySet<string>): boolean;
  /** What has been answered since it was asked last. */
  takeAnswers(): readonly HostAnswer[];
}

/** What answers calls. */
export interface HostCallsOptions {
  readonly functions: Readonly<Record<string, HostFunction>>;
  readonly signal: AbortSignal;
  /** Characters that all answers may have together, as JSON. */
  readonly characters: number;
  /** Characters that one of them may have. */
  readonly longest: number;
  /** There is an answer. */
  answered(): void;
}

/** Characters of an error that reach a script. */
const longestError = 10_000;

/** Calls the host's functions, and turns what they give or throw into JSON. */
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
        return { id, error: { message: 'Too much data for one script: read less at a time.', code: 'EFBIG' } };
      if (typeof value === 'string') return { id, value };
      if (isTooDeep(text))
        return {
          id,
          error: { message: `It is nested more than ${deepest} levels deep, which no script is given.`, code: 'EFBIG' },
        };
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

/** A value as JSON; what JSON does not know is null. */
function plain(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}
