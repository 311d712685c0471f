// The model.
export { offline } from './offline.ts';
export type { OfflineOptions } from './offline.ts';

// Its language, for help pages, completion and tests.
export { format } from './format.ts';
export { forms } from './grammar.ts';
export type { Command, CommandOf, Verb } from './grammar.ts';
export { parse } from './parse.ts';
export type { Program } from './parse.ts';
