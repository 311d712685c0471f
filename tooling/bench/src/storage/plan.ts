import { type Effort, effortOf, type Given, someOf } from '../runner/options.ts';
import { type Backend, type Variant, variants } from './catalog.ts';

/** Thoroughness of the measurements. */
export interface StoragePlan extends Effort {
  readonly quick: boolean;
  readonly backends: readonly Backend[];
  /** Names of the variants to run. */
  readonly only: readonly string[];
}

/** Throws if an option has an invalid value. */
export function storagePlan(given: Given): StoragePlan {
  const { quick = false, backend, only } = given;
  return {
    ...effortOf(given),
    quick,
    backends: someOf('backend', backend, backends),
    only: someOf('only', only, names),
  };
}

const backends = Object.keys(variants) as readonly Backend[];
const names = [...new Set(Object.values<Readonly<Record<string, Variant>>>(variants).flatMap((of) => Object.keys(of)))];
