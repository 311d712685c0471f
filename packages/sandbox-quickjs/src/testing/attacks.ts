import type { Attack } from './attack.ts';
import { exhaustion } from './exhaustion.ts';
import { waysOut } from './ways-out.ts';

/** What hostile code does, by class. */
export const attacks: Readonly<Record<string, readonly Attack[]>> = { ...waysOut, ...exhaustion };

/** All of them, each with its class. */
export const allAttacks: readonly (Attack & { readonly kind: string })[] = Object.entries(attacks).flatMap(
  ([kind, listed]) => listed.map((attack) => ({ kind, ...attack })),
);
