import { oneOf, wholeNumber } from '../options.ts';
import { type Backend, type Variant, variants } from './catalog.ts';

/** What is given on the command line, as text. */
export interface Given {
  readonly quick: boolean;
  readonly rounds?: string | undefined;
  readonly backend: string;
  readonly only: string;
  readonly wait?: string | undefined;
}

/**
 * How thorough the measurements are to be.
 *
 * @throws where a value is none that its option takes.
 */
export function storageOptions({ quick, rounds, backend, only, wait }: Given) {
  return {
    quick,
    rounds: rounds === undefined ? (quick ? 1 : 5) : wholeNumber('rounds', rounds, 1),
    backends: backend === '' ? backends : backend.split(',').map((name) => oneOf('backend', name, backends)),
    only: only.split(',').flatMap((name) => (name === '' ? [] : oneOf('only', name, names))),
    patienceMs: wait === undefined ? (quick ? 0 : 10_000) : wholeNumber('wait', wait, 0) * 1000,
  };
}

const backends = Object.keys(variants) as readonly Backend[];
const names = [...new Set(Object.values<Readonly<Record<string, Variant>>>(variants).flatMap((of) => Object.keys(of)))];
