// What only failures need: loaded with the first of them.

export { judge } from './failures/judge.ts';
export { refusals } from './failures/refusal.ts';
