import type { Attack, AttackClass } from './attack.ts';
import { calls } from './calls.ts';
import { exhaustion } from './exhaustion.ts';
import { waysOut } from './ways-out.ts';

/** What hostile code does, by class, in any sandbox. */
export const attackClasses: Readonly<Record<string, AttackClass>> = { ...waysOut, ...exhaustion };

/** What it does where it can call tools. */
export const callClasses: Readonly<Record<string, AttackClass>> = calls;

/** An attack with its class. */
export interface KnownAttack extends Attack {
  readonly kind: string;
}

/** All of some classes. */
export function attacksOf(classes: Readonly<Record<string, AttackClass>>): readonly KnownAttack[] {
  return Object.entries(classes).flatMap(([kind, { attacks }]) => attacks.map((attack) => ({ kind, ...attack })));
}

/** The same attack made from within code mode: begun by a tool's answer, while another call is under way, its result given to a tool. */
export function throughTools<Given extends Attack>(attack: Given): Given {
  const code = `
const begun = await tools.echo({ value: 1 });
const attack = async () => {
${attack.code}
};
tools.echo({ value: begun });
const found = await tools.echo({ value: await attack() });
return found.value;`;
  return { ...attack, code };
}
