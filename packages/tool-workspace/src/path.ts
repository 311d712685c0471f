import { fileError, resolvePath } from '@utensil/core/files';
import type { UtensilError } from '@utensil/core';
import { say } from './texts.ts';

/**
 * Resolves the path that a model gives: relative to the root of the project, with `/` or `\` between names. Throws
 * `EINVAL` for an invalid path, one with a drive, or one outside the project. `a:10` is not a drive but a line of a
 * file.
 */
export function readPath(given: string): string {
  const invalid = (hint: string): UtensilError => fileError('EINVAL', given, { hint });
  if (/^[A-Za-z]:(?!-?\d)/.test(given) || given.startsWith('\\\\')) throw invalid(say('diskPath'));
  if (/^file:/i.test(given)) throw invalid(say('diskPath'));
  const path = given.replaceAll('\\', '/');
  if (leadsOut(path)) throw invalid(say('outside'));
  return resolvePath(path.startsWith('/') ? path : `/${path}`);
}

function leadsOut(path: string): boolean {
  let level = 0;
  for (const name of path.split('/')) {
    if (name === '..') level--;
    else if (name !== '' && name !== '.') level++;
    if (level < 0) return true;
  }
  return false;
}

/** Path as shown to models; `.` for the root. */
export function shownPath(path: string): string {
  return path === '/' ? '.' : path.slice(1);
}

/** A range of lines, from 1; without `last`, to the end. */
export interface LinesOf {
  readonly path: string;
  readonly first?: number;
  readonly last?: number;
}

/** Parses `f:10-20`, `f:10-`, `f:-20` and `f:15`; the whole file if there is no range. */
export function readLines(given: string): LinesOf {
  const [, path = '', from, dash, to] = /^(.+):(\d+)?(-)?(\d+)?$/.exec(given) ?? [];
  if (path === '' || (from === undefined && to === undefined)) return { path: given };
  if (dash === undefined) return { path, first: Number(from), last: Number(from) };
  return { path, ...(from !== undefined && { first: Number(from) }), ...(to !== undefined && { last: Number(to) }) };
}
