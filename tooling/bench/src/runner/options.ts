// Command line options as data, with their parsers.

import { parseArgs } from 'node:util';

/** All options; a benchmark lists those it accepts. */
export const options = {
  quick: { type: 'boolean', words: '', help: 'one short round, to see that it works' },
  rounds: { type: 'string', words: '5', help: 'rounds that measure' },
  wait: { type: 'string', words: '10', help: 'seconds to wait for idle CPUs before each measurement' },
  only: { type: 'string', words: 'utensil,hand', help: 'only these subjects or parts' },
  mode: { type: 'string', words: 'scripted|http', help: 'only the model in the process, or only the server' },
  tools: { type: 'string', words: '1,100,1000', help: 'numbers of tools that are registered' },
  'warm-up': {
    type: 'string',
    words: '200',
    help: 'total calls of the warm-up runs, each at most as long as the measured run',
  },
  backend: { type: 'string', words: 'memory,filesystem', help: 'only these backends' },
  part: { type: 'string', words: 'journal,transcript', help: 'only these parts of a run' },
  api: { type: 'string', words: 'gemini,ollama-chat', help: 'only these APIs' },
  pieces: { type: 'string', words: '16384', help: 'bytes of a piece of an answer; 0: one event a piece' },
  gate: {
    type: 'string',
    words: 'fail|print',
    help: 'compares with the ratios that are committed; fail: fails if one grew',
  },
  json: { type: 'string', words: 'file', help: 'writes every single measurement' },
} as const;

export type OptionName = keyof typeof options;

/** The given options, as text. */
export type Given = { readonly quick?: boolean } & { readonly [Name in Exclude<OptionName, 'quick'>]?: string };

/** A parsed command line. */
export interface Command {
  readonly name: string | undefined;
  readonly wantsHelp: boolean;
  readonly given: Given;
}

/** Parses a command line. Throws if an option is unknown. */
export function readCommand(words: readonly string[]): Command {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { ...options, help: { type: 'boolean', short: 'h' } },
  });
  const { help = false, ...given } = values;
  return { name: positionals[0], wantsHelp: help, given };
}

/** Throws if an option is not in `known`. */
export function assertTaken(name: string, given: Given, known: readonly OptionName[]): void {
  const other = Object.keys(given).find((option) => !known.some((each) => each === option));
  if (other === undefined) return;
  throw new Error(`${name} takes no --${other}, but ${known.map((each) => `--${each}`).join(', ')}.`);
}

/** Parses an integer with a minimum. */
export function wholeNumber(option: OptionName, text: string, least: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least) return number;
  throw new Error(`--${option} takes whole numbers from ${least}; got "${text}".`);
}

/** Parses comma-separated words from `choices`; default: all of them. */
export function someOf<Choice extends string>(
  option: OptionName,
  text: string | undefined,
  choices: readonly Choice[],
): readonly Choice[] {
  return text === undefined || text === '' ? choices : text.split(',').map((word) => oneOf(option, word, choices));
}

/** Parses one of `choices`. */
export function oneOf<Choice extends string>(option: OptionName, text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((each) => each === text);
  if (choice !== undefined) return choice;
  throw new Error(`--${option} takes ${choices.join(', ')}; got "${text}".`);
}

/** Number of measurements, and time to wait for idle CPUs before each. */
export interface Effort {
  readonly rounds: number;
  readonly patienceMs: number;
}

export function effortOf({ quick, rounds, wait }: Given): Effort {
  return {
    rounds: rounds === undefined ? (quick ? 1 : 5) : wholeNumber('rounds', rounds, 1),
    patienceMs: wait === undefined ? (quick ? 0 : 10_000) : wholeNumber('wait', wait, 0) * 1000,
  };
}
