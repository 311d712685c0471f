import { UtensilError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';

/** Throws `invalid_input` for an unknown member. */
export function checkMembers(value: unknown, known: readonly string[]): void {
  if (!isObject(value)) throw invalid('part of it is not an object');
  const other = Object.keys(value).find((member) => !known.includes(member));
  if (other !== undefined) throw invalid(`this version does not know \`${other}\``);
}

const mostCharacters = 1_024;

/** Throws `invalid_input` unless a member is a text or a list of texts. */
export function checkTexts(value: unknown, member: string): void {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isText = (each: unknown): boolean => typeof each === 'string' && each !== '' && each.length <= mostCharacters;
  if (list.length > 0 && list.every(isText)) return;
  throw invalid(`\`${member}\` is neither a text of at most ${mostCharacters} characters nor a list of texts`);
}

/** The error of a malformed rule. */
export function invalid(problem: string): UtensilError {
  return new UtensilError('invalid_input', `This rule cannot be used: ${problem}.`);
}
