// What only failures need: loaded with the first of them.

export { toModelError } from './failures/errors.ts';
export { spokenOut } from './failures/refusal.ts';
