import { abridgeText } from '../files/edit/abridge.ts';
import type { Files } from '../files/files.ts';
import type { CommandInput } from './input.ts';
import { fill } from './texts.ts';
import type { Texts, TextValues } from './texts.ts';

/** What a file tool says, and which rules it has. */
export interface FileCommandsOptions {
  readonly texts: Texts;
  /** All that the tool can see: `/`, or one directory in it. */
  readonly root: string;
  /** Names, beside those that begin with a dot, that listings leave out. */
  readonly leftOut: readonly string[];
  /** A directory in which the tool only reads. */
  readonly readOnly?: string;
}

/** So many characters of what a call says are said back. */
const mostQuoted = 2_000;

/** Quotes an argument of a call in its answer. */
export function quoted(text: string): string {
  return abridgeText(text, mostQuoted);
}

/** The circumstances of a call. */
export interface CommandContext {
  readonly files: Files;
  /** True if lines are shown with their numbers. Default true. */
  readonly lineNumbers?: boolean;
}

/** What the model is told. */
export interface CommandAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** A call that has all it needs. Paths are normal, and empty where the command has none. */
export interface Call extends FileCommandsOptions, Required<CommandContext> {
  readonly input: CommandInput;
  readonly path: string;
  readonly from: string;
  readonly to: string;
  /** Characters of a view. */
  readonly limit: number;
  /** What every text about this call can name. */
  readonly values: TextValues;
}

/** An answer that all is well. */
export function done(template: string, values: TextValues): CommandAnswer {
  return { text: fill(template, values), isError: false };
}

/** An answer that says why nothing was done. */
export function refused(template: string, values: TextValues): CommandAnswer {
  return { text: fill(template, values), isError: true };
}
