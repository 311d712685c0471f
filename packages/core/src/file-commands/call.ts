import { abridgeText } from '../files/edit/abridge.ts';
import type { Files } from '../files/files.ts';
import type { CommandInput } from './input.ts';
import { fill } from './texts.ts';
import type { Texts, TextValues } from './texts.ts';

/** Wording and rules of a file tool. */
export interface FileCommandsOptions {
  readonly texts: Texts;
  /** Root of everything the tool can see: `/`, or a directory. */
  readonly root: string;
  /** Names that listings leave out, in addition to those with a leading dot. */
  readonly leftOut: readonly string[];
  /** A directory that is read-only for the tool. */
  readonly readOnly?: string;
}

/** Maximum number of characters of a call's argument that its answer quotes. */
const mostQuoted = 2_000;

/** Quotes an argument of a call in its answer. */
export function quoted(text: string): string {
  return abridgeText(text, mostQuoted);
}

/** Context of a call. */
export interface CommandContext {
  readonly files: Files;
  /** True to number the lines of a view. Default: true. */
  readonly lineNumbers?: boolean;
}

/** Answer for the model. */
export interface CommandAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** A validated call. Paths are normalized, and empty if the command has none. */
export interface Call extends FileCommandsOptions, Required<CommandContext> {
  readonly input: CommandInput;
  readonly path: string;
  readonly from: string;
  readonly to: string;
  /** Maximum length of a view, in characters. */
  readonly limit: number;
  /** Values that every text about this call can refer to. */
  readonly values: TextValues;
}

/** A successful answer. */
export function done(template: string, values: TextValues): CommandAnswer {
  return { text: fill(template, values), isError: false };
}

/** An answer that explains why nothing was done. */
export function refused(template: string, values: TextValues): CommandAnswer {
  return { text: fill(template, values), isError: true };
}
