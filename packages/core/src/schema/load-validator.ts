import { loadOnce } from '../base/eventually.ts';

/** The built-in validator, and its formats. */
export const loadInterpreter = loadOnce(() => import('./validation/interpreter.ts'));
export const loadFormats = loadOnce(() => import('./validation/formats.ts'));
